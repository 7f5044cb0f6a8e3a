//! Reachability counted as PAT counts it: nodes are locations with the zones with which they are entered, told apart by equality; the node that was met last
//! is looked at first, and what is looked for is asked when it is.

use super::super::Verdict;
use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::Checked;
use super::moves_of;
use super::terms::{Bound, Terms};
use decide::Statistics;
use frontend::{Goal, State};
use lts::refine::Implementation;
use lts::{Label, StateId};
use progress::Stop;
use std::collections::HashMap;
use std::ops::ControlFlow;
use zones::{Abstraction, TimedPath, TimedSystem, ZoneWalk};

/// Each node that was met, with the one before it and the label between them.
type Before = HashMap<StateId, Option<(StateId, Label)>>;

impl Checker<'_> {
    /// Decides whether a timed process reaches a state in which a proposition is true, and counts on the way; nothing if zones do not answer that.
    pub(in crate::check) fn count_reach_by_zones(
        &mut self,
        process: State,
        proposition: u32,
        is_wanted: bool,
    ) -> Result<Option<Checked>, Failed> {
        let Some(first) = self.semantics.first_location(process)? else { return Ok(None) };
        let (most, progress) = (self.options.most_states(), self.options.progress.clone());
        let terms = Terms::new(&mut *self.semantics, first, Some(proposition));
        let mut walk = ZoneWalk::<1, _, Bound>::new(&terms, Abstraction::ENTRIES);
        let mut before: Before = HashMap::from([(walk.initial(), None)]);
        let (mut open, mut n_transitions, mut found) = (vec![walk.initial()], 0, None);
        let mut stopped = None;
        while let Some(node) = open.pop() {
            if walk.location(node).is_some_and(|location| terms.is_wanted(location)) {
                found = Some(path_to(&mut walk, &before, node));
                break;
            }
            let Ok(steps) = walk.steps_in_order(node) else { break };
            n_transitions += steps.len() as u64;
            for step in steps.into_iter().filter(|step| step.label != Label::TICK) {
                before.entry(step.target).or_insert_with(|| {
                    open.push(step.target);
                    Some((node, step.label))
                });
            }
            let so_far = progress::Statistics::of_states(before.len());
            stopped = match progress.tick(&so_far) {
                ControlFlow::Break(why) => Some(why.into()),
                ControlFlow::Continue(()) if before.len() > most => Some(Stop::MaxStates),
                ControlFlow::Continue(()) => continue,
            };
            break;
        }
        drop(walk);
        if let Some(failure) = terms.into_failure() {
            return self.give_up_zones(failure);
        }
        if let Some(stop) = stopped {
            return Err(Failed::Stopped(stop));
        }
        let statistics = Statistics { n_states: before.len() as u64, n_transitions, ..Statistics::default() };
        let counterexample = match found {
            None => None,
            Some(None) => return Err(Failed::not_replayed("its steps have no times")),
            Some(Some(path)) => Some(self.tell_way(process, &moves_of(&path), Goal::Proposition(proposition))?),
        };
        let verdict = if counterexample.is_some() == is_wanted { Verdict::Holds } else { Verdict::Fails };
        Ok(Some(Checked { statistics, ..Checked::new(verdict, counterexample) }))
    }
}

/// The run to a node, with times.
fn path_to(walk: &mut ZoneWalk<'_, 1, Terms<'_>, Bound>, before: &Before, node: StateId) -> Option<TimedPath<1>> {
    let (mut nodes, mut labels) = (vec![node], Vec::new());
    while let Some(&Some((last, label))) = before.get(&nodes[nodes.len() - 1]) {
        nodes.push(last);
        labels.push(label);
    }
    nodes.reverse();
    labels.reverse();
    walk.with_times(&nodes, &labels)
}
