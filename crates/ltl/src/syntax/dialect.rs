//! Whose rules a formula is read by.
//!
//! All dialects share the words and signs; they differ in what binds tighter and in what a name without brackets means.
//! The tables of precedence are data: the parser climbs them, and the warning about formulas that other tools group
//! otherwise compares them.

use super::tree::{Binary, StateWord};
use Binary::{
    And, Equivalent, Implies, LeadsTo, Or, Release, Since, StrongRelease, Trigger, Until, WeakSince, WeakUntil, Xor,
};

/// Whose rules a formula is read by.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Dialect {
    /// ProB: `G([a] => F {p})`.
    ProB,
    /// Spin, inside `ltl { }`: `[](p -> <> q)`.
    Spin,
    /// Spin, on its command line (`spin -f`), and ltl2ba.
    SpinCommand,
    /// PAT: names of events look back at the step that led here.
    Pat,
    /// CSP: names of events without brackets, `c?x!y`.
    Csp,
}

/// The meaning of a name without brackets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BareName {
    /// The step taken from here matches.
    NextStep,
    /// The step that led here matches.
    LastStep,
    /// A property of the state.
    State,
}

/// How operators of one level group among themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Associativity {
    /// `a * b * c` is `(a * b) * c`.
    Left,
    /// `a * b * c` is `a * (b * c)`.
    Right,
    /// `a * b * c` needs brackets.
    None,
}

/// Operators that bind equally tight.
#[derive(Clone, Copy, Debug)]
pub struct Level {
    /// The operators.
    pub operators: &'static [Binary],
    /// How they group.
    pub associativity: Associativity,
}

/// The levels of a tool, weakest first; operators before their operand bind tightest everywhere.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// The tool, as messages call it.
    pub tool: &'static str,
    /// Its levels.
    pub levels: &'static [Level],
}

const TEMPORAL: &[Binary] = &[Until, WeakUntil, Release, StrongRelease, Since, WeakSince, Trigger];
const LEADS_TO: Level = none(&[LeadsTo]);
/// Only PAT has it.
const XOR: Level = left(&[Xor]);

const fn left(operators: &'static [Binary]) -> Level {
    Level { operators, associativity: Associativity::Left }
}

const fn right(operators: &'static [Binary]) -> Level {
    Level { operators, associativity: Associativity::Right }
}

const fn none(operators: &'static [Binary]) -> Level {
    Level { operators, associativity: Associativity::None }
}

const SPIN_LEVELS: &[Level] = &[LEADS_TO, left(&[Implies, Equivalent]), left(&[Or]), left(&[And]), XOR, left(TEMPORAL)];
/// Connectives bind equally tight.
const LTL2BA_LEVELS: &[Level] = &[LEADS_TO, left(&[Or, And, Implies, Equivalent]), XOR, left(TEMPORAL)];

static PROB: Table = Table {
    tool: "ProB",
    levels: &[LEADS_TO, none(&[Equivalent]), left(&[Implies]), left(&[And, Or]), XOR, left(TEMPORAL)],
};
static SPIN: Table = Table { tool: "Spin", levels: SPIN_LEVELS };
static SPIN_COMMAND: Table = Table { tool: "`spin -f`", levels: LTL2BA_LEVELS };
/// PAT hands formulas to LTL2BA as they are written.
static PAT: Table = Table { tool: "PAT", levels: LTL2BA_LEVELS };
static CSP: Table = Table { tool: "CSP", levels: SPIN_LEVELS };
static SPOT: Table = Table {
    tool: "Spot",
    levels: &[LEADS_TO, right(&[Implies, Equivalent]), left(&[Or]), left(&[And]), XOR, right(TEMPORAL)],
};
static LTSMIN: Table = Table {
    tool: "LTSmin",
    levels: &[LEADS_TO, left(TEMPORAL), left(&[Implies]), left(&[Equivalent]), left(&[Or]), left(&[And]), XOR],
};

/// Tools whose formulas are often copied; a grouping on which these disagree deserves a warning.
pub(crate) static FAMILIAR: [&Table; 4] = [&PROB, &SPIN, &SPIN_COMMAND, &SPOT];
/// Tools that group so differently from all others that a disagreement is only worth a note.
pub(crate) static REMOTE: [&Table; 1] = [&LTSMIN];

impl Dialect {
    /// The operator that binds tighter.
    pub fn table(self) -> &'static Table {
        match self {
            Dialect::ProB => &PROB,
            Dialect::Spin => &SPIN,
            Dialect::SpinCommand => &SPIN_COMMAND,
            Dialect::Pat => &PAT,
            Dialect::Csp => &CSP,
        }
    }

    /// The meaning of a name without brackets, unless the model defines it.
    pub fn bare_name(self) -> BareName {
        match self {
            Dialect::ProB | Dialect::Spin | Dialect::SpinCommand => BareName::State,
            Dialect::Pat => BareName::LastStep,
            Dialect::Csp => BareName::NextStep,
        }
    }

    /// Whether conditions such as `x == 1` are written without braces.
    pub(crate) fn has_bare_conditions(self) -> bool {
        matches!(self, Dialect::Spin | Dialect::SpinCommand | Dialect::Pat)
    }

    /// Whether braces hold events rather than a predicate: processes have no variables to ask about.
    pub(crate) fn braces_hold_events(self) -> bool {
        self == Dialect::Csp
    }

    /// Whether a word names a property of states here; elsewhere it is a name like any other.
    pub(crate) fn knows(self, word: StateWord) -> bool {
        use StateWord::*;
        match self {
            Dialect::ProB => true,
            Dialect::Csp => !matches!(word, Goal | Error),
            Dialect::Spin | Dialect::SpinCommand | Dialect::Pat => matches!(word, Deadlock | Terminated),
        }
    }
}

/// How `a FIRST b SECOND c` is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Grouping {
    /// `(a FIRST b) SECOND c`.
    Left,
    /// `a FIRST (b SECOND c)`.
    Right,
    /// Not without brackets.
    Refused,
}

impl Table {
    /// Which operand the middle of `a FIRST b SECOND c` belongs to.
    pub(crate) fn grouping(&self, first: Binary, second: Binary) -> Grouping {
        let (tight, loose) = (self.level(first), self.level(second));
        if tight != loose {
            return if tight > loose { Grouping::Left } else { Grouping::Right };
        }
        match self.levels[tight].associativity {
            Associativity::Left => Grouping::Left,
            Associativity::Right => Grouping::Right,
            Associativity::None => Grouping::Refused,
        }
    }

    fn level(&self, operator: Binary) -> usize {
        let holds = |level: &Level| level.operators.contains(&operator);
        self.levels.iter().position(holds).expect("every table has every operator")
    }
}
