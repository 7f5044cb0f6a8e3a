//! Arguments and other parts that need not be evaluated at once.

use super::super::code::{Arg, Capture, Delay, Op};
use super::super::speculation::Profile;
use super::super::value::Value;
use super::{Compiler, Frame, finish_frame};
use cspm::builtins::Builtin;
use cspm::resolve::NameKind;
use cspm::syntax::{BinaryOp, Collection, Expr, ExprId, Statement};
use source::Span;
use std::rc::Rc;

impl Compiler<'_, '_> {
    pub(super) fn lazy_args(&mut self, exprs: &[ExprId]) -> Box<[Arg]> {
        exprs.iter().map(|&expr| self.lazy_arg(expr)).collect()
    }

    /// An argument that may never be needed.
    pub(super) fn lazy_arg(&mut self, expr: ExprId) -> Arg {
        if self.is_free_of_charge(expr) {
            return match self.inner(expr) {
                Op::Local(slot) => Arg::Local(slot),
                op => Arg::Now(op),
            };
        }
        if self.is_cheap(expr) {
            let delay = self.delay(expr);
            return Arg::Cheap(Box::new((self.inner(expr), delay)));
        }
        let delay = self.speculative_delay(expr);
        if self.can_be_ready(expr) {
            return Arg::Ready(Box::new((self.inner(expr), delay)));
        }
        Arg::Delay(Box::new(delay))
    }

    /// A delayed expression for speculation. Processes are excluded: they may be large and never be needed.
    fn speculative_delay(&mut self, expr: ExprId) -> Delay {
        let mut delay = self.delay(expr);
        if !self.program.is_process(expr) {
            delay.profile = Profile::promising();
            if self.is_small(expr) {
                delay.at_once = Some(self.inner(expr));
            }
        }
        delay
    }

    /// Whether nothing inside the expression would be delayed in turn, so that saying it twice does not get out of
    /// hand.
    fn is_small(&self, expr: ExprId) -> bool {
        let is_free = |part: ExprId| self.is_free_of_charge(part) || self.is_cheap(part) || self.is_selection(part);
        let free = |parts: &[ExprId]| parts.iter().all(|&part| is_free(part));
        match self.resolved.ast.expr(expr) {
            Expr::Paren(inner) => self.is_small(*inner),
            Expr::Call(function, arguments) => {
                matches!(self.resolved.ast.expr(*function), Expr::Name(_)) && free(arguments)
            }
            _ => false,
        }
    }

    /// Whether the expression selects from sequences by comparisons and little else.
    fn is_selection(&self, expr: ExprId) -> bool {
        let Expr::Comprehension { kind: Collection::Seq, results, statements } = self.resolved.ast.expr(expr) else {
            return false;
        };
        let is_easy = |statement: &Statement| match *statement {
            Statement::Generator(_, source) => self.cost(source) == Some(1),
            Statement::Filter(condition) => self.is_cheap(condition),
        };
        results.iter().all(|&result| self.is_cheap(result)) && statements.iter().all(is_easy)
    }

    /// Whether the expression updates a map or a set in a way that cannot fail once its arguments are known.
    fn can_be_ready(&self, expr: ExprId) -> bool {
        let Expr::Call(function, arguments) = self.resolved.ast.expr(self.strip(expr)) else { return false };
        let Some(name) = self.resolved.expr_name(*function) else { return false };
        match self.resolved.name(name).kind {
            NameKind::Builtin(Builtin::MapUpdate | Builtin::MapDelete) => {
                arguments.iter().take(2).all(|&argument| self.is_free_name_or_cheap(argument))
            }
            NameKind::Builtin(Builtin::MapLookup | Builtin::MapMember) => {
                arguments.iter().all(|&argument| self.is_free_name_or_cheap(argument))
            }
            _ => false,
        }
    }

    fn is_free_name_or_cheap(&self, expr: ExprId) -> bool {
        self.is_cheap(expr) || matches!(self.resolved.ast.expr(expr), Expr::Name(_)) && self.is_free_name(expr)
    }

    /// An argument that is needed in any case.
    pub(super) fn strict_arg(&mut self, expr: ExprId) -> Arg {
        Arg::Now(self.inner(expr))
    }

