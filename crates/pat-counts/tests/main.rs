//! All tests of this crate from outside, as one program: it is linked once.

mod counts;
mod timed;
