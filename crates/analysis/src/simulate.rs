//! Interactive simulator.
//!
//! A [`Simulator`] holds a run of a process, lists the moves that are possible at its end with the components that take
//! part, and supports undo. Steps are those of the language's definition. Silent steps can be folded: a move then is
//! any number of silent steps and a visible one. In timed processes, moves are those of the present moment, and delays
//! are moves of another kind.

mod blocked;
mod drawn;
mod in_time;
mod monitors;

pub use blocked::Blocked;
use limits::display::components::MAX_COMPONENTS;
use limits::display::names::{LONGEST_NAME, LONGEST_STATE};
use limits::effort::replay::{MAX_FOLDED, MAX_SEARCHED};
pub use monitors::Monitor;

use crate::Session;
use crate::label::label_text;
use frontend::{Cell, Failure, Semantics, State, Step, Time};
use lts::Label;
use progress::Progress;
use source::Span;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

/// An interactive simulation of a process.
pub struct Simulator<'a> {
    semantics: Box<dyn Semantics + 'a>,
    is_timed: bool,
    start: State,
    taken: Vec<Move>,
    folds: bool,
    n_assertions: usize,
    /// The properties that monitors observe, once they were asked for.
    watched: Option<Vec<(usize, monitors::Watched)>>,
}

/// A move of a simulation.
#[derive(Clone, Debug)]
pub struct Move {
    /// The event, `tau` or `tick`.
    pub event: String,
    /// The event behind a silent step, if one is hidden.
    pub hidden: Option<String>,
    /// The result of the move, where it is not clear from the event.
    pub becomes: Option<String>,
    /// Whether the environment sees it.
    pub is_visible: bool,
    /// Number of folded silent steps before it.
    pub n_silent: usize,
    /// The delay before it, in timed processes.
    pub delay: Option<Time>,
    /// Whether it is a delay.
    pub is_wait: bool,
    /// The components that take part, as they are before it. Empty if the process has no parallel components.
    pub by: Vec<String>,
    /// Positions of the components that take part.
    paths: Vec<Vec<u32>>,
    /// Source locations of the event, where they are known.
    written: Vec<Span>,
    label: Label,
    target: State,
}

impl Move {
    /// Whether a user who names an event can mean this move.
    pub fn is_called(&self, name: &str) -> bool {
        self.event == name || self.hidden.as_deref() == Some(name)
    }

    /// Positions of the components that take part, in nested parallel operators.
    pub fn paths(&self) -> &[Vec<u32>] {
        &self.paths
    }

    /// Source locations of the event, one for each component where it is known.
    pub fn written(&self) -> &[Span] {
        &self.written
    }

    fn looks_like(&self, other: &Move) -> bool {
        let looks = |step: &Move| (step.event.clone(), step.hidden.clone(), step.by.clone(), step.n_silent, step.delay);
        looks(self) == looks(other)
    }
}

/// A choice of the user.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The move with this number, from 0.
    Move(usize),
    /// A delay.
    Wait(Time),
}

/// The steps that are listed in timed processes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// Steps that are enabled without delay.
    Now,
    /// Steps that are enabled after any delay.
    Ever,
}

/// The current state of a component.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Positions in nested parallel operators, from the outermost. A component has the same path in all states.
    pub path: Vec<u32>,
    /// Its process as written.
    pub name: String,
    /// The process that it has become.
    pub state: String,
}

impl<'a> Simulator<'a> {
    /// A simulation of the session's process.
    ///
    /// # Errors
    /// When the process cannot be evaluated.
    pub fn new(session: &'a Session, progress: Arc<dyn Progress>) -> Result<Simulator<'a>, Failure> {
        let mut semantics = session.semantics(progress);
        let start = semantics.added_process()?;
        Ok(Simulator::at(session, semantics, start))
    }

    /// A simulation of the process of an assertion, by its number from 1. A priority of silent steps that the assertion
    /// asks for is ignored: it only removes steps.
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
        Ok(Simulator::at(session, semantics, start))
    }

