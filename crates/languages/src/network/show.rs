//! Configurations for people.

use frontend::Cell;
use model::data::{Data, Domain, Kind, Lifetime, VariableId};
use model::network::{Configuration, LocalState, MachineId};
use network_text::NamedNetwork;

/// A configuration: its mode if there are several, and where each machine is.
pub(super) fn configuration_text(named: &NamedNetwork, configuration: &Configuration) -> String {
    let mut parts = Vec::new();
    if named.network.modes.len() > 1 {
        let origin = named.origins.modes.get(configuration.mode.index());
        let name = origin.and_then(|origin| origin.name.as_deref());
        parts.push(name.map_or_else(|| format!("mode {}", configuration.mode.0), |name| format!("mode {name}")));
    }
    for (number, &local) in configuration.locals.iter().enumerate() {
        let machine = MachineId(number as u32);
        parts.push(format!("{}: {}", machine_name(named, machine), state_name(named, machine, local)));
    }
    if parts.is_empty() { named.name.to_string() } else { parts.join(", ") }
}

pub(super) fn machine_name(named: &NamedNetwork, machine: MachineId) -> String {
    let name = named.origins.machines.get(machine.index()).and_then(|origin| origin.name.as_deref());
    name.map_or_else(|| format!("machine {}", machine.0), str::to_owned)
}

fn state_name(named: &NamedNetwork, machine: MachineId, local: LocalState) -> String {
    let names = named.origins.states.get(&machine);
    let name = names.and_then(|names| names.get(local.index())).and_then(Option::as_deref);
    name.map_or_else(|| local.0.to_string(), str::to_owned)
}

/// The variables with their values.
pub(super) fn cells(data: &Data, configuration: &Configuration) -> Vec<Cell> {
    let lasting = data.variables().filter(|(_, variable)| variable.lifetime == Lifetime::Run);
    let cell = |(id, variable): (VariableId, &model::data::Variable)| Cell {
        name: variable.name.to_string(),
        value: value_text(&variable.kind, &configuration.data.range(data.cells(id))),
    };
    lasting.map(cell).collect()
}

fn value_text(kind: &Kind, cells: &[i64]) -> String {
    let scalar = |domain: Domain, value: i64| match domain {
        Domain::Boolean => (value != 0).to_string(),
        Domain::Integers { .. } => value.to_string(),
    };
    match kind {
        Kind::Scalar(domain) => scalar(*domain, cells[0]),
        Kind::Array { element, .. } => {
            let values: Vec<String> = cells.iter().map(|&value| scalar(*element, value)).collect();
            format!("[{}]", values.join(", "))
        }
        Kind::Queue { message, .. } => {
            let n_messages = usize::try_from(cells[0]).unwrap_or(0);
            let messages = cells[1..].chunks(message.len().max(1)).take(n_messages);
            let text = |fields: &[i64]| {
                let fields: Vec<String> = message.iter().zip(fields).map(|(&domain, &v)| scalar(domain, v)).collect();
                if fields.len() == 1 { fields[0].clone() } else { format!("({})", fields.join(", ")) }
            };
            let messages: Vec<String> = messages.map(text).collect();
            format!("<{}>", messages.join(", "))
        }
    }
}
