//! Claims about systems that are there as a whole.

use crate::{Answer, Claim, Counterexample, Fault, Reason, Statistics, Verdict};
use lts::determinism::Nondeterminism;
use lts::refine::{self, Violation};
use lts::tau::Divergences;
use lts::{Builder, Label, Lts, Model, StateId, Stopped, Watch};

/// Decides a claim about an explicit system.
pub fn decide_explicit(claim: &Claim, system: &Lts, watch: &mut Watch<'_>) -> Answer<StateId> {
    let mut statistics = Statistics {
        n_states: system.n_states() as u64,
        n_transitions: system.n_transitions() as u64,
        ..Statistics::default()
    };
    let verdict = match claim {
        Claim::Refines(spec, model) => refines(spec, system, *model, &mut statistics, watch),
        Claim::DeadlockFree(model) => {
            refines(&never_stuck(system), system, *model, &mut statistics, watch).map(|verdict| match verdict {
                Verdict::Fails(Some(mut run)) => {
                    if let Fault::Refusal { .. } = run.fault {
                        run.fault = Fault::Deadlock;
                    }
                    Verdict::Fails(Some(run))
                }
                other => other,
            })
        }
        Claim::DivergenceFree => divergence_free(system, watch),
        Claim::Deterministic(model) => deterministic(system, *model, watch),
        Claim::HasTrace(..) => Err(Stopped),
    };
    Answer { verdict: verdict.unwrap_or(Verdict::Unknown(Reason::Interrupted)), statistics }
}

fn refines(
    spec: &Lts,
    system: &Lts,
    model: Model,
    statistics: &mut Statistics,
    watch: &mut Watch<'_>,
) -> Result<Verdict<StateId>, Stopped> {
    let refinement = refine::refines(spec, system, model, watch)?;
    statistics.n_states = refinement.n_pairs as u64;
    statistics.n_spec_states = Some(refinement.n_nodes as u64);
    let Some(found) = refinement.counterexample else { return Ok(Verdict::Holds) };
    let mut steps: Vec<(Label, StateId)> = found.steps.iter().map(|step| (step.label, step.target)).collect();
    let last = steps.last().map_or(system.initial(), |step| step.1);
    let fault = match found.violation {
        Violation::Event { event, allowed } => {
            let target = system.with_label(last, event)[0].target;
            steps.push((event, target));
            Fault::Event(allowed)
        }
        Violation::Refusal { accepted, demanded } => Fault::Refusal { accepted, demanded },
        Violation::Divergence { silent, loop_start } => {
            let start = steps.len() + loop_start;
            steps.extend(silent.iter().map(|step| (step.label, step.target)));
            Fault::Divergence(start)
        }
    };
    Ok(Verdict::Fails(Some(Counterexample { start: system.initial(), steps, fault })))
}

/// The specification of a system that can always do something: any of the labels, as the system likes.
fn never_stuck(system: &Lts) -> Lts {
    let mut builder = Builder::new();
    let mut labels: Vec<Label> = system.states().flat_map(|state| system.initials(state)).collect();
    labels.sort_unstable();
    labels.dedup();
    labels.retain(|&label| label != Label::TICK);
    let start = StateId(0);
    for (i, &label) in labels.iter().enumerate() {
        let choice = StateId(i as u32 + 2);
        builder.add(start, Label::TAU, choice);
        builder.add(choice, label, start);
    }
    let end = StateId(1);
    let last = StateId(labels.len() as u32 + 2);
    builder.add(start, Label::TAU, last);
    builder.add(last, Label::TICK, end);
    builder.finish(start)
}

fn divergence_free(system: &Lts, watch: &mut Watch<'_>) -> Result<Verdict<StateId>, Stopped> {
    let divergences = Divergences::of(system, watch)?;
    let mut parents: Vec<Option<(StateId, Label)>> = vec![None; system.n_states()];
    let mut order = vec![system.initial()];
    let mut next = 0;
    while let Some(&state) = order.get(next) {
        next += 1;
        if divergences.contains(state) {
            let mut steps = Vec::new();
            let mut at = state;
            while at != system.initial() {
                let (parent, label) = parents[at.index()].expect("every state but the first was found from another");
                steps.push((label, at));
                at = parent;
            }
            steps.reverse();
            return Ok(Verdict::Fails(Some(diverging(system, &divergences, steps, watch)?)));
        }
        for step in system.transitions(state).iter().filter(|step| step.label != Label::TICK) {
            if step.target != system.initial() && parents[step.target.index()].is_none() {
                parents[step.target.index()] = Some((state, step.label));
                order.push(step.target);
            }
        }
    }
    Ok(Verdict::Holds)
}

fn diverging(
    system: &Lts,
    divergences: &Divergences,
    mut steps: Vec<(Label, StateId)>,
    _: &mut Watch<'_>,
) -> Result<Counterexample<StateId>, Stopped> {
    let mut state = steps.last().map_or(system.initial(), |step| step.1);
    let mut met = vec![state];
    let start = steps.len();
    loop {
        let step = system.silent(state).iter().find(|step| divergences.contains(step.target));
        let step = step.expect("systems that are not annotated diverge by silent steps");
        steps.push((Label::TAU, step.target));
        state = step.target;
        if let Some(place) = met.iter().position(|&other| other == state) {
            return Ok(Counterexample { start: system.initial(), steps, fault: Fault::Divergence(start + place) });
        }
        met.push(state);
    }
}

fn deterministic(system: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Verdict<StateId>, Stopped> {
    let Some(found) = lts::determinism::nondeterminism(system, model, watch)? else { return Ok(Verdict::Holds) };
    let told = |steps: &[lts::Transition]| steps.iter().map(|step| (step.label, step.target)).collect::<Vec<_>>();
    let (steps, fault) = match found {
        Nondeterminism::Choice { event, refusing, accepted, .. } => {
            (told(&refusing), Fault::Nondeterminism(event, accepted))
        }
        Nondeterminism::Divergence { steps, silent, loop_start } => {
            let place = steps.len() + loop_start;
            (told(&[steps, silent].concat()), Fault::Divergence(place))
        }
    };
    Ok(Verdict::Fails(Some(Counterexample { start: system.initial(), steps, fault })))
}