    /// A needed argument of a function of the script, which forces its arguments itself: a variable is handed on as it
    /// is.
    pub(super) fn needed_arg(&mut self, expr: ExprId) -> Arg {
        match self.inner(expr) {
            Op::Local(slot) => Arg::Local(slot),
            op => Arg::Now(op),
        }
    }

    /// Compiles an expression into a function of its own that captures what it needs.
    pub(super) fn delay(&mut self, expr: ExprId) -> Delay {
        let span = self.span(expr);
        self.delay_with(span, |compiler| compiler.tail(expr))
    }

    pub(super) fn delay_with(&mut self, span: Span, body: impl FnOnce(&mut Self) -> Op) -> Delay {
        self.frames.push(Frame::default());
        let body = body(self);
        let frame = self.frames.pop().unwrap_or_default();
        let captures = Self::captures(&frame);
        let function = Rc::new(finish_frame(frame, span, body));
        Delay { function, captures, at_once: None, profile: Profile::default() }
    }

    /// Where the captured values of a finished frame come from.
    pub(super) fn captures(frame: &Frame) -> Box<[Capture]> {
        frame.captures.iter().map(|&(slot, _, _)| Capture { slot, is_last: false }).collect()
    }

    /// Whether evaluating the expression does no work: constants, variables, functions, and tuples and sequences,
    /// whose parts are delayed in turn.
    fn is_free_of_charge(&self, expr: ExprId) -> bool {
        match self.resolved.ast.expr(expr) {
            Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) | Expr::String(_) | Expr::Lambda(..) => true,
            Expr::Tuple(_) | Expr::Seq(_) => true,
            Expr::Paren(inner) => self.is_free_of_charge(*inner),
            Expr::Set(parts) => parts.iter().all(|&part| self.is_literal(part)),
            Expr::Range { from, to, statements, .. } => {
                statements.is_empty() && self.is_literal(*from) && to.is_none_or(|to| self.is_literal(to))
            }
            Expr::Binary(BinaryOp::Concat, left, _) => {
                matches!(self.resolved.ast.expr(self.strip(*left)), Expr::Seq(parts) if parts.len() == 1)
            }
            Expr::Name(_) => self.is_free_name(expr),
            _ => false,
        }
    }

    fn is_literal(&self, expr: ExprId) -> bool {
        matches!(self.resolved.ast.expr(expr), Expr::Int(_) | Expr::Bool(_) | Expr::Char(_))
    }

    fn is_free_name(&self, expr: ExprId) -> bool {
        let Some(name) = self.resolved.expr_name(expr) else { return true };
        match self.resolved.name(name).kind {
            NameKind::Builtin(builtin) => builtin != Builtin::Events,
            NameKind::Value(_) => {
                !self.program.is_global(name) && !self.program.function_of.contains_key(&super::Var::Name(name))
            }
            NameKind::Datatype(_) | NameKind::Subtype(_) | NameKind::Nametype(_) => false,
            _ => true,
        }
    }

    /// Whether the expression is a little arithmetic on variables and constants.
    fn is_cheap(&self, expr: ExprId) -> bool {
        self.cost(expr).is_some_and(|cost| cost <= 12)
    }

    fn cost(&self, expr: ExprId) -> Option<usize> {
        match self.resolved.ast.expr(expr) {
            Expr::Int(_) | Expr::Bool(_) | Expr::Char(_) => Some(1),
            Expr::Name(_) => {
                let name = self.resolved.expr_name(expr)?;
                match self.resolved.name(name).kind {
                    NameKind::Parameter => Some(1),
                    NameKind::Value(_) if !self.program.function_of.contains_key(&super::Var::Name(name)) => Some(1),
                    _ => None,
                }
            }
            Expr::Paren(inner) => self.cost(*inner),
            Expr::Unary(cspm::syntax::UnaryOp::Negate | cspm::syntax::UnaryOp::Not, inner) => {
                Some(self.cost(*inner)? + 1)
            }
            Expr::Binary(op, left, right) if *op != BinaryOp::Concat => {
                Some(self.cost(*left)? + self.cost(*right)? + 1)
            }
            _ => None,
        }
    }
}

impl Arg {
    /// An argument that is there already.
    pub fn constant(value: Value) -> Arg {
        Arg::Now(Op::Const(value))
    }
}
