//! Random timed networks: zones compared with explicit enumeration of discretized time.
//!
//! If all limits are closed, integral times preserve untimed runs; with strict limits, fractions do, with one more part
//! of a unit than there are clocks (Göllü, Puri and Varaiya, 1994, *Discretization of timed automata*). So the
//! interpreter enumerates a discretized graph for comparison.

use explore::{Limits, may_fail};
use lts::refine::refines;
use lts::walk::to_lts;
use lts::{Builder, Label, Lts, Model, StateId, Verdict, Watch};
use model::network::{Action, Edge, LocalState};
use model::timed::{
    ActionTiming, Bound, Guard, LocalClock, StateTiming, TimedConfiguration, TimedNetwork, Timing, TimingProblem,
};
use progress::NoProgress;
use std::collections::HashMap;
use std::sync::Arc;
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};
use zones::{Abstraction, Question, TimedNetworkSpace, ZoneWalk, check, check_with_probes_after};

const MOST: usize = 3;

fn limits(n_workers: usize) -> Limits {
    Limits::of_workers(n_workers).with_max_states(20_000)
}

fn random_timing(random: &mut Random, n_states: usize, n_actions: usize, may_be_strict: bool) -> Timing {
    let n_clocks = random.below(3) as u32;
    let clock = |random: &mut Random| LocalClock(random.below(n_clocks as usize) as u32);
    let limit = |random: &mut Random| random.below(MOST + 1) as u32;
    let some =
        |random: &mut Random, of: usize| if n_clocks > 0 && random.below(of) == 0 { 1 + random.below(2) } else { 0 };
    let states = (0..n_states).map(|_| StateTiming {
        bounds: (0..some(random, 2)).map(|_| Bound { clock: clock(random), limit: limit(random) }).collect(),
        is_urgent: random.below(10) == 0,
    });
    let states = states.collect();
    let actions = (0..n_actions).map(|_| ActionTiming {
        guards: (0..some(random, 2))
            .map(|_| Guard {
                clock: clock(random),
                limit: limit(random),
                is_strict: may_be_strict && random.below(3) == 0,
            })
            .collect(),
        starts: (0..some(random, 2)).map(|_| clock(random)).collect(),
    });
    Timing { n_clocks, states, actions: actions.collect() }
}

fn random_timed_network(random: &mut Random, may_be_strict: bool) -> TimedNetwork {
    let network = without_priorities(random_network(random));
    let timings = network.machines.iter().map(|machine| {
        let states = machine.states().flat_map(|state: LocalState| machine.edges(state));
        let n_actions = states.map(|edge| edge.action).max().map_or(0, |Action(most)| most as usize + 1);
        random_timing(random, machine.n_states(), n_actions, may_be_strict).into()
    });
    let timings = timings.collect();
    let mut timed = TimedNetwork { network, timings, urgent: Vec::new() };
    while let Err(TimingProblem::LateBound(machine, state, clock)) = timed.validate_timing() {
        // One of the edges leads to an invariant on the clock; each of them may reset it.
        let edges: Vec<Edge> = timed.network.machines[machine.index()].edges(state).to_vec();
        let timing = Arc::make_mut(&mut timed.timings[machine.index()]);
        edges.iter().for_each(|edge| timing.actions[edge.action.index()].starts.push(clock));
    }
    for mode in 0..timed.network.modes.len() {
        timed.urgent.push(Vec::new());
        for rule in 0..timed.network.modes[mode].rules.len() {
            if random.below(6) == 0 {
                timed.urgent[mode].push(model::network::RuleId(rule as u32));
                if timed.validate_timing().is_err() {
                    timed.urgent[mode].pop();
                }
            }
        }
    }
    timed
}

/// The discretized graph of a network, and whether it has a deadlock.
struct Moves {
    lts: Lts,
    is_stuck: bool,
}

/// Caps clock values beyond all limits, which are equivalent.
fn capped(mut configuration: TimedConfiguration, unit: i64) -> TimedConfiguration {
    configuration.clocks.iter_mut().flatten().for_each(|clock| *clock = (*clock).min(MOST as i64 * unit + 1));
    configuration
}

/// The graph; none if there are too many configurations.
fn moves(network: &TimedNetwork, unit: i64) -> Option<Moves> {
    let first = network.initial();
    let mut numbers = HashMap::from([((first.clone(), false), 0)]);
    let mut open = vec![(first, false)];
    let (mut builder, mut is_stuck) = (Builder::new(), false);
    let mut next = 0;
    while next < open.len() {
        let (entered, is_terminated) = open[next].clone();
        let source = StateId(next as u32);
        next += 1;
        builder.add_state(source);
        if is_terminated {
            continue;
        }
        let most = network.max_delay(&entered, unit).unwrap_or((MOST as i64 + 2) * unit);
        let mut has_moves = false;
        for parts in 0..=most {
            for (step, after) in network.timed_steps(&network.after(&entered, parts), unit) {
                has_moves = true;
                let key = (capped(after, unit), step.label == Label::TICK);
                let number = *numbers.entry(key.clone()).or_insert_with(|| {
                    open.push(key);
                    open.len() as u32 - 1
                });
                builder.add(source, step.label, StateId(number));
            }
        }
        is_stuck |= !has_moves;
        if open.len() > 3000 {
            return None;
        }
    }
    Some(Moves { lts: builder.finish(StateId(0)), is_stuck })
}

