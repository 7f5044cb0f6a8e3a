//! Steps that have nothing to do with each other are taken in one order only.
//!
//! Two neighboring steps of a run whose rules share no machine and no variable that one of them changes, both of which keep the mode and of which a specification sees at
//! most one, can be exchanged: the run ends in the same state, with the same trace. So among the runs of the same length to a wrong state there is one in which no such pair stands
//! against the order of rules, namely the least one in that order, and it is enough to look at these. Without it a solver has to refute
//! all orders of what happens far apart, one by one.

use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::{Lit, Property};
use lts::Label;
use model::data::{Access, VariableId};
use model::network::{MachineId, Network, Rule};
use std::collections::BTreeMap;

/// What rules have to do with each other.
pub(crate) struct Order {
    /// For each rule of each mode, one after the other, the variables that it looks at and changes.
    access: Vec<Access>,
}

impl Order {
    /// Nothing if steps may give way to others: then what is possible far away matters.
    pub(crate) fn new(network: &Network) -> Option<Order> {
        let of_rule = |rule: &Rule| {
            rule.command.as_ref().map_or_else(Access::default, |command| Access::of(&network.data, command))
        };
        let access = network.modes.iter().flat_map(|mode| &mode.rules).map(of_rule).collect();
        (!network.has_priorities()).then_some(Order { access })
    }
}

/// What a step does, each literal being true if and only if it is so.
struct Done {
    machines: BTreeMap<MachineId, Lit>,
    reads: BTreeMap<VariableId, Lit>,
    writes: BTreeMap<VariableId, Lit>,
    jumps: Lit,
    is_visible: Lit,
    /// For each rule, one after the other, true only if one before it is taken.
    taken_before: Vec<Lit>,
}

/// Two neighboring steps.
pub(crate) struct Neighbors<'a, 's> {
    pub(crate) network: &'a Network,
    pub(crate) property: &'a Property<'a>,
    pub(crate) clauses: &'a mut Clauses<'s>,
    pub(crate) order: &'a Order,
    /// If it is false there is no first step.
    pub(crate) moves: Lit,
}

impl Neighbors<'_, '_> {
    /// The step that leaves a state is not one that could as well have been taken before the step that leads there, and should.
    pub(crate) fn order_steps(mut self, first: &Frame, second: &Frame) {
        let done = self.done(first);
        let is_seen = self.property.specification().is_some();
        let rules = self.network.modes.iter().flat_map(|mode| &mode.rules);
        let lits = second.rules.iter().flatten().map(|lits| lits.taken);
        for (((rule, taken), access), &before) in rules.zip(lits).zip(&self.order.access).zip(&done.taken_before) {
            if taken == self.clauses.no() || rule.jump.is_some() {
                continue;
            }
            let mut clause = vec![!self.moves, !taken, before, done.jumps];
            clause.extend(rule.parts.iter().filter_map(|(machine, _)| done.machines.get(machine)));
            clause.extend(access.reads.iter().chain(&access.writes).filter_map(|variable| done.writes.get(variable)));
            clause.extend(access.writes.iter().filter_map(|variable| done.reads.get(variable)));
            if is_seen && rule.shows != Label::TAU {
                clause.push(done.is_visible);
            }
            self.clauses.add(&clause);
        }
    }

    fn done(&mut self, frame: &Frame) -> Done {
        let (mut machines, mut reads, mut writes) = (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        let (mut jumping, mut visible, mut taken_before) = (Vec::new(), Vec::new(), Vec::new());
        let rules = self.network.modes.iter().flat_map(|mode| &mode.rules);
        let lits = frame.rules.iter().flatten().map(|lits| lits.taken);
        let mut before = self.clauses.no();
        for ((rule, taken), access) in rules.zip(lits).zip(&self.order.access) {
            taken_before.push(before);
            if taken == self.clauses.no() {
                continue;
            }
            let including = self.clauses.solver.variable();
            self.clauses.add(&[!including, before, taken]);
            before = including;
            rule.parts.iter().for_each(|(machine, _)| machines.entry(*machine).or_insert_with(Vec::new).push(taken));
            access.reads.iter().for_each(|variable| reads.entry(*variable).or_insert_with(Vec::new).push(taken));
            access.writes.iter().for_each(|variable| writes.entry(*variable).or_insert_with(Vec::new).push(taken));
            jumping.extend(rule.jump.as_ref().map(|_| taken));
            visible.extend((rule.shows != Label::TAU).then_some(taken));
        }
        let clauses = &mut *self.clauses;
        Done {
            machines: machines.into_iter().map(|(machine, rules)| (machine, clauses.any(&rules))).collect(),
            reads: reads.into_iter().map(|(variable, rules)| (variable, clauses.any(&rules))).collect(),
            writes: writes.into_iter().map(|(variable, rules)| (variable, clauses.any(&rules))).collect(),
            jumps: clauses.any(&jumping),
            is_visible: clauses.any(&visible),
            taken_before,
        }
    }
}
