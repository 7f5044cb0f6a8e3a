//! All tests of this crate from outside, as one program: it is linked once.

#[path = "../../temporal/tests/support/mod.rs"]
mod formulas;
mod lassos;
mod order;
mod proofs;
mod random;
#[path = "../../explore/tests/support/mod.rs"]
mod support;
