//! Silence for ever as an end.
//!
//! Where a divergence counts as a deadlock, a state that can go on silently for ever gets one more silent step, to a state that is
//! stuck. After that, nothing special is left to be known about it.

use crate::Verdict;
use crate::product::{self, Answer};
use crate::{Divergence, Ending, Property, Rules, Run, Structure, View};
use fixedbitset::FixedBitSet;
use graphs::cycles;
use hashbrown::HashMap;
use lts::{StateId, Transition};
use progress::Progress;
use std::collections::VecDeque;

/// Decides a property of a structure, and counts divergences as the rules say.
pub fn decide(structure: &Structure, property: &Property, rules: &Rules, progress: &dyn Progress) -> Answer {
    if rules.view != View::Trace || rules.divergence != Divergence::AsDeadlock {
        return product::decide(&mut { structure }, property, rules, progress);
    }
    let ending = with_silent_ends(structure, rules);
    let mut answer = product::decide(&mut &ending, property, rules, progress);
    if let Verdict::Fails(run) = &mut answer.verdict {
        tell_silence(structure, rules, run);
    }
    answer
}

/// Whether a property holds of a structure, as [`decide`] has it, without a run that breaks it; nothing if that is not found out.
pub fn holds(structure: &Structure, property: &Property, rules: &Rules, progress: &dyn Progress) -> Option<bool> {
    if rules.view != View::Trace || rules.divergence != Divergence::AsDeadlock {
        return product::holds(&mut { structure }, property, rules, progress);
    }
    product::holds(&mut &with_silent_ends(structure, rules), property, rules, progress)
}

/// The shortest run to a state from where silence can go on for ever, and that silence.
pub fn find(structure: &Structure, rules: &Rules) -> Option<Run> {
    let divergent = divergent(structure, rules);
    let mut is_divergent = FixedBitSet::with_capacity(structure.n_states());
    divergent.iter().for_each(|state| is_divergent.insert(state.index()));
    let start = structure.initial();
    let mut came_by: HashMap<StateId, (StateId, Transition)> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    let end = loop {
        let state = queue.pop_front()?;
        if is_divergent.contains(state.index()) {
            break state;
        }
        for step in structure.steps(state) {
            if step.target != start && !came_by.contains_key(&step.target) {
                came_by.insert(step.target, (state, *step));
                queue.push_back(step.target);
            }
        }
    };
    let mut steps = Vec::new();
    let mut at = end;
    while let Some(&(before, step)) = came_by.get(&at) {
        steps.push(step);
        at = before;
    }
    steps.reverse();
    let ending = Ending::Silent(steps.len());
    steps.extend(silent_cycle(structure, rules, end));
    Some(Run { start, steps, ending })
}

/// The same structure with a way to end wherever silence can go on for ever.
fn with_silent_ends(structure: &Structure, rules: &Rules) -> Structure {
    structure.with_ends(&divergent(structure, rules))
}

/// The states on cycles of silence.
fn divergent(structure: &Structure, rules: &Rules) -> Vec<StateId> {
    let silent = |state: usize| {
        let steps = structure.steps(StateId(state as u32)).iter();
        steps.filter(|step| rules.is_silent(structure.action(step))).map(|step| step.target.index())
    };
    let divergent = cycles(structure.n_states(), 0..structure.n_states(), silent).into_iter().flatten();
    divergent.map(|state| StateId(state as u32)).collect()
}

/// Tells a run that ends in silence by what happens silently.
fn tell_silence(structure: &Structure, rules: &Rules, run: &mut Run) {
    let is_new = |step: &Transition| step.label.index() >= structure.actions().len();
    if run.steps.last().is_none_or(|step| !is_new(step)) {
        return;
    }
    run.steps.pop();
    run.ending = Ending::Silent(run.steps.len());
    let state = run.state(run.steps.len());
    run.steps.extend(silent_cycle(structure, rules, state));
}

/// Silent steps from a state back to it.
fn silent_cycle(structure: &Structure, rules: &Rules, start: StateId) -> Vec<Transition> {
    let mut came_by: HashMap<StateId, (StateId, Transition)> = HashMap::new();
    let mut queue = VecDeque::from([start]);
    while let Some(state) = queue.pop_front() {
        for step in structure.steps(state).iter().filter(|step| rules.is_silent(structure.action(step))) {
            if !came_by.contains_key(&step.target) {
                came_by.insert(step.target, (state, *step));
                queue.push_back(step.target);
            }
        }
    }
    let mut cycle = Vec::new();
    let mut at = start;
    while let Some(&(before, step)) = came_by.get(&at) {
        cycle.push(step);
        at = before;
        if at == start {
            break;
        }
    }
    cycle.reverse();
    cycle
}
