//! Suggestions for assertions that a limit left undecided.
//!
//! A suggestion is a guess about where the time goes, never about the verdict. It names items of the script or the
//! command line, and only facts that were observed: machines by their names, states by their numbers.

use super::checker::Checker;
use super::{Checked, Reason, Verdict};
use decide::{Direction, Encoding, Formulas, Frequency, Method, SatEngine};
use frontend::formula::Logic;
use frontend::{Kind, Lowered};
use limits::display::components::MAX_COMPONENTS;
use limits::effort::forms::LARGE_MACHINE;
use lts::Label;
use model::network::{MachineId, Network};
use progress::Statistics;
use source::Span;
use std::collections::HashMap;

impl Checker<'_> {
    /// Suggestions for the assertion with this number, from 1, that was left undecided; the best first.
    pub fn hints(&mut self, index: usize, checked: &Checked) -> Vec<String> {
        let Verdict::Unknown(reason, _) = checked.verdict else { return Vec::new() };
        if !reason.is_limit() {
            return Vec::new();
        }
        if let Method::Formulas(how) = self.options.method {
            return hints_about_solver(&how, reason);
        }
        let reached = self.recorder.farthest();
        let mut hints = match (self.families.first(), self.last_network.clone()) {
            (Some(family), _) => vec![hint_about_families(family)],
            (_, None) => vec![hint_without_network(&reached).to_owned()],
            (_, Some(lowered)) => self.hints_about_network(index, &lowered),
        };
        hints.extend(hint_about_rest(reason, &reached));
        hints
    }

    fn hints_about_network(&mut self, index: usize, lowered: &Lowered) -> Vec<String> {
        let network = &lowered.network;
        let mut hints = Vec::new();
        let n_machines = network.machines.len();
        let alike = self.alike(lowered);
        if n_machines > 1 && self.can_be_reduced(index) {
            hints.push(format!(
                "`--reduce partial-order` leaves out orders in which {n_machines} components take steps that the formula cannot see"
            ));
            if let Some((first, n_alike)) = alike {
                let name = self.machine_name(lowered, first);
                hints.push(format!(
                    "`--reduce symmetry`, if {n_alike} components like {name} can be taken for one another"
                ));
            }
        } else if let Some((first, n_alike)) = alike {
            let name = self.machine_name(lowered, first);
            hints.push(format!(
                "fewer components: {n_alike} are like {name}, and a few of them often show what many do"
            ));
        }
        let sizes = network.machines.iter().map(|machine| machine.n_states());
        let largest = (0_u32..).zip(sizes).max_by_key(|&(_, n_states)| n_states);
        if let Some((machine, n_states)) = largest.filter(|&(_, n_states)| n_states > LARGE_MACHINE) {
            let name = self.machine_name(lowered, MachineId(machine));
            hints.push(format!(
                "smaller sets and numbers in {name}, the largest component with {n_states} states, or `sbisim` around it"
            ));
        } else if has_hidden_sync(network) && self.is_about_traces(index) {
            hints.push(
                "a compression such as `normal` around components that talk to one another by hidden events".to_owned(),
            );
        }
        hints
    }

    /// The largest group of components with the same definition and number of states, by its first member.
    fn alike(&mut self, lowered: &Lowered) -> Option<(MachineId, usize)> {
        let mut kinds: HashMap<(String, usize), (MachineId, usize)> = HashMap::new();
        for (number, machine) in (0_u32..).zip(&lowered.network.machines).take(MAX_COMPONENTS) {
            let Some(component) = self.semantics.machine(lowered.id, MachineId(number)) else { continue };
            let definition = component.name.split('(').next().unwrap_or_default().to_owned();
            kinds.entry((definition, machine.n_states())).or_insert((MachineId(number), 0)).1 += 1;
        }
        let most = kinds.into_values().max_by_key(|&(first, n_alike)| (n_alike, std::cmp::Reverse(first)));
        most.filter(|&(_, n_alike)| n_alike > 2)
    }

    /// Whether a reduction applies that the assertion does not ask for.
    fn can_be_reduced(&self, index: usize) -> bool {
        let Some(assertion) = self.session.assertion(index) else { return false };
        let formulas = self.session.script.formulas();
        let is_meant = |span: Span| assertion.span.start <= span.start && span.end <= assertion.span.end;
        let reduce = formulas.iter().find(|read| is_meant(read.span)).map(|read| read.choices.reduce);
        assertion.kind == Kind::Temporal(Logic::Ltl) && reduce.flatten().is_none()
    }

    /// Whether compressions that remove silent steps preserve the property.
    fn is_about_traces(&self, index: usize) -> bool {
        self.session.assertion(index).is_some_and(|assertion| !matches!(assertion.kind, Kind::Temporal(_)))
    }

    fn machine_name(&mut self, lowered: &Lowered, machine: MachineId) -> String {
        let component = self.semantics.machine(lowered.id, machine);
        component.map_or_else(|| "the first".to_owned(), |component| format!("`{}`", component.name))
    }
}

/// Suggestions on settings of a SAT engine, and then on other engines.
fn hints_about_solver(how: &Formulas, reason: Reason) -> Vec<String> {
    let settings = &how.settings;
    let mut hints = Vec::new();
    if reason.is_memory() && settings.encoding == Encoding::OneHot {
        hints.push("`--encoding binary`, which has fewer variables".to_owned());
    }
    match how.engine {
        SatEngine::Bounded => {
            if settings.frequency == Frequency::Steps(1) {
                hints.push("`--sat-frequency auto`: fewer questions, and maybe a longer run".to_owned());
            }
            if settings.direction != Direction::Both {
                hints.push("`--direction both`, which makes runs longer in the middle".to_owned());
            }
            hints.push("`--engine pdr` if nothing breaks it: no bound on runs proves anything".to_owned());
        }
        SatEngine::Induction => hints.push("`--engine pdr`, which looks for an invariant of its own".to_owned()),
        SatEngine::Pdr => hints.push("`--engine bmc` if something breaks it".to_owned()),
    }
    hints.push("`--engine auto`, which also searches, reduces and composes".to_owned());
    hints
}

/// Whether components synchronize on hidden events.
fn has_hidden_sync(network: &Network) -> bool {
    let mut rules = network.modes.iter().flat_map(|mode| &mode.rules);
    rules.any(|rule| rule.shows == Label::TAU && rule.parts.len() > 1)
}

/// The suggestion to bound variables that count the members of a family.
fn hint_about_families(family: &str) -> String {
    format!(
        "a process counter such as `#define n #{family};` instead of a variable that counts copies, or a range for such a variable"
    )
}

fn hint_without_network(reached: &Statistics) -> &'static str {
    if reached.n_states == 0 {
        "smaller sets and numbers: no state was reached, as values and processes were still being computed"
    } else {
        "a bound on its arguments, or parallel operators outside of the recursion: it never comes back to what it was, so that every \
         state is a term of its own"
    }
}

/// The suggestion to wait longer where few states are left to expand. None if that is not known.
fn hint_about_rest(reason: Reason, reached: &Statistics) -> Option<String> {
    let option = match reason {
        Reason::TIME_LIMIT => "--time-limit",
        Reason::MAX_STATES => "--max-states",
        _ => "--memory-limit",
    };
    let n_waiting = reached.n_waiting;
    if n_waiting == 0 {
        return None;
    }
    let is_near_end = n_waiting.saturating_mul(20) < reached.n_states;
    let what = if is_near_end { format!("a larger {option}") } else { "a smaller instance".to_owned() };
    Some(format!("{what}: {n_waiting} of the states reached were waiting to be looked at"))
}
