//! Products of networks that are reduced for one property at a time.

use super::report::{Reduced, Silence, Undecided};
use super::{Decider, Open, Outcome, report};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::{Features, Logic};
use explore::Reduction;
use lts::Verdict;
use progress::Progress;
use property::{Fairness, Property, ReductionKind};
use std::slice::from_ref;
use std::sync::Arc;
use temporal::reduction;
use temporal::{ActionNetwork, silence};

/// A proof on the states near the start under partial-order reduction.
///
/// A property of all runs holds of fair runs. Only proofs count: a run that is found without reduction may be
/// shorter.
pub struct PartialOrderProof;

impl Engine for PartialOrderProof {
    fn name(&self) -> &'static str {
        "partial-order-proof"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| {
            formula.logic == Logic::Linear
                && formula.is_network
                && formula.allows_partial_order
                && formula.reduction.is_none()
        })
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| decider.prove_by_partial_order())
    }
}

/// The product under the reduction that the user asked for.
pub struct ReducedProduct;

impl Engine for ReducedProduct {
    fn name(&self) -> &'static str {
        "reduced-product"
    }

    fn applies(&self, features: &Features) -> bool {
        features
            .property
            .formula()
            .is_some_and(|formula| formula.logic == Logic::Linear && formula.is_network && formula.reduction.is_some())
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| match decider.problem.reduction {
            Some(kind) => decider.decide_reduced(kind),
            None => Ok(None),
        })
    }
}

impl<'n> Decider<'_, 'n> {
    /// Decides properties of a network one by one, each on as little of it as it can see.
    fn decide_reduced(&mut self, kind: ReductionKind) -> Outcome {
        let properties = self.problem.properties();
        let is_needed = self.needed(properties, kind);
        let needed = properties.iter().enumerate().zip(is_needed).filter(|(_, is_needed)| *is_needed);
        for ((number, property), _) in needed {
            self.reduce_for(property, kind);
            let verdict = loop {
                match self.decide_linear(from_ref(property), number)? {
                    Some(verdict) => break verdict,
                    None => self.explore()?,
                }
            };
            if !matches!(verdict, Verdict::Holds) {
                return Ok(Some(verdict));
            }
        }
        if self.problem.asks_for_silence() {
            self.details.silence = self.find_silence()?;
        }
        Ok(Some(Verdict::Holds))
    }

    fn prove_by_partial_order(&mut self) -> Outcome {
        let Some(actions) = self.actions() else { return Ok(None) };
        if self.network.as_ref().is_some_and(|open| !open.learned.partial_order_pays) {
            return Ok(None);
        }
        for (number, property) in self.problem.properties().iter().enumerate() {
            let property = Property { fairness: Fairness::default(), ..property.clone() };
            let Ok(order) = reduction::partial_order(actions, from_ref(&property), self.problem.rules) else {
                return Ok(None);
            };
            self.reduce(Reduction::PartialOrder(Arc::new(order)));
            if !matches!(self.decide_linear(from_ref(&property), number)?, Some(Verdict::Holds)) {
                self.reduce(Reduction::None);
                return Ok(None);
            }
        }
        self.details.reduction = Some(ReductionKind::PartialOrder);
        Ok(Some(Verdict::Holds))
    }

    fn reduce(&mut self, reduction: Reduction) {
        if let Some(Open { learned, .. }) = &mut self.network {
            learned.reduce(reduction);
        }
    }

    /// Which properties must be decided.
    fn needed(&mut self, properties: &[Property], kind: ReductionKind) -> Vec<bool> {
        let n_all = properties.len();
        let (ReductionKind::Symmetry, Some(actions)) = (kind, self.actions()) else { return vec![true; n_all] };
        let is_needed = reduction::needed(actions, properties, self.progress);
        let n_needed = is_needed.iter().filter(|&&is_needed| is_needed).count();
        if n_needed < n_all {
            self.details.note(Reduced::Parts { n_needed, n_all });
        }
        is_needed
    }

    /// Reduces the system for a property, or notes why not.
    fn reduce_for(&mut self, property: &Property, kind: ReductionKind) {
        let Some(actions) = self.actions() else { return };
        let reduction = match kind {
            ReductionKind::PartialOrder => reduction::partial_order(actions, from_ref(property), self.problem.rules)
                .map(|order| Reduction::PartialOrder(Arc::new(order))),
            ReductionKind::Symmetry => {
                reduction::symmetry(actions, from_ref(property), self.progress).map(|symmetry| {
                    self.details.note(Reduced::Symmetries(symmetry.order()));
                    Reduction::Symmetry(Arc::new(symmetry))
                })
            }
        };
        let reduction = reduction.inspect(|_| self.details.reduction = Some(kind)).unwrap_or_else(|refusal| {
            self.details.note(Reduced::Refused(refusal));
            Reduction::None
        });
        self.reduce(reduction);
    }

    /// Searches the reduced system for divergences: the reduction preserves them.
    fn find_silence(&mut self) -> Result<Silence, Undecided> {
        let Some(Open { system, .. }) = &self.network else { return Ok(Silence::Unknown) };
        if let Some(known) = system.silence_by_rules() {
            return Ok(known);
        }
        if self.structure().is_none() {
            self.explore()?;
        }
        let found = self.structure().and_then(|structure| silence::find(structure, self.problem.rules));
        found.map_or(Ok(Silence::Never), |run| self.run(run).map(Silence::Found))
    }

    fn actions(&self) -> Option<&'n ActionNetwork> {
        self.network.as_ref().map(|open| open.system.actions())
    }
}
