//! Compressions: transformations to smaller or simpler systems that preserve a behavior.
//!
//! | function | preserves |
//! |---|---|
//! | [`tau_loop_factor`] | everything up to divergence-preserving weak bisimulation |
//! | [`diamond()`] | traces, failures, divergences; the result has no silent steps |
//! | [`model_compress`] | one model |
//! | [`chase`] | nothing in general; everything if silent steps are confluent and terminate |
//! | [`deter`] | nothing; the result is a deterministic refinement |
//!
//! Models finer than failures depend on silent steps: there [`Compression::apply`] uses weak bisimulation instead of
//! [`diamond()`], and in refusal testing also instead of a normal form.
//!
//! Bisimulation quotients are in [`crate::bisimulation`].

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
