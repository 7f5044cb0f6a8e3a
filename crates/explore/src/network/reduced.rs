//! Partial-order and symmetry reduction of networks. Code that does not depend on the width of states is not generic.

use super::NetworkSpace;
use crate::packed::Field;
use crate::partial_order::PartialOrder;
use crate::space::Steps;
use crate::symmetry::{Scratch, Symmetry};
use model::network::{LocalState, ModeId};
use std::cell::RefCell;

thread_local! {
    static BUFFERS: RefCell<(Vec<u32>, Scratch)> = RefCell::default();
}

impl NetworkSpace<'_> {
    /// Appends the steps of a stubborn set and returns true if these are fewer than all steps; false otherwise.
    #[inline(never)]
    pub(super) fn take_few<const W: usize>(
        &self,
        order: &PartialOrder,
        state: &[u64; W],
        steps: &mut Steps<W>,
    ) -> bool {
        BUFFERS.with_borrow_mut(|(values, _)| {
            self.read_values(state, values);
            let mode = ModeId(values.pop().expect("the mode is the last value"));
            let judge = &mut |rule| self.execute(rule, &mut { *state });
            // Rules that may fail are always visible, so no stubborn set consists of them alone.
            order.reduce(mode, values, judge, &mut |rule| _ = self.take_unexpanded(rule, state, steps))
        })
    }

    /// Replaces a state by the representative of its orbit. Symmetries may permute an extra field like one more
    /// machine.
    pub(crate) fn represent(&self, symmetry: &Symmetry, state: &mut [u64], extra: Option<Field>) {
        BUFFERS.with_borrow_mut(|(values, scratch)| {
            self.read_values(state, values);
            extra.into_iter().for_each(|field| values.insert(self.fields.len(), field.get(state)));
            symmetry.representative(values, scratch);
            self.mode_field.set(state, values.pop().expect("the mode is the last value"));
            extra.into_iter().for_each(|field| field.set(state, values.pop().expect("it was put there")));
            for (machine, &local) in values.iter().enumerate() {
                self.set_local(state, machine, LocalState(local));
            }
        });
    }

    /// The local states of all machines, followed by the mode.
    fn read_values(&self, state: &[u64], values: &mut Vec<u32>) {
        values.clear();
        values.extend((0..self.fields.len()).map(|machine| self.local(state, machine).0));
        values.push(self.mode_field.get(state));
    }
}
