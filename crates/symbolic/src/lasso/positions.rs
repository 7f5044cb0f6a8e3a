//! The letter at a position of a run, and the successor of the automaton.

use crate::Lit;
use crate::clauses::Clauses;
use crate::evaluate::Environment;
use crate::unrolling::Unrolling;
use ltl::automaton::Automaton;
use lts::Label;
use model::data::ExpressionId;
use model::network::Network;
use temporal::product::{Past, Values};
use temporal::{ActionNetwork, Fact, FiniteRuns, Labels, Property, Rules, View};

/// A position of a run.
#[derive(Clone, Copy)]
pub(super) struct Position {
    /// The step belongs to the position of the next visible one.
    pub(super) is_silent: Lit,
    /// No step is enabled, and the automaton moves alone.
    pub(super) has_ended: Lit,
}

/// The observer state behind a position.
pub(super) struct Next {
    /// The state of the automaton.
    pub(super) automaton: Vec<Lit>,
    /// The memory of past operators.
    pub(super) memory: Vec<Lit>,
    /// Whether the edge that leads there belongs to each acceptance set.
    pub(super) marks: Vec<Lit>,
}

/// Reads positions. Labels are numbers of actions.
pub(super) struct Reader<'a> {
    actions: &'a ActionNetwork,
    facts: &'a [Fact],
    past: &'a Past,
    rules: &'a Rules,
}

impl Values for Clauses<'_> {
    type Value = Lit;

    fn known(&mut self, value: bool) -> Lit {
        Clauses::known(self, value)
    }

    fn not(&mut self, value: Lit) -> Lit {
        !value
    }

    fn and(&mut self, one: Lit, other: Lit) -> Lit {
        Clauses::and(self, one, other)
    }
}

