//! Claims without specification compared with their definitions, and systems explored on the fly.

use crate::support;
use progress::Limits;

use lts::refine::{Claim, HasTrace, Specification, check, has_trace, refines, refines_on_demand};
use lts::walk::{Ended, System};
use lts::{Builder, Counterexample, Fault, Label, Labels, Lts, Model, StateId, Stop, Transition, Watch};
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use support::denotation::{self, States};
use support::{KINDS, for_random_systems, random_lts, show, system, unwatched};
use test_support::mutate::{Random, seed};

const MODELS: [Model; 7] = Model::ALL;

fn counterexample(claim: &Claim, lts: &Lts) -> Option<Counterexample<Transition>> {
    check(claim, &mut &*lts, &mut unwatched()).expect("the computation is not cancelled").counterexample
}

fn refining(spec: &Lts, model: Model) -> Claim {
    let specification =
        Specification::new(spec.clone(), model, &mut unwatched()).expect("the computation is not cancelled");
    Claim::Refines(specification.into())
}

/// The least depth of a state with a property; termination is not followed.
fn distance(lts: &Lts, is_wanted: impl Fn(StateId) -> bool) -> Option<usize> {
    let mut level = BTreeSet::from([lts.initial()]);
    let mut seen = level.clone();
    for length in 0.. {
        if level.iter().any(|&state| is_wanted(state)) {
            return Some(length);
        }
        let steps = level.iter().flat_map(|&state| lts.transitions(state));
        level = steps.filter(|step| step.label != Label::TICK).map(|step| step.target).collect();
        level.retain(|&state| seen.insert(state));
        if level.is_empty() {
            return None;
        }
    }
    None
}

/// The last state of a run.
fn replay(lts: &Lts, start: StateId, steps: &[Transition]) -> StateId {
    let mut state = start;
    for step in steps {
        assert!(lts.transitions(state).contains(step), "{state:?} has no step {step:?}\n{}", show(lts));
        state = step.target;
    }
    state
}

fn check_freedom(lts: &Lts, claim: &Claim, is_broken: impl Fn(StateId) -> bool) -> Result<(), String> {
    let found = counterexample(claim, lts);
    // The steps of a cycle after its first state are not counted.
    let run_length = |found: &Counterexample<Transition>| match found.fault {
        Fault::Divergence(_) => {
            let states = std::iter::once(lts.initial()).chain(found.steps.iter().map(|step| step.target));
            states.into_iter().position(&is_broken).unwrap_or(usize::MAX)
        }
        _ => found.steps.len(),
    };
    if found.as_ref().map(run_length) != distance(lts, &is_broken) {
        return Err(format!("{claim:?}: {found:?}, expected {:?} steps", distance(lts, is_broken)));
    }
    let Some(Counterexample { steps, fault }) = found else { return Ok(()) };
    let end = replay(lts, lts.initial(), &steps);
    let is_true = match fault {
        Fault::Deadlock => denotation::accepted_by(lts, end).contains(&0),
        Fault::Divergence(place) => {
            let turn = replay(lts, lts.initial(), &steps[..place]);
            let closes = place < steps.len() && turn == end || lts.is_explicitly_divergent(end);
            closes && steps[place..].iter().all(|step| step.label == Label::TAU)
        }
        _ => false,
    };
    if is_true && is_broken(end) { Ok(()) } else { Err(format!("{claim:?}: not true")) }
}

#[test]
fn deadlock_and_divergence_freedom_follow_the_definitions() {
    for_random_systems(6000, 8, |_, lts| {
        let is_stuck = |state| denotation::accepted_by(lts, state).contains(&0);
        let diverges = |state| denotation::diverges(lts, &States::from([state]));
        check_freedom(lts, &Claim::DeadlockFree(Model::Traces), is_stuck)?;
        check_freedom(lts, &Claim::DeadlockFree(Model::Failures), is_stuck)?;
        check_freedom(lts, &Claim::DeadlockFree(Model::FailuresDivergences), |s| is_stuck(s) || diverges(s))?;
        check_freedom(lts, &Claim::DivergenceFree, diverges)
    });
}

