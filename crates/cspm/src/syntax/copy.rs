//! Copies of declarations, for instances of modules.

use super::*;
use crate::stack;

impl Ast {
    /// A deep copy with the spans of the original.
    pub fn copy_decl(&mut self, id: DeclId) -> DeclId {
        let span = self.decl_span(id);
        let copy = stack::grow(|| match self.decl(id).clone() {
            Decl::Error => Decl::Error,
            Decl::Function { name, equations } => {
                Decl::Function { name, equations: each(&equations, |equation| self.copy_equation(equation)) }
            }
            Decl::Pattern(pat, expr) => Decl::Pattern(self.copy_pat(pat), self.copy_expr(expr)),
            Decl::Channel { names, fields } => {
                Decl::Channel { names, fields: fields.map(|fields| self.copy_expr(fields)) }
            }
            Decl::Datatype { name, clauses } => Decl::Datatype { name, clauses: self.copy_clauses(&clauses) },
            Decl::Subtype { name, clauses } => Decl::Subtype { name, clauses: self.copy_clauses(&clauses) },
            Decl::Nametype(name, expr) => Decl::Nametype(name, self.copy_expr(expr)),
            // Modules may not contain assertions or prints.
            decl @ (Decl::Import { .. } | Decl::Assert(_) | Decl::Print(..)) => decl,
            Decl::Module { name, parameters, private, exports } => Decl::Module {
                name,
                parameters: self.copy_pats(&parameters),
                private: self.copy_decls(&private),
                exports: self.copy_decls(&exports),
            },
            Decl::Instance { name, module, arguments } => {
                Decl::Instance { name, module, arguments: self.copy_exprs(&arguments) }
            }
            Decl::Timed { function, declarations } => Decl::Timed {
                function: function.map(|function| self.copy_expr(function)),
                declarations: self.copy_decls(&declarations),
            },
            Decl::Annotation { names, scheme } => {
                let body = self.copy_type(scheme.body);
                Decl::Annotation { names, scheme: TypeScheme { constraints: scheme.constraints, body } }
            }
        });
        self.add_decl(copy, span)
    }

    /// Copies of several declarations.
    pub fn copy_decls(&mut self, ids: &[DeclId]) -> Box<[DeclId]> {
        each(ids, |&id| self.copy_decl(id))
    }

    fn copy_equation(&mut self, equation: &Equation) -> Equation {
        let groups = each(&equation.groups, |group| self.copy_pats(group));
        Equation { groups, body: self.copy_expr(equation.body), span: equation.span }
    }

    fn copy_clauses(&mut self, clauses: &[Clause]) -> Box<[Clause]> {
        each(clauses, |clause| Clause { name: clause.name, fields: clause.fields.map(|fields| self.copy_expr(fields)) })
    }

    /// A deep copy of a pattern.
    pub fn copy_pat(&mut self, id: PatId) -> PatId {
        let span = self.pat_span(id);
        let copy = stack::grow(|| match self.pat(id).clone() {
            Pat::Paren(inner) => Pat::Paren(self.copy_pat(inner)),
            Pat::Tuple(items) => Pat::Tuple(self.copy_pats(&items)),
            Pat::Seq(items) => Pat::Seq(self.copy_pats(&items)),
            Pat::Set(items) => Pat::Set(self.copy_pats(&items)),
            Pat::Concat(left, right) => Pat::Concat(self.copy_pat(left), self.copy_pat(right)),
            Pat::Dot(left, right) => Pat::Dot(self.copy_pat(left), self.copy_pat(right)),
            Pat::Both(left, right) => Pat::Both(self.copy_pat(left), self.copy_pat(right)),
            leaf => leaf,
        });
        self.add_pat(copy, span)
    }

    fn copy_pats(&mut self, ids: &[PatId]) -> Box<[PatId]> {
        each(ids, |&id| self.copy_pat(id))
    }

    /// A deep copy of an expression.
    pub fn copy_expr(&mut self, id: ExprId) -> ExprId {
        let span = self.expr_span(id);
        let expr = self.expr(id).clone();
        let copy = stack::grow(|| self.copy_children(expr));
        self.add_expr(copy, span)
    }

