//! `tracehound ltl --emit-tester`.

use super::args::Ltl;
use super::{Exit, include};
use crate::output;
use analysis::check::Checker;
use analysis::{Assertion, Session};

/// Writes a tester for a formula.
pub fn run(arguments: &Ltl, session: &Session, assertions: &[Assertion]) -> Result<Exit, String> {
    let budget = arguments.limits.limits.budget();
    let options = arguments.limits.options(&budget, &arguments.search.workers);
    let mut checker = Checker::new(session, options);
    let Some(assertion) = assertions.last() else { return Err("there is no formula".to_owned()) };
    let include = include::path(&arguments.common.file, arguments.tester_file.as_deref())?;
    let text = checker.tester(assertion.index, &include)?;
    output::write_to(arguments.tester_file.as_deref(), &text).map(|()| Exit::Clean)
}
