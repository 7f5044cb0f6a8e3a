//! CSP processes as terms, free of any syntax, and what they can do.
//!
//! A term is one application of an operator to terms and event sets, stored once however often it occurs, so equal
//! terms have equal numbers and a number can serve as the state of a process. Named recursion stays folded: a
//! [`Term::Call`] is a number that only the front end can open, through [`Unfold`], when a search gets there. That
//! keeps terms finite, and makes two calls with equal arguments one state.
//!
//! The meaning of terms is a [`StepTable`]: which steps a term can take, where they lead, and which components take
//! them. [`explore()`] makes an explicit transition system of it.
//!
//! ```
//! use process::{Label, StepTable, Term, Terms};
//! # use process::{CallId, FailureId, TermId, Unfold};
//! # struct NoCalls;
//! # impl Unfold for NoCalls {
//! #     fn unfold(&mut self, _: &mut Terms, _: CallId) -> Result<TermId, Box<source::Diagnostic>> { unreachable!() }
//! #     fn call_text(&mut self, _: CallId) -> String { String::new() }
//! #     fn call_span(&self, _: CallId) -> source::Span { unreachable!() }
//! #     fn failure(&self, _: FailureId) -> &source::Diagnostic { unreachable!() }
//! # }
//! let mut terms = Terms::default();
//! let skip = terms.intern(Term::Skip);
//! let a = model::EventId(0);
//! let prefix = terms.intern(Term::Prefix(a, skip));
//! let mut table = StepTable::new();
//! let steps = table.steps(&mut terms, &mut NoCalls, prefix).expect("a prefix has a step");
//! assert_eq!((steps[0].label, steps[0].target), (a.label(), skip));
//! ```

pub mod compile;
mod digest;
mod errors;
mod explore;
mod laws;
mod operators;
mod process_table;
mod provenance;
mod run;
mod step;
mod structure;
mod table;
mod term;

pub use errors::StepError;
pub use explore::{Edge, Lts, StopReason, Takers, Unfinished, explore};
pub use laws::HIDDEN;
pub use lts::{Compression, Label};
pub use process_table::ProcessTable;
pub use provenance::{Component, Share};
pub use run::{Interpreter, Run};
pub use step::{Part, Step, TeamId, Teams};
pub use table::{MAX_OPEN_CALLS, MAX_STEPS, StepTable, Termination};
pub use term::{CallId, FailureId, PriorityOrder, Relation, Term, TermId, Terms, Unfold};
