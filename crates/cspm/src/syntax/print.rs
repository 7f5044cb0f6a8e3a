//! Fully parenthesised text of trees.
//!
//! Parsing the text yields the same tree, so tests use it to display the grouping of operators.

use super::*;
use crate::stack;
use std::fmt::Write;

impl Ast {
    /// An expression as fully parenthesised CSPM.
    pub fn expr_text(&self, id: ExprId) -> String {
        let mut printer = Printer { ast: self, out: String::new() };
        printer.expr(id);
        printer.out
    }

    /// Declarations as fully parenthesised CSPM, one on each line, including those in blocks.
    pub fn decls_text(&self, ids: &[DeclId]) -> String {
        let mut printer = Printer { ast: self, out: String::new() };
        printer.decls(ids);
        printer.out
    }
}

struct Printer<'a> {
    ast: &'a Ast,
    out: String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn symbol(&mut self, ident: Ident) {
        let text = self.ast.symbols.text(ident.symbol);
        self.out.push_str(text);
    }

    fn path(&mut self, path: &[Ident]) {
        for (i, &part) in path.iter().enumerate() {
            self.put(if i == 0 { "" } else { "::" });
            self.symbol(part);
        }
    }

    fn list<T: Copy>(&mut self, items: &[T], mut item: impl FnMut(&mut Self, T)) {
        for (i, &each) in items.iter().enumerate() {
            self.put(if i == 0 { "" } else { ", " });
            item(self, each);
        }
    }

    fn idents(&mut self, names: &[Ident]) {
        self.list(names, Self::symbol);
    }

    fn exprs(&mut self, items: &[ExprId]) {
        self.list(items, Self::expr);
    }

    fn pats(&mut self, items: &[PatId]) {
        self.list(items, Self::pat);
    }

    /// An operand, in parentheses unless it is a single token or bracketed already.
    fn operand(&mut self, id: ExprId) {
        let plain = matches!(
            self.ast.expr(id),
            Expr::Error
                | Expr::Int(_)
                | Expr::Bool(_)
                | Expr::Char(_)
                | Expr::String(_)
                | Expr::Name(_)
                | Expr::Paren(_)
                | Expr::Tuple(_)
                | Expr::Seq(_)
                | Expr::Set(_)
                | Expr::EnumSet(_)
                | Expr::Map(_)
                | Expr::Range { .. }
                | Expr::Comprehension { .. }
        );
        if plain {
            return self.expr(id);
        }
        self.put("(");
        self.expr(id);
        self.put(")");
    }

    fn infix(&mut self, left: ExprId, operator: &str, right: ExprId) {
        self.operand(left);
        self.put(operator);
        self.operand(right);
    }

    fn expr(&mut self, id: ExprId) {
        stack::grow(|| match self.ast.expr(id) {
            Expr::Error => self.put("<<error>>"),
            Expr::Int(value) => _ = write!(self.out, "{value}"),
            Expr::Bool(value) => _ = write!(self.out, "{value}"),
            Expr::Char(value) => _ = write!(self.out, "'{}'", escaped(&value.to_string())),
            Expr::String(value) => _ = write!(self.out, "\"{}\"", escaped(value)),
            Expr::Name(path) => self.path(path),
            Expr::Paren(inner) => {
                self.put("(");
                self.expr(*inner);
                self.put(")");
            }
            Expr::Tuple(items) => self.bracketed("(", ")", |printer| printer.exprs(items)),
            Expr::Dot(left, right) => self.infix(*left, ".", *right),
            Expr::Call(callee, arguments) => {
                self.operand(*callee);
                self.bracketed("(", ")", |printer| printer.exprs(arguments));
            }
            Expr::Lambda(parameters, body) => {
                self.put("\\ ");
                self.pats(parameters);
                self.put(" @ ");
                self.operand(*body);
            }
            Expr::Let(decls, body) => {
                self.put("let\n");
                self.decls(decls);
                self.put("within ");
                self.operand(*body);
            }
            Expr::If(condition, yes, no) => {
                self.put("if ");
                self.operand(*condition);
                self.put(" then ");
                self.operand(*yes);
                self.put(" else ");
                self.operand(*no);
            }
            Expr::Unary(op, operand) => {
                self.put(unary_text(*op));
                self.operand(*operand);
            }
            Expr::Binary(op, left, right) => self.infix(*left, binary_text(*op), *right),
            Expr::Seq(items) if items.is_empty() => self.put("<>"),
            Expr::Seq(items) => self.bracketed("<", ">", |printer| printer.list(items, Self::operand)),
            Expr::Set(items) => self.bracketed("{", "}", |printer| printer.exprs(items)),
            Expr::EnumSet(items) => self.bracketed("{|", "|}", |printer| printer.exprs(items)),
            Expr::Map(pairs) => self.bracketed("(| ", " |)", |printer| {
                printer.list(pairs, |printer, (key, value)| printer.infix(key, " => ", value));
            }),
            Expr::Range { kind, from, to, statements } => self.collection(*kind, statements, |printer| {
                printer.operand(*from);
                printer.put("..");
                if let Some(to) = to {
                    printer.operand(*to);
                }
            }),
            Expr::Comprehension { kind, results, statements } => {
                self.collection(*kind, statements, |printer| printer.list(results, Self::operand));
            }
            Expr::Wildcard => self.put("_"),
            Expr::Both(left, right) => self.infix(*left, " @@ ", *right),
            process => self.process(process),
        });
    }

    fn process(&mut self, expr: &Expr) {
        match expr {
            Expr::Prefix { event, fields, process } => {
                self.operand(*event);
                for &field in fields {
                    self.field(field);
                }
                self.put(" -> ");
                self.operand(*process);
            }
            Expr::Guard(condition, process) => self.infix(*condition, " & ", *process),
            Expr::Process(op, left, right) => self.infix(*left, process_text(*op), *right),
            Expr::Hide(process, events) => self.infix(*process, " \\ ", *events),
            Expr::Project(process, events) => self.infix(*process, " |\\ ", *events),
            Expr::WithSet { op, left, events, right } => {
                let (open, close) = op.brackets();
                self.with_set(*left, &format!(" {open}"), *events, &format!("{close} "), *right);
            }
            Expr::AlphaParallel { left, left_alphabet, right_alphabet, right } => {
                self.operand(*left);
                self.put(" [");
                self.infix(*left_alphabet, " || ", *right_alphabet);
                self.put("] ");
                self.operand(*right);
            }
            Expr::Link { left, ties, right } => {
                self.operand(*left);
                self.bracketed(" [", "] ", |printer| printer.ties(ties, " <-> "));
                self.operand(*right);
            }
            Expr::Rename { process, ties } => {
                self.operand(*process);
                self.bracketed("[[", "]]", |printer| printer.ties(ties, " <- "));
            }
            Expr::Replicated { op, statements, process } => self.replicated(op, statements, *process),
            _ => {}
        }
    }

    fn replicated(&mut self, op: &ReplicatedOp, statements: &[Statement], process: ExprId) {
        match op {
            ReplicatedOp::ExternalChoice => self.put("[] "),
            ReplicatedOp::InternalChoice => self.put("|~| "),
            ReplicatedOp::Interleave => self.put("||| "),
            ReplicatedOp::Sequential => self.put("; "),
            ReplicatedOp::AlphaParallel(_) => self.put("|| "),
            ReplicatedOp::Parallel(events) => self.bracketed("[|", "|] ", |printer| printer.operand(*events)),
            ReplicatedOp::SyncChoice(events) => self.bracketed("[+", "+] ", |printer| printer.operand(*events)),
            ReplicatedOp::Link(ties) => self.bracketed("[", "] ", |printer| printer.ties(ties, " <-> ")),
        }
        self.statements(statements);
        self.put(" @ ");
        if let ReplicatedOp::AlphaParallel(alphabet) = op {
            self.bracketed("[", "] ", |printer| printer.operand(*alphabet));
        }
        self.operand(process);
    }

    fn bracketed(&mut self, open: &str, close: &str, inside: impl FnOnce(&mut Self)) {
        self.put(open);
        inside(self);
        self.put(close);
    }

    fn with_set(&mut self, left: ExprId, open: &str, events: ExprId, close: &str, right: ExprId) {
        self.operand(left);
        self.bracketed(open, close, |printer| printer.operand(events));
        self.operand(right);
    }

    fn collection(&mut self, kind: Collection, statements: &[Statement], inside: impl FnOnce(&mut Self)) {
        let (open, close) = match kind {
            Collection::Set => ("{", "}"),
            Collection::Seq => ("<", ">"),
            Collection::EnumSet => ("{|", "|}"),
        };
        self.put(open);
        inside(self);
        if !statements.is_empty() {
            self.put(" | ");
            self.statements(statements);
        }
        self.put(close);
    }

    fn statements(&mut self, statements: &[Statement]) {
        self.list(statements, |printer, statement| match statement {
            Statement::Generator(pattern, collection) => {
                printer.pat(pattern);
                printer.put(" <- ");
                printer.operand(collection);
            }
            Statement::Filter(condition) => printer.operand(condition),
        });
    }

    fn ties(&mut self, ties: &Ties, arrow: &str) {
        self.list(&ties.pairs, |printer, (from, to)| printer.infix(from, arrow, to));
        if !ties.statements.is_empty() {
            self.put(" | ");
            self.statements(&ties.statements);
        }
    }

    fn field(&mut self, field: Field) {
        let (mark, pattern, set) = match field {
            Field::Output(value) => {
                self.put("!");
                return self.operand(value);
            }
            Field::Input(pattern, set) => ("?", pattern, set),
            Field::NondetInput(pattern, set) => ("$", pattern, set),
        };
        self.put(mark);
        self.pat_operand(pattern);
        if let Some(set) = set {
            self.put(":");
            self.operand(set);
        }
    }

    fn pat_operand(&mut self, id: PatId) {
        if matches!(self.ast.pat(id), Pat::Concat(..) | Pat::Dot(..) | Pat::Both(..)) {
            self.put("(");
            self.pat(id);
            self.put(")");
        } else {
            self.pat(id);
        }
    }

    fn pat(&mut self, id: PatId) {
        stack::grow(|| match self.ast.pat(id) {
            Pat::Error => self.put("<<error>>"),
            Pat::Name(path) => self.path(path),
            Pat::Wildcard => self.put("_"),
            Pat::Int(value) => _ = write!(self.out, "{value}"),
            Pat::Bool(value) => _ = write!(self.out, "{value}"),
            Pat::Char(value) => _ = write!(self.out, "'{}'", escaped(&value.to_string())),
            Pat::String(value) => _ = write!(self.out, "\"{}\"", escaped(value)),
            Pat::Paren(inner) => self.bracketed("(", ")", |printer| printer.pat(*inner)),
            Pat::Tuple(items) => self.bracketed("(", ")", |printer| printer.pats(items)),
            Pat::Seq(items) if items.is_empty() => self.put("<>"),
            Pat::Seq(items) => self.bracketed("<", ">", |printer| printer.pats(items)),
            Pat::Set(items) => self.bracketed("{", "}", |printer| printer.pats(items)),
            Pat::Concat(left, right) => self.pat_infix(*left, "^", *right),
            Pat::Dot(left, right) => self.pat_infix(*left, ".", *right),
            Pat::Both(left, right) => self.pat_infix(*left, " @@ ", *right),
        });
    }

    fn pat_infix(&mut self, left: PatId, operator: &str, right: PatId) {
        self.pat_operand(left);
        self.put(operator);
        self.pat_operand(right);
    }

    fn decls(&mut self, ids: &[DeclId]) {
        for &id in ids {
            self.decl(id);
            self.put("\n");
        }
    }

    fn decl(&mut self, id: DeclId) {
        match self.ast.decl(id) {
            Decl::Error => self.put("<<error>>"),
            Decl::Function { name, equations } => self.equations(*name, equations),
            Decl::Pattern(pattern, value) => {
                self.pat(*pattern);
                self.put(" = ");
                self.expr(*value);
            }
            Decl::Channel { names, fields } => {
                self.put("channel ");
                self.idents(names);
                self.after(" : ", *fields);
            }
            Decl::Datatype { name, clauses } => self.datatype("datatype ", *name, clauses),
            Decl::Subtype { name, clauses } => self.datatype("subtype ", *name, clauses),
            Decl::Nametype(name, value) => {
                self.put("nametype ");
                self.symbol(*name);
                self.put(" = ");
                self.expr(*value);
            }
            Decl::Import { keyword, names } => {
                self.put(match keyword {
                    ImportKeyword::Transparent => "transparent ",
                    ImportKeyword::External => "external ",
                });
                self.idents(names);
            }
            Decl::Assert(assertion) => self.assertion(assertion),
            Decl::Module { name, parameters, private, exports } => {
                self.put("module ");
                self.symbol(*name);
                if !parameters.is_empty() {
                    self.bracketed("(", ")", |printer| printer.pats(parameters));
                }
                self.put("\n");
                self.decls(private);
                self.put("exports\n");
                self.decls(exports);
                self.put("endmodule");
            }
            Decl::Instance { name, module, arguments } => {
                self.put("instance ");
                self.symbol(*name);
                self.put(" = ");
                self.path(module);
                if !arguments.is_empty() {
                    self.bracketed("(", ")", |printer| printer.exprs(arguments));
                }
            }
            Decl::Timed { function, declarations } => {
                self.put("Timed ");
                if let Some(function) = function {
                    self.bracketed("(", ") ", |printer| printer.expr(*function));
                }
                self.bracketed("{\n", "}", |printer| printer.decls(declarations));
            }
            Decl::Annotation { names, scheme } => self.annotation(names, scheme),
            Decl::Print(value, _) => {
                self.put("print ");
                self.expr(*value);
            }
        }
    }

    fn after(&mut self, separator: &str, value: Option<ExprId>) {
        if let Some(value) = value {
            self.put(separator);
            self.operand(value);
        }
    }

    fn equations(&mut self, name: Ident, equations: &[Equation]) {
        for (i, equation) in equations.iter().enumerate() {
            self.put(if i == 0 { "" } else { "\n" });
            self.symbol(name);
            for group in &equation.groups {
                self.bracketed("(", ")", |printer| printer.pats(group));
            }
            self.put(" = ");
            self.expr(equation.body);
        }
    }

    fn datatype(&mut self, keyword: &str, name: Ident, clauses: &[Clause]) {
        self.put(keyword);
        self.symbol(name);
        for (i, clause) in clauses.iter().enumerate() {
            self.put(if i == 0 { " = " } else { " | " });
            self.symbol(clause.name);
            self.after(".", clause.fields);
        }
    }

    fn assertion(&mut self, assertion: &Assertion) {
        self.put(if assertion.negated { "assert not " } else { "assert " });
        match &assertion.property {
            Property::Error => self.put("<<error>>"),
            Property::Refinement { specification, model, implementation } => {
                self.infix(*specification, &format!(" [{model:?}= "), *implementation);
            }
            Property::DeadlockFree(process, model) => self.property(*process, "deadlock free", *model),
            Property::DivergenceFree(process, model) => self.property(*process, "divergence free", *model),
            Property::Deterministic(process, model) => self.property(*process, "deterministic", *model),
            Property::HasTrace { process, model, trace } => {
                self.property(*process, "has trace", *model);
                self.bracketed(": <", ">", |printer| printer.list(trace, Self::operand));
            }
            Property::Temporal { process, logic, formula, form, options, .. } => {
                self.operand(*process);
                let (long, short) = match logic {
                    TemporalLogic::Ltl => ("LTL", "ltl"),
                    TemporalLogic::Ctl => ("CTL", "ctl"),
                };
                if *form == TemporalForm::Bracketed {
                    let words = options.iter().map(|option| format!(" {}={}", option.name.0, option.value.0));
                    _ = write!(self.out, " :[{short}{}]: \"{formula}\"", words.collect::<String>());
                } else {
                    _ = write!(self.out, " |= {long}: \"{formula}\"");
                }
            }
        }
        self.after(" :[tau priority over]: ", assertion.tau_priority);
        self.put(match assertion.partial_order {
            None => "",
            Some(PartialOrder::Unspecified) => " :[partial order reduce]",
            Some(PartialOrder::Fast) => " :[partial order reduce [fast]]",
            Some(PartialOrder::Precise) => " :[partial order reduce [precise]]",
            Some(PartialOrder::Hybrid) => " :[partial order reduce [hybrid]]",
        });
    }

    fn property(&mut self, process: ExprId, words: &str, model: Option<SemanticModel>) {
        self.operand(process);
        match model {
            None => _ = write!(self.out, " :[{words}]"),
            Some(model) => _ = write!(self.out, " :[{words} [{model:?}]]"),
        }
    }

    fn annotation(&mut self, names: &[Ident], scheme: &TypeScheme) {
        self.idents(names);
        self.put(" :: ");
        if !scheme.constraints.is_empty() {
            self.bracketed("(", ") => ", |printer| {
                printer.list(&scheme.constraints, |printer, (class, variable)| {
                    printer.symbol(class);
                    printer.put(" ");
                    printer.symbol(variable);
                });
            });
        }
        self.ty(scheme.body);
    }

    fn ty(&mut self, id: TypeId) {
        stack::grow(|| match self.ast.type_expr(id) {
            TypeExpr::Error => self.put("<<error>>"),
            TypeExpr::Name(path) => self.path(path),
            TypeExpr::Set(item) => self.bracketed("{", "}", |printer| printer.ty(*item)),
            TypeExpr::Seq(item) => self.bracketed("<", ">", |printer| printer.ty(*item)),
            TypeExpr::Map(key, value) => self.bracketed("(| ", " |)", |printer| printer.types(*key, " => ", *value)),
            TypeExpr::Tuple(items) => self.bracketed("(", ")", |printer| printer.list(items, Self::ty)),
            TypeExpr::Function(arguments, result) => {
                self.bracketed("(", ") -> ", |printer| printer.list(arguments, Self::ty));
                self.ty(*result);
            }
            TypeExpr::Dot(left, right) => self.types(*left, ".", *right),
            TypeExpr::Dotable(left, right) => self.types(*left, " => ", *right),
            TypeExpr::Extendable(left, right) => self.types(*left, " =>* ", *right),
        });
    }

    fn types(&mut self, left: TypeId, operator: &str, right: TypeId) {
        self.ty(left);
        self.put(operator);
        self.ty(right);
    }
}

fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            '"' | '\'' | '\\' => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

fn unary_text(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Negate => "-",
        UnaryOp::Not => "not ",
        UnaryOp::Length => "#",
    }
}

fn binary_text(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => " + ",
        BinaryOp::Subtract => " - ",
        BinaryOp::Multiply => " * ",
        BinaryOp::Divide => " / ",
        BinaryOp::Modulo => " % ",
        BinaryOp::Equal => " == ",
        BinaryOp::NotEqual => " != ",
        BinaryOp::Less => " < ",
        BinaryOp::LessEqual => " <= ",
        BinaryOp::Greater => " > ",
        BinaryOp::GreaterEqual => " >= ",
        BinaryOp::And => " and ",
        BinaryOp::Or => " or ",
        BinaryOp::Concat => "^",
    }
}

fn process_text(op: ProcessOp) -> &'static str {
    match op {
        ProcessOp::ExternalChoice => " [] ",
        ProcessOp::InternalChoice => " |~| ",
        ProcessOp::Interleave => " ||| ",
        ProcessOp::Sequential => " ; ",
        ProcessOp::Interrupt => " /\\ ",
        ProcessOp::SlidingChoice => " [> ",
    }
}