    fn at(session: &Session, semantics: Box<dyn Semantics + 'a>, start: State) -> Simulator<'a> {
        let n_assertions = session.assertions().len();
        let is_timed = semantics.is_timed();
        Simulator { is_timed, semantics, start, taken: Vec::new(), folds: false, n_assertions, watched: None }
    }

    /// The current process.
    pub fn state(&mut self) -> String {
        let here = self.here();
        self.semantics.text(here, LONGEST_STATE)
    }

    /// Whether no step is enabled, after any delay.
    ///
    /// # Errors
    /// When the steps cannot be evaluated.
    pub fn is_stuck(&mut self) -> Result<bool, Failure> {
        let (here, mut steps) = (self.here(), Vec::new());
        self.semantics.steps(here, &mut steps)?;
        Ok(steps.is_empty())
    }

    /// The current components, by their initial names. Empty if the process has no parallel components.
    pub fn parts(&mut self) -> Vec<Part> {
        let here = self.here();
        self.parts_of(here)
    }

    /// The components before the last move.
    pub fn parts_before(&mut self) -> Vec<Part> {
        let before = self.before();
        self.parts_of(before)
    }

    fn parts_of(&mut self, here: State) -> Vec<Part> {
        let start = self.start;
        // Components of a state are known once its steps are.
        let mut steps = Vec::new();
        if self.semantics.steps(start, &mut steps).is_err() {
            return Vec::new();
        }
        steps.clear();
        if self.semantics.steps(here, &mut steps).is_err() {
            return Vec::new();
        }
        let names = self.semantics.components(start, MAX_COMPONENTS);
        let names: HashMap<Vec<u32>, String> = names.into_iter().map(|part| (part.path, part.name)).collect();
        let mut parts = Vec::new();
        for part in self.semantics.components(here, MAX_COMPONENTS) {
            let state = part.state.map(|state| self.semantics.text(state, LONGEST_STATE));
            let name = names.get(&part.path).cloned().unwrap_or_default();
            parts.push(Part { state: state.unwrap_or(part.name), name, path: part.path });
        }
        if parts.len() < 2 { Vec::new() } else { parts }
    }

    /// The current variables.
    pub fn variables(&mut self) -> Vec<Cell> {
        let here = self.here();
        self.semantics.variables(here)
    }

    /// The variables before the last move.
    pub fn variables_before(&mut self) -> Vec<Cell> {
        let before = self.before();
        self.semantics.variables(before)
    }

    /// The moves so far.
    pub fn history(&self) -> &[Move] {
        &self.taken
    }

    /// Whether silent steps are folded into the visible ones that follow them.
    pub fn folds(&self) -> bool {
        self.folds
    }

    /// Turns folding of silent steps on or off.
    pub fn toggle_folding(&mut self) {
        self.folds = !self.folds;
    }

    /// The moves that are possible now, always in the same order.
    ///
    /// # Errors
    /// When the next states cannot be evaluated.
    pub fn moves(&mut self) -> Result<Vec<Move>, Failure> {
        let here = self.here();
        if !self.folds {
            let mut moves = self.steps(here, 0, When::Now)?;
            self.tell_apart(&mut moves);
            return Ok(moves);
        }
        let mut moves: Vec<Move> = Vec::new();
        let mut met = HashSet::from([here]);
        let mut open = VecDeque::from([(here, 0)]);
        while let Some((state, n_silent)) = open.pop_front() {
            for step in self.steps(state, n_silent, When::Now)? {
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
        self.tell_apart(&mut moves);
        Ok(moves)
    }

    /// Adds the results of moves with the same event, and of silent moves without a hidden event, which are internal
    /// choices.
    fn tell_apart(&mut self, moves: &mut [Move]) {
        for place in 0..moves.len() {
            let step = &moves[place];
            let is_choice = !step.is_visible && step.hidden.is_none();
            let is_like = |(other, known): (usize, &Move)| other != place && known.looks_like(step);
            if is_choice || moves.iter().enumerate().any(is_like) {
                moves[place].becomes = Some(self.become_text(&moves[place].clone()));
            }
        }
    }

    /// The components after a move, or the whole process if its participants are not known.
    fn become_text(&mut self, step: &Move) -> String {
        let mut steps = Vec::new();
        let is_known = self.semantics.steps(step.target, &mut steps).is_ok();
        let mut texts = Vec::new();
        for path in step.paths.iter().filter(|path| is_known && !path.is_empty()) {
            let state = self.semantics.component_at(step.target, path).and_then(|part| part.state);
            texts.extend(state.map(|state| self.semantics.text(state, LONGEST_NAME)));
        }
        if texts.is_empty() { self.semantics.text(step.target, LONGEST_NAME) } else { texts.join(" and ") }
    }

    /// Appends a move.
    pub fn take(&mut self, step: Move) {
        self.taken.push(step);
    }

    /// Removes the last move; false at the start.
    pub fn undo(&mut self) -> bool {
        self.taken.pop().is_some()
    }

    /// A run of the process with these steps, each an event and whether it is visible. If there is none, because a
    /// compression changed the silent steps, a run with the same visible steps. None if neither is found. As silent
    /// steps are ambiguous, a run is preferred after which exactly `offers` are enabled, and in timed processes one
    /// with these delays.
    ///
    /// # Errors
    /// When a state on the way cannot be evaluated.
    pub fn find_run(
        &mut self,
        steps: &[(&str, bool)],
        delays: &[Time],
        offers: Option<&[String]>,
    ) -> Result<Option<Vec<Move>>, Failure> {
        let is_next = |step: &Move, n_done: usize| steps.get(n_done) == Some(&(step.event.as_str(), step.is_visible));
        if delays.len() == steps.len() && delays.iter().all(|&delay| self.tell_apart_moments(delay).is_ok()) {
            let found = self.run_in_time(steps, delays, offers)?;
            if found.is_some() {
                return Ok(found);
            }
        }
        let exactly = |step: &Move, n_done: usize| is_next(step, n_done).then_some(n_done + 1);
        let visible: Vec<&str> = steps.iter().filter(|step| step.1).map(|step| step.0).collect();
        let visibly = |step: &Move, n_done: usize| match step.is_visible {
            true => visible.get(n_done).filter(|event| step.event == **event).map(|_| n_done + 1),
            false => Some(n_done),
        };
        let mut found = None;
        for offers in [offers, None] {
            if found.is_none() {
                found = self.search(steps.len(), exactly, offers)?;
            }
            if found.is_none() {
                found = self.search(visible.len(), visibly, offers)?;
            }
        }
        Ok(found)
    }

    /// Whether exactly these events are enabled in a state, silent steps included.
    fn offers_only(&mut self, state: State, offers: &[String]) -> Result<bool, Failure> {
        let steps = self.steps(state, 0, When::Ever)?;
        let is_offered = |step: &Move| step.is_visible && offers.contains(&step.event);
        Ok(steps.iter().all(is_offered) && offers.iter().all(|event| steps.iter().any(|step| step.event == *event)))
    }

    /// A shortest run that completes `n_wanted` steps and after which only `offers` are enabled. `advance` returns the
    /// number of completed steps after a step, if it may be taken.
    fn search(
        &mut self,
        n_wanted: usize,
        advance: impl Fn(&Move, usize) -> Option<usize>,
        offers: Option<&[String]>,
    ) -> Result<Option<Vec<Move>>, Failure> {
        let start = (self.start, 0);
        let mut came_from: HashMap<(State, usize), ((State, usize), Move)> = HashMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(place @ (state, n_done)) = open.pop_front() {
            let is_end = match offers {
                Some(offers) => n_done == n_wanted && self.offers_only(state, offers)?,
                None => n_done == n_wanted,
            };
            if is_end {
                return Ok(Some(way_to(place, came_from)));
            }
            for step in self.steps(state, 0, When::Ever)? {
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

    /// The choices that lead along a run from the initial state. The simulation is at the end of the run afterwards.
    ///
    /// # Errors
    /// When the next states cannot be evaluated.
    pub fn choices_of(&mut self, run: Vec<Move>) -> Result<Vec<Choice>, Failure> {
        self.taken.clear();
        let mut choices = Vec::with_capacity(run.len());
        for step in run {
            if let Some(delay) = step.delay.filter(|&delay| delay > Time::from_integer(0)) {
                if self.wait(Some(delay))?.is_none() {
                    break;
                }
                choices.push(Choice::Wait(delay));
            }
            let mut moves = self.moves()?;
            // Elapsed time may be written otherwise in the states themselves.
            let is_it = |known: &Move| (known.target, &known.event) == (step.target, &step.event);
            let is_like = |known: &Move| (&known.event, &known.by) == (&step.event, &step.by);
            let exactly = moves.iter().position(|known| is_it(known) && known.by == step.by);
            let found = exactly.or_else(|| moves.iter().position(is_it));
            let found = found.or_else(|| moves.iter().position(is_like).filter(|_| step.delay.is_some()));
            let Some(number) = found else { break };
            choices.push(Choice::Move(number));
            self.take(moves.swap_remove(number));
        }
        self.taken.clear();
        Ok(choices)
    }

    fn before(&self) -> State {
        self.taken.iter().rev().nth(1).map_or(self.start, |step| step.target)
    }

    fn here(&self) -> State {
        self.taken.last().map_or(self.start, |step| step.target)
    }

    fn steps(&mut self, state: State, n_silent: usize, when: When) -> Result<Vec<Move>, Failure> {
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        let is_timed = self.semantics.is_timed();
        let zero = Time::from_integer(0);
        let components = self.semantics.components(state, MAX_COMPONENTS);
        let is_side_by_side = |path: &[u32]| !path.is_empty();
        let components = components.into_iter().filter(|part| is_side_by_side(&part.path));
        let states: Vec<(Vec<u32>, State)> = components.filter_map(|part| Some((part.path, part.state?))).collect();
        let mut moves = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let delay = is_timed.then(|| self.semantics.delay(state, index));
            if when == When::Now && delay.is_some_and(|delay| delay > zero) {
                continue;
            }
            let participants = self.semantics.participants(state, index, MAX_COMPONENTS);
            let hidden = participants.iter().map(|part| part.label).find(|&label| label != Label::TAU);
            // An event with several possible locations is ambiguous.
            let written = participants.iter().filter_map(|part| match part.written[..] {
                [only] => Some(only),
                _ => None,
            });
            let written = written.collect();
            let paths: Vec<Vec<u32>> = participants.into_iter().map(|part| part.path).collect();
            let place = |path: &Vec<u32>| states.iter().position(|(known, _)| known == path);
            let places: Vec<usize> = paths.iter().filter_map(place).collect();
            let is_visible = step.label != Label::TAU;
            moves.push(Move {
                event: label_text(self.semantics.events(), step.label),
                hidden: hidden.filter(|_| !is_visible).map(|label| label_text(self.semantics.events(), label)),
                becomes: None,
                is_visible,
                n_silent,
                delay,
                is_wait: false,
                by: places.into_iter().map(|place| self.name_of(&states, place)).collect(),
                paths,
                written,
                label: step.label,
                target: step.target,
            });
        }
        Ok(moves)
    }
}

impl Simulator<'_> {
    /// The name of a component, numbered where several components have the same name.
    fn name_of(&mut self, states: &[(Vec<u32>, State)], place: usize) -> String {
        let state = states[place].1;
        let name = self.semantics.text(state, LONGEST_NAME);
        let is_alone = states.iter().filter(|(_, other)| *other == state).count() == 1;
        if is_alone { name } else { format!("{name} #{}", place + 1) }
    }
}

/// The moves that lead to a state.
fn way_to(mut place: (State, usize), mut came_from: HashMap<(State, usize), ((State, usize), Move)>) -> Vec<Move> {
    let mut way = Vec::new();
    while let Some((before, step)) = came_from.remove(&place) {
        way.push(step);
        place = before;
    }
    way.reverse();
    way
}
