//! From runs of a network back to terms.

mod confirm;
mod exact;
mod lifter;
mod route;
mod weave;

use super::Compiled;
use super::compress::CompressedOperand;
use super::leaf::{Leaf, LocalTerm, Origin};
use super::shape::{Shape, ShapeId};
use crate::{Term, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use lifter::Lifter;
use lts::{Label, NoRun, Observation};
use model::network::{Action, Configuration, LocalState, MachineId};
use progress::Progress;
use std::rc::Rc;
use std::sync::Arc;
use weave::Manner;

/// A run without compressions.
#[derive(Clone, Debug)]
pub struct LiftedRun {
    /// The labels.
    pub labels: Vec<Label>,
    /// Where it can be repeated from, if it was a loop that was lifted.
    pub loop_start: Option<usize>,
    /// One more than labels: the start, and what each step leads to.
    places: Vec<Place>,
    /// The runs of operands.
    runs: Vec<(Arc<CompressedOperand>, Rc<LiftedRun>)>,
}

#[derive(Clone, Debug)]
struct Place {
    /// Where the machines are that are no operands.
    configuration: Configuration,
    /// The operands: which run they are on, and how far.
    inner: Vec<(MachineId, usize, usize)>,
}

impl LiftedRun {
    /// Removes the last step.
    pub fn without_last(mut self) -> LiftedRun {
        if self.labels.pop().is_some() {
            self.places.pop();
        }
        self
    }

    /// The terms after each step; None if some machines stand for none.
    pub fn terms(&self, compiled: &Compiled, terms: &mut Terms) -> Option<Vec<TermId>> {
        let mut all = self.all_terms(compiled, terms, &mut HashMap::new())?;
        all.remove(0);
        Some(all)
    }

    fn all_terms(
        &self,
        compiled: &Compiled,
        terms: &mut Terms,
        known: &mut HashMap<*const LiftedRun, Rc<[TermId]>>,
    ) -> Option<Vec<TermId>> {
        let mut inner: Vec<Rc<[TermId]>> = Vec::with_capacity(self.runs.len());
        for (compressed, run) in &self.runs {
            let told = match known.get(&Rc::as_ptr(run)) {
                Some(told) => told.clone(),
                None => run.all_terms(&compressed.operand, terms, known)?.into(),
            };
            known.insert(Rc::as_ptr(run), told.clone());
            inner.push(told);
        }
        let term = |place: &Place| {
            let operands = place.inner.iter().map(|&(machine, run, at)| (machine, inner[run][at])).collect();
            compiled.whole_term(terms, &place.configuration, &operands)
        };
        self.places.iter().map(term).collect()
    }
}

impl CompressedOperand {
    /// The state of its system that a state of its machine is, unless it has terminated.
    fn state_of(&self, local: LocalState) -> Option<lts::StateId> {
        let initial = self.lts.initial();
        match local.0 {
            0 => Some(initial),
            number if number == initial.0 => Some(lts::StateId(0)),
            number => Some(lts::StateId(number)).filter(|state| state.index() < self.lts.n_states()),
        }
    }
}

impl Compiled {
    /// The run of the process without compressions that a run of the network stands for. At most `max_nodes` states of
    /// each operand are looked at.
    pub fn lift(
        &self,
        steps: &[(Label, Configuration)],
        ending: Observation,
        max_nodes: u64,
        progress: &dyn Progress,
    ) -> Result<LiftedRun, NoRun> {
        self.lifter(max_nodes, progress).lift(self, steps, ending, Manner::Loose)
    }

    /// Makes sure that there is such a run, without writing it down: it may be longer than anything.
    pub fn confirm(
        &self,
        steps: &[(Label, Configuration)],
        ending: Observation,
        max_nodes: u64,
        progress: &dyn Progress,
    ) -> Result<(), NoRun> {
        self.lifter(max_nodes, progress).confirm(self, steps, ending)
    }

    fn lifter<'a>(&self, max_nodes: u64, progress: &'a dyn Progress) -> Lifter<'a> {
        Lifter { max_nodes, progress, known: HashMap::new(), confirmed: HashSet::new() }
    }

    /// The term that a configuration stands for, with calls opened where the structure is. The states of compressed
    /// operands stand for none.
    pub fn term(&self, terms: &mut Terms, configuration: &Configuration) -> Option<TermId> {
        self.whole_term(terms, configuration, &HashMap::new())
    }

    /// The term of a configuration, with terms for the states of compressed operands.
    fn whole_term(
        &self,
        terms: &mut Terms,
        configuration: &Configuration,
        operands: &HashMap<MachineId, TermId>,
    ) -> Option<TermId> {
        let shape = self.modes[configuration.mode.index()];
        let machines = self.shapes.machines(shape);
        let is_known = |machine: &MachineId| {
            matches!(self.leaf(*machine).origin, Origin::Terms(_)) || operands.contains_key(machine)
        };
        if !machines.iter().all(is_known) {
            return None;
        }
        let term = Rebuilding { compiled: self, configuration, operands }.rebuild(terms, shape).0;
        let Some(around) = self.around else { return Some(term) };
        let around = match terms.get(term) {
            Term::Omega => return Some(term),
            _ => terms.get(around).with_operands(&[term]),
        };
        Some(terms.intern(around))
    }

    /// The events of a machine for an operand in a state, unless it has terminated.
    fn offers(&self, machine: MachineId, configuration: &Configuration) -> Option<Vec<Label>> {
        let local = configuration.locals[machine.index()];
        self.opened_machine(machine)?.state_of(local)?;
        let edges = self.network.machines[machine.index()].edges(local);
        Some(edges.iter().map(|edge| Label(edge.action.0)).filter(|&label| label != Label::TAU).collect())
    }

    /// Whether some of its machines stand for compressed processes.
    pub fn is_compressed(&self) -> bool {
        self.leaves.iter().flatten().any(|leaf| matches!(leaf.origin, Origin::Compressed(_)))
    }

    /// How many components the process has without compressions, about.
    pub fn n_components(&self) -> f64 {
        self.count_components(&mut HashMap::new())
    }

    fn count_components(&self, known: &mut HashMap<TermId, f64>) -> f64 {
        let count = |leaf: &Leaf| match &leaf.origin {
            Origin::Terms(_) => 1.0,
            Origin::Compressed(compressed) => match known.get(&compressed.term) {
                Some(&n) => n,
                None => {
                    let n = compressed.operand.count_components(known);
                    known.insert(compressed.term, n);
                    n
                }
            },
        };
        self.leaves.iter().flatten().map(count).sum()
    }

    /// The term that a machine was made of, if there is one.
    pub fn machine_term(&self, machine: MachineId) -> Option<TermId> {
        self.leaves[machine.index()].as_ref().map(|leaf| leaf.term)
    }

    /// The label of an action of a machine; one that belongs to the termination of operators around it counts as
    /// termination.
    pub fn action_label(&self, action: Action) -> Label {
        self.team_actions.team_action(action).map_or(Label::TICK, |team_action| team_action.label)
    }

    fn leaf(&self, machine: MachineId) -> &Leaf {
        self.leaves[machine.index()].as_ref().expect("shapes are made of leaves")
    }
}

