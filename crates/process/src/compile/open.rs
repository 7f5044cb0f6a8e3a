//! Machines that are made while they are needed.
//!
//! A component may have no end on its own and be small beside its partners: a counter that a partner bounds, an
//! intruder who could learn more than is ever said. Its machine is then made of the local states that were asked for,
//! and those they lead to are *open*: their edges are not known. An open state has one action only, and the rule for it
//! always goes wrong. All engines check for errors before they judge a state, whatever they search for, so an
//! answer about such a network is one about the process: a run to its end has met no open state, and neither has a
//! search that found nothing. Otherwise the answer is the failing step. Then the search finds out which open
//! states can be occupied ([`explore::occupied`]), they are expanded ([`grow`]), and the network is made again.

use super::leaf::{Leaf, LocalTerm, LocalTerms, Origin, done_action};
use super::shape::Depth;
use super::team_actions::{TeamAction, TeamActions};
use super::{CompileContext, CompileError, Compiled, Compiler};
use crate::{Label, StepError, Takers, TeamId, Term, TermId, Termination, Terms};
use hashbrown::{HashMap, HashSet};
use limits::effort::machines::{EXPANDED_PER_OCCUPIED, MAX_OPEN_STATES};
use limits::intervals::polling::{OPEN_STATES_PER_POLL, OPEN_WORK_PER_POLL};
use model::data::Data;
use model::network::{Action, Edge, LocalState, Machine, MachineId, Mode, Occupied};
use progress::Statistics;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The action of an open state.
pub(super) const OPEN: Action = Action(u32::MAX / 2);

/// A leaf and what its machine depends on.
type Key = (TermId, Takers, Termination);

/// The open machines so far.
#[derive(Debug, Default)]
pub struct OpenLeaves(HashMap<Key, OpenLeaf>);

/// A machine in the making.
#[derive(Debug, Default)]
struct OpenLeaf {
    states: Vec<TermId>,
    numbers: HashMap<TermId, u32>,
    /// The edges of each state; none of the open ones.
    edges: Vec<Option<Box<[OpenEdge]>>>,
    n_expanded: usize,
}

type OpenEdge = (Label, u32, TeamId);

impl OpenLeaf {
    fn new(root: TermId) -> OpenLeaf {
        let mut leaf = OpenLeaf::default();
        leaf.number(root);
        leaf
    }

    fn number(&mut self, term: TermId) -> u32 {
        let fresh = self.states.len() as u32;
        let number = *self.numbers.entry(term).or_insert(fresh);
        if number == fresh {
            self.states.push(term);
            self.edges.push(None);
        }
        number
    }

    fn is_open(&self, state: usize) -> bool {
        self.edges[state].is_none()
    }

    fn expand(&mut self, context: &mut CompileContext<'_>, state: usize) -> Result<(), StepError> {
        if !self.is_open(state) {
            return Ok(());
        }
        let CompileContext { table, terms, unfold, preserved, .. } = context;
        let takers = preserved.takers();
        let steps = table.steps(terms, *unfold, self.states[state])?;
        let mut edges: Vec<OpenEdge> = Vec::with_capacity(steps.len());
        for step in steps {
            let team = if takers == Takers::Distinguished { step.team } else { TeamId::WHOLE };
            edges.push((step.label, self.number(step.target), team));
        }
        self.edges[state] = Some(edges.into());
        self.n_expanded += 1;
        Ok(())
    }

    /// Expands some states, and up to `room` more that these lead to.
    fn grow(
        &mut self,
        context: &mut CompileContext<'_>,
        met: impl Iterator<Item = usize>,
        room: usize,
    ) -> Result<(), CompileError> {
        let mut near: Vec<usize> = met.collect();
        let n_met = near.len();
        let mut is_near: HashSet<usize> = near.iter().copied().collect();
        let mut next = 0;
        while next < near.len() && next < n_met + room {
            let state = near[next];
            if next % OPEN_STATES_PER_POLL == OPEN_STATES_PER_POLL - 1
                && let ControlFlow::Break(why) = context
                    .progress
                    .tick(&Statistics { work: OPEN_WORK_PER_POLL, ..Statistics::of_states(self.n_expanded) })
            {
                return Err(CompileError::Canceled(why));
            }
            match self.expand(context, state) {
                Ok(()) => {}
                Err(error) if next < n_met => return Err(CompileError::Step(self.states[state], error)),
                // It is expanded when a search occupies it.
                Err(_) => {}
            }
            next += 1;
            for &(_, target, _) in self.edges[state].iter().flatten() {
                let target = target as usize;
                if self.is_open(target) && near.len() < n_met + room && is_near.insert(target) {
                    near.push(target);
                }
            }
        }
        Ok(())
    }
}

/// Expands open states of a network, and for each machine up to so many more near them as it had occupied before, if
/// that was of use so far.
///
/// # Errors
/// When the steps of an open state cannot be evaluated, the work is cancelled, or a machine gets too large.
pub fn grow(context: &mut CompileContext<'_>, compiled: &Compiled, occupied: &[Occupied]) -> Result<(), CompileError> {
    occupied.iter().try_for_each(|occupied| {
        let Some(leaf) = &compiled.leaves[occupied.machine.index()] else { return Ok(()) };
        // As when it was made: what is below a priority is made more exactly.
        let preserved = context.preserved;
        if compiled.around.is_some() || leaf.is_prioritized {
            context.preserved = preserved.below_priority();
        }
        let grown = grow_leaf(context, leaf, occupied);
        context.preserved = preserved;
        grown
    })
}

