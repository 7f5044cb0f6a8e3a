//! Rules as literals: enabledness, selection, and effect on variables.
//!
//! A rule is enabled if its mode is active, its machines can act, none of its inhibitors is present, no step of higher
//! priority is possible, and its command can be executed. A failing rule meets all conditions but the last.

use crate::Lit;
use crate::clauses::Clauses;
use crate::evaluate::Environment;
use crate::execute::effect;
use crate::frame::Frame;
use crate::word::Word;
use hashbrown::HashMap;
use lts::Label;
use model::data::Command;
use model::network::{Action, InhibitorId, MachineId, Network, Rule};
use std::collections::BTreeMap;

/// A rule in a state.
pub(crate) struct RuleLits {
    /// The conjunction under which it is enabled; None if it never is.
    pub(crate) asks: Option<Vec<Lit>>,
    /// Whether it is selected.
    pub(crate) taken: Lit,
    /// The conjunction under which it fails; None if it never does.
    pub(crate) fails: Option<Vec<Lit>>,
    /// The cells that it writes, with their new values.
    pub(crate) writes: Vec<(usize, Word)>,
}

/// A rule before priorities are applied.
struct Attempt {
    /// The conjunction under which it is enabled apart from priorities; None if it never is.
    tried: Option<Vec<Lit>>,
    is_fine: Lit,
    fails: Lit,
    writes: Vec<(usize, Word)>,
}

impl Frame {
    pub(crate) fn add_rules(&mut self, network: &Network, clauses: &mut Clauses<'_>) {
        let mut builder = Builder { network, frame: self, can: HashMap::new(), present: Vec::new() };
        builder.place_obstacles(clauses);
        let attempts = builder.attempts(clauses);
        let yields = yields(network, &attempts, clauses);
        let mut by_label: BTreeMap<Label, Vec<Lit>> = BTreeMap::new();
        let mut by_action: BTreeMap<(MachineId, Action), Vec<Lit>> = BTreeMap::new();
        let mut all_rules = Vec::with_capacity(network.modes.len());
        for (mode, attempts) in network.modes.iter().zip(attempts) {
            let mut rules = Vec::with_capacity(attempts.len());
            for (rule, attempt) in mode.rules.iter().zip(attempts) {
                let stays = |tried: &Vec<Lit>| {
                    let mut tried = tried.clone();
                    tried.extend(yields.get(&rule.shows).into_iter().flatten().map(|&stronger| !stronger));
                    tried
                };
                let tried = attempt.tried.as_ref().map(stays);
                let with = |condition: Lit, clauses: &Clauses<'_>| {
                    let all = tried.iter().flatten().copied().chain([condition]);
                    (tried.is_some() && condition != clauses.no())
                        .then(|| all.filter(|&lit| lit != clauses.yes).collect::<Vec<Lit>>())
                };
                let (asks, fails) = (with(attempt.is_fine, clauses), with(attempt.fails, clauses));
                let taken = match &asks {
                    None => clauses.no(),
                    Some(asks) => {
                        let taken = clauses.solver.variable();
                        asks.iter().for_each(|&lit| clauses.add(&[!taken, lit]));
                        by_label.entry(rule.shows).or_default().push(taken);
                        acting(rule).for_each(|part| by_action.entry(part).or_default().push(taken));
                        taken
                    }
                };
                rules.push(RuleLits { asks, taken, fails, writes: attempt.writes });
            }
            all_rules.push(rules);
        }
        self.rules = all_rules;
        self.shows = by_label.into_iter().map(|(label, rules)| (label, clauses.any(&rules))).collect();
        self.acts = by_action.into_iter().map(|(part, rules)| (part, clauses.any(&rules))).collect();
    }
}

/// The parts of a rule whose actions determine the next local states.
fn acting(rule: &Rule) -> impl Iterator<Item = (MachineId, Action)> {
    let resets = rule.jump.as_ref().map_or(&[][..], |jump| &jump.resets);
    rule.parts.iter().copied().filter(|part| resets.iter().all(|reset| reset.0 != part.0))
}

struct Builder<'a> {
    network: &'a Network,
    frame: &'a Frame,
    /// Whether a machine can take an action; None if it never can.
    can: HashMap<(MachineId, Action), Option<Lit>>,
    /// Whether each inhibitor is present.
    present: Vec<Lit>,
}

