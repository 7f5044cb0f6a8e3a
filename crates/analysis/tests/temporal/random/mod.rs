//! Random processes and formulas. `TEST_SEED` sets the seed.

mod engines;
mod formula;
mod laws;
mod processes;
mod script;
mod testers;
