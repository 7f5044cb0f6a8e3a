//! Timed refinement of small systems with known results.

use explore::{Judgment, Step};
use lts::Label;
use model::network::RuleId;
use progress::NoProgress;
use zones::{Compared, Edge, Edges, Limit, Limits, Location, TimedSystem, refines_in_time};

const A: Label = Label(2);
const B: Label = Label(3);
const TAU: Label = Label::TAU;

/// Locations by number.
#[derive(Default)]
struct Table {
    locations: Vec<Entry>,
}

type Arrow = (Label, Vec<(usize, i32)>, u64, Vec<u8>);

#[derive(Default)]
struct Entry {
    n_clocks: usize,
    bounds: Vec<(usize, i32)>,
    is_urgent: bool,
    /// Label, guard, target, and for each clock of the target its source, or 0.
    edges: Vec<Arrow>,
}

fn entry(n_clocks: usize, bounds: &[(usize, i32)]) -> Entry {
    Entry { n_clocks, bounds: bounds.to_vec(), ..Entry::default() }
}

impl Entry {
    fn edge(mut self, label: Label, guard: &[(usize, i32)], target: u64, sources: &[u8]) -> Entry {
        self.edges.push((label, guard.to_vec(), target, sources.to_vec()));
        self
    }

    fn urgent(mut self) -> Entry {
        self.is_urgent = true;
        self
    }
}

impl Table {
    /// Adds a process whose targets are relative to its first location, which is returned.
    fn add(&mut self, entries: Vec<Entry>) -> u64 {
        let first = self.locations.len() as u64;
        self.locations.extend(entries.into_iter().map(|mut entry| {
            entry.edges.iter_mut().for_each(|edge| edge.2 += first);
            entry
        }));
        first
    }

    fn decide(&self, specification: u64, implementation: u64) -> Compared<1> {
        refines_in_time::<1, _, i16>(self, [specification], [implementation], 10_000, &NoProgress).0
    }
}

impl TimedSystem<1> for Table {
    fn initial(&self) -> [u64; 1] {
        [0]
    }

    fn location(&self, state: &[u64; 1], location: &mut Location) {
        let entry = &self.locations[state[0] as usize];
        location.clear();
        location.limits.resize(entry.n_clocks, Limits::UNUSED);
        for &(clock, limit) in &entry.bounds {
            location.bounds.push(Limit::closed(clock, limit));
            location.limits[clock - 1].upper = limit;
        }
        for &(clock, limit) in entry.edges.iter().flat_map(|edge| &edge.1) {
            location.limits[clock - 1].lower = location.limits[clock - 1].lower.max(limit);
        }
        location.is_urgent = entry.is_urgent;
    }

    fn edges(&self, state: &[u64; 1], _: &Location, edges: &mut Edges<1>) -> Judgment {
        for (number, (label, guard, target, sources)) in (0..).zip(&self.locations[state[0] as usize].edges) {
            let step = Step { target: [*target], label: *label, rule: RuleId(number) };
            edges.push(step, guard.iter().map(|&(clock, limit)| Limit::closed(clock, limit)), 0, sources);
        }
        Judgment::Fine
    }

    fn sources(&self, _: &Location, edges: &Edges<1>, edge: &Edge<1>, _: &Location, sources: &mut Vec<u8>) {
        sources.extend_from_slice(edges.sources(edge));
    }
}

/// `(a -> ((b -> Stop) within[second])) within[first]`
fn two_bounds(first: i32, second: i32) -> Vec<Entry> {
    vec![entry(1, &[(1, first)]).edge(A, &[], 1, &[0]), entry(1, &[(1, second)]).edge(B, &[], 2, &[]), entry(0, &[])]
}

/// `(a -> b -> Stop) interrupt[5] Stop`
fn interrupted() -> Vec<Entry> {
    let stage = |number: u64| {
        entry(1, &[(1, 5)]).edge(TAU, &[(1, 5)], 3, &[]).edge([A, B][number as usize % 2], &[], number + 1, &[1])
    };
    vec![stage(0), stage(1), entry(1, &[(1, 5)]).edge(TAU, &[(1, 5)], 3, &[]), entry(0, &[])]
}

/// `(a -> Stop) timeout[1] (Wait[1]; a -> Stop)`
fn gap() -> Vec<Entry> {
    vec![
        entry(1, &[(1, 1)]).edge(A, &[], 3, &[]).edge(TAU, &[(1, 1)], 1, &[0]),
        entry(1, &[(1, 1)]).edge(TAU, &[(1, 1)], 2, &[]),
        entry(0, &[]).edge(A, &[], 3, &[]),
        entry(0, &[]),
    ]
}

