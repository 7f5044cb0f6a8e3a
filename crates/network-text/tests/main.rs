//! All tests of this crate from outside, as one program: it is linked once.

mod common;
mod diagnostics;
mod files;
mod names;
mod robustness;
mod round_trip;
