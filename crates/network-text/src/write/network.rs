//! Text of networks.

use super::expressions::Expressions;
use super::label_text;
use super::lines::{joined, listed};
use super::names::{in_quotes, quoted, unique};
use super::statements::Statements;
use crate::operators::Level;
use crate::sharing::Sharing;
use crate::{NamedNetwork, Origin, Place};
use hashbrown::{HashMap, HashSet};
use model::EventTable;
use model::data::{Domain, Kind, Lifetime, VariableId};
use model::network::{Action, InhibitorId, Jump, LocalState, MachineId, ModeId, Priority, Rule, RuleId};
use std::collections::BTreeMap;
use std::fmt::{self, Formatter};

/// A network with the names of its parts in the text.
pub struct Writer<'a> {
    events: &'a EventTable,
    named: &'a NamedNetwork,
    variables: Vec<String>,
    machines: Vec<String>,
    obstacles: Vec<String>,
    modes: Vec<String>,
    actions: BTreeMap<Action, String>,
    /// The names of states, for machines whose names are usable.
    states: HashMap<MachineId, Vec<String>>,
}

impl<'a> Writer<'a> {
    pub fn new(events: &'a EventTable, named: &'a NamedNetwork) -> Writer<'a> {
        let NamedNetwork { network, origins, .. } = named;
        let name = |origins: &'a [Origin], number: usize| origins.get(number).and_then(|origin| origin.name.as_deref());
        let machines = (0..network.machines.len()).map(|number| name(&origins.machines, number));
        let modes = (0..network.modes.len()).map(|number| name(&origins.modes, number));
        Writer {
            events,
            named,
            variables: unique(network.data.variables().map(|(_, variable)| Some(&*variable.name)), "x"),
            machines: unique(machines, "P"),
            obstacles: unique(
                (0..network.obstacles.len()).map(|number| origins.obstacles.get(number).map(|name| &**name)),
                "o",
            ),
            modes: unique(modes, "m"),
            actions: action_names(events, named),
            states: (0..network.machines.len() as u32)
                .map(MachineId)
                .filter_map(|machine| Some((machine, state_names(named, machine)?)))
                .collect(),
        }
    }

    pub fn write(&self, f: &mut Formatter<'_>, name: &str) -> fmt::Result {
        writeln!(f, "network {name}{}", from(self.named.place.as_ref()))?;
        let network = &self.named.network;
        let expressions = Expressions::new(network, &self.named.origins, &self.variables);
        self.write_variables(f)?;
        for (name, text) in expressions.definitions() {
            writeln!(f, "  define {name} = {text}")?;
        }
        self.write_actions(f)?;
        if let Some(priority) = &network.priority {
            self.write_priority(f, priority)?;
        }
        if network.initial.mode != ModeId(0) {
            writeln!(f, "  start {}", self.mode(network.initial.mode))?;
        }
        self.write_machines(f)?;
        self.write_obstacles(f, &expressions)?;
        self.write_modes(f, &expressions)
    }

    fn write_variables(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let network = &self.named.network;
        for (id, variable) in network.data.variables() {
            let word = match variable.lifetime {
                Lifetime::Run => "var",
                Lifetime::Step => "temporary",
            };
            let initial = self.initial(id);
            writeln!(f, "  {word} {} : {}{initial}", self.variables[id.index()], kind_text(&variable.kind))?;
        }
        Ok(())
    }

    /// The initial value, unless it is the default.
    fn initial(&self, id: VariableId) -> String {
        let network = &self.named.network;
        let kind = &network.data.variable(id).kind;
        let values = network.initial.data.range(network.data.cells(id));
        match kind {
            Kind::Scalar(domain) => {
                format!(" = {}", value_text(*domain, values.first().copied().unwrap_or(domain.least())))
            }
            Kind::Array { element, .. } => match &values[..] {
                [] => String::new(),
                [first, rest @ ..] if rest.iter().all(|value| value == first) => {
                    format!(" = {}", value_text(*element, *first))
                }
                values => format!("{}]", listed(" = [", values.iter().map(|&value| value_text(*element, value)), 4)),
            },
            Kind::Queue { message, .. } => {
                let n_messages = values.first().map_or(0, |&length| usize::try_from(length).unwrap_or(0));
                if n_messages == 0 {
                    return String::new();
                }
                let text = |number: usize| {
                    let fields = (0..message.len()).map(|field| {
                        let value = values.get(1 + number * message.len() + field).copied();
                        value_text(message[field], value.unwrap_or(message[field].least()))
                    });
                    let fields = fields.collect::<Vec<_>>().join(", ");
                    if message.len() == 1 { fields } else { format!("({fields})") }
                };
                format!("{}>", listed(" = <", (0..n_messages).map(text), 4))
            }
        }
    }

    fn write_actions(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.actions.is_empty() {
            return Ok(());
        }
        let mut next = self.events.len() as u64 + 2;
        let items = self.actions.iter().map(|(&Action(number), name)| {
            let goes_without_saying = u64::from(number) == next;
            next = u64::from(number) + 1;
            if goes_without_saying { name.clone() } else { format!("{name} = {number}") }
        });
        writeln!(f, "{}", listed("  actions ", items, 4))
    }

    fn write_priority(&self, f: &mut Formatter<'_>, priority: &Priority) -> fmt::Result {
        writeln!(f, "  priority")?;
        let mut classes: BTreeMap<u32, (Vec<String>, Vec<u32>)> = BTreeMap::new();
        for (label, class) in priority.classes() {
            classes.entry(class).or_default().0.push(label_text(self.events, label));
        }
        for (class, stronger) in priority.yields() {
            classes.entry(stronger).or_default();
            classes.entry(class).or_default().1.push(stronger);
        }
        let known = &self.named.origins.classes;
        // A class without a name must not shift the names of later ones.
        (0..known.len() as u32).for_each(|class| _ = classes.entry(class).or_default());
        let names = unique(classes.keys().map(|&class| known.get(class as usize).map(|name| &**name)), "c");
        let names: HashMap<u32, String> = classes.keys().copied().zip(names).collect();
        for (class, (labels, stronger)) in &classes {
            let labels = listed(&format!("    class {}: ", names[class]), labels.iter(), 6);
            write!(f, "{}", labels.trim_end())?;
            if !stronger.is_empty() {
                write!(f, "{}", listed(" yields to ", stronger.iter().map(|other| &names[other]), 6))?;
            }
            writeln!(f)?;
        }
        Ok(())
    }

    fn write_machines(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let NamedNetwork { network, origins, .. } = self.named;
        let mut sharing = Sharing::default();
        let mut written: HashMap<(usize, Option<&[String]>), MachineId> = HashMap::new();
        for (id, machine) in (0..).map(MachineId).zip(&network.machines) {
            let names = self.states.get(&id).map(Vec::as_slice);
            let first = *written.entry((sharing.number(machine), names)).or_insert(id);
            let initial = network.initial.locals.get(id.index()).copied().unwrap_or_default();
            let like = if first == id { String::new() } else { format!(" like {}", self.machine(first)) };
            let at = if initial == LocalState(0) { String::new() } else { format!(" at {}", self.state(id, initial)) };
            let from = from(origins.machines.get(id.index()).and_then(|origin| origin.place.as_ref()));
            if first == id {
                writeln!(f)?;
            }
            writeln!(f, "  machine {}{like}{at}{from}", self.machine(id))?;
            if first == id {
                self.write_states(f, id)?;
            }
        }
        Ok(())
    }

    fn write_states(&self, f: &mut Formatter<'_>, id: MachineId) -> fmt::Result {
        let machine = &self.named.network.machines[id.index()];
        machine.states().try_for_each(|state| {
            let edges = machine.edges(state).iter();
            let edges = edges.map(|edge| format!("{} -> {}", self.action(edge.action), self.state(id, edge.target)));
            writeln!(f, "{}", listed(&format!("    {}: ", self.state(id, state)), edges, 6).trim_end())
        })
    }

    fn write_obstacles(&self, f: &mut Formatter<'_>, expressions: &Expressions) -> fmt::Result {
        for (obstacle, name) in self.named.network.obstacles.iter().zip(&self.obstacles) {
            writeln!(f, "\n  obstacle {name}")?;
            for alternative in &obstacle.ways {
                let parts = alternative.parts.iter().map(|&part| self.part(part));
                let mut pieces = vec![listed("", parts, 6)];
                let condition = alternative.condition.map(|condition| expressions.text(condition, Level::Anything));
                pieces.extend(condition.map(|condition| format!("when {condition}")));
                pieces.extend(self.unless(&alternative.unless));
                writeln!(f, "    {}", joined(&pieces, 6))?;
            }
        }
        Ok(())
    }

    fn part(&self, (machine, action): (MachineId, Action)) -> String {
        format!("{}:{}", self.machine(machine), self.action(action))
    }

    fn unless(&self, obstacles: &[InhibitorId]) -> Option<String> {
        let names = obstacles.iter().map(|obstacle| &self.obstacles[obstacle.index()]);
        (!obstacles.is_empty()).then(|| listed("unless ", names, 8))
    }

    fn write_modes(&self, f: &mut Formatter<'_>, expressions: &Expressions) -> fmt::Result {
        let NamedNetwork { network, origins, .. } = self.named;
        let statements = Statements { expressions, variables: &self.variables };
        for (id, mode) in (0..).map(ModeId).zip(&network.modes) {
            let place = origins.modes.get(id.index()).and_then(|origin| origin.place.as_ref());
            writeln!(f, "\n  mode {}{}", self.mode(id), from(place))?;
            for (number, rule) in (0..).map(RuleId).zip(&mode.rules) {
                writeln!(f, "    {}", self.rule(rule, origins.rule(id, number), &statements))?;
            }
        }
        Ok(())
    }

    fn rule(&self, rule: &Rule, place: Option<&Place>, statements: &Statements) -> String {
        let mut pieces = vec![label_text(self.events, rule.shows)];
        if !rule.parts.is_empty() {
            let parts = rule.parts.iter().map(|&(machine, action)| match action.0 == rule.shows.0 {
                true => self.machine(machine).to_owned(),
                false => self.part((machine, action)),
            });
            pieces[0] = listed(&format!("{} by ", pieces[0]), parts, 6);
        }
        if let Some(command) = &rule.command {
            match command.guard {
                Some(guard) => pieces.push(format!("when {}", statements.expressions.text(guard, Level::Anything))),
                // A trivial command is written only where the rule has no participants.
                None if rule.parts.is_empty() && command.statements.is_empty() => pieces.push("when true".to_owned()),
                None => {}
            }
        }
        pieces.extend(self.unless(&rule.unless));
        let changes = rule.command.iter().filter(|command| !command.statements.is_empty());
        pieces.extend(changes.map(|command| statements.clause(&command.statements)));
        pieces.extend(rule.jump.as_ref().map(|jump| self.jump(jump)));
        pieces.extend(place.map(|place| from(Some(place)).trim_start().to_owned()));
        joined(&pieces, 6)
    }

    fn jump(&self, jump: &Jump) -> String {
        let goto = format!("goto {}", self.mode(jump.mode));
        if jump.resets.is_empty() {
            return goto;
        }
        let resets = jump.resets.iter().map(|&(machine, state)| match state {
            LocalState(0) => self.machine(machine).to_owned(),
            state => format!("{} at {}", self.machine(machine), self.state(machine, state)),
        });
        listed(&format!("{goto} reset "), resets, 8)
    }

    fn machine(&self, id: MachineId) -> &str {
        &self.machines[id.index()]
    }

    fn mode(&self, id: ModeId) -> &str {
        &self.modes[id.index()]
    }

    fn state(&self, machine: MachineId, state: LocalState) -> String {
        let name = self.states.get(&machine).and_then(|names| names.get(state.index()));
        name.cloned().unwrap_or_else(|| state.0.to_string())
    }

    fn action(&self, action: Action) -> String {
        match self.actions.get(&action) {
            Some(name) => name.clone(),
            None => label_text(self.events, lts::Label(action.0)),
        }
    }
}