fn grow_leaf(context: &mut CompileContext<'_>, leaf: &Leaf, occupied: &Occupied) -> Result<(), CompileError> {
    let Origin::Terms(states) = &leaf.origin else { return Ok(()) };
    let before = context.table.set_termination(context.termination());
    let key = (leaf.term, context.preserved.takers(), context.termination());
    let mut open = context.library.open_leaves.0.remove(&key).unwrap_or_else(|| OpenLeaf::new(leaf.term));
    let number = |&local: &LocalState| match states.get(local) {
        LocalTerm::Term(term) => Some(open.numbers[&term] as usize),
        LocalTerm::Ended(_) => None,
    };
    let met: Vec<usize> = occupied.open.iter().filter_map(number).collect();
    // Where most of what was made without need stayed without use, no more of it is made.
    let room = (EXPANDED_PER_OCCUPIED * occupied.n_occupied).saturating_sub(open.n_expanded).min(occupied.n_occupied);
    let grown = open.grow(context, met.into_iter(), room);
    let is_too_large = open.n_expanded > MAX_OPEN_STATES;
    context.library.open_leaves.0.insert(key, open);
    context.table.set_termination(before);
    if is_too_large { Err(CompileError::MachineTooLarge(leaf.term)) } else { grown }
}

impl Compiler<'_, '_> {
    /// A term as a machine that may be open.
    pub(super) fn open_leaf(&mut self, term: TermId, depth: Depth, n_first: usize) -> Result<Leaf, CompileError> {
        let context = &mut *self.context;
        let before = context.table.set_termination(context.termination());
        let key = (term, context.preserved.takers(), context.termination());
        let known = context.library.open_leaves.0.remove(&key);
        let grown = match known {
            Some(known) => Ok(known),
            None => {
                let mut open = OpenLeaf::new(term);
                open.grow(context, [0].into_iter(), n_first).map(|()| open)
            }
        };
        context.table.set_termination(before);
        let open = grown?;
        let machine = open_machine(&open, &mut self.team_actions, context.terms, depth.n_parallel);
        let terms: Arc<[TermId]> = open.states.as_slice().into();
        context.library.open_leaves.0.insert(key, open);
        let origin = Origin::Terms(LocalTerms::open(terms, depth.n_parallel));
        Ok(Leaf { term, machine: Arc::new(machine), origin, is_prioritized: depth.is_prioritized })
    }
}

/// The known part of a machine. The states in which it has terminated stand behind the first one.
fn open_machine(open: &OpenLeaf, team_actions: &mut TeamActions, terms: &Terms, n_parallel: u32) -> Machine {
    let local = |number: u32| LocalState(if number == 0 { 0 } else { number + n_parallel });
    let mut edge = |&(label, target, team): &OpenEdge| {
        let action = team_actions.action(TeamAction { label, team });
        Edge { action, target: local(target) }
    };
    let mut machine: Vec<Vec<Edge>> = Vec::with_capacity(open.states.len() + n_parallel as usize);
    for (state, edges) in (0..).zip(&open.edges) {
        machine.push(match edges {
            Some(edges) => edges.iter().map(&mut edge).collect(),
            None => vec![Edge { action: OPEN, target: local(state) }],
        });
        if state == 0 {
            machine.extend((1..=n_parallel).map(|n| ending(n, n_parallel)));
        }
    }
    let omega = open.states.iter().position(|&state| *terms.get(state) == Term::Omega);
    if let Some(omega) = omega
        && n_parallel > 0
    {
        machine[local(omega as u32).index()].push(Edge { action: done_action(0), target: LocalState(1) });
    }
    Machine::new(machine)
}

/// The edges of a machine with which so many of the parallel operators around it have terminated.
fn ending(n_ended: u32, n_parallel: u32) -> Vec<Edge> {
    let next = Edge { action: done_action(n_ended), target: LocalState(n_ended + 1) };
    if n_ended < n_parallel { vec![next] } else { Vec::new() }
}

/// Lets the rules of open states go wrong.
pub(super) fn let_open_states_fail(modes: &mut [Mode]) -> Data {
    let mut data = Data::default();
    let mut failing = None;
    for rule in modes.iter_mut().flat_map(|mode| &mut mode.rules) {
        if matches!(rule.parts[..], [(_, OPEN)]) {
            rule.command = Some(Box::new(failing.get_or_insert_with(|| data.failing_command()).clone()));
        }
    }
    data
}

impl Compiled {
    /// The machines with open states, and these.
    pub fn open_states(&self) -> Vec<(MachineId, Vec<LocalState>)> {
        let mut all = Vec::new();
        for (number, machine) in (0..).zip(&self.network.machines) {
            let is_open = |state: &LocalState| !machine.edges_by(*state, OPEN).is_empty();
            let open: Vec<LocalState> = machine.states().filter(is_open).collect();
            if !open.is_empty() {
                all.push((MachineId(number), open));
            }
        }
        all
    }
}
