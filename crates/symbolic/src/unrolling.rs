//! Runs of a network as literals, state behind state.

use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::order::{Neighbors, Order};
use crate::property::Judged;
use crate::rules::RuleLits;
use crate::stopping::unless_stopped;
use crate::stride::Stride;
use crate::word::Word;
use crate::{Encoding, Lit, Property, Solver};
use lts::Label;
use model::network::{MachineId, Network, Rule};
use progress::Interrupt;

/// Consecutive states of a run, as many as were asked for so far.
pub(crate) struct Unrolling<'s> {
    pub(crate) network: &'s Network,
    pub(crate) property: &'s Property<'s>,
    pub(crate) clauses: Clauses<'s>,
    /// Those that follow the first one, which comes first.
    pub(crate) frames: Vec<Frame>,
    /// Those that lead to the last one, which comes first.
    pub(crate) ending: Vec<Frame>,
    /// Nothing happens after a step with this label.
    pub(crate) end: Option<Label>,
    /// Which steps are taken in one order only.
    pub(crate) order: Option<Order>,
    /// How many steps lead from one state to the next.
    pub(crate) stride: Stride,
}

impl<'s> Unrolling<'s> {
    /// No states yet, and steps in one order only. It is looked for, and somebody may ask to stop meanwhile.
    pub(crate) fn new(
        network: &'s Network,
        property: &'s Property<'s>,
        encoding: Encoding,
        solver: &'s mut dyn Solver,
    ) -> Result<Unrolling<'s>, Interrupt> {
        let order = unless_stopped(|| Ok(Order::new(network, property, solver)))?;
        Ok(Unrolling { order, ..Unrolling::unordered(network, property, encoding, solver) })
    }

    /// No states yet, and steps in any order.
    pub(crate) fn unordered(
        network: &'s Network,
        property: &'s Property<'s>,
        encoding: Encoding,
        solver: &'s mut dyn Solver,
    ) -> Unrolling<'s> {
        Unrolling {
            network,
            property,
            clauses: Clauses::new(solver, encoding),
            frames: Vec::new(),
            ending: Vec::new(),
            end: Some(Label::TICK),
            order: None,
            stride: Stride::Single,
        }
    }

    /// The first state is the one in which the network begins.
    pub(crate) fn begin(&mut self) {
        self.start_at(&self.frames[0]).into_iter().for_each(|lit| self.clauses.add(&[lit]));
    }

    /// Literals all of which are true if and only if a state is the one in which the network begins.
    pub(crate) fn start_at(&self, frame: &Frame) -> Vec<Lit> {
        let node = self.property.specification().map_or(0, |spec| spec.initial().index());
        frame.facts(&self.network.initial, node)
    }

    /// One more state, behind a step of the last one.
    pub(crate) fn extend(&mut self) {
        self.extend_if(self.clauses.yes);
    }

    /// One more state, behind a step of the last one if that moves at all.
    pub(crate) fn extend_if(&mut self, moves: Lit) {
        let frame = Frame::any(self.network, self.property, self.stride, &mut self.clauses);
        self.frames.push(frame);
        if let [.., before, after] = &self.frames[..] {
            let Unrolling { network, clauses, end, .. } = self;
            Step { network, clauses, before, after, end: *end }.add(self.property, moves);
        }
        if let ([.., first, second, _], Some(order)) = (&self.frames[..], &self.order) {
            let Unrolling { network, property, clauses, stride, .. } = self;
            let moves = clauses.yes;
            Neighbors { network, property, clauses, order, stride: *stride, moves }.order_steps(first, second);
        }
    }

    /// One more state at the beginning of those that lead to the last one, with a step to the next if it moves at all.
    pub(crate) fn prepend_if(&mut self, moves: Lit) {
        let frame = Frame::any(self.network, self.property, self.stride, &mut self.clauses);
        self.ending.push(frame);
        if let [.., after, before] = &self.ending[..] {
            let Unrolling { network, clauses, end, .. } = self;
            Step { network, clauses, before, after, end: *end }.add(self.property, moves);
        }
        if let ([.., _, second, first], Some(order)) = (&self.ending[..], &self.order) {
            let Unrolling { network, property, clauses, stride, .. } = self;
            Neighbors { network, property, clauses, order, stride: *stride, moves }.order_steps(first, second);
        }
    }

    /// A literal that is true only if something is wrong with the last state.
    pub(crate) fn wrong(&mut self) -> Lit {
        let Unrolling { network, property, clauses, frames, .. } = self;
        Judged { network, property, clauses, frame: &frames[frames.len() - 1] }.wrong()
    }

    /// From now on the state at a place does nothing that is not allowed or goes wrong, whatever step it takes.
    pub(crate) fn assume_right(&mut self, place: usize) {
        let Unrolling { network, property, clauses, frames, .. } = self;
        Judged { network, property, clauses, frame: &frames[place] }.assume_right();
    }
}

/// A step from one state to the next.
pub(crate) struct Step<'a, 's> {
    pub(crate) network: &'a Network,
    pub(crate) clauses: &'a mut Clauses<'s>,
    pub(crate) before: &'a Frame,
    pub(crate) after: &'a Frame,
    /// Nothing happens after a step with this label.
    pub(crate) end: Option<Label>,
}

