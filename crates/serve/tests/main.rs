//! All tests of this crate from outside, as one program: it is linked once.

mod bounds;
mod common;
mod runs;
mod safety;
