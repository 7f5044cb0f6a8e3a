//! What a check found, in the words of the script.

use check::Statistics;
use source::Diagnostic;

/// The answer to one assertion.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The verdict on the assertion as written, a `not` included.
    pub verdict: Verdict,
    /// A behavior that breaks the property. Under `not` it is the reason why the assertion holds.
    pub counterexample: Option<Counterexample>,
    /// What was looked at.
    pub statistics: Statistics,
}

/// Whether an assertion is true.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proved.
    Holds,
    /// Refuted.
    Fails,
    /// Neither, for this reason; the text says more.
    Unknown(&'static str, String),
    /// What the assertion is about cannot be evaluated.
    Error(Box<Diagnostic>),
}

/// A behavior that breaks a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// Every step.
    pub steps: Vec<Step>,
    /// What is wrong at the end.
    pub fault: Fault,
}

/// A step of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The event, `tau` or `tick`.
    pub event: String,
    /// Whether the environment sees it.
    pub is_visible: bool,
    /// The components that took it.
    pub by: Vec<String>,
}

/// What is wrong at the end of a behavior.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The last step is not allowed; these are.
    Event(Vec<String>),
    /// Only this is offered, while one of these sets should be.
    Refusal(Vec<String>, Vec<Vec<String>>),
    /// Nothing is offered.
    Deadlock,
    /// The steps from this place on can be repeated for ever.
    Divergence(usize),
    /// This is not possible, only those are.
    Missing(String, Vec<String>),
    /// This may happen here, and may be refused: then only those are offered.
    Nondeterminism(String, Vec<String>),
}
