//! Obligations of a loop through a fair component.

use super::component::Component;
use super::fairness::{Demands, Items, Judge};
use super::pace::Pace;
use super::{Cursor, Product};
use crate::Strength;
use crate::system::ActionSystem;
use hashbrown::HashSet;
use lts::{Label, StateId};
use progress::{Interrupt, Progress};

/// An obligation of each round of a loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Duty {
    /// Make a move with this mark.
    Mark(u64),
    /// Take one of these actions.
    Take(Vec<Label>),
    /// Pass through one of these states.
    Pass(HashSet<StateId>),
}

/// All obligations of a loop.
#[derive(Clone, Debug, Default)]
pub(super) struct Duties {
    /// Single steps to be taken.
    pub(super) steps: HashSet<(StateId, Label, StateId)>,
    pub(super) others: Vec<Duty>,
}

impl<S: ActionSystem> Product<'_, S> {
    /// The obligations of a loop through a fair component.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(super) fn duties(
        &mut self,
        component: &Component,
        judge: &Judge,
        progress: &dyn Progress,
    ) -> Result<Duties, Interrupt> {
        let marks = (0..64).map(|bit| 1u64 << bit).filter(|mark| self.all_marks() & mark != 0);
        let mut duties = Duties { others: marks.map(Duty::Mark).collect(), ..Duties::default() };
        let state = self.nodes.get(component.nodes()[0]).state;
        if judge.is_lenient() || self.is_stuck(state) {
            return Ok(duties);
        }
        let mut served = None;
        for demands in judge.alternatives() {
            let conduct = self.conduct(component, demands, progress)?;
            if demands.are_satisfied_by(&conduct) {
                served = Some((demands, conduct));
                break;
            }
        }
        let Some((demands, conduct)) = served else { return Ok(duties) };
        for item in 0..demands.items.len() {
            let has = |items: &Items| items[item / 64] >> (item % 64) & 1 == 1;
            let needed = match demands.items[item] {
                Strength::Unconditional => true,
                Strength::Weak => has(&conduct.always_possible),
                Strength::Strong => has(&conduct.sometimes_possible),
            };
            let takes =
                |action: &Label| demands.taken[action.index() * demands.n_words + item / 64] >> (item % 64) & 1 == 1;
            if needed {
                let n_actions = self.system.actions().len() as u32;
                duties.others.push(Duty::Take((0..n_actions).map(Label).filter(takes).collect()));
            } else if demands.items[item] == Strength::Weak {
                duties.others.push(Duty::Pass(self.states_without(component, demands, item, progress)?));
            }
        }
        if demands.each_step {
            duties.steps = self.all_steps(component, demands, progress)?;
        }
        Ok(duties)
    }

    fn states_without(
        &mut self,
        component: &Component,
        demands: &Demands,
        item: usize,
        progress: &dyn Progress,
    ) -> Result<HashSet<StateId>, Interrupt> {
        let mut items = vec![0; demands.n_words];
        items[item / 64] |= 1 << (item % 64);
        let nodes = self.nodes_without(component.nodes(), demands, &items, progress)?;
        Ok(nodes.into_iter().map(|node| self.nodes.get(node).state).collect())
    }

    fn all_steps(
        &mut self,
        component: &Component,
        demands: &Demands,
        progress: &dyn Progress,
    ) -> Result<HashSet<(StateId, Label, StateId)>, Interrupt> {
        let (mut steps, mut pace) = (HashSet::new(), Pace::default());
        for &node in component.nodes() {
            pace.keep_on(1, progress)?;
            let from = self.nodes.get(node);
            let mut cursor = Cursor::default();
            while let Some(next) = self.next(from, &mut cursor) {
                let action = next.action.filter(|action| demands.is_step[action.index()]);
                steps.extend(action.map(|action| (from.state, action, next.target.state)));
            }
        }
        Ok(steps)
    }
}
