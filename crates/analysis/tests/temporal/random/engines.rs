//! The engine for large systems on networks beside the second engine on terms: nothing is shared on the two ways but
//! the rules of the operators, and not all of these.

use super::formula::{Past, random_formula};
use explore::{Limits, Reduction};
use ltl::logic::Store;
use lts::walk::to_lts;
use lts::{Label, Model, Preserves, Watch};
use process::TermId;
use process::compile::{CompileContext, CompileError, CompileLimits, Compiled, Library, compile};
use progress::NoProgress;
use std::sync::Arc;
use temporal::{
    ActionNetwork, Condition, Divergence, Fact, Fairness, FiniteRuns, Labels, Property, Reason, Rules, Strength,
    Structure, Termination, Verdict, View, atoms, evaluate, product, reduction, silence,
};
use test_support::mutate::{Random, seed};
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::walk::Walk;
use test_support::processes::world::World;

pub(super) const MAX_STATES: usize = 100;
const DIET: Diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
const A: Label = Label(2);
const B: Label = Label(3);
const C: Label = Label(4);

fn limits() -> Limits {
    Limits::of_workers(1).with_max_states(100_000)
}

/// The network of a term. Small terms become machines of their own, or not.
pub(super) fn network(
    world: &mut World,
    term: TermId,
    preserves: Preserves,
    max_small_states: usize,
) -> Option<Compiled> {
    let limits = CompileLimits {
        max_small_states,
        max_machine_states: 10_000,
        max_machine_edges: usize::MAX,
        max_selected_states: 10_000,
        max_compressed_states: 100_000,
        max_rules: 100_000,
        max_modes: 300,
        n_first_states: None,
        search: limits(),
    };
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

/// All states of a term, by walking it.
fn walked(world: &mut World, term: TermId) -> Structure {
    let World { terms, definitions, table, .. } = world;
    let mut walk = Walk::new(table, terms, definitions, term);
    let lts = to_lts(&mut walk, &mut Watch::none()).map_err(|_| ()).expect("random terms have steps");
    Structure::from_lts(&lts)
}

pub(super) fn random_rules(random: &mut Random, view: View) -> Rules {
    Rules {
        view,
        finite_runs: *random.pick(&[FiniteRuns::Maximal, FiniteRuns::Maximal, FiniteRuns::Stutter, FiniteRuns::Ignore]),
        divergence: *random.pick(&[Divergence::Report, Divergence::Report, Divergence::AsDeadlock]),
        termination: *random.pick(&[Termination::AsDeadlock, Termination::Event]),
    }
}

/// Facts that do not depend on how states are told apart.
pub(super) fn random_facts(random: &mut Random, view: View) -> Vec<Fact> {
    let some = |labels: &[Label]| labels.iter().copied().collect::<Labels>();
    let mut facts = vec![
        Fact::Takes(some(&[A])),
        Fact::Takes(some(&[B, C])),
        Fact::Takes(some(&[C])),
        Fact::Stuck,
        Fact::Terminated,
    ];
    if view == View::Step {
        facts.extend([
            Fact::Enables(some(&[A])),
            Fact::EnablesSilently(some(&[B])),
            Fact::Takes(some(&[Label::TAU])),
            Fact::Enables(some(&[Label::TICK, C])),
        ]);
    }
    (0..1 + random.below(3)).map(|_| random.pick(&facts).clone()).collect()
}

fn random_fairness(random: &mut Random) -> Fairness {
    if random.below(2) == 0 {
        return Fairness::default();
    }
    let condition = |random: &mut Random| {
        let strength = *random.pick(&[Strength::Weak, Strength::Strong]);
        let labels = random.pick(&[vec![A], vec![B], vec![A, C], vec![Label::TICK, B]]).iter().copied().collect();
        if random.below(4) == 0 { Condition::EachLabel(strength) } else { Condition::Labels(strength, labels) }
    };
    let conditions = |random: &mut Random| (0..1 + random.below(2)).map(|_| condition(random)).collect();
    Fairness { alternatives: (0..1 + random.below(4) / 3).map(|_| conditions(random)).collect() }
}

fn random_property(random: &mut Random, view: View) -> Property {
    let facts = random_facts(random, view);
    let mut store = Store::default();
    let size = random.below(6);
    let formula = random_formula(random, facts.len(), size, Past::Allowed).store(&mut store);
    Property { store, formula, facts, fairness: random_fairness(random) }
}

/// Whether the property holds of a network, as it is and reduced as far as that is allowed.
pub(super) fn by_network(compiled: &Compiled, property: &Property, rules: &Rules) -> Vec<bool> {
    let actions = ActionNetwork::new(&compiled.network, compiled.participants.as_ref());
    let order = reduction::partial_order(&actions, std::slice::from_ref(property), rules);
    let order = order.ok().map(|order| Reduction::PartialOrder(Arc::new(order)));
    let reductions = [Reduction::None].into_iter().chain(order);
    reductions.flat_map(|reduction| by_space(&actions, &reduction, property, rules)).collect()
}

/// The verdicts of on-the-fly and whole exploration; None where past and future are mixed.
pub(super) fn by_space(
    actions: &ActionNetwork,
    reduction: &Reduction,
    property: &Property,
    rules: &Rules,
) -> Vec<bool> {
    let explored = actions.explore(reduction.clone(), &limits(), &NoProgress).map_err(|_| ()).expect("it is small");
    let mut verdicts = vec![silence::decide(&explored.structure, property, rules, &NoProgress).verdict];
    if let Verdict::Fails(run) = &verdicts[0] {
        evaluate::violates(&explored.structure, property, rules, run).expect("what is found is there");
    }
    if rules.view == View::Step || rules.divergence != Divergence::AsDeadlock {
        let mut growing = actions.growing(reduction.clone(), usize::MAX).map_err(|_| ()).expect("it is small");
        verdicts.push(product::decide(&mut growing, property, rules, &NoProgress).verdict);
    }
    verdicts.retain(|verdict| *verdict != Verdict::Unknown(Reason::MixedPast));
    let holds = verdicts.into_iter().map(|verdict| match verdict {
        Verdict::Holds => true,
        Verdict::Fails(_) => false,
        other => panic!("small systems are decided, not {other:?}"),
    });
    holds.collect()
}

pub(super) fn by_atoms(structure: &Structure, property: &Property, rules: &Rules) -> bool {
    match atoms::decide(structure, property, rules, &NoProgress) {
        Verdict::Holds => true,
        Verdict::Fails(run) => {
            evaluate::violates(structure, property, rules, &run).expect("what is found is there");
            false
        }
        other => panic!("small systems are decided, not {other:?}"),
    }
}

fn compare(view: View, preserves: Preserves, n_rounds: usize) {
    let mut random = Random::new(seed());
    let mut n_each = [0; 2];
    for round in 0..n_rounds {
        let mut world = World::default();
        let mut sampler = Sampler { world: &mut world, random: &mut random, diet: DIET };
        sampler.define_calls();
        let term = sampler.term(1 + round % 8);
        if world.lts(term, MAX_STATES).is_none() {
            continue;
        }
        let structure = walked(&mut world, term);
        let compiled: Vec<Compiled> =
            [0, 1000].into_iter().filter_map(|max_small| network(&mut world, term, preserves, max_small)).collect();
        for _ in 0..6 {
            let (rules, property) = (random_rules(&mut random, view), random_property(&mut random, view));
            let expected = by_atoms(&structure, &property, &rules);
            for compiled in &compiled {
                for holds in by_network(compiled, &property, &rules) {
                    let told = || format!("TEST_SEED={} round {round}\n{rules:?}\n{property:#?}", seed());
                    assert_eq!(holds, expected, "{}\n{}", world.text(term), told());
                    n_each[usize::from(holds)] += 1;
                }
            }
        }
    }
    assert!(n_each.iter().all(|&n| n > n_rounds), "the samples are too plain: {n_each:?}");
}

#[test]
fn networks_and_terms_agree_about_steps() {
    compare(View::Step, Preserves::Steps, 500);
}

#[test]
fn networks_and_terms_agree_about_traces() {
    compare(View::Trace, Preserves::Model(Model::Failures), 500);
}
