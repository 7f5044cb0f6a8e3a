//! Formulas about the events of a script, made ready to be decided.
//!
//! The formulas of a script, and those from outside of it, are read when the script is opened ([`Asked`]); each is an assertion.
//! [`read`] makes a [`Question`] of such an assertion: what names mean is settled, and whether fields fit their channels.
//! [`Question::lower`] then makes properties of it, for a system with certain labels: event patterns denote sets of labels, variables
//! get the values that occur, and quantifiers become conjunctions and disjunctions.

mod branching;
mod check;
mod choices;
mod errors;
mod fairness;
mod formulas;
mod ground;
mod linear;
mod pattern;
mod question;
#[cfg(test)]
mod tests;
mod values;
mod written;

pub use choices::{Choices, Fair, Reduce};
pub use cspm::syntax::TemporalLogic;
pub use formulas::{Asked, AskedText};
pub use pattern::Occurring;
pub use question::{Lowered, Question, read};
pub use written::{Place, Written};

pub(crate) use check::names as check_names;
pub(crate) use formulas::{ReadFormula, concerns_formula, read_formulas};
pub(crate) use pattern::is_unmet;
