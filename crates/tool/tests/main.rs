//! All tests of this crate from outside, as one program: it is linked once.

mod bad_input;
mod book;
mod cli;
mod limits;
mod lsp;
mod packages;
mod report;
mod serve;
mod stream;
mod terminal;
mod watch;
mod worker;
