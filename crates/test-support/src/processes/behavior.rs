//! Traces, failures and divergences of a process, as sets.
//!
//! A [`Behaviors`] holds the traces up to a length, with the sets refused after each, and the divergences. The
//! failures-divergences model is divergence-closed; implied behaviors are not listed, and only minimal divergences are
//! kept. The stable failures model has no divergences, and a trace that no stable state follows has no refusals, not
//! even the empty set.

use crate::processes::world::LETTERS;
use std::collections::{BTreeMap, BTreeSet};

/// Visible events, with an optional [`TICK`] at the end.
pub type Trace = Vec<u8>;

/// Termination, as a letter after all events.
pub const TICK: u8 = LETTERS.len() as u8;

/// Set of letters, termination included, one bit each.
pub type Letters = u8;

/// All visible events.
pub const SIGMA: Letters = (1 << TICK) - 1;

/// Bit of termination.
pub const TICK_BIT: Letters = 1 << TICK;

/// Family of refused sets of letters, one bit for each of the 64 sets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct Refusals(pub u64);

impl Refusals {
    /// Empty family, without even the empty set.
    pub const NONE: Refusals = Refusals(0);
    /// Every set.
    pub const ALL: Refusals = Refusals(u64::MAX);

    /// Sets that satisfy `holds`.
    pub fn where_(holds: impl Fn(Letters) -> bool) -> Refusals {
        Refusals((0..64).filter(|&refused| holds(refused)).fold(0, |family, refused| family | 1 << refused))
    }

    /// Refusals of a stable state that offers exactly these letters.
    pub fn of_offer(offered: Letters) -> Refusals {
        Refusals::where_(|refused| refused & offered == 0)
    }

    /// Refusals of a state that may terminate: all sets without termination.
    pub fn of_termination() -> Refusals {
        Refusals::of_offer(TICK_BIT)
    }

    /// Whether the set is in the family.
    pub fn has(self, refused: Letters) -> bool {
        self.0 >> refused & 1 == 1
    }

    /// Union of two families.
    pub fn or(self, other: Refusals) -> Refusals {
        Refusals(self.0 | other.0)
    }

    /// Intersection of two families.
    pub fn and(self, other: Refusals) -> Refusals {
        Refusals(self.0 & other.0)
    }
}

/// Behaviors of a process, up to a length of traces.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Behaviors {
    /// Traces with their refusals.
    pub failures: BTreeMap<Trace, Refusals>,
    /// Minimal divergences.
    pub divergences: BTreeSet<Trace>,
}

impl Behaviors {
    /// Adds a trace with its refusals.
    pub fn add(&mut self, trace: Trace, refusals: Refusals) {
        let known = self.failures.entry(trace).or_default();
        *known = known.or(refusals);
    }

    /// Whether a prefix of the trace is a divergence.
    pub fn diverges(&self, trace: &[u8]) -> bool {
        (0..=trace.len()).any(|n| self.divergences.contains(&trace[..n]))
    }

    /// Whether this is a trace, possibly implied by a divergence.
    pub fn has_trace(&self, trace: &[u8]) -> bool {
        self.failures.contains_key(trace) || self.diverges(trace)
    }

    /// Refusals after a trace.
    pub fn refusals(&self, trace: &[u8]) -> Refusals {
        if self.diverges(trace) {
            return Refusals::ALL;
        }
        self.failures.get(trace).copied().unwrap_or_default()
    }

    /// Whether the process may terminate after a trace.
    pub fn terminates(&self, trace: &[u8]) -> bool {
        self.has_trace(&with(trace, TICK))
    }

    /// All traces, up to and including the first divergence, with their refusals.
    pub fn traces(&self) -> impl Iterator<Item = (&Trace, Refusals)> {
        let divergent = self.divergences.iter().map(|trace| (trace, Refusals::ALL));
        self.failures.iter().map(|(trace, refusals)| (trace, *refusals)).chain(divergent)
    }

    /// Removes behaviors that the divergences imply, and those longer than `max_length`.
    pub fn normalized(mut self, max_length: usize) -> Behaviors {
        let all = std::mem::take(&mut self.divergences);
        for trace in all {
            if visible_length(&trace) <= max_length && !self.diverges(&trace) {
                self.divergences.insert(trace);
            }
        }
        let divergences = &self.divergences;
        let implied = |trace: &[u8]| (0..=trace.len()).any(|n| divergences.contains(&trace[..n]));
        self.failures.retain(|trace, _| visible_length(trace) <= max_length && !implied(trace));
        self
    }

    /// Textual description, for a failed test.
    pub fn describe(&self) -> String {
        let mut out = String::new();
        for (trace, refusals) in &self.failures {
            let maximal: Vec<String> = (0..64)
                .filter(|&set| refusals.has(set))
                .filter(|&set| !(0..64).any(|more: Letters| more != set && more & set == set && refusals.has(more)))
                .map(letters_text)
                .collect();
            out.push_str(&format!("  <{}> refuses {}\n", trace_text(trace), maximal.join(" ")));
        }
        for trace in &self.divergences {
            out.push_str(&format!("  <{}> diverges\n", trace_text(trace)));
        }
        out
    }
}

/// Trace extended by a letter.
pub fn with(trace: &[u8], letter: u8) -> Trace {
    let mut longer = trace.to_vec();
    longer.push(letter);
    longer
}

/// Concatenation of two traces.
pub fn concatenated(first: &[u8], second: &[u8]) -> Trace {
    [first, second].concat()
}

/// Whether the trace ends with termination.
pub fn is_terminated(trace: &[u8]) -> bool {
    trace.last() == Some(&TICK)
}

/// Number of events of a trace, without termination.
pub fn visible_length(trace: &[u8]) -> usize {
    trace.len() - usize::from(is_terminated(trace))
}

fn letter_text(letter: u8) -> &'static str {
    LETTERS.get(letter as usize).copied().unwrap_or("tick")
}

fn trace_text(trace: &[u8]) -> String {
    trace.iter().map(|&letter| letter_text(letter)).collect::<Vec<_>>().join(",")
}

fn letters_text(set: Letters) -> String {
    let letters: Vec<&str> = (0..=TICK).filter(|letter| set >> letter & 1 == 1).map(letter_text).collect();
    format!("{{{}}}", letters.join(","))
}
