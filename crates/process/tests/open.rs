//! Machines that are made while they are needed do what their terms do: networks grow from nothing by what a walk
//! meets, a part of it at a time, and in the end they are strongly bisimilar to the terms, and know who takes which
//! steps.

use crate::compile::{
    Actions, add_network, add_network_with_takers, add_term, add_walk, are_bisimilar, limits, structure,
};
use explore::Occupied;
use lts::{Builder, Preserves};
use model::network::{Configuration, LocalState, MachineId};
use process::compile::{CompileContext, CompileError, CompileLimits, Compiled, Library, compile, grow};
use process::{Label, TermId};
use progress::NoProgress;
use std::collections::BTreeSet;
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::world::World;

/// Configurations of the networks that are looked at.
const MAX_CONFIGURATIONS: usize = 150;

/// In so many rounds all of them are made.
const MAX_GROWN: usize = 1000;

/// The open states that a walk meets; nothing if it has no end.
fn met(compiled: &Compiled) -> Option<Vec<(MachineId, LocalState)>> {
    let (network, open) = (&compiled.network, compiled.open_states());
    let mut known: BTreeSet<Configuration> = BTreeSet::from([network.initial.clone()]);
    let mut next = vec![network.initial.clone()];
    let mut met = BTreeSet::new();
    while let Some(configuration) = next.pop() {
        if known.len() > MAX_CONFIGURATIONS {
            return None;
        }
        for (machine, states) in &open {
            let local = configuration.locals[machine.index()];
            met.extend(states.contains(&local).then_some((*machine, local)));
        }
        let targets = network.steps(&configuration).into_iter().map(|step| step.target);
        next.extend(targets.filter(|target| known.insert(target.clone())));
    }
    Some(met.into_iter().collect())
}

/// The network of a term with as much of its machines as a walk needs, and how often they were made farther; nothing if
/// it is too large.
fn grown(world: &mut World, term: TermId, preserves: Preserves, random: &mut Random) -> Option<(Compiled, usize)> {
    let World { terms, definitions, table, .. } = world;
    // What is small stays one machine, with parallel operators in it.
    let max_small_states = *random.pick(&[0, 3, 1000]);
    let limits = CompileLimits { n_first_states: Some(random.below(3)), ..limits(max_small_states) };
    let library = &mut Library::default();
    let mut context = CompileContext {
        table,
        terms,
        unfold: definitions,
        library,
        limits,
        preserved: preserves.into(),
        progress: &NoProgress,
    };
    for n_grown in 0..MAX_GROWN {
        let compiled = match compile(&mut context, term) {
            Ok(compiled) => compiled,
            Err(CompileError::TooManyModes | CompileError::TooManyRules) => return None,
            Err(error) => panic!("small terms compile: {error:?}"),
        };
        let met = met(&compiled)?;
        if met.is_empty() {
            return Some((compiled, n_grown));
        }
        // One of them at least, and others by chance.
        let one = random.below(met.len());
        let chosen = met.iter().enumerate().filter(|(place, _)| *place == one || random.below(2) == 0);
        let occupied: Vec<Occupied> =
            chosen.map(|(_, &(machine, local))| Occupied { machine, open: vec![local], n_occupied: one % 3 }).collect();
        grow(&mut context, &compiled, &occupied).expect("small terms have steps");
    }
    panic!("it grows for ever: {}", world.text(term));
}

/// Random processes that are small enough to be written down, with their text.
fn sample(random: &mut Random, round: u64) -> Option<(World, TermId)> {
    let mut world = World::default();
    let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
    let mut sampler = Sampler { world: &mut world, random, diet };
    sampler.define_calls();
    let mut term = structure(&mut sampler, 1 + round % 4);
    if round.is_multiple_of(5) {
        let prioritized = sampler.priority(term);
        term = sampler.world.term(prioritized);
    }
    world.lts(term, MAX_CONFIGURATIONS).is_some().then_some((world, term))
}

#[test]
fn networks_that_grew_are_bisimilar_to_their_terms() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_open, mut n_terminating, mut n_prioritized) = (0, 0, 0);
    for round in 0..40000 {
        let Some((mut world, term)) = sample(&mut random, round) else { continue };
        // Nothing is merged, so that whatever can be told apart is.
        let Some((compiled, n_grown)) = grown(&mut world, term, Preserves::Steps, &mut random) else { continue };
        let lts = world.lts(term, MAX_CONFIGURATIONS).expect("it has few states");
        let mut builder = Builder::new();
        add_term(&lts, &mut builder, 0);
        let first = lts.n_states() as u32;
        if add_network(&compiled, &mut builder, first, |_, step| step.label).is_none() {
            continue;
        }
        let ends = (0..lts.n_states()).any(|state| lts.edges(state).iter().any(|edge| edge.label == Label::TICK));
        n_open += usize::from(n_grown > 2);
        n_terminating += usize::from(n_grown > 0 && ends && compiled.network.machines.len() > 2);
        let network = &compiled.network;
        n_prioritized += usize::from(n_grown > 0 && (network.priority.is_some() || !network.obstacles.is_empty()));
        let text = world.text(term);
        assert!(are_bisimilar(builder, 0, first), "seed {seed}, round {round}: {text}");
    }
    assert!(
        n_open > 60 && n_terminating > 200 && n_prioritized > 200,
        "the samples are too plain: {n_open}, {n_terminating}, {n_prioritized}"
    );
}

#[test]
fn networks_that_grew_know_who_takes_their_steps() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_several = 0;
    for round in 0..4000 {
        let Some((mut world, term)) = sample(&mut random, round) else { continue };
        let Some((compiled, n_grown)) = grown(&mut world, term, Preserves::Processes, &mut random) else { continue };
        let (mut actions, mut builder) = (Actions::default(), Builder::new());
        add_walk(&mut world, term, &mut actions, &mut builder);
        let first = builder.n_states() as u32;
        if add_network_with_takers(&compiled, &mut builder, first, &mut actions).is_none() {
            continue;
        }
        n_several += usize::from(n_grown > 0 && actions.has_joint_steps());
        let text = world.text(term);
        assert!(are_bisimilar(builder, 0, first), "seed {seed}, round {round}: {text}");
    }
    assert!(n_several > 100, "the samples are too plain: {n_several}");
}
