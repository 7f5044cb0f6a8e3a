//! Language server (Language Server Protocol).
//!
//! One thread handles messages in order ([`server`]). An edit changes a text and invalidates the scripts that were read
//! with it; when no message is pending, invalidated open scripts are read again and their diagnostics are published, so
//! that of many edits only the last is analyzed. Requests about a position are answered from the scripts that the text
//! belongs to ([`scripts`]): those that include it, or itself. Assertions are checked by the host ([`World`]), which
//! streams events.

mod actions;
mod checks;
mod complete;
mod folding;
mod highlight;
mod hover;
mod layout;
mod navigate;
mod outline;
mod place;
mod problems;
mod rename;
mod scripts;
mod server;
mod signature;
mod texts;
mod transport;
mod uri;

pub use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
pub use server::{serve, serve_streams};
pub use transport::Task;

pub use crossbeam_channel::Sender;
use source::Files;

/// Host of the server.
pub trait World: Files {
    /// Scripts in a folder, as absolute paths.
    fn scripts(&self, folder: &str) -> Vec<String>;

    /// Starts to check an assertion; events go to `sink`.
    ///
    /// # Errors
    /// When it cannot be started.
    fn check(&self, check: &Check, sink: Sender<CheckEvent>) -> Result<Box<dyn Running>, String>;
}

/// Assertion to check.
#[derive(Clone, Debug)]
pub struct Check {
    /// Identifier of the check in its events.
    pub number: u64,
    /// Path of the script.
    pub script: String,
    /// Unsaved texts, by path.
    pub texts: Vec<(String, String)>,
    /// Number of the assertion, from 1.
    pub assertion: usize,
}

/// Event of a check.
#[derive(Clone, Debug)]
pub struct CheckEvent {
    /// Identifier of the check.
    pub number: u64,
    /// Line of JSON; `None` at the end of the check.
    pub line: Option<String>,
}

/// Running check.
pub trait Running {
    /// Ends it at once.
    fn stop(&mut self);
}