impl Step<'_, '_> {
    /// The second state is behind a step of the first, if that moves at all; otherwise it may be the same.
    pub(crate) fn add(mut self, property: &Property<'_>, moves: Lit) {
        self.take_one(moves);
        self.move_machines();
        self.change_mode();
        self.change_cells();
        if let Some(spec) = property.specification() {
            self.follow(spec);
        }
    }

    /// All rules, with their literals before the step.
    fn rules<'r>(&self) -> impl Iterator<Item = (&'r Rule, &'r RuleLits)> + use<'r>
    where
        Self: 'r,
    {
        let rules = self.network.modes.iter().flat_map(|mode| &mode.rules);
        rules.zip(self.before.rules.iter().flatten()).filter(|(_, lits)| lits.asks.is_some())
    }

    /// Some rule is taken. Nothing happens after termination.
    fn take_one(&mut self, moves: Lit) {
        let going_on = self.before.shows.iter().filter(|(label, _)| Some(**label) != self.end);
        let going_on: Vec<Lit> = going_on.map(|(_, &shows)| shows).chain([!moves]).collect();
        self.clauses.add(&going_on);
    }

    /// Machines that take part go where their actions lead, those that are put somewhere are there, and all others stay.
    fn move_machines(&mut self) {
        let mut putting: Vec<Vec<Lit>> = vec![Vec::new(); self.network.machines.len()];
        for (rule, lits) in self.rules() {
            for &(machine, local) in rule.jump.iter().flat_map(|jump| &jump.resets) {
                putting[machine.index()].push(lits.taken);
                self.clauses.imply(&[lits.taken], self.after.locals[machine.index()][local.index()]);
            }
        }
        for (place, machine) in self.network.machines.iter().enumerate() {
            let (before, after) = (&self.before.locals[place], &self.after.locals[place]);
            let is_put = self.clauses.any(&putting[place]);
            let acts = self.before.acts_of(MachineId(place as u32));
            let mut leaving: Vec<Vec<Lit>> = vec![vec![is_put]; machine.n_states()];
            for (action, acts) in acts {
                self.clauses.count(machine.n_states());
                for state in machine.states() {
                    // Where there is no such edge, the rule is not taken.
                    let targets = machine.edges_by(state, action).iter().map(|edge| edge.target);
                    if targets.clone().any(|target| target != state) {
                        leaving[state.index()].push(acts);
                    }
                    let targets = targets.map(|target| after[target.index()]);
                    let clause: Vec<Lit> = [!acts, !before[state.index()]].into_iter().chain(targets).collect();
                    if clause.len() > 2 {
                        self.clauses.add(&clause);
                    }
                }
            }
            for ((&here, &there), leaving) in before.iter().zip(after).zip(&mut leaving) {
                leaving.extend([!here, there]);
                self.clauses.add(leaving);
            }
        }
    }

    fn change_mode(&mut self) {
        let mut jumping = Vec::new();
        for (rule, lits) in self.rules() {
            if let Some(jump) = &rule.jump {
                jumping.push(lits.taken);
                self.clauses.add(&[!lits.taken, self.after.modes[jump.mode.index()]]);
            }
        }
        let jumps = self.clauses.any(&jumping);
        for (&here, &there) in self.before.modes.iter().zip(&self.after.modes) {
            self.clauses.add(&[!here, there, jumps]);
        }
    }

    /// Cells have the values that the rule gives them, and keep those that it does not change.
    fn change_cells(&mut self) {
        let mut writing: Vec<Vec<Lit>> = vec![Vec::new(); self.before.cells.len()];
        for (_, lits) in self.rules() {
            for (cell, word) in &lits.writes {
                writing[*cell].push(lits.taken);
                self.set(*cell, lits.taken, word);
            }
        }
        for (cell, rules) in writing.iter().enumerate() {
            let changes = self.clauses.any(rules);
            self.set(cell, !changes, &self.before.cells[cell]);
        }
    }

    /// If something is true, a cell has a value after the step.
    fn set(&mut self, cell: usize, condition: Lit, word: &Word) {
        let after = &self.after.cells[cell];
        for place in 0..after.bits.len().max(word.bits.len()) {
            let (bit, wanted) = (after.bit(place), word.bit(place));
            if bit != wanted {
                self.clauses.add(&[!condition, !bit, wanted]);
                self.clauses.add(&[!condition, bit, !wanted]);
            }
        }
    }

    /// The specification follows what is seen. After what it does not allow there is no state.
    fn follow(&mut self, spec: &lts::Lts) {
        let visible = self.before.shows.iter().filter(|(label, _)| **label != Label::TAU);
        let visible: Vec<Lit> = visible.map(|(_, &shows)| shows).collect();
        let is_visible = self.clauses.any(&visible);
        for node in spec.states() {
            let (here, there) = (self.before.nodes[node.index()], self.after.nodes[node.index()]);
            if spec.is_explicitly_divergent(node) {
                // Everything is allowed from there on.
                self.clauses.imply(&[here], there);
                continue;
            }
            self.clauses.add(&[!here, there, is_visible]);
            for step in spec.transitions(node) {
                if let Some(&shows) = self.before.shows.get(&step.label) {
                    self.clauses.imply(&[here, shows], self.after.nodes[step.target.index()]);
                }
            }
        }
    }
}
