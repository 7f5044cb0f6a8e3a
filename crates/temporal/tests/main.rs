//! All tests of this crate from outside, as one program: it is linked once.

mod atoms;
mod bad_prefix;
mod brute;
mod ctl;
mod direct;
mod evaluate;
mod network;
mod product;
mod recurrence;
mod reduction;
mod support;
mod tester;
