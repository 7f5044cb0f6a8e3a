//! A run of a network, step by step, as its compressed machines see it.

use crate::compile::Compiled;
use crate::compile::compress::{CompressedOperand, Stands};
use crate::compile::leaf::Origin;
use lts::{Label, NoRun};
use model::network::{Configuration, LocalState, MachineId, NetworkStep};
use progress::{Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::Arc;

/// One step.
#[derive(Clone, Debug)]
pub(super) struct Leg {
    pub(super) label: Label,
    /// The parts of machines that stand for an operand.
    pub(super) parts: Vec<Part>,
    /// Whether one such machine takes the step alone, silently.
    pub(super) is_inner: bool,
    /// Machines that begin anew.
    pub(super) resets: Vec<MachineId>,
    pub(super) target: Configuration,
}

/// The part of a machine in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) machine: MachineId,
    pub(super) label: Label,
    /// Where that leads, unless it is put elsewhere in the same step.
    pub(super) target: Option<LocalState>,
}

impl Compiled {
    /// The operand of a machine, if that may have other states and steps.
    pub(super) fn opened_machine(&self, machine: MachineId) -> Option<&Arc<CompressedOperand>> {
        match &self.leaves[machine.index()].as_ref()?.origin {
            Origin::Compressed(compressed) if compressed.stands == Stands::ForOperand => Some(compressed),
            _ => None,
        }
    }

    /// All machines that stand for an operand.
    pub(super) fn opened_machines(&self) -> Vec<MachineId> {
        let all = (0..self.leaves.len() as u32).map(MachineId);
        all.filter(|&machine| self.opened_machine(machine).is_some()).collect()
    }

    /// The steps of a run with who takes them.
    pub(super) fn route(&self, steps: &[(Label, Configuration)], progress: &dyn Progress) -> Result<Vec<Leg>, NoRun> {
        let mut before = &self.network.initial;
        let mut legs = Vec::with_capacity(steps.len());
        for (label, target) in steps {
            if let ControlFlow::Break(why) = progress.tick(&Statistics::default()) {
                return Err(NoRun::Stopped(why.into()));
            }
            legs.push(self.leg(before, *label, target).ok_or(NoRun::Absent)?);
            before = target;
        }
        Ok(legs)
    }

    fn leg(&self, before: &Configuration, label: Label, target: &Configuration) -> Option<Leg> {
        let steps = self.network.steps_with(before, label);
        let step = steps.iter().find(|step| step.target == *target)?;
        let rule = &self.network.modes[before.mode.index()].rules[step.rule.index()];
        let resets: Vec<MachineId> =
            rule.jump.iter().flat_map(|jump| jump.resets.iter().map(|&(machine, _)| machine)).collect();
        // The other actions are those of termination.
        let opened = rule.parts.iter().filter(|(_, action)| action.0 <= u32::MAX / 2);
        let opened = opened.filter(|(machine, _)| self.opened_machine(*machine).is_some());
        let parts: Vec<Part> = opened
            .map(|&(machine, action)| {
                let target = (!resets.contains(&machine)).then(|| target.locals[machine.index()]);
                Part { machine, label: Label(action.0), target }
            })
            .collect();
        let is_alone = rule.parts.len() == 1 && rule.jump.is_none();
        let is_inner = is_alone && parts.first().is_some_and(|part| part.label == Label::TAU);
        Some(Leg { label, parts, is_inner, resets, target: target.clone() })
    }
}

/// The lives of a machine, each from one start to the next, in order.
pub(super) fn lives<'l>(legs: impl IntoIterator<Item = &'l Leg>, machine: MachineId) -> Vec<Vec<Part>> {
    let mut lives = vec![Vec::new()];
    for leg in legs {
        let parts = leg.parts.iter().filter(|part| part.machine == machine);
        lives.last_mut().expect("there is always one").extend(parts);
        if leg.resets.contains(&machine) {
            lives.push(Vec::new());
        }
    }
    lives
}

/// The trace of a machine.
pub(super) fn word(parts: &[Part]) -> Vec<Label> {
    parts.iter().map(|part| part.label).filter(|&label| label != Label::TAU).collect()
}

/// Steps without their rules.
pub(super) fn pairs(steps: Vec<NetworkStep>) -> Vec<(Label, Configuration)> {
    steps.into_iter().map(|step| (step.label, step.target)).collect()
}
