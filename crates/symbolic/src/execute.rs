//! Commands as circuits: what their statements make of the cells, and whether they go wrong.
//!
//! Both branches of an `if` are done and their results chosen from; a loop is done so many times, as long as its condition may
//! be true. A loop that may go on beyond that counts as going wrong. Whether it does is seen by the interpreter, which is asked about everything that
//! seems to go wrong.

use crate::Lit;
use crate::clauses::Clauses;
use crate::evaluate::{Environment, Value};
use crate::word::Word;
use model::data::{Command, Data, ExpressionId, Lifetime, Statement, VariableId};
use std::collections::BTreeSet;

/// How often the bodies of all loops of a command are done.
const MAX_ROUNDS: usize = 1024;
/// How often the body of one loop is done that may have ended already.
const MAX_UNKNOWN_ROUNDS: usize = 32;

/// What a command does to a state.
pub(crate) struct Effect {
    /// It can be executed.
    pub(crate) is_fine: Lit,
    /// It goes wrong, or perhaps does.
    pub(crate) fails: Lit,
    /// The new values of cells; others stay as they are.
    pub(crate) writes: Vec<(usize, Word)>,
}

/// What a command does where `before` are the values of the cells, with what is known of these.
pub(crate) fn effect(command: &Command, before: &mut Environment<'_>, clauses: &mut Clauses<'_>) -> Effect {
    let guard = match command.guard {
        Some(guard) => before.evaluate(guard, clauses),
        None => Value { word: clauses.number(1), fails: clauses.no() },
    };
    let is_asked = clauses.and(guard.word.truth(), !guard.fails);
    if is_asked == clauses.no() {
        return Effect { is_fine: is_asked, fails: guard.fails, writes: Vec::new() };
    }
    let mut run = Run { environment: before.fork(), fails: clauses.no(), n_rounds: 0 };
    if let Some(guard) = command.guard {
        run.environment.assume(guard, true, clauses);
    }
    run.execute(&command.statements, clauses);
    let fails = clauses.and(is_asked, run.fails);
    let is_fine = clauses.and(is_asked, !run.fails);
    let lasting = lasting_cells(before.data);
    let writes = run.environment.changed.into_iter().filter(|(cell, _)| lasting[*cell]).collect();
    Effect { is_fine, fails: clauses.or(guard.fails, fails), writes }
}

/// For each cell whether it keeps its value from one step to the next.
pub(crate) fn lasting_cells(data: &Data) -> Vec<bool> {
    data.variables().flat_map(|(id, it)| data.cells(id).map(|_| it.lifetime == Lifetime::Run)).collect()
}

/// A command while it is executed.
struct Run<'a> {
    environment: Environment<'a>,
    fails: Lit,
    n_rounds: usize,
}

