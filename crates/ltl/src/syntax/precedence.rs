//! Formulas that other tools would group otherwise.
//!
//! Where one operator stands unbracketed below another, every table is asked how it would have grouped the two. A
//! formula that is copied between tools changes its meaning exactly where they disagree.

use super::dialect::{Dialect, FAMILIAR, Grouping, REMOTE, Table};
use super::errors;
use super::tree::Binary;
use source::{Diagnostic, Span};

/// Pairs of operators without brackets between them, on which tools disagree.
#[derive(Default, Debug)]
pub(crate) struct Mixes {
    found: Vec<Mix>,
}

#[derive(Clone, Copy, Debug)]
struct Mix {
    first: Binary,
    second: Binary,
    grouping: Grouping,
    span: Span,
}

impl Mixes {
    /// Takes note of `a FIRST b SECOND c`, which was grouped like this; each pair counts once.
    pub fn note(&mut self, first: Binary, second: Binary, grouping: Grouping, span: Span) {
        let is_known = self.found.iter().any(|mix| mix.first == first && mix.second == second);
        if !is_known && (disagrees(&FAMILIAR, first, second, grouping) || disagrees(&REMOTE, first, second, grouping)) {
            self.found.push(Mix { first, second, grouping, span });
        }
    }

    /// A warning for each pair; only a note where a single remote tool differs.
    pub fn warnings(&self, dialect: Dialect) -> Vec<Diagnostic> {
        self.found.iter().map(|mix| mix.warning(dialect)).collect()
    }
}

impl Mix {
    fn warning(&self, dialect: Dialect) -> Diagnostic {
        let Mix { first, second, grouping, span } = *self;
        let others: Vec<&str> = FAMILIAR
            .iter()
            .chain(&REMOTE)
            .filter(|table| differs(table, first, second, grouping))
            .map(|table| table.tool)
            .collect();
        let readings = [Grouping::Left, Grouping::Right].map(|grouping| reading(first, second, grouping));
        let (here, there) = match grouping {
            Grouping::Left => (&readings[0], &readings[1]),
            _ => (&readings[1], &readings[0]),
        };
        let diagnostic = errors::precedence(dialect.table().tool, here, &others.join(", "), there, span);
        if disagrees(&FAMILIAR, first, second, grouping) { diagnostic } else { errors::as_note(diagnostic) }
    }
}

fn disagrees(tables: &[&Table], first: Binary, second: Binary, grouping: Grouping) -> bool {
    tables.iter().any(|table| differs(table, first, second, grouping))
}

/// Whether a tool reads it, and otherwise.
fn differs(table: &Table, first: Binary, second: Binary, grouping: Grouping) -> bool {
    ![grouping, Grouping::Refused].contains(&table.grouping(first, second))
}

fn reading(first: Binary, second: Binary, grouping: Grouping) -> String {
    let (first, second) = (first.sign(), second.sign());
    match grouping {
        Grouping::Left => format!("(a {first} b) {second} c"),
        _ => format!("a {first} (b {second} c)"),
    }
}
