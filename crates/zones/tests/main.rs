//! All integration tests of this crate in one program, which is linked once.

mod fischer;
mod networks;
mod operations;
mod refinement;
