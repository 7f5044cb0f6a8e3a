//! Networks against the steps of the terms they were compiled from: strongly bisimilar on random processes with several
//! levels of parallel operators, hiding and renaming above arbitrary operands.

use lts::{Builder, Label as Seen, StateId, Watch, bisimulation};
use model::network::Configuration;
use process::compile::{CompileLimits, Compiled, compile, seen};
use process::{Lts, Term, TermId};
use std::collections::HashMap;
use std::ops::ControlFlow;
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::world::World;

const MAX_STATES: usize = 300;

fn compiled(world: &mut World, term: TermId) -> Compiled {
    let limits = CompileLimits { max_machine_states: 10_000, max_rules: 100_000 };
    let World { terms, definitions, table, .. } = world;
    compile(table, terms, definitions, term, &limits, &mut || ControlFlow::Continue(())).expect("small terms compile")
}

/// A random term with static structure above random operands.
fn structure(sampler: &mut Sampler, levels: u64) -> TermId {
    if levels == 0 {
        let size = sampler.random.below(4);
        return sampler.term(size);
    }
    let operand = structure(sampler, levels - 1);
    let below = sampler.random.below(levels as usize) as u64;
    let other = structure(sampler, below);
    let term = match sampler.random.below(8) {
        0 => Term::Interleave([operand, other].into()),
        1 | 2 => Term::Parallel([operand, other].into(), sampler.events()),
        3 => Term::Parallel([operand, other, operand].into(), sampler.events()),
        4 => Term::AlphaParallel([(operand, sampler.events()), (other, sampler.events())].into()),
        5 => Term::Hide(operand, sampler.events()),
        6 => Term::Rename(operand, sampler.relation()),
        _ => Term::Project(operand, sampler.events()),
    };
    sampler.world.term(term)
}

/// Adds everything the network reaches to a system and returns its initial state; `None` if that is too much.
fn add_network(compiled: &Compiled, builder: &mut Builder, first: u32) -> Option<StateId> {
    let network = &compiled.network;
    let mut numbers: HashMap<Configuration, u32> = HashMap::from([(network.initial.clone(), 0)]);
    let mut open = vec![network.initial.clone()];
    while let Some(configuration) = open.pop() {
        let source = StateId(first + numbers[&configuration]);
        for step in network.steps(&configuration) {
            let n = numbers.len() as u32;
            let number = *numbers.entry(step.target.clone()).or_insert_with(|| {
                open.push(step.target.clone());
                n
            });
            builder.add(source, step.label, StateId(first + number));
        }
        if numbers.len() > 20 * MAX_STATES {
            return None;
        }
    }
    builder.add_state(StateId(first + numbers.len() as u32 - 1));
    Some(StateId(first))
}

fn add_term(lts: &Lts, builder: &mut Builder) {
    builder.add_state(StateId(lts.n_states() as u32 - 1));
    for state in 0..lts.n_states() {
        for edge in lts.edges(state) {
            builder.add(StateId(state as u32), seen(edge.label), StateId(edge.target));
        }
    }
}

#[test]
fn networks_are_bisimilar_to_their_terms() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_parallel = 0;
    let mut n_terminating = 0;
    for round in 0..3000 {
        let mut world = World::default();
        let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet };
        sampler.define_calls();
        let term = structure(&mut sampler, 1 + round % 4);
        let Some(lts) = world.lts(term, MAX_STATES) else { continue };
        let compiled = compiled(&mut world, term);
        n_parallel += usize::from(compiled.network.machines.len() > 2);
        let mut builder = Builder::new();
        add_term(&lts, &mut builder);
        let Some(initial) = add_network(&compiled, &mut builder, lts.n_states() as u32) else { continue };
        let root = StateId(builder.n_states() as u32);
        builder.add(root, Seen(100), StateId(0));
        builder.add(root, Seen(101), initial);
        let union = builder.finish(root);
        n_terminating += usize::from(union.states().any(|state| !union.with_label(state, Seen::TICK).is_empty()));
        let map = bisimulation::strong(&union, &mut Watch::none()).expect("nothing stops it").map;
        assert!(map.get(initial).is_some());
        assert_eq!(map.get(StateId(0)), map.get(initial), "seed {seed}, round {round}: {}", world.text(term));
    }
    assert!(n_parallel > 300 && n_terminating > 100, "the samples are too plain: {n_parallel}, {n_terminating}");
}
