//! Removal of redundant bounds.
//!
//! Below a deadline, another bound that is not earlier never stops time first. The engines remove such bounds; the
//! definition keeps them, so configurations are compared without them.

use super::{Configuration, Process, Time};
use std::convert::Infallible;

impl Configuration {
    /// The configuration without redundant bounds below deadlines.
    pub fn without_idle_bounds(&self) -> Configuration {
        Configuration { process: self.process.clone().without_idle_bounds(), data: self.data }
    }
}

impl Process {
    fn without_idle_bounds(self) -> Process {
        let Ok(inside) = self.try_map(&mut |inside| Ok::<_, Infallible>(inside.without_idle_bounds()));
        match inside {
            Process::Deadline(mut inside, left) => {
                while let Some(below) = inside.below_idle_bound(left) {
                    inside = Box::new(below.clone());
                }
                Process::Deadline(inside, left)
            }
            other => other,
        }
    }

    /// The operand of a bound that is not earlier than a deadline.
    fn below_idle_bound(&self, deadline: Time) -> Option<&Process> {
        match self {
            Process::Deadline(inside, left) if *left >= deadline => Some(inside),
            Process::Within(inside, low, high) if *low == Time::from_integer(0) && *high >= deadline => Some(inside),
            _ => None,
        }
    }
}
