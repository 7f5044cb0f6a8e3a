//! Random timed scripts by zones and in whole units of time: equal traces, failures, divergences and deadlocks, for
//! every choice of the unit.
//!
//! `TEST_ROUNDS` sets a larger number of scripts.

use crate::common;

use common::{Analyzed, analyze};
use csp_sharp_runtime::run::{Location, System};
use explore::{FAILURE, Judgment, Limits, Step};
use lts::refine::refines;
use lts::walk::to_lts;
use lts::{Builder, Label, Lts, Model, Transition, Verdict, Watch};
use model::network::RuleId;
use model::process::State;
use progress::NoProgress;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};
use test_support::timed::TimedScript;
use zones::{
    Abstraction, Compared, Edge, Edges, Goal, Limit, Question, Reached, TimedNetworkSpace, TimedSystem, ZoneWalk,
    reach, refines_in_time,
};

/// The state limit; larger systems are skipped.
const MAX_STATES: usize = 1500;

/// The timed system of the locations of a script.
struct Terms<'s> {
    system: RefCell<&'s mut System>,
    known: RefCell<HashMap<u64, Rc<Location>>>,
    first: u64,
    /// Whether a delay disables a step somewhere.
    yields: Cell<bool>,
}

impl<'s> Terms<'s> {
    fn new(system: &'s mut System, start: State) -> Terms<'s> {
        let first = system.first_location(start).expect("random scripts do not fault").0;
        Terms {
            system: RefCell::new(system),
            known: RefCell::default(),
            first: u64::from(first),
            yields: Cell::new(false),
        }
    }

    fn get(&self, state: &[u64; 1]) -> Rc<Location> {
        let mut known = self.known.borrow_mut();
        let compute = || Rc::new(self.system.borrow_mut().location(State(state[0] as u32)).expect("no fault"));
        let location = known.entry(state[0]).or_insert_with(compute).clone();
        self.yields.set(self.yields.get() || location.yields_later);
        location
    }
}

fn limits(guard: &[(csp_sharp_runtime::code::ClockId, i32)]) -> impl Iterator<Item = Limit> {
    guard.iter().map(|&(clock, value)| Limit::closed(usize::from(clock.0) + 1, value))
}

impl TimedSystem<1> for Terms<'_> {
    fn initial(&self) -> [u64; 1] {
        [self.first]
    }

    fn location(&self, state: &[u64; 1], location: &mut zones::Location) {
        let known = self.get(state);
        location.clear();
        let limit = |limit: Option<i32>| limit.unwrap_or(zones::Limits::NONE);
        let pairs = known.limits.iter();
        location.limits.extend(pairs.map(|&(lower, upper)| zones::Limits { lower: limit(lower), upper: limit(upper) }));
        location.bounds.extend(limits(&known.bounds));
        location.is_urgent = known.is_urgent();
        location.has_urgent_edges = !known.urgent.is_empty();
        location.is_terminated = known.is_terminated;
    }

    fn edges(&self, state: &[u64; 1], _: &zones::Location, edges: &mut Edges<1>) -> Judgment {
        let known = self.get(state);
        for (number, edge) in (0..).zip(&known.edges) {
            let step = Step { target: [u64::from(edge.target.0)], label: edge.label, rule: RuleId(number) };
            let sources: Vec<u8> = edge.sources.iter().map(|source| source.map_or(0, |clock| clock.0 + 1)).collect();
            edges.push(step, limits(&edge.guard), 0, &sources);
        }
        known.urgent.iter().for_each(|guard| edges.push_urgent(limits(guard)));
        Judgment::Fine
    }

    fn sources(
        &self,
        _: &zones::Location,
        edges: &Edges<1>,
        edge: &Edge<1>,
        _: &zones::Location,
        sources: &mut Vec<u8>,
    ) {
        sources.extend_from_slice(edges.sources(edge));
    }
}

