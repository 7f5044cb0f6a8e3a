//! Random networks with variables, and large ones for measurements.

use crate::mutate::Random;
use crate::networks::{random_network, without_priorities};
use lts::Label;
use model::data::*;
use model::network::*;
pub use source::Span;
use std::sync::Arc;

/// Features of a random network.
#[derive(Clone, Copy, Debug)]
pub struct Taste {
    /// About one in this many statements or guards may have a runtime error; 0 if hardly any.
    pub risk: usize,
    /// Whether the network has neither priorities nor mode changes.
    pub is_plain: bool,
}

/// Random network with a few small variables of all kinds; many of its rules have commands, some have no participants.
pub fn random_network_with_data(random: &mut Random, taste: Taste) -> Network {
    random_network_over(random, taste, false)
}

/// Random network with data, where some variables have hundreds of values.
pub fn random_network_with_wide_data(random: &mut Random, taste: Taste) -> Network {
    random_network_over(random, taste, true)
}

fn random_network_over(random: &mut Random, taste: Taste, is_wide: bool) -> Network {
    let network = random_network(random);
    let mut network = if taste.is_plain { without_priorities(network) } else { network };
    let mut author = Author { random, data: Data::default(), taste, is_wide };
    (0..1 + author.random.below(5)).for_each(|_| author.variable());
    for place in 0..network.modes.len() {
        let n_modes = network.modes.len();
        for rule in &mut network.modes[place].rules {
            if taste.is_plain {
                rule.jump = None;
            }
            if author.random.below(3) > 0 {
                rule.command = Some(Box::new(author.command()));
            }
        }
        for _ in 0..author.random.below(4) {
            let jump = (!taste.is_plain && author.random.below(5) == 0)
                .then(|| Jump { mode: ModeId(author.random.below(n_modes) as u32), resets: [].into() });
            let shows = Label(author.random.below(5) as u32);
            let command = Some(Box::new(author.command()));
            network.modes[place].rules.push(Rule { jump, command, ..Rule::new([], shows) });
        }
    }
    for way in network.obstacles.iter_mut().flat_map(|obstacle| &mut obstacle.ways) {
        way.condition = (author.random.below(3) == 0).then(|| author.condition(1));
    }
    network.initial.data = author.valuation();
    network.data = author.data;
    network
}

struct Author<'a> {
    random: &'a mut Random,
    data: Data,
    taste: Taste,
    /// Whether variables may have hundreds of values.
    is_wide: bool,
}

/// Boundary values of representations of wide domains.
const EDGES: [i64; 12] = [62, 63, 64, 65, 127, 254, 255, 256, 257, 299, 300, 511];

