//! Bounds of the product, in tables.
//!
//! - [`input`]: what front ends and servers accept,
//! - [`effort`]: what an algorithm may spend before another engine or a less precise answer takes over,
//! - [`display`]: how much is shown,
//! - [`intervals`]: how often long work polls or reports, and how large slices and rounds of work are.
//!
//! The schedule of `decide` has the budgets of engines. Bounds that follow from a data layout, such as the width of a
//! word, stay where the layout is; `cargo xtask tidy` lists them. Durations are values: no clock is read here.

pub mod display;
pub mod effort;
pub mod input;
pub mod intervals;
