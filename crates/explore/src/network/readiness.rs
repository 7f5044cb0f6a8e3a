//! Bit-parallel readiness tests: which of 64 items all their participants are ready for.
//!
//! An item, a rule or an alternative of an inhibitor, requires an action of some machines. For each machine that one of
//! the 64 items requires, a table has for each of its local states the bit set of the items that it does not block. The
//! intersection of these sets has the items that all machines are ready for: one table lookup for each machine, up to
//! the first empty intersection.

use super::{Locals, NetworkSpace};
use crate::packed::Field;
pub(super) use limits::effort::instances::MAX_TABLE_WORDS;
use model::network::{Action, Machine, MachineId};
use std::collections::{BTreeMap, HashMap};

/// The number of items of a group.
pub(super) const GROUP: usize = u64::BITS as usize;

/// Tables for the local states of machines.
#[derive(Debug, Default)]
pub(super) struct Readiness {
    tables: Vec<u64>,
    lookups: Vec<Lookup>,
}

/// A table for the values of a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    field: Field,
    start: u32,
}

/// Items that are tested together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    all: u64,
    /// The range of its lookups.
    lookups: (u32, u32),
}

impl Readiness {
    /// The entry of a table for a state.
    #[inline]
    pub(super) fn entry(&self, lookup: Lookup, state: &[u64]) -> u64 {
        self.tables[lookup.start as usize + lookup.field.get(state) as usize]
    }

    /// The bit set of the items of a group that all machines are ready for.
    #[inline]
    pub(super) fn ready(&self, group: Group, state: &[u64]) -> u64 {
        let mut ready = group.all;
        for &lookup in &self.lookups[group.lookups.0 as usize..group.lookups.1 as usize] {
            ready &= self.entry(lookup, state);
            if ready == 0 {
                break;
            }
        }
        ready
    }

    /// Adds a group of at most [`GROUP`] items, each given by the actions that it requires; none if the tables would
    /// exceed `max_words`.
    pub(super) fn add_group<'a>(
        &mut self,
        space: &NetworkSpace<'_>,
        items: impl ExactSizeIterator<Item = &'a [(MachineId, Action)]>,
        max_tables: usize,
    ) -> Option<Group> {
        let all = u64::MAX >> (GROUP - items.len());
        // For each machine the required actions, and the items that require them.
        let mut required: BTreeMap<usize, Vec<(Action, u64)>> = BTreeMap::new();
        for (place, parts) in items.enumerate() {
            for &(machine, action) in parts {
                required.entry(machine.index()).or_default().push((action, 1 << place));
            }
        }
        let (n_lookups, n_tables) = (self.lookups.len(), self.tables.len());
        // The most selective machine comes first.
        let mut by_share: Vec<(f64, Lookup)> = Vec::with_capacity(required.len());
        for (machine, required) in required {
            let free = required.iter().fold(u64::MAX, |free, (_, bit)| free & !bit);
            let bits = |action: Action| {
                required.iter().filter(|(wanted, _)| *wanted == action).fold(0, |bits, (_, bit)| bits | bit)
            };
            let Some(lookup) = self.add_table(space, machine, &bits, free, max_tables) else {
                self.tables.truncate(n_tables);
                return None;
            };
            let table = &self.tables[lookup.start as usize..];
            let n_ready: u64 = table.iter().map(|bits| u64::from((bits & all).count_ones())).sum();
            by_share.push((n_ready as f64 / table.len() as f64, lookup));
        }
        by_share.sort_by(|one, other| one.0.total_cmp(&other.0));
        self.lookups.extend(by_share.into_iter().map(|(_, lookup)| lookup));
        Some(Group { all, lookups: (n_lookups as u32, self.lookups.len() as u32) })
    }

    /// Adds a table of the bits of the actions that each local state of a machine offers, and of constant bits; none if
    /// the tables would exceed `max_words`.
    pub(super) fn add_table(
        &mut self,
        space: &NetworkSpace<'_>,
        machine: usize,
        bits: &dyn Fn(Action) -> u64,
        always: u64,
        max_tables: usize,
    ) -> Option<Lookup> {
        let (locals, start) = (&space.locals[machine], self.tables.len());
        if start + locals.n_values() as usize > max_tables {
            return None;
        }
        let offered = offers(&space.network.machines[machine], locals, bits);
        self.tables.extend(offered.map(|offered| offered | always));
        Some(Lookup { field: space.fields[machine], start: start as u32 })
    }
}

/// The bits of the offered actions, for each value of the field of a machine.
fn offers(machine: &Machine, locals: &Locals, bits: &dyn Fn(Action) -> u64) -> impl Iterator<Item = u64> {
    let mut known: HashMap<Action, u64> = HashMap::new();
    (0..locals.n_values()).map(move |value| {
        let edges = machine.edges(locals.state(value)).iter();
        edges.fold(0, |all, edge| all | *known.entry(edge.action).or_insert_with(|| bits(edge.action)))
    })
}
