//! All tests of this crate from outside, as one program: it is linked once.

mod by_name;
mod chains;
mod common;
mod diagnostics;
mod evaluate;
mod parse;
mod reference;
mod robustness;
mod sharing;
mod typecheck;
