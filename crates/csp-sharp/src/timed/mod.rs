//! Real time: what only the timed dialect needs.

pub(crate) mod errors;
