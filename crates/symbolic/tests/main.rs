//! All tests of this crate from outside, as one program: it is linked once.

mod lassos;
mod order;
mod proofs;
// What tests of temporal properties are made of.
#[path = "../../temporal/tests/support/mod.rs"]
mod properties;
mod random;
mod stopping;
#[path = "../../explore/tests/support/mod.rs"]
mod support;
