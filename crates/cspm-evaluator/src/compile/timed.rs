//! Timed sections.
//!
//! Inside `Timed`, processes let time pass: `STOP` and `SKIP` and every prefix also offer `tock` and stay where they
//! are, each event is followed by as many tocks as it takes, and operators that would keep the clocks of two processes
//! apart synchronize on `tock` instead. All of that is settled while compiling: a waiting process is a function that
//! calls itself after `tock`.

use super::super::code::{Arg, BuiltinCall, Call, FunctionId, Op, Prefix, ProcessOp};
use super::super::set::Set;
use super::super::value::Value;
use super::{Compiler, Program, Section, Source};
use cspm::builtins::Builtin;
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{DeclId, Expr, ExprId, Field};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Program<'_> {
    /// The section that a `Timed` declaration opens; none if its script has no `tock`, which was reported.
    pub fn section(&self, decl: DeclId, duration: Option<ExprId>) -> Option<Rc<Section>> {
        let tock = self.resolved.decl_names(decl).first().copied().or_else(|| self.find_tock())?;
        Some(Rc::new(Section { tock, duration }))
    }

    fn find_tock(&self) -> Option<NameId> {
        let is_tock = |name: &cspm::resolve::Name| {
            matches!(name.kind, NameKind::Channel(_)) && self.resolved.ast.symbols.text(name.symbol) == "tock"
        };
        let tocks = self.resolved.names.iter().enumerate().filter(|(_, name)| is_tock(name));
        // The one at the top, if there are several.
        tocks.min_by_key(|(_, name)| name.qualified.len()).map(|(index, _)| NameId(index as u32))
    }

    fn timed_constant(&mut self, tock: NameId, is_stop: bool) -> FunctionId {
        if let Some(&known) = self.timed_constants.get(&(tock, is_stop)) {
            return known;
        }
        let source = if is_stop { Source::TimedStop(tock) } else { Source::TimedSkip(tock) };
        let id = self.add_entry(source, Rc::default(), None);
        self.timed_constants.insert((tock, is_stop), id);
        id
    }
}

impl Compiler<'_, '_> {
    /// `STOP`, as the section has it.
    pub(super) fn stop(&mut self, site: ExprId) -> Op {
        match self.section.as_ref().map(|section| section.tock) {
            Some(tock) => {
                let function = self.program.timed_constant(tock, true);
                self.constant_call(function, site)
            }
            None => Op::Process(Box::new(ProcessOp::Stop)),
        }
    }

    /// `SKIP`, as the section has it.
    pub(super) fn skip(&mut self, site: ExprId) -> Op {
        match self.section.as_ref().map(|section| section.tock) {
            Some(tock) => {
                let function = self.program.timed_constant(tock, false);
                self.constant_call(function, site)
            }
            None => Op::Process(Box::new(ProcessOp::Skip)),
        }
    }

    fn constant_call(&mut self, function: FunctionId, site: ExprId) -> Op {
        let lifted = self.program.entry(function).lifted.clone();
        let args = lifted.iter().map(|&var| Arg::Local(self.slot(var))).collect();
        Op::ProcessCall(Box::new(Call { function, args, site }))
    }

    /// Predefined functions that only mean something inside a section.
    pub(super) fn timed_builtin(&mut self, builtin: Builtin, arguments: &[ExprId], site: ExprId) -> Option<Op> {
        let tock = self.section.as_ref()?.tock;
        match (builtin, arguments) {
            (Builtin::Wait, [count]) => {
                let (count, process) = (self.inner(*count), self.skip(site));
                Some(Op::Process(Box::new(ProcessOp::Delayed { tock, count, process, site })))
            }
            (Builtin::TimedPriority, [process]) => {
                let process = self.strict_arg(*process);
                let levels = super::super::seq::from_vec(vec![
                    Value::set(Set::empty()),
                    Value::set(Set::sorted(vec![Value::bare(tock)])),
                ]);
                let args = Box::new([process, Arg::constant(levels)]);
                Some(Op::Builtin(Box::new(BuiltinCall { builtin: Builtin::Prioritise, args, site })))
            }
            _ => None,
        }
    }

    /// A prefix in a section: a call of a function made for it, which needs whatever the prefix needs.
    pub(super) fn timed_prefix(&mut self, expr: ExprId) -> Op {
        let Expr::Prefix { fields, .. } = self.resolved.ast.expr(expr) else {
            unreachable!("called for prefixes only");
        };
        if fields.iter().any(|field| matches!(field, Field::NondetInput(..))) {
            return Op::Damaged(expr);
        }
        self.part_call(Source::TimedPrefix(expr), expr)
    }

    /// A call of a function made for a part of a definition, which needs whatever the part needs.
    pub(super) fn part_call(&mut self, source: Source, expr: ExprId) -> Op {
        let function = match self.program.parts.get(&expr) {
            Some(&known) => known,
            None => {
                let mut needs = BTreeSet::new();
                self.program.variables_of(self.program.free_in(expr).iter().copied(), &mut needs);
                if let Some(names) = self.program.section_names(self.section.as_deref()) {
                    self.program.variables_of(names.free(), &mut needs);
                }
                let lifted = needs.into_iter().collect();
                let id = self.program.add_entry(source, lifted, self.section.clone());
                let whole = self.current.map(|current| self.program.entry(current).part_of.unwrap_or(current));
                self.program.functions[id.0 as usize].part_of = whole;
                self.program.parts.insert(expr, id);
                id
            }
        };
        self.constant_call(function, expr)
    }

    /// Either wait, or take part in an event and go on after its duration.
    pub(super) fn timed_prefix_body(&mut self, id: FunctionId, expr: ExprId) -> Op {
        let Some(tock) = self.section.as_ref().map(|section| section.tock) else {
            unreachable!("timed prefixes stand in sections");
        };
        let wait = self.wait(id, tock, expr);
        let go = self.plain_prefix(expr);
        Op::Process(Box::new(ProcessOp::ExternalChoice(Box::new([wait, go]))))
    }

    pub(super) fn timed_stop_body(&mut self, id: FunctionId, tock: NameId) -> Op {
        self.wait(id, tock, ExprId(0))
    }

    pub(super) fn timed_skip_body(&mut self, id: FunctionId, tock: NameId) -> Op {
        let wait = self.wait(id, tock, ExprId(0));
        let skip = Op::Process(Box::new(ProcessOp::Skip));
        Op::Process(Box::new(ProcessOp::ExternalChoice(Box::new([wait, skip]))))
    }

    /// `tock ->` the function itself.
    fn wait(&mut self, id: FunctionId, tock: NameId, site: ExprId) -> Op {
        let process = self.constant_call(id, site);
        let prefix = Prefix {
            event: Op::Const(Value::bare(tock)),
            fields: Box::default(),
            process,
            is_uniform: true,
            has_dependent_fields: false,
            timing: None,
            site,
        };
        Op::Process(Box::new(ProcessOp::Prefix(prefix)))
    }
}
