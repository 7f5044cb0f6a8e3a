//! The crate as a calibration run uses it.

mod counts;
mod timed;
