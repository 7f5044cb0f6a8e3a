//! All tests of this crate from outside, as one program: it is linked once.

mod bad_input;
mod book;
mod cli;
mod faces;
mod include;
mod limits;
#[cfg(target_os = "linux")]
mod limits_inputs;
#[cfg(target_os = "linux")]
mod limits_table;
mod lsp;
mod macros;
mod packages;
mod report;
mod save;
mod serve;
mod stream;
mod terminal;
mod watch;
mod worker;