impl<'a> Reader<'a> {
    /// For a property; None if it has facts that no encoding supports.
    pub(super) fn new(
        actions: &'a ActionNetwork,
        property: &'a Property,
        past: &'a Past,
        rules: &'a Rules,
    ) -> Option<Reader<'a>> {
        let is_known = |fact: &Fact| match fact {
            Fact::Takes(_) | Fact::Enables(_) | Fact::Stuck | Fact::Terminated | Fact::Initial => true,
            Fact::Holds(number) => actions.conditions().iter().any(|(known, _)| known == number),
            Fact::EnablesSilently(_) | Fact::Sink | Fact::Branches | Fact::Among(_) => false,
        };
        property.facts.iter().all(is_known).then_some(Reader { actions, facts: &property.facts, past, rules })
    }

    /// The initial memory.
    pub(super) fn first_memory(&self) -> Vec<bool> {
        self.past.first_memory()
    }

    /// Reads the position of a frame: the automaton takes an edge that the letter allows, or stays if the step is
    /// silent.
    pub(super) fn read(
        &self,
        runs: &mut Unrolling<'_>,
        place: usize,
        automaton: &Automaton,
        (from, remembered): (&[Lit], &[Lit]),
    ) -> (Position, Next) {
        let position = self.position(runs, place);
        let mut letter = self.letter(runs, place, position);
        let clauses = &mut runs.clauses;
        let (fact, was) = (|atom: u32| letter[atom as usize], |bit: u32| remembered[bit as usize]);
        let mut values = Vec::new();
        self.past.compute(clauses, fact, was, &mut values);
        letter.extend(self.past.told(&values));
        letter.push(position.has_ended);
        // A finished run has no further positions, unless the last one is repeated.
        let stays = match self.rules.finite_runs {
            FiniteRuns::Maximal => clauses.or(position.is_silent, position.has_ended),
            FiniteRuns::Stutter | FiniteRuns::Ignore => position.is_silent,
        };
        let memory =
            remembered.iter().zip(self.past.kept(&values)).map(|(&was, now)| clauses.choose(stays, was, now)).collect();
        let after = clauses.one_of(automaton.n_states());
        for (&here, &there) in from.iter().zip(&after) {
            clauses.add(&[!position.is_silent, !here, there]);
        }
        let mut marks: Vec<Vec<Lit>> = vec![Vec::new(); automaton.n_sets() as usize];
        let mut edges = vec![position.is_silent];
        for (state, &here) in (0..).zip(from) {
            for edge in automaton.edges(state) {
                let taken = clauses.solver.variable();
                let mut needs = vec![here, after[edge.target as usize], !position.is_silent];
                for (atom, &is_true) in letter.iter().enumerate() {
                    needs.extend((edge.guard.positive >> atom & 1 == 1).then_some(is_true));
                    needs.extend((edge.guard.negative >> atom & 1 == 1).then_some(!is_true));
                }
                needs.iter().for_each(|&needed| clauses.add(&[!taken, needed]));
                let sets = marks.iter_mut().enumerate().filter(|(set, _)| edge.marks >> set & 1 == 1);
                sets.for_each(|(_, marked)| marked.push(taken));
                edges.push(taken);
            }
        }
        clauses.add(&edges);
        let marks = marks.iter().map(|marked| clauses.any(marked)).collect();
        (position, Next { automaton: after, memory, marks })
    }

    fn position(&self, runs: &mut Unrolling<'_>, place: usize) -> Position {
        let Unrolling { network, clauses, frames, .. } = runs;
        let frame = &frames[place];
        let has_ended = match self.rules.finite_runs {
            FiniteRuns::Ignore => clauses.no(),
            FiniteRuns::Maximal | FiniteRuns::Stutter => {
                let has_ended = clauses.solver.variable();
                for asks in frame.asks_of(network, |_| true) {
                    let all: Vec<Lit> = asks.iter().copied().chain([has_ended]).collect();
                    clauses.exclude(&all);
                }
                has_ended
            }
        };
        let is_silent = |label: Label| self.rules.is_silent(&self.actions.actions()[label.index()]);
        let silent = frame.shows.iter().filter(|(label, _)| is_silent(**label)).map(|(_, &shows)| shows);
        let silent: Vec<Lit> = silent.collect();
        Position { is_silent: clauses.any(&silent), has_ended }
    }

    /// For each fact whether it is true at a visible position.
    fn letter(&self, runs: &mut Unrolling<'_>, place: usize, position: Position) -> Vec<Lit> {
        let mut letter = Vec::with_capacity(self.past.n_atoms() + 1);
        for fact in self.facts {
            let is_true = match fact {
                Fact::Takes(labels) => self.takes(labels, runs, place),
                // In the trace view a position is no state; only the end of the run is observed.
                _ if self.rules.view == View::Trace => {
                    let is_true = self.of_state(fact, runs, place);
                    runs.clauses.and(is_true, position.has_ended)
                }
                _ => self.of_state(fact, runs, place),
            };
            letter.push(is_true);
        }
        letter
    }

    fn takes(&self, labels: &Labels, runs: &mut Unrolling<'_>, place: usize) -> Lit {
        let shows = runs.frames[place].shows.iter().filter(|(label, _)| self.is_among(**label, labels));
        let shows: Vec<Lit> = shows.map(|(_, &shows)| shows).collect();
        runs.clauses.any(&shows)
    }

    /// Whether an action has one of these labels.
    fn is_among(&self, action: Label, labels: &Labels) -> bool {
        labels.contains(self.actions.actions()[action.index()].label)
    }

    fn of_state(&self, fact: &Fact, runs: &mut Unrolling<'_>, place: usize) -> Lit {
        let Unrolling { network, clauses, frames, .. } = runs;
        let (network, frame): (&Network, _) = (network, &frames[place]);
        let mut possible = |is_meant: &dyn Fn(Label) -> bool| {
            let ways: Vec<Lit> = frame.asks_of(network, is_meant).map(|asks| clauses.all(asks)).collect();
            clauses.any(&ways)
        };
        match fact {
            Fact::Enables(labels) => possible(&|action| self.is_among(action, labels)),
            Fact::Stuck => !possible(&|_| true),
            // Termination leads to the last mode.
            Fact::Terminated => frame.modes[frame.modes.len() - 1],
            Fact::Initial => {
                let locals = frame.locals.iter().zip(&network.initial.locals);
                let mut all: Vec<Lit> = locals.map(|(locals, local)| locals[local.index()]).collect();
                all.push(frame.modes[network.initial.mode.index()]);
                let cells = frame.cells.iter().zip(network.initial.data.iter());
                all.extend(cells.map(|(cell, &value)| clauses.is_number(cell, value.into())));
                clauses.all(&all)
            }
            Fact::Holds(number) => {
                let condition: Option<ExpressionId> =
                    self.actions.conditions().iter().find(|(known, _)| known == number).map(|(_, id)| *id);
                let Some(condition) = condition else { return clauses.no() };
                let value = Environment::new(&network.data, &frame.cells).evaluate(condition, clauses);
                clauses.and(value.word.truth(), !value.fails)
            }
            Fact::Takes(_) | Fact::EnablesSilently(_) | Fact::Sink | Fact::Branches | Fact::Among(_) => clauses.no(),
        }
    }
}
