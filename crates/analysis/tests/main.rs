//! All tests of this crate from outside, as one program: it is linked once.

mod assertions;
mod bench;
mod book;
mod compressed_scripts;
mod counterexamples;
mod csp_sharp;
mod engines;
mod families;
#[path = "support/letter.rs"]
mod letter;
mod lifting;
mod linearizable;
mod monitors;
mod networks;
mod on_demand;
mod open_machines;
mod places;
mod recursion;
mod reductions;
mod session;
mod steps_only;
mod temporal;
mod timed;
mod transition_systems;
mod verdicts;
mod watchdog;
mod wide_fields;
