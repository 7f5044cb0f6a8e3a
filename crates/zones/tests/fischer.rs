//! Fischer's protocol: sizes of the zone graph, and verdicts.

use explore::{CoveringSearch, DepthFirstProbe, Limits, SearchEnd};
use lts::Verdict;
use progress::{NoProgress, Stop};
use test_support::clocks::{COLLISION, fischer};
use zones::{Abstraction, Goal, Question, REACHED, TimedNetworkSpace, ZoneGraph, check};

fn limits(n_workers: usize) -> Limits {
    Limits::of_workers(n_workers)
}

#[test]
fn numbers_of_edges_agree_with_tchecker() {
    // The edge counts of TChecker, breadth first with covering.
    for (n, n_edges) in [(4, 552), (5, 2_290), (6, 9_132)] {
        let network = fischer(n, 2, false);
        assert!(network.network.validate().is_empty() && network.validate_timing().is_ok());
        for n_workers in [1, 2] {
            let question = Question::Seen(&[COLLISION]);
            let report =
                check(&network, question, Abstraction::REACHED, &limits(n_workers), &NoProgress).expect("explored");
            assert_eq!(report.verdict, Verdict::Holds);
            assert_eq!(report.statistics.n_transitions, n_edges, "{n} members, {n_workers} workers");
        }
    }
}

/// The result does not depend on the unit of time, whether times fit into small cells or not: the last ones do not.
#[test]
fn results_do_not_depend_on_the_unit() {
    for is_wrong in [false, true] {
        let explored = [2, 4_000, 4_096, 20_000, 40_000].map(|delay| {
            let network = fischer(4, delay, is_wrong);
            let question = Question::Seen(&[COLLISION]);
            let report = check(&network, question, Abstraction::REACHED, &limits(1), &NoProgress).expect("explored");
            let statistics = report.statistics;
            (report.verdict == Verdict::Holds, statistics.n_states, statistics.n_transitions, statistics.depth)
        });
        assert_eq!(explored[0].0, !is_wrong);
        assert!(explored.iter().all(|one| *one == explored[0]), "{explored:?}");
    }
}

/// A search that is suspended every few nodes visits the same nodes as one that is not.
#[test]
fn suspended_searches_are_resumed() {
    // The levels of the larger one are wider than the work between two polls.
    for (n, step) in [(5, 1), (5, 7), (5, 100), (8, 1000)] {
        let network = fischer(n, 2, false);
        let space = TimedNetworkSpace::new(&network).expect("explored");
        let graph = ZoneGraph::<1, _, i16>::new(&space, Abstraction::REACHED, Goal::Labels(&[COLLISION]));
        let mut whole = CoveringSearch::default();
        assert_eq!(whole.run(&graph, &limits(1), &NoProgress), SearchEnd::Exhausted);
        let mut search = CoveringSearch::default();
        let mut max_states = step;
        while search.run(&graph, &Limits { max_states, ..limits(2) }, &NoProgress)
            == SearchEnd::Stopped(Stop::MaxStates)
        {
            max_states += step;
        }
        assert!(max_states > step, "it was never stopped");
        assert_eq!(search.statistics.n_transitions, whole.statistics.n_transitions);
        assert_eq!(search.statistics.depth, whole.statistics.depth);
        assert_eq!(search.n_uncovered(), whole.n_uncovered());
    }
}

/// A probe finds valid runs to reachable goals, and no others.
#[test]
fn probes_find_reachable_collisions() {
    for (is_wrong, max_depth, is_found) in [(true, 60, true), (true, 2, false), (false, 60, false)] {
        let network = fischer(4, 2, is_wrong);
        let space = TimedNetworkSpace::new(&network).expect("explored");
        let graph = ZoneGraph::<1, _, i16>::new(&space, Abstraction::REACHED, Goal::Labels(&[COLLISION]));
        for probe in DepthFirstProbe::series(0, 1 << 14, max_depth).into_iter().chain(DepthFirstProbe::series(
            7,
            1 << 14,
            max_depth,
        )) {
            let mut search = CoveringSearch::default();
            let found = search.probe(&graph, probe, &limits(1), &NoProgress);
            assert_eq!(found.is_some(), is_found, "wrong: {is_wrong}, {probe:?}");
            assert!(search.statistics.depth <= max_depth as u64);
            if let Some(found) = found {
                let visits = search.run_to(&graph, found.place);
                assert_eq!((found.finding, visits.len() as u64), (REACHED, found.depth + 1));
                assert!(visits[1..].iter().all(|visit| visit.step.is_some()));
                assert!(found.depth <= max_depth as u64);
            }
        }
    }
}