impl Builder<'_> {
    fn place_obstacles(&mut self, clauses: &mut Clauses<'_>) {
        let mut before = Environment::new(&self.network.data, &self.frame.cells);
        for obstacle in &self.network.obstacles {
            let ways = obstacle.ways.iter().filter_map(|way| {
                let mut asks = self.conditions(None, &way.parts, &way.unless, clauses)?;
                if let Some(condition) = way.condition {
                    let command = Command { guard: Some(condition), statements: [].into() };
                    asks.push(effect(&command, &mut before, clauses).is_fine);
                }
                Some(clauses.all(&asks))
            });
            let ways: Vec<Lit> = ways.collect();
            let is_present = clauses.any(&ways);
            self.present.push(is_present);
        }
    }

    /// The conditions under which machines can act and inhibitors are absent; None if that never holds.
    fn conditions(
        &mut self,
        mode: Option<Lit>,
        parts: &[(MachineId, Action)],
        unless: &[InhibitorId],
        clauses: &mut Clauses<'_>,
    ) -> Option<Vec<Lit>> {
        let mut all: Vec<Lit> = mode.into_iter().collect();
        for &(machine, action) in parts {
            let (network, frame) = (self.network, self.frame);
            let can = self.can.entry((machine, action));
            all.push(
                (*can.or_insert_with(|| can_do(network, &frame.locals[machine.index()], machine, action, clauses)))?,
            );
        }
        all.extend(unless.iter().map(|obstacle| !self.present[obstacle.index()]));
        (!all.contains(&clauses.no())).then(|| all.into_iter().filter(|&lit| lit != clauses.yes).collect())
    }

    fn attempts(&mut self, clauses: &mut Clauses<'_>) -> Vec<Vec<Attempt>> {
        let network = self.network;
        let mut before = Environment::new(&network.data, &self.frame.cells);
        let mut attempts = Vec::with_capacity(network.modes.len());
        for (mode, &holds) in network.modes.iter().zip(&self.frame.modes) {
            let of_rule = |rule: &Rule| {
                let tried = self.conditions(Some(holds), &rule.parts, &rule.unless, clauses);
                match &rule.command {
                    Some(command) if tried.is_some() => {
                        let effect = effect(command, &mut before, clauses);
                        Attempt { tried, is_fine: effect.is_fine, fails: effect.fails, writes: effect.writes }
                    }
                    _ => Attempt { tried, is_fine: clauses.yes, fails: clauses.no(), writes: Vec::new() },
                }
            };
            attempts.push(mode.rules.iter().map(of_rule).collect());
        }
        attempts
    }
}

/// For each label whether a step of higher priority is possible. Failing steps and preempted steps count.
fn yields(network: &Network, attempts: &[Vec<Attempt>], clauses: &mut Clauses<'_>) -> BTreeMap<Label, Vec<Lit>> {
    let Some(priority) = &network.priority else { return BTreeMap::new() };
    let mut possible: BTreeMap<u32, Vec<Lit>> = BTreeMap::new();
    for (mode, attempts) in network.modes.iter().zip(attempts) {
        for (rule, attempt) in mode.rules.iter().zip(attempts) {
            if let (Some(class), Some(tried)) = (priority.class_of(rule.shows), &attempt.tried) {
                let happens = clauses.or(attempt.is_fine, attempt.fails);
                let all: Vec<Lit> = tried.iter().copied().chain([happens]).collect();
                let is_possible = clauses.all(&all);
                possible.entry(class).or_default().push(is_possible);
            }
        }
    }
    let possible: BTreeMap<u32, Lit> = possible.iter().map(|(&class, ways)| (class, clauses.any(ways))).collect();
    let mut yields: BTreeMap<Label, Vec<Lit>> = BTreeMap::new();
    for (label, class) in priority.classes() {
        let stronger = priority.yields().filter(|(weaker, _)| *weaker == class);
        let stronger: Vec<Lit> = stronger.filter_map(|(_, other)| possible.get(&other).copied()).collect();
        yields.insert(label, stronger);
    }
    yields
}

/// Whether a machine can take an action; None if it never can.
fn can_do(
    network: &Network,
    locals: &[Lit],
    machine: MachineId,
    action: Action,
    clauses: &mut Clauses<'_>,
) -> Option<Lit> {
    let machine = &network.machines[machine.index()];
    clauses.count(machine.n_states());
    let states = machine.states().filter(|&state| !machine.edges_by(state, action).is_empty());
    let lits: Vec<Lit> = states.map(|state| locals[state.index()]).collect();
    match lits.len() {
        0 => None,
        n if n == locals.len() => Some(clauses.yes),
        _ => Some(clauses.any(&lits)),
    }
}
