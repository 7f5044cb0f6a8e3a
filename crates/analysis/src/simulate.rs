//! Stepping through a process by hand.
//!
//! A [`Simulator`] stands at one state of a process, tells what can happen there and who would take part, and remembers
//! how it came there. It has no rules of its own: states are terms, and their steps are those of the table that every
//! other part of the tool rests on. Silent steps can be folded: then a move is any number of these and one visible step.

use crate::Session;
use cspm::evaluate::{Evaluator, Limits};
use cspm::syntax::ExprId;
use process::{Label, StepError, StepTable, TermId, Terms};
use source::{Diagnostic, Span};
use std::collections::{HashMap, HashSet, VecDeque};

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
    evaluator: Evaluator<'a>,
    terms: Terms,
    table: StepTable,
    start: TermId,
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
    target: TermId,
}

impl<'a> Simulator<'a> {
    /// At the start of the process that the session was opened with.
    ///
    /// # Errors
    /// When the process cannot be evaluated.
    pub fn new(session: &'a Session, limits: Limits) -> Result<Simulator<'a>, Box<Diagnostic>> {
        Simulator::at(session, session.last_print(), limits)
    }

    /// At the start of the process that the assertion with this number, from 1, is about. A priority of silent steps that
    /// the assertion may ask for is left out: it only takes steps away.
    ///
    /// # Errors
    /// When the process cannot be evaluated.
    pub fn of_assertion(session: &'a Session, index: usize, limits: Limits) -> Result<Simulator<'a>, Box<Diagnostic>> {
        let process = session.asserted_process(index).expect("only what was decided is simulated");
        Simulator::at(session, process, limits)
    }

    fn at(session: &'a Session, process: ExprId, limits: Limits) -> Result<Simulator<'a>, Box<Diagnostic>> {
        let mut evaluator = Evaluator::new(&session.resolved, &session.types, limits);
        let mut terms = Terms::default();
        let start = evaluator.process(&mut terms, process)?;
        Ok(Simulator { evaluator, terms, table: StepTable::new(), start, taken: Vec::new(), folds: false })
    }

    /// The process as it is now.
    pub fn state(&mut self) -> String {
        let here = self.here();
        self.evaluator.term_text(&mut self.terms, here, LONGEST_STATE)
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
    pub fn moves(&mut self) -> Result<Vec<Move>, Box<Diagnostic>> {
        let here = self.here();
        if !self.folds {
            return self.steps(here, 0);
        }
        let mut moves: Vec<Move> = Vec::new();
        let mut met = HashSet::from([here]);
        let mut open = VecDeque::from([(here, 0)]);
        while let Some((term, n_silent)) = open.pop_front() {
            for step in self.steps(term, n_silent)? {
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
    pub fn find_run(&mut self, steps: &[(&str, bool)]) -> Result<Option<Vec<Move>>, Box<Diagnostic>> {
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
    ) -> Result<Option<Vec<Move>>, Box<Diagnostic>> {
        let start = (self.start, 0);
        let mut came_from: HashMap<(TermId, usize), ((TermId, usize), Move)> = HashMap::new();
        let mut open = VecDeque::from([start]);
        while let Some(place @ (term, n_done)) = open.pop_front() {
            if n_done == n_wanted {
                return Ok(Some(way_to(place, came_from)));
            }
            for step in self.steps(term, 0)? {
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

    fn here(&self) -> TermId {
        self.taken.last().map_or(self.start, |step| step.target)
    }

    fn steps(&mut self, term: TermId, n_silent: usize) -> Result<Vec<Move>, Box<Diagnostic>> {
        let steps = self.table.steps(&mut self.terms, &mut self.evaluator, term).map(<[_]>::to_vec);
        let steps = steps.map_err(|error| self.diagnose(&error))?;
        let components = self.table.components(&self.terms, term, MAX_COMPONENTS);
        let names: HashMap<Vec<u32>, TermId> = components.into_iter().map(|part| (part.path, part.term)).collect();
        let mut moves = Vec::with_capacity(steps.len());
        for (index, step) in steps.iter().enumerate() {
            let shares = self.table.shares(&self.terms, term, index);
            let parts: Vec<TermId> = shares
                .iter()
                .filter(|share| !share.path.is_empty())
                .filter_map(|s| names.get(&s.path).copied())
                .collect();
            moves.push(Move {
                event: self.event_text(step.label),
                is_visible: step.label != Label::Tau,
                n_silent,
                by: parts.into_iter().map(|part| self.name(part)).collect(),
                target: step.target,
            });
        }
        Ok(moves)
    }

    fn name(&mut self, term: TermId) -> String {
        self.evaluator.term_text(&mut self.terms, term, LONGEST_NAME)
    }

    fn event_text(&self, label: Label) -> String {
        match label {
            Label::Tau => "tau".to_owned(),
            Label::Tick => "tick".to_owned(),
            Label::Event(event) => self.evaluator.events().text(event).to_owned(),
        }
    }

    fn diagnose(&mut self, error: &StepError) -> Box<Diagnostic> {
        Box::new(error.diagnose(&mut self.evaluator, Span::default()))
    }
}

/// The moves that lead to a place.
fn way_to(mut place: (TermId, usize), mut came_from: HashMap<(TermId, usize), ((TermId, usize), Move)>) -> Vec<Move> {
    let mut way = Vec::new();
    while let Some((before, step)) = came_from.remove(&place) {
        way.push(step);
        place = before;
    }
    way.reverse();
    way
}
