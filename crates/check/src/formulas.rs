//! Claims about networks, decided by a SAT solver.

use crate::network::NetworkAnswer;
use crate::{Answer, Claim, Reason, Statistics, Verdict};
use explore::{Limits, Observer};
use lts::normal::Room;
use lts::{Model, Watch};
use model::network::Network;
use progress::Progress;
use symbolic::{Proof, Property, Settings, prove_by_frames, prove_by_induction, search_bounded};

/// Nodes of a specification that are encoded.
const MAX_NODES: usize = 1 << 16;

/// How formulas are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Formulas {
    /// Which way.
    pub engine: SatEngine,
    /// How far, and how.
    pub settings: Settings,
}

/// The ways in which formulas are asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SatEngine {
    /// Whether a run of so many steps, or fewer, breaks a claim.
    Bounded,
    /// The same, and whether longer ones can.
    Induction,
    /// Whether clauses about states that at most so many steps lead to become an invariant, or a run breaks a claim.
    Frames,
}

/// Decides a claim about a network by formulas; and proofs that others can check, if they were asked for and nothing breaks it.
pub fn decide_by_formulas(
    claim: &Claim,
    network: &Network,
    how: Formulas,
    limits: &Limits,
    progress: &dyn Progress,
) -> (NetworkAnswer, Vec<Proof>) {
    let mut question = Question { network, how, limits, progress, proofs: Vec::new() };
    let answer = question.decide_claim(claim);
    (answer, question.proofs)
}

struct Question<'a> {
    network: &'a Network,
    how: Formulas,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    proofs: Vec<Proof>,
}

impl Question<'_> {
    fn decide_claim(&mut self, claim: &Claim) -> NetworkAnswer {
        match claim {
            Claim::DeadlockFree(model) => self.decide(&Property::DeadlockFree, *model),
            Claim::Refines(specification)
                if !specification.model().sees_revivals() && !specification.model().tests_refusals() =>
            {
                let room = Room { n_nodes: MAX_NODES, n_elements: usize::MAX };
                match specification.normal_form(room, &mut Watch::new(self.progress)) {
                    Err(stop) => unknown(stop.into()),
                    Ok(None) => unknown(Reason::TooLarge),
                    Ok(Some(form)) => {
                        let model = specification.model();
                        let mut answer = self.decide(&Property::Refines(&form, model), model);
                        answer.statistics.n_spec_states = Some(form.n_states() as u64);
                        answer
                    }
                }
            }
            _ => unknown(Reason::Unsupported),
        }
    }

    fn decide(&mut self, property: &Property<'_>, model: Model) -> NetworkAnswer {
        let Formulas { engine, settings } = self.how;
        let decide = match engine {
            SatEngine::Bounded => search_bounded,
            SatEngine::Induction => prove_by_induction,
            SatEngine::Frames => prove_by_frames,
        };
        let found = decide(self.network, property, &settings, self.progress);
        self.proofs.extend(found.proofs);
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
