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
    let budget = arguments.limits.budget();
    let Evaluation { session, value } =
        analysis::evaluate(&Disk, &common.file, common.style.language(), &arguments.expression, budget);
    let mut diagnostics = session.diagnostics().to_vec();
    let value = match value {
        Some(Err(diagnostic)) => {
            diagnostics.push(*diagnostic);
            None
        }
        Some(Ok(value)) => Some(value),
        None => None,
    };
    if arguments.output.format == Format::Json {
        let mut document = wire::Document::new(&common.file, &session, &diagnostics);
        document.value = value.as_deref();
        document.seconds = start.elapsed().as_secs_f64();
        json::write(&document)?;
    } else if let Some(value) = &value {
        output::write_result(&format!("{value}\n"))?;
    } else {
        report::errors(&common.style, &common.file, &session, &diagnostics);
    }
    Ok(if value.is_some() { Exit::Clean } else { Exit::Nothing })
}
