//! Divergences as ends of runs.
//!
//! Where a divergence counts as a deadlock, a divergent state gets one more silent step, to a state without steps.

use crate::Verdict;
use crate::product::{self, Answer};
use crate::{Divergence, Ending, Property, Rules, Run, Structure, View};
use fixedbitset::FixedBitSet;
use graphs::cycles;
use lts::walk::{Relevance, shortest_run, shortest_run_to};
use lts::{StateId, Transition, Watch};
use progress::Progress;

/// Decides a property of a structure, with divergences counted by the rules.
pub fn decide(structure: &Structure, property: &Property, rules: &Rules, progress: &dyn Progress) -> Answer {
    if rules.view != View::Trace || rules.divergence != Divergence::AsDeadlock {
        return product::decide(&mut { structure }, property, rules, progress);
    }
    let ending = with_silent_ends(structure, rules);
    let mut answer = product::decide(&mut &ending, property, rules, progress);
    if let Verdict::Fails(run) = &mut answer.verdict {
        report_divergence(structure, rules, run);
    }
    answer
}

/// Whether a structure satisfies a property by [`decide`], without a counterexample; none if that is unknown.
pub fn holds(structure: &Structure, property: &Property, rules: &Rules, progress: &dyn Progress) -> Option<bool> {
    if rules.view != View::Trace || rules.divergence != Divergence::AsDeadlock {
        return product::holds(&mut { structure }, property, rules, progress);
    }
    product::holds(&mut &with_silent_ends(structure, rules), property, rules, progress)
}

/// A shortest run to a divergence, and its cycle.
pub fn find(structure: &Structure, rules: &Rules) -> Option<Run> {
    let divergent = divergent(structure, rules);
    let mut is_divergent = FixedBitSet::with_capacity(structure.n_states());
    divergent.iter().for_each(|state| is_divergent.insert(state.index()));
    let start = structure.initial();
    let is_goal = |state: &StateId| is_divergent.contains(state.index());
    let found = shortest_run_to(&mut structure.lts(), start, is_goal, &mut Watch::none());
    let mut steps = found.expect("nothing ends the search")?;
    let end = steps.last().map_or(start, |step| step.target);
    let ending = Ending::Silent(steps.len());
    steps.extend(silent_cycle(structure, rules, end));
    Some(Run { start, steps, ending })
}

/// The structure with one more step to the end in each divergent state.
fn with_silent_ends(structure: &Structure, rules: &Rules) -> Structure {
    structure.with_ends(&divergent(structure, rules))
}

/// The states on silent cycles.
fn divergent(structure: &Structure, rules: &Rules) -> Vec<StateId> {
    let silent = |state: usize| {
        let steps = structure.steps(StateId(state as u32)).iter();
        steps.filter(|step| rules.is_silent(structure.action(step))).map(|step| step.target.index())
    };
    let divergent = cycles(structure.n_states(), 0..structure.n_states(), silent).into_iter().flatten();
    divergent.map(|state| StateId(state as u32)).collect()
}

/// Replaces the step to the end of a run by the divergence that it represents.
fn report_divergence(structure: &Structure, rules: &Rules, run: &mut Run) {
    let is_new = |step: &Transition| step.label.index() >= structure.actions().len();
    if run.steps.last().is_none_or(|step| !is_new(step)) {
        return;
    }
    run.steps.pop();
    run.ending = Ending::Silent(run.steps.len());
    let state = run.state(run.steps.len());
    run.steps.extend(silent_cycle(structure, rules, state));
}

/// A shortest cycle of silent steps from a state on such a cycle.
fn silent_cycle(structure: &Structure, rules: &Rules, start: StateId) -> Vec<Transition> {
    let judge = |_: &StateId, step: &Transition| match rules.is_silent(structure.action(step)) {
        true if step.target == start => Relevance::Goal,
        true => Relevance::Followed,
        false => Relevance::Ignored,
    };
    let cycle = shortest_run(&mut structure.lts(), start, judge, &mut Watch::none());
    cycle.expect("nothing ends the search").unwrap_or_default()
}
