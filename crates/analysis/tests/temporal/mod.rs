//! Temporal logic from script to verdict.
//!
//! Claims whose truth is known from the literature or by hand, as scripts that are opened, decided and told as the tool
//! does it; the engines beside each other on random processes; and what happens at the limits.

mod bench;
mod crossing;
mod fairness;
mod lassos;
mod limits;
mod pension;
mod peterson;
mod processes;
mod random;
mod reduction;
mod traces;
