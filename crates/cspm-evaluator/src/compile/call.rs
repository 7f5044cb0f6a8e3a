//! Calls and functions as values.

use super::super::code::{Apply, Arg, BuiltinCall, Call, Capture, ClosureCode, FunctionId, MakeClosure, Match, Op};
use super::super::code::{Equation, Function, Repeat, Yields};
use super::super::value::Value;
use super::equations::looked_at;
use super::expression::Position;
use super::uses::uses;
use super::{Compiler, Frame, Program, STACK_CHECK_DEPTH, Source, builtin_is_strict, finish_frame};
use cspm::builtins::Builtin;
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{Expr, ExprId, PatId};
use limits::effort::evaluator::{MAX_FORWARDING, MAX_ORDERED_ARGUMENTS};
use std::rc::Rc;

impl Compiler<'_, '_> {
    /// `f(x)(y)`: the groups that a known function takes are handed over together.
    pub(super) fn call(&mut self, expr: ExprId, position: Position) -> Op {
        let mut groups: Vec<(&[ExprId], ExprId)> = Vec::new();
        let mut callee = expr;
        let resolved = self.resolved;
        while let Expr::Call(function, arguments) = resolved.ast.expr(callee) {
            groups.push((arguments, callee));
            callee = self.strip(*function);
        }
        groups.reverse();
        let (n_taken, first) = self.known_callee(callee, &groups, position);
        let (mut op, taken) = match first {
            Some(op) => (op, n_taken),
            None => (self.inner(callee), 0),
        };
        for (index, (arguments, site)) in groups.iter().enumerate().skip(taken) {
            let args = self.lazy_args(arguments);
            let apply = Box::new(Apply { function: op, args, site: *site });
            let is_tail = position.is_tail && index + 1 == groups.len();
            op = if is_tail { Op::TailApply(apply) } else { Op::Apply(apply) };
        }
        op
    }

    /// The call of a function that is known by name, with the number of argument groups it takes.
    fn known_callee(
        &mut self,
        callee: ExprId,
        groups: &[(&[ExprId], ExprId)],
        position: Position,
    ) -> (usize, Option<Op>) {
        let Expr::Name(_) = self.resolved.ast.expr(callee) else { return (0, None) };
        let Some(name) = self.resolved.expr_name(callee) else { return (0, None) };
        match self.resolved.name(name).kind {
            NameKind::Builtin(builtin) => (1, Some(self.builtin_call(builtin, groups[0].0, groups[0].1))),
            NameKind::Function(decl) => {
                let Some(function) = self.program.function_id(name) else { return (0, None) };
                let Some(equation) = self.program.equations(decl).first() else { return (0, None) };
                let sizes: Vec<usize> = equation.groups.iter().map(|group| group.len()).collect();
                let fits =
                    sizes.len() <= groups.len() && sizes.iter().zip(groups).all(|(size, group)| *size == group.0.len());
                if !fits {
                    return (0, None);
                }
                let arguments: Vec<ExprId> = groups[..sizes.len()].iter().flat_map(|group| group.0).copied().collect();
                let site = groups[sizes.len() - 1].1;
                let position = if sizes.len() == groups.len() { position } else { Position::INNER };
                (sizes.len(), Some(self.known_call(function, &arguments, site, position)))
            }
            _ => (0, None),
        }
    }

    /// A call with all arguments of a function of the script.
    pub(super) fn known_call(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
        site: ExprId,
        position: Position,
    ) -> Op {
        if let Some((function, arguments, site)) = self.program.handed_on(function, arguments) {
            return self.known_call_here(function, &arguments, site, position);
        }
        self.known_call_here(function, arguments, site, position)
    }

