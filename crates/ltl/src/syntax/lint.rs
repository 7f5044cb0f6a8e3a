//! Formulas that are right but seldom meant.
//!
//! A run may end. At its last position there is no step, so `[a]` is false there and `G [a]` is false of every run that
//! ends. What a formula is worth at the end of a run is often known from its text alone; these notes come from there.

use super::dialect::{BareName, Dialect};
use super::errors;
use super::tree::{Atom, Binary, Form, Formula, NodeId, StateWord, Unary};
use source::Diagnostic;

/// Notes about a formula.
pub(crate) fn check(formula: &Formula) -> Vec<Diagnostic> {
    let mut notes = Vec::new();
    for node in &formula.nodes {
        if node.form == Form::Atom(Atom::State(StateWord::DetOutput)) {
            notes.push(errors::det_output(node.span));
        }
    }
    // Elsewhere the last state is repeated for ever.
    if matches!(formula.dialect, Dialect::ProB | Dialect::Csp) {
        notes.extend(about_ends(formula));
    }
    notes
}

fn about_ends(formula: &Formula) -> Vec<Diagnostic> {
    let values = values_at_end(formula);
    let mut claimed = vec![false; formula.nodes.len()];
    claimed[formula.body.index()] = true;
    let mut notes = Vec::new();
    for id in formula.ids().rev().filter(|id| id.index() <= formula.body.index()) {
        if !claimed[id.index()] {
            continue;
        }
        match *formula.form(id) {
            Form::Binary(Binary::And, left, right) => {
                claimed[left.index()] = true;
                claimed[right.index()] = true;
            }
            Form::Binary(Binary::Implies, _, right) => claimed[right.index()] = true,
            Form::Quantified { body, .. } => claimed[body.index()] = true,
            Form::Unary(Unary::Globally, operand) => {
                let note = about_always(formula, &values, id, operand);
                // One note for nested operators.
                claimed[operand.index()] = note.is_none();
                notes.extend(note);
            }
            _ => {}
        }
    }
    notes
}

/// Remarks on `G f`.
fn about_always(formula: &Formula, values: &[Option<bool>], id: NodeId, operand: NodeId) -> Option<Diagnostic> {
    let span = formula.node(id).span;
    match *formula.form(operand) {
        // The usual ways to say that nothing ends.
        Form::Unary(Unary::Next, next) if *formula.form(next) == Form::Constant(true) => None,
        Form::Unary(Unary::Not, inner) if *formula.form(inner) == Form::Atom(Atom::State(StateWord::Deadlock)) => None,
        Form::Unary(Unary::Finally, inner) if values[operand.index()] == Some(false) => {
            let better = format!("G(F({} or deadlock))", closed(formula, inner));
            Some(errors::never_ends(&formula.text_of(id), &better, span))
        }
        Form::Constant(false) => None,
        _ if values[operand.index()] == Some(false) => {
            let better = format!("G({} or deadlock)", closed(formula, operand));
            Some(errors::never_ends(&formula.text_of(id), &better, span))
        }
        Form::Binary(Binary::Implies, left, right) => match formula.form(right) {
            Form::Unary(Unary::Next, _) if values[left.index()] != Some(false) => {
                Some(errors::next_at_end(&formula.text_of(left), formula.node(right).span))
            }
            _ => None,
        },
        _ => None,
    }
}

/// The text of a subformula, as an operand.
fn closed(formula: &Formula, id: NodeId) -> String {
    let text = formula.text_of(id);
    if matches!(formula.form(id), Form::Binary(..)) { format!("({text})") } else { text }
}

/// For each node its value at the last position of any run that ends, where the text tells.
fn values_at_end(formula: &Formula) -> Vec<Option<bool>> {
    let mut values: Vec<Option<bool>> = Vec::with_capacity(formula.nodes.len());
    for node in &formula.nodes {
        let of = |id: NodeId| values[id.index()];
        values.push(match &node.form {
            Form::Constant(value) => Some(*value),
            Form::Atom(atom) => atom_at_end(formula.dialect, atom),
            Form::Unary(operator, operand) => match operator {
                Unary::Not => of(*operand).map(|value| !value),
                Unary::Next => Some(false),
                Unary::WeakNext => Some(true),
                Unary::Finally | Unary::Globally => of(*operand),
                _ => None,
            },
            Form::Binary(operator, left, right) => binary_at_end(*operator, of(*left), of(*right)),
            Form::Quantified { body, .. } => of(*body),
            _ => None,
        });
    }
    values
}

fn atom_at_end(dialect: Dialect, atom: &Atom) -> Option<bool> {
    match atom {
        Atom::Step(_) | Atom::Change(..) | Atom::Controller(_) => Some(false),
        Atom::Enabled(_) | Atom::WeaklyEnabled(_) => Some(false),
        Atom::Bare(_) => (dialect.bare_name() == BareName::NextStep).then_some(false),
        Atom::DeadlockOf(_) | Atom::Deterministic(_) => Some(true),
        Atom::State(StateWord::Deadlock | StateWord::Sink) => Some(true),
        Atom::State(_) | Atom::Predicate(_) | Atom::Available(_) => None,
    }
}

fn binary_at_end(operator: Binary, left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match operator {
        Binary::And | Binary::StrongRelease => and(left, right),
        Binary::Or | Binary::WeakUntil => not(and(not(left), not(right))),
        Binary::Implies | Binary::LeadsTo => not(and(left, not(right))),
        Binary::Equivalent => Some(left? == right?),
        Binary::Xor => Some(left? != right?),
        Binary::Until | Binary::Release => right,
        Binary::Since | Binary::WeakSince | Binary::Trigger => None,
    }
}

fn not(value: Option<bool>) -> Option<bool> {
    value.map(|value| !value)
}

fn and(left: Option<bool>, right: Option<bool>) -> Option<bool> {
    match (left, right) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
