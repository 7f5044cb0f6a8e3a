//! The definition of an automorphism, as a test.
//!
//! The test is independent of the search. Every candidate of the search is tested before it is used, so an error of the
//! search can only lose symmetries. Rules that an automorphism fixes need no test.

use super::automorphism::{Automorphism, Move};
use super::obstacles::Meanings;
use lts::Label;
use model::network::{Action, Edge, LocalState, Machine, MachineId, Network, Rule};
use std::collections::HashSet;
use std::sync::Arc;

/// The test for a network and a coloring of its labels.
pub(super) struct Exact<'a> {
    network: &'a Network,
    color_of_label: &'a dyn Fn(Label) -> u32,
    /// The [`meaning`] of each rule.
    rules: HashSet<Box<[u32]>>,
    obstacles: Meanings,
}

/// The images of participants, in order.
pub(super) fn images_of_parts(parts: &[(MachineId, Action)], automorphism: &Automorphism) -> Vec<[u32; 2]> {
    let part = |&(machine, action): &(MachineId, Action)| match automorphism.move_of(machine.0) {
        Some(one) => [one.to, one.actions.image(action.0)],
        None => [machine.0, action.0],
    };
    let mut parts: Vec<[u32; 2]> = parts.iter().map(part).collect();
    parts.sort_unstable();
    parts
}

/// The image of a rule of a mode as numbers, given the numbers of the images of its inhibitors. It is equal for rules
/// that differ only in the order of their participants.
pub(super) fn meaning(mode: u32, rule: &Rule, automorphism: &Automorphism, obstacles: &[u32]) -> Box<[u32]> {
    let reset = |machine: u32, state: u32| match automorphism.move_of(machine) {
        Some(one) => [one.to, one.states.image(state)],
        None => [machine, state],
    };
    let mut parts = images_of_parts(&rule.parts, automorphism);
    let mut unless: Vec<[u32; 2]> = rule.unless.iter().map(|obstacle| [obstacles[obstacle.index()], 0]).collect();
    unless.sort_unstable();
    unless.dedup();
    let mode = automorphism.modes.image(mode);
    let mut all = vec![[mode, automorphism.label(rule.shows).0], [parts.len() as u32, unless.len() as u32]];
    all.append(&mut parts);
    all.append(&mut unless);
    if let Some(jump) = &rule.jump {
        let resets = jump.resets.iter().map(|&(machine, state)| reset(machine.0, state.0));
        let mut resets: Vec<[u32; 2]> = resets.collect();
        // The last reset of a machine takes effect; the stable sort keeps it last.
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
        let (nothing, obstacles) = (Automorphism::default(), Meanings::of(network));
        let rules = (0..).zip(&network.modes).flat_map(|(mode, it)| it.rules.iter().map(move |rule| (mode, rule)));
        let rules = rules.map(|(mode, rule)| meaning(mode, rule, &nothing, obstacles.own())).collect();
        Exact { network, color_of_label, rules, obstacles }
    }

    /// The number of rules tested for each automorphism.
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

    /// Whether the images of machines are distinct, and those of edges are edges.
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

    /// Whether labels have the same color and the same priority.
    fn are_alike(&self, one: Label, other: Label) -> bool {
        let class_of = |label| self.network.priority.as_ref().and_then(|priority| priority.class_of(label));
        (self.color_of_label)(one) == (self.color_of_label)(other) && class_of(one) == class_of(other)
    }

    /// Whether the images of rules are rules. Distinct rules have distinct images, so the map is onto then; the same
    /// holds for inhibitors.
    fn keeps_rules(&self, automorphism: &Automorphism) -> bool {
        let Some(obstacles) = self.obstacles.images(&self.network.obstacles, automorphism) else { return false };
        let own = self.obstacles.own();
        let moves_obstacle = |rule: &Rule| rule.unless.iter().any(|it| obstacles[it.index()] != own[it.index()]);
        (0..).zip(&self.network.modes).all(|(mode, it)| {
            let is_moved = |rule: &&Rule| moves_rule(automorphism, mode, rule) || moves_obstacle(rule);
            let mut moved = it.rules.iter().filter(is_moved);
            moved.all(|rule| self.rules.contains(&meaning(mode, rule, automorphism, &obstacles)))
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
