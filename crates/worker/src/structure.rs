//! What a process is made of.

use crate::{Question, Surroundings, document, error_text, options, process_of};
use analysis::Session;
use analysis::check::{Checker, MachineSize, Size};
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
struct Parts<'a> {
    process: String,
    kind: &'static str,
    n_rules: usize,
    n_modes: usize,
    variables: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<Sizes>,
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
struct Machine<'a> {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<u32>,
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

/// Nobody waits for more states than these while a part is made explicit.
const MAX_STATES: u64 = 2_000_000;

pub fn structure(surroundings: &dyn Surroundings, question: &Question) -> Result<Value, String> {
    let assertion = question.number("assertion").filter(|index| *index > 0);
    let process = if assertion.is_some() { None } else { Some(process_of(surroundings, question)?) };
    let session = question.open_sound(surroundings, process.as_deref())?;
    let asserted = match assertion {
        Some(index) => Some(session.assertions().into_iter().nth(index - 1).ok_or("there is no such assertion")?),
        None => None,
    };
    let mut checker = Checker::new(&session, options(surroundings, MAX_STATES));
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
        machines: machines.iter().enumerate().map(|(number, one)| Machine::new(&session, number, one)).collect(),
        more_machines: found.n_more,
        compressions: found
            .compressions
            .iter()
            .map(|one| Compression { process: &one.process, before: one.before, after: one.after })
            .collect(),
    })
}

impl<'a> Machine<'a> {
    fn new(session: &'a Session, number: usize, machine: &MachineSize) -> Machine<'a> {
        let map = session.source_map();
        Machine {
            name: machine.name.clone().unwrap_or_else(|| format!("machine {}", number + 1)),
            file: machine.place.map(|span| map.file_of(span).path.as_str()),
            line: machine.place.map(|span| map.position(span).line),
            states: machine.size.n_states,
            transitions: machine.size.n_transitions,
            alphabet: machine.n_actions,
            is_open: machine.is_open,
        }
    }
}
