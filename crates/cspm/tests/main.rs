//! Integration tests, linked as one program.

mod common;
mod diagnostics;
mod parse;
mod reference;
mod sharing;
mod typecheck;