    fn known_call_here(&mut self, function: FunctionId, arguments: &[ExprId], site: ExprId, position: Position) -> Op {
        let function = self.program.variant(function, position.asked);
        let is_process = self.program.entry(function).yields == Yields::Process;
        let mut args: Vec<Arg> = if is_process {
            let matters = self.program.matters(function);
            let arg = |(&argument, matters): (&ExprId, bool)| match matters {
                true => Arg::Now(self.deep(argument)),
                false => Arg::constant(Value::Hole),
            };
            arguments.iter().zip(matters).map(arg).collect()
        } else {
            let strict = self.program.strict_arguments(function);
            let is_strict = |index: usize| strict.get(index).copied().unwrap_or(false);
            let arg = |(index, &argument): (usize, &ExprId)| match is_strict(index) {
                true => self.needed_arg(argument),
                false => self.lazy_arg(argument),
            };
            arguments.iter().enumerate().map(arg).collect()
        };
        args.extend(self.lifted_captures(function).iter().map(|capture| Arg::Local(capture.slot)));
        // Nested deeply, the operation is evaluated apart from the function's body and cannot start it over.
        if position.is_tail
            && self.current == Some(function)
            && self.frames.len() == 1
            && self.depth < STACK_CHECK_DEPTH
            && !is_process
        {
            return Op::Repeat(Box::new(Repeat::new(args)));
        }
        let call = Box::new(Call { function, args: args.into(), site });
        match position {
            _ if is_process => Op::ProcessCall(call),
            _ if position.is_tail => Op::TailCall(call),
            _ => Op::Call(call),
        }
    }

    fn lifted_captures(&mut self, function: FunctionId) -> Box<[Capture]> {
        let lifted = self.program.entry(function).lifted.clone();
        lifted.iter().map(|&var| Capture { slot: self.slot(var), is_last: false }).collect()
    }

    pub(super) fn builtin_call(&mut self, builtin: Builtin, arguments: &[ExprId], site: ExprId) -> Op {
        if let Some(op) = self.timed_builtin(builtin, arguments, site) {
            return op;
        }
        let arg = |(index, &argument): (usize, &ExprId)| match builtin_is_strict(builtin, index) {
            true => self.strict_arg(argument),
            false => self.lazy_arg(argument),
        };
        let args = arguments.iter().enumerate().map(arg).collect();
        Op::Builtin(Box::new(BuiltinCall { builtin, args, site }))
    }

    /// A function of the script as a value.
    pub(super) fn function_value(&mut self, name: NameId, site: ExprId) -> Op {
        let Some(function) = self.program.function_id(name) else {
            return Op::Damaged(site);
        };
        let captures = self.lifted_captures(function);
        Op::Closure(Box::new(MakeClosure { function: ClosureCode::Known(function), captures }))
    }

    pub(super) fn lambda(&mut self, expr: ExprId, patterns: &[PatId], body: ExprId) -> Op {
        self.frames.push(Frame { n_slots: patterns.len() as u32, ..Frame::default() });
        let patterns: Box<[_]> =
            patterns.iter().enumerate().map(|(index, &pat)| self.argument_pattern(index as u32, pat)).collect();
        let n_arguments = patterns.len();
        let body = self.tail(body);
        let (equations, span) = (Box::new([Equation { patterns: looked_at(patterns), body }]), self.span(expr));
        let body = Op::Match(Box::new(Match { equations, n_equations: 1, n_arguments, name: Box::default(), span }));
        let frame = self.frames.pop().unwrap_or_default();
        let captures = Self::captures(&frame);
        let function = finish_frame(frame, span, body);
        let function = Function { groups: Box::new([n_arguments]), ..function };
        Op::Closure(Box::new(MakeClosure { function: ClosureCode::Lambda(Rc::new(function)), captures }))
    }
}

