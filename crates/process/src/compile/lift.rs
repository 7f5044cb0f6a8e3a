//! From states of a network back to terms.

use super::Compiled;
use super::leaf::{Leaf, Origin};
use super::shape::{Shape, ShapeId};
use crate::{Term, TermId, Terms};
use hashbrown::HashMap;
use lts::Label as Seen;
use model::network::{Action, Configuration, MachineId};

impl Compiled {
    /// The term that a configuration stands for, with calls opened where the structure is. The states of compressed
    /// operands stand for none.
    pub fn term(&self, terms: &mut Terms, configuration: &Configuration) -> Option<TermId> {
        let shape = self.modes[configuration.mode.index()];
        let machines = self.shapes.machines(shape);
        let is_known = |machine: &MachineId| matches!(self.leaf(*machine).origin, Origin::Terms(_));
        if !machines.iter().all(is_known) {
            return None;
        }
        let term = self.rebuild(terms, configuration, shape).0;
        let Some(around) = self.around else { return Some(term) };
        let around = match terms.get(term) {
            Term::Omega => return Some(term),
            _ => terms.get(around).with_operands(&[term]),
        };
        Some(terms.intern(around))
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

    /// The machines that take a step, each with the term it was made of and what it does.
    pub fn movers(&self, before: &Configuration, label: Seen, after: &Configuration) -> Vec<(MachineId, TermId, Seen)> {
        let steps = self.network.steps(before);
        let Some(step) = steps.iter().find(|step| step.label == label && step.target == *after) else {
            return Vec::new();
        };
        let rule = &self.network.modes[before.mode.index()].rules[step.rule.index()];
        let told = |&(machine, action): &(MachineId, Action)| {
            let leaf = self.leaves[machine.index()].as_ref()?;
            // The other actions are those of termination.
            let label = self.deeds.deed(action).map_or(Seen::TICK, |deed| deed.label);
            Some((machine, leaf.term, label))
        };
        rule.parts.iter().filter_map(told).collect()
    }

    fn leaf(&self, machine: MachineId) -> &Leaf {
        self.leaves[machine.index()].as_ref().expect("shapes are made of leaves")
    }

    /// A shape as a term, and how many of the parallel operators around it have terminated.
    fn rebuild(&self, terms: &mut Terms, configuration: &Configuration, shape: ShapeId) -> (TermId, usize) {
        match self.shapes.get(shape) {
            Shape::Leaf(machine, _) => self.leaf_term(terms, configuration, *machine),
            Shape::Over => (terms.intern(Term::Omega), 0),
            Shape::Operator(term, _, shapes) => {
                let operator = terms.get(*term).clone();
                let rebuilt: Vec<(TermId, usize)> =
                    shapes.iter().map(|&operand| self.rebuild(terms, configuration, operand)).collect();
                let n_ended = rebuilt.iter().map(|&(_, n_ended)| n_ended).min().unwrap_or(0);
                let omega = terms.intern(Term::Omega);
                if operator.is_parallel() && n_ended > 0 {
                    return (omega, n_ended - 1);
                }
                let passes_on = operator.is_relabeling() || matches!(operator, Term::Compressed(..));
                if passes_on && rebuilt[0].0 == omega {
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

    fn leaf_term(&self, terms: &mut Terms, configuration: &Configuration, machine: MachineId) -> (TermId, usize) {
        let local = configuration.locals[machine.index()].index();
        let known = self.leaf(machine).terms();
        match known.get(local) {
            Some(&term) => (term, 0),
            None => (terms.intern(Term::Omega), local - known.len() + 1),
        }
    }
}
