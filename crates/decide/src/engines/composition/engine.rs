//! Compositional minimisation as an engine: the claim is decided about fewer and smaller machines that are equivalent
//! in its model.

use super::{Sight, Strategy, compose, strategies};
use crate::answer::{Composed, NetworkAnswer};
use crate::engine::{ClaimProblem, Engine, Problem, Report};
use crate::engines::search::search;
use crate::schedule::{Features, PropertyKind};
use crate::{Claim, Verdict};
use explore::{Limits, Observer};
pub(crate) use limits::effort::composition::MAX_STRATEGIES;
use limits::effort::composition::{MAX_COMPOSED, MAX_SEARCHED};
use lts::{Model, Reason};
use progress::Progress;

/// Compositional minimisation.
pub struct CompositionalMinimisation;

impl Engine for CompositionalMinimisation {
    fn name(&self) -> &'static str {
        "composition"
    }

    fn applies(&self, features: &Features) -> bool {
        // A refinement is composed together with its watchdog, which hides more.
        let is_about_states =
            matches!(features.property, PropertyKind::DeadlockFreedom(_) | PropertyKind::DivergenceFreedom);
        is_about_states && features.can_compose && features.n_machines > 1
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let composed = problem.claim().and_then(|of| by_composition(of, problem.limits, progress));
        composed.unwrap_or_else(|| Report::unknown(Reason::Unsupported))
    }
}

/// Decides a problem about composed machines. A counterexample is lifted to a run of the original network. None if that
/// does not work.
pub(crate) fn by_composition(problem: ClaimProblem<'_>, limits: &Limits, progress: &dyn Progress) -> Option<Report> {
    match problem.claim {
        // Pieces are equivalent in failures, not in revivals.
        Claim::Refines(specification) if specification.model().sees_revivals() => None,
        Claim::Refines(specification) => {
            composed((problem, limits), problem.observer?, Sight::Events, specification.model(), progress)
        }
        Claim::DivergenceFree => {
            let freedom = Observer::divergence_freedom();
            composed((problem, limits), &freedom, Sight::Visibility, Model::FailuresDivergences, progress)
        }
        Claim::DeadlockFree(model) => {
            if model.sees_divergences() {
                let report = divergence_freedom(problem, limits, progress)?;
                if let Verdict::Fails(_) = report.verdict {
                    return Some(report);
                }
            }
            let freedom = Observer::deadlock_freedom(Model::Failures);
            composed((problem, limits), &freedom, Sight::Nothing, Model::Failures, progress)
        }
        Claim::Deterministic(_) | Claim::HasTrace(..) => None,
    }
}

fn divergence_freedom(problem: ClaimProblem<'_>, limits: &Limits, progress: &dyn Progress) -> Option<Report> {
    let freedom = Observer::divergence_freedom();
    let answer = search(&freedom, problem.network, &limits.with_budget(MAX_SEARCHED), progress);
    match answer.verdict {
        Verdict::Unknown(_) => {
            composed((problem, limits), &freedom, Sight::Visibility, Model::FailuresDivergences, progress)
        }
        _ => Some(answer.into()),
    }
}

/// Searches composed machines that are equivalent for an observer with such a sight; strategies are tried in the order
/// of their estimates.
fn composed(
    (problem, limits): (ClaimProblem<'_>, &Limits),
    observer: &Observer,
    sight: Sight,
    model: Model,
    progress: &dyn Progress,
) -> Option<Report> {
    strategies(problem.network).into_iter().take(MAX_STRATEGIES).find_map(|strategy| {
        let mut pieces = Vec::new();
        let answer = composed_by(strategy, (problem, limits), observer, (sight, model), &mut pieces, progress)?;
        Some(Report { variant: strategy.name().to_owned(), pieces, ..Report::from(answer) })
    })
}

fn composed_by(
    strategy: Strategy,
    (problem, limits): (ClaimProblem<'_>, &Limits),
    observer: &Observer,
    (sight, model): (Sight, Model),
    pieces: &mut Vec<(u64, u64)>,
    progress: &dyn Progress,
) -> Option<NetworkAnswer> {
    let composition = compose(problem.network, sight, model, strategy, progress)?;
    pieces.clone_from(&composition.sizes);
    let composed = &composition.network;
    let limits = limits.with_budget(MAX_COMPOSED);
    let mut answer = search(observer, composed, &limits, progress);
    answer.statistics.composed = Some(Composed::of(problem.network, composed));
    answer.verdict = match answer.verdict {
        Verdict::Holds => Verdict::Holds,
        Verdict::Fails(found) => Verdict::Fails(composition.lift(problem.network, &found, progress)?),
        Verdict::Unknown(_) => return None,
    };
    Some(answer)
}
