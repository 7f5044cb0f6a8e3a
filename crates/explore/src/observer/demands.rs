//! Acceptance conditions of a specification: a stable state must offer all events of a minimal acceptance. In the
//! revivals model there are more acceptances, and each offered event must be in an acceptance that is offered
//! completely.
//!
//! A node may have thousands of minimal acceptances (`|~|` over all events has one for each), so they are sorted: only
//! those whose first event is offered are compared.

use lts::{Label, Lts, StateId};
use std::collections::HashMap;

/// The minimal acceptances of all nodes; nodes with the same ones share them.
#[derive(Debug, Default)]
pub(super) struct Demands {
    labels: Vec<Label>,
    /// The ranges of labels of acceptances.
    sets: Vec<(u32, u32)>,
    /// The ranges of acceptances, sorted by label, and whether the empty set is one; it is not stored.
    families: Vec<(u32, u32, bool)>,
    of_node: Vec<u32>,
}

/// The family of a node without an acceptance condition.
const ANYTHING: u32 = u32::MAX;

/// The minimal acceptances of one node.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Family<'a> {
    demands: &'a Demands,
    sets: &'a [(u32, u32)],
    /// Whether the empty set is an acceptance.
    may_stop: bool,
}

impl Demands {
    /// The acceptances of all nodes of a normal form.
    pub(super) fn of_all(normal: &Lts, sees_revivals: bool) -> Demands {
        let mut demands = Demands::default();
        let Some(acceptances) = normal.acceptances() else { return demands };
        let mut known: HashMap<Vec<&[Label]>, u32> = HashMap::new();
        for node in normal.states() {
            let mut sets: Vec<&[Label]> = acceptances.of(node).collect();
            sets.sort_unstable();
            let family = if !sees_revivals && sets.first().is_some_and(|set| set.is_empty()) {
                ANYTHING
            } else {
                *known.entry(sets).or_insert_with_key(|sets| demands.add(sets))
            };
            demands.of_node.push(family);
        }
        demands
    }

    fn add(&mut self, sets: &[&[Label]]) -> u32 {
        let first_set = self.sets.len() as u32;
        let may_stop = sets.first().is_some_and(|set| set.is_empty());
        for set in &sets[usize::from(may_stop)..] {
            let start = self.labels.len() as u32;
            self.labels.extend(*set);
            self.sets.push((start, self.labels.len() as u32));
        }
        self.families.push((first_set, self.sets.len() as u32, may_stop));
        self.families.len() as u32 - 1
    }

    /// The acceptances of a node, unless it has no condition.
    pub(super) fn of(&self, node: StateId) -> Option<Family<'_>> {
        let family = self.of_node.get(node.index()).copied().filter(|&family| family != ANYTHING)?;
        let (start, end, may_stop) = self.families[family as usize];
        Some(Family { demands: self, sets: &self.sets[start as usize..end as usize], may_stop })
    }
}

impl Family<'_> {
    /// Whether `offers`, in ascending order, include an acceptance.
    pub(crate) fn are_satisfied_by(self, offers: impl Iterator<Item = Label> + Clone) -> bool {
        self.may_stop || self.has_included(offers, |_| true)
    }

    /// Whether each allowed event among the offers is in an acceptance that they include.
    pub(crate) fn are_revived_by(
        self,
        offers: impl Iterator<Item = Label> + Clone,
        is_allowed: impl Fn(Label) -> bool,
    ) -> bool {
        let is_revived = |event: Label| self.has_included(offers.clone(), |set| set.binary_search(&event).is_ok());
        offers.clone().all(|event| !is_allowed(event) || is_revived(event))
    }

    /// Whether the offers include an acceptance that satisfies a condition.
    fn has_included(self, offers: impl Iterator<Item = Label> + Clone, counts: impl Fn(&[Label]) -> bool) -> bool {
        let mut rest = offers;
        loop {
            let from_here = rest.clone();
            let Some(offer) = rest.next() else { return false };
            let start = self.sets.partition_point(|&set| self.demands.labels(set)[0] < offer);
            let candidates = self.sets[start..].iter().map(|&set| self.demands.labels(set));
            let mut candidates = candidates.take_while(|set| set[0] == offer);
            if candidates.any(|set| includes(from_here.clone(), set) && counts(set)) {
                return true;
            }
        }
    }
}

impl Demands {
    fn labels(&self, (start, end): (u32, u32)) -> &[Label] {
        &self.labels[start as usize..end as usize]
    }
}

/// Whether all of `set` is among the offers, both in ascending order.
fn includes(mut offers: impl Iterator<Item = Label>, set: &[Label]) -> bool {
    set.iter().all(|&wanted| offers.find(|&offer| offer >= wanted) == Some(wanted))
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::Builder;

    #[test]
    fn one_acceptance_has_to_be_included() {
        let (a, b, c, d) = (Label(2), Label(3), Label(4), Label(5));
        let mut builder = Builder::new();
        builder.set_acceptances(StateId(0), [[a, c].as_slice(), &[b, d], &[a, d]]);
        builder.set_acceptances(StateId(1), [[].as_slice()]);
        builder.set_acceptances(StateId(2), []);
        let demands = Demands::of_all(&builder.finish(StateId(0)), false);
        let family = demands.of(StateId(0)).expect("something is demanded");
        for (offers, expected) in [
            (vec![a, b, c], true),
            (vec![b, c, d], true),
            (vec![a, b], false),
            (vec![a, a, d], true),
            (vec![c, d], false),
            (vec![], false),
        ] {
            assert_eq!(family.are_satisfied_by(offers.iter().copied()), expected, "{offers:?}");
        }
        assert!(demands.of(StateId(1)).is_none());
        let never_stable = demands.of(StateId(2)).expect("nothing will do");
        assert!(!never_stable.are_satisfied_by([a, b, c, d].into_iter()));
    }

    #[test]
    fn each_event_has_to_be_in_an_acceptance_that_is_included() {
        let (a, b, c, d) = (Label(2), Label(3), Label(4), Label(5));
        let mut builder = Builder::new();
        builder.set_acceptances(StateId(0), [[a, c].as_slice(), &[b, d], &[a, d]]);
        builder.set_acceptances(StateId(1), [[].as_slice()]);
        let demands = Demands::of_all(&builder.finish(StateId(0)), true);
        let family = demands.of(StateId(0)).expect("something is demanded");
        for (offers, expected) in [
            (vec![a, c], true),
            (vec![a, a, c, d], true),
            (vec![a, b, c], false),
            (vec![a, b, c, d], true),
            (vec![b, c, d], false),
        ] {
            assert_eq!(family.are_revived_by(offers.iter().copied(), |_| true), expected, "{offers:?}");
        }
        assert!(family.are_revived_by([b, c, d].into_iter(), |event| event != c), "that c is wrong is found elsewhere");
        let stuck = demands.of(StateId(1)).expect("something may be too much");
        assert!(stuck.are_satisfied_by([a].into_iter()) && !stuck.are_revived_by([a].into_iter(), |_| true));
    }
}
