//! All tests of this crate from outside, as one program: it is linked once.

mod compose;
mod data;
mod formulas;
mod open;
mod schedule;
#[path = "../../explore/tests/support/mod.rs"]
mod support;
mod temporal_formulas;
#[path = "../../temporal/tests/support/toy.rs"]
mod toy;
mod watchdog;