impl Run<'_> {
    fn execute(&mut self, statements: &[Statement], clauses: &mut Clauses<'_>) {
        for statement in statements {
            self.execute_one(statement, clauses);
            if self.fails == clauses.yes {
                return;
            }
        }
    }

    fn execute_one(&mut self, statement: &Statement, clauses: &mut Clauses<'_>) {
        match statement {
            Statement::Assign { variable, value, .. } => {
                let value = self.evaluate(*value, clauses);
                let word = self.fitting(*variable, 0, &value, clauses);
                self.environment.set(self.environment.data.cells(*variable).start, word);
            }
            Statement::AssignElement { array, index, value, .. } => {
                self.assign_element(*array, *index, *value, clauses);
            }
            Statement::Enqueue { queue, message, .. } => self.enqueue(*queue, message, clauses),
            Statement::Dequeue { queue, .. } => self.dequeue(*queue, clauses),
            Statement::If { condition, then, otherwise } => {
                let is_true = self.evaluate(*condition, clauses).truth();
                self.branch(*condition, is_true, [then, otherwise], clauses);
            }
            Statement::While { condition, body, .. } => self.repeat(*condition, body, clauses),
        }
    }

    fn repeat(&mut self, condition: ExpressionId, body: &[Statement], clauses: &mut Clauses<'_>) {
        let mut n_unknown = 0;
        loop {
            let goes_on = self.evaluate(condition, clauses).truth();
            if goes_on == clauses.no() || self.fails == clauses.yes {
                return;
            }
            n_unknown += usize::from(goes_on != clauses.yes);
            if self.n_rounds == MAX_ROUNDS || n_unknown > MAX_UNKNOWN_ROUNDS {
                self.fails = clauses.or(self.fails, goes_on);
                return;
            }
            self.n_rounds += 1;
            self.branch(condition, goes_on, [body, &[]], clauses);
        }
    }

    /// The value of an expression, which must have one.
    fn evaluate(&mut self, id: ExpressionId, clauses: &mut Clauses<'_>) -> Word {
        let Value { word, fails } = self.environment.evaluate(id, clauses);
        self.fails = clauses.or(self.fails, fails);
        word
    }

    /// A value for a cell of a variable, which must be in its domain.
    fn fitting(&mut self, variable: VariableId, cell: usize, value: &Word, clauses: &mut Clauses<'_>) -> Word {
        let (low, high) = self.environment.domain(variable, cell);
        let is_within = clauses.is_within(value, low, high);
        self.fails = clauses.or(self.fails, !is_within);
        clauses.bounded(value, value.low.clamp(low, high), value.high.clamp(low, high))
    }

    fn assign_element(
        &mut self,
        array: VariableId,
        index: ExpressionId,
        value: ExpressionId,
        clauses: &mut Clauses<'_>,
    ) {
        let (index, value) = (self.evaluate(index, clauses), self.evaluate(value, clauses));
        let cells = self.environment.data.cells(array);
        let is_there = clauses.is_within(&index, 0, cells.len() as i128 - 1);
        self.fails = clauses.or(self.fails, !is_there);
        if cells.is_empty() {
            return;
        }
        let value = self.fitting(array, 0, &value, clauses);
        for (place, cell) in (0..).zip(cells) {
            let is_meant = clauses.is_number(&index, place);
            self.put(cell, is_meant, &value, clauses);
        }
    }

    /// Gives a cell a value if a condition is true.
    fn put(&mut self, cell: usize, condition: Lit, value: &Word, clauses: &mut Clauses<'_>) {
        let word = clauses.choose_word(condition, value, self.environment.cell(cell));
        self.environment.set(cell, word);
    }

    fn enqueue(&mut self, queue: VariableId, message: &[ExpressionId], clauses: &mut Clauses<'_>) {
        let values: Vec<Word> = message.iter().map(|&field| self.evaluate(field, clauses)).collect();
        let cells = self.environment.data.cells(queue);
        let (_, capacity) = self.environment.domain(queue, 0);
        let length = self.environment.cell(cells.start).clone();
        let is_full = clauses.is_number(&length, capacity);
        self.fails = clauses.or(self.fails, is_full);
        if capacity == 0 {
            return;
        }
        let values: Vec<Word> =
            (0..).zip(&values).map(|(field, value)| self.fitting(queue, 1 + field, value, clauses)).collect();
        for slot in 0..capacity {
            let is_next = clauses.is_number(&length, slot);
            let first = cells.start + 1 + slot as usize * values.len();
            (first..).zip(&values).for_each(|(cell, value)| self.put(cell, is_next, value, clauses));
        }
        let one = clauses.number(1);
        let longer = clauses.plus(&length, &one);
        self.environment
            .set(cells.start, clauses.bounded(&longer, longer.low.min(capacity), longer.high.min(capacity)));
    }

    fn dequeue(&mut self, queue: VariableId, clauses: &mut Clauses<'_>) {
        let cells = self.environment.data.cells(queue);
        let length = self.environment.cell(cells.start).clone();
        let is_empty = clauses.is_number(&length, 0);
        self.fails = clauses.or(self.fails, is_empty);
        if self.fails == clauses.yes {
            return;
        }
        let one = clauses.number(1);
        let shorter = clauses.minus(&length, &one);
        self.environment.set(cells.start, clauses.bounded(&shorter, shorter.low.max(0), shorter.high.max(0)));
        let n_fields = self.environment.n_fields(queue);
        for cell in cells.start + 1..cells.end {
            let next = match cell + n_fields {
                next if next < cells.end => self.environment.cell(next).clone(),
                _ => clauses.number(self.environment.domain(queue, cell - cells.start).0),
            };
            self.environment.set(cell, next);
        }
    }

    /// Does the first if a condition is true, and the second otherwise.
    fn branch(&mut self, condition: ExpressionId, is_true: Lit, ways: [&[Statement]; 2], clauses: &mut Clauses<'_>) {
        let [then, otherwise] = ways;
        if is_true == clauses.yes {
            return self.execute(then, clauses);
        }
        if is_true == clauses.no() {
            return self.execute(otherwise, clauses);
        }
        let [one, other] = [(then, true), (otherwise, false)].map(|(statements, truth)| {
            let mut run = Run { environment: self.environment.fork(), fails: clauses.no(), n_rounds: self.n_rounds };
            run.environment.assume(condition, truth, clauses);
            run.execute(statements, clauses);
            run
        });
        self.n_rounds = one.n_rounds.max(other.n_rounds);
        let fails = clauses.choose(is_true, one.fails, other.fails);
        self.fails = clauses.or(self.fails, fails);
        let touched: BTreeSet<usize> =
            one.environment.changed.keys().chain(other.environment.changed.keys()).copied().collect();
        for cell in touched {
            let word = clauses.choose_word(is_true, one.environment.cell(cell), other.environment.cell(cell));
            self.environment.set(cell, word);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::value;
    use crate::frame::Frame;
    use crate::{Batsat, Encoding, Property};
    use model::network::{Configuration, Network};
    use progress::Nobody;
    use test_support::data::{Taste, random_network_with_data};
    use test_support::mutate::{Random, seed};

    /// Whether a command has loops, which are followed only so far.
    fn has_loops(statements: &[Statement]) -> bool {
        statements.iter().any(|statement| match statement {
            Statement::While { .. } => true,
            Statement::If { then, otherwise, .. } => has_loops(then) || has_loops(otherwise),
            _ => false,
        })
    }

    fn some_states(network: &Network) -> Vec<Configuration> {
        let mut states = vec![network.initial.clone()];
        for place in 0..6 {
            let Some(state) = states.get(place) else { break };
            let steps = network.steps(state);
            states.extend(steps.into_iter().map(|step| step.target).take(4));
        }
        states
    }

    /// Circuits do to cells what the interpreter does, and fail where it does.
    #[test]
    fn commands_do_what_the_interpreter_does() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_done, mut n_refused, mut n_failed) = (0, 0, 0);
        for round in 0..250 {
            let taste = Taste { risk: 1 + random.below(12), is_plain: true };
            let network = random_network_with_data(&mut random, taste);
            let states = some_states(&network);
            let mut solver = Batsat::new(&Nobody);
            let mut clauses = Clauses::new(&mut solver, Encoding::OneHot);
            let frame = Frame::any_state(&network, &Property::DeadlockFree, &mut clauses);
            let lasting = lasting_cells(&network.data);
            let rules = network.modes.iter().flat_map(|mode| &mode.rules);
            for command in rules.filter_map(|rule| rule.command.as_ref()).take(6) {
                let found = effect(command, &mut Environment::new(&network.data, &frame.cells), &mut clauses);
                for state in &states {
                    let context =
                        format!("TEST_SEED={seed} round {round} {command:?} in {state:?}: {:?}", network.data);
                    assert_eq!(clauses.solver.solve(&frame.facts(state, 0)), Ok(true), "{context}");
                    let is_true = |lit| clauses.solver.is_true(lit);
                    let (is_fine, fails) = (is_true(found.is_fine), is_true(found.fails));
                    match network.data.execute(command, &state.data) {
                        Err(_) => {
                            assert!(fails && !is_fine, "{context}");
                            n_failed += 1;
                        }
                        Ok(None) => {
                            assert!(!fails && !is_fine, "{context}");
                            n_refused += 1;
                        }
                        Ok(Some(_)) if fails && has_loops(&command.statements) => {}
                        Ok(Some(after)) => {
                            assert!(is_fine && !fails, "{context}");
                            for (cell, _) in lasting.iter().enumerate().filter(|(_, lasts)| **lasts) {
                                let written = found.writes.iter().find(|(written, _)| *written == cell);
                                let word = written.map_or(&frame.cells[cell], |(_, word)| word);
                                assert_eq!(value(&*clauses.solver, word), after[cell], "{context}: cell {cell}");
                            }
                            n_done += 1;
                        }
                    }
                }
            }
        }
        let is_enough = n_done > 500 && n_refused > 200 && n_failed > 200;
        assert!(is_enough, "too little happened: {n_done} {n_refused} {n_failed}");
    }
}