#[test]
fn nothing_after_termination_is_a_deadlock() {
    let mut labels = Labels::new();
    for (text, is_free) in [
        ("des (0,1,2)\n(0,✓,1)\n", true),
        ("des (0,1,2)\n(0,a,1)\n", false),
        ("des (0,2,3)\n(0,✓,1)\n(0,a,2)\n", false),
        ("des (0,1,1)\n(0,tau,0)\n", true),
    ] {
        let found = counterexample(&Claim::DeadlockFree(Model::Failures), &system(text, &mut labels));
        assert_eq!(found.is_none(), is_free, "{text}");
    }
}

/// Whether the system has a trace, or can be forced to perform it, by the definition.
fn expected_trace(lts: &Lts, trace: &[Label], model: Model) -> bool {
    let mut states = denotation::close(lts, [lts.initial()]);
    trace.iter().all(|&event| {
        let is_prevented = model.sees_failures() && denotation::refuses(lts, &states, event)
            || model.sees_divergences() && denotation::diverges(lts, &states);
        states = denotation::after(lts, &states, event);
        !is_prevented && !states.is_empty()
    })
}

fn trace_of(steps: &[Transition]) -> Vec<Label> {
    steps.iter().map(|step| step.label).filter(|label| label.is_visible()).collect()
}

fn confirm_trace(lts: &Lts, trace: &[Label], found: &HasTrace) -> bool {
    match found {
        HasTrace::Yes(run) => {
            replay(lts, lts.initial(), run);
            trace_of(run) == trace
        }
        HasTrace::No(Counterexample { steps, fault: Fault::Missing { event, possible } }) => {
            replay(lts, lts.initial(), steps);
            let done = trace_of(steps);
            let mut states = denotation::close(lts, [lts.initial()]);
            done.iter().for_each(|&event| states = denotation::after(lts, &states, event));
            let initials: Vec<Label> = denotation::initials(lts, &states).into_iter().collect();
            trace.starts_with(&[&done[..], &[*event]].concat()) && initials == *possible && !possible.contains(event)
        }
        HasTrace::No(Counterexample { steps, fault }) => {
            let states = States::from([replay(lts, lts.initial(), steps)]);
            let done = trace_of(steps);
            trace.starts_with(&done)
                && done.len() < trace.len()
                && match fault {
                    Fault::Refusal { .. } => denotation::refuses(lts, &states, trace[done.len()]),
                    Fault::Divergence(_) => denotation::diverges(lts, &states),
                    _ => false,
                }
        }
    }
}

#[test]
fn having_a_trace_follows_the_definition() {
    let n_found = std::cell::Cell::new([0; 7]);
    for_random_systems(6000, 6, |random, lts| {
        let mut trace: Vec<Label> = (0..random.below(4)).map(|_| Label(2 + random.below(3) as u32)).collect();
        trace.extend((random.below(4) == 0).then_some(Label::TICK));
        for (place, model) in MODELS.into_iter().enumerate() {
            let found =
                has_trace(&mut &*lts, &trace, model, &mut unwatched()).expect("the computation is not cancelled");
            let expected = expected_trace(lts, &trace, model);
            if matches!(found, HasTrace::Yes(_)) != expected || !confirm_trace(lts, &trace, &found) {
                return Err(format!("{model:?} {trace:?}: {found:?}, expected {expected}"));
            }
            let mut counts = n_found.get();
            counts[place] += usize::from(expected && !trace.is_empty());
            n_found.set(counts);
        }
        Ok(())
    });
    let counts = n_found.get();
    let [traces, failures, divergences, others @ ..] = counts;
    assert_eq!(others, [failures, divergences, failures, divergences], "all that matters is seen in failures");
    assert!(traces >= failures && failures >= divergences && divergences > 200, "hardly any traces: {counts:?}");
}

