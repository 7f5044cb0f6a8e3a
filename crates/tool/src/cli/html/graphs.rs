//! Small graphs beside counterexamples: the path of the run through the process.

use crate::cli::check::Answered;
use crate::limits::Budget;
use analysis::Limits;
use analysis::check::{Checker, Options, Verdict};
use analysis::{Label, Model, Session};
use draw::graph::Graph;
use limits::display::graphs::{MAX_GRAPHS, MAX_REPORT_STATES};
use limits::effort::workbench::GRAPH_SECONDS;
use source::Files;

/// Graphs of the processes of failed assertions, where these are small, with the counterexamples highlighted; by
/// assertion number.
pub fn small(files: &dyn Files, session: &Session, answers: &[Answered]) -> Vec<(usize, String)> {
    let fails = |answered: &&Answered| matches!(answered.checked.verdict, Verdict::Fails);
    let graphs = answers.iter().filter(fails).take(MAX_GRAPHS);
    graphs.filter_map(|answered| Some((answered.assertion.index, graph(files, session, answered)?))).collect()
}

fn graph(files: &dyn Files, session: &Session, answered: &Answered) -> Option<String> {
    let found = answered.checked.counterexample.as_ref()?;
    let process = &answered.assertion.sides.process;
    let opened = Session::open_with_process(files, session.path(), Some(session.language()), process);
    if opened.has_errors() {
        return None;
    }
    let progress = Budget::new(Some(GRAPH_SECONDS), None);
    let limits = Limits::of_workers(1).with_max_states(MAX_REPORT_STATES as u64 + 1);
    let options = Options { progress, limits, ..Options::default() };
    let model = answered.assertion.kind.meant_model().unwrap_or(Model::FailuresDivergences);
    let system = Checker::new(&opened, options).graph(None, model).ok()?;
    let way = system.way_of(found)?;
    let label_name = |label: Label| system.label_name(label).to_owned();
    let graph = Graph {
        title: process,
        lts: system.lts(),
        label_name: &label_name,
        names: system.names(),
        sizes: None,
        way: &way,
        frontier: &[],
    };
    graph.svg(MAX_REPORT_STATES).ok()
}
