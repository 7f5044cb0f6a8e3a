//! Random processes and naive, obviously correct algorithms for their semantics.
//!
//! - [`world`]: terms with their events and definitions, and functions to build, run and print them.
//! - [`text`]: terms as text.
//! - [`sample`]: random terms; [`shrink`]: smaller ones that fail as well.
//! - [`behavior`]: traces, failures and divergences as plain sets.
//! - [`denote`]: denotational semantics of terms, operator by operator.
//! - [`observe`]: behaviors of a transition system, by enumerating its traces.
//! - [`walk`]: terms as lazily explored transition systems.
//! - [`refine`]: refinement between transition systems, by subset construction.
//!
//! [`denote`] and [`observe`] are independent of each other, so that an error in either is detected.

pub mod behavior;
pub mod denote;
pub mod observe;
pub mod refine;
pub mod sample;
pub mod shrink;
pub mod text;
pub mod walk;
pub mod world;
