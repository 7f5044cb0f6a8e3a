//! Labeling algorithm for CTL: Clarke, Emerson and Sistla (1986), *Automatic verification of finite-state concurrent
//! systems using temporal logic specifications*.
//!
//! Every part of a formula is labeled with its set of states, computed from the sets of its operands in linear time: a
//! next by its steps, an until by backward reachability from its goal, and "always on some path" by backward
//! reachability from the cycles and deadlocks within its operand.
//!
//! Where some states are open there are two sets for each part: the states that satisfy it certainly, and those that
//! satisfy it possibly (Bruns and Godefroid, 1999, *Model checking partial state spaces with 3-valued temporal
//! logics*). An open state has a possible step to every state, and no certain one. A negation is certain where the
//! operand is not possible. So the formula is decided if the known steps decide each of its parts.

mod before;
mod explain;

use crate::{Fact, Run, Structure, holds_at, is_known_at};
use before::Before;
use explain::Explain;
use fixedbitset::FixedBitSet;
use graphs::cycles;
use ltl::logic::Atom;
use ltl::logic::branching::{Formula, Node, Store};
use lts::{Reason, StateId, Transition, Verdict};
use progress::{Interrupt, Progress, Statistics};
pub use property::BranchingProperty as Property;
use std::ops::ControlFlow;

/// Decides a formula. If it is false, a run is a witness where one exists; with [`crate::Ending::Any`] the last state
/// or step of the run is the reason. `progress` receives the number of labeled parts, and is polled for cancellation.
pub fn decide(structure: &Structure, property: &Property, progress: &dyn Progress) -> Verdict<Option<Run>> {
    let labeling = match Labeling::new(structure, property, progress) {
        Ok(labeling) => labeling,
        Err(why) => return Verdict::Unknown(why.into()),
    };
    let initial = structure.initial();
    if labeling.holds(property.formula, initial) {
        Verdict::Holds
    } else if labeling.is(property.formula, initial, false) {
        Verdict::Fails(Explain { structure, property, labeling: &labeling }.failure())
    } else {
        Verdict::Unknown(Reason::Open)
    }
}

/// The interpretation of open states.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// For all possible steps of open states.
    Surely,
    /// For some possible steps of open states.
    Perhaps,
}

impl Reading {
    /// The reading of the operand of a negation.
    fn dual(self) -> Reading {
        match self {
            Reading::Surely => Reading::Perhaps,
            Reading::Perhaps => Reading::Surely,
        }
    }
}

/// The states that satisfy each part of a formula.
struct Labeling<'a> {
    structure: &'a Structure,
    facts: &'a [Fact],
    before: Before,
    /// By the number of the part; empty for formulas that are not parts.
    states: Vec<Satisfying>,
}

/// The states that satisfy a formula.
#[derive(Default)]
struct Satisfying {
    surely: FixedBitSet,
    /// None if both sets are equal.
    perhaps: Option<FixedBitSet>,
}

