//! `tracehound eval`.

use super::args::{Eval, Format};
use super::{Exit, json, report};
use crate::disk::Disk;
use crate::output;
use analysis::Evaluation;
use std::time::Instant;

/// Prints the value of an expression in the scope of a script.
pub fn run(arguments: &Eval) -> Result<Exit, String> {
    let start = Instant::now();
    let common = &arguments.common;
    let Evaluation { session, value } =
        analysis::evaluate(&Disk, &common.file, common.language(), &arguments.expression, arguments.limits.start());
    if arguments.output.format == Format::Json {
        let mut document = json::Document::new(&common.file, &session, session.diagnostics());
        document.value = value.as_deref();
        document.seconds = start.elapsed().as_secs_f64();
        document.write()?;
    } else if let Some(value) = &value {
        output::write_result(&format!("{value}\n"))?;
    } else {
        report::errors(common, &session, session.diagnostics());
    }
    Ok(if value.is_some() { Exit::Clean } else { Exit::Nothing })
}
