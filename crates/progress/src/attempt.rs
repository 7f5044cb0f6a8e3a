//! Ways that were tried to decide something, for those who want to know how an answer came about.

/// One way, and what came of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Attempt {
    /// Its name.
    pub way: &'static str,
    /// What was chosen for it, in a word or two; empty if there was nothing to choose.
    pub how: String,
    /// What came of it.
    pub outcome: Outcome,
    /// States that it looked at.
    pub n_states: u64,
    /// Where machines were put together, in order: how many states there would be in all combinations, and how many the piece has.
    pub pieces: Vec<(u64, u64)>,
}

/// What came of one way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The answer.
    Decided,
    /// No answer, and it will not be gone on with.
    InVain,
    /// Another way was faster.
    Overtaken,
}

impl Outcome {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Decided => "decided",
            Outcome::InVain => "in-vain",
            Outcome::Overtaken => "overtaken",
        }
    }
}

impl Attempt {
    /// A way that was tried as it is.
    pub fn new(way: &'static str, outcome: Outcome, n_states: u64) -> Attempt {
        Attempt { way, how: String::new(), outcome, n_states, pieces: Vec::new() }
    }
}
