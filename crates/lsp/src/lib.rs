//! Tracehound in editors, by the Language Server Protocol.
//!
//! One thread reads messages in order ([`server`]). An edit changes a text and marks what was read with it as stale; when no message
//! waits, what is stale and open is read anew and its problems are told, so that of many edits only the last is looked at. Everything asked
//! about a place is answered from the scripts that the text belongs to ([`scripts`]): those that include it, or itself. Assertions are
//! checked by the outside world ([`World`]), which tells lines of events.

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

/// The outside world.
pub trait World: Files {
    /// The scripts in a folder, with whole paths.
    fn scripts(&self, folder: &str) -> Vec<String>;

    /// Starts to check an assertion; what happens is told to `sink`.
    ///
    /// # Errors
    /// When it cannot be started.
    fn check(&self, check: &Check, sink: Sender<Told>) -> Result<Box<dyn Running>, String>;
}

/// An assertion to be checked.
#[derive(Clone, Debug)]
pub struct Check {
    /// What it is called in what is told.
    pub number: u64,
    /// The script.
    pub script: String,
    /// Texts that are not saved, by path.
    pub texts: Vec<(String, String)>,
    /// The number of the assertion, from 1.
    pub assertion: usize,
}

/// What is told of a check.
#[derive(Clone, Debug)]
pub struct Told {
    /// Which one.
    pub number: u64,
    /// A line of JSON; nothing once it has ended.
    pub line: Option<String>,
}

/// A check that runs.
pub trait Running {
    /// Ends it at once.
    fn stop(&mut self);
}