fn compare(network: &TimedNetwork, unit: i64) -> bool {
    assert!(network.validate_timing().is_ok());
    let Some(moves) = moves(network, unit) else { return false };
    let space = TimedNetworkSpace::new(network).expect("it is small");
    let mut walk = ZoneWalk::<2, _, i16>::new(&space, Abstraction::WHOLE);
    let mut watch = Watch::none().within(Limits::of_workers(1).with_max_states(5000));
    let Ok(zones) = to_lts(&mut walk, &mut watch) else { return false };
    for model in [Model::Traces, Model::Failures, Model::FailuresDivergences] {
        let holds = |spec: &Lts, other: &Lts| {
            refines(spec, other, model, &mut Watch::none()).expect("the computation is not cancelled")
        };
        assert!(holds(&moves.lts, &zones).holds(), "{model:?}: zones do more");
        assert!(holds(&zones, &moves.lts).holds(), "{model:?}: zones do less");
    }
    for label in
        moves.lts.states().flat_map(|state| moves.lts.initials(state)).collect::<std::collections::HashSet<_>>()
    {
        check_seen(network, label, true);
    }
    check_seen(network, Label(99), false);
    for n_workers in [1, 2] {
        let stuck =
            check(network, Question::Stuck, Abstraction::STUCK, &limits(n_workers), &NoProgress).expect("it is small");
        match stuck.verdict {
            Verdict::Holds => assert!(!moves.is_stuck, "zones do not get stuck"),
            Verdict::Fails(_) => assert!(moves.is_stuck, "zones get stuck"),
            Verdict::Unknown(why) => panic!("{why:?}"),
        }
    }
    for max_short in [1, 4, 30] {
        check_with_probes(network, &moves, max_short);
    }
    true
}

/// Searches that start probes after a few nodes have the same results.
fn check_with_probes(network: &TimedNetwork, moves: &Moves, max_short: u64) {
    let ask = |question: Question<'_>| {
        let report =
            check_with_probes_after(network, question, question.abstraction(), max_short, &limits(2), &NoProgress);
        match report.expect("it is small").verdict {
            Verdict::Holds => false,
            Verdict::Fails(_) => true,
            Verdict::Unknown(why) => panic!("{why:?} after {max_short} nodes"),
        }
    };
    assert_eq!(ask(Question::Stuck), moves.is_stuck, "stuck, after {max_short} nodes");
    assert!(!ask(Question::Seen(&[Label(99)])), "after {max_short} nodes");
    assert!(!ask(Question::Nothing), "after {max_short} nodes");
    let state = moves.lts.states().last().expect("there is one");
    for label in moves.lts.initials(state) {
        assert!(ask(Question::Seen(&[label])), "{label:?}, after {max_short} nodes");
    }
}

fn check_seen(network: &TimedNetwork, label: Label, is_seen: bool) {
    for abstraction in
        [Abstraction::REACHED, Abstraction::SIMULATED, Abstraction::STUCK, Abstraction::ENTRIES_BEFORE_END]
    {
        let report =
            check(network, Question::Seen(&[label]), abstraction, &limits(1), &NoProgress).expect("it is small");
        assert_eq!(
            matches!(report.verdict, Verdict::Fails(_)),
            is_seen,
            "{label:?} {abstraction:?} {:?}",
            report.verdict
        );
    }
}

fn compare_many(rounds: usize, may_be_strict: bool, unit: i64) {
    let mut n_compared = 0;
    for round in 0..rounds {
        let seed = seed().wrapping_add(round as u64);
        let network = random_timed_network(&mut Random::new(seed), may_be_strict);
        if may_fail(&network.network) || network.timings.iter().map(|timing| timing.n_clocks).sum::<u32>() > 4 {
            continue;
        }
        let attempt = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compare(&network, unit)));
        n_compared += usize::from(attempt.unwrap_or_else(|_| panic!("TEST_SEED={seed}")));
    }
    assert!(n_compared > rounds / 4, "{n_compared} of {rounds} were compared");
}

#[test]
fn zones_agree_with_integral_times() {
    compare_many(300, false, 1);
}

#[test]
fn zones_agree_with_fractional_times() {
    compare_many(100, true, 5);
}

#[test]
fn finer_parts_change_nothing() {
    compare_many(100, false, 2);
}
