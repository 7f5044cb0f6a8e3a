//! `tracehound refine`.
//!
//! The result has the form of `check` with one assertion. An empty script takes the place of the implementation, so
//! that all reporting code applies.

use super::args::{Format, Refine};
use super::check::{Answered, exit_of};
use super::{Exit, json, stats, verdict};
use crate::{disk, output};
use analysis::check::{Side, refine};
use analysis::{Assertion, Kind, LANGUAGES, Session, Sides};
use source::{Files, Span};
use std::fs::File;
use std::time::Instant;

/// Decides refinement between two files.
pub fn run(arguments: &Refine) -> Result<Exit, String> {
    let start = Instant::now();
    let (spec, implementation) = (open(&arguments.specification)?, open(&arguments.implementation)?);
    let budget = arguments.limits.limits.budget();
    let options = arguments.limits.options(&budget, &arguments.workers);
    let checked = refine(spec, implementation, arguments.model.model(), &options);
    budget.clear_progress();
    let checked = checked.map_err(|(side, why)| {
        let path = match side {
            Side::Specification => &arguments.specification,
            Side::Implementation => &arguments.implementation,
        };
        format!("cannot read {path}: {why}")
    })?;
    let seconds = start.elapsed().as_secs_f64();
    let answered = Answered::new(assertion(arguments), checked, seconds);
    let session = Session::open(&Empty, &arguments.implementation, Some(LANGUAGES[0]));
    match arguments.output.format {
        Format::Human => {
            let look = arguments.telling.look(arguments.output.format, arguments.color);
            output::write_result(&verdict::text(&session, &answered, look))?;
        }
        Format::Json | Format::Ndjson => {
            let mut document = wire::Document::new(&arguments.implementation, &session, &[]);
            document.language = "aut";
            document.assertions = Some(vec![json::assertion(&session, &answered)]);
            document.prints = Some(Vec::new());
            document.seconds = seconds;
            json::write(&document)?;
        }
    }
    if arguments.stats {
        output::say(&stats::text(&answered));
    }
    Ok(exit_of(&[answered]))
}

fn open(path: &str) -> Result<File, String> {
    disk::open(path).map_err(|why| format!("cannot read {path}: {why}"))
}

fn assertion(arguments: &Refine) -> Assertion {
    let model = arguments.model.model();
    let (specification, process) = (arguments.specification.clone(), arguments.implementation.clone());
    Assertion {
        index: 1,
        span: Span::default(),
        text: format!("{specification} [{}= {process}", model.name()),
        kind: Kind::Refinement(model),
        sides: Sides { specification: Some(specification), process },
        negated: false,
        is_asked: false,
        reduce: None,
    }
}

/// File system with empty files only.
struct Empty;

impl Files for Empty {
    fn read(&self, _: &str) -> Result<Vec<u8>, String> {
        Ok(Vec::new())
    }
}
