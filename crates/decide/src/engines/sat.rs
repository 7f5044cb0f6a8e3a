//! SAT engines: bounded model checking, k-induction and property directed reachability.

use crate::answer::{NetworkAnswer, unknown};
use crate::engine::{ClaimProblem, Engine, Problem, Report};
use crate::schedule::{Features, PropertyKind};
use crate::{Answer, Claim, Reason, Statistics, Verdict};
use explore::{Limits, Observer};
use limits::effort::sat::{MAX_DEPTH, MAX_LITERALS, MAX_NODES, MIN_DEPTH, VERY_WIDE};
use lts::normal::Room;
use lts::{Model, Watch};
use model::network::Network;
use progress::Progress;
use symbolic::{Frequency, Proof, Property, Settings, prove_by_induction, prove_by_pdr, search_bounded};

impl Features {
    /// The depth to which the network can be unrolled, if a SAT engine applies at all.
    fn unrolling_depth(&self) -> Option<u64> {
        let is_about_runs = match self.property {
            PropertyKind::Refinement(model) => !model.sees_revivals() && !model.tests_refusals(),
            PropertyKind::DeadlockFreedom(_) => true,
            _ => false,
        };
        let depth = (MAX_LITERALS / self.size.max(1)).min(MAX_DEPTH);
        (is_about_runs && self.can_encode && depth >= MIN_DEPTH).then_some(depth as u64)
    }
}

fn solve(problem: &Problem<'_, '_>, engine: SatEngine, settings: Settings, progress: &dyn Progress) -> Report {
    // Divergences, where the model sees them, are looked for on this thread alone.
    let limits = Limits { n_workers: 1, ..*problem.limits };
    let Some(ClaimProblem { claim, network, .. }) = problem.claim() else {
        return Report::unknown(Reason::Unsupported);
    };
    decide_by_formulas(claim, network, Formulas { engine, settings }, &limits, progress).0.into()
}

/// Bounded model checking: Biere, Cimatti, Clarke, Zhu (1999); for CSP: Palikareva, Ouaknine, Roscoe (2012),
/// *SAT-solving in CSP trace refinement*.
pub struct Bounded;

impl Engine for Bounded {
    fn name(&self) -> &'static str {
        "bmc"
    }

    fn applies(&self, features: &Features) -> bool {
        features.unrolling_depth().is_some()
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        let depth = problem.features.unrolling_depth().unwrap_or(0);
        // The counterexample need not be shortest here.
        let settings = Settings { depth, frequency: Frequency::Auto, ..Settings::default() };
        solve(problem, SatEngine::Bounded, settings, progress)
    }
}

/// k-induction: Sheeran, Singh, Stålmarck (2000).
pub struct Induction {
    depth: u64,
}

impl Induction {
    /// Two steps.
    pub const SHALLOW: Induction = Induction { depth: 2 };
}

impl Engine for Induction {
    fn name(&self) -> &'static str {
        "induction"
    }

    fn applies(&self, features: &Features) -> bool {
        features.unrolling_depth().is_some() && features.n_machines > VERY_WIDE
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        solve(problem, SatEngine::Induction, Settings { depth: self.depth, ..Settings::default() }, progress)
    }
}

/// Property directed reachability, IC3: Bradley (2011); Eén, Mishchenko, Brayton (2011).
pub struct Pdr;

impl Engine for Pdr {
    fn name(&self) -> &'static str {
        "pdr"
    }

    fn applies(&self, features: &Features) -> bool {
        features.unrolling_depth().is_some()
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        solve(problem, SatEngine::Pdr, Settings { depth: u64::MAX, ..Settings::default() }, progress)
    }
}

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
    Pdr,
}

/// Decides a claim about a network by formulas; and proofs that others can check, if they were asked for and nothing
/// breaks it.
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
            SatEngine::Pdr => prove_by_pdr,
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
