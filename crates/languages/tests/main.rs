//! All tests of this crate from outside, as one program: it is linked once.

mod waiting;
mod words;
