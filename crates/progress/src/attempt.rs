//! Engines that were tried for a property, for reports on how a verdict came about.

/// An engine that was tried, and its outcome.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Stable name of the engine.
    pub way: &'static str,
    /// The variant of the method, in a word or two; empty if there is only one.
    pub how: String,
    /// The outcome.
    pub outcome: Outcome,
    /// Visited states.
    pub n_states: u64,
    /// For composition with minimisation: sizes of the products before and after minimisation, in order.
    pub pieces: Vec<(u64, u64)>,
}

/// The outcome of an attempt.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// A verdict.
    Decided,
    /// No verdict; the engine gave up or exhausted its budget.
    Inconclusive,
    /// Another engine decided first.
    Overtaken,
}

impl Outcome {
    /// Stable name, used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Decided => "decided",
            Outcome::Inconclusive => "in-vain",
            Outcome::Overtaken => "overtaken",
        }
    }
}

impl Attempt {
    /// An attempt without variants.
    pub fn new(way: &'static str, outcome: Outcome, n_states: u64) -> Attempt {
        Attempt { way, how: String::new(), outcome, n_states, pieces: Vec::new() }
    }
}