/// A configuration on its way back to a term.
struct Rebuilding<'a> {
    compiled: &'a Compiled,
    configuration: &'a Configuration,
    operands: &'a HashMap<MachineId, TermId>,
}

impl Rebuilding<'_> {
    /// A shape as a term, and how many of the parallel operators around it have terminated.
    fn rebuild(&self, terms: &mut Terms, shape: ShapeId) -> (TermId, usize) {
        match self.compiled.shapes.get(shape) {
            Shape::Leaf(machine, _) => self.leaf_term(terms, *machine),
            Shape::Over => (terms.intern(Term::Omega), 0),
            Shape::Operator(term, _, shapes) => {
                let operator = terms.get(*term).clone();
                let rebuilt: Vec<(TermId, usize)> =
                    shapes.iter().map(|&operand| self.rebuild(terms, operand)).collect();
                let n_ended = rebuilt.iter().map(|&(_, n_ended)| n_ended).min().unwrap_or(0);
                let omega = terms.intern(Term::Omega);
                if operator.is_parallel() && n_ended > 0 {
                    return (omega, n_ended - 1);
                }
                if let Term::Compressed(..) = operator {
                    // What is not compressed is its operand.
                    return rebuilt[0];
                }
                if (operator.is_relabeling() || operator.is_priority()) && rebuilt[0].0 == omega {
                    return (omega, n_ended);
                }
                if let Term::Loop(_) = operator {
                    return (terms.intern(Term::Sequential(rebuilt[0].0, *term)), 0);
                }
                // Operands that have not started follow those that have.
                let mut operands = operator.operands();
                for (operand, (rebuilt, _)) in operands.iter_mut().zip(&rebuilt) {
                    *operand = *rebuilt;
                }
                (terms.intern(operator.with_operands(&operands)), 0)
            }
        }
    }

    fn leaf_term(&self, terms: &mut Terms, machine: MachineId) -> (TermId, usize) {
        let local = self.configuration.locals[machine.index()];
        let leaf = self.compiled.leaf(machine);
        let local_term = match &leaf.origin {
            Origin::Terms(known) => known.get(local),
            Origin::Compressed(compressed) => match compressed.state_of(local) {
                Some(_) => LocalTerm::Term(self.operands[&machine]),
                None => LocalTerm::Ended(local.index() - compressed.lts.n_states()),
            },
        };
        match local_term {
            LocalTerm::Term(term) => (term, 0),
            LocalTerm::Ended(n_ended) => (terms.intern(Term::Omega), n_ended),
        }
    }
}
