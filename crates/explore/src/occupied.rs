//! Reachable local states of machines that are compiled lazily.
//!
//! A network may contain machines with *open* states, whose steps are not compiled yet: there every configuration has a
//! failing step. The search ignores these steps and records the local states that such machines occupy.

use crate::network::NetworkSpace;
use crate::packed::Field;
use crate::search::Search;
use crate::space::{Judgment, Node, Space, Steps};
use crate::width::{TooWide, with_width};
use model::network::{LocalState, MachineId, Network, Occupied};
use progress::{Limits, Progress};
use std::sync::atomic::{AtomicBool, Ordering};

/// The local states of machines with open states that are reachable within the limits. Reaching a limit is no error.
///
/// # Errors
/// If a state is too wide.
pub fn occupied(
    network: &Network,
    open: &[(MachineId, Vec<LocalState>)],
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Vec<Occupied>, TooWide> {
    let (space, _) = NetworkSpace::new(network, &[])?;
    let marks: Vec<Marks> = open.iter().map(|(machine, open)| Marks::new(&space, *machine, open)).collect();
    let demand = Demand { space, marks };
    with_width!(demand.space.n_words(), W => {
        // Visited states are reachable, however the search ends.
        _ = Search::<W>::default().run(&demand, limits, progress);
        demand.marks.iter().map(|marks| marks.occupied(&demand.space)).collect()
    })
}

/// The local states that occur in an enumeration of states.
pub(crate) fn occupied_among(
    space: &NetworkSpace<'_>,
    open: &[(MachineId, Vec<LocalState>)],
    report: impl FnOnce(&mut dyn FnMut(&[u64])),
) -> Vec<Occupied> {
    let marks: Vec<Marks> = open.iter().map(|(machine, open)| Marks::new(space, *machine, open)).collect();
    report(&mut |state| marks.iter().for_each(|marks| marks.mark(state)));
    marks.iter().map(|marks| marks.occupied(space)).collect()
}

/// The occupied local states of a machine, by the values of its field.
struct Marks {
    machine: MachineId,
    field: Field,
    is_open: Vec<bool>,
    is_occupied: Vec<AtomicBool>,
}

impl Marks {
    fn new(space: &NetworkSpace<'_>, machine: MachineId, open: &[LocalState]) -> Marks {
        let (field, n_values) = space.field_of(machine);
        let mut is_open = vec![false; n_values];
        open.iter().filter_map(|&local| space.value_of(machine, local)).for_each(|value| is_open[value] = true);
        Marks { machine, field, is_open, is_occupied: (0..n_values).map(|_| AtomicBool::new(false)).collect() }
    }

    fn mark(&self, state: &[u64]) {
        let is_occupied = &self.is_occupied[self.field.get(state) as usize];
        if !is_occupied.load(Ordering::Relaxed) {
            is_occupied.store(true, Ordering::Relaxed);
        }
    }

    fn occupied(&self, space: &NetworkSpace<'_>) -> Occupied {
        let occupied_states =
            (0..self.is_occupied.len()).filter(|&value| self.is_occupied[value].load(Ordering::Relaxed));
        let open = occupied_states.clone().filter(|&value| self.is_open[value]);
        Occupied {
            machine: self.machine,
            open: open.map(|value| space.local_of(self.machine, value)).collect(),
            n_occupied: occupied_states.count(),
        }
    }
}

struct Demand<'a> {
    space: NetworkSpace<'a>,
    marks: Vec<Marks>,
}

impl<const W: usize> Space<W> for Demand<'_> {
    type Cell = ();
    type Buffers = ();

    fn initial(&self) -> [u64; W] {
        self.space.initial()
    }

    fn expand(&self, Node { state, .. }: Node<'_, W>, (): &mut (), steps: &mut Steps<W>) -> Judgment {
        self.marks.iter().for_each(|marks| marks.mark(state));
        if self.space.successors(state, steps) != Judgment::Fine && self.space.network().priority.is_some() {
            // The unknown steps of an open state may inhibit those of other machines.
            steps.clear();
        }
        Judgment::Fine
    }
}
