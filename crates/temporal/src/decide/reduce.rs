//! Systems made smaller for one property at a time.

use super::answer::{Outcome, Reduced, Silence, Undecided};
use super::source::{Asked, Source};
use super::subject::Subject;
use super::{Decider, asks_for_silence};
use crate::reduction::{self, Kind, may_diverge};
use crate::{ActionNetwork, Fairness, Property, silence};
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

    /// Tries to answer with few orders of steps what was not answered with few states.
    pub(super) fn try_orders(&mut self, asked: &Asked) -> Result<Option<Outcome>, Undecided<S::Error>> {
        let (Asked::Linear(properties), Some(actions)) = (asked, self.actions()) else { return Ok(None) };
        if !self.setting.tries_orders || asks_for_silence(self.setting.rules) || self.subject.structure().is_some() {
            return Ok(None);
        }
        let stuck = self.find_stuck(properties)?;
        if stuck.outcome.is_some() || !stuck.orders_pay {
            return Ok(stuck.outcome);
        }
        Ok(self.is_proved(properties, actions)?.then_some(Outcome::Holds))
    }

    /// Whether properties are proved on as little of a network as is explored on demand, without the orders of steps that they do not see. What
    /// holds of all runs holds of those that are fair. Nothing but a proof counts: a run that is found elsewhere may be shorter.
    fn is_proved(&mut self, properties: &[Property], actions: &ActionNetwork) -> Result<bool, Undecided<S::Error>> {
        for (number, property) in properties.iter().enumerate() {
            let property = Property { fairness: Fairness::default(), ..property.clone() };
            let Ok(order) = reduction::partial_order(actions, from_ref(&property), self.setting.rules) else {
                return Ok(false);
            };
            self.leave_out(Reduction::PartialOrder(Arc::new(order)));
            if !matches!(self.decide_linear(from_ref(&property), number)?, Some(Outcome::Holds)) {
                self.leave_out(Reduction::None);
                return Ok(false);
            }
        }
        self.decision.reduction = Some(Kind::PartialOrder);
        Ok(true)
    }

    fn leave_out(&mut self, reduction: Reduction) {
        if let Subject::Network(network) = &mut *self.subject {
            network.reduce(reduction);
        }
    }

    /// Which properties must be decided.
    fn needed(&mut self, properties: &[Property], kind: Kind) -> Vec<bool> {
        let n_all = properties.len();
        let (Kind::Symmetry, Some(actions)) = (kind, self.actions()) else { return vec![true; n_all] };
        let is_needed = reduction::needed(actions, properties, self.setting.progress);
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
            Kind::Symmetry => reduction::symmetry(actions, from_ref(property), self.setting.progress).map(|symmetry| {
                self.decision.note(Reduced::Symmetries(symmetry.order()));
                Reduction::Symmetry(Arc::new(symmetry))
            }),
        };
        let reduction = reduction.inspect(|_| self.decision.reduction = Some(kind)).unwrap_or_else(|refusal| {
            self.decision.note(Reduced::Refused(refusal));
            Reduction::None
        });
        self.leave_out(reduction);
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
