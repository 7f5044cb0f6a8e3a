//! Bounds on what an algorithm may spend before it gives up and another engine or a less precise answer takes over.
//!
//! The tables are modules by subject, from engines down to languages and up to the analysis.

mod analysis;
mod engines;
mod exploration;
mod formulas;
mod languages;

pub use analysis::*;
pub use engines::*;
pub use exploration::*;
pub use formulas::*;
pub use languages::*;
