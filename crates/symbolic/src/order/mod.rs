//! Symmetry breaking between interleavings: independent neighboring steps have a fixed order.
//!
//! Two neighboring steps can be exchanged if both keep the mode, a specification observes at most one of them, they
//! share no variable that one of them writes, and each machine that takes part in both reaches the same states in the
//! other order (`exchange.rs`): the run ends in the same state, with the same trace. So among the counterexamples of a
//! length there is one in which no exchangeable pair stands against the order of rules, the least one in that order.
//! Without this a solver has to refute all interleavings. Nor does a shortest run take two steps for one
//! (`shortcut.rs`).

mod exchange;
mod shortcut;

use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::parallel_steps::StepSemantics;
use crate::{Lit, Property, Solver};
use exchange::{Actions, Before};
use hashbrown::HashMap;
use limits::effort::step_order::MAX_RULES;
use lts::Label;
use model::data::{Access, VariableId};
use model::network::{Action, Machine, MachineId, Network, Rule};
use shortcut::Shortcuts;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

/// Dependencies between rules.
pub(crate) struct Order {
    /// For each rule of each mode, in sequence, the variables that it reads and writes.
    access: Vec<Access>,
    machines: Vec<OfMachine>,
    /// For each rule, in sequence, whether a later one may come directly before it and need not.
    is_ordered: Vec<bool>,
    /// Pairs of rules that no shortest run takes in sequence.
    shortcuts: Vec<(usize, usize)>,
}

impl Order {
    /// None if there are priorities: then the enabledness of distant steps matters. The work is charged to the solver.
    pub(crate) fn new(network: &Network, property: &Property<'_>, solver: &mut dyn Solver) -> Option<Order> {
        if network.has_priorities() {
            return None;
        }
        let of_rule = |rule: &Rule| {
            rule.command.as_ref().map_or_else(Access::default, |command| Access::of(&network.data, command))
        };
        // Copies of a machine share their analysis.
        let mut known: HashMap<*const Machine, OfMachine> = HashMap::new();
        let of_machine = |machine: &Arc<Machine>| {
            let new = || OfMachine::new(machine, solver);
            known.entry(Arc::as_ptr(machine)).or_insert_with(new).clone()
        };
        let machines: Vec<OfMachine> = network.machines.iter().map(of_machine).collect();
        let is_seen = property.specification().is_some();
        let access: Vec<Access> = network.modes.iter().flat_map(|mode| &mode.rules).map(of_rule).collect();
        let is_ordered = ordered(network, &machines, &access, is_seen, solver);
        let shortcuts = Shortcuts { network, machines: &machines, is_seen }.pairs(solver);
        Some(Order { access, machines, is_ordered, shortcuts })
    }
}

/// The analysis of the actions of a machine.
#[derive(Clone)]
struct OfMachine {
    actions: Rc<Actions>,
    /// For each action those that can come directly before it, if they are known.
    neighbors: Rc<HashMap<Action, Before>>,
    /// All actions.
    all: Rc<[Action]>,
}

impl OfMachine {
    fn new(machine: &Machine, solver: &mut dyn Solver) -> OfMachine {
        let actions = Actions::of(machine);
        solver.count(actions.n_pairs());
        let (neighbors, all) = (actions.neighbors(solver), actions.all());
        OfMachine { actions: actions.into(), neighbors: neighbors.into(), all: all.into() }
    }
}

/// For each rule whether a later one of its mode may come directly before it and could come after it. True if there are
/// too many to tell.
fn ordered(
    network: &Network,
    machines: &[OfMachine],
    access: &[Access],
    is_seen: bool,
    solver: &mut dyn Solver,
) -> Vec<bool> {
    let mut ordered = Vec::with_capacity(access.len());
    for mode in &network.modes {
        let first = ordered.len();
        let may_swap = |one: usize, other: usize| {
            let (before, after) = (&mode.rules[one], &mode.rules[other]);
            let is_seen = is_seen && before.shows != Label::TAU && after.shows != Label::TAU;
            let is_movable = |&(machine, action): &(MachineId, Action)| {
                let shared = after.parts.iter().find(|part| part.0 == machine);
                shared.is_none_or(|part| {
                    let neighbors = machines[machine.index()].neighbors.get(&part.1);
                    neighbors.is_some_and(|before| before.movable.binary_search(&action).is_ok())
                })
            };
            !is_seen
                && access[first + one].is_independent_of(&access[first + other])
                && before.parts.iter().all(is_movable)
        };
        let n_rules = mode.rules.len();
        let is_ordered = |rule: usize| {
            let mut others = rule + 1..n_rules;
            n_rules > MAX_RULES
                || others.any(|other| {
                    solver.count(mode.rules[other].parts.len());
                    may_swap(other, rule)
                })
        };
        ordered.extend((0..n_rules).map(is_ordered));
    }
    ordered
}

/// The effects of a step, as equivalent literals.
struct Done {
    reads: BTreeMap<VariableId, Lit>,
    writes: BTreeMap<VariableId, Lit>,
    jumps: Lit,
    is_visible: Lit,
    /// For each rule, in sequence, a literal that implies that it or an earlier one is taken.
    taken_up_to: Vec<Lit>,
}

