//! Which terms become machines, and these machines.

use super::compress::CompressedOperand;
use super::shape::Depth;
use super::team_actions::TeamAction;
use super::{CompileContext, CompileError, Compiler};
use crate::explore::explore_with;
use crate::{CallId, Lts, StopReason, Term, TermId, Termination, Unfinished};
use limits::effort::machines::{MAX_OPENED, MAX_SMALL_PARTS};
use model::network::{Action, Edge, LocalState, Machine, MachineId};
use std::ops::Range;
use std::sync::Arc;

/// A machine and what it was made of.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    pub(super) term: TermId,
    pub(super) machine: Arc<Machine>,
    pub(super) origin: Origin,
    /// Whether there is a priority around it inside the network.
    pub(super) is_prioritized: bool,
}

/// Where the states of a machine come from.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    /// Each is a term, or one of a machine that has terminated.
    Terms(LocalTerms),
    /// They are those of a compressed network.
    Compressed(Arc<CompressedOperand>),
}

/// The terms of the states of a machine.
#[derive(Clone, Debug)]
pub(super) struct LocalTerms {
    terms: Arc<[TermId]>,
    /// Where the states of the terminated machine stand among those for terms, one for each parallel operator around
    /// it.
    ended: Range<usize>,
}

/// The meaning of a local state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum LocalTerm {
    Term(TermId),
    /// The number of parallel operators around the machine that have terminated with it.
    Ended(usize),
}

impl LocalTerms {
    /// States for terms, and then those of the terminated machine.
    fn in_order(terms: Arc<[TermId]>, n_parallel: u32) -> LocalTerms {
        let ended = terms.len()..terms.len() + n_parallel as usize;
        LocalTerms { terms, ended }
    }

    /// The first term, the states of the terminated machine, and then all other terms: however many there will be, no
    /// state changes its number.
    pub(super) fn open(terms: Arc<[TermId]>, n_parallel: u32) -> LocalTerms {
        LocalTerms { terms, ended: 1..1 + n_parallel as usize }
    }

    pub(super) fn get(&self, local: LocalState) -> LocalTerm {
        let (local, Range { start, end }) = (local.index(), self.ended.clone());
        match local {
            _ if local < start => LocalTerm::Term(self.terms[local]),
            _ if local < end => LocalTerm::Ended(local - start + 1),
            _ => LocalTerm::Term(self.terms[local - (end - start)]),
        }
    }
}

/// The action of a terminated machine for the `n`-th parallel operator around it.
pub(super) fn done_action(n: u32) -> Action {
    Action(u32::MAX - n)
}

/// The machine that can always take the action 0.
pub(super) fn always_ready() -> Arc<Machine> {
    let always = Edge { action: Action(0), target: LocalState(0) };
    Arc::new(Machine::new([vec![always]]))
}

impl CompileContext<'_> {
    /// All that a term can reach.
    pub(super) fn explore(&mut self, term: TermId, max_states: usize) -> Result<Lts, Box<Unfinished>> {
        let before = self.table.set_termination(self.termination());
        let root = (term, self.preserved.takers());
        let most = (max_states, self.limits.max_machine_edges);
        let explored = explore_with(self.table, self.terms, self.unfold, root, most, self.progress);
        self.table.set_termination(before);
        explored
    }

    /// How parallel operators terminate.
    pub(super) fn termination(&self) -> Termination {
        if self.preserved.is_below_priority() { Termination::Together } else { Termination::Apart }
    }
}

impl CompileContext<'_> {
    /// The term behind calls of calls; a call that never gets to another term stays.
    pub(super) fn opened(&mut self, term: TermId) -> Result<TermId, CompileError> {
        let mut opened = term;
        let mut met = hashbrown::HashSet::new();
        while let &Term::Call(call) = self.terms.get(opened) {
            if !met.insert(call) || met.len() > crate::MAX_OPEN_CALLS {
                return Ok(term);
            }
            opened = self.body(opened, call)?;
        }
        Ok(opened)
    }

    pub(super) fn body(&mut self, term: TermId, call: CallId) -> Result<TermId, CompileError> {
        let CompileContext { table, terms, unfold, .. } = self;
        table.open_call(terms, *unfold, call).map_err(|error| CompileError::Step(term, error))
    }
}

impl Compiler<'_, '_> {
    /// Whether a term has operands that could be machines of their own.
    pub(super) fn may_be_structure(&self, term: TermId) -> bool {
        match self.context.terms.get(term) {
            // Without operands they terminate at once.
            Term::Interleave(operands) | Term::Parallel(operands, _) => !operands.is_empty(),
            Term::AlphaParallel(operands) => !operands.is_empty(),
            operator => {
                operator.is_parallel()
                    || operator.is_relabeling()
                    || operator.is_passing()
                    || operator.is_priority()
                    || matches!(operator, Term::Call(_))
                    || self.context.is_transparent(term)
            }
        }
    }

