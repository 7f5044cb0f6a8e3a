//! The documents that programs read, and their schema.
//!
//! The names of the fields are a promise. Fields may be added; none is renamed, none changes its meaning while `schema`
//! is 1. These types exist only here and are filled by hand, so that no change elsewhere changes a document. The command line, the
//! report and the workbench print the same.

mod assertion;
mod counterexample;
mod diagnostic;
mod document;
mod event;
mod head;
mod history;
mod overlay;
mod schema;
mod step;
mod temporal;

pub use assertion::{Answer, Assertion, Stats, Tried, VerdictName};
pub use counterexample::{Allowed, Component, Copies, Counterexample, Truth};
pub use diagnostic::{Diagnostic, Phase, Related, Severity};
pub use document::{Document, Documents, Print, SCHEMA, TOOL};
pub use event::{Event, Queued, Reached};
pub use head::Head;
pub use history::{Effect, Operation};
pub use overlay::Overlay;
pub use schema::{NAMES as SCHEMA_NAMES, schema};
pub use step::{Part, Place, Step};
pub use temporal::{Automaton, Temporal};
