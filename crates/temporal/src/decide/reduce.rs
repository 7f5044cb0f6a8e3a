//! Systems made smaller for one property at a time.

use super::answer::{Outcome, Reduced, Silence, Undecided};
use super::source::Source;
use super::subject::Subject;
use super::{Decider, asks_for_silence};
use crate::reduction::{self, Kind, may_diverge};
use crate::{ActionNetwork, Property, silence};
use explore::Reduction;
use std::slice::from_ref;
use std::sync::Arc;

impl<'n, S: Source> Decider<'_, 'n, S> {
    /// Decides properties of a network one by one, each on as little of it as it can see.
    pub(super) fn decide_reduced(
        &mut self,
        properties: &[Property],
        kind: Kind,
    ) -> Result<Outcome, Undecided<S::Error>> {
        let is_needed = self.needed(properties, kind);
        let needed = properties.iter().enumerate().zip(is_needed).filter(|(_, is_needed)| *is_needed);
        for ((number, property), _) in needed {
            self.reduce_for(property, kind);
            let outcome = loop {
                match self.decide_linear(from_ref(property), number)? {
                    Some(outcome) => break outcome,
                    None => self.explore_further()?,
                }
            };
            if !matches!(outcome, Outcome::Holds) {
                return Ok(outcome);
            }
        }
        if asks_for_silence(self.setting.rules) {
            self.decision.silence = self.find_silence()?;
        }
        Ok(Outcome::Holds)
    }

    /// Which properties must be decided.
    fn needed(&mut self, properties: &[Property], kind: Kind) -> Vec<bool> {
        let n_all = properties.len();
        let (Kind::Symmetry, Some(actions)) = (kind, self.actions()) else { return vec![true; n_all] };
        let is_needed = reduction::needed(actions, properties);
        let n_needed = is_needed.iter().filter(|&&is_needed| is_needed).count();
        if n_needed < n_all {
            self.decision.note(Reduced::Parts { n_needed, n_all });
        }
        is_needed
    }

    /// Reduces the system for a property, or notes why not.
    fn reduce_for(&mut self, property: &Property, kind: Kind) {
        let Some(actions) = self.actions() else { return };
        let reduction = match kind {
            Kind::PartialOrder => reduction::partial_order(actions, from_ref(property), self.setting.rules)
                .map(|order| Reduction::PartialOrder(Arc::new(order))),
            Kind::Symmetry => reduction::symmetry(actions, from_ref(property)).map(|symmetry| {
                self.decision.note(Reduced::Symmetries(symmetry.order()));
                Reduction::Symmetry(Arc::new(symmetry))
            }),
        };
        let reduction = reduction.inspect(|_| self.decision.reduction = Some(kind)).unwrap_or_else(|refusal| {
            self.decision.note(Reduced::Refused(refusal));
            Reduction::None
        });
        if let Subject::Network(network) = &mut *self.subject {
            network.reduce(reduction);
        }
    }

    /// Looks for divergences in the smaller system: none is lost in it.
    fn find_silence(&mut self) -> Result<Silence, Undecided<S::Error>> {
        let Subject::Network(network) = &*self.subject else { return Ok(Silence::Unknown) };
        if network.is_compressed() {
            return Ok(Silence::Unknown);
        }
        if !may_diverge(network.actions()) {
            return Ok(Silence::Never);
        }
        if self.subject.structure().is_none() {
            self.explore_further()?;
        }
        let found = self.subject.structure().and_then(|structure| silence::find(structure, self.setting.rules));
        found.map_or(Ok(Silence::Never), |run| self.subject.run(run).map(Silence::Found))
    }

    fn actions(&self) -> Option<&'n ActionNetwork> {
        match &*self.subject {
            Subject::Network(network) => Some(network.actions()),
            Subject::Walk(_) => None,
        }
    }
}
