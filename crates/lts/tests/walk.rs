//! Algorithms on systems explored on the fly, compared with their definitions on random systems.

use crate::support::denotation::{States, close};
use crate::support::{for_random_systems, unwatched};
use lts::walk::{
    Discovery, Expanded, Monitored, Numbering, Relevance, StatesAfter, Step, System, part_of, shortest_run,
    shortest_run_to, to_lts,
};
use lts::{Label, Lts, StateId, Transition};
use std::collections::BTreeSet;

/// The depth of each state, by relaxation; none if it is unreachable.
fn distances(lts: &Lts, start: StateId) -> Vec<Option<usize>> {
    let mut distances = vec![None; lts.n_states()];
    distances[start.index()] = Some(0);
    for _ in lts.states() {
        for state in lts.states() {
            let Some(distance) = distances[state.index()] else { continue };
            for step in lts.transitions(state) {
                let known = &mut distances[step.target.index()];
                *known = Some(known.map_or(distance + 1, |known: usize| known.min(distance + 1)));
            }
        }
    }
    distances
}

/// Whether steps are a run of a system from a state.
fn is_run(lts: &Lts, start: StateId, steps: &[Transition]) -> bool {
    let mut at = start;
    steps.iter().all(|step| lts.transitions(std::mem::replace(&mut at, step.target)).contains(step))
}

#[test]
fn shortest_runs_are_shortest() {
    for_random_systems(2000, 8, |_, lts| {
        let distances = distances(lts, lts.initial());
        for goal in lts.states() {
            let run = shortest_run_to(&mut &*lts, lts.initial(), |&state| state == goal, &mut unwatched());
            let run = run.expect("nothing ends it");
            if run.as_ref().map(Vec::len) != distances[goal.index()] {
                return Err(format!("{goal:?}: {run:?}"));
            }
            let is_fine = |run: &Vec<Transition>| {
                is_run(lts, lts.initial(), run) && run.last().map_or(lts.initial(), |step| step.target) == goal
            };
            if !run.as_ref().is_none_or(is_fine) {
                return Err(format!("no run: {run:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn a_run_back_to_its_start_has_a_step() {
    for_random_systems(2000, 8, |_, lts| {
        for start in lts.states() {
            let judge = |_: &StateId, step: &Transition| match step.label {
                Label::TAU if step.target == start => Relevance::Goal,
                Label::TAU => Relevance::Followed,
                _ => Relevance::Ignored,
            };
            let found = shortest_run(&mut &*lts, start, judge, &mut unwatched()).expect("nothing ends it");
            let successors = |state: usize| lts.silent(StateId(state as u32)).iter().map(|step| step.target.index());
            let components = graphs::components(lts.n_states(), [start.index()], successors);
            let own = components.last().expect("the start is in one");
            let is_on_cycle = graphs::is_cycle(own, successors);
            if found.is_some() != is_on_cycle || found.as_ref().is_some_and(|run| !is_run(lts, start, run)) {
                return Err(format!("{start:?}: {found:?}"));
            }
        }
        Ok(())
    });
}

#[test]
fn states_after_a_trace_are_those_of_the_definition() {
    for_random_systems(2000, 6, |random, lts| {
        let trace: Vec<Label> = (0..random.below(4)).map(|_| Label(2 + random.below(3) as u32)).collect();
        let mut expected: States = close(lts, [lts.initial()]);
        let mut found = StatesAfter::new(lts, unwatched()).expect("nothing ends it");
        for &event in &trace {
            let targets = expected.iter().flat_map(|&state| lts.with_label(state, event)).map(|step| step.target);
            expected = close(lts, targets.collect::<Vec<_>>());
            found.step(event).expect("nothing ends it");
        }
        if found.states().iter().copied().collect::<States>() != expected {
            return Err(format!("after {trace:?}: {:?}", found.states()));
        }
        let initials: BTreeSet<Label> =
            expected.iter().flat_map(|&state| lts.transitions(state)).map(|step| step.label).collect();
        let diverges = expected.iter().any(|&state| is_on_silent_cycle(lts, state));
        let is_fine = found.initials() == Ok(initials.into_iter().collect()) && found.can_diverge() == Ok(diverges);
        is_fine.then_some(()).ok_or_else(|| format!("after {trace:?}"))
    });
}

fn is_on_silent_cycle(lts: &Lts, state: StateId) -> bool {
    close(lts, lts.silent(state).iter().map(|step| step.target)).contains(&state)
}

#[test]
fn a_numbering_keeps_the_system() {
    for_random_systems(1000, 8, |random, lts| {
        let mut numbering = Numbering::new(&lts.initial());
        let numbered = to_lts(&mut numbering.of(lts), &mut unwatched()).expect("nothing ends it");
        for (number, &state) in (0..).map(StateId).zip(numbering.states()) {
            let named = |step: &Transition| (step.label, numbering.states()[step.target.index()]);
            let mut steps: Vec<_> = numbered.transitions(number).iter().map(named).collect();
            steps.sort_unstable();
            if !steps.iter().copied().eq(lts.transitions(state).iter().map(|step| (step.label, step.target))) {
                return Err(format!("{state:?} is {number:?}"));
            }
        }
        let n_calls = random.below(numbering.states().len() + 1);
        let mut numbering = Numbering::new(&lts.initial());
        let part = part_of(&mut numbering.of(lts), n_calls, |_| false, &mut unwatched()).expect("nothing ends it");
        let is_open = |state: StateId| part.open.contains(state.index());
        let agrees = |state: StateId| is_open(state) == (state.index() >= n_calls);
        let known = part.lts.states().all(|state| is_open(state) || numbering.known_steps(state).is_some());
        let is_fine = known && part.lts.states().all(agrees) && part.lts.n_states() == numbering.states().len();
        is_fine.then_some(()).ok_or_else(|| format!("{n_calls} states: {part:?}"))
    });
}

#[test]
fn a_monitor_follows_the_steps_that_it_does_not_block() {
    for_random_systems(1000, 8, |_, lts| {
        // The parity of events.
        let advance = |&is_odd: &bool, step: &Transition| match step.label {
            Label::TICK => None,
            label => Some(is_odd ^ label.is_visible()),
        };
        let mut product = Monitored::new(lts, false, advance);
        let mut discovery = Discovery::from(product.initial());
        let follow = |_: &(StateId, bool), _: &_| Relevance::Followed;
        while !matches!(discovery.expand(&mut product, follow, &mut unwatched()), Ok(Expanded::Nothing)) {}
        for (number, &(state, is_odd)) in discovery.states().iter().enumerate() {
            let run = discovery.run_to(number);
            let steps: Vec<Transition> = run.iter().map(|step| step.step).collect();
            let n_events = run.iter().filter(|step| step.label().is_visible()).count();
            let end = steps.last().map_or(lts.initial(), |step| step.target);
            if !is_run(lts, lts.initial(), &steps) || end != state || (n_events % 2 == 1) != is_odd {
                return Err(format!("{state:?}, {is_odd}: {steps:?}"));
            }
        }
        Ok(())
    });
}