/// The transition system in whole units of time.
struct WholeUnits<'s> {
    system: &'s mut System,
    start: State,
    steps: Vec<model::process::Step>,
    transitions: Vec<Transition>,
}

impl lts::walk::System for WholeUnits<'_> {
    type State = lts::StateId;
    type Step = Transition;
    type Error = ();

    fn initial(&self) -> lts::StateId {
        lts::StateId(self.start.0)
    }

    fn steps(&mut self, &state: &lts::StateId) -> Result<&[Transition], ()> {
        self.steps.clear();
        self.transitions.clear();
        if !self.system.has_finished(State(state.0)) {
            self.system.steps(State(state.0), &mut self.steps).map_err(|_| ())?;
        }
        let transitions =
            self.steps.iter().map(|step| Transition { label: step.label, target: lts::StateId(step.target.0) });
        self.transitions.extend(transitions);
        self.transitions.sort_unstable();
        self.transitions.dedup();
        Ok(&self.transitions)
    }
}

fn read(text: &str) -> Analyzed {
    let analyzed = analyze(&MemoryFiles::of("script.csp", text), "script.csp");
    assert!(!analyzed.has_errors(), "{text}\n{:?}", analyzed.diagnostics);
    analyzed
}

/// The behavior of a script, with labels numbered by a common table of names.
struct Behavior {
    lts: Lts,
    has_deadlock: bool,
}

/// Renames labels according to a common table.
fn relabel(lts: &Lts, system: &System, names: &mut HashMap<String, u32>) -> Lts {
    let mut builder = Builder::new();
    for state in lts.states() {
        builder.add_state(state);
        for step in lts.transitions(state) {
            let label = match step.label {
                Label::TAU | Label::TICK => step.label,
                label => {
                    let name = system.events().text(model::EventId(label.0 - 2)).to_owned();
                    let next = names.len() as u32 + 2;
                    Label(*names.entry(name).or_insert(next))
                }
            };
            builder.add(state, label, step.target);
        }
    }
    builder.finish(lts.initial())
}

fn watch() -> Watch<'static> {
    Watch::none().within(progress::Limits::of_workers(1).with_max_states(MAX_STATES as u64))
}

fn in_units(system: &mut System, start: State) -> Option<Lts> {
    let mut moves = WholeUnits { system, start, steps: Vec::new(), transitions: Vec::new() };
    to_lts(&mut moves, &mut watch()).ok()
}

fn by_zones(terms: &Terms<'_>) -> Option<Behavior> {
    let mut walk = ZoneWalk::<1, _, i32>::new(terms, Abstraction::WHOLE);
    let lts = to_lts(&mut walk, &mut watch()).ok()?;
    if terms.yields.get() {
        return None;
    }
    let limits = Limits::of_workers(1);
    let (reached, _) = reach::<1, _, i32>(terms, Goal::Stuck, Abstraction::STUCK, &limits, &NoProgress);
    match reached {
        Reached::Nothing => Some(Behavior { lts, has_deadlock: false }),
        Reached::Found(..) => Some(Behavior { lts, has_deadlock: true }),
        Reached::Unconfirmed(what) => panic!("a run without times to {what}"),
        Reached::Stopped(why) => panic!("{why:?}"),
    }
}

/// The behavior by the timed network of a process, if it has one.
fn by_network(system: &mut System, start: State) -> Option<Behavior> {
    let lowered = system.lower_timed(start, &[], MAX_STATES, &|| true).ok()?;
    let space = TimedNetworkSpace::new(&lowered.network).ok().filter(|space| space.space().n_words() <= 4)?;
    let mut walk = ZoneWalk::<4, _, i32>::new(&space, Abstraction::WHOLE);
    let lts = to_lts(&mut walk, &mut watch()).ok()?;
    let limits = Limits::of_workers(2);
    let report = zones::check(&lowered.network, Question::Stuck, Abstraction::STUCK, &limits, &NoProgress);
    match report.expect("it was explored").verdict {
        Verdict::Holds => Some(Behavior { lts, has_deadlock: false }),
        Verdict::Fails(_) => Some(Behavior { lts, has_deadlock: true }),
        Verdict::Unknown(why) => panic!("{why:?}"),
    }
}

