//! All tests of this crate from outside, as one program: it is linked once.

mod client;
mod edits;
mod server;
mod transport;
