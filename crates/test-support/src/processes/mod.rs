//! Random processes and slow, obviously correct ways to find out what they do.
//!
//! - [`world`]: terms with their events and definitions, and the tools to build, run and print them.
//! - [`text`]: terms as text.
//! - [`sample`]: random terms; [`shrink`]: smaller ones that fail the same way.
//! - [`behavior`]: traces, failures and divergences as plain sets.
//! - [`denote`]: the behaviors of a term by the definitions of the textbook, operator by operator, without any step.
//! - [`observe`]: the behaviors of a transition system, by trying every trace.
//! - [`walk`]: terms as transition systems that are made on demand.
//! - [`refine`]: refinement between transition systems, by walking sets of states.
//!
//! The two middle ones know nothing of each other, so that a mistake in either shows.

pub mod behavior;
pub mod denote;
pub mod observe;
pub mod refine;
pub mod sample;
pub mod shrink;
pub mod text;
pub mod walk;
pub mod world;
