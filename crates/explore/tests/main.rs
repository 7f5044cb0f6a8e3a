//! All integration tests of this crate in one program, which is linked once.

mod agreement;
mod check;
mod data;
mod graph;
mod reduction;
mod support;
mod symmetry;
mod terminal;
