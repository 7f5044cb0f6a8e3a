//! Faults of steps.

use progress::Interrupt;
use source::{Diagnostic, Phase, Span};

/// A fault of a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The span.
    pub span: Span,
    /// The kind.
    pub kind: FaultKind,
    /// Values that explain it, with their expressions.
    pub values: Vec<(String, String)>,
}

/// Kinds of faults.
#[derive(Clone, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum FaultKind {
    Division,
    /// An index out of bounds: the array, the index, and the number of elements.
    Index(String, i32, usize),
    /// A value out of range: the variable, the value, and the range.
    Range(String, i32, (i32, i32)),
    /// Access to an element of an empty buffer or object.
    Empty(String),
    /// An element that an object does not have.
    Missing(String, i32),
    Endless,
    /// An `assert` whose condition is false.
    Assertion,
    /// An event that depends on the state, so that its participants are undefined.
    Alphabet(String),
    /// An infinite alphabet.
    EndlessAlphabet,
    /// A number of copies, or a range of indices, that depends on the state.
    Count,
    /// A parameterized family where an instance is required.
    AnyNumber,
    /// A comparison with a process counter that counter abstraction does not decide.
    Uncounted,
    /// Unguarded recursion.
    Unfolding,
    /// A process that is nested too deeply.
    Nesting,
    /// An array where a single value is required.
    Array,
    /// An element of a value that is not an array.
    NoArray,
    /// A negative or huge time.
    Time(i32),
    /// An interval whose lower bound exceeds the upper one.
    EmptyInterval(i32, i32),
    /// More clocks than are supported.
    ManyClocks,
    /// A state that represents more moments than are explored.
    ManyMoments,
    /// An illegal assignment: the name, and its kind.
    Assigned(String, &'static str),
    /// Cancelled.
    Stopped(Interrupt),
}

/// A result, or a fault.
pub type Answer<T> = Result<T, Box<Fault>>;

/// Code, title, label and help of a diagnostic.
type Words = (&'static str, String, String, &'static str);

impl Fault {
    pub(crate) fn new(span: Span, kind: FaultKind) -> Box<Fault> {
        Box::new(Fault { span, kind, values: Vec::new() })
    }

    /// The diagnostic of the fault.
    pub fn diagnose(&self) -> Diagnostic {
        let (code, title, label, help) = self.words();
        let mut diagnostic = Diagnostic::error(Phase::Evaluate, code, self.span, title).label(label).help(help);
        if !self.values.is_empty() {
            let values: Vec<String> = self.values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            diagnostic = diagnostic.with_note(format!("with {}", values.join(", ")));
        }
        diagnostic
    }

    fn words(&self) -> Words {
        match &self.kind {
            FaultKind::Stopped(why) => {
                let (code, title) = match why {
                    Interrupt::Time => {
                        ("csp-sharp::time-limit", "the steps of one state took longer than the time limit")
                    }
                    Interrupt::Memory => {
                        ("csp-sharp::memory-limit", "the steps of one state needed more than the memory limit")
                    }
                    Interrupt::Cancelled | Interrupt::LostRace | Interrupt::GaveUp | Interrupt::Restart => {
                        ("csp-sharp::interrupted", "interrupted")
                    }
                };
                (
                    code,
                    title.to_owned(),
                    "being looked at when it ended".to_owned(),
                    "smaller ranges and fewer copies help",
                )
            }
            FaultKind::Division
            | FaultKind::Index(..)
            | FaultKind::Range(..)
            | FaultKind::Empty(..)
            | FaultKind::Missing(..)
            | FaultKind::Endless
            | FaultKind::Assertion
            | FaultKind::Array
            | FaultKind::NoArray
            | FaultKind::Assigned(..) => self.data_words(),
            FaultKind::Time(..) | FaultKind::EmptyInterval(..) | FaultKind::ManyClocks | FaultKind::ManyMoments => {
                self.time_words()
            }
            FaultKind::Alphabet(..)
            | FaultKind::EndlessAlphabet
            | FaultKind::Count
            | FaultKind::AnyNumber
            | FaultKind::Uncounted
            | FaultKind::Nesting
            | FaultKind::Unfolding => self.structure_words(),
        }
    }

