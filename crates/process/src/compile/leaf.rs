//! Which terms become machines, and these machines.

use super::{CompileError, Compiler, seen};
use crate::{CallId, Lts, StepError, Stop, Term, TermId, Unfinished, explore};
use model::network::{Action, Edge, LocalState, Machine, MachineId};
use std::sync::Arc;

/// A machine with the terms of its states.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) machine: Arc<Machine>,
    pub(super) terms: Arc<[TermId]>,
}

/// The action of a terminated machine for the `n`-th parallel operator around it.
pub(super) fn done_action(n: u32) -> Action {
    Action(u32::MAX - n)
}

impl Compiler<'_> {
    pub(super) fn body(&mut self, term: TermId, call: CallId) -> Result<TermId, CompileError> {
        match self.table.body(call) {
            Some(body) => Ok(body),
            None => self
                .unfold
                .unfold(self.terms, call)
                .map_err(|diagnostic| CompileError::Step(term, StepError::Evaluation(diagnostic))),
        }
    }

    /// Whether a term has operands that could be machines of their own.
    pub(super) fn may_be_structure(&self, term: TermId) -> bool {
        match self.terms.get(term) {
            // Nothing to run side by side: these terminate at once.
            Term::Interleave(operands) | Term::Parallel(operands, _) => !operands.is_empty(),
            Term::AlphaParallel(operands) => !operands.is_empty(),
            term => term.is_parallel() || term.is_relabeling() || term.is_passing() || matches!(term, Term::Call(_)),
        }
    }

    /// Whether a term that could be decomposed is a machine all the same: operators that stand for a while only are worth
    /// it when the whole is large and has parallel parts.
    pub(super) fn is_leaf(&mut self, term: TermId) -> Result<bool, CompileError> {
        let operator = match self.terms.get(term) {
            &Term::Call(call) => {
                let body = self.body(term, call)?;
                self.terms.get(body)
            }
            operator => operator,
        };
        if !operator.is_passing() {
            return Ok(false);
        }
        if let Some(&known) = self.is_leaf.get(&term) {
            return Ok(known);
        }
        let small = self.limits.max_small_states;
        if small == 0 {
            return Ok(false);
        }
        let is_leaf = match self.explore(term, small) {
            Ok(_) => true,
            Err(unfinished) => match unfinished.reason {
                Stop::Canceled => return Err(CompileError::Canceled),
                // The operands tell whether it matters.
                Stop::Error(..) => true,
                Stop::StateLimit => !self.has_parallel_parts(&unfinished.lts.states),
            },
        };
        self.is_leaf.insert(term, is_leaf);
        Ok(is_leaf)
    }

    fn has_parallel_parts(&self, states: &[TermId]) -> bool {
        let mut seen = hashbrown::HashSet::new();
        let mut open = states.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                let term = self.terms.get(term);
                if term.is_parallel() {
                    return true;
                }
                term.push_started(&mut open);
            }
        }
        false
    }

    fn explore(&mut self, term: TermId, max_states: usize) -> Result<Lts, Box<Unfinished>> {
        let progress = &mut *self.progress;
        let mut keep_on = |_: &Lts| progress();
        explore(self.table, self.terms, self.unfold, term, max_states, &mut keep_on)
    }

    /// A term as a machine, below so many parallel operators.
    pub(super) fn leaf(&mut self, term: TermId, depth: u32) -> Result<Leaf, CompileError> {
        if let Some(known) = self.leaves.get(&(term, depth)) {
            return Ok(known.clone());
        }
        let explored = self.explore(term, self.limits.max_machine_states);
        let lts = explored.map_err(|unfinished| match unfinished.reason {
            Stop::StateLimit => CompileError::MachineTooLarge(term),
            Stop::Canceled => CompileError::Canceled,
            Stop::Error(state, error) => CompileError::Step(unfinished.lts.states[state], error),
        })?;
        let edge = |edge: &crate::Edge| Edge { action: Action(seen(edge.label).0), target: LocalState(edge.target) };
        let states = (0..lts.n_states()).map(|state| lts.edges(state).iter().map(edge).collect()).collect();
        let omega = lts.states.iter().position(|&state| *self.terms.get(state) == Term::Omega);
        let leaf = Leaf { machine: Arc::new(terminating(states, omega, depth)), terms: lts.states.into() };
        self.leaves.insert((term, depth), leaf.clone());
        Ok(leaf)
    }

    /// The machine that is always ready.
    pub(super) fn control(&mut self) -> (MachineId, Action) {
        let control = *self.control.get_or_insert_with(|| {
            let always = Edge { action: Action(0), target: LocalState(0) };
            self.machines.push(Arc::new(Machine::new([vec![always]])));
            self.machine_terms.push(Arc::from([]));
            MachineId(self.machines.len() as u32 - 1)
        });
        (control, Action(0))
    }
}

/// A machine that behind its terminated state has one more state for each joint termination it will take part in.
fn terminating(mut states: Vec<Vec<Edge>>, terminated: Option<usize>, depth: u32) -> Machine {
    if let Some(terminated) = terminated {
        let n_states = states.len() as u32;
        for n in 0..depth {
            let from = if n == 0 { terminated } else { (n_states + n - 1) as usize };
            states.push(Vec::new());
            states[from].push(Edge { action: done_action(n), target: LocalState(n_states + n) });
        }
    }
    Machine::new(states)
}

impl Term {
    /// Whether it only changes what is seen of its operand.
    pub(crate) fn is_relabeling(&self) -> bool {
        matches!(self, Term::Hide(..) | Term::Project(..) | Term::Rename(..))
    }

    /// Whether it stands above its operands until something happens.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(
            self,
            Term::Prefix(..)
                | Term::PrefixAny(..)
                | Term::ExternalChoice(_)
                | Term::InternalChoice(_)
                | Term::SlidingChoice(..)
                | Term::Sequential(..)
                | Term::Loop(_)
                | Term::Interrupt(..)
                | Term::Exception(..)
                | Term::SyncChoice(..)
                | Term::SyncInterrupt(..)
        )
    }
}