/// A system that numbers its states in the order of discovery.
struct OnDemand<'a> {
    lts: &'a Lts,
    numbers: BTreeMap<StateId, StateId>,
    states: Vec<StateId>,
    steps: BTreeMap<StateId, Vec<Transition>>,
}

impl<'a> OnDemand<'a> {
    fn new(lts: &'a Lts) -> OnDemand<'a> {
        let states = vec![lts.initial()];
        OnDemand { lts, numbers: BTreeMap::from([(lts.initial(), StateId(0))]), states, steps: BTreeMap::new() }
    }

    fn number(&mut self, state: StateId) -> StateId {
        let fresh = StateId(self.states.len() as u32);
        let number = *self.numbers.entry(state).or_insert(fresh);
        if number == fresh {
            self.states.push(state);
        }
        number
    }
}

impl System for OnDemand<'_> {
    type State = StateId;
    type Step = Transition;
    type Error = Infallible;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], Infallible> {
        if !self.steps.contains_key(&state) {
            let steps = self.lts.transitions(self.states[state.index()]).to_vec();
            let steps = steps.into_iter().map(|step| Transition { target: self.number(step.target), ..step }).collect();
            self.steps.insert(state, steps);
        }
        Ok(&self.steps[&state])
    }
}

#[test]
fn on_the_fly_verdicts_agree_with_explicit_ones() {
    let mut random = Random::new(seed());
    let mut n_on_demand = [0, 0];
    for round in 0..2000 {
        let kinds = [KINDS[round % 4], KINDS[round / 4 % 3]];
        let (spec, implementation) = (random_lts(&mut random, kinds[0], 6), random_lts(&mut random, kinds[1], 8));
        for model in MODELS {
            let explicit =
                refines(&spec, &implementation, model, &mut unwatched()).expect("the computation is not cancelled");
            let on_demand = &mut OnDemand::new(&implementation);
            let lazy =
                check(&refining(&spec, model), on_demand, &mut unwatched()).expect("the computation is not cancelled");
            let length = |found: Option<Counterexample<Transition>>| found.map(|found| found.steps.len());
            let context = || {
                let (spec, implementation) = (show(&spec), show(&implementation));
                format!("TEST_SEED={} round {round} {model:?}\nspec {spec}implementation {implementation}", seed())
            };
            let expected = length(explicit.counterexample);
            assert_eq!(
                (length(lazy.counterexample), lazy.n_pairs, lazy.n_nodes),
                (expected, explicit.n_pairs, explicit.n_nodes),
                "{}",
                context()
            );
            // Systems explored on the fly have no annotations.
            let is_plain = spec.acceptances().is_none() && spec.states().all(|s| !spec.is_explicitly_divergent(s));
            if is_plain {
                let (spec, implementation) = (&mut OnDemand::new(&spec), &mut OnDemand::new(&implementation));
                let lazier = refines_on_demand(spec, implementation, model, &mut unwatched()).expect("it ends");
                assert_eq!(length(lazier.counterexample), expected, "{}", context());
                n_on_demand[usize::from(expected.is_some())] += 1;
            }
        }
    }
    assert!(n_on_demand.iter().all(|&n| n > 300), "both answers should occur: {n_on_demand:?}");
}

const IN: Label = Label(2);
const OUT: Label = Label(3);

/// An unbounded buffer: state `n` holds `n` items. The steps of the states in `broken` are unknown.
struct Buffer {
    steps: Vec<Transition>,
    broken: u32,
}

/// The steps of this state are unknown.
#[derive(Debug)]
struct Missing(StateId);

impl From<Infallible> for Missing {
    fn from(never: Infallible) -> Missing {
        match never {}
    }
}

