//! Structure of a process: operators and components.

use super::{Environment, Question, document, error_text, options, process_of};
use analysis::Session;
use analysis::check::{Checker, MachineSize, Operator, Size};
use limits::effort::workbench::MAX_STATES;
use serde::Serialize;
use serde_json::Value;
use source::Span;

#[derive(Serialize)]
struct Parts<'a> {
    process: String,
    kind: &'static str,
    n_rules: usize,
    n_modes: usize,
    variables: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<Sizes>,
    /// Operators from the outermost, with operands as children.
    operators: Vec<Branch<'a>>,
    machines: Vec<Machine<'a>>,
    more_machines: usize,
    compressions: Vec<Compression<'a>>,
}

#[derive(Serialize)]
struct Sizes {
    states: usize,
    transitions: usize,
}

#[derive(Serialize)]
struct Branch<'a> {
    depth: usize,
    #[serde(skip_serializing_if = "String::is_empty")]
    symbol: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    #[serde(flatten)]
    place: Option<Line<'a>>,
    /// Number of the component.
    #[serde(skip_serializing_if = "Option::is_none")]
    machine: Option<usize>,
}

/// Place of a definition.
#[derive(Serialize)]
struct Line<'a> {
    file: &'a str,
    line: u32,
}

impl<'a> Line<'a> {
    fn new(session: &'a Session, span: Span) -> Line<'a> {
        let map = session.source_map();
        Line { file: &map.file_of(span).path, line: map.position(span).line }
    }
}

#[derive(Serialize)]
struct Machine<'a> {
    name: String,
    #[serde(flatten)]
    place: Option<Line<'a>>,
    states: usize,
    transitions: usize,
    alphabet: usize,
    is_open: bool,
}

#[derive(Serialize)]
struct Compression<'a> {
    process: &'a str,
    before: (usize, usize),
    after: (usize, usize),
}

pub fn structure(environment: &dyn Environment, question: &Question) -> Result<Value, String> {
    let assertion = question.number("assertion").filter(|index| *index > 0);
    let process = if assertion.is_some() { None } else { Some(process_of(environment, question)?) };
    let session = question.open_sound(environment, process.as_deref())?;
    let asserted = match assertion {
        Some(index) => Some(session.assertions().into_iter().nth(index - 1).ok_or("there is no such assertion")?),
        None => None,
    };
    let mut checker = Checker::new(&session, options(environment, MAX_STATES));
    let found = checker.structure(assertion).map_err(|error| error_text(&session, &error))?;
    let size = |size: Size| Sizes { states: size.n_states, transitions: size.n_transitions };
    let machines = found.machines.as_deref().unwrap_or_default();
    document(&Parts {
        process: process.or_else(|| asserted.map(|one| one.sides.process)).unwrap_or_default(),
        kind: if found.machines.is_some() { "network" } else { "terms" },
        n_rules: found.n_rules,
        n_modes: found.n_modes,
        variables: found.n_variables,
        specification: found.specification.map(size),
        operators: found.operators.into_iter().map(|(one, machine)| Branch::new(&session, one, machine)).collect(),
        machines: machines.iter().enumerate().map(|(number, one)| Machine::new(&session, number, one)).collect(),
        more_machines: found.n_more,
        compressions: found
            .compressions
            .iter()
            .map(|one| Compression { process: &one.process, before: one.before, after: one.after })
            .collect(),
    })
}

impl<'a> Branch<'a> {
    fn new(session: &'a Session, operator: Operator, machine: Option<usize>) -> Branch<'a> {
        Branch {
            depth: operator.depth,
            symbol: operator.symbol,
            events: operator.n_events,
            name: operator.name,
            place: operator.place.map(|span| Line::new(session, span)),
            machine,
        }
    }
}

impl<'a> Machine<'a> {
    fn new(session: &'a Session, number: usize, machine: &MachineSize) -> Machine<'a> {
        Machine {
            name: machine.name.clone().unwrap_or_else(|| format!("machine {}", number + 1)),
            place: machine.place.map(|span| Line::new(session, span)),
            states: machine.size.n_states,
            transitions: machine.size.n_transitions,
            alphabet: machine.n_actions,
            is_open: machine.is_open,
        }
    }
}
