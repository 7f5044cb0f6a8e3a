//! Modes and rules.

use super::expressions::Needed;
use super::{NetworkLowering, Places, errors};
use crate::symbols::{Ident, Symbol};
use crate::syntax::{JumpSyntax, ModeSyntax, PartSyntax, RuleSyntax};
use crate::{NameKind, Origin, Place};
use lts::Label;
use model::data::Command;
use model::network::{Action, Jump, LocalState, MachineId, Mode, ModeId, Rule};

impl NetworkLowering<'_, '_> {
    pub(super) fn modes(&mut self) {
        let syntax = self.syntax;
        for mode in &syntax.modes {
            self.declare(NameKind::Mode, mode.name, mode.span, |lowering| &mut lowering.modes);
            let name = Some(self.lowering.symbols.shared(mode.name.symbol));
            let place = self.place(mode.place);
            self.origins.modes.push(Origin { name, place });
        }
        for mode in &syntax.modes {
            let (mode, places) = self.mode(mode);
            self.network.modes.push(mode);
            self.origins.rules.push(places);
        }
        if self.origins.rules.iter().flatten().all(Option::is_none) {
            self.origins.rules.clear();
        }
        if syntax.modes.is_empty() {
            if !syntax.is_damaged {
                self.report(errors::no_modes(self.text(syntax.name), syntax.name.span));
            }
            self.network.modes.push(Mode::default());
        }
        let initial = syntax.start.and_then(|name| self.find(name, |lowering| &lowering.modes));
        self.network.initial.mode = ModeId(initial.unwrap_or(0) as u32);
    }

    fn mode(&mut self, syntax: &ModeSyntax) -> (Mode, Vec<Option<Place>>) {
        let (mut rules, mut places) = (Vec::new(), Vec::new());
        for rule in &syntax.rules {
            if let Some(lowered) = self.rule(rule) {
                rules.push(lowered);
                places.push(self.place(rule.place));
            }
        }
        (Mode { rules }, places)
    }

    fn rule(&mut self, syntax: &RuleSyntax) -> Option<Rule> {
        let shows = self.lowering.label(syntax.shows);
        let parts = self.parts(&syntax.parts, shows);
        let unless = self.unless(&syntax.unless).into_iter().map(|(_, obstacle)| obstacle).collect();
        let command = self.command(syntax);
        let jump = syntax.jump.as_ref().map(|jump| self.jump(jump));
        if syntax.parts.is_empty() && syntax.guard.is_none() && syntax.statements.is_none() {
            self.report(errors::no_participants(syntax.span));
            return None;
        }
        let jump = match jump {
            Some(jump) => Some(jump?),
            None => None,
        };
        Some(Rule { jump, command: command?, unless, ..Rule::new(parts?, shows?) })
    }

    /// The participants of a rule with a label, or of an alternative.
    pub(super) fn parts(&mut self, syntax: &[PartSyntax], shows: Option<Label>) -> Option<Box<[(MachineId, Action)]>> {
        let mut parts = Vec::with_capacity(syntax.len());
        let mut is_damaged = false;
        for part in syntax {
            let machine = self.find(part.machine, |lowering| &lowering.machines);
            let action = match part.action {
                Some(action) => self.action(action),
                None => shows.map(|Label(label)| Action(label)),
            };
            let (Some(machine), Some(action)) = (machine, action) else {
                is_damaged = true;
                continue;
            };
            if machine >= self.forms.len() {
                is_damaged = true;
                continue;
            }
            if !self.forms[machine].does(action) && !self.syntax.machines[machine].is_damaged {
                let name = self.text(part.machine);
                let span = part.action.map_or(part.machine.span, |action| action.span);
                let is_rule = shows.is_some();
                let consequence = if is_rule { "the rule is never taken" } else { "it is never in the way" };
                self.report(errors::idle_part(name, consequence, span));
            }
            parts.push((MachineId(machine as u32), action));
        }
        is_damaged |= !self.check_once(syntax.iter().map(|part| part.machine), "takes part");
        (!is_damaged).then(|| parts.into())
    }

    /// Whether no machine is named twice; reports duplicates.
    fn check_once(&mut self, machines: impl ExactSizeIterator<Item = Ident>, what: &str) -> bool {
        if machines.len() < 2 {
            return true;
        }
        let mut is_once = true;
        let mut places: Places<Symbol> = Places::new();
        for machine in machines {
            if let Some(first) = places.insert(machine.symbol, machine.span) {
                self.report(errors::machine_twice(self.text(machine), what, machine.span, first));
                is_once = false;
            }
        }
        is_once
    }

    /// The command of a rule. The inner `None` means that there is none.
    fn command(&mut self, syntax: &RuleSyntax) -> Option<Option<Box<Command>>> {
        if syntax.guard.is_none() && syntax.statements.is_none() {
            return Some(None);
        }
        let guard = syntax.guard.map(|guard| self.expression(guard, Needed::Guard));
        let statements = self.statements(syntax.statements.as_deref().unwrap_or_default());
        let guard = match guard {
            Some(guard) => Some(guard?),
            None => None,
        };
        Some(Some(Box::new(Command { guard, statements: statements? })))
    }

    fn jump(&mut self, syntax: &JumpSyntax) -> Option<Jump> {
        let mode = self.find(syntax.mode, |lowering| &lowering.modes);
        let mut resets = Vec::with_capacity(syntax.resets.len());
        for reset in &syntax.resets {
            let machine = self.find(reset.machine, |lowering| &lowering.machines);
            let Some(machine) = machine.filter(|&machine| machine < self.forms.len()) else { continue };
            let machine = MachineId(machine as u32);
            let state = match reset.state {
                Some(state) => self.local_state(machine, state),
                None => Some(LocalState(0)),
            };
            resets.extend(state.map(|state| (machine, state)));
        }
        let is_once = self.check_once(syntax.resets.iter().map(|reset| reset.machine), "is reset");
        let mode = ModeId(mode? as u32);
        is_once.then_some(Jump { mode, resets: resets.into() })
    }
}
