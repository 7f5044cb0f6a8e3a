//! Integration tests, linked as one program.

mod common;
mod diagnostics;
mod files;
mod names;
mod robustness;
mod round_trip;
