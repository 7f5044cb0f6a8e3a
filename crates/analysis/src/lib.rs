//! The library behind all faces of the tool, and for other programs.
//!
//! A [`Session`] is a script, read and checked once: its texts, diagnostics, outline and assertions. The faces never
//! see the language behind it. It is immutable: after an edit, open a new one. A [`check::Checker`] decides its
//! assertions, and a [`Simulator`] steps through its processes.
//!
//! ```
//! use analysis::check::{Checker, Options, Verdict};
//! use analysis::{Session, Texts};
//!
//! let script = "channel coin, tea\nVM = coin -> tea -> VM\nassert STOP [T= VM";
//! let session = Session::open(&Texts::of("vending.csp", script), "vending.csp", None);
//! let mut checker = Checker::new(&session, Options::default());
//! let checked = checker.check(session.assertions()[0].index);
//! assert!(matches!(checked.verdict, Verdict::Fails));
//! let run = checked.counterexample.expect("what fails has one");
//! let events: Vec<_> = run.steps.iter().filter_map(|step| step.event_id).collect();
//! assert_eq!(checker.events().text(events[0]), "coin");
//! ```

pub mod check;
mod errors;
mod label;
mod path;
mod session;
mod simulate;
mod texts;
mod transition_system;
mod values;

pub use frontend::formula;
pub use frontend::layout::{self, Word};
pub use frontend::{
    Assertion, Cell, Clock, Failure, Kind, Language, Mention, Passing, Sides, Symbol, SymbolKind, TypeAt, Visible,
    read_time,
};
pub use languages::{ALL as LANGUAGES, endings as script_endings, guess as guess_language, named as language_named};
pub use lts::{Compression, Label, Lts, Model, StateId, Transition};
pub use model::{EventId, EventTable};
pub use progress::{Activity, Attempt, Interrupt, Limits, NoProgress, Outcome, Progress, Statistics, Stop};
pub use session::Session;
pub use simulate::{Blocked, Choice, Monitor, Move, Part, Simulator};
pub use texts::Texts;
pub use transition_system::{Merged, Notation, TransitionSystem};
pub use values::{Evaluation, Print, evaluate};
