//! Text of expressions, types and reasons for messages.

use super::display::Printer;
use super::errors::{self, Related};
use super::store::Ty;
use super::{Checker, Place, Sameness, Why};
use crate::resolve::{NameId, NameKind};
use crate::syntax::{Decl, Expr, ExprId};

impl Checker<'_> {
    /// The type in the notation of annotations.
    pub(super) fn show(&self, t: Ty) -> String {
        Printer::new(&self.solver.store, self.resolved).show(t)
    }

    /// Two types, with consistent names of variables.
    pub(super) fn show_two(&self, a: Ty, b: Ty) -> (String, String) {
        let mut printer = Printer::new(&self.solver.store, self.resolved);
        (printer.show_short(a, 120), printer.show_short(b, 120))
    }

    /// The text for an expression: its name, if it has one.
    pub(super) fn subject(&self, id: ExprId) -> String {
        match self.named(id) {
            Some(name) => format!("`{}`", self.resolved.text(name)),
            None => "this".to_owned(),
        }
    }

    pub(super) fn subject_at(&self, place: Place) -> String {
        match place {
            Place::Expr(id) => self.subject(id),
            _ => "this".to_owned(),
        }
    }

    /// The name that an expression consists of.
    pub(super) fn named(&self, id: ExprId) -> Option<NameId> {
        match self.resolved.ast.expr(self.unwrapped(id)) {
            Expr::Name(_) => self.resolved.expr_name(self.unwrapped(id)),
            _ => None,
        }
    }

    /// The expression inside all parentheses.
    pub(super) fn unwrapped(&self, mut id: ExprId) -> ExprId {
        while let &Expr::Paren(inner) = self.resolved.ast.expr(id) {
            id = inner;
        }
        id
    }

    /// The definition of the name that an expression consists of.
    pub(super) fn definition_of(&self, id: ExprId) -> Related {
        let name = self.named(id)?;
        let info = self.resolved.name(name);
        match info.kind {
            NameKind::Builtin(_) => None,
            _ => Some((info.span, format!("`{}` is defined here", self.resolved.text(name)))),
        }
    }

    /// The value of the name at a place: for the parameter of a module that is the argument of the instance.
    pub(super) fn value_at(&self, place: Place, t: &str) -> Related {
        let Place::Expr(id) = place else { return None };
        let name = self.named(id)?;
        let info = self.resolved.name(name);
        let value = match info.kind {
            NameKind::Value(decl) => match self.resolved.ast.decl(decl) {
                Decl::Pattern(_, value) => Some(self.resolved.ast.expr_span(*value)),
                _ => None,
            },
            _ => None,
        };
        let is_instance = value.is_some_and(|value| value.start < info.span.start || value.start > info.span.end + 80);
        match info.kind {
            NameKind::Builtin(_) | NameKind::Parameter => None,
            _ if is_instance => value.map(|span| (span, format!("`{}` is `{t}` here", self.resolved.text(name)))),
            _ => Some((info.span, format!("`{}` is `{t}`", self.resolved.text(name)))),
        }
    }

    pub(super) fn definition_at(&self, place: Place) -> Related {
        match place {
            Place::Expr(id) => self.definition_of(id),
            _ => None,
        }
    }

    /// The type of a called function, if it has a name.
    pub(super) fn signature(&self, function: ExprId) -> Option<String> {
        let name = self.named(function)?;
        let known = self.names[name.index()].ty;
        (known != Ty::NONE && known != Ty::ERROR)
            .then(|| Printer::new(&self.solver.store, self.resolved).show_scheme(known))
    }

    /// The text of a reason, and a related place.
    pub(super) fn reason(&self, why: Why) -> (String, Related) {
        let ast = &self.resolved.ast;
        match why {
            Why::Operator(text) => (text.to_owned(), None),
            Why::Argument { call, index } => {
                let function = match ast.expr(call) {
                    Expr::Call(function, _) => *function,
                    _ => call,
                };
                let text = format!("the {} argument of {}", errors::ordinal(index + 1), self.subject(function));
                (text, self.definition_of(function))
            }
            Why::Same(other, sameness) => {
                let t = self.show(self.exprs[other.index()]);
                let (here, there) = match sameness {
                    Sameness::Elements => ("all elements must have one type", "the first element is"),
                    Sameness::Branches => ("both branches must have one type", "the `then` branch is"),
                    Sameness::Operands => ("both sides must have one type", "the left side is"),
                    Sameness::Keys => ("all keys must have one type", "the first key is"),
                    Sameness::Values => ("all values must have one type", "the first value is"),
                };
                (here.to_owned(), Some((ast.expr_span(other), format!("{there} `{t}`"))))
            }
            Why::SamePattern(other) => {
                let t = self.show(self.pats[other.index()]);
                let other = (ast.pat_span(other), format!("this pattern matches `{t}`"));
                ("both patterns must match one type".to_owned(), Some(other))
            }
            Why::Annotation(span) => {
                ("the annotation says otherwise".to_owned(), Some((span, "annotated here".to_owned())))
            }
            Why::Equation { earlier } => {
                let text = "all equations must have one type".to_owned();
                (text, Some((earlier, "the first equation has another type here".to_owned())))
            }
            Why::Binding(value) => {
                let t = self.show(self.exprs[value.index()]);
                ("the pattern does not match".to_owned(), Some((ast.expr_span(value), format!("the value is `{t}`"))))
            }
            Why::Generator(kind) => (format!("this generator draws from a {kind}"), None),
            Why::InputSet(pat) => {
                let text = "an input is restricted by a set of what it receives".to_owned();
                (text, Some((ast.pat_span(pat), "the input".to_owned())))
            }
            Why::Tie(left) => ("both sides must miss the same fields".to_owned(), self.definition_of(left)),
            Why::SubtypeField(name) => {
                let place = (self.resolved.name(name).span, "the constructor is declared here".to_owned());
                ("a subtype restricts the fields of its constructor".to_owned(), Some(place))
            }
        }
    }
}
