//! Stepping through a process by hand.
//!
//! A [`Simulator`] stands at one state of a process, tells what can happen there and who would take part, and remembers
//! how it came there. It has no rules of its own: steps are those of the language that every other part of the tool rests on.
//! Silent steps can be folded: then a move is any number of these and one visible step.

use crate::Session;
use crate::label::label_text;
use frontend::{Cell, Failure, Semantics, State, Step};
use lts::Label;
use progress::Progress;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// Where the text of a state and of a component is cut.
const LONGEST_STATE: usize = 400;
const LONGEST_NAME: usize = 40;
/// Components that are looked for in a state.
const MAX_COMPONENTS: usize = 1000;
/// States looked at when silent steps are folded, and when a run is looked for.
const MAX_FOLDED: usize = 10_000;
const MAX_SEARCHED: usize = 1_000_000;

/// A process under the fingers of somebody.
pub struct Simulator<'a> {
    semantics: Box<dyn Semantics + 'a>,
    start: State,
    taken: Vec<Move>,
    folds: bool,
}

/// Something that can happen, or has happened.
#[derive(Clone, Debug)]
pub struct Move {
    /// The event, `tau` or `tick`.
    pub event: String,
    /// Whether the environment sees it.
    pub is_visible: bool,
    /// How many silent steps come before it.
    pub n_silent: usize,
    /// The components that take it, as they are before it; none if nothing runs side by side.
    pub by: Vec<String>,
    target: State,
}

impl<'a> Simulator<'a> {
    /// At the start of the process that the session was opened with.
    ///
    /// # Errors
    /// When the process cannot be evaluated.
    pub fn new(session: &'a Session, progress: Arc<dyn Progress>) -> Result<Simulator<'a>, Failure> {
        let mut semantics = session.semantics(progress);
        let start = semantics.added_process()?;
        Ok(Simulator { semantics, start, taken: Vec::new(), folds: false })
    }

    /// At the start of the process that the assertion with this number, from 1, is about. A priority of silent steps that
    /// the assertion may ask for is left out: it only takes steps away.
    ///
    /// # Errors
    /// When the process cannot be evaluated.
    pub fn of_assertion(
        session: &'a Session,
        index: usize,
        progress: Arc<dyn Progress>,
    ) -> Result<Simulator<'a>, Failure> {
        let mut semantics = session.semantics(progress);
        let start = semantics.asserted_process(index)?;
        Ok(Simulator { semantics, start, taken: Vec::new(), folds: false })
    }

    /// The process as it is now.
    pub fn state(&mut self) -> String {
        let here = self.here();
        self.semantics.text(here, LONGEST_STATE)
    }

    /// The variables as they are now.
    pub fn variables(&mut self) -> Vec<Cell> {
        let here = self.here();
        self.semantics.variables(here)
    }

    /// What has happened so far.
    pub fn history(&self) -> &[Move] {
        &self.taken
    }

    /// Whether silent steps are folded into the visible ones that follow them.
    pub fn folds(&self) -> bool {
        self.folds
    }

    /// Folds silent steps, or shows them again.
    pub fn toggle_folding(&mut self) {
        self.folds = !self.folds;
    }

    /// What can happen now, always in the same order.
    ///
    /// # Errors
    /// When the next states cannot be evaluated.
    pub fn moves(&mut self) -> Result<Vec<Move>, Failure> {
        let here = self.here();
        if !self.folds {
            return self.steps(here, 0);
        }
        let mut moves: Vec<Move> = Vec::new();
        let mut met = HashSet::from([here]);
        let mut open = VecDeque::from([(here, 0)]);
        while let Some((state, n_silent)) = open.pop_front() {
            for step in self.steps(state, n_silent)? {
                if step.is_visible {
                    let is_known = |known: &Move| (known.target, &known.event) == (step.target, &step.event);
                    if !moves.iter().any(is_known) {
                        moves.push(step);
                    }
                } else if met.len() < MAX_FOLDED && met.insert(step.target) {
                    open.push_back((step.target, n_silent + 1));
                }
            }
        }
        Ok(moves)
    }

    /// Makes a move.
    pub fn take(&mut self, step: Move) {
        self.taken.push(step);
    }

    /// Goes back by one move; false at the start.
    pub fn undo(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    /// A run of the process from its start by these steps, each an event and whether it is visible. If there is none, as
    /// may be when a compression changed the silent steps, a run with the same visible ones. Nothing if none is found.
    ///
    /// # Errors
    /// When a state on the way cannot be evaluated.
    pub fn find_run(&mut self, steps: &[(&str, bool)]) -> Result<Option<Vec<Move>>, Failure> {
        let is_next = |step: &Move, n_done: usize| (step.event.as_str(), step.is_visible) == steps[n_done];
        let exact = self.search(steps.len(), |step, n_done| is_next(step, n_done).then_some(n_done + 1))?;
        if exact.is_some() {
            return Ok(exact);
        }
        let visible: Vec<&str> = steps.iter().filter(|step| step.1).map(|step| step.0).collect();
        self.search(visible.len(), |step, n_done| match step.is_visible {
            true => (step.event == visible[n_done]).then_some(n_done + 1),
            false => Some(n_done),
        })
    }

    /// A shortest run that gets `n_wanted` things done, where `advance` tells how many are after a step, if it may be taken.
    fn search(
        &mut self,
        n_wanted: usize,
        advance: impl Fn(&Move, usize) -> Option<usize>,
    ) -> Result<Option<Vec<Move>>, Failure> {
        let start = (self.start, 0);
        let mut came_from: HashMap<(State, usize), ((State, usize), Move)> = HashMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(place @ (state, n_done)) = open.pop_front() {
            if n_done == n_wanted {
                return Ok(Some(way_to(place, came_from)));
            }
            for step in self.steps(state, 0)? {
                let Some(n_done) = advance(&step, n_done) else { continue };
                let next = (step.target, n_done);
                if next != start && !came_from.contains_key(&next) && came_from.len() < MAX_SEARCHED {
                    came_from.insert(next, (place, step));
                    open.push_back(next);
                }
            }
        }
        Ok(None)
    }

    fn here(&self) -> State {
        self.taken.last().map_or(self.start, |step| step.target)
    }

    fn steps(&mut self, state: State, n_silent: usize) -> Result<Vec<Move>, Failure> {
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        let components = self.semantics.components(state, MAX_COMPONENTS);
        let states = components.into_iter().filter_map(|part| Some((part.path, part.state?)));
        let states: HashMap<Vec<u32>, State> = states.collect();
        let mut moves = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let participants = self.semantics.participants(state, index).into_iter();
            let parts: Vec<State> = participants
                .filter(|part| !part.path.is_empty())
                .filter_map(|part| states.get(&part.path).copied())
                .collect();
            moves.push(Move {
                event: label_text(self.semantics.events(), step.label),
                is_visible: step.label != Label::TAU,
                n_silent,
                by: parts.into_iter().map(|part| self.semantics.text(part, LONGEST_NAME)).collect(),
                target: step.target,
            });
        }
        Ok(moves)
    }
}

/// The moves that lead to a place.
fn way_to(mut place: (State, usize), mut came_from: HashMap<(State, usize), ((State, usize), Move)>) -> Vec<Move> {
    let mut way = Vec::new();
    while let Some((before, step)) = came_from.remove(&place) {
        way.push(step);
        place = before;
    }
    way.reverse();
    way
}