/// Whether there is a deadlock.
fn has_deadlock(lts: &Lts, start: State) -> bool {
    _ = start;
    let mut after_termination = vec![false; lts.n_states()];
    for state in lts.states() {
        lts.with_label(state, Label::TICK).iter().for_each(|step| after_termination[step.target.index()] = true);
    }
    lts.states().any(|state| lts.transitions(state).is_empty() && !after_termination[state.index()])
}

#[track_caller]
fn assert_equivalent(one: &Lts, other: &Lts, what: &str) {
    for model in [Model::Traces, Model::Failures, Model::FailuresDivergences] {
        let holds =
            |spec: &Lts, system: &Lts| refines(spec, system, model, &mut Watch::none()).expect("it is not cancelled");
        assert!(holds(one, other).holds(), "{what}: more in {model:?}");
        assert!(holds(other, one).holds(), "{what}: less in {model:?}");
    }
}

/// Compares all semantics of a script; `false` if it is too large.
fn compare(script: &TimedScript) -> bool {
    let mut names = HashMap::new();
    let mut first: Option<Lts> = None;
    for factor in 1..=3 {
        let analyzed = read(&script.asserting(factor, &["System() deadlockfree"]));
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        let Some(whole) = in_units(&mut system, start) else { return false };
        let Some(zones) = by_zones(&Terms::new(&mut system, start)) else { return false };
        assert_equivalent(&whole, &zones.lts, "by zones");
        assert_eq!(has_deadlock(&whole, start), zones.has_deadlock, "stuck, in times {factor}");
        assert_eq!(has_deadlock(&zones.lts, start), zones.has_deadlock, "stuck zones, in times {factor}");
        let whole = relabel(&whole, &system, &mut names);
        match &first {
            Some(first) => assert_equivalent(first, &whole, "in longer units"),
            None => first = Some(whole),
        }
    }
    true
}

fn n_rounds(usual: u64) -> u64 {
    std::env::var("TEST_ROUNDS").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Runs a test on scripts with consecutive seeds; the number of scripts that were compared.
fn for_each_script(n_rounds: u64, mut test: impl FnMut(&TimedScript) -> bool) -> u64 {
    let mut n_compared = 0;
    for round in 0..n_rounds {
        let seed = seed().wrapping_add(round);
        let script = TimedScript::random(&mut Random::new(seed), 3);
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| test(&script)));
        n_compared += u64::from(attempt.unwrap_or_else(|_| panic!("TEST_SEED={seed}\n{}", script.scaled(1))));
    }
    n_compared
}

#[test]
fn zones_agree_with_whole_units() {
    let n_rounds = n_rounds(150);
    let n_compared = for_each_script(n_rounds, compare);
    assert!(n_compared > n_rounds / 2, "{n_compared} of {n_rounds} were compared");
}

#[test]
fn timed_networks_agree_with_whole_units() {
    let n_rounds = n_rounds(300);
    let n_compared =
        for_each_script(n_rounds, |script| compare_network(&script.asserting(1, &["System() deadlockfree"])));
    assert!(n_compared > n_rounds / 3, "{n_compared} of {n_rounds} were compared");
}

/// Compares a script with its timed network; `false` if it has none.
fn compare_network(text: &str) -> bool {
    let analyzed = read(text);
    let mut system = System::new(&analyzed.resolved.code);
    let start = system.start(analyzed.resolved.assertions[0].process);
    let Some(whole) = in_units(&mut system, start) else { return false };
    let Some(network) = by_network(&mut system, start) else { return false };
    assert_equivalent(&whole, &network.lts, text);
    assert_eq!(has_deadlock(&whole, start), network.has_deadlock, "stuck: {text}");
    true
}

