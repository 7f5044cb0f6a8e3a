//! The algebraic laws of CSP, on random processes, in every model in which they hold.
//!
//! An equation is tried by refinement both ways, decided naively. `TEST_SEED` sets the seed.

mod build;
mod equations;

use build::Build;
use lts::Model;
use process::TermId;
use test_support::mutate::{Random, seed};
use test_support::processes::refine::refines;
use test_support::processes::sample::{Diet, Presence, Sampler};
use test_support::processes::world::{World, event};

/// In which models a law holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// In all.
    All,
    /// Where no more than failures and divergences is seen.
    UpToFailures,
    /// Where no more than revivals and divergences is seen.
    UpToRevivals,
    /// Not where divergence is seen.
    ExceptDivergences,
    /// Only where divergence is seen.
    OnlyDivergences,
    /// Only where nothing but traces is seen.
    OnlyTraces,
}

/// How two processes compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Relation {
    /// The same behaviors.
    Equal,
    /// The right one has no more behaviors.
    Refined,
}

/// A law of processes.
pub struct Law {
    /// The law in its usual form.
    pub name: &'static str,
    /// Where it holds.
    pub scope: Scope,
    /// What it claims.
    pub relation: Relation,
    /// Its two sides, for any processes P, Q, R.
    pub sides: fn(&mut Build, [TermId; 3]) -> (TermId, TermId),
}

const N_ROUNDS: usize = 40;
const MAX_STATES: usize = 200;

#[test]
fn every_law_holds_in_its_models() {
    let seed = seed();
    let mut complaints = Vec::new();
    for law in equations::laws() {
        let mut random = Random::new(seed);
        let tried: Result<Vec<bool>, String> =
            (0..N_ROUNDS).map(|round| try_law(&law, &mut random, seed, round)).collect();
        match tried.map(|tried| tried.into_iter().filter(|&is_decided| is_decided).count()) {
            Err(complaint) => complaints.push(complaint),
            Ok(n_decided) if n_decided <= N_ROUNDS / 2 => {
                complaints.push(format!("`{}` was decided for {n_decided} triples only", law.name));
            }
            Ok(_) => {}
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n\n"));
}

/// Whether the processes were small enough for the law to be tried; an error if it does not hold.
fn try_law(law: &Law, random: &mut Random, seed: u64, round: usize) -> Result<bool, String> {
    let mut world = World::default();
    let diet = Diet { termination: Presence::Allowed, divergence: Presence::Allowed, infinity: Presence::Allowed };
    let mut sampler = Sampler { world: &mut world, random, diet };
    sampler.define_calls();
    let operands = [(); 3].map(|()| sampler.term(1 + round % 5));
    let mut build = Build { world: &mut world, random };
    let (left, right) = (law.sides)(&mut build, operands);
    let (Some(left_lts), Some(right_lts)) = (world.lts(left, MAX_STATES), world.lts(right, MAX_STATES)) else {
        return Ok(false);
    };
    for model in Model::ALL.into_iter().filter(|&model| holds_in(law.scope, model)) {
        let forth = refines(&left_lts, &right_lts, model);
        let back = if law.relation == Relation::Equal { refines(&right_lts, &left_lts, model) } else { Ok(()) };
        if forth.is_err() || back.is_err() {
            let (left, right) = (world.text(left), world.text(right));
            return Err(format!(
                "`{}`, seed {seed}, round {round}, in {model:?}\nleft:  {left}\nright: {right}\n{forth:?} {back:?}",
                law.name
            ));
        }
    }
    Ok(true)
}

#[test]
fn processes_that_differ_are_told_apart() {
    let mut world = World::default();
    let mut random = Random::new(seed());
    let b = &mut Build { world: &mut world, random: &mut random };
    let (stop, skip, div) = (b.stop(), b.skip(), b.div());
    let (a_stop, b_stop) = (b.prefix(event('a'), stop), b.prefix(event('b'), stop));
    let (external, internal) = (b.ext(a_stop, b_stop), b.int(a_stop, b_stop));
    let (maybe, hesitant, shy) = (b.ext(a_stop, skip), b.slide(a_stop, stop), b.int(a_stop, stop));
    let all = Some(Model::Traces);
    let failures = Some(Model::Failures);
    let divergences = Some(Model::FailuresDivergences);
    let revivals = Some(Model::Revivals);
    for (spec, implementation, weakest_model_that_objects) in [
        (a_stop, b_stop, all),
        (stop, skip, all),
        (external, internal, failures),
        (internal, external, None),
        (hesitant, shy, revivals),
        (shy, hesitant, None),
        (a_stop, stop, failures),
        (hesitant, stop, None),
        (a_stop, maybe, all),
        (maybe, a_stop, failures),
        (maybe, skip, None),
        (a_stop, div, divergences),
        (div, a_stop, all),
    ] {
        let lts = |world: &mut World, term| world.lts(term, MAX_STATES).expect("a small process");
        let (spec, implementation) = (lts(&mut world, spec), lts(&mut world, implementation));
        let objecting = Model::ALL.into_iter().find(|&model| refines(&spec, &implementation, model).is_err());
        assert_eq!(objecting, weakest_model_that_objects, "{spec:?} against {implementation:?}");
    }
}

fn holds_in(scope: Scope, model: Model) -> bool {
    match scope {
        Scope::All => true,
        Scope::UpToFailures => !model.sees_revivals(),
        Scope::UpToRevivals => !model.tests_refusals(),
        Scope::ExceptDivergences => !model.sees_divergences(),
        Scope::OnlyDivergences => model.sees_divergences(),
        Scope::OnlyTraces => model == Model::Traces,
    }
}