    /// Whether a term that could be decomposed is a machine all the same: operators that stand for a while only, and
    /// priorities, are worth it when the whole is large and has parallel parts.
    pub(super) fn is_leaf(&mut self, term: TermId) -> Result<bool, CompileError> {
        let operator = match self.context.terms.get(term) {
            &Term::Call(call) => {
                let body = self.context.body(term, call)?;
                self.context.terms.get(body)
            }
            operator => operator,
        };
        if !operator.is_passing() && !operator.is_priority() {
            return Ok(false);
        }
        if let Some(&known) = self.is_leaf.get(&(term, self.context.termination())) {
            return Ok(known);
        }
        let small = self.context.limits.max_small_states;
        if small == 0 {
            return Ok(false);
        }
        if self.is_wide(term) {
            self.is_leaf.insert((term, self.context.termination()), false);
            return Ok(false);
        }
        let is_leaf = match self.context.explore(term, small) {
            Ok(_) => true,
            Err(unfinished) => match unfinished.reason {
                StopReason::Stopped(progress::Stop::Interrupted(why)) => return Err(CompileError::Canceled(why)),
                // The operands tell whether it matters.
                StopReason::Error(..) => true,
                StopReason::Stopped(_) => !self.has_parallel_parts(&unfinished.lts.states),
            },
        };
        self.is_leaf.insert((term, self.context.termination()), is_leaf);
        Ok(is_leaf)
    }

    /// Whether so many components run in parallel that the whole is surely large, and need not be explored. A step of
    /// very many takes long.
    fn is_wide(&mut self, term: TermId) -> bool {
        let (mut n_parts, mut n_opened, mut started) = (1, 0, vec![term]);
        while let Some(term) = started.pop() {
            n_opened += 1;
            // Errors are reported by the search that takes the steps.
            let Ok(opened) = self.context.opened(term) else { break };
            if n_opened > MAX_OPENED {
                break;
            }
            let operator = self.context.terms.get(opened);
            n_parts += if operator.is_parallel() { operator.operands().len().saturating_sub(1) } else { 0 };
            operator.push_started(&mut started);
        }
        n_parts > MAX_SMALL_PARTS
    }

    fn has_parallel_parts(&self, states: &[TermId]) -> bool {
        let mut seen = hashbrown::HashSet::new();
        let mut open = states.to_vec();
        while let Some(term) = open.pop() {
            if seen.insert(term) {
                let term = self.context.terms.get(term);
                if term.is_parallel() {
                    return true;
                }
                term.push_started(&mut open);
            }
        }
        false
    }

    /// A term as a machine.
    pub(super) fn leaf(&mut self, term: TermId, depth: Depth) -> Result<Leaf, CompileError> {
        if let Some(known) = self.known_leaves.get(&(term, depth)) {
            return Ok(known.clone());
        }
        let leaf = match self.context.compressed(term)? {
            Some(compressed) => {
                let (states, terminated) = compressed.states();
                let machine = Arc::new(terminating(states, terminated, depth.n_parallel));
                let is_prioritized = depth.is_prioritized;
                Leaf { term, machine, origin: Origin::Compressed(compressed), is_prioritized }
            }
            None => match self.context.limits.n_first_states {
                Some(n_first) => self.open_leaf(term, depth, n_first)?,
                None => self.explored_leaf(term, depth)?,
            },
        };
        self.known_leaves.insert((term, depth), leaf.clone());
        Ok(leaf)
    }

    fn explored_leaf(&mut self, term: TermId, depth: Depth) -> Result<Leaf, CompileError> {
        let limits = &self.context.limits;
        let selects = matches!(self.context.terms.get(term), Term::Compressed(..));
        let max_states = if selects { limits.max_selected_states } else { limits.max_machine_states };
        let explored = self.context.explore(term, max_states);
        let lts = explored.map_err(|unfinished| match unfinished.reason {
            StopReason::Stopped(progress::Stop::Interrupted(why)) => CompileError::Canceled(why),
            StopReason::Stopped(_) => CompileError::MachineTooLarge(term),
            StopReason::Error(state, error) => CompileError::Step(unfinished.lts.states[state], error),
        })?;
        let team_actions = &mut self.team_actions;
        let mut edge = |edge: &crate::Edge| {
            let action = team_actions.action(TeamAction { label: edge.label, team: edge.team });
            Edge { action, target: LocalState(edge.target) }
        };
        let states = (0..lts.n_states()).map(|state| lts.edges(state).iter().map(&mut edge).collect()).collect();
        let omega = lts.states.iter().position(|&state| *self.context.terms.get(state) == Term::Omega);
        let machine = Arc::new(terminating(states, omega, depth.n_parallel));
        let origin = Origin::Terms(LocalTerms::in_order(lts.states.into(), depth.n_parallel));
        Ok(Leaf { term, machine, origin, is_prioritized: depth.is_prioritized })
    }

    /// The action that is always possible.
    pub(super) fn control(&mut self) -> (MachineId, Action) {
        let control = *self.control.get_or_insert_with(|| {
            self.leaves.push(None);
            MachineId(self.leaves.len() as u32 - 1)
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
