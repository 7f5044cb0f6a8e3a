//! Integration tests, linked as one program.

mod common;
mod diagnostics;
mod limits;
mod lowering;
mod robustness;
mod steps;
mod timed;
mod zones;
