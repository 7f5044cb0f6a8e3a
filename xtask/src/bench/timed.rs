//! Models in which time passes: verdicts compared with those that are known, and seconds beside those of the thesis.

use super::record::Record;
use super::{Bench, csp_sharp};

/// Runs everything.
pub fn run(bench: &Bench, record: &mut Record) -> Result<(), String> {
    csp_sharp::verdicts(bench, record, "timed", &["--engine", "zones", "--threads", "1"])
}
