//! Branching time: which states satisfy a formula about the tree of their runs.
//!
//! Every part of a formula is a set of states, computed from the sets of its operands in linear time (Clarke, Emerson and Sistla):
//! a next by looking at all steps, an until by walking backward from where it is fulfilled, and "always on some path" by walking
//! backward from where a run can stay, which is a component of states that satisfy it, or one that is stuck.

mod explain;

use crate::components::cycles;
use crate::{Fact, Run, Structure, holds_at};
use explain::Explain;
use fixedbitset::FixedBitSet;
use ltl::logic::Atom;
use ltl::logic::branching::{Formula, Node, Store};
use lts::{Label, StateId, Stopped};
use std::ops::ControlFlow;

/// A formula of branching time, and what its atoms mean.
#[derive(Clone, Debug)]
pub struct Property {
    /// Where the formula is kept.
    pub store: Store,
    /// What is claimed of the initial state.
    pub formula: Formula,
    /// What each atom says, by number.
    pub facts: Vec<Fact>,
}

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The formula is true of the initial state.
    Holds,
    /// It is not; a run shows why, if a single one can. [`crate::Ending::Any`] means that its last state or step is the reason.
    Fails(Option<Run>),
    /// Some states are open.
    Inconclusive {
        /// How many.
        n_open: usize,
    },
    /// The search was ended.
    Stopped,
}

/// Decides a formula. The watch hears how many of its parts are done, and may end it.
pub fn decide(structure: &Structure, property: &Property, watch: &mut dyn FnMut(usize) -> ControlFlow<()>) -> Verdict {
    if structure.n_open() > 0 {
        return Verdict::Inconclusive { n_open: structure.n_open() };
    }
    match Labeling::new(structure, property, watch) {
        Err(Stopped) => Verdict::Stopped,
        Ok(labeling) if labeling.holds(property.formula, structure.initial()) => Verdict::Holds,
        Ok(labeling) => Verdict::Fails(Explain { structure, property, labeling: &labeling }.failure()),
    }
}

/// The states that satisfy each part of a formula.
struct Labeling<'a> {
    structure: &'a Structure,
    facts: &'a [Fact],
    before: Before,
    /// By the number of the part; nothing for formulas that are not parts.
    states: Vec<FixedBitSet>,
}

impl<'a> Labeling<'a> {
    fn new(
        structure: &'a Structure,
        property: &'a Property,
        watch: &mut dyn FnMut(usize) -> ControlFlow<()>,
    ) -> Result<Labeling<'a>, Stopped> {
        let before = Before::new(structure);
        let mut labeling = Labeling { structure, facts: &property.facts, before, states: Vec::new() };
        let is_part = parts(&property.store, property.formula);
        for formula in property.store.formulas().take(property.formula.index() + 1) {
            if watch(labeling.states.len()).is_break() {
                return Err(Stopped);
            }
            let is_part = is_part.contains(formula.index());
            let states = if is_part { labeling.label(property.store.get(formula)) } else { FixedBitSet::new() };
            labeling.states.push(states);
        }
        Ok(labeling)
    }

    fn holds(&self, formula: Formula, state: StateId) -> bool {
        self.of(formula).contains(state.index())
    }

    fn of(&self, formula: Formula) -> &FixedBitSet {
        &self.states[formula.index()]
    }

    fn label(&self, node: Node) -> FixedBitSet {
        match node {
            Node::True => self.all(|_| true),
            Node::Atom(atom) => self.fact(&self.facts[atom.0 as usize]),
            Node::Not(operand) => self.all(|state| !self.holds(operand, state)),
            Node::And(left, right) => self.of(left) & self.of(right),
            Node::Or(left, right) => self.of(left) | self.of(right),
            Node::ExistsNext(step, operand) => self.all(|state| self.step_to(state, step, operand).is_some()),
            Node::ExistsUntil(left, right) => self.backward(self.of(left), self.of(right).clone()),
            Node::ExistsGlobally(operand) => self.backward(self.of(operand), self.staying(operand)),
        }
    }

    /// All states with a property.
    fn all(&self, has: impl Fn(StateId) -> bool) -> FixedBitSet {
        let mut states = FixedBitSet::with_capacity(self.structure.n_states());
        states.extend(self.structure.states().filter(|&state| has(state)).map(StateId::index));
        states
    }

    fn fact(&self, fact: &Fact) -> FixedBitSet {
        match fact {
            // One walk for all states instead of one for each.
            Fact::EnablesSilently(labels) => {
                let now = self.fact(&Fact::Enables(labels.clone()));
                self.before.closure(now, |step| step.is_silent)
            }
            _ => self.all(|state| holds_at(fact, self.structure, state, None)),
        }
    }

    /// The place of a step to a state that satisfies a formula; with an atom, of a step of which it is true.
    fn step_to(&self, state: StateId, step: Option<Atom>, operand: Formula) -> Option<usize> {
        let fact = step.map(|atom| &self.facts[atom.0 as usize]);
        self.structure.steps(state).iter().position(|step| {
            self.holds(operand, step.target)
                && fact.is_none_or(|fact| holds_at(fact, self.structure, state, Some(step)))
        })
    }

    /// What leads to one of these states by states that are `allowed`.
    fn backward(&self, allowed: &FixedBitSet, from: FixedBitSet) -> FixedBitSet {
        self.before.closure(from, |step| allowed.contains(step.source.index()))
    }

    /// States among those of a formula where a run can end, or that it can meet again and again without leaving them.
    fn staying(&self, formula: Formula) -> FixedBitSet {
        let inside = |state: &StateId| self.holds(formula, *state);
        let successors = |state| {
            let targets = self.structure.steps(StateId(state as u32)).iter().map(|step| step.target);
            targets.filter(inside).map(StateId::index)
        };
        let mut staying = self.all(|state| inside(&state) && self.structure.is_stuck(state));
        staying.extend(cycles(self.structure.n_states(), self.of(formula).ones(), successors).into_iter().flatten());
        staying
    }
}

