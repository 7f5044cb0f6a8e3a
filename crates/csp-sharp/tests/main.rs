//! All tests of this crate from outside, as one program: it is linked once.

mod common;
mod diagnostics;
mod limits;
mod lowering;
mod robustness;
mod steps;
mod timed;
mod zones;
