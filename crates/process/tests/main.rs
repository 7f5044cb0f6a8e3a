//! All tests of this crate from outside, as one program: it is linked once.

mod compile;
mod denotation;
mod exact;
mod laws;
mod limits;
mod open;
mod priority;
mod steps;