/// A formula and all that it is made of.
fn parts(store: &Store, formula: Formula) -> FixedBitSet {
    let mut parts: FixedBitSet = [formula.index()].into_iter().collect();
    // Operands have smaller numbers.
    for formula in store.formulas().take(formula.index() + 1).collect::<Vec<_>>().into_iter().rev() {
        if parts.contains(formula.index()) {
            match store.get(formula) {
                Node::True | Node::Atom(_) => {}
                Node::Not(operand) | Node::ExistsNext(_, operand) | Node::ExistsGlobally(operand) => {
                    parts.insert(operand.index());
                }
                Node::And(left, right) | Node::Or(left, right) | Node::ExistsUntil(left, right) => {
                    parts.extend([left.index(), right.index()]);
                }
            }
        }
    }
    parts
}

/// The steps of a structure, by where they lead.
struct Before {
    /// Where the steps to each state begin, and one more.
    offsets: Vec<usize>,
    steps: Vec<Arrival>,
}

/// A step, seen from its target.
#[derive(Clone, Copy)]
struct Arrival {
    source: StateId,
    is_silent: bool,
}

impl Before {
    fn new(structure: &Structure) -> Before {
        let mut offsets = vec![0; structure.n_states() + 1];
        for step in structure.states().flat_map(|state| structure.steps(state)) {
            offsets[step.target.index() + 1] += 1;
        }
        for state in 0..structure.n_states() {
            offsets[state + 1] += offsets[state];
        }
        let mut free = offsets.clone();
        let mut steps = vec![Arrival { source: StateId(0), is_silent: false }; structure.n_steps()];
        for source in structure.states() {
            for step in structure.steps(source) {
                let is_silent = structure.action(step).label == Label::TAU;
                steps[free[step.target.index()]] = Arrival { source, is_silent };
                free[step.target.index()] += 1;
            }
        }
        Before { offsets, steps }
    }

    /// These states and all that lead to them by steps of a kind.
    fn closure(&self, mut states: FixedBitSet, follows: impl Fn(&Arrival) -> bool) -> FixedBitSet {
        let mut open: Vec<usize> = states.ones().collect();
        while let Some(state) = open.pop() {
            let arrivals = &self.steps[self.offsets[state]..self.offsets[state + 1]];
            for arrival in arrivals.iter().filter(|arrival| follows(arrival)) {
                if !states.put(arrival.source.index()) {
                    open.push(arrival.source.index());
                }
            }
        }
        states
    }
}
