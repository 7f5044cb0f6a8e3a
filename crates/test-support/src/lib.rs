//! What the tests of several crates share; a dev-dependency only.
//!
//! - [`golden`]: outputs compared with files beside the inputs; `UPDATE_EXPECTED=1` rewrites them.
//! - [`files`]: scripts in memory and in a test folder, as the front ends read them.
//! - [`transcript`]: commands and answers.
//! - [`mutate`]: damaged texts, the same ones for the same seed.
//! - [`networks`], [`data`], [`sharing`], [`symmetric`]: random networks; with variables; of processes with shared machines; of equal
//!   processes.
//! - [`processes`]: random processes, what they mean by the textbook, and naive refinement.
//! - [`sharp`], [`timed`]: random scripts in CSP#; with time.
//! - [`clocks`]: timed networks.
//! - [`progress`]: listeners that end what takes too long.

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
