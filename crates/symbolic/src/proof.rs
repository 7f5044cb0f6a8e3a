//! Proofs that others can check: formulas without a solution, and why they have none.
//!
//! While a proof is looked for, a solver is asked many questions, and told in between what it may take for granted. For those who trust neither, what was found is put as
//! one formula without assumptions, which a new solver refutes while it writes down what it learns, in the format DRAT. Checkers of these
//! files need to know nothing of networks or of our solver.

use std::fmt::Write;

/// A formula, and a derivation of the empty clause from it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// What the formula is a part of: `base`, `step` or `invariant`.
    pub name: &'static str,
    /// What it would mean for the formula to have a solution.
    pub meaning: String,
    pub(crate) record: Record,
}

/// What a solver was told, and what it learned. Variables are counted from 1, negation is a minus, and 0 ends a clause.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Record {
    pub(crate) n_variables: usize,
    pub(crate) formula: Vec<i32>,
    /// Clauses that were learned, and those that were forgotten behind [`FORGOTTEN`].
    pub(crate) steps: Vec<i32>,
}

/// Marks a clause that was forgotten.
pub(crate) const FORGOTTEN: i32 = i32::MAX;

impl Proof {
    /// The formula as a file in the format DIMACS.
    pub fn formula(&self) -> String {
        let Record { n_variables, formula, .. } = &self.record;
        let n_clauses = formula.iter().filter(|&&number| number == 0).count();
        let mut text = format!("c {}\np cnf {n_variables} {n_clauses}\n", self.meaning);
        write_clauses(formula, &mut text);
        text
    }

    /// The derivation as a file in the format DRAT.
    pub fn derivation(&self) -> String {
        let mut text = String::new();
        write_clauses(&self.record.steps, &mut text);
        text.push_str("0\n");
        text
    }
}

fn write_clauses(numbers: &[i32], text: &mut String) {
    for &number in numbers {
        let written = match number {
            FORGOTTEN => write!(text, "d "),
            0 => writeln!(text, "0"),
            number => write!(text, "{number} "),
        };
        written.expect("a string has room");
    }
}
