//! Compressions: preserved models, merged states, and the maps of states.

use crate::support;

use lts::bisimulation::{delay, strong, weak};
use lts::compress::{chase, deter, diamond, model_compress, tau_loop_factor};
use lts::refine::refines;
use lts::{Builder, Label, Labels, Lts, Model, Reduced, StateId, Stop, Watch};
use support::denotation::{self, States, close};
use support::{for_random_systems, show, system, unwatched};

const MODELS: [Model; 7] = Model::ALL;

/// The models that a compression preserves: elimination of silent steps, and merging of states with explicit
/// acceptances, preserve nothing beyond failures.
fn models_preserved(name: &str, lts: &Lts) -> &'static [Model] {
    if name == "diamond" || lts.acceptances().is_some() { &Model::ALL[..3] } else { &Model::ALL }
}

type Compression = fn(&Lts, &mut Watch<'_>) -> Result<Reduced, Stop>;

/// The compressions that preserve every model.
const EXACT: [(&str, Compression); 5] =
    [("strong", strong), ("delay", delay), ("weak", weak), ("tau_loop_factor", tau_loop_factor), ("diamond", diamond)];

fn apply(compression: Compression, lts: &Lts) -> Reduced {
    compression(lts, &mut unwatched()).expect("the computation is not cancelled")
}

#[test]
fn results_are_equivalent_in_every_model() {
    for_random_systems(1000, 8, |_, lts| {
        for (name, compression) in EXACT {
            let reduced = apply(compression, lts).lts;
            for &model in models_preserved(name, lts) {
                let forth = denotation::refines(lts, &reduced, model);
                let back = denotation::refines(&reduced, lts, model);
                let answer = refines(&reduced, lts, model, &mut unwatched()).expect("the computation is not cancelled");
                if !(forth && back && answer.holds()) {
                    return Err(format!("{name} in {model:?}\n{}", show(&reduced)));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn every_state_that_has_an_image_is_equivalent_to_it() {
    for_random_systems(300, 6, |_, lts| {
        for (name, compression) in EXACT {
            let reduced = apply(compression, lts);
            for state in lts.states() {
                let Some(image) = reduced.map.get(state) else { continue };
                let original = Lts::with_initial(lts.clone(), state);
                let compressed = Lts::with_initial(reduced.lts.clone(), image);
                let is_equivalent = models_preserved(name, lts).iter().all(|&model| {
                    denotation::refines(&original, &compressed, model)
                        && denotation::refines(&compressed, &original, model)
                });
                if !is_equivalent {
                    return Err(format!("{name}: {state:?} and {image:?} of\n{}", show(&reduced.lts)));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_second_time_changes_nothing_and_coarser_equivalences_merge_more() {
    for_random_systems(2000, 10, |_, lts| {
        for (name, compression) in EXACT {
            let once = apply(compression, lts).lts;
            let twice = apply(compression, &once).lts;
            if once.n_states() != twice.n_states() {
                return Err(format!("{name}: {} then {} states", once.n_states(), twice.n_states()));
            }
        }
        let sizes = [strong, delay, weak].map(|compression: Compression| apply(compression, lts).lts.n_states());
        if sizes.is_sorted_by(|left, right| left >= right) { Ok(()) } else { Err(format!("sizes {sizes:?}")) }
    });
}

/// The greatest bisimulation up to silent steps, by its definition; `answers` lists the matches of a visible step.
fn related_modulo_silent_steps(lts: &Lts, answers: impl Fn(StateId, Label) -> States) -> Vec<Vec<bool>> {
    let diverges: Vec<bool> = lts.states().map(|state| denotation::diverges(lts, &States::from([state]))).collect();
    let mut related: Vec<Vec<bool>> =
        diverges.iter().map(|left| diverges.iter().map(|right| left == right).collect()).collect();
    loop {
        let matches = |left: StateId, right: StateId| {
            lts.transitions(left).iter().all(|step| {
                let mut found = match step.label {
                    Label::TAU => close(lts, [right]),
                    label => answers(right, label),
                }
                .into_iter();
                found.any(|target| related[step.target.index()][target.index()])
            })
        };
        let stays = |left: StateId, right: StateId| {
            related[left.index()][right.index()] && matches(left, right) && matches(right, left)
        };
        let next: Vec<Vec<bool>> =
            lts.states().map(|left| lts.states().map(|right| stays(left, right)).collect()).collect();
        if next == related {
            return related;
        }
        related = next;
    }
}

fn check_classes(name: &str, lts: &Lts, reduced: &Reduced, related: &[Vec<bool>]) -> Result<(), String> {
    for left in lts.states() {
        for right in lts.states() {
            if let (Some(left_image), Some(right_image)) = (reduced.map.get(left), reduced.map.get(right))
                && (left_image == right_image) != related[left.index()][right.index()]
            {
                return Err(format!("{name}: {left:?} and {right:?}\n{}", show(&reduced.lts)));
            }
        }
    }
    Ok(())
}

#[test]
fn delay_and_weak_merge_exactly_the_bisimilar_states() {
    for_random_systems(2000, 8, |_, lts| {
        if lts.acceptances().is_some() {
            return Ok(());
        }
        let steps = |states: States, label| -> States {
            states.iter().flat_map(|&state| lts.with_label(state, label)).map(|step| step.target).collect()
        };
        let delayed = related_modulo_silent_steps(lts, |state, label| steps(close(lts, [state]), label));
        check_classes("delay", lts, &apply(delay, lts), &delayed)?;
        let weakly = related_modulo_silent_steps(lts, |state, label| close(lts, steps(close(lts, [state]), label)));
        check_classes("weak", lts, &apply(weak, lts), &weakly)
    });
}

#[test]
fn diamond_leaves_no_silent_steps() {
    for_random_systems(500, 10, |_, lts| {
        let reduced = apply(diamond, lts).lts;
        let is_silent = |state| !reduced.silent(state).is_empty();
        if reduced.states().any(is_silent) { Err(show(&reduced)) } else { Ok(()) }
    });
}

#[test]
fn chase_and_deter_give_a_part_of_the_behavior() {
    for_random_systems(2000, 8, |_, lts| {
        let (chased, determined) = (apply(chase, lts).lts, apply(deter, lts).lts);
        if !determined.is_deterministic() {
            return Err(format!("not deterministic\n{}", show(&determined)));
        }
        let choice = lts::determinism::nondeterminism(&determined, Model::Failures, &mut lts::Watch::none());
        if lts.acceptances().is_none() && choice.expect("the computation is not cancelled").is_some() {
            return Err(format!("what it may do it can refuse\n{}", show(&determined)));
        }
        for (name, part) in [("chase", &chased), ("deter", &determined)] {
            for model in MODELS {
                if lts.acceptances().is_none() && !denotation::refines(lts, part, model) {
                    return Err(format!("{name} in {model:?}\n{}", show(part)));
                }
            }
        }
        Ok(())
    });
}

#[test]
fn a_confluent_system_can_be_chased() {
    let mut labels = Labels::new();
    let diamond_shape = "des (0,6,5)\n(0,tau,1)\n(0,tau,2)\n(1,tau,3)\n(2,tau,3)\n(3,a,4)\n(4,b,0)\n";
    let lts = system(diamond_shape, &mut labels);
    let chased = apply(chase, &lts);
    assert_eq!((chased.lts.n_states(), chased.lts.n_transitions()), (2, 2));
    assert_eq!(chased.map.get(StateId(0)), chased.map.get(StateId(3)));
}

#[test]
fn a_silent_loop_becomes_a_divergent_state_without_failures() {
    let mut labels = Labels::new();
    let lts = system("des (0,3,3)\n(0,tau,1)\n(1,tau,0)\n(1,a,2)\n", &mut labels);
    for (name, compression) in EXACT {
        let reduced = apply(compression, &lts).lts;
        assert!(denotation::refusals(&reduced, &States::from([reduced.initial()])).is_empty(), "{name}");
        assert!(denotation::diverges(&reduced, &States::from([reduced.initial()])), "{name}");
    }
    assert_eq!(apply(tau_loop_factor, &lts).lts.n_states(), 2);
}

fn compressed(lts: &Lts, model: Model) -> Lts {
    model_compress(lts, model, &mut unwatched()).expect("the computation is not cancelled")
}

fn size(lts: &Lts) -> usize {
    lts.n_states() + lts.n_transitions()
}

#[test]
fn compressing_for_a_model_keeps_that_model_and_is_not_larger() {
    for_random_systems(3000, 8, |_, lts| {
        let plain = lts::draw(&lts.reachable().lts, &mut unwatched()).expect("the computation is not cancelled");
        for model in MODELS {
            let small = compressed(&plain, model);
            if !(denotation::refines(&plain, &small, model) && denotation::refines(&small, &plain, model)) {
                return Err(format!("{model:?}\n{}", show(&small)));
            }
            let sizes = [&plain, &small, &compressed(&small, model)].map(size);
            if !sizes.is_sorted_by(|before, after| before >= after) {
                return Err(format!("{model:?}: sizes {sizes:?}\n{}", show(&small)));
            }
        }
        Ok(())
    });
}

#[test]
fn indistinguishable_details_are_removed() {
    let mut labels = Labels::new();
    let choice = system("des (0,6,6)\n(0,a,1)\n(0,a,2)\n(1,b,3)\n(2,b,4)\n(2,c,5)\n(4,tau,4)\n", &mut labels);
    assert_eq!(
        size(&compressed(&choice, Model::Traces)),
        size(&system("des (0,3,3)\n(0,a,1)\n(1,b,2)\n(1,c,2)\n", &mut labels))
    );
    // In failures an unstable state may diverge without effect.
    let settling = system("des (0,3,3)\n(0,tau,0)\n(0,tau,1)\n(1,a,2)\n", &mut labels);
    assert_eq!(compressed(&settling, Model::Failures), system("des (0,1,2)\n(0,a,1)\n", &mut labels));
    // A divergence allows everything.
    assert_eq!(compressed(&settling, Model::FailuresDivergences), system("des (0,1,1)\n(0,tau,0)\n", &mut labels));
}

/// The normal form has 2^40 nodes.
#[test]
fn compressing_for_a_model_gives_up_what_would_be_larger() {
    let (a, b) = (Label(2), Label(3));
    let mut builder = Builder::new();
    builder.add(StateId(0), a, StateId(0));
    builder.add(StateId(0), b, StateId(0));
    builder.add(StateId(0), a, StateId(1));
    for state in 1..40 {
        builder.add(StateId(state), a, StateId(state + 1));
        builder.add(StateId(state), b, StateId(state + 1));
    }
    let lts = builder.finish(StateId(0));
    MODELS.iter().for_each(|&model| assert_eq!(size(&compressed(&lts, model)), size(&lts)));
}

/// A long chain of alternating silent and visible steps, each round of which splits off one state.
#[test]
fn long_chains_are_not_quadratic() {
    let mut builder = Builder::new();
    for state in 0..60_000 {
        builder.add(StateId(state), if state % 2 == 0 { Label::TAU } else { Label(2) }, StateId(state + 1));
    }
    let row = builder.finish(StateId(0));
    assert_eq!(apply(delay, &row).lts.n_states(), 30_001);
    assert_eq!(apply(weak, &row).lts.n_states(), 30_001);
}

/// Every state silently reaches all later ones, and each of them has a step of its own.
#[test]
fn where_the_classes_would_cost_too_much_strong_bisimulation_is_used() {
    let n_states = 4000;
    let mut builder = Builder::new();
    for state in 0..n_states {
        builder.add(StateId(state), Label(2), StateId(n_states + state));
        if state + 1 < n_states {
            builder.add(StateId(state), Label::TAU, StateId(state + 1));
            builder.add(StateId(n_states + state), Label(3), StateId(n_states + state + 1));
        }
    }
    let lts = builder.finish(StateId(0));
    assert_eq!(apply(delay, &lts).lts, apply(strong, &lts).lts);
}
