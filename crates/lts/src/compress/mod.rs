//! Other systems with the same behavior, or with less of it, that are smaller or simpler.
//!
//! | function | keeps |
//! |---|---|
//! | [`tau_loop_factor`] | everything up to weak bisimulation that respects divergence |
//! | [`diamond()`] | traces, failures, divergences; no silent steps are left |
//! | [`model_compress`] | one model |
//! | [`chase`] | nothing in general; everything where silent steps are confluent and end |
//! | [`deter`] | a deterministic part of the behavior |
//!
//! Models that see more than failures need silent steps: there [`Compression::apply`] takes weak bisimulation instead
//! of [`diamond()`], and where refusals are tested also instead of a normal form.
//!
//! Quotients that merge equivalent states are in [`crate::bisimulation`].

mod by_model;
mod diamond;
mod follow;
mod named;
mod tau_loops;

pub use by_model::model_compress;
pub use diamond::diamond;
pub use follow::{chase, deter};
pub use named::Compression;
pub use tau_loops::tau_loop_factor;
