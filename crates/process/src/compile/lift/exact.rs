//! Lifting below a priority, which looks at each state: there a machine is bisimilar to its operand, and for each step of the
//! machine the operand takes one to a bisimilar state.

use super::lifter::Lifter;
use super::route::{Leg, Part, lives};
use super::weave::{Lives, Manner, Weaver};
use super::{Ending, Lifted, NotLifted};
use crate::compile::Compiled;
use crate::compile::compress::Compressed;
use explore::{Limits, NotExplicit};
use lts::{Builder, Label as Seen, Lts, StateId, StateMap, Watch, bisimulation};
use model::network::{Configuration, LocalState};
use progress::Stop;
use std::rc::Rc;

/// So often a loop is gone round in the hope that all operands come back to where they were.
const MAX_ROUNDS: usize = 32;

impl Lifter<'_> {
    pub(super) fn lift_exactly(
        &mut self,
        compiled: &Compiled,
        legs: &[Leg],
        ending: Ending,
    ) -> Result<Lifted, NotLifted> {
        let Ending::Loop(start) = ending else { return self.follow(compiled, legs) };
        if compiled.opened_machines().is_empty() {
            let mut lifted = self.follow(compiled, legs)?;
            lifted.loop_start = Some(start);
            return Ok(lifted);
        }
        let (stem, round) = legs.split_at(start);
        let unrolled: Vec<Leg> =
            stem.iter().chain(round.iter().cycle().take(MAX_ROUNDS * round.len())).cloned().collect();
        let mut lifted = self.follow(compiled, &unrolled)?;
        let place = |n: usize| start + n * round.len();
        let pairs = (1..=MAX_ROUNDS).flat_map(|late| (0..late).map(move |early| (early, late)));
        let (early, late) = pairs
            .into_iter()
            .find(|&(early, late)| lifted.is_same(place(early), place(late)))
            .ok_or(NotLifted::Stopped(Stop::MaxStates))?;
        lifted.labels.truncate(place(late));
        lifted.places.truncate(place(late) + 1);
        lifted.loop_start = Some(place(early));
        Ok(lifted)
    }

    fn follow(&mut self, compiled: &Compiled, legs: &[Leg]) -> Result<Lifted, NotLifted> {
        let mut all = Vec::new();
        for machine in compiled.opened_machines() {
            let compressed = compiled.opened_machine(machine).expect("it is opened").clone();
            let lives = lives(legs, machine);
            let runs: Result<Vec<_>, _> = lives.iter().map(|parts| self.bisimilar_run(&compressed, parts)).collect();
            all.push(Lives { machine, compressed, runs: runs? });
        }
        let mut weaver = Weaver::new(&compiled.network.initial, all, Manner::Exact);
        legs.iter().try_for_each(|leg| weaver.step(leg)).ok_or(NotLifted::NoRun)?;
        Ok(weaver.finish(None))
    }

    /// The run of an operand through states bisimilar to those of its machine.
    fn bisimilar_run(&mut self, compressed: &Compressed, parts: &[Part]) -> Result<Rc<Lifted>, NotLifted> {
        let steps = if parts.is_empty() { Vec::new() } else { self.bisimilar_steps(compressed, parts)? };
        self.lift(&compressed.operand, &steps, Ending::Trace, Manner::Exact).map(Rc::new)
    }

    fn bisimilar_steps(
        &mut self,
        compressed: &Compressed,
        parts: &[Part],
    ) -> Result<Vec<(Seen, Configuration)>, NotLifted> {
        let limits = Limits { n_workers: 1, max_states: self.max_nodes, max_memory: u64::MAX };
        let explicit =
            explore::to_lts(&compressed.operand.network, &limits, self.progress).map_err(|reason| match reason {
                NotExplicit::Stopped(stop) => NotLifted::Stopped(stop),
                NotExplicit::TooWide(_) => NotLifted::Stopped(Stop::MaxStates),
                NotExplicit::Failed(_) => unreachable!("processes have no variables"),
            })?;
        let classes = self.classes(&explicit.lts, &compressed.lts)?;
        let n_states = explicit.lts.n_states() as u32;
        let wanted = |local: LocalState| {
            let state = compressed.state_of(local)?;
            classes.get(StateId(n_states + state.0))
        };
        let mut at = explicit.lts.initial();
        let mut steps = Vec::with_capacity(parts.len());
        for part in parts {
            let class = part.target.and_then(wanted);
            let mut candidates = explicit.lts.transitions(at).iter().filter(|step| step.label == part.label);
            // What is dropped, or has terminated, goes nowhere.
            let fits = |step: &&lts::Transition| class.is_none() || classes.get(step.target) == class;
            at = candidates.find(fits).ok_or(NotLifted::NoRun)?.target;
            steps.push((part.label, explicit.configuration(at)));
        }
        Ok(steps)
    }

    /// The classes of strong bisimulation of two systems side by side, the states of the second behind those of the first.
    fn classes(&self, first: &Lts, second: &Lts) -> Result<StateMap, NotLifted> {
        let (n_first, n_second) = (first.n_states() as u32, second.n_states() as u32);
        let mut builder = Builder::new();
        for (lts, offset) in [(first, 0), (second, n_first)] {
            for state in lts.states() {
                builder.add_state(StateId(offset + state.0));
                for step in lts.transitions(state) {
                    builder.add(StateId(offset + state.0), step.label, StateId(offset + step.target.0));
                }
            }
        }
        let both = StateId(n_first + n_second);
        builder.add(both, Seen::TAU, first.initial());
        builder.add(both, Seen::TAU, StateId(n_first + second.initial().0));
        let reduced = bisimulation::strong(&builder.finish(both), &mut Watch::new(self.progress));
        reduced.map(|reduced| reduced.map).map_err(NotLifted::Stopped)
    }
}
