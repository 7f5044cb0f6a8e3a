//! All tests of this crate from outside, as one program: it is linked once.

mod common;
mod diagnostics;
mod parse;
mod reference;
mod sharing;
mod typecheck;
