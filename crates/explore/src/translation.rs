//! Translation of states between the layouts of a network and of its extension.
//!
//! Lazily compiled machines gain local states, so fields become wider and move. Everything that has a number in the
//! network keeps it in the extended network.

use crate::network::Locals;
use crate::packed::Field;
use model::network::LocalState;

/// The layout of a packed state.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) mode: Field,
    /// The field of each machine, with the local states of its values.
    pub(crate) machines: Vec<(Field, Locals)>,
    /// The field of the observer.
    pub(crate) observer: Field,
    pub(crate) n_words: usize,
}

/// The mapping from one layout to another.
pub(crate) struct Translation {
    /// Fields before and after whose values are copied.
    kept: [(Field, Field); 2],
    /// Fields before and after, and for each value before the one after.
    machines: Vec<(Field, Field, Vec<u32>)>,
    /// Fields of machines that did not exist before, with their constant values.
    fresh: Vec<(Field, u32)>,
}

impl Translation {
    /// The mapping; none if the layouts are equal.
    pub(crate) fn between(before: &Layout, after: &Layout) -> Option<Translation> {
        let (old, new) = (&before.machines, &after.machines);
        let is_same = |((old_field, old), (new_field, new)): (&(Field, Locals), &(Field, Locals))| {
            old_field == new_field && new.states().starts_with(old.states())
        };
        let fields = |layout: &Layout| (layout.mode, layout.observer, layout.n_words, layout.machines.len());
        if fields(before) == fields(after) && old.iter().zip(new).all(is_same) {
            return None;
        }
        let machine = |((old_field, old), (new_field, new)): (&(Field, Locals), &(Field, Locals))| {
            let value = |&state: &u32| new.value(LocalState(state)).expect("what may be reached may still be reached");
            (*old_field, *new_field, old.states().iter().map(value).collect())
        };
        let fresh = |(field, locals): &(Field, Locals)| {
            (*field, locals.value(LocalState(0)).expect("every machine may be in its first state"))
        };
        Some(Translation {
            kept: [(before.mode, after.mode), (before.observer, after.observer)],
            machines: old.iter().zip(new).map(machine).collect(),
            fresh: new[old.len()..].iter().map(fresh).collect(),
        })
    }

    /// Translates a state.
    pub(crate) fn translate(&self, before: &[u64], after: &mut [u64]) {
        for (old, new) in &self.kept {
            new.set(after, old.get(before));
        }
        for (old, new, values) in &self.machines {
            new.set(after, values[old.get(before) as usize]);
        }
        for &(field, value) in &self.fresh {
            field.set(after, value);
        }
    }
}
