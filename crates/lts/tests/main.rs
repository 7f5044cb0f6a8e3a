//! All integration tests of this crate in one program, which is linked once.

mod aut;
mod claims;
mod compressions;
mod determinism;
mod draw;
mod growth;
mod models;
mod normal_form;
mod oracle;
mod refinement;
mod strong_bisimulation;
mod support;
mod tau;
mod walk;
mod watchdog;
mod writers;
