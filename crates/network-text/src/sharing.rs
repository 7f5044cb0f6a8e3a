//! Sharing of equal machines.

use hashbrown::hash_table::{Entry, HashTable};
use model::network::Machine;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

/// Distinct machines, numbered in order of first occurrence.
#[derive(Default)]
pub struct Sharing {
    hasher: hashbrown::DefaultHashBuilder,
    numbers: HashTable<usize>,
    machines: Vec<Arc<Machine>>,
}

impl Sharing {
    /// The number of a machine up to equality.
    pub fn number(&mut self, machine: &Arc<Machine>) -> usize {
        let Sharing { hasher, numbers, machines } = self;
        let is_equal = |&number: &usize| Arc::ptr_eq(&machines[number], machine) || machines[number] == *machine;
        match numbers.entry(hash(hasher, machine), is_equal, |&number| hash(hasher, &machines[number])) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                free.insert(machines.len());
                machines.push(machine.clone());
                machines.len() - 1
            }
        }
    }

    /// The shared representative of a machine.
    pub fn share(&mut self, machine: Machine) -> Arc<Machine> {
        let number = self.number(&Arc::new(machine));
        self.machines[number].clone()
    }
}

fn hash(hasher: &impl BuildHasher, machine: &Machine) -> u64 {
    let mut hasher = hasher.build_hasher();
    for state in machine.states() {
        hasher.write_usize(machine.edges(state).len());
        for edge in machine.edges(state) {
            hasher.write_u32(edge.action.0);
            hasher.write_u32(edge.target.0);
        }
    }
    hasher.finish()
}