impl System for Buffer {
    type State = StateId;
    type Step = Transition;
    type Error = Missing;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], Missing> {
        if state.0 >= self.broken {
            return Err(Missing(state));
        }
        self.steps = vec![Transition { label: IN, target: StateId(state.0 + 1) }];
        self.steps.extend((state.0 > 0).then(|| Transition { label: OUT, target: StateId(state.0 - 1) }));
        Ok(&self.steps)
    }
}

fn bounded_buffer(capacity: u32) -> Lts {
    let mut builder = Builder::new();
    for n in 0..capacity {
        builder.add(StateId(n), IN, StateId(n + 1));
        builder.add(StateId(n + 1), OUT, StateId(n));
    }
    builder.finish(StateId(0))
}

#[test]
fn an_infinite_system_is_refuted() {
    for model in MODELS {
        let buffer = &mut Buffer { steps: Vec::new(), broken: u32::MAX };
        let answer = check(&refining(&bounded_buffer(5), model), buffer, &mut unwatched()).expect("it ends");
        let found = answer.counterexample.expect("the bound is exceeded");
        assert_eq!((trace_of(&found.steps), found.fault), (vec![IN; 6], Fault::Event(vec![OUT])));
        let trace = [[IN; 9], [OUT; 9]].concat();
        let found = has_trace(buffer, &trace, model, &mut unwatched()).expect("it ends");
        assert!(matches!(found, HasTrace::Yes(run) if trace_of(&run) == trace));
    }
}

#[test]
fn a_search_respects_its_limits() {
    let buffer = &mut Buffer { steps: Vec::new(), broken: u32::MAX };
    let mut watch = Watch::none().within(Limits::of_workers(1).with_max_states(1000));
    let answer = check(&Claim::DeadlockFree(Model::FailuresDivergences), buffer, &mut watch);
    assert!(matches!(answer, Err(Ended::Stopped(Stop::MaxStates))));
    let mut watch = Watch::none().within(Limits::of_workers(1).with_max_states(1000));
    let answer = refines(&bounded_buffer(5), &bounded_buffer(5), Model::Failures, &mut watch);
    assert!(answer.is_ok_and(|answer| answer.holds()));
}

#[test]
fn unknown_steps_are_reported() {
    let buffer = &mut Buffer { steps: Vec::new(), broken: 7 };
    let answer = check(&Claim::DivergenceFree, buffer, &mut unwatched());
    assert!(matches!(answer, Err(Ended::Failed(Missing(StateId(7))))));
}

#[test]
fn an_infinite_specification_is_decided() {
    for model in MODELS {
        let buffer = || Buffer { steps: Vec::new(), broken: u32::MAX };
        let small = bounded_buffer(5);
        let mut implementation = OnDemandBuffer(&small);
        let answer = refines_on_demand(&mut buffer(), &mut implementation, model, &mut unwatched()).expect("it ends");
        // A full bounded buffer has refusals that an unbounded one has not.
        assert_eq!(answer.holds(), model == Model::Traces);
        let mut early = Builder::new();
        early.add(StateId(0), IN, StateId(1));
        early.add(StateId(1), OUT, StateId(2));
        early.add(StateId(2), OUT, StateId(2));
        let early = early.finish(StateId(0));
        let mut implementation = OnDemandBuffer(&early);
        let answer = refines_on_demand(&mut buffer(), &mut implementation, model, &mut unwatched()).expect("it ends");
        assert!(!answer.holds());
        assert!(answer.n_nodes <= 3, "{} nodes were made", answer.n_nodes);
    }
}

/// An explicit system with the error type of the buffer.
struct OnDemandBuffer<'a>(&'a Lts);

impl System for OnDemandBuffer<'_> {
    type State = StateId;
    type Step = Transition;
    type Error = Missing;

    fn initial(&self) -> StateId {
        self.0.initial()
    }

    fn steps(&mut self, &state: &StateId) -> Result<&[Transition], Missing> {
        Ok(self.0.transitions(state))
    }
}
