//! Networks against the steps of the terms they were compiled from: strongly bisimilar on random processes with several
//! levels of parallel operators, hiding and renaming above arbitrary operands.

use lts::walk::to_lts;
use lts::{Builder, Label, Model, Preserves, StateId, Watch, bisimulation, refine};
use model::network::{Configuration, NetworkStep};
use process::compile::{CompileContext, CompileError, CompileLimits, Compiled, Library, compile};
use process::{Compression, Lts, Term, TermId};
use progress::NoProgress;
use std::collections::HashMap;
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::walk::Walk;
use test_support::processes::world::World;

pub const MAX_STATES: usize = 300;

/// With `max_small_states` 0 everything is decomposed that can be.
pub fn limits(max_small_states: usize) -> CompileLimits {
    CompileLimits {
        max_small_states,
        max_machine_states: 10_000,
        max_machine_edges: usize::MAX,
        max_selected_states: 10_000,
        // Where everything is decomposed, compressions of more than a few states are given up, too.
        max_compressed_states: if max_small_states == 0 { 3 } else { 100_000 },
        max_rules: 100_000,
        max_modes: MAX_STATES,
        n_first_states: None,
        search: explore::Limits::of_workers(1).with_max_states(10_000),
    }
}

/// The network of a term, if it has one.
fn compiled(world: &mut World, term: TermId, preserves: Preserves, max_small_states: usize) -> Option<Compiled> {
    let limits = limits(max_small_states);
    let World { terms, definitions, table, .. } = world;
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
    match compile(&mut context, term) {
        Ok(compiled) => Some(compiled),
        Err(CompileError::TooManyModes | CompileError::TooManyRules) => None,
        Err(error) => panic!("small terms compile: {error:?}"),
    }
}

/// A random term with static structure above random operands.
pub fn structure(sampler: &mut Sampler, levels: u64) -> TermId {
    if levels == 0 {
        let size = sampler.random.below(4);
        return sampler.term(size);
    }
    let operand = structure(sampler, levels - 1);
    let below = sampler.random.below(levels as usize) as u64;
    let other = structure(sampler, below);
    let term = match sampler.random.below(22) {
        1 | 2 => Term::Parallel([operand, other].into(), sampler.events()),
        3 => Term::Parallel([operand, other, operand].into(), sampler.events()),
        4 => Term::AlphaParallel([(operand, sampler.events()), (other, sampler.events())].into()),
        5 => Term::Hide(operand, sampler.events()),
        6 => Term::Rename(operand, sampler.relation()),
        7 => Term::Project(operand, sampler.events()),
        8 | 9 => Term::Sequential(operand, other),
        10 => Term::ExternalChoice([operand, other].into()),
        11 => Term::InternalChoice([operand, other].into()),
        12 => Term::SlidingChoice(operand, other),
        13 => Term::Interrupt(operand, other),
        14 => Term::Exception(operand, sampler.events(), other),
        15 => Term::SyncChoice([operand, other].into(), sampler.events()),
        16 => Term::SyncInterrupt(operand, sampler.events(), other),
        17 => Term::Loop(operand),
        0 => Term::PrefixAny(sampler.events(), operand),
        18 => sampler.priority(operand),
        19 | 20 => {
            use Compression::{DBisim, Diamond, Explicate, LazyNorm, Normal, SBisim, TauLoopFactor, WBisim};
            let all = [SBisim, DBisim, WBisim, Diamond, Normal, TauLoopFactor, Explicate, LazyNorm];
            Term::Compressed(all[sampler.random.below(all.len())], operand)
        }
        _ => Term::Interleave([operand, other, operand].into()),
    };
    sampler.world.term(term)
}

/// Adds everything the network reaches to a system and returns its configurations in their order; `None` if that is too
/// much.
pub fn add_network(
    compiled: &Compiled,
    builder: &mut Builder,
    first: u32,
    mut label: impl FnMut(&Configuration, &NetworkStep) -> Label,
) -> Option<Vec<Configuration>> {
    let network = &compiled.network;
    let mut numbers: HashMap<Configuration, u32> = HashMap::from([(network.initial.clone(), 0)]);
    let mut met = vec![network.initial.clone()];
    let mut next = 0;
    while let Some(configuration) = met.get(next).cloned() {
        let source = StateId(first + next as u32);
        next += 1;
        builder.add_state(source);
        for step in network.steps(&configuration) {
            let number = *numbers.entry(step.target.clone()).or_insert_with(|| {
                met.push(step.target.clone());
                met.len() as u32 - 1
            });
            builder.add(source, label(&configuration, &step), StateId(first + number));
        }
        if met.len() > 20 * MAX_STATES {
            return None;
        }
    }
    Some(met)
}

