//! Results compared with those of the toolset merc on random systems.
//!
//! Merc has no annotations, and termination only as an event like any other. That is equivalent if a terminating state
//! has no other steps, and its successor has none; so the systems terminate in that way only.

use crate::support;

use lts::bisimulation::{delay, strong, weak};
use lts::compress::{diamond, model_compress};
use lts::normal::normal;
use lts::tau::Divergences;
use lts::{Builder, Label, Lts, Model, StateId, draw, refine};
use merc_lts::{LTS, LabelledTransitionSystem, LtsBuilder, LtsBuilderFast, StateIndex, TransitionLabel};
use merc_reduction::{Equivalence, reduce_lts};
use merc_refinement::{ExplorationStrategy, RefinementType};
use merc_utilities::Timing;
use support::{Kind, random_lts, show, unwatched};
use test_support::mutate::{Random, seed};

const MODELS: [(Model, RefinementType); 3] = [
    (Model::Traces, RefinementType::Weaktrace),
    (Model::Failures, RefinementType::StableFailures),
    (Model::FailuresDivergences, RefinementType::FailuresDivergences),
];

fn to_merc(lts: &Lts) -> LabelledTransitionSystem<String> {
    let mut builder = LtsBuilderFast::new(Vec::new(), Vec::new());
    builder.require_num_of_states(lts.n_states());
    for state in lts.states() {
        for step in lts.transitions(state) {
            let label = if step.label == Label::TAU { String::tau_label() } else { step.label.0.to_string() };
            let (source, target) = (StateIndex::new(state.index()), StateIndex::new(step.target.index()));
            builder.add_transition(source, label.as_str(), target).expect("memory takes everything");
        }
    }
    builder.finish(StateIndex::new(lts.initial().index()), false)
}

/// A system in which some of the states without steps terminate.
fn random_system(random: &mut Random, max_states: usize) -> Lts {
    let kind = if random.below(4) == 0 { Kind::Visible } else { Kind::Silent };
    let lts = random_lts(random, kind, max_states);
    let end = StateId(lts.n_states() as u32);
    let mut builder = Builder::new();
    for state in lts.states() {
        lts.transitions(state).iter().for_each(|step| builder.add(state, step.label, step.target));
        if lts.transitions(state).is_empty() && random.below(2) == 0 {
            builder.add(state, Label::TICK, end);
        }
    }
    builder.finish(lts.initial()).reachable().lts
}

fn ours(spec: &Lts, implementation: &Lts, model: Model) -> bool {
    refine::refines(spec, implementation, model, &mut unwatched()).expect("the computation is not cancelled").holds()
}

fn theirs(spec: &Lts, implementation: &Lts, model: RefinementType, preprocess: bool) -> bool {
    let order = ExplorationStrategy::BFS;
    let (implementation, spec) = (to_merc(implementation), to_merc(spec));
    merc_refinement::refines(implementation, spec, model, order, preprocess, false, &mut Timing::new()).0
}

/// The system with its silent steps made visible.
fn audible(lts: &Lts) -> Lts {
    let mut builder = Builder::new();
    for state in lts.states() {
        for step in lts.transitions(state) {
            let label = if step.label == Label::TAU { Label(9) } else { step.label };
            builder.add(state, label, step.target);
        }
    }
    builder.finish(lts.initial())
}

#[test]
fn refinement_holds_for_the_same_pairs() {
    let mut random = Random::new(seed());
    let mut n_holding = [0; 3];
    for round in 0..1500 {
        let [spec, implementation] = [(); 2].map(|()| random_system(&mut random, 5));
        let texts = || format!("spec {}implementation {}", show(&spec), show(&implementation));
        for (place, (model, their_model)) in MODELS.into_iter().enumerate() {
            let holds = ours(&spec, &implementation, model);
            let theirs = theirs(&spec, &implementation, their_model, round % 2 == 0);
            assert_eq!(holds, theirs, "TEST_SEED={} round {round} {model:?}\n{}", seed(), texts());
            n_holding[place] += usize::from(holds);
        }
        let strongly = ours(&audible(&spec), &audible(&implementation), Model::Traces);
        let theirs = theirs(&spec, &implementation, RefinementType::Trace, false);
        assert_eq!(strongly, theirs, "TEST_SEED={} round {round} strong traces\n{}", seed(), texts());
    }
    assert!(n_holding.iter().all(|&n| n > 150), "hardly any refinement holds: {n_holding:?}");
}

#[test]
fn compressed_systems_are_equivalent_in_merc() {
    let mut random = Random::new(seed());
    for round in 0..200 {
        // These systems may offer termination beside other events, which merc does not treat as a signal.
        let lts = random_lts(&mut random, Kind::Silent, 10).reachable().lts;
        let w = &mut unwatched();
        for (model, their_model) in MODELS {
            let reductions = [
                delay(&lts, w).map(|reduced| reduced.lts),
                weak(&lts, w).map(|reduced| reduced.lts),
                diamond(&lts, w).map(|reduced| reduced.lts),
                normal(&lts, model, w),
                model_compress(&lts, model, w),
            ];
            for (place, reduced) in reductions.into_iter().enumerate() {
                let reduced = draw(&reduced.expect("the computation is not cancelled"), w)
                    .expect("the computation is not cancelled");
                let is_equivalent =
                    theirs(&lts, &reduced, their_model, false) && theirs(&reduced, &lts, their_model, false);
                let texts = || format!("{}{}", show(&lts), show(&reduced));
                assert!(is_equivalent, "TEST_SEED={} round {round} {model:?} reduction {place}\n{}", seed(), texts());
            }
        }
    }
}

/// Merc has no delay bisimulation, and two weak ones: one that ignores divergence, and one that does not merge
/// divergent states if one of them can diverge inside its class and the other cannot. Delay and weak bisimulation of
/// this crate are between these.
#[test]
fn quotients_have_as_many_states() {
    let mut random = Random::new(seed());
    let mut n_exact = 0;
    for round in 0..600 {
        let lts = random_system(&mut random, 16);
        let ours = [strong, delay, weak]
            .map(|reduce| reduce(&lts, &mut unwatched()).expect("the computation is not cancelled").lts);
        let ours = ours.map(|quotient| quotient.n_states());
        let theirs = [
            Equivalence::StrongBisim,
            Equivalence::BranchingBisimDivergencePreserving,
            Equivalence::WeakBisimDivergencePreserving,
            Equivalence::WeakBisim,
        ]
        .map(|equivalence| reduce_lts(to_merc(&lts), equivalence, false, &Timing::new()).num_of_states());
        let is_between = ours[1] <= theirs[1] && ours[2] <= theirs[2] && theirs[3] <= ours[2];
        let context = || format!("TEST_SEED={} round {round}: {ours:?}, {theirs:?}\n{}", seed(), show(&lts));
        assert!(ours[0] == theirs[0] && is_between, "{}", context());
        if Divergences::of(&lts, &mut unwatched()).is_ok_and(|divergences| divergences.is_empty()) {
            assert_eq!([ours[2]; 2], theirs[2..], "{}", context());
            n_exact += 1;
        }
    }
    assert!(n_exact > 100, "hardly any systems without divergence: {n_exact}");
}
