//! Bounds of counters by linear state invariants.
//!
//! If rules only add constants to a variable, its value may be a function of the local states of machines. A potential
//! assigns a number to each state of each machine, such that each rule adds exactly the change of the potentials of its
//! participants. Then the value is the initial one plus the sum of all potentials. So a variable that counts the
//! processes inside a section has no more values than there are processes, whatever its declared range. Modular
//! arithmetic qualifies as well, if the range excludes a wrap-around.

use model::data::{Access, BinaryOperator, Expression, ExpressionId, Statement, VariableId};
use model::network::{Action, LocalState, Machine, Network, Rule};
use std::collections::{BTreeMap, HashMap};

/// The effects of rules on variables.
pub(super) struct Counters<'a> {
    network: &'a Network,
    /// The possible rules.
    rules: Vec<&'a Rule>,
    /// For each variable the rules that write it, by position, with the constant if they only add one.
    writers: Vec<Vec<(usize, Option<i64>)>>,
    /// For each variable the range in which its assignments do not wrap around.
    room: Vec<(i64, i64)>,
}

impl<'a> Counters<'a> {
    /// None if rules reset machines to states that their own steps do not lead to.
    pub(super) fn new(network: &'a Network, is_possible: &[Vec<bool>]) -> Option<Counters<'a>> {
        let ([mode], [is_possible]) = (&network.modes[..], is_possible) else { return None };
        let possible = mode.rules.iter().zip(is_possible).filter(|(_, is_possible)| **is_possible);
        let rules: Vec<&Rule> = possible.map(|(rule, _)| rule).collect();
        let mut writers = vec![Vec::new(); network.data.n_variables()];
        let mut room = vec![(i64::MIN, i64::MAX); network.data.n_variables()];
        for (place, rule) in rules.iter().enumerate() {
            let Some(command) = &rule.command else { continue };
            for variable in Access::of(&network.data, command).writes {
                writers[variable.index()].push((place, increase(network, &command.statements, variable)));
            }
            for statement in &command.statements {
                if let Statement::Assign { variable, value, .. } = statement
                    && let Some((_, (low, high))) = unwrapped(network, *value)
                {
                    let room = &mut room[variable.index()];
                    *room = (room.0.max(low), room.1.min(high));
                }
            }
        }
        let has_jumps = rules.iter().any(|rule| rule.jump.is_some());
        (!has_jumps).then_some(Counters { network, rules, writers, room })
    }

    /// The least and the greatest value of a scalar, if there is a potential.
    pub(super) fn range(&self, variable: VariableId) -> Option<(i64, i64)> {
        let (network, writers) = (self.network, &self.writers[variable.index()]);
        // The constant of a rule is attributed to the action of its first participant.
        let mut added: BTreeMap<usize, HashMap<Action, i64>> = BTreeMap::new();
        let mut of_rule = vec![0; self.rules.len()];
        for &(place, more) in writers {
            of_rule[place] = more?;
            let &(machine, action) = self.rules[place].parts.first()?;
            added.entry(machine.index()).or_default().insert(action, more?);
        }
        let by = |machine: usize, action: Action| added.get(&machine)?.get(&action).copied();
        for (rule, more) in self.rules.iter().zip(of_rule) {
            let parts = rule.parts.iter().filter_map(|&(machine, action)| by(machine.index(), action));
            if parts.sum::<i64>() != more {
                return None;
            }
        }
        let first = network.initial.data[network.data.cells(variable).start];
        let (mut least, mut greatest) = (first, first);
        for (machine, added) in &added {
            let (low, high) = numbers(&network.machines[*machine], network.initial.locals[*machine], added)?;
            (least, greatest) = (least.checked_add(low)?, greatest.checked_add(high)?);
        }
        let (low, high) = self.room[variable.index()];
        (low <= least && greatest <= high).then_some((least, greatest))
    }
}

/// The least and the greatest potential of a state, where edges change it by the constant of their action.
fn numbers(machine: &Machine, first: LocalState, added: &HashMap<Action, i64>) -> Option<(i64, i64)> {
    let mut known: Vec<Option<i64>> = vec![None; machine.n_states()];
    known[first.index()] = Some(0);
    let (mut open, mut range) = (vec![first], (0, 0));
    while let Some(state) = open.pop() {
        let number = known[state.index()].expect("it was met");
        for edge in machine.edges(state) {
            let next = number.checked_add(added.get(&edge.action).copied().unwrap_or(0))?;
            match known[edge.target.index()] {
                Some(number) if number == next => {}
                Some(_) => return None,
                None => {
                    known[edge.target.index()] = Some(next);
                    range = (next.min(range.0), next.max(range.1));
                    open.push(edge.target);
                }
            }
        }
    }
    Some(range)
}

/// The constant that statements add to a variable, if they write it once and in no other way; intermediate values would
/// not be bounded.
fn increase(network: &Network, statements: &[Statement], variable: VariableId) -> Option<i64> {
    let mut writing = statements.iter().filter(|statement| writes(statement, variable));
    match (writing.next()?, writing.next()) {
        (Statement::Assign { value, .. }, None) => amount(network, *value, variable),
        _ => None,
    }
}

/// The difference between an expression and a variable, as long as there is no wrap-around.
fn amount(network: &Network, value: ExpressionId, variable: VariableId) -> Option<i64> {
    let get = |id| network.data.expressions.get(id);
    let value = unwrapped(network, value).map_or(value, |(inner, _)| inner);
    match get(value) {
        Expression::Variable(same) if same == variable => Some(0),
        Expression::Binary(operator, left, right) => match (operator, get(left), get(right)) {
            (BinaryOperator::Add, Expression::Variable(same), Expression::Integer(more))
            | (BinaryOperator::Add, Expression::Integer(more), Expression::Variable(same)) => {
                (same == variable).then_some(more)
            }
            (BinaryOperator::Subtract, Expression::Variable(same), Expression::Integer(less)) if same == variable => {
                less.checked_neg()
            }
            _ => None,
        },
        _ => None,
    }
}

/// The operand of a modular expression such as `((e % m + m + h) % m) - h`, and its range without wrap-around.
fn unwrapped(network: &Network, value: ExpressionId) -> Option<(ExpressionId, (i64, i64))> {
    let binary = |id, wanted: BinaryOperator| match network.data.expressions.get(id) {
        Expression::Binary(operator, left, right) if operator == wanted => match network.data.expressions.get(right) {
            Expression::Integer(number) => Some((left, number)),
            _ => None,
        },
        _ => None,
    };
    let (outer, half) = binary(value, BinaryOperator::Subtract)?;
    let (sum, modulus) = binary(outer, BinaryOperator::Remainder)?;
    let (inner, shift) = binary(sum, BinaryOperator::Add)?;
    let (wrapped, same) = binary(inner, BinaryOperator::Remainder)?;
    let is_wrap = same == modulus && 0 < half && half < modulus && shift.checked_sub(modulus) == Some(half);
    is_wrap.then(|| (wrapped, (-half, modulus - half - 1)))
}

fn writes(statement: &Statement, variable: VariableId) -> bool {
    let mut is_written = false;
    Statement::visit(std::slice::from_ref(statement), &mut |inner| is_written |= inner.written() == Some(variable));
    is_written
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::data::{Command, Data, Domain, Kind, Lifetime, Variable};
    use model::network::{Configuration, Edge, MachineId, Mode, ModeId};
    use std::collections::BTreeSet;
    use std::sync::Arc;
    use test_support::data::Span;
    use test_support::mutate::{Random, seed};

    /// Cyclic machines that add to a variable, some of them with modular arithmetic.
    fn random_counter(random: &mut Random) -> Network {
        let mut data = Data::default();
        let domain = Domain::Integers { low: -8, high: 7 };
        let variable = Variable { name: "n".into(), kind: Kind::Scalar(domain), lifetime: Lifetime::Run };
        let counter = data.add_variable(variable);
        let n_states = 2 + random.below(3) as u32;
        let (mut machines, mut rules) = (Vec::new(), Vec::new());
        for machine in 0..1 + random.below(2) as u32 {
            let state = |number: u32| LocalState(number % n_states);
            let edges: Vec<Vec<Edge>> =
                (0..n_states).map(|at| vec![Edge { action: Action(at), target: state(at + 1) }]).collect();
            machines.push(Arc::new(Machine::new(edges)));
            // In most cycles the sum is 0.
            let mut left = 0;
            for at in 0..n_states {
                let is_last = at + 1 == n_states && random.below(5) > 0;
                let more = if is_last { -left } else { random.below(4) as i64 - 1 };
                left += more;
                let mut add = |expression| data.expressions.add(expression, Span::default());
                let sum = (add(Expression::Variable(counter)), add(Expression::Integer(more)));
                let mut value = add(Expression::Binary(BinaryOperator::Add, sum.0, sum.1));
                if random.below(2) == 0 {
                    for (operator, number) in [
                        (BinaryOperator::Remainder, 16),
                        (BinaryOperator::Add, 24),
                        (BinaryOperator::Remainder, 16),
                        (BinaryOperator::Subtract, 8),
                    ] {
                        let number = add(Expression::Integer(number));
                        value = add(Expression::Binary(operator, value, number));
                    }
                }
                let assign = Statement::Assign { variable: counter, value, origin: Span::default() };
                let command = Command { guard: None, statements: [assign].into() };
                let rule = Rule::new([(MachineId(machine), Action(at))], lts::Label(2 + at));
                rules.push(Rule { command: (more != 0).then(|| Box::new(command)), ..rule });
            }
        }
        let locals = machines.iter().map(|_| LocalState(0)).collect();
        let initial = Configuration { mode: ModeId(0), locals, data: vec![0].into() };
        Network { machines, modes: vec![Mode { rules }], data, initial, ..Network::default() }
    }

    #[test]
    fn counters_stay_in_the_computed_range() {
        let mut random = Random::new(seed());
        let (mut n_told, mut n_not) = (0, 0);
        for round in 0..2000 {
            let network = random_counter(&mut random);
            let all = vec![vec![true; network.modes[0].rules.len()]];
            let counters = Counters::new(&network, &all).expect("there is one mode");
            let Some((low, high)) = counters.range(VariableId(0)) else {
                n_not += 1;
                continue;
            };
            n_told += 1;
            let mut visited = BTreeSet::from([network.initial.clone()]);
            let mut open = vec![network.initial.clone()];
            let mut seen = (0, 0);
            while let Some(at) = open.pop() {
                seen = (at.data[0].min(seen.0), at.data[0].max(seen.1));
                let targets = network.steps(&at).into_iter().map(|step| step.target);
                open.extend(targets.filter(|target| visited.insert(target.clone())));
            }
            assert!(low <= seen.0 && seen.1 <= high, "TEST_SEED={} round {round}: {seen:?}", seed());
        }
        assert!(n_told > 200 && n_not > 200, "the samples are too plain: {n_told} {n_not}");
    }
}
