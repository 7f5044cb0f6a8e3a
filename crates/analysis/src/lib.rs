//! The one interface through which every front of the tool uses the rest.
//!
//! A [`Session`] is a script read once: its texts, its problems, what its names mean and which types they have. The
//! command line, an editor and a web page ask it the same questions; none of them sees the front end behind it. It does
//! not change: after an edit, open a new one.
//!
//! ```
//! use analysis::Session;
//! # struct Texts;
//! # impl source::Files for Texts {
//! #     fn read(&self, _: &str) -> Result<Vec<u8>, String> { Ok(b"channel a\nP = a -> Q\nassert P :[deadlock free]".to_vec()) }
//! # }
//! let session = Session::open(&Texts, "buffer.csp", None);
//! assert_eq!(session.diagnostics()[0].title, "`Q` is not defined");
//! assert_eq!(session.assertions()[0].text, "P :[deadlock free]");
//! ```

pub mod check;
mod errors;
mod label;
mod session;
mod simulate;
mod transition_system;
mod values;

pub use frontend::formula;
pub use frontend::{Assertion, Cell, Failure, Kind, Language, SemanticModel, Sides, Symbol, SymbolKind, TypeAt};
pub use languages::{ALL as LANGUAGES, named as language_named};
pub use lts::{Compression, Model};
pub use progress::{Interrupt, Nobody, Progress, Statistics, Stop};
pub use session::Session;
pub use simulate::{Move, Simulator};
pub use transition_system::{Notation, TransitionSystem};
pub use values::{Evaluation, Print, evaluate};
