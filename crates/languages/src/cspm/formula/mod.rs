//! The vocabulary of formulas in CSPM.
//!
//! A formula is read before names are settled, because it holds expressions of the script: names of channels, values of
//! fields, sets. These become parts of the assertion, so that names and types in them are checked with everything else,
//! and errors are reported at their places in the formula.

mod check;
mod pattern;
mod read;
#[cfg(test)]
mod tests;
mod values;

pub(super) use check::{CspmMeaning, names};
pub(super) use pattern::CspmVocabulary;
pub(super) use read::read_formulas;
pub(super) use values::{Expressions, expressions};
