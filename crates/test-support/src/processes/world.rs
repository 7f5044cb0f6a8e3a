//! Terms over an alphabet of five events.

use super::text::Printer;
use model::{EventId, EventSet, EventTable};
use process::{CallId, FailureId, Lts, Relation, StepTable, Term, TermId, Terms, Unfold, explore};
use source::{Diagnostic, Phase, Span};

/// Letters of the alphabet: random processes use the first three, constructions may use the others as fresh events.
pub const LETTERS: [&str; 5] = ["a", "b", "c", "d", "e"];

/// Number of letters that random processes use.
pub const N_USED: u32 = 3;

/// Terms with their events, definitions and steps.
#[derive(Debug)]
pub struct World {
    /// Store of terms.
    pub terms: Terms,
    /// Table of the five letters.
    pub events: EventTable,
    /// Definitions of calls.
    pub definitions: Definitions,
    /// Memoized steps.
    pub table: StepTable,
}

/// Bodies of calls, by number.
#[derive(Debug, Default)]
pub struct Definitions {
    /// Body of each call.
    pub bodies: Vec<TermId>,
}

impl Unfold for Definitions {
    fn unfold(&mut self, _: &mut Terms, call: CallId) -> Result<TermId, Box<Diagnostic>> {
        let missing = || Box::new(Diagnostic::error(Phase::Evaluate, "test::undefined", Span::new(0, 0), "undefined"));
        self.bodies.get(call.0 as usize).copied().ok_or_else(missing)
    }

    fn call_text(&mut self, call: CallId) -> String {
        format!("P{}", call.0)
    }

    fn call_span(&self, call: CallId) -> Span {
        Span::new(call.0, call.0 + 1)
    }

    fn failure(&self, _: FailureId) -> &Diagnostic {
        unreachable!("random terms do not fail")
    }
}

impl Default for World {
    fn default() -> World {
        let mut events = EventTable::default();
        for letter in LETTERS {
            events.intern(letter);
        }
        let (terms, definitions, table) = Default::default();
        World { terms, events, definitions, table }
    }
}

impl World {
    /// Number of a term.
    pub fn term(&mut self, term: Term) -> TermId {
        self.terms.intern(term)
    }

    /// Transition system of a term, if it has at most `max_states` states.
    ///
    /// # Panics
    /// When the steps of the term cannot be computed; those of random terms always can.
    pub fn lts(&mut self, term: TermId, max_states: usize) -> Option<Lts> {
        let World { terms, definitions, table, .. } = self;
        match explore(table, terms, definitions, term, max_states, &progress::NoProgress) {
            Ok(lts) => Some(lts),
            Err(unfinished) => match unfinished.reason {
                process::StopReason::Error(_, error) => panic!("{error:?} in {}", self.text(term)),
                process::StopReason::Stopped(_) => None,
            },
        }
    }

    /// Term with the definitions it uses, in full.
    pub fn text(&mut self, term: TermId) -> String {
        let mut text = self.line(term);
        for index in 0..self.definitions.bodies.len() {
            let body = self.definitions.bodies[index];
            text.push_str(&format!("\n  where P{index} = {}", self.line(body)));
        }
        text
    }

    fn line(&mut self, term: TermId) -> String {
        let World { terms, events, definitions, .. } = self;
        Printer { terms, events, unfold: definitions, max_depth: 1000 }.print(term)
    }

    /// Number of operators of a term, repetitions included, calls not unfolded.
    pub fn size(&self, term: TermId) -> usize {
        1 + self.terms.get(term).operands().iter().map(|&operand| self.size(operand)).sum::<usize>()
    }
}

/// Events of these letters.
pub fn set(letters: &str) -> EventSet {
    let mut events: Vec<EventId> = letters.chars().map(event).collect();
    events.sort_unstable();
    events.dedup();
    events.into()
}

/// Event of a letter.
///
/// # Panics
/// When it is none of [`LETTERS`].
pub fn event(letter: char) -> EventId {
    let position = LETTERS.iter().position(|&known| known.starts_with(letter));
    EventId(position.expect("one of the letters") as u32)
}

/// Relation with these pairs of letters: `ab bc`.
pub fn relation(pairs: &str) -> Relation {
    let mut pairs: Vec<(EventId, EventId)> = pairs
        .split_whitespace()
        .filter_map(|pair| {
            let mut letters = pair.chars();
            Some((event(letters.next()?), event(letters.next()?)))
        })
        .collect();
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into()
}