/// The same, with who takes which steps.
pub fn add_network_with_takers(
    compiled: &Compiled,
    builder: &mut Builder,
    first: u32,
    actions: &mut Actions,
) -> Option<Vec<Configuration>> {
    let participants = compiled.participants.as_ref().expect("it was asked for");
    add_network(compiled, builder, first, |from, step| {
        let taking_part = participants.of(from.mode, step.rule).iter();
        let paths = taking_part.map(|&process| compiled.process_table.paths()[process.index()].clone());
        actions.number(step.label, paths.collect())
    })
}

/// Whether two states of a system are strongly bisimilar.
pub fn are_bisimilar(mut builder: Builder, one: u32, other: u32) -> bool {
    let root = StateId(builder.n_states() as u32);
    builder.add(root, Label(100), StateId(one));
    builder.add(root, Label(101), StateId(other));
    let system = builder.finish(root);
    let map = bisimulation::strong(&system, &mut Watch::none()).expect("nothing stops it").map;
    map.get(StateId(one)) == map.get(StateId(other))
}

pub fn add_term(lts: &Lts, builder: &mut Builder, first: u32) {
    builder.add_state(StateId(first + lts.n_states() as u32 - 1));
    for state in 0..lts.n_states() {
        for edge in lts.edges(state) {
            builder.add(StateId(first + state as u32), edge.label, StateId(first + edge.target));
        }
    }
}

#[test]
fn networks_are_bisimilar_to_their_terms() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_parallel, mut n_terminating, mut n_changing, mut n_compressed) = (0, 0, 0, 0);
    for round in 0..6000 {
        let mut world = World::default();
        let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet };
        sampler.define_calls();
        let term = structure(&mut sampler, 1 + round % 4);
        let Some(lts) = world.lts(term, MAX_STATES) else { continue };
        let max_small_states = if random.below(4) == 0 { 3 } else { 0 };
        let preserves = Preserves::Model(Model::FailuresDivergences);
        let Some(compiled) = compiled(&mut world, term, preserves, max_small_states) else { continue };
        n_parallel += usize::from(compiled.network.machines.len() > 2);
        n_changing += usize::from(compiled.network.modes.len() > 3);
        let mut builder = Builder::new();
        add_term(&lts, &mut builder, 0);
        let first = lts.n_states() as u32;
        let configurations = add_network(&compiled, &mut builder, first, |_, step| step.label);
        let Some(configurations) = configurations else { continue };
        let root = StateId(builder.n_states() as u32);
        builder.add(root, Label(100), StateId(0));
        builder.add(root, Label(101), StateId(first));
        let mut told = || format!("seed {seed}, round {round}, {max_small_states}: {}", world.text(term));
        let compressions = ["bisim(", "diamond(", "normal(", "tau_loop_factor("];
        if compressions.iter().any(|name| told().contains(name)) {
            // Compressions keep no more than the model they are made for.
            let union = builder.finish(root);
            let (term, network) = (union.clone().with_initial(StateId(0)), union.with_initial(StateId(first)));
            for (spec, implementation) in [(&term, &network), (&network, &term)] {
                let model = Model::FailuresDivergences;
                let refines =
                    refine::refines(spec, implementation, model, &mut Watch::none()).expect("nothing stops it");
                assert!(refines.holds(), "{}", told());
            }
            n_compressed += 1;
            continue;
        }
        // What a configuration stands for behaves like it.
        let any = random.below(configurations.len());
        let Some(lifted) = compiled.term(&mut world.terms, &configurations[any]) else { continue };
        let lifted_first = builder.n_states() as u32;
        let lifted = world.lts(lifted, 20 * MAX_STATES).expect("a reachable term has no more than the whole");
        add_term(&lifted, &mut builder, lifted_first);
        builder.add(root, Label(102), StateId(lifted_first));
        let union = builder.finish(root);
        n_terminating += usize::from(union.states().any(|state| !union.with_label(state, Label::TICK).is_empty()));
        let map = bisimulation::strong(&union, &mut Watch::none()).expect("nothing stops it").map;
        let mut told = || format!("seed {seed}, round {round}, {max_small_states}: {}", world.text(term));
        assert!(map.get(StateId(first)).is_some());
        assert_eq!(map.get(StateId(0)), map.get(StateId(first)), "{}", told());
        let lifted = (map.get(StateId(first + any as u32)), map.get(StateId(lifted_first)));
        assert_eq!(lifted.0, lifted.1, "lifted: {}", told());
    }
    assert!(n_compressed > 300, "{n_compressed} compressions are too few");
    assert!(
        n_parallel > 300 && n_terminating > 100 && n_changing > 300,
        "the samples are too plain: {n_parallel}, {n_terminating}, {n_changing}"
    );
}

/// Labels for what is seen and who takes part, by positions.
#[derive(Default)]
pub struct Actions(HashMap<(Label, Vec<Vec<u32>>), Label>);

impl Actions {
    pub fn number(&mut self, seen: Label, mut paths: Vec<Vec<u32>>) -> Label {
        paths.sort_unstable();
        let next = Label(1000 + self.0.len() as u32);
        *self.0.entry((seen, paths)).or_insert(next)
    }

