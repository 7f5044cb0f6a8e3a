//! States of a network as states of one that has grown.
//!
//! Machines that are made while they are needed get more local states, so fields become wider and lie elsewhere. What
//! has a number in the network before has the same one in the network after.

use crate::network::Locals;
use crate::packed::Field;
use model::network::LocalState;

/// Which bits of a state belong to what.
#[derive(Debug)]
pub(crate) struct Layout {
    pub(crate) mode: Field,
    /// Each machine, with what the values of its field stand for.
    pub(crate) machines: Vec<(Field, Locals)>,
    /// What is explored beside the network.
    pub(crate) beside: Field,
    pub(crate) n_words: usize,
}

/// How states in one layout become states in another.
pub(crate) struct Translation {
    /// Fields before and after whose values stay what they are.
    kept: [(Field, Field); 2],
    /// Fields before and after, and for each value before the one after.
    machines: Vec<(Field, Field, Vec<u32>)>,
    /// What is the same in all states: machines that were not there before.
    fresh: Vec<(Field, u32)>,
}

impl Translation {
    /// Nothing if all states are the same in both layouts.
    pub(crate) fn between(before: &Layout, after: &Layout) -> Option<Translation> {
        let (old, new) = (&before.machines, &after.machines);
        let is_same = |((old_field, old), (new_field, new)): (&(Field, Locals), &(Field, Locals))| {
            old_field == new_field && new.states().starts_with(old.states())
        };
        let fields = |layout: &Layout| (layout.mode, layout.beside, layout.n_words, layout.machines.len());
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
            kept: [(before.mode, after.mode), (before.beside, after.beside)],
            machines: old.iter().zip(new).map(machine).collect(),
            fresh: new[old.len()..].iter().map(fresh).collect(),
        })
    }

    /// Writes a state anew.
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
