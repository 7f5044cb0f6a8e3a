//! The engines, one file or folder each.

pub mod composition;
pub mod determinism;
pub mod lazy;
pub mod on_the_fly;
pub mod place_invariants;
pub mod probe;
pub mod sat;
pub mod search;
pub mod temporal;
pub mod watchdog;
pub mod zones;
