//! Claims about networks, decided by a SAT solver.

use crate::network::NetworkAnswer;
use crate::{Answer, Claim, Reason, Statistics, Verdict};
use explore::{Limits, Observer};
use lts::normal::Room;
use lts::{Model, Watch};
use model::network::Network;
use progress::Progress;
use symbolic::{Batsat, Property, prove_by_frames, prove_by_induction, search_bounded};

/// Nodes of a specification that are encoded.
const MAX_NODES: usize = 1 << 16;

/// How formulas are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Formulas {
    /// Whether a run of so many steps, or fewer, breaks a claim.
    Bounded(u64),
    /// The same, and whether longer ones can.
    Induction(u64),
    /// Whether clauses about states that at most so many steps lead to become an invariant, or a run breaks a claim.
    Frames(u64),
}

/// Decides a claim about a network by formulas.
pub(crate) fn decide_by_formulas(
    claim: &Claim,
    network: &Network,
    how: Formulas,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    match claim {
        Claim::DeadlockFree(model) => {
            let question = Question { network, how, limits, progress };
            question.decide(&Property::DeadlockFree, *model)
        }
        Claim::Refines(specification)
            if !specification.model().sees_revivals() && !specification.model().tests_refusals() =>
        {
            let room = Room { n_nodes: MAX_NODES, n_elements: usize::MAX };
            match specification.normal_form(room, &mut Watch::new(progress)) {
                Err(stop) => unknown(stop.into()),
                Ok(None) => unknown(Reason::TooLarge),
                Ok(Some(form)) => {
                    let question = Question { network, how, limits, progress };
                    let mut answer =
                        question.decide(&Property::Refines(&form, specification.model()), specification.model());
                    answer.statistics.n_spec_states = Some(form.n_states() as u64);
                    answer
                }
            }
        }
        _ => unknown(Reason::Unsupported),
    }
}

struct Question<'a> {
    network: &'a Network,
    how: Formulas,
    limits: &'a Limits,
    progress: &'a dyn Progress,
}

impl Question<'_> {
    fn decide(&self, property: &Property<'_>, model: Model) -> NetworkAnswer {
        let Question { network, progress, .. } = *self;
        let (mut one, mut other) = (Batsat::new(progress), Batsat::new(progress));
        let found = match self.how {
            Formulas::Bounded(depth) => search_bounded(network, property, &mut one, depth, progress),
            Formulas::Induction(depth) => {
                prove_by_induction(network, property, (&mut one, &mut other), depth, progress)
            }
            Formulas::Frames(depth) => prove_by_frames(network, property, (&mut one, &mut other), depth, progress),
        };
        let statistics = Statistics { depth: Some(found.depth), ..Statistics::default() };
        let verdict = match found.verdict {
            // Divergences are no runs that end.
            Verdict::Holds if model.sees_divergences() => match (self.divergence_free(), property) {
                // The specification may diverge there, too.
                (Verdict::Fails(_), Property::Refines(..)) => Verdict::Unknown(Reason::Unsupported),
                (verdict, _) => verdict,
            },
            verdict => verdict,
        };
        Answer { verdict, statistics }
    }

    fn divergence_free(
        &self,
    ) -> Verdict<crate::Counterexample<model::network::NetworkStep, model::network::FailedStep>> {
        let freedom = Observer::divergence_freedom();
        match explore::check(self.network, &freedom, self.limits, self.progress) {
            Ok(report) => report.verdict,
            Err(_) => Verdict::Unknown(Reason::TooWide),
        }
    }
}

fn unknown(reason: Reason) -> NetworkAnswer {
    Answer { verdict: Verdict::Unknown(reason), statistics: Statistics::default() }
}