impl Program<'_> {
    /// Where a function does nothing but call another with its own arguments and constants, that call with these
    /// arguments: it is what a call comes to, as the call in it is the last thing the function does.
    fn handed_on(&mut self, function: FunctionId, arguments: &[ExprId]) -> Option<(FunctionId, Vec<ExprId>, ExprId)> {
        let mut last: Option<(FunctionId, Vec<ExprId>, ExprId)> = None;
        for _ in 0..MAX_FORWARDING {
            let (function, arguments): (FunctionId, &[ExprId]) = match &last {
                Some((function, arguments, _)) => (*function, arguments),
                None => (function, arguments),
            };
            match self.handed_on_once(function, arguments) {
                Some(call) => last = Some(call),
                None => break,
            }
        }
        last
    }

    fn handed_on_once(
        &mut self,
        function: FunctionId,
        arguments: &[ExprId],
    ) -> Option<(FunctionId, Vec<ExprId>, ExprId)> {
        let resolved = self.resolved;
        let entry = self.entry(function);
        let Source::Equations(decl, _) = entry.source else { return None };
        if entry.yields == Yields::Process || !entry.lifted.is_empty() || entry.section.is_some() {
            return None;
        }
        let [equation] = self.equations(decl) else { return None };
        let [patterns] = &equation.groups[..] else { return None };
        let names: Option<Vec<NameId>> = patterns.iter().map(|&pat| self.plain_variable(pat)).collect();
        let (names, Expr::Call(callee, inner)) = (names?, resolved.ast.expr(equation.body)) else { return None };
        let callee = resolved.expr_name(*callee)?;
        let NameKind::Function(decl) = resolved.name(callee).kind else { return None };
        let is_whole = matches!(self.equations(decl), [first, ..] if first.groups.len() == 1 && first.groups[0].len() == inner.len());
        if !is_whole || names.len() != arguments.len() || !self.is_global(callee) {
            return None;
        }
        // An argument said twice would be computed twice.
        let mut is_used = vec![false; names.len()];
        let mut handed_on = |&expr: &ExprId| match resolved.ast.expr(expr) {
            Expr::Int(_) => Some(expr),
            Expr::Name(_) => {
                let name = resolved.expr_name(expr)?;
                let place = names.iter().position(|&known| known == name)?;
                (!std::mem::replace(&mut is_used[place], true)).then(|| arguments[place])
            }
            _ => None,
        };
        let inner: Option<Vec<ExprId>> = inner.iter().map(&mut handed_on).collect();
        Some((self.function_id(callee)?, inner?, equation.body))
    }
}

impl Repeat {
    fn new(args: Vec<Arg>) -> Repeat {
        let n_arguments = args.len();
        let mut repeat = Repeat { args: (0..).zip(args).collect(), kept: Box::default(), n_arguments };
        repeat.keep_what_stays();
        repeat
    }

    /// Tells the arguments that change from those that stay.
    pub(super) fn keep_what_stays(&mut self) {
        let stays = |(slot, arg): &(u32, Arg)| match arg {
            Arg::Local(same) | Arg::Now(Op::Local(same)) => same == slot,
            _ => false,
        };
        let (kept, args): (Vec<_>, Vec<_>) = std::mem::take(&mut self.args).into_iter().partition(stays);
        self.args = in_good_order(args).into();
        self.kept = self.kept.iter().copied().chain(kept.into_iter().map(|(slot, _)| slot)).collect();
    }
}

/// Arguments in an order in which most of them can go straight to their slots, because their old contents are dead.
fn in_good_order(mut args: Vec<(u32, Arg)>) -> Vec<(u32, Arg)> {
    if args.len() > MAX_ORDERED_ARGUMENTS {
        return args;
    }
    let mut ordered = Vec::with_capacity(args.len());
    while !args.is_empty() {
        let is_free = |(index, (slot, _)): (usize, &(u32, Arg))| {
            let mut others = args.iter().enumerate().filter(|(other, _)| *other != index);
            !others.any(|(_, (_, arg))| uses(arg, *slot))
        };
        let next = args.iter().enumerate().position(is_free).unwrap_or(0);
        ordered.push(args.remove(next));
    }
    ordered
}
