//! Expressions of the functional language.

use super::constraint::Constraint;
use super::solve::Clash;
use super::store::{Node, Ty};
use super::{Checker, Place, Sameness, Why, errors};
use crate::syntax::*;
use source::Span;

impl Checker<'_> {
    /// The type of an expression, with dots unevaluated.
    pub(super) fn infer(&mut self, id: ExprId) -> Ty {
        let t = crate::stack::grow(|| self.infer_node(id));
        self.exprs[id.index()] = t;
        t
    }

    /// Checks an expression against an expected type.
    pub(super) fn expect(&mut self, id: ExprId, expected: Ty, why: Why) -> Ty {
        let actual = self.infer(id);
        match self.solver.equate(expected, actual) {
            Ok(t) => {
                self.exprs[id.index()] = t;
                t
            }
            Err(clash) => {
                self.mismatch(Place::Expr(id), expected, actual, why, clash);
                self.exprs[id.index()] = Ty::ERROR;
                Ty::ERROR
            }
        }
    }

    /// Checks an operand against an expected type, as for an argument.
    fn expect_argument(&mut self, id: ExprId, expected: Ty, why: Why) -> Result<(), Clash> {
        let actual = self.settle_expr(id);
        let result = self.solver.settle(expected).and_then(|expected| self.solver.match_pattern(expected, actual));
        match result {
            Ok(t) => {
                self.exprs[id.index()] = t;
                Ok(())
            }
            Err(clash) => {
                self.mismatch(Place::Expr(id), expected, actual, why, clash);
                Err(clash)
            }
        }
    }

    /// Evaluates the dots in the type of an inferred expression.
    pub(super) fn settle_expr(&mut self, id: ExprId) -> Ty {
        let t = self.exprs[id.index()];
        let settled = match self.solver.settle(t) {
            Ok(settled) => settled,
            Err(clash) => {
                self.bad_dots(Place::Expr(id), t, clash);
                Ty::ERROR
            }
        };
        self.exprs[id.index()] = settled;
        settled
    }

    fn infer_node(&mut self, id: ExprId) -> Ty {
        let resolved = self.resolved;
        match resolved.ast.expr(id) {
            Expr::Error | Expr::Wildcard | Expr::Both(..) => Ty::ERROR,
            Expr::Int(_) => Ty::INT,
            Expr::Bool(_) => Ty::BOOL,
            Expr::Char(_) => Ty::CHAR,
            Expr::String(_) => Ty::STRING,
            Expr::Name(_) => resolved.expr_name(id).map_or(Ty::ERROR, |name| self.type_of_use(name)),
            &Expr::Paren(inner) => self.infer(inner),
            Expr::Tuple(items) => {
                let items: Vec<Ty> = items.iter().map(|&item| self.infer(item)).collect();
                self.solver.store.tuple(&items)
            }
            &Expr::Dot(left, right) => self.infer_dot(left, right),
            Expr::Call(function, arguments) => self.infer_call(id, *function, arguments),
            Expr::Lambda(patterns, body) => self.infer_lambda(patterns, *body),
            Expr::Let(declarations, body) => {
                self.check_let(declarations);
                self.infer(*body)
            }
            &Expr::If(condition, yes, no) => {
                self.expect(condition, Ty::BOOL, Why::Operator("`if` needs a condition"));
                let t = self.infer(yes);
                self.expect(no, t, Why::Same(yes, Sameness::Branches))
            }
            &Expr::Unary(op, operand) => self.infer_unary(op, operand),
            &Expr::Binary(op, left, right) => self.infer_binary(id, op, left, right),
            Expr::Seq(items) => {
                let item = self.same_type(items, Sameness::Elements);
                self.solver.store.add(Node::Seq(item))
            }
            Expr::Set(items) => self.infer_set(items),
            Expr::EnumSet(items) => self.infer_productions(items),
            Expr::Map(pairs) => self.infer_map(pairs),
            Expr::Range { kind, from, to, statements } => {
                self.check_statements(*kind, statements);
                self.expect(*from, Ty::INT, Why::Operator("a range counts integers"));
                if let Some(to) = to {
                    self.expect(*to, Ty::INT, Why::Operator("a range counts integers"));
                }
                if *kind == Collection::Seq { Ty::INT_SEQ } else { Ty::INT_SET }
            }
            Expr::Comprehension { kind, results, statements } => {
                self.check_statements(*kind, statements);
                match kind {
                    Collection::Set => self.infer_set(results),
                    Collection::EnumSet => self.infer_productions(results),
                    Collection::Seq => {
                        let item = self.same_type(results, Sameness::Elements);
                        self.solver.store.add(Node::Seq(item))
                    }
                }
            }
            process => {
                self.infer_process(process);
                Ty::PROC
            }
        }
    }

    fn infer_dot(&mut self, left: ExprId, right: ExprId) -> Ty {
        for operand in [left, right] {
            if let Expr::Binary(op, ..) = self.resolved.ast.expr(operand)
                && is_comparison(*op)
            {
                self.loose_comparisons.push(operand);
            }
        }
        let (left, right) = (self.infer(left), self.infer(right));
        self.solver.store.add(Node::Dot(left, right))
    }

    fn infer_call(&mut self, id: ExprId, function: ExprId, arguments: &[ExprId]) -> Ty {
        let t = self.infer(function);
        let t = self.solver.store.find(t);
        let (expected, result) = match self.solver.store.node_at(t) {
            Node::Function(expected, result) if expected.len() == arguments.len() => {
                (self.solver.store.list(expected).to_vec(), result)
            }
            Node::Var { .. } => {
                let expected: Vec<Ty> = arguments.iter().map(|_| self.solver.any()).collect();
                let result = self.solver.any();
                let needed = self.solver.store.function(&expected, result);
                if let Err(clash) = self.solver.equate(needed, t) {
                    self.mismatch(Place::Expr(function), needed, t, Why::Operator("it is called"), clash);
                    return self.infer_for_errors(arguments);
                }
                (expected, result)
            }
            Node::Error => return self.infer_for_errors(arguments),
            Node::Function(expected, _) => {
                self.wrong_argument_count(id, function, arguments, t, expected.len());
                return self.infer_for_errors(arguments);
            }
            _ => {
                self.not_a_function(function, t);
                return self.infer_for_errors(arguments);
            }
        };
        for &argument in arguments {
            self.infer(argument);
        }
        for (index, (&argument, expected)) in arguments.iter().zip(expected).enumerate() {
            let why = Why::Argument { call: id, index };
            if let Err(Clash::Constraint { .. } | Clash::TooLarge) = self.expect_argument(argument, expected, why) {
                // The error concerns the function as a whole; each further argument would repeat it.
                return Ty::ERROR;
            }
        }
        result
    }

    /// Infers expressions in an erroneous context, for their own errors.
    fn infer_for_errors(&mut self, ids: &[ExprId]) -> Ty {
        for &id in ids {
            self.infer(id);
        }
        Ty::ERROR
    }

    fn infer_lambda(&mut self, patterns: &[PatId], body: ExprId) -> Ty {
        for &pat in patterns {
            self.infer_pat(pat);
            self.settle_pat(pat);
        }
        self.infer(body);
        let result = self.settle_expr(body);
        // The body may have determined dots in the patterns.
        let arguments: Vec<Ty> = patterns.iter().map(|&pat| self.settle_pat(pat)).collect();
        let t = self.solver.store.function(&arguments, result);
        self.solver.note_settled(t);
        t
    }

    fn infer_unary(&mut self, op: UnaryOp, operand: ExprId) -> Ty {
        match op {
            UnaryOp::Negate => {
                self.expect(operand, Ty::INT, Why::Operator("`-` works on integers"));
                Ty::INT
            }
            UnaryOp::Not => {
                self.expect(operand, Ty::BOOL, Why::Operator("`not` works on booleans"));
                Ty::BOOL
            }
            UnaryOp::Length => {
                let item = self.solver.any();
                let seq = self.solver.store.add(Node::Seq(item));
                self.expect(operand, seq, Why::Operator("`#` is the length of a sequence"));
                Ty::INT
            }
        }
    }

    fn infer_binary(&mut self, id: ExprId, op: BinaryOp, left: ExprId, right: ExprId) -> Ty {
        match op {
            BinaryOp::And | BinaryOp::Or => {
                self.infer(left);
                self.infer(right);
                for operand in [left, right] {
                    // The error was reported; the result is a condition nevertheless.
                    let _ = self.expect_argument(operand, Ty::BOOL, Why::Operator(operator_reason(op)));
                }
                Ty::BOOL
            }
            BinaryOp::Concat => {
                let item = self.solver.any();
                let seq = self.solver.store.add(Node::Seq(item));
                let seq = self.expect(left, seq, Why::Operator(operator_reason(op)));
                let is_seq = matches!(self.solver.store.node(seq), Node::Seq(_));
                let why = if is_seq { Why::Same(left, Sameness::Operands) } else { Why::Operator(operator_reason(op)) };
                self.expect(right, seq, why)
            }
            _ if is_comparison(op) => {
                let t = self.infer(left);
                let t = self.expect(right, t, Why::Same(left, Sameness::Operands));
                let constraint = match op {
                    BinaryOp::Equal | BinaryOp::NotEqual => Constraint::Eq,
                    _ => Constraint::Ord,
                };
                if let Err(clash) = self.solver.require(constraint, t) {
                    self.mismatch(Place::Expr(id), t, t, Why::Operator(operator_reason(op)), clash);
                }
                Ty::BOOL
            }
            _ => {
                for operand in [left, right] {
                    self.expect(operand, Ty::INT, Why::Operator(operator_reason(op)));
                }
                Ty::INT
            }
        }
    }

    /// Unifies the types of all `items`.
    fn same_type(&mut self, items: &[ExprId], sameness: Sameness) -> Ty {
        let Some((&first, others)) = items.split_first() else { return self.solver.any() };
        let t = self.infer(first);
        for &other in others {
            self.expect(other, t, Why::Same(first, sameness));
        }
        t
    }

    fn infer_set(&mut self, items: &[ExprId]) -> Ty {
        let item = self.same_type_in_set(items, Sameness::Elements);
        self.solver.store.add(Node::Set(item))
    }

    /// Unifies the types of all `items`, and requires that they can be elements of a set.
    fn same_type_in_set(&mut self, items: &[ExprId], sameness: Sameness) -> Ty {
        let Some((&first, others)) = items.split_first() else { return self.solver.fresh(Constraint::Set) };
        let mut t = self.infer(first);
        if let Err(clash) = self.solver.require(Constraint::Set, t) {
            self.mismatch(Place::Expr(first), t, t, Why::Same(first, sameness), clash);
            t = Ty::ERROR;
        }
        for &other in others {
            self.expect(other, t, Why::Same(first, sameness));
        }
        t
    }

    /// After an error, solves an open type by the error type.
    fn silence_type(&mut self, open: Ty, t: Ty) {
        if t == Ty::ERROR {
            // This succeeds for a variable, and is not needed otherwise.
            let _ = self.solver.equate(open, Ty::ERROR);
        }
    }

    fn infer_productions(&mut self, items: &[ExprId]) -> Ty {
        let result = self.solver.fresh(Constraint::Yieldable);
        for &item in items {
            let extendable = self.solver.extendable(result);
            let t = self.expect(item, extendable, Why::Operator("`{| |}` takes channels and constructors"));
            self.silence_type(result, t);
        }
        self.solver.store.add(Node::Set(result))
    }

    fn infer_map(&mut self, pairs: &[(ExprId, ExprId)]) -> Ty {
        let (keys, values): (Vec<ExprId>, Vec<ExprId>) = pairs.iter().copied().unzip();
        let key = self.same_type_in_set(&keys, Sameness::Keys);
        let value = self.same_type(&values, Sameness::Values);
        self.solver.store.add(Node::Map(key, value))
    }

    /// Checks the statements of a collection of a kind.
    pub(super) fn check_statements(&mut self, kind: Collection, statements: &[Statement]) {
        for &statement in statements {
            match statement {
                Statement::Filter(condition) => {
                    self.expect(condition, Ty::BOOL, Why::Operator("a filter is a condition"));
                }
                Statement::Generator(pat, collection) => self.check_generator(kind, pat, collection),
            }
        }
    }

    fn check_generator(&mut self, kind: Collection, pat: PatId, collection: ExprId) {
        self.infer(collection);
        let actual = self.settle_expr(collection);
        self.infer_pat(pat);
        let item = self.settle_pat(pat);
        let (expected, why) = match kind {
            Collection::Seq => (Node::Seq(item), Why::Generator("sequence")),
            _ => (Node::Set(item), Why::Generator("set")),
        };
        let expected = self.solver.store.add(expected);
        if let Err(clash) = self.solver.match_pattern(expected, actual) {
            self.bad_generator(pat, collection, expected, actual, why, clash);
        }
    }

    fn wrong_argument_count(&mut self, call: ExprId, function: ExprId, arguments: &[ExprId], t: Ty, expected: usize) {
        let ast = &self.resolved.ast;
        let span = match arguments.get(expected) {
            Some(&extra) => ast.expr_span(extra).to(ast.expr_span(arguments[arguments.len() - 1])),
            None => Span::new(ast.expr_span(call).end.saturating_sub(1), ast.expr_span(call).end),
        };
        let subject = self.subject(function);
        let definition = self.definition_of(function);
        let groups = self.argument_groups(t);
        let diagnostic = errors::argument_count(span, &subject, expected, arguments.len(), &groups, definition);
        self.report(diagnostic);
    }

    /// The number of arguments in each group of a function type.
    fn argument_groups(&mut self, t: Ty) -> Vec<usize> {
        let mut groups = Vec::new();
        let mut t = t;
        while let Node::Function(arguments, result) = self.solver.store.node(t) {
            groups.push(arguments.len());
            t = result;
        }
        groups
    }

    fn not_a_function(&mut self, function: ExprId, t: Ty) {
        let text = self.show(t);
        let subject = self.subject(function);
        let definition = self.definition_of(function);
        let diagnostic = errors::not_a_function(self.resolved.ast.expr_span(function), &subject, &text, definition);
        self.report(diagnostic);
    }
}

pub(super) fn is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

fn operator_reason(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "`+` adds integers",
        BinaryOp::Subtract => "`-` subtracts integers",
        BinaryOp::Multiply => "`*` multiplies integers",
        BinaryOp::Divide => "`/` divides integers",
        BinaryOp::Modulo => "`%` divides integers",
        BinaryOp::Equal => "`==` compares for equality",
        BinaryOp::NotEqual => "`!=` compares for equality",
        BinaryOp::Less => "`<` compares the order",
        BinaryOp::LessEqual => "`<=` compares the order",
        BinaryOp::Greater => "`>` compares the order",
        BinaryOp::GreaterEqual => "`>=` compares the order",
        BinaryOp::And => "`and` joins conditions",
        BinaryOp::Or => "`or` joins conditions",
        BinaryOp::Concat => "`^` joins sequences",
    }
}
