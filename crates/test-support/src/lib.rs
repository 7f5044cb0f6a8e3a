//! Support for the tests of several crates; a dev-dependency only.
//!
//! - [`golden`]: outputs compared with files beside the inputs; `UPDATE_EXPECTED=1` rewrites them.
//! - [`files`]: scripts in memory and in a test folder, as the front ends read them.
//! - [`transcript`]: commands and their output.
//! - [`mutate`]: damaged texts, deterministic for a seed.
//! - [`networks`], [`data`], [`sharing`], [`symmetric`]: random networks; with variables; with shared machines; with
//!   symmetric processes.
//! - [`processes`]: random processes, their denotational semantics, and naive refinement.
//! - [`sharp`], [`timed`]: random scripts in CSP#; with time.
//! - [`clocks`]: timed networks.
//! - [`progress`]: budgets of polls.

pub mod clocks;
pub mod copies;
pub mod data;
pub mod files;
pub mod golden;
pub mod mutate;
pub mod networks;
pub mod processes;
pub mod progress;
pub mod sharing;
pub mod sharp;
pub mod symmetric;
pub mod timed;
pub mod transcript;