/// Names of actions that can be written: not those of events, neither by number nor by name.
fn action_names(events: &EventTable, named: &NamedNetwork) -> BTreeMap<Action, String> {
    let mut used = HashSet::new();
    let names = named.origins.actions.iter();
    let names = names.filter(|(action, name)| action.index() >= events.len() + 2 && events.find(name).is_none());
    names.filter(|(_, name)| used.insert((*name).clone())).map(|(&action, name)| (action, quoted(name))).collect()
}

/// The names of the states of a machine, if they are distinct.
fn state_names(named: &NamedNetwork, machine: MachineId) -> Option<Vec<String>> {
    let names = named.origins.states.get(&machine)?;
    let n_states = named.network.machines[machine.index()].n_states();
    let numbers: Vec<String> = (0..n_states).map(|number| number.to_string()).collect();
    let name = |number: usize| names.get(number).and_then(Option::as_deref).unwrap_or(&numbers[number]);
    let mut used = HashSet::new();
    let is_unique = (0..n_states).all(|number| used.insert(name(number)));
    let text = |number: usize| {
        let name = name(number);
        if name == numbers[number] { name.to_owned() } else { quoted(name) }
    };
    let has_names = (0..n_states).any(|number| name(number) != numbers[number]);
    (is_unique && has_names).then(|| (0..n_states).map(text).collect())
}

fn from(place: Option<&Place>) -> String {
    place.map_or(String::new(), |place| format!(" from {}", in_quotes(&place.0)))
}

fn domain_text(domain: Domain) -> String {
    match domain {
        Domain::Boolean => "bool".to_owned(),
        Domain::Integers { low, high } => format!("{low}..{high}"),
    }
}

fn kind_text(kind: &Kind) -> String {
    match kind {
        Kind::Scalar(domain) => domain_text(*domain),
        Kind::Array { element, length } => format!("array[{length}] of {}", domain_text(*element)),
        Kind::Queue { message, capacity } => match &**message {
            [field] => format!("queue[{capacity}] of {}", domain_text(*field)),
            fields => {
                let fields: Vec<String> = fields.iter().map(|&field| domain_text(field)).collect();
                format!("queue[{capacity}] of ({})", fields.join(", "))
            }
        },
    }
}

fn value_text(domain: Domain, value: i64) -> String {
    match domain {
        Domain::Boolean => (value != 0).to_string(),
        Domain::Integers { .. } => value.to_string(),
    }
}
