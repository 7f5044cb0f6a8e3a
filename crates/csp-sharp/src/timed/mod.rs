//! Diagnostics of the timed dialect.

pub(crate) mod errors;
