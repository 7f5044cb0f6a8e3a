//! All tests of this crate from outside, as one program: it is linked once.

mod fischer;
mod networks;
mod operations;
mod refinement;