impl Author<'_> {
    fn domain(&mut self) -> Domain {
        if self.is_wide && self.random.below(2) == 0 {
            return Domain::Integers { low: -1, high: *self.random.pick(&[70, 254, 255, 299]) };
        }
        match self.random.below(4) {
            0 => Domain::Boolean,
            1 => Domain::Integers { low: -1, high: 1 + self.random.below(3) as i64 },
            2 => Domain::Integers { low: 3, high: 3 },
            _ => Domain::Integers { low: 0, high: 1 + self.random.below(3) as i64 },
        }
    }

    fn variable(&mut self) {
        let kind = match self.random.below(6) {
            0 => Kind::Array { element: self.domain(), length: self.random.below(4) as u32 },
            1 | 2 => {
                let message = (0..self.random.below(3)).map(|_| self.domain()).collect();
                Kind::Queue { message, capacity: self.random.below(4) as u32 }
            }
            _ => Kind::Scalar(self.domain()),
        };
        let lifetime = if self.random.below(4) == 0 { Lifetime::Step } else { Lifetime::Run };
        let name: Arc<str> = format!("v{}", self.data.n_variables()).into();
        self.data.add_variable(Variable { name, kind, lifetime });
    }

    /// Values in the domains; a queue may have messages.
    fn valuation(&mut self) -> Valuation {
        let mut valuation = self.data.least_valuation();
        let variables: Vec<(VariableId, Kind)> = self.data.variables().map(|(id, it)| (id, it.kind.clone())).collect();
        for (id, kind) in variables {
            let first = self.data.cells(id).start;
            let n_used = match &kind {
                Kind::Queue { message, capacity } => {
                    let n_messages = self.random.below(*capacity as usize + 1);
                    valuation[first] = n_messages as i64;
                    1 + n_messages * message.len()
                }
                _ => self.data.cells(id).len(),
            };
            for cell in usize::from(matches!(kind, Kind::Queue { .. }))..n_used {
                let domain = self.data.cell_domain(id, cell);
                let n_values = domain.n_values().unwrap_or(1) as usize;
                valuation[first + cell] = domain.least() + self.random.below(n_values) as i64;
            }
        }
        valuation
    }

    fn command(&mut self) -> Command {
        let guard = (self.random.below(3) > 0).then(|| self.condition(2));
        let statements = (0..self.random.below(4)).filter_map(|_| self.statement(2)).collect();
        Command { guard, statements }
    }

    fn span(&mut self) -> Span {
        let start = self.random.below(1000) as u32;
        Span::new(start, start + 1)
    }

    fn add(&mut self, expression: Expression) -> ExpressionId {
        let span = self.span();
        self.data.expressions.add(expression, span)
    }

    fn is_risky(&mut self) -> bool {
        self.taste.risk > 0 && self.random.below(self.taste.risk) == 0
    }

    /// Random variable of a kind.
    fn any_of(&mut self, fits: impl Fn(&Kind) -> bool) -> Option<VariableId> {
        let fitting: Vec<VariableId> =
            self.data.variables().filter(|(_, variable)| fits(&variable.kind)).map(|(id, _)| id).collect();
        (!fitting.is_empty()).then(|| *self.random.pick(&fitting))
    }

    /// Expression of a sort that reads a variable, if there is one.
    fn variable_expression(&mut self, sort: Sort) -> Option<ExpressionId> {
        match self.random.below(5) {
            0 => {
                let array =
                    self.any_of(|kind| matches!(kind, Kind::Array { element, .. } if element.sort() == sort))?;
                let index = self.index(array)?;
                Some(self.add(Expression::Element(array, index)))
            }
            1 if sort == Sort::Integer => {
                let queue = self.any_of(|kind| matches!(kind, Kind::Queue { .. }))?;
                Some(self.add(Expression::Length(queue)))
            }
            2 if self.is_risky() => {
                let has = |kind: &Kind| matches!(kind, Kind::Queue { message, .. } if message.iter().any(|d| d.sort() == sort));
                let queue = self.any_of(has)?;
                let Kind::Queue { message, .. } = &self.data.variable(queue).kind else { return None };
                let field = message.iter().position(|domain| domain.sort() == sort)? as u32;
                Some(self.add(Expression::Front(queue, field)))
            }
            _ => {
                let scalar = self.any_of(|kind| matches!(kind, Kind::Scalar(domain) if domain.sort() == sort))?;
                Some(self.add(Expression::Variable(scalar)))
            }
        }
    }

    /// Index expression that is mostly within an array.
    fn index(&mut self, array: VariableId) -> Option<ExpressionId> {
        if self.is_risky() {
            return Some(self.integer(1));
        }
        let length = self.data.cells(array).len();
        (length > 0).then(|| {
            let index = self.random.below(length) as i64;
            self.add(Expression::Integer(index))
        })
    }

    fn integer(&mut self, depth: usize) -> ExpressionId {
        let known = (self.random.below(3) > 0).then(|| self.variable_expression(Sort::Integer)).flatten();
        if depth == 0 || self.random.below(3) > 0 {
            return known.unwrap_or_else(|| {
                let is_edge = self.is_wide && self.random.below(2) == 0;
                let value = if is_edge { *self.random.pick(&EDGES) } else { self.random.below(6) as i64 - 1 };
                self.add(Expression::Integer(value))
            });
        }
        use BinaryOperator::*;
        match self.random.below(7) {
            0 => {
                let operand = self.integer(depth - 1);
                self.add(Expression::Unary(UnaryOperator::Negate, operand))
            }
            1 => self.choice(depth, Sort::Integer),
            2 if self.is_risky() => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                let operator = *self.random.pick(&[Divide, Remainder]);
                self.add(Expression::Binary(operator, left, right))
            }
            3 if self.is_risky() => {
                let left = self.add(Expression::Integer(*[i64::MAX, i64::MIN].get(depth % 2).unwrap_or(&0)));
                let right = self.integer(depth - 1);
                let operator = *self.random.pick(&[Add, Subtract, Multiply, Divide]);
                self.add(Expression::Binary(operator, left, right))
            }
            _ => {
                let (left, right) = (self.integer(depth - 1), self.integer(depth - 1));
                let operator = *self.random.pick(&[Add, Subtract, Multiply]);
                self.add(Expression::Binary(operator, left, right))
            }
        }
    }

    fn choice(&mut self, depth: usize, sort: Sort) -> ExpressionId {
        let condition = self.condition(depth - 1);
        let then = self.of_sort(sort, depth - 1);
        let otherwise = self.of_sort(sort, depth - 1);
        self.add(Expression::If(condition, then, otherwise))
    }

    fn of_sort(&mut self, sort: Sort, depth: usize) -> ExpressionId {
        match sort {
            Sort::Boolean => self.condition(depth),
            Sort::Integer => self.integer(depth),
        }
    }

    /// Equality of a variable that has hundreds of values with a constant, in its domain or not; `None` without such a
    /// variable.
    fn one_of_many(&mut self) -> Option<ExpressionId> {
        let is_wide = |kind: &Kind| matches!(kind, Kind::Scalar(domain) if domain.n_values().is_none_or(|n| n > 256));
        let variable = self.any_of(is_wide)?;
        let value = if self.random.below(2) == 0 { self.random.below(6) as i64 - 1 } else { *self.random.pick(&EDGES) };
        let (variable, value) = (self.add(Expression::Variable(variable)), self.add(Expression::Integer(value)));
        Some(self.add(Expression::Binary(BinaryOperator::Equal, variable, value)))
    }

    fn condition(&mut self, depth: usize) -> ExpressionId {
        use BinaryOperator::*;
        let of_many = (self.is_wide && self.random.below(3) == 0).then(|| self.one_of_many()).flatten();
        if let Some(condition) = of_many {
            return condition;
        }
        match self.random.below(if depth == 0 { 4 } else { 8 }) {
            0 => self.variable_expression(Sort::Boolean).unwrap_or_else(|| self.add(Expression::Boolean(true))),
            1..=3 => {
                let (mut left, mut right) = (self.integer(depth.saturating_sub(1)), self.integer(0));
                if self.random.below(3) == 0 {
                    std::mem::swap(&mut left, &mut right);
                }
                let operator = *self.random.pick(&[Equal, NotEqual, Less, LessOrEqual]);
                self.add(Expression::Binary(operator, left, right))
            }
            4 => {
                let operand = self.condition(depth - 1);
                self.add(Expression::Unary(UnaryOperator::Not, operand))
            }
            5 => self.choice(depth, Sort::Boolean),
            _ => {
                let (left, right) = (self.condition(depth - 1), self.condition(depth - 1));
                let operator = *self.random.pick(&[And, And, Or, Equal]);
                self.add(Expression::Binary(operator, left, right))
            }
        }
    }

    /// Expression whose value is mostly in a domain.
    fn value(&mut self, domain: Domain) -> ExpressionId {
        if self.is_risky() {
            return self.of_sort(domain.sort(), 2);
        }
        match domain {
            Domain::Boolean => self.condition(1),
            Domain::Integers { low, high } => {
                // Arbitrary value, reduced to the range.
                let n_values = self.add(Expression::Integer(high - low + 1));
                let any = self.integer(1);
                let rest = self.add(Expression::Binary(BinaryOperator::Remainder, any, n_values));
                let sum = self.add(Expression::Binary(BinaryOperator::Add, rest, n_values));
                let rest = self.add(Expression::Binary(BinaryOperator::Remainder, sum, n_values));
                let low = self.add(Expression::Integer(low));
                self.add(Expression::Binary(BinaryOperator::Add, low, rest))
            }
        }
    }

    fn statement(&mut self, depth: usize) -> Option<Statement> {
        let origin = self.span();
        match self.random.below(if depth == 0 { 7 } else { 10 }) {
            0..=2 => {
                let variable = self.any_of(|kind| matches!(kind, Kind::Scalar(_)))?;
                let value = self.value(self.data.cell_domain(variable, 0));
                Some(Statement::Assign { variable, value, origin })
            }
            3 => {
                let variable = self.any_of(|kind| matches!(kind, Kind::Scalar(Domain::Integers { .. })))?;
                let (old, one) = (self.add(Expression::Variable(variable)), self.add(Expression::Integer(1)));
                let operator = *self.random.pick(&[BinaryOperator::Add, BinaryOperator::Subtract]);
                let value = self.add(Expression::Binary(operator, old, one));
                self.is_risky().then_some(Statement::Assign { variable, value, origin })
            }
            4 => {
                let array = self.any_of(|kind| matches!(kind, Kind::Array { .. }))?;
                let index = self.index(array)?;
                let value = self.value(self.data.cell_domain(array, 0));
                Some(Statement::AssignElement { array, index, value, origin })
            }
            5 | 6 => self.queue_statement(),
            7 | 8 => {
                let condition = self.condition(1);
                let then = (0..self.random.below(3)).filter_map(|_| self.statement(depth - 1)).collect();
                let otherwise = (0..self.random.below(2)).filter_map(|_| self.statement(depth - 1)).collect();
                Some(Statement::If { condition, then, otherwise })
            }
            _ => self.counting_loop(depth),
        }
    }

    /// Enqueues or dequeues, with or without a check that this is possible.
    fn queue_statement(&mut self) -> Option<Statement> {
        let origin = self.span();
        let queue = self.any_of(|kind| matches!(kind, Kind::Queue { .. }))?;
        let Kind::Queue { message, capacity } = self.data.variable(queue).kind.clone() else { return None };
        let length = self.add(Expression::Length(queue));
        let (statement, condition) = if self.random.below(2) == 0 {
            let message = message.iter().map(|&domain| self.value(domain)).collect();
            let limit = self.add(Expression::Integer(i64::from(capacity)));
            let has_room = self.add(Expression::Binary(BinaryOperator::Less, length, limit));
            (Statement::Enqueue { queue, message, origin }, has_room)
        } else {
            let zero = self.add(Expression::Integer(0));
            (Statement::Dequeue { queue, origin }, self.add(Expression::Binary(BinaryOperator::Less, zero, length)))
        };
        if self.is_risky() {
            return Some(statement);
        }
        Some(Statement::If { condition, then: [statement].into(), otherwise: [].into() })
    }

    /// Counting loop, or one that does not terminate.
    fn counting_loop(&mut self, depth: usize) -> Option<Statement> {
        let origin = self.span();
        let variable = self.any_of(|kind| matches!(kind, Kind::Scalar(Domain::Integers { .. })))?;
        let domain = self.data.cell_domain(variable, 0);
        let (old, most) = (self.add(Expression::Variable(variable)), self.add(Expression::Integer(domain.greatest())));
        let condition = self.add(Expression::Binary(BinaryOperator::Less, old, most));
        let one = self.add(Expression::Integer(1));
        let value = self.add(Expression::Binary(BinaryOperator::Add, old, one));
        let count = Statement::Assign { variable, value, origin };
        let mut body: Vec<Statement> = (0..self.random.below(2)).filter_map(|_| self.statement(depth - 1)).collect();
        if self.random.below(12) > 0 || self.taste.risk == 0 {
            body.push(count);
        }
        Some(Statement::While { condition, body: body.into(), origin })
    }
}

