//! Testers: formulas as processes that run beside a system (Leuschel, Massart and Currie, *How to make FDR spin*).
//!
//! A [`DeltaAutomaton`] accepts infinite traces as a Büchi automaton does, and traces after which nothing more happens by its
//! monitors: those of its states that they may end in. As a process it takes part in all events of a system, tells of each
//! success, and claims a deadlock where one would be accepted; two refinements of the composition decide whether the system has
//! an accepted trace. Languages write them down for other tools. [`direct()`] answers the same question by walking
//! through system and automaton once, and shows the trace.

mod delta;
mod direct;

pub use delta::{DeltaAutomaton, delta_automaton};
pub use direct::direct;
