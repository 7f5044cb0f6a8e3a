//! What a variable may hold.

use super::Sort;
use std::sync::Arc;

crate::numbers!(
    /// Number of a variable in its network.
    VariableId
);

/// A variable of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// Its name for people.
    pub name: Arc<str>,
    /// What it may hold.
    pub kind: Kind,
    /// How long it keeps its value.
    pub lifetime: Lifetime,
}

/// How long a variable keeps its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// From one step to the next: it is a part of the state.
    Run,
    /// While one command is executed. Between steps it has its initial value.
    Step,
}

/// What a variable may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One value.
    Scalar(Domain),
    /// A fixed number of values.
    Array {
        /// Of each of them.
        element: Domain,
        /// How many.
        length: u32,
    },
    /// Messages, taken out in the order in which they were put in.
    Queue {
        /// The fields of a message.
        message: Box<[Domain]>,
        /// How many messages it holds at most.
        capacity: u32,
    },
}

/// A set of simple values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// `false` and `true`, which are 0 and 1 in cells.
    Boolean,
    /// The integers between two, which are included.
    Integers {
        /// The least.
        low: i64,
        /// The greatest.
        high: i64,
    },
}

impl Domain {
    /// The least value.
    pub fn least(self) -> i64 {
        match self {
            Domain::Boolean => 0,
            Domain::Integers { low, .. } => low,
        }
    }

    /// The greatest value.
    pub fn greatest(self) -> i64 {
        match self {
            Domain::Boolean => 1,
            Domain::Integers { high, .. } => high,
        }
    }

    /// Whether a value belongs to it.
    pub fn contains(self, value: i64) -> bool {
        (self.least()..=self.greatest()).contains(&value)
    }

    /// What its values are.
    pub fn sort(self) -> Sort {
        match self {
            Domain::Boolean => Sort::Boolean,
            Domain::Integers { .. } => Sort::Integer,
        }
    }

    /// How many values there are; none if the range is empty or counts beyond 64 bits.
    pub fn n_values(self) -> Option<u64> {
        let distance = self.greatest().checked_sub(self.least())?;
        u64::try_from(distance).ok()?.checked_add(1)
    }
}

impl Kind {
    /// How many cells it takes.
    pub fn n_cells(&self) -> u64 {
        match self {
            Kind::Scalar(_) => 1,
            Kind::Array { length, .. } => u64::from(*length),
            Kind::Queue { message, capacity } => {
                (message.len() as u64).saturating_mul(u64::from(*capacity)).saturating_add(1)
            }
        }
    }

    /// The domain of one of its cells.
    pub(super) fn cell_domain(&self, cell: usize) -> Domain {
        match self {
            Kind::Scalar(domain) | Kind::Array { element: domain, .. } => *domain,
            Kind::Queue { capacity, .. } if cell == 0 => Domain::Integers { low: 0, high: i64::from(*capacity) },
            Kind::Queue { message, .. } => message[(cell - 1) % message.len()],
        }
    }

    /// The domain of each cell.
    pub fn cell_domains(&self) -> impl Iterator<Item = Domain> + '_ {
        let (n_first, first, n_rest, rest): (u32, Domain, u32, &[Domain]) = match self {
            Kind::Scalar(domain) => (1, *domain, 0, &[]),
            Kind::Array { element, length } => (*length, *element, 0, &[]),
            Kind::Queue { message, capacity } => {
                (1, Domain::Integers { low: 0, high: i64::from(*capacity) }, *capacity, message)
            }
        };
        let rest = (0..n_rest).flat_map(move |_| rest.iter().copied());
        std::iter::repeat_n(first, n_first as usize).chain(rest)
    }
}
