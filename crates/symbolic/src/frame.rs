//! One state of a run and the step that leaves it, as literals.

use crate::clauses::Clauses;
use crate::{Lit, Property};
use hashbrown::HashMap;
use lts::Label;
use model::network::{Action, MachineId, Network};
use std::collections::BTreeMap;

/// A state and the step that leaves it. If no rule is chosen, none leaves it.
pub(crate) struct Frame {
    /// For each machine the state it is in.
    pub(crate) locals: Vec<Vec<Lit>>,
    /// The mode that holds.
    pub(crate) modes: Vec<Lit>,
    /// The node of the specification, if there is one.
    pub(crate) nodes: Vec<Lit>,
    /// For each mode and rule what its parts ask, the mode included; nothing if it is never met.
    pub(crate) asks: Vec<Vec<Option<Vec<Lit>>>>,
    /// Whether it is the rule that is taken, in the same order.
    pub(crate) taken: Vec<Vec<Lit>>,
    /// Whether the step shows a label.
    pub(crate) shows: BTreeMap<Label, Lit>,
}

impl Frame {
    /// Any state, and any step that it has.
    pub(crate) fn any(network: &Network, property: &Property<'_>, clauses: &mut Clauses<'_>) -> Frame {
        let locals: Vec<Vec<Lit>> = network.machines.iter().map(|machine| clauses.one_of(machine.n_states())).collect();
        let modes = clauses.one_of(network.modes.len());
        let n_nodes = property.specification().map_or(1, lts::Lts::n_states);
        let mut frame = Frame {
            locals,
            modes,
            nodes: clauses.one_of(n_nodes),
            asks: Vec::new(),
            taken: Vec::new(),
            shows: BTreeMap::new(),
        };
        frame.add_rules(network, clauses);
        frame
    }

    fn add_rules(&mut self, network: &Network, clauses: &mut Clauses<'_>) {
        let mut can: HashMap<(MachineId, Action), Option<Lit>> = HashMap::new();
        let mut by_label: BTreeMap<Label, Vec<Lit>> = BTreeMap::new();
        for (mode, &holds) in network.modes.iter().zip(&self.modes) {
            let (mut asks, mut taken) = (Vec::new(), Vec::new());
            for rule in &mode.rules {
                let part = |&(machine, action): &(MachineId, Action)| {
                    *can.entry((machine, action))
                        .or_insert_with(|| can_do(network, &self.locals[machine.index()], machine, action, clauses))
                };
                let parts: Option<Vec<Lit>> = rule.parts.iter().map(part).collect();
                let all: Option<Vec<Lit>> =
                    parts.map(|parts| [holds].into_iter().chain(parts).filter(|&lit| lit != clauses.yes).collect());
                let is_taken = match &all {
                    None => !clauses.yes,
                    Some(all) => {
                        let is_taken = clauses.solver.variable();
                        all.iter().for_each(|&lit| clauses.imply(&[is_taken], lit));
                        by_label.entry(rule.shows).or_default().push(is_taken);
                        is_taken
                    }
                };
                asks.push(all);
                taken.push(is_taken);
            }
            self.asks.push(asks);
            self.taken.push(taken);
        }
        let all: Vec<Lit> = by_label.values().flatten().copied().collect();
        clauses.at_most_one(&all);
        self.shows = by_label.into_iter().map(|(label, rules)| (label, clauses.any(&rules))).collect();
    }

    /// All that tells states apart: of each group one literal is true.
    pub(crate) fn choices(&self) -> impl Iterator<Item = &Vec<Lit>> {
        self.locals.iter().chain([&self.modes, &self.nodes])
    }

    /// The rules that show a label, by what they ask.
    pub(crate) fn asks_of<'a>(
        &'a self,
        network: &'a Network,
        wanted: impl Fn(Label) -> bool + 'a,
    ) -> impl Iterator<Item = &'a [Lit]> {
        let rules = network.modes.iter().flat_map(|mode| &mode.rules);
        let asks = self.asks.iter().flatten();
        rules.zip(asks).filter(move |(rule, _)| wanted(rule.shows)).filter_map(|(_, asks)| asks.as_deref())
    }
}

/// Whether a machine can take an action; nothing if it never can.
fn can_do(
    network: &Network,
    locals: &[Lit],
    machine: MachineId,
    action: Action,
    clauses: &mut Clauses<'_>,
) -> Option<Lit> {
    let machine = &network.machines[machine.index()];
    let states = machine.states().filter(|&state| !machine.edges_by(state, action).is_empty());
    let lits: Vec<Lit> = states.map(|state| locals[state.index()]).collect();
    match lits.len() {
        0 => None,
        n if n == locals.len() => Some(clauses.yes),
        _ => Some(clauses.any(&lits)),
    }
}