/// Cases that random scripts seldom contain: a clock that starts while another one runs; an event that starts a clock
/// at one occurrence only; and events on which two processes of one machine synchronize, each with a time constraint.
const RARE_CASES: &[&str] = &[
    "System() = (s -> Wait[2]; t -> Skip) deadline[3];",
    "System() = (s -> ((t -> Skip) within[2])) interrupt[3] (u -> Stop);",
    "System() = s -> t -> s -> Wait[1]; u -> Stop;",
    "System() = s -> Wait[1]; t -> s -> u -> Stop;",
    "System() = s -> ((((t -> Stop) within[0,3]) || ((t -> Stop) within[2,3])) interrupt[1] (u -> Stop));",
    "System() = s -> ((((t -> Stop) within[2,3]) || ((t -> Stop) within[0,3])) interrupt[1] (u -> Stop));",
    "System() = s -> ((((t -> Stop) within[2,3]) || ((t -> Stop) within[1,3])) interrupt[2] (u -> Stop));",
];

#[test]
fn rare_cases_have_timed_networks() {
    for text in RARE_CASES {
        assert!(compare_network(&format!("{text}\n#assert System() deadlockfree;")), "it has no network: {text}");
    }
}

/// Timed refinement is reflexive and implies refinement; counterexamples are timed traces.
#[test]
fn timed_refinement_implies_trace_refinement() {
    let (mut n_decided, mut n_finer) = (0, 0);
    let n_rounds = n_rounds(60);
    for_each_script(n_rounds, |script| {
        let analyzed = read(&script.asserting(1, &["System() refines Other()", "Other() deadlockfree"]));
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        let other = system.start(analyzed.resolved.assertions[1].process);
        let (Some(own), Some(spec)) = (in_units(&mut system, start), in_units(&mut system, other)) else {
            return false;
        };
        let allowed = u64::from(system.first_location(other).expect("random scripts do not fault").0);
        let terms = Terms::new(&mut system, start);
        let decide = |spec, own| refines_in_time::<1, _, i32>(&terms, [spec], [own], MAX_STATES as u64, &NoProgress).0;
        let (itself, compared) = (decide(terms.first, terms.first), decide(allowed, terms.first));
        assert!(!matches!(itself, Compared::Fails(_) | Compared::Found(FAILURE)), "{itself:?}");
        let refines_untimed =
            refines(&spec, &own, Model::Traces, &mut Watch::none()).expect("it is not cancelled").holds();
        if terms.yields.get() {
            return false;
        }
        match compared {
            Compared::Holds => assert!(refines_untimed, "it does more, at whatever times"),
            Compared::Fails(trace) => {
                assert!(trace.is_some(), "a run without times");
                n_finer += usize::from(refines_untimed);
            }
            _ => return false,
        }
        n_decided += 1;
        true
    });
    assert!(n_decided > n_rounds / 4 && n_finer > 0, "{n_decided} of {n_rounds} decided, {n_finer} by times");
}

/// The benchmark models have networks, with one clock for each component.
#[test]
fn benchmark_models_have_timed_networks() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bench/timed");
    for (file, n_machines, n_clocks) in [("fischer.csp", 4, 4), ("railway.csp", 5, 4)] {
        let text = std::fs::read_to_string(folder.join(file)).expect("a model");
        let analyzed = read(&text);
        let mut system = System::new(&analyzed.resolved.code);
        let start = system.start(analyzed.resolved.assertions[0].process);
        let lowered = system.lower_timed(start, &[], MAX_STATES, &|| true).expect("it has a network");
        let timings = &lowered.network.timings;
        assert_eq!(timings.len(), n_machines, "{file}");
        assert_eq!(timings.iter().map(|timing| timing.n_clocks).sum::<u32>(), n_clocks, "{file}");
    }
}
