//! Unrollings of a network: consecutive frames.

use crate::clauses::Clauses;
use crate::frame::Frame;
use crate::order::{Neighbors, Order};
use crate::parallel_steps::StepSemantics;
use crate::property::Judged;
use crate::rules::RuleLits;
use crate::stopping::unless_stopped;
use crate::word::Word;
use crate::{Encoding, Lit, Property, Solver};
use lts::Label;
use model::network::{MachineId, Network, Rule};
use progress::Interrupt;

/// Consecutive frames of a run.
pub(crate) struct Unrolling<'s> {
    pub(crate) network: &'s Network,
    pub(crate) property: &'s Property<'s>,
    pub(crate) clauses: Clauses<'s>,
    /// Frames from the first one on.
    pub(crate) frames: Vec<Frame>,
    /// Frames to the last one, in reverse.
    pub(crate) ending: Vec<Frame>,
    /// The label after which no step is possible.
    pub(crate) end: Option<Label>,
    /// Pairs of steps with a fixed order.
    pub(crate) order: Option<Order>,
    /// The steps between two frames.
    pub(crate) step_semantics: StepSemantics,
}

impl<'s> Unrolling<'s> {
    /// An unrolling without frames, in which independent steps are ordered. Computing the order may be cancelled.
    pub(crate) fn new(
        network: &'s Network,
        property: &'s Property<'s>,
        encoding: Encoding,
        solver: &'s mut dyn Solver,
    ) -> Result<Unrolling<'s>, Interrupt> {
        let order = unless_stopped(|| Ok(Order::new(network, property, solver)))?;
        Ok(Unrolling { order, ..Unrolling::unordered(network, property, encoding, solver) })
    }

    /// An unrolling without frames, in which steps have any order.
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
            step_semantics: StepSemantics::Single,
        }
    }

    /// Adds the initial state.
    pub(crate) fn begin(&mut self) {
        self.start_at(&self.frames[0]).into_iter().for_each(|lit| self.clauses.add(&[lit]));
    }

    /// Literals all of which are true exactly in the initial state.
    pub(crate) fn start_at(&self, frame: &Frame) -> Vec<Lit> {
        let node = self.property.specification().map_or(0, |spec| spec.initial().index());
        frame.facts(&self.network.initial, node)
    }

    /// Appends a frame and the step that leads to it.
    pub(crate) fn extend(&mut self) {
        self.extend_if(self.clauses.yes);
    }

    /// Appends a frame, and the step that leads to it if `moves` is true.
    pub(crate) fn extend_if(&mut self, moves: Lit) {
        let frame = Frame::any(self.network, self.property, self.step_semantics, &mut self.clauses);
        self.frames.push(frame);
        if let [.., before, after] = &self.frames[..] {
            let Unrolling { network, clauses, end, .. } = self;
            Step { network, clauses, before, after, end: *end }.add(self.property, moves);
        }
        if let ([.., first, second, _], Some(order)) = (&self.frames[..], &self.order) {
            let Unrolling { network, property, clauses, step_semantics, .. } = self;
            let moves = clauses.yes;
            Neighbors { network, property, clauses, order, step_semantics: *step_semantics, moves }
                .order_steps(first, second);
        }
    }

    /// Prepends a frame to those that lead to the last one, with a step to the next if `moves` is true.
    pub(crate) fn prepend_if(&mut self, moves: Lit) {
        let frame = Frame::any(self.network, self.property, self.step_semantics, &mut self.clauses);
        self.ending.push(frame);
        if let [.., after, before] = &self.ending[..] {
            let Unrolling { network, clauses, end, .. } = self;
            Step { network, clauses, before, after, end: *end }.add(self.property, moves);
        }
        if let ([.., _, second, first], Some(order)) = (&self.ending[..], &self.order) {
            let Unrolling { network, property, clauses, step_semantics, .. } = self;
            Neighbors { network, property, clauses, order, step_semantics: *step_semantics, moves }
                .order_steps(first, second);
        }
    }

    /// A literal that implies a violation in the last frame.
    pub(crate) fn wrong(&mut self) -> Lit {
        let Unrolling { network, property, clauses, frames, .. } = self;
        Judged { network, property, clauses, frame: &frames[frames.len() - 1] }.wrong()
    }

    /// Adds that a frame has no violation, whatever step it takes.
    pub(crate) fn assume_right(&mut self, place: usize) {
        let Unrolling { network, property, clauses, frames, .. } = self;
        Judged { network, property, clauses, frame: &frames[place] }.assume_right();
    }
}

/// The step between two frames.
pub(crate) struct Step<'a, 's> {
    pub(crate) network: &'a Network,
    pub(crate) clauses: &'a mut Clauses<'s>,
    pub(crate) before: &'a Frame,
    pub(crate) after: &'a Frame,
    /// The label after which no step is possible.
    pub(crate) end: Option<Label>,
}

impl Step<'_, '_> {
    /// Adds that the second frame follows by a step if `moves` is true; otherwise it may stutter.
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

    /// A rule is taken. No step follows termination.
    fn take_one(&mut self, moves: Lit) {
        let going_on = self.before.shows.iter().filter(|(label, _)| Some(**label) != self.end);
        let going_on: Vec<Lit> = going_on.map(|(_, &shows)| shows).chain([!moves]).collect();
        self.clauses.add(&going_on);
    }

    /// Participating machines move to the targets of their actions, reset ones to their new states, and all others
    /// stay.
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

    /// Cells have the values that the rule writes; all others keep theirs.
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

    /// Under a condition, a cell has a value after the step.
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

    /// The specification follows the visible label. A label that it does not allow has no successor.
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
