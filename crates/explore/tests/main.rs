//! All tests of this crate from outside, as one program: it is linked once.

mod agreement;
mod check;
mod data;
mod graph;
mod reduction;
mod support;
mod symmetry;
mod terminal;
