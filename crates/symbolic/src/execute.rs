//! Commands as circuits: the new values of cells, and whether the command fails.

use crate::Lit;
use crate::clauses::Clauses;
use crate::evaluate::{Circuits, Environment, Value};
use crate::word::Word;
use model::data::{Command, Data, Execution, Lifetime};

/// The effect of a command on a state.
pub(crate) struct Effect {
    /// The command can be executed.
    pub(crate) is_fine: Lit,
    /// The command fails, or a loop exceeds its bound.
    pub(crate) fails: Lit,
    /// The new values of written cells.
    pub(crate) writes: Vec<(usize, Word)>,
}

/// The effect of a command on the cells `before`, and on what is known of these.
pub(crate) fn effect(command: &Command, before: &mut Environment<'_>, clauses: &mut Clauses<'_>) -> Effect {
    let guard = match command.guard {
        Some(guard) => before.evaluate(guard, clauses),
        None => Value { word: clauses.number(1), fails: clauses.no() },
    };
    let is_asked = clauses.and(guard.word.truth(), !guard.fails);
    if is_asked == clauses.no() {
        return Effect { is_fine: is_asked, fails: guard.fails, writes: Vec::new() };
    }
    let mut after = before.fork();
    let mut circuits = Circuits::new(&mut after, clauses);
    if let Some(guard) = command.guard {
        circuits.suppose(guard, true);
    }
    let Ok(()) = Execution::new(&command.statements).run(&mut circuits);
    let wrong = circuits.fails;
    let (fails, is_fine) = (clauses.and(is_asked, wrong), clauses.and(is_asked, !wrong));
    let lasting = lasting_cells(before.data);
    let writes = after.changed.into_iter().filter(|(cell, _)| lasting[*cell]).collect();
    Effect { is_fine, fails: clauses.or(guard.fails, fails), writes }
}

/// For each cell whether it keeps its value from one step to the next.
pub(crate) fn lasting_cells(data: &Data) -> Vec<bool> {
    data.variables().flat_map(|(id, it)| data.cells(id).map(|_| it.lifetime == Lifetime::Run)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decode::value;
    use crate::frame::Frame;
    use crate::{Batsat, Encoding, Property};
    use model::data::Statement;
    use model::network::{Configuration, Network};
    use progress::NoProgress;
    use test_support::data::{Taste, random_network_with_data};
    use test_support::mutate::{Random, seed};

    /// Whether a command has loops, which are unrolled up to a bound.
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

    /// Circuits have the same results and failures as the interpreter.
    #[test]
    fn commands_do_what_the_interpreter_does() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_done, mut n_refused, mut n_failed) = (0, 0, 0);
        for round in 0..250 {
            let taste = Taste { risk: 1 + random.below(12), is_plain: true };
            let network = random_network_with_data(&mut random, taste);
            let states = some_states(&network);
            let mut solver = Batsat::new(&NoProgress);
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
