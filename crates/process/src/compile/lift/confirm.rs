//! That a run without compressions exists, without writing it down: of a process that is built by doubling it would be
//! longer than anything, but there are few different operands.

use super::lifter::Lifter;
use super::route::{Leg, lives, pairs, word};
use super::weave::Manner;
use crate::compile::Compiled;
use crate::compile::compress::CompressedOperand;
use explore::{Goal, RunEnd, find_run};
use lts::{Label, NoRun, Observation};
use model::network::{Configuration, MachineId};
use std::sync::Arc;

impl Lifter<'_> {
    /// Makes sure that each operand can do what its machine does, and so on inside of it.
    pub(super) fn confirm(
        &mut self,
        compiled: &Compiled,
        steps: &[(Label, Configuration)],
        ending: Observation,
    ) -> Result<(), NoRun> {
        let legs = compiled.route(steps, self.progress)?;
        let start = if let Observation::Divergence(start) = ending { start } else { legs.len() };
        let (stem, round) = legs.split_at(start);
        for machine in compiled.opened_machines() {
            let compressed = compiled.opened_machine(machine).expect("it is opened").clone();
            if compiled.manner_of(machine, Manner::Loose) == Manner::Exact {
                // There are as many steps as before.
                self.confirm_exactly(&compressed, machine, (stem, round))?;
                continue;
            }
            for (word, goal) in wanted(compiled, machine, (stem, round), ending) {
                self.confirm_operand(&compressed, word, goal)?;
            }
        }
        Ok(())
    }

    fn confirm_exactly(
        &mut self,
        compressed: &CompressedOperand,
        machine: MachineId,
        (stem, round): (&[Leg], &[Leg]),
    ) -> Result<(), NoRun> {
        let again = lives(round, machine);
        if let ([again], true) = (&again[..], again.iter().any(|parts| !parts.is_empty())) {
            let before = lives(stem, machine).pop().unwrap_or_default();
            self.bisimilar_loop(compressed, &before, again)?;
        }
        // Where it begins anew in each round, it does the same from the second one on.
        let legs = stem.iter().chain(round).chain(round);
        lives(legs, machine).iter().try_for_each(|parts| self.bisimilar_run(compressed, parts).map(|_| ()))
    }

    fn confirm_operand(
        &mut self,
        compressed: &Arc<CompressedOperand>,
        word: Vec<Label>,
        goal: Goal,
    ) -> Result<(), NoRun> {
        let key = (Arc::as_ptr(compressed), word, goal);
        if self.confirmed.contains(&key) {
            return Ok(());
        }
        let operand = &compressed.operand;
        let found = find_run(&operand.network, &key.1, &key.2, self.max_nodes, self.progress)?;
        let ending = match found.end {
            RunEnd::Any | RunEnd::Terminating => Observation::Trace,
            RunEnd::Stable => Observation::Refusal,
            RunEnd::Loop(start) => Observation::Divergence(start),
        };
        self.confirm(operand, &pairs(found.steps), ending)?;
        self.confirmed.insert(key);
        Ok(())
    }
}

/// The traces of an operand in each of its lives, with their goals.
fn wanted(
    compiled: &Compiled,
    machine: MachineId,
    (stem, round): (&[Leg], &[Leg]),
    ending: Observation,
) -> Vec<(Vec<Label>, Goal)> {
    let is_reset = round.iter().any(|leg| leg.resets.contains(&machine));
    let takes_part = round.iter().any(|leg| leg.parts.iter().any(|part| part.machine == machine));
    // From the second round on its lives are the same in each.
    let legs = stem.iter().chain(round.iter().cycle().take(if is_reset { 2 * round.len() } else { 0 }));
    let mut all: Vec<_> = lives(legs, machine).iter().map(|parts| (word(parts), Goal::Trace)).collect();
    let (last, goal) = all.last_mut().expect("there is always one");
    if takes_part && !is_reset {
        *goal = Goal::Forever(last.len());
        last.extend(word(&lives(round, machine)[0]));
    } else if ending == Observation::Refusal {
        *goal = compiled.last_goal(machine, stem);
    }
    all
}
