//! Priority against its definition, spelled out state by state on random processes.

use model::EventId;
use process::{Label, PriorityOrder, Step, Term, TermId, Termination};
use std::collections::BTreeSet;
use std::sync::Arc;
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::world::{World, event, relation, set};

const MAX_STATES: usize = 200;

/// The steps of a random process in all its states, beside those of the same states under priority. Below that,
/// parallel operands terminate together.
fn check_states(prioritized: impl Fn(TermId) -> Term, stays: impl Fn(Label, &BTreeSet<Label>) -> bool) {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_withdrawn = 0;
    for round in 0..600 {
        let mut world = World::default();
        let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet };
        sampler.define_calls();
        let operand = sampler.term(2 + round % 8);
        world.table.set_termination(Termination::Together);
        let Some(lts) = world.lts(operand, MAX_STATES) else { continue };
        for state in lts.states {
            world.table.set_termination(Termination::Together);
            let all = steps(&mut world, state);
            world.table.set_termination(Termination::Apart);
            let term = world.term(prioritized(state));
            let left: Vec<Label> = steps(&mut world, term).iter().map(|step| step.label).collect();
            let offered: BTreeSet<Label> = all.iter().map(|step| step.label).collect();
            let expected: Vec<Label> = all.iter().map(|step| step.label).filter(|&l| stays(l, &offered)).collect();
            n_withdrawn += all.len() - expected.len();
            assert_eq!(left, expected, "seed {seed}, round {round}: {}", world.text(term));
        }
    }
    assert!(n_withdrawn > 100, "priority made no difference");
}

fn steps(world: &mut World, term: TermId) -> Vec<Step> {
    let World { terms, definitions, table, .. } = world;
    table.steps(terms, definitions, term).expect("random terms have steps").to_vec()
}

#[test]
fn a_level_yields_to_the_levels_before_it() {
    let levels: Arc<[_]> = [set("a"), set("b")].into();
    let level = |label: &Label| match *label {
        Label::TAU | Label::TICK => Some(0),
        label if label == event('a').label() => Some(0),
        label if label == event('b').label() => Some(1),
        _ => None,
    };
    check_states(
        |operand| Term::Prioritise(operand, levels.clone()),
        |label, offered| {
            let yields_to = |other: &Label| matches!((level(other), level(&label)), (Some(o), Some(l)) if o < l);
            !offered.iter().any(yields_to)
        },
    );
}

/// `c` is below `b`, `b` below `a`, all of them below the internal event, except for `a`.
#[test]
fn an_event_yields_to_all_that_is_above_it_in_the_order() {
    let order = PriorityOrder { events: set("abc"), above: relation("ab bc"), maximal: set("a") };
    let order = Arc::new(order);
    let rank = |label: &Label| EventId::of(*label).map(|event| event.0);
    check_states(
        |operand| Term::PrioritiseBy(operand, order.clone()),
        |label, offered| match rank(&label) {
            None | Some(0) => true,
            Some(mine) => !offered.iter().any(|other| rank(other).is_none_or(|rank| rank < mine)),
        },
    );
}

#[test]
fn an_event_outside_the_order_is_left_alone() {
    let order = Arc::new(PriorityOrder { events: set("ab"), above: relation("ab"), maximal: set("") });
    let has = |offered: &BTreeSet<Label>, letter| offered.contains(&event(letter).label());
    check_states(
        |operand| Term::PrioritiseBy(operand, order.clone()),
        |label, offered| {
            let is_urgent = offered.contains(&Label::TAU) || offered.contains(&Label::TICK);
            match label {
                label if label == event('a').label() => !is_urgent,
                label if label == event('b').label() => !is_urgent && !has(offered, 'a'),
                _ => true,
            }
        },
    );
}

/// Time passes for a process that waits for another one to terminate, as long as that lets it.
#[test]
fn below_a_priority_nobody_terminates_before_the_last() {
    let mut world = World::default();
    let (stop, skip) = (world.term(Term::Stop), world.term(Term::Skip));
    let [time, event_a] = [event('b'), event('a')];
    let passing = world.term(Term::Prefix(time, skip));
    let done = world.term(Term::ExternalChoice([passing, skip].into()));
    let busy = world.term(Term::PrefixAny([event_a, time].into(), done));
    let pair = world.term(Term::Parallel([done, busy].into(), set("b")));
    let urgent = |world: &mut World, term| world.term(Term::Prioritise(term, [set(""), set("b")].into()));
    let labels = |world: &mut World, term| -> Vec<Label> { steps(world, term).iter().map(|step| step.label).collect() };
    let prioritized = urgent(&mut world, pair);
    assert_eq!(labels(&mut world, prioritized), [event_a.label(), time.label()]);
    let ready = steps(&mut world, prioritized)[0].target;
    assert_eq!(labels(&mut world, ready), [Label::TICK], "now both are done");
    let stuck = world.term(Term::Interleave([skip, stop].into()));
    let stuck = urgent(&mut world, stuck);
    assert_eq!(labels(&mut world, stuck), []);
    assert_eq!(labels(&mut world, pair), [Label::TAU, event_a.label(), time.label()], "and elsewhere it may");
}
