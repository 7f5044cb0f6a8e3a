//! All integration tests of this crate in one program, which is linked once.

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