    /// Faults of expressions and programs.
    fn data_words(&self) -> Words {
        let guard = "a guard that keeps the step from being taken here would help";
        match &self.kind {
            FaultKind::Division => {
                ("csp-sharp::division", "division by zero".to_owned(), "the divisor is 0 here".to_owned(), guard)
            }
            FaultKind::Index(array, index, length) => (
                "csp-sharp::index",
                format!("`{array}` has no element {index}"),
                match length {
                    0 => "it has no elements".to_owned(),
                    _ => format!("its elements are 0 to {}", length - 1),
                },
                guard,
            ),
            FaultKind::Range(variable, value, (low, high)) => (
                "csp-sharp::range",
                format!("`{variable}` cannot be {value}"),
                format!("its values are {}", range_text(*low, *high)),
                guard,
            ),
            FaultKind::Empty(name) => (
                "csp-sharp::empty",
                format!("`{name}` is empty"),
                "there is nothing to take here".to_owned(),
                "ask first: `call(cempty, c)`, or `o.Count() > 0`",
            ),
            FaultKind::Missing(name, element) => (
                "csp-sharp::missing",
                format!("`{name}` has no element {element}"),
                "it is asked for here".to_owned(),
                guard,
            ),
            FaultKind::Endless => (
                "csp-sharp::endless",
                "the loop does not end".to_owned(),
                "it was given up after many rounds".to_owned(),
                "programs must end: they are a single step",
            ),
            FaultKind::Assertion => (
                "csp-sharp::assert",
                "an assertion inside of a process is false".to_owned(),
                "this should be true here".to_owned(),
                "the run that leads here shows why it is not",
            ),
            FaultKind::Array => (
                "csp-sharp::whole-array",
                "an array stands where one value is needed".to_owned(),
                "this is an array here".to_owned(),
                "write one of its elements: `x[0]`",
            ),
            FaultKind::NoArray => (
                "csp-sharp::not-an-array",
                "what was received is no array".to_owned(),
                "an index is given".to_owned(),
                "send an array, or use the value as it is",
            ),
            FaultKind::Assigned(name, what) => (
                "csp-sharp::assigned",
                format!("`{name}` is {what} and cannot be assigned"),
                "assigned here".to_owned(),
                "copy it to a variable first: `var copy = ...;`",
            ),
            _ => unreachable!("these faults have other words"),
        }
    }

    /// Faults of times and clocks.
    fn time_words(&self) -> Words {
        match &self.kind {
            FaultKind::Time(value) => (
                "csp-sharp::time",
                format!("a time cannot be {value}"),
                "its time begins here".to_owned(),
                "times are whole numbers from 0 to 1073741824",
            ),
            FaultKind::EmptyInterval(low, high) => (
                "csp-sharp::empty-interval",
                format!("there is no time from {low} to {high}"),
                "its time begins here".to_owned(),
                "the earliest time comes first",
            ),
            FaultKind::ManyClocks => (
                "csp-sharp::many-clocks",
                "more clocks run than can be told apart".to_owned(),
                "they are started here".to_owned(),
                "recursion that keeps starting clocks has no end: call a process where they are gone",
            ),
            FaultKind::ManyMoments => (
                "csp-sharp::many-moments",
                "something may happen at more moments than can be looked at one by one".to_owned(),
                "time passes here".to_owned(),
                "choose a larger unit of time",
            ),
            _ => unreachable!("these faults have other words"),
        }
    }

    /// Faults of the structure of processes.
    fn structure_words(&self) -> Words {
        match &self.kind {
            FaultKind::Alphabet(event) => (
                "csp-sharp::alphabet",
                format!("the alphabet would contain `{event}`, whose fields depend on the state"),
                "processes in parallel need to know their events beforehand".to_owned(),
                "declare the events of the process: `#alphabet P {a.0, a.1};`",
            ),
            FaultKind::EndlessAlphabet => (
                "csp-sharp::endless-alphabet",
                "the alphabet of a process has no end".to_owned(),
                "it calls itself with ever new arguments".to_owned(),
                "declare the events of the process: `#alphabet P {a.0, a.1};`",
            ),
            FaultKind::Count => (
                "csp-sharp::count",
                "a range or a number of copies has no value here".to_owned(),
                "it must be known when the process begins, and not be huge".to_owned(),
                "use constants and parameters",
            ),
            FaultKind::AnyNumber => (
                "csp-sharp::any-number",
                "any number of copies have no single state".to_owned(),
                "`{..}` stands for all numbers".to_owned(),
                "write a number to look at so many copies: `|||{3}@P()`",
            ),
            FaultKind::Uncounted => (
                "csp-sharp::uncounted",
                "it matters how many copies there are".to_owned(),
                "of many copies, it is only known that they are more than some number".to_owned(),
                "compare the number of copies with a number: `n > 1`",
            ),
            FaultKind::Nesting => (
                "csp-sharp::nesting",
                "the process gets deeper with each step".to_owned(),
                "operators are nested very deep here".to_owned(),
                "call a process behind `;`, `|||` or hiding only if it ends: `P() = a -> P()` instead of `a -> (P(); Q())`",
            ),
            FaultKind::Unfolding => (
                "csp-sharp::unguarded",
                "a process calls itself before it does anything".to_owned(),
                "this has no first step".to_owned(),
                "put an event in front of the call: `a -> P()`",
            ),
            _ => unreachable!("these faults have other words"),
        }
    }
}

/// A range, for messages.
pub fn range_text(low: i32, high: i32) -> String {
    match (low, high) {
        (i32::MIN, high) => format!("up to {high}"),
        (low, i32::MAX) => format!("from {low}"),
        (low, high) => format!("{low} to {high}"),
    }
}
