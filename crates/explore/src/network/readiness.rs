//! What machines are ready for, told for 64 things at a time.
//!
//! A thing asks some machines for an action each: a rule, or a way of an obstacle. For each machine that any of 64 such
//! things asks, a table says for each of its local states which of them it does not hold up. What no machine holds up,
//! all are ready for: one look into a table for each machine, and none for those behind the first that leaves nothing.

use super::{Locals, NetworkSpace};
use crate::packed::Field;
pub(super) use limits::effort::instances::MAX_TABLE_WORDS;
use model::network::{Action, Machine, MachineId};
use std::collections::{BTreeMap, HashMap};

/// How many things are tested together.
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

/// Things that are tested together.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group {
    all: u64,
    /// Range of lookups.
    lookups: (u32, u32),
}

impl Readiness {
    /// What a table says of a state.
    #[inline]
    pub(super) fn look(&self, lookup: Lookup, state: &[u64]) -> u64 {
        self.tables[lookup.start as usize + lookup.field.get(state) as usize]
    }

    /// The bits of those things of a group that all machines are ready for.
    #[inline]
    pub(super) fn ready(&self, group: Group, state: &[u64]) -> u64 {
        let mut ready = group.all;
        for &lookup in &self.lookups[group.lookups.0 as usize..group.lookups.1 as usize] {
            ready &= self.look(lookup, state);
            if ready == 0 {
                break;
            }
        }
        ready
    }

    /// A group of at most [`GROUP`] things, given what each asks of whom; nothing if there would be more words in
    /// tables than these.
    pub(super) fn add_group<'a>(
        &mut self,
        space: &NetworkSpace<'_>,
        things: impl ExactSizeIterator<Item = &'a [(MachineId, Action)]>,
        max_tables: usize,
    ) -> Option<Group> {
        let all = u64::MAX >> (GROUP - things.len());
        // For each machine what it has to do, and for which of the things.
        let mut asked: BTreeMap<usize, Vec<(Action, u64)>> = BTreeMap::new();
        for (place, parts) in things.enumerate() {
            for &(machine, action) in parts {
                asked.entry(machine.index()).or_default().push((action, 1 << place));
            }
        }
        let (n_lookups, n_tables) = (self.lookups.len(), self.tables.len());
        // Whoever holds up most is asked first.
        let mut by_share: Vec<(f64, Lookup)> = Vec::with_capacity(asked.len());
        for (machine, asked) in asked {
            let free = asked.iter().fold(u64::MAX, |free, (_, bit)| free & !bit);
            let bits = |action: Action| {
                asked.iter().filter(|(wanted, _)| *wanted == action).fold(0, |bits, (_, bit)| bits | bit)
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

    /// A table of the bits of the actions that each local state of a machine offers, and of those that are always
    /// there; nothing if there would be more words in tables than these.
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

/// The bits of what each value of a machine's field offers.
fn offers(machine: &Machine, locals: &Locals, bits: &dyn Fn(Action) -> u64) -> impl Iterator<Item = u64> {
    let mut known: HashMap<Action, u64> = HashMap::new();
    (0..locals.n_values()).map(move |value| {
        let edges = machine.edges(locals.state(value)).iter();
        edges.fold(0, |all, edge| all | *known.entry(edge.action).or_insert_with(|| bits(edge.action)))
    })
}
