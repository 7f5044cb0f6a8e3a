//! Linked parallel: `left [a <-> b] right`.
//!
//! A linked event happens only together with its partner on the other side, and is hidden then. All other events are
//! independent, and termination is distributed.

use super::{Fired, Firing};
use crate::{Label, Part, Relation, Term, TermId};
use model::EventId;

impl Firing<'_> {
    pub(super) fn fire_link(&mut self, left: TermId, relation: &Relation, right: TermId) -> Fired {
        let operands = [left, right];
        let mut linked_right: Vec<EventId> = relation.iter().map(|pair| pair.1).collect();
        linked_right.sort_unstable();
        let is_alone = |position, event| match position {
            0 => partners(relation, event).is_empty(),
            _ => linked_right.binary_search(&event).is_err(),
        };
        let rebuild = |operands: Vec<TermId>| Term::Link(operands[0], relation.clone(), operands[1]);
        self.fire_independent(&operands, is_alone, rebuild)?;
        for index in 0..self.n_steps(left) {
            if let Some(event) = EventId::of(self.step(left, index).label) {
                for &(_, partner) in partners(relation, event) {
                    self.fire_linked(&operands, relation, index, partner)?;
                }
            }
        }
        self.fire_termination(&operands)
    }

    fn fire_linked(&mut self, operands: &[TermId; 2], relation: &Relation, index: usize, partner: EventId) -> Fired {
        for other in 0..self.n_steps(operands[1]) {
            if self.step(operands[1], other).label == partner.label() {
                let parts = [Part { operand: 0, step: index as u32 }, Part { operand: 1, step: other as u32 }];
                let (moved, team) = self.move_together(operands, &parts);
                let target = self.terms.intern(Term::Link(moved[0], relation.clone(), moved[1]));
                self.add((Label::TAU, target, team), &parts)?;
            }
        }
        Ok(())
    }
}

/// The pairs of a relation that begin with `event`.
pub(crate) fn partners(relation: &Relation, event: EventId) -> &[(EventId, EventId)] {
    let start = relation.partition_point(|pair| pair.0 < event);
    let end = relation.partition_point(|pair| pair.0 <= event);
    &relation[start..end]
}