impl<'a> Labeling<'a> {
    fn new(
        structure: &'a Structure,
        property: &'a Property,
        progress: &dyn Progress,
    ) -> Result<Labeling<'a>, Interrupt> {
        let before = Before::new(structure);
        let mut labeling = Labeling { structure, facts: &property.facts, before, states: Vec::new() };
        let is_part = parts(&property.store, property.formula);
        for formula in property.store.formulas().take(property.formula.index() + 1) {
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(labeling.states.len())) {
                return Err(why);
            }
            let is_part = is_part.contains(formula.index());
            let states = if is_part { labeling.both(property.store.get(formula)) } else { Satisfying::default() };
            labeling.states.push(states);
        }
        Ok(labeling)
    }

    /// Whether a state certainly satisfies a formula.
    fn holds(&self, formula: Formula, state: StateId) -> bool {
        self.is(formula, state, true)
    }

    /// Whether a formula certainly has this value in a state.
    fn is(&self, formula: Formula, state: StateId, value: bool) -> bool {
        let reading = if value { Reading::Surely } else { Reading::Perhaps };
        self.of(formula, reading).contains(state.index()) == value
    }

    fn of(&self, formula: Formula, reading: Reading) -> &FixedBitSet {
        let Satisfying { surely, perhaps } = &self.states[formula.index()];
        perhaps.as_ref().filter(|_| reading == Reading::Perhaps).unwrap_or(surely)
    }

    fn both(&self, node: Node) -> Satisfying {
        let is_partial = self.structure.n_open() > 0;
        let perhaps = is_partial.then(|| self.label(node, Reading::Perhaps));
        Satisfying { surely: self.label(node, Reading::Surely), perhaps }
    }

    fn label(&self, node: Node, reading: Reading) -> FixedBitSet {
        let of = |formula| self.of(formula, reading);
        match node {
            Node::True => self.all(|_| true),
            Node::Atom(atom) => self.fact(&self.facts[atom.0 as usize], reading),
            Node::Not(operand) => {
                let unwanted = self.of(operand, reading.dual());
                self.all(|state| !unwanted.contains(state.index()))
            }
            Node::And(left, right) => of(left) & of(right),
            Node::Or(left, right) => of(left) | of(right),
            Node::ExistsNext(step, operand) => self
                .all(|state| self.is_open_in(state, reading) || self.step_to(state, step, operand, reading).is_some()),
            Node::ExistsUntil(left, right) => {
                let lost = self.all(|state| self.is_open_in(state, reading) && of(left).contains(state.index()));
                self.backward(of(left), &lost | of(right))
            }
            Node::ExistsGlobally(operand) => self.backward(of(operand), self.staying(operand, reading)),
        }
    }

    /// Whether a state is open in this reading: it may have a step to every state.
    fn is_open_in(&self, state: StateId, reading: Reading) -> bool {
        reading == Reading::Perhaps && self.structure.is_open(state)
    }

    /// All states with a property.
    fn all(&self, has: impl Fn(StateId) -> bool) -> FixedBitSet {
        let mut states = FixedBitSet::with_capacity(self.structure.n_states());
        states.extend(self.structure.states().filter(|&state| has(state)).map(StateId::index));
        states
    }

    fn fact(&self, fact: &Fact, reading: Reading) -> FixedBitSet {
        match fact {
            // One traversal for all states instead of one for each.
            Fact::EnablesSilently(labels) => {
                let now = self.fact(&Fact::Enables(labels.clone()), reading);
                self.before.closure(now, |step| step.is_silent)
            }
            _ => self.all(|state| self.fact_at(fact, state, None, reading)),
        }
    }

    fn fact_at(&self, fact: &Fact, state: StateId, taken: Option<&Transition>, reading: Reading) -> bool {
        match is_known_at(fact, self.structure, state) {
            true => holds_at(fact, self.structure, state, taken),
            false => reading == Reading::Perhaps,
        }
    }

    /// The position of a step to a state that satisfies a formula; with an atom, of a step of which it is true.
    fn step_to(&self, state: StateId, step: Option<Atom>, operand: Formula, reading: Reading) -> Option<usize> {
        let fact = step.map(|atom| &self.facts[atom.0 as usize]);
        let states = self.of(operand, reading);
        self.structure.steps(state).iter().position(|step| {
            states.contains(step.target.index())
                && fact.is_none_or(|fact| self.fact_at(fact, state, Some(step), reading))
        })
    }

    /// The states from which one of these states is reachable within `allowed`.
    fn backward(&self, allowed: &FixedBitSet, from: FixedBitSet) -> FixedBitSet {
        self.before.closure(from, |step| allowed.contains(step.source.index()))
    }

    /// The cycles and final states of runs within the states of a formula.
    fn staying(&self, formula: Formula, reading: Reading) -> FixedBitSet {
        let inside = self.of(formula, reading);
        let successors = |state| {
            let targets = self.structure.steps(StateId(state as u32)).iter().map(|step| step.target.index());
            targets.filter(|&target| inside.contains(target))
        };
        let may_end = |state| self.structure.is_stuck(state) || self.is_open_in(state, reading);
        let mut staying = self.all(|state| inside.contains(state.index()) && may_end(state));
        staying.extend(cycles(self.structure.n_states(), inside.ones(), successors).into_iter().flatten());
        staying
    }
}

/// A formula and all its parts.
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
