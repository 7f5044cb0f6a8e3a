//! Certificates: unsatisfiable formulas with refutations in the DRAT format (Wetzler, Heule and GeometricSearch, 2014,
//! "DRAT-trim").
//!
//! An engine asks an incremental solver many queries under assumptions. A certificate is a single formula without
//! assumptions, which a fresh solver refutes while it records its learned clauses. Checkers of these files need no
//! knowledge of networks or of the solver.

use std::fmt::Write;

/// A formula, and a derivation of the empty clause from it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The part of the argument: `base`, `step` or `invariant`.
    pub name: &'static str,
    /// The meaning of a satisfying assignment.
    pub meaning: String,
    pub(crate) record: Record,
}

/// Clauses of the input and learned clauses. Variables count from 1, negation is a minus, and 0 ends a clause.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Record {
    pub(crate) n_variables: usize,
    pub(crate) formula: Vec<i32>,
    /// Learned clauses, and deleted ones behind [`FORGOTTEN`].
    pub(crate) steps: Vec<i32>,
}

/// Marks a deleted clause.
pub(crate) const FORGOTTEN: i32 = i32::MAX;

impl Proof {
    /// The formula in the DIMACS format.
    pub fn formula(&self) -> String {
        let Record { n_variables, formula, .. } = &self.record;
        let n_clauses = formula.iter().filter(|&&number| number == 0).count();
        let mut text = format!("c {}\np cnf {n_variables} {n_clauses}\n", self.meaning);
        write_clauses(formula, &mut text);
        text
    }

    /// The derivation in the DRAT format.
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