/// Two neighboring steps.
pub(crate) struct Neighbors<'a, 's> {
    pub(crate) network: &'a Network,
    pub(crate) property: &'a Property<'a>,
    pub(crate) clauses: &'a mut Clauses<'s>,
    pub(crate) order: &'a Order,
    pub(crate) step_semantics: StepSemantics,
    /// If it is false there is no first step.
    pub(crate) moves: Lit,
}

impl<'a> Neighbors<'a, '_> {
    /// The steps around a frame are in order, and no single step replaces them.
    pub(crate) fn order_steps(mut self, first: &Frame, second: &Frame) {
        let done = self.done(first);
        let is_seen = self.property.specification().is_some();
        let rules = self.network.modes.iter().flat_map(|mode| &mode.rules);
        let lits = second.rules.iter().flatten().map(|lits| lits.taken);
        let mut reasons: HashMap<(MachineId, &[Action]), Lit> = HashMap::new();
        let rules = rules.zip(lits).zip(&self.order.access).zip(&done.taken_up_to).zip(&self.order.is_ordered);
        for ((((rule, taken), access), &up_to), &is_ordered) in rules {
            let needs_reason = is_ordered || self.step_semantics == StepSemantics::Parallel;
            if taken == self.clauses.no() || rule.jump.is_some() || !needs_reason {
                continue;
            }
            let mut clause = vec![!self.moves, !taken, done.jumps];
            clause.extend((self.step_semantics == StepSemantics::Single).then_some(up_to));
            for &(machine, action) in &rule.parts {
                let staying = self.staying(machine, action);
                self.clauses.count(staying.len());
                let reason = reasons.entry((machine, staying));
                clause.push(*reason.or_insert_with(|| {
                    let acts: Vec<Lit> = staying.iter().filter_map(|&action| first.act(machine, action)).collect();
                    self.clauses.any(&acts)
                }));
            }
            clause.extend(access.reads.iter().chain(&access.writes).filter_map(|variable| done.writes.get(variable)));
            let looks = if self.step_semantics == StepSemantics::Single { &[][..] } else { &access.reads };
            clause.extend(access.writes.iter().chain(looks).filter_map(|variable| done.reads.get(variable)));
            if is_seen && rule.shows != Label::TAU {
                clause.push(done.is_visible);
            }
            self.clauses.add(&clause);
        }
        self.exclude_shortcuts(first, second);
    }

    /// The actions of a machine that cannot follow another one, or be taken together with it.
    fn staying(&self, machine: MachineId, action: Action) -> &'a [Action] {
        match self.step_semantics {
            StepSemantics::Single => {
                let machine = &self.order.machines[machine.index()];
                machine.neighbors.get(&action).map_or(&machine.all, |before| &before.staying)
            }
            StepSemantics::Parallel => &self.order.machines[machine.index()].all,
        }
    }

    fn exclude_shortcuts(&mut self, first: &Frame, second: &Frame) {
        let [first, second] =
            [first, second].map(|frame| -> Vec<Lit> { frame.rules.iter().flatten().map(|lits| lits.taken).collect() });
        for &(one, other) in &self.order.shortcuts {
            self.clauses.exclude(&[self.moves, first[one], second[other]]);
        }
    }

    fn done(&mut self, frame: &Frame) -> Done {
        let (mut reads, mut writes) = (BTreeMap::new(), BTreeMap::new());
        let (mut jumping, mut visible, mut taken_up_to) = (Vec::new(), Vec::new(), Vec::new());
        let rules = self.network.modes.iter().flat_map(|mode| &mode.rules);
        let lits = frame.rules.iter().flatten().map(|lits| lits.taken);
        let mut up_to = self.clauses.no();
        let has_order = self.step_semantics == StepSemantics::Single && self.order.is_ordered.contains(&true);
        for ((rule, taken), access) in rules.zip(lits).zip(&self.order.access) {
            if taken != self.clauses.no() {
                if has_order {
                    let including = self.clauses.solver.variable();
                    self.clauses.add(&[!including, up_to, taken]);
                    up_to = including;
                }
                access.reads.iter().for_each(|variable| reads.entry(*variable).or_insert_with(Vec::new).push(taken));
                access.writes.iter().for_each(|variable| writes.entry(*variable).or_insert_with(Vec::new).push(taken));
                jumping.extend(rule.jump.as_ref().map(|_| taken));
                visible.extend((rule.shows != Label::TAU).then_some(taken));
            }
            taken_up_to.push(up_to);
        }
        let clauses = &mut *self.clauses;
        Done {
            reads: reads.into_iter().map(|(variable, rules)| (variable, clauses.any(&rules))).collect(),
            writes: writes.into_iter().map(|(variable, rules)| (variable, clauses.any(&rules))).collect(),
            jumps: clauses.any(&jumping),
            is_visible: clauses.any(&visible),
            taken_up_to,
        }
    }
}
