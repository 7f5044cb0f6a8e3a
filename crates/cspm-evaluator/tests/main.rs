//! All tests of this crate from outside, as one program: it is linked once.

mod by_name;
mod chains;
#[path = "../../cspm/tests/common/mod.rs"]
mod common;
mod diagnostics;
mod evaluate;
mod evaluation;
mod robustness;
mod sharing;
