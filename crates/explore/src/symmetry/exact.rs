//! What an automorphism is, as a test.
//!
//! Nothing here knows how automorphisms are found. Whatever the search comes up with is tested here before it is used, so
//! a mistake there can only cost symmetries. What an automorphism does not move is its own image and needs no look.

use super::automorphism::{Automorphism, Move};
use lts::Label;
use model::network::{Edge, LocalState, Machine, Network, Rule};
use std::collections::HashSet;
use std::sync::Arc;

/// The test for one network and coloring.
pub(super) struct Exact<'a> {
    network: &'a Network,
    color_of_label: &'a dyn Fn(Label) -> u32,
    /// All rules in their [`meaning`].
    rules: HashSet<Box<[u32]>>,
}

/// A rule of a mode after an automorphism as numbers: the same for rules that differ in the order of their parts only.
pub(super) fn meaning(mode: u32, rule: &Rule, automorphism: &Automorphism) -> Box<[u32]> {
    let part = |machine: u32, action: u32| match automorphism.move_of(machine) {
        Some(one) => [one.to, one.actions.image(action)],
        None => [machine, action],
    };
    let reset = |machine: u32, state: u32| match automorphism.move_of(machine) {
        Some(one) => [one.to, one.states.image(state)],
        None => [machine, state],
    };
    let mut parts: Vec<[u32; 2]> = rule.parts.iter().map(|&(machine, action)| part(machine.0, action.0)).collect();
    parts.sort_unstable();
    let mode = automorphism.modes.image(mode);
    let mut all = vec![[mode, automorphism.label(rule.shows).0], [parts.len() as u32, 0]];
    all.append(&mut parts);
    if let Some(jump) = &rule.jump {
        let resets = jump.resets.iter().map(|&(machine, state)| reset(machine.0, state.0));
        let mut resets: Vec<[u32; 2]> = resets.collect();
        // Of several for one machine the last one counts, and a stable order keeps it last.
        resets.sort_by_key(|&[machine, _]| machine);
        all.push([automorphism.modes.image(jump.mode.0), 1]);
        all.append(&mut resets);
    }
    all.into_iter().flatten().collect()
}

fn moves_rule(automorphism: &Automorphism, mode: u32, rule: &Rule) -> bool {
    let moves_machine = |machine: u32| automorphism.move_of(machine).is_some();
    let moves_jump = rule.jump.as_ref().is_some_and(|jump| {
        automorphism.modes.image(jump.mode.0) != jump.mode.0
            || jump.resets.iter().any(|&(machine, _)| moves_machine(machine.0))
    });
    moves_jump
        || automorphism.modes.image(mode) != mode
        || automorphism.label(rule.shows) != rule.shows
        || rule.parts.iter().any(|&(machine, _)| moves_machine(machine.0))
}

impl<'a> Exact<'a> {
    pub(super) fn new(network: &'a Network, color_of_label: &'a dyn Fn(Label) -> u32) -> Exact<'a> {
        let nothing = Automorphism::default();
        let rules = (0..).zip(&network.modes).flat_map(|(mode, it)| it.rules.iter().map(move |rule| (mode, rule)));
        let rules = rules.map(|(mode, rule)| meaning(mode, rule, &nothing)).collect();
        Exact { network, color_of_label, rules }
    }

    /// How many rules are looked at for each automorphism.
    pub(super) fn n_rules(&self) -> u64 {
        self.rules.len() as u64
    }

    /// Whether this is an automorphism.
    pub(super) fn accepts(&self, automorphism: &Automorphism) -> bool {
        self.keeps_machines(automorphism)
            && self.keeps_modes(automorphism)
            && automorphism.labels.moved().all(|(from, to)| self.are_alike(Label(from), Label(to)))
            && automorphism.apply(&self.network.initial) == self.network.initial
            && self.keeps_rules(automorphism)
    }

    /// Whether machines go to different machines, and edges to edges.
    fn keeps_machines(&self, automorphism: &Automorphism) -> bool {
        let n_machines = self.network.machines.len() as u32;
        let mut from: Vec<u32> = automorphism.moves.iter().map(|one| one.from).collect();
        let mut to: Vec<u32> = automorphism.moves.iter().map(|one| one.to).collect();
        from.dedup();
        to.sort_unstable();
        from == to
            && to.last().is_none_or(|&machine| machine < n_machines)
            && automorphism.moves.iter().all(|one| self.keeps_edges(one))
    }

    fn keeps_edges(&self, one: &Move) -> bool {
        let (from, to) = (&self.network.machines[one.from as usize], &self.network.machines[one.to as usize]);
        if Arc::ptr_eq(from, to) && one.states.is_identity() && one.actions.is_identity() {
            return true;
        }
        from.n_states() == to.n_states() && from.states().all(|state| edges_go_to_edges(one, from, to, state))
    }

    fn keeps_modes(&self, automorphism: &Automorphism) -> bool {
        automorphism.modes.moved().all(|(from, to)| from.max(to) < self.network.modes.len() as u32)
    }

    /// Whether labels look the same from outside, and yield alike.
    fn are_alike(&self, one: Label, other: Label) -> bool {
        let class_of = |label| self.network.priority.as_ref().and_then(|priority| priority.class_of(label));
        (self.color_of_label)(one) == (self.color_of_label)(other) && class_of(one) == class_of(other)
    }

    /// Different rules have different images, so all of them are rules if each image is one.
    fn keeps_rules(&self, automorphism: &Automorphism) -> bool {
        (0..).zip(&self.network.modes).all(|(mode, it)| {
            let mut moved = it.rules.iter().filter(|rule| moves_rule(automorphism, mode, rule));
            moved.all(|rule| self.rules.contains(&meaning(mode, rule, automorphism)))
        })
    }
}

fn edges_go_to_edges(one: &Move, from: &Machine, to: &Machine, state: LocalState) -> bool {
    let image = LocalState(one.states.image(state.0));
    let (edges, wanted) =
        (from.edges(state), if image.index() < to.n_states() { to.edges(image) } else { return false });
    let has = |edge: &Edge| {
        let (action, target) = (one.actions.image(edge.action.0), one.states.image(edge.target.0));
        wanted.binary_search_by_key(&(action, target), |edge| (edge.action.0, edge.target.0)).is_ok()
    };
    edges.len() == wanted.len() && edges.iter().all(has)
}
