//! Lifting below a priority, which looks at each state: there a machine is bisimilar to its operand, and for each step
//! of the machine the operand takes one to a bisimilar state. Which one is decided by where it is and where the machine
//! goes, so a loop of the machine, gone round again and again, takes the operand to where it was before at last.

use super::LiftedRun;
use super::lifter::{Lifter, MAX_UNROLLED, Rounds};
use super::route::Part;
use super::weave::Manner;
use crate::compile::compress::CompressedOperand;
use explore::{Explicit, Limits, NotExplicit};
use hashbrown::HashMap;
use lts::{Builder, Label, Lts, NoRun, Observation, StateId, StateMap, Watch, bisimulation};
use model::network::{Configuration, LocalState};
use progress::Stop;
use std::rc::Rc;

/// An operand on its way beside its machine.
struct Follower<'a> {
    compressed: &'a CompressedOperand,
    explicit: Explicit<'a>,
    classes: StateMap,
    at: StateId,
    steps: Vec<(Label, Configuration)>,
}

impl Follower<'_> {
    fn follow(&mut self, parts: &[Part]) -> Result<(), NoRun> {
        let n_states = self.explicit.lts.n_states() as u32;
        for part in parts {
            let wanted = |local: LocalState| {
                let state = self.compressed.state_of(local)?;
                self.classes.get(StateId(n_states + state.0))
            };
            let class = part.target.and_then(wanted);
            let mut candidates = self.explicit.lts.transitions(self.at).iter().filter(|step| step.label == part.label);
            // What is dropped, or has terminated, goes nowhere.
            let fits = |step: &&lts::Transition| class.is_none() || self.classes.get(step.target) == class;
            self.at = candidates.find(fits).ok_or(NoRun::Absent)?.target;
            self.steps.push((part.label, self.explicit.configuration(self.at)));
        }
        Ok(())
    }
}

impl Lifter<'_> {
    /// The run of an operand through states bisimilar to those of its machine.
    pub(super) fn bisimilar_run(
        &mut self,
        compressed: &CompressedOperand,
        parts: &[Part],
    ) -> Result<Rc<LiftedRun>, NoRun> {
        let steps = if parts.is_empty() {
            Vec::new()
        } else {
            let mut follower = self.follower(compressed)?;
            follower.follow(parts)?;
            follower.steps
        };
        self.lift(&compressed.operand, &steps, Observation::Trace, Manner::Exact).map(Rc::new)
    }

    /// The run of a machine in a loop: it comes back to where it was after some rounds.
    pub(super) fn bisimilar_loop(
        &mut self,
        compressed: &CompressedOperand,
        before: &[Part],
        again: &[Part],
    ) -> Result<(Rc<LiftedRun>, Rounds), NoRun> {
        let mut follower = self.follower(compressed)?;
        follower.follow(before)?;
        let mut met: HashMap<StateId, usize> = HashMap::from([(follower.at, before.len())]);
        let start = loop {
            follower.follow(again)?;
            if let Some(start) = met.insert(follower.at, follower.steps.len()) {
                break start;
            }
            if follower.steps.len() > MAX_UNROLLED {
                return Err(NoRun::Stopped(Stop::Capacity));
            }
        };
        let run = self.lift(&compressed.operand, &follower.steps, Observation::Divergence(start), Manner::Exact)?;
        let start = run.loop_start.ok_or(NoRun::Absent)?;
        let n_rounds = |n_steps: usize| n_steps.div_ceil(again.len());
        let (n_before, n_again) = (n_rounds(start - before.len()), n_rounds(run.labels.len() - start));
        Ok((Rc::new(run), Rounds { n_before, n_again }))
    }

    fn follower<'c>(&self, compressed: &'c CompressedOperand) -> Result<Follower<'c>, NoRun> {
        let limits = Limits::of_workers(1).with_max_states(self.max_nodes);
        let explicit =
            explore::to_lts(&compressed.operand.network, &limits, self.progress).map_err(|reason| match reason {
                NotExplicit::Stopped(stop) => NoRun::Stopped(stop),
                NotExplicit::TooWide(_) => NoRun::Stopped(Stop::Capacity),
                NotExplicit::Failed(_) => unreachable!("processes have no variables"),
            })?;
        let classes = self.classes(&explicit.lts, &compressed.lts)?;
        let at = explicit.lts.initial();
        Ok(Follower { compressed, explicit, classes, at, steps: Vec::new() })
    }

    /// The classes of strong bisimulation of two systems side by side, the states of the second behind those of the
    /// first.
    fn classes(&self, first: &Lts, second: &Lts) -> Result<StateMap, NoRun> {
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
        builder.add(both, Label::TAU, first.initial());
        builder.add(both, Label::TAU, StateId(n_first + second.initial().0));
        let reduced = bisimulation::strong(&builder.finish(both), &mut Watch::new(self.progress));
        reduced.map(|reduced| reduced.map).map_err(NoRun::Stopped)
    }
}
