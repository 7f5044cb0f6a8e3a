//! Variables and their domains.

use super::Sort;
use std::sync::Arc;

crate::numbers!(
    /// Number of a variable in its network.
    VariableId
);

/// A variable of a network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variable {
    /// The name for display.
    pub name: Arc<str>,
    /// The shape and the domains.
    pub kind: Kind,
    /// The extent of its value in time.
    pub lifetime: Lifetime,
}

/// The lifetime of the value of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lifetime {
    /// Kept from step to step: part of the state.
    Run,
    /// Local to one command. Between steps it has its initial value.
    Step,
}

/// The shape of a variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// One value.
    Scalar(Domain),
    /// A fixed number of values.
    Array {
        /// The domain of the elements.
        element: Domain,
        /// The number of elements.
        length: u32,
    },
    /// A first-in first-out queue of messages.
    Queue {
        /// The domains of the fields of a message.
        message: Box<[Domain]>,
        /// The greatest number of messages.
        capacity: u32,
    },
}

/// A set of simple values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// `false` and `true`, which are 0 and 1 in cells.
    Boolean,
    /// A closed range of integers.
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

    /// Whether it contains a value.
    pub fn contains(self, value: i64) -> bool {
        (self.least()..=self.greatest()).contains(&value)
    }

    /// The sort of its values.
    pub fn sort(self) -> Sort {
        match self {
            Domain::Boolean => Sort::Boolean,
            Domain::Integers { .. } => Sort::Integer,
        }
    }

    /// The number of values; `None` if the range is empty or the number exceeds 64 bits.
    pub fn n_values(self) -> Option<u64> {
        let distance = self.greatest().checked_sub(self.least())?;
        u64::try_from(distance).ok()?.checked_add(1)
    }
}

impl Kind {
    /// The number of cells.
    pub fn n_cells(&self) -> u64 {
        match self {
            Kind::Scalar(_) => 1,
            Kind::Array { length, .. } => u64::from(*length),
            Kind::Queue { message, capacity } => {
                (message.len() as u64).saturating_mul(u64::from(*capacity)).saturating_add(1)
            }
        }
    }

    /// The domain of a cell.
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