/// Interleaved processes that change shared counters: variables, or machines.
///
/// Each process cycles through `n_phases` states; each step increments or decrements one of `n_counters` counters with
/// `size` values, and blocks at the end of its range.
pub fn shared_counters(n_processes: u32, n_phases: u32, n_counters: u32, size: u32, kept: Kept) -> Network {
    let process = Machine::new(
        (0..n_phases).map(|phase| vec![Edge { action: Action(phase), target: LocalState((phase + 1) % n_phases) }]),
    );
    let counter = Machine::new((0..size).map(|value| {
        let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
        let up = (value + 1 < size).then(|| edge(0, value + 1));
        let down = (value > 0).then(|| edge(1, value - 1));
        up.into_iter().chain(down).collect()
    }));
    let (process, counter) = (Arc::new(process), Arc::new(counter));
    let mut network = Network { machines: vec![process; n_processes as usize], ..Network::default() };
    let variables: Vec<VariableId> = match kept {
        Kept::InMachines => {
            network.machines.extend(vec![counter; n_counters as usize]);
            Vec::new()
        }
        Kept::InVariables => {
            let kind = Kind::Scalar(Domain::Integers { low: 0, high: i64::from(size) - 1 });
            let variable =
                |number| Variable { name: format!("c{number}").into(), kind: kind.clone(), lifetime: Lifetime::Run };
            (0..n_counters).map(|number| network.data.add_variable(variable(number))).collect()
        }
    };
    let mut rules = Vec::new();
    for process in 0..n_processes {
        for phase in 0..n_phases {
            let (counter, is_up) = ((process + phase) % n_counters, (phase + process) % 2 == 0);
            let mut parts = vec![(MachineId(process), Action(phase))];
            match kept {
                Kept::InMachines => parts.push((MachineId(n_processes + counter), Action(u32::from(!is_up)))),
                Kept::InVariables => {}
            }
            let mut rule = Rule::new(parts, Label(2));
            let variable = variables.get(counter as usize);
            rule.command =
                variable.map(|&variable| Box::new(count(&mut network.data, variable, i64::from(size), is_up)));
            rules.push(rule);
        }
    }
    network.modes = vec![Mode { rules }];
    network.initial.locals = vec![LocalState(0); network.machines.len()];
    network.initial.data = network.data.least_valuation();
    network
}

/// Representation of counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kept {
    InMachines,
    InVariables,
}

/// Increments or decrements a variable, guarded by its range.
fn count(data: &mut Data, variable: VariableId, size: i64, is_up: bool) -> Command {
    let origin = Span::default();
    let mut add = |expression| data.expressions.add(expression, origin);
    let (old, one) = (add(Expression::Variable(variable)), add(Expression::Integer(1)));
    let bound = add(Expression::Integer(if is_up { size - 1 } else { 0 }));
    let (low, high, operator) =
        if is_up { (old, bound, BinaryOperator::Add) } else { (bound, old, BinaryOperator::Subtract) };
    let guard = Some(add(Expression::Binary(BinaryOperator::Less, low, high)));
    let value = add(Expression::Binary(operator, old, one));
    Command { guard, statements: [Statement::Assign { variable, value, origin }].into() }
}
