//! Formulas as they are written.
//!
//! [`parse_ltl`] and [`parse_ctl`] read a formula by the rules of a [`Dialect`] into a [`Formula`]: the tree as
//! written, with the place of each part. What stands in brackets and braces belongs to the model and stays text.
//! `to_string` gives the reading, with all brackets. A consumer then says what bare names mean
//! ([`Formula::resolve_names`]), replaces named patterns ([`Formula::expand`]) and asks which variables events bind
//! ([`Formula::bindings`]).

mod binding;
mod cursor;
mod dialect;
mod errors;
mod event;
mod lint;
mod list;
mod named;
mod names;
mod operand;
mod parser;
mod piece;
mod precedence;
mod premise;
mod print;
mod quantifier;
mod read_event;
mod token;
mod tree;

pub use binding::{Binder, Binding};
pub use dialect::{Associativity, BareName, Dialect, Level, Table};
pub use event::{Event, EventPattern, Field, Mark, Value};
use limits::input::text::MAX_FORMULA_BYTES;
pub use list::{Entry, parse_list};
pub use parser::MAX_DEPTH;
pub use piece::{Conjunct, Piece, PieceKind};
pub use tree::{
    Atom, Binary, Change, Domain, Fair, Form, Formula, Named, Node, NodeId, Quantifier, StateWord, Strength, Text,
    Unary,
};

use cursor::Read;
use parser::{Parser, Time};
use source::{Diagnostic, Severity, Span};

/// The result of parsing a formula.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The formula, unless there is an error.
    pub formula: Option<Formula>,
    /// Errors, warnings and notes, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a formula of linear time that begins at the offset `base`.
pub fn parse_ltl(text: &str, base: u32, dialect: Dialect) -> Parsed {
    parse(text, base, dialect, Time::Linear)
}

/// Reads a formula of branching time that begins at the offset `base`. Its temporal operators are all
/// [`Form::PathUnary`] and [`Form::PathBinary`], and it has no premise.
pub fn parse_ctl(text: &str, base: u32, dialect: Dialect) -> Parsed {
    parse(text, base, dialect, Time::Branching)
}

fn parse(text: &str, base: u32, dialect: Dialect, time: Time) -> Parsed {
    let mut diagnostics = Vec::new();
    let formula = read(text, base, dialect, time, &mut diagnostics);
    let formula = formula.map_err(|diagnostic| diagnostics.push(*diagnostic)).ok();
    diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span.start);
    let is_wrong = diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error);
    Parsed { formula: formula.filter(|_| !is_wrong), diagnostics }
}

fn read(text: &str, base: u32, dialect: Dialect, time: Time, found: &mut Vec<Diagnostic>) -> Read<Formula> {
    if text.len() > MAX_FORMULA_BYTES {
        return Err(errors::too_long(MAX_FORMULA_BYTES, Span::new(base, base)).into());
    }
    let mut parser = Parser::new(text, base, dialect, time);
    let root = parser.run()?;
    found.extend(parser.warnings());
    let (formula, notes) = premise::split(dialect, parser.tree.nodes, root)?;
    if time == Time::Branching
        && let Some(premise) = formula.premise
    {
        return Err(errors::misplaced_fairness(formula.node(premise).span).into());
    }
    found.extend(notes);
    found.extend(named::check(&formula));
    found.extend(binding::check(&formula));
    found.extend(lint::check(&formula));
    Ok(formula)
}
