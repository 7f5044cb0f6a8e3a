//! Formulas about the events of a script, made ready to be decided.
//!
//! The formulas of a script, and those from outside of it, are read when the script is opened ([`read()`], [`Asked`]);
//! each is an assertion. [`ReadFormula::question`] makes a [`Question`] of one: what names mean is settled, and whether
//! it has a meaning at all. [`Question::lower`] then makes properties of it, for a system with certain labels: event
//! patterns denote sets of labels, variables get the values that occur, and quantifiers become conjunctions and
//! disjunctions. The meaning of the words of the script is given by a [`Vocabulary`].

mod asked;
mod branching;
mod check;
mod choices;
#[allow(missing_docs)] // Functions are named for what they say.
pub mod errors;
mod fairness;
mod ground;
mod linear;
mod question;
mod read;
mod vocabulary;
mod written;

pub use asked::{Asked, AskedFormula, AskedText};
pub use choices::{Choices, Fair, Reduce, Setting, Zeno};
pub use property::Occurring;
pub use question::{Lowered, Meaning, Question};
pub use read::{FormulaText, Logic, ReadFormula, concerns_formula, explain_unknown, read};
pub use vocabulary::{Answer, Bound, Environment, Unmet, Vocabulary, is_unmet};
pub use written::{Place, Written};
