//! `tracehound typecheck`.

use super::args::{Format, Typecheck};
use super::{Exit, json, report};
use crate::disk::Disk;
use analysis::Session;
use std::time::Instant;

/// Reports every problem found in a script.
pub fn run(arguments: &Typecheck) -> Result<Exit, String> {
    let start = Instant::now();
    let common = &arguments.common;
    let session = Session::open(&Disk, &common.file, common.style.language());
    match arguments.output.format {
        Format::Human => report::problems(&common.style, &common.file, &session, session.diagnostics(), &[]),
        Format::Json | Format::Ndjson => {
            let mut document = wire::Document::new(&common.file, &session, session.diagnostics());
            document.seconds = start.elapsed().as_secs_f64();
            json::write(&document)?;
        }
    }
    let is_wrong = session.has_errors() || session.has_faulty_formulas();
    Ok(if is_wrong { Exit::Nothing } else { Exit::Clean })
}