    /// Whether several take part in some step.
    pub fn has_joint_steps(&self) -> bool {
        self.0.keys().any(|(_, paths)| paths.len() > 1)
    }
}

/// Adds all that a term reaches, with who takes which steps.
pub fn add_walk(world: &mut World, term: TermId, actions: &mut Actions, builder: &mut Builder) {
    let World { terms, definitions, table, .. } = world;
    let mut walk = Walk::new(table, terms, definitions, term).telling_processes();
    let lts = to_lts(&mut walk, &mut Watch::none()).map_err(|_| ()).expect("the term has steps");
    let known = walk.actions().to_vec();
    let process_table = walk.into_process_table();
    for state in lts.states() {
        builder.add_state(state);
        for step in lts.transitions(state) {
            let (label, taking_part) = &known[step.label.index()];
            let paths = taking_part.iter().map(|&process| process_table.paths()[process.index()].clone()).collect();
            builder.add(state, actions.number(*label, paths), step.target);
        }
    }
}

/// Priorities below, above and beside all other operators, with others inside of them.
#[test]
fn priorities_inside_networks_are_those_of_terms() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_obstructed, mut n_nested, mut n_differing) = (0, 0, 0);
    for round in 0..6000 {
        let mut world = World::default();
        let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet };
        sampler.define_calls();
        let mut term = structure(&mut sampler, 1 + round % 3);
        for _ in 0..1 + sampler.random.below(3) {
            let prioritized = sampler.priority(term);
            term = sampler.world.term(prioritized);
            let other = sampler.term(2);
            let events = sampler.events();
            let around = match sampler.random.below(5) {
                0 => Term::Hide(term, events),
                1 => Term::Rename(term, sampler.relation()),
                2 => Term::Parallel([term, other].into(), events),
                3 => Term::Sequential(term, other),
                _ => Term::Interleave([term, other].into()),
            };
            term = sampler.world.term(around);
        }
        let Some(lts) = world.lts(term, MAX_STATES) else { continue };
        // Nothing is merged, so that whatever can be told apart is.
        let Some(whole) = compiled(&mut world, term, Preserves::Steps, 0) else { continue };
        let Some(written) = compiled(&mut world, term, Preserves::Steps, 1000) else { continue };
        let obstacles = &whole.network.obstacles;
        n_obstructed += usize::from(!obstacles.is_empty());
        n_nested += usize::from(obstacles.iter().flat_map(|it| &it.ways).any(|way| !way.unless.is_empty()));
        assert_eq!(whole.network.validate(), []);
        let mut builder = Builder::new();
        add_term(&lts, &mut builder, 0);
        let first = lts.n_states() as u32;
        let Some(reached) = add_network(&whole, &mut builder, first, |_, step| step.label) else { continue };
        let second = first + reached.len() as u32;
        let Some(_) = add_network(&written, &mut builder, second, |_, step| step.label) else { continue };
        n_differing += usize::from(whole.network.machines.len() > written.network.machines.len());
        let root = StateId(builder.n_states() as u32);
        for (label, start) in [(100, 0), (101, first), (102, second)] {
            builder.add(root, Label(label), StateId(start));
        }
        let union = builder.finish(root);
        let map = bisimulation::strong(&union, &mut Watch::none()).expect("nothing stops it").map;
        let [term_class, whole_class, written_class] = [0, first, second].map(|start| map.get(StateId(start)));
        let mut told = || format!("seed {seed}, round {round}: {}", world.text(term));
        assert_eq!(term_class, whole_class, "{}", told());
        assert_eq!(term_class, written_class, "written down: {}", told());
    }
    assert!(
        n_obstructed > 1000 && n_nested > 50 && n_differing > 1000,
        "the samples are too plain: {n_obstructed}, {n_nested}, {n_differing}"
    );
}

#[test]
fn networks_know_who_takes_their_steps() {
    let seed = seed();
    let mut random = Random::new(seed);
    let mut n_several = 0;
    for round in 0..3000 {
        let mut world = World::default();
        let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet };
        sampler.define_calls();
        let term = structure(&mut sampler, 1 + round % 4);
        if world.lts(term, MAX_STATES).is_none() {
            continue;
        }
        let max_small_states = *random.pick(&[0, 3, 1000]);
        let Some(compiled) = compiled(&mut world, term, Preserves::Processes, max_small_states) else { continue };
        let (mut actions, mut builder) = (Actions::default(), Builder::new());
        add_walk(&mut world, term, &mut actions, &mut builder);
        let first = builder.n_states() as u32;
        if add_network_with_takers(&compiled, &mut builder, first, &mut actions).is_none() {
            continue;
        }
        n_several += usize::from(actions.has_joint_steps());
        let text = world.text(term);
        assert!(are_bisimilar(builder, 0, first), "seed {seed}, round {round}, {max_small_states}: {text}");
    }
    assert!(n_several > 150, "the samples are too plain: {n_several}");
}