/// `Wait[units]; a -> Stop`
fn late(units: i32) -> Vec<Entry> {
    vec![entry(1, &[(1, units)]).edge(TAU, &[(1, units)], 1, &[]), entry(0, &[]).edge(A, &[], 2, &[]), entry(0, &[])]
}

/// `a -> Wait[units]; P()`
fn paced(units: i32) -> Vec<Entry> {
    vec![entry(0, &[]).edge(A, &[], 1, &[0]), entry(1, &[(1, units)]).edge(TAU, &[(1, units)], 0, &[])]
}

/// `a -> Wait[units]; (b ->> P())`, or `b ->` if it may be late.
fn answering(units: i32, is_urgent: bool) -> Vec<Entry> {
    let answer = entry(0, &[]).edge(B, &[], 0, &[]);
    let answer = if is_urgent { answer.urgent() } else { answer };
    vec![entry(0, &[]).edge(A, &[], 1, &[0]), entry(1, &[(1, units)]).edge(TAU, &[(1, units)], 2, &[]), answer]
}

/// `a -> ((b -> P()) within[units])`
fn answered_within(units: i32) -> Vec<Entry> {
    vec![entry(0, &[]).edge(A, &[], 1, &[0]), entry(1, &[(1, units)]).edge(B, &[], 0, &[])]
}

fn decide(specification: Vec<Entry>, implementation: Vec<Entry>) -> Compared<1> {
    let mut table = Table::default();
    let specification = table.add(specification);
    let implementation = table.add(implementation);
    assert_eq!(table.decide(implementation, implementation), Compared::Holds, "it refines itself");
    assert_eq!(table.decide(specification, specification), Compared::Holds, "it refines itself");
    table.decide(specification, implementation)
}

/// The times of the events of a trace, in units.
#[track_caller]
fn times(compared: Compared<1>) -> Vec<(Label, f64)> {
    let Compared::Fails(Some(trace)) = compared else { panic!("{compared:?}") };
    let unit = trace.times.parts_per_unit as f64;
    let events = trace.steps.iter().zip(&trace.times.parts).filter(|(step, _)| step.label != TAU);
    events.map(|(step, &parts)| (step.label, parts as f64 / unit)).collect()
}

#[test]
fn clocks_of_both_sides_are_compared() {
    let found = times(decide(interrupted(), two_bounds(5, 5)));
    assert_eq!(found.iter().map(|event| event.0).collect::<Vec<_>>(), [A, B]);
    assert!(found[0].1 <= 5.0 && found[1].1 > 5.0 && found[1].1 - found[0].1 <= 5.0, "{found:?}");
    assert_eq!(decide(interrupted(), two_bounds(3, 2)), Compared::Holds);
    assert!(matches!(decide(interrupted(), two_bounds(3, 3)), Compared::Fails(Some(_))));
}

#[test]
fn fractional_gaps_are_distinguished() {
    let always = || vec![entry(0, &[]).edge(A, &[], 1, &[]), entry(0, &[])];
    let found = times(decide(gap(), always()));
    assert!(found.len() == 1 && found[0].1 > 1.0 && found[0].1 < 2.0, "{found:?}");
    assert_eq!(decide(gap(), late(2)), Compared::Holds);
    assert_eq!(decide(always(), gap()), Compared::Holds);
}

#[test]
fn slower_is_finer() {
    assert_eq!(decide(paced(1), paced(2)), Compared::Holds);
    let found = times(decide(paced(2), paced(1)));
    assert!(found.len() == 2 && found[1].1 - found[0].1 < 2.0, "{found:?}");
}

#[test]
fn answers_meet_their_deadlines() {
    assert_eq!(decide(answered_within(5), answering(3, true)), Compared::Holds);
    assert!(matches!(decide(answered_within(5), answering(3, false)), Compared::Fails(Some(_))));
    assert!(matches!(decide(answered_within(5), answering(6, true)), Compared::Fails(Some(_))));
    assert_eq!(decide(answered_within(6), answering(6, true)), Compared::Holds);
}

#[test]
fn silent_delays_are_invisible() {
    assert_eq!(decide(two_bounds(2, 2), vec![entry(0, &[])]), Compared::Holds);
}