    fn copy_children(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Paren(inner) => Expr::Paren(self.copy_expr(inner)),
            Expr::Tuple(items) => Expr::Tuple(self.copy_exprs(&items)),
            Expr::Dot(left, right) => Expr::Dot(self.copy_expr(left), self.copy_expr(right)),
            Expr::Call(callee, arguments) => Expr::Call(self.copy_expr(callee), self.copy_exprs(&arguments)),
            Expr::Lambda(parameters, body) => Expr::Lambda(self.copy_pats(&parameters), self.copy_expr(body)),
            Expr::Let(decls, body) => Expr::Let(self.copy_decls(&decls), self.copy_expr(body)),
            Expr::If(condition, yes, no) => {
                Expr::If(self.copy_expr(condition), self.copy_expr(yes), self.copy_expr(no))
            }
            Expr::Unary(op, operand) => Expr::Unary(op, self.copy_expr(operand)),
            Expr::Binary(op, left, right) => Expr::Binary(op, self.copy_expr(left), self.copy_expr(right)),
            Expr::Seq(items) => Expr::Seq(self.copy_exprs(&items)),
            Expr::Set(items) => Expr::Set(self.copy_exprs(&items)),
            Expr::EnumSet(items) => Expr::EnumSet(self.copy_exprs(&items)),
            Expr::Map(pairs) => Expr::Map(self.copy_pairs(&pairs)),
            Expr::Range { kind, from, to, statements } => Expr::Range {
                kind,
                from: self.copy_expr(from),
                to: to.map(|to| self.copy_expr(to)),
                statements: self.copy_statements(&statements),
            },
            Expr::Comprehension { kind, results, statements } => Expr::Comprehension {
                kind,
                results: self.copy_exprs(&results),
                statements: self.copy_statements(&statements),
            },
            process => self.copy_process(process),
        }
    }

    fn copy_process(&mut self, expr: Expr) -> Expr {
        match expr {
            Expr::Prefix { event, fields, process } => Expr::Prefix {
                event: self.copy_expr(event),
                fields: each(&fields, |&field| self.copy_field(field)),
                process: self.copy_expr(process),
            },
            Expr::Guard(condition, process) => Expr::Guard(self.copy_expr(condition), self.copy_expr(process)),
            Expr::Process(op, left, right) => Expr::Process(op, self.copy_expr(left), self.copy_expr(right)),
            Expr::Hide(process, events) => Expr::Hide(self.copy_expr(process), self.copy_expr(events)),
            Expr::Project(process, events) => Expr::Project(self.copy_expr(process), self.copy_expr(events)),
            Expr::WithSet { op, left, events, right } => Expr::WithSet {
                op,
                left: self.copy_expr(left),
                events: self.copy_expr(events),
                right: self.copy_expr(right),
            },
            Expr::AlphaParallel { left, left_alphabet, right_alphabet, right } => Expr::AlphaParallel {
                left: self.copy_expr(left),
                left_alphabet: self.copy_expr(left_alphabet),
                right_alphabet: self.copy_expr(right_alphabet),
                right: self.copy_expr(right),
            },
            Expr::Link { left, ties, right } => {
                Expr::Link { left: self.copy_expr(left), ties: self.copy_ties(&ties), right: self.copy_expr(right) }
            }
            Expr::Rename { process, ties } => {
                Expr::Rename { process: self.copy_expr(process), ties: self.copy_ties(&ties) }
            }
            Expr::Replicated { op, statements, process } => Expr::Replicated {
                op: self.copy_operator(*op).into(),
                statements: self.copy_statements(&statements),
                process: self.copy_expr(process),
            },
            leaf => leaf,
        }
    }

    fn copy_operator(&mut self, op: ReplicatedOp) -> ReplicatedOp {
        match op {
            ReplicatedOp::AlphaParallel(events) => ReplicatedOp::AlphaParallel(self.copy_expr(events)),
            ReplicatedOp::Parallel(events) => ReplicatedOp::Parallel(self.copy_expr(events)),
            ReplicatedOp::SyncChoice(events) => ReplicatedOp::SyncChoice(self.copy_expr(events)),
            ReplicatedOp::Link(ties) => ReplicatedOp::Link(self.copy_ties(&ties)),
            plain => plain,
        }
    }

    fn copy_exprs(&mut self, ids: &[ExprId]) -> Box<[ExprId]> {
        each(ids, |&id| self.copy_expr(id))
    }

    fn copy_pairs(&mut self, pairs: &[(ExprId, ExprId)]) -> Box<[(ExprId, ExprId)]> {
        each(pairs, |&(left, right)| (self.copy_expr(left), self.copy_expr(right)))
    }

    fn copy_ties(&mut self, ties: &Ties) -> Ties {
        Ties { pairs: self.copy_pairs(&ties.pairs), statements: self.copy_statements(&ties.statements) }
    }

    fn copy_statements(&mut self, statements: &[Statement]) -> Box<[Statement]> {
        each(statements, |&statement| match statement {
            Statement::Generator(pat, expr) => Statement::Generator(self.copy_pat(pat), self.copy_expr(expr)),
            Statement::Filter(expr) => Statement::Filter(self.copy_expr(expr)),
        })
    }

    fn copy_field(&mut self, field: Field) -> Field {
        match field {
            Field::Output(expr) => Field::Output(self.copy_expr(expr)),
            Field::Input(pat, set) => Field::Input(self.copy_pat(pat), set.map(|set| self.copy_expr(set))),
            Field::NondetInput(pat, set) => Field::NondetInput(self.copy_pat(pat), set.map(|set| self.copy_expr(set))),
        }
    }

    fn copy_type(&mut self, id: TypeId) -> TypeId {
        let span = self.type_span(id);
        let copy = stack::grow(|| match self.type_expr(id).clone() {
            TypeExpr::Set(item) => TypeExpr::Set(self.copy_type(item)),
            TypeExpr::Seq(item) => TypeExpr::Seq(self.copy_type(item)),
            TypeExpr::Map(key, value) => TypeExpr::Map(self.copy_type(key), self.copy_type(value)),
            TypeExpr::Tuple(items) => TypeExpr::Tuple(each(&items, |&item| self.copy_type(item))),
            TypeExpr::Function(arguments, result) => {
                TypeExpr::Function(each(&arguments, |&item| self.copy_type(item)), self.copy_type(result))
            }
            TypeExpr::Dot(left, right) => TypeExpr::Dot(self.copy_type(left), self.copy_type(right)),
            TypeExpr::Dotable(left, right) => TypeExpr::Dotable(self.copy_type(left), self.copy_type(right)),
            TypeExpr::Extendable(left, right) => TypeExpr::Extendable(self.copy_type(left), self.copy_type(right)),
            leaf => leaf,
        });
        self.add_type(copy, span)
    }
}

fn each<T, U>(items: &[T], copy: impl FnMut(&T) -> U) -> Box<[U]> {
    items.iter().map(copy).collect()
}
