//! Priority: an event is withdrawn in states that offer something more important.
//!
//! Offers are decided by the steps of the operand as they are, so no compression that merges states with
//! different offers may stand inside.

use super::link::partners;
use super::{Fired, Firing, contains};
use crate::{Label, PriorityOrder, Term, TermId};
use hashbrown::HashSet;
use model::{EventId, EventSet};

/// Which events yield to which.
pub(crate) enum Priority<'a> {
    /// Levels from the most important down. The internal event and termination are on the first; an event on no level
    /// neither yields nor makes others yield.
    Levels(&'a [EventSet]),
    /// An event yields to those above it in the order, and, unless it is maximal, to the internal event and
    /// termination.
    Order(&'a PriorityOrder),
}

impl<'a> Priority<'a> {
    /// The priority that a term puts on its operand.
    pub(crate) fn of(term: &'a Term) -> Option<Priority<'a>> {
        match term {
            Term::Prioritise(_, levels) => Some(Priority::Levels(levels)),
            Term::PrioritiseBy(_, order) => Some(Priority::Order(order)),
            _ => None,
        }
    }

    /// For each of the labels that a state offers whether it stays.
    pub(crate) fn staying(&self, offered: &[Label]) -> Vec<bool> {
        match self {
            Priority::Levels(levels) => {
                let level = |label: &Label| match EventId::of(*label) {
                    None => Some(0),
                    Some(event) => levels.iter().position(|set| contains(set, event)),
                };
                let best = offered.iter().filter_map(level).min();
                offered.iter().map(|label| level(label).is_none_or(|level| Some(level) == best)).collect()
            }
            Priority::Order(order) => {
                let is_urgent = offered.iter().any(|label| EventId::of(*label).is_none());
                let below = all_below(offered, order);
                let stays = |label: &Label| match EventId::of(*label) {
                    Some(event) if contains(&order.events, event) => {
                        !(is_urgent && !contains(&order.maximal, event) || below.contains(&event))
                    }
                    _ => true,
                };
                offered.iter().map(stays).collect()
            }
        }
    }
}

impl Priority<'_> {
    /// The priority on the labels of networks.
    pub(crate) fn on_labels(&self) -> model::network::Priority {
        let mut priority = model::network::Priority::default();
        priority.set_class(lts::Label::TAU, 0);
        priority.set_class(lts::Label::TICK, 0);
        match self {
            Priority::Levels(levels) => {
                for (level, events) in levels.iter().enumerate().rev() {
                    for &event in events.iter() {
                        priority.set_class(event.label(), level as u32);
                    }
                    (0..level as u32).for_each(|stronger| priority.add_yield(level as u32, stronger));
                }
            }
            Priority::Order(order) => {
                let class = |event: EventId| order.events.binary_search(&event).map_or(u32::MAX, |at| at as u32 + 1);
                for &event in order.events.iter() {
                    priority.set_class(event.label(), class(event));
                    if !contains(&order.maximal, event) {
                        priority.add_yield(class(event), 0);
                    }
                    for lower in all_below(&[event.label()], order) {
                        priority.add_yield(class(lower), class(event));
                    }
                }
            }
        }
        priority
    }
}

impl Firing<'_> {
    pub(super) fn fire_priority(&mut self, term: &Term, operand: TermId) -> Fired {
        let priority = Priority::of(term).expect("the term is a priority");
        let offered: Vec<Label> = self.steps(operand).iter().map(|step| step.label).collect();
        let staying = priority.staying(&offered);
        for (index, _) in staying.iter().enumerate().filter(|(_, stays)| **stays) {
            let step = self.step(operand, index);
            let target = self.terms.intern(term.with_operands(&[step.target]));
            self.pass_unchanged(target, step, (0, index))?;
        }
        Ok(())
    }
}

/// Every event that an offered event of the order is above of, directly or not.
fn all_below(offered: &[Label], order: &PriorityOrder) -> HashSet<EventId> {
    let mut below = HashSet::new();
    let offered = offered.iter().filter_map(|label| EventId::of(*label));
    let mut open: Vec<EventId> = offered.filter(|&event| contains(&order.events, event)).collect();
    while let Some(event) = open.pop() {
        for &(_, lower) in partners(&order.above, event) {
            if below.insert(lower) {
                open.push(lower);
            }
        }
    }
    below
}
