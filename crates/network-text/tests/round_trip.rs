//! Round trip of random networks: parsing the text yields an equal document, and writing that yields the same text.

use crate::common;

use common::{Parsed, errors_of, parse_text};
use hashbrown::HashSet;
use lts::{Label, Model};
use model::EventTable;
use model::data::*;
use model::network::*;
use network_text::{Assertion, Logic, NamedNetwork, Origin, Origins, Place, Property};
use source::Span;
use std::collections::BTreeSet;
use std::sync::Arc;
use test_support::mutate::{Random, seed};
use test_support::networks::random_network;

const NAMES: [&str; 10] = ["a", "left.0", "a b", "tau", "\"", "machine", "", "é\n", "x'", "PHIL(0)"];

#[test]
fn random_documents_round_trip() {
    let mut random = Random::new(seed());
    for round in 0..400 {
        let events = random_events(&mut random);
        let networks: Vec<NamedNetwork> = (0..1 + random.below(3)).map(|_| random_named(&mut random)).collect();
        let assertions = random_assertions(&mut random, networks.len());
        let text = network_text::write(&events, &networks, &assertions).to_string();
        let place = format!("round {round}, seed {}:\n{text}", seed());
        let parsed = parse_text(text.clone());
        assert_eq!(errors_of(&parsed), "", "{place}");
        assert_same(&events, &networks, &assertions, &parsed, &place);
        assert_eq!(parsed.document.text().to_string(), text, "{place}");
    }
}

fn assert_same(events: &EventTable, networks: &[NamedNetwork], assertions: &[Assertion], read: &Parsed, place: &str) {
    let document = &read.document;
    assert_eq!(document.events.len(), events.len(), "{place}");
    for event in (0..events.len() as u32).map(model::EventId) {
        assert_eq!(document.events.text(event), events.text(event), "{place}");
    }
    assert_eq!(document.networks.len(), networks.len(), "{place}");
    for (written, read) in networks.iter().zip(&document.networks) {
        assert_same_network(&written.network, &read.network, place);
        assert_eq!(written.place, read.place, "{place}");
        for (written, read) in written.origins.machines.iter().zip(&read.origins.machines) {
            assert_eq!(written.place, read.place, "{place}");
        }
        assert_eq!(written.origins.actions, read.origins.actions, "{place}");
    }
    // Spans differ; properties must not.
    let claims =
        |assertions: &[Assertion]| network_text::write(&document.events, &document.networks, assertions).to_string();
    assert_eq!(claims(assertions), claims(&document.assertions), "{place}");
}

fn assert_same_network(a: &Network, b: &Network, place: &str) {
    assert_eq!(a.machines, b.machines, "{place}");
    for (first, second) in [(0, 1), (1, 2), (0, 2)] {
        if let (Some(first), Some(second)) = (b.machines.get(first), b.machines.get(second)) {
            assert_eq!(first == second, Arc::ptr_eq(first, second), "equal machines are one: {place}");
        }
    }
    assert_eq!(a.initial, b.initial, "{place}");
    assert_eq!(a.data.variables().collect::<Vec<_>>(), b.data.variables().collect::<Vec<_>>(), "{place}");
    assert_eq!(a.modes.len(), b.modes.len(), "{place}");
    assert_eq!(a.priority.is_some(), b.priority.is_some(), "{place}");
    if let (Some(a), Some(b)) = (&a.priority, &b.priority) {
        assert_eq!(ranked(a), ranked(b), "{place}");
    }
    let mut equality = ExpressionEquality { a: &a.data, b: &b.data, known: HashSet::new() };
    assert_eq!(a.obstacles.len(), b.obstacles.len(), "{place}");
    for (a, b) in a.obstacles.iter().zip(&b.obstacles) {
        assert_eq!(a.ways.len(), b.ways.len(), "{place}");
        for (a, b) in a.ways.iter().zip(&b.ways) {
            assert_eq!((&a.parts, &a.unless), (&b.parts, &b.unless), "{place}");
            assert_eq!(a.condition.is_some(), b.condition.is_some(), "{place}");
            assert!(a.condition.zip(b.condition).is_none_or(|(a, b)| equality.expressions(a, b)), "{place}");
        }
    }
    for (a, b) in a.modes.iter().zip(&b.modes) {
        assert_eq!(a.rules.len(), b.rules.len(), "{place}");
        for (a, b) in a.rules.iter().zip(&b.rules) {
            assert_eq!((&a.parts, a.shows, &a.jump, &a.unless), (&b.parts, b.shows, &b.jump, &b.unless), "{place}");
            assert_eq!(a.command.is_some(), b.command.is_some(), "{place}");
            if let (Some(a), Some(b)) = (&a.command, &b.command) {
                assert_eq!(a.guard.is_some(), b.guard.is_some(), "{place}");
                assert!(a.guard.zip(b.guard).is_none_or(|(a, b)| equality.expressions(a, b)), "{place}");
                assert!(equality.statements(&a.statements, &b.statements), "{place}");
            }
        }
    }
}

/// Labels with their classes.
type Classes = Vec<(Label, usize)>;

/// Pairs of a class and one that it yields to.
type Yields = Vec<(usize, usize)>;

/// A priority order with classes renumbered without gaps, up to which it is compared.
fn ranked(priority: &Priority) -> (Classes, Yields) {
    let labeled = priority.classes().map(|(_, class)| class);
    let used: BTreeSet<u32> = labeled.chain(priority.yields().flat_map(|(class, other)| [class, other])).collect();
    let rank = |class: u32| used.range(..class).count();
    let classes = priority.classes().map(|(label, class)| (label, rank(class))).collect();
    (classes, priority.yields().map(|(class, other)| (rank(class), rank(other))).collect())
}

/// Equality of expressions of two networks, up to numbering.
struct ExpressionEquality<'a> {
    a: &'a Data,
    b: &'a Data,
    known: HashSet<(ExpressionId, ExpressionId)>,
}

impl ExpressionEquality<'_> {
    fn expressions(&mut self, a: ExpressionId, b: ExpressionId) -> bool {
        if !self.known.insert((a, b)) {
            return true;
        }
        let (x, y) = (self.a.expressions.get(a), self.b.expressions.get(b));
        let is_alike = match (x, y) {
            (Expression::Element(a, _), Expression::Element(b, _)) => a == b,
            (Expression::Unary(a, _), Expression::Unary(b, _)) => a == b,
            (Expression::Binary(a, ..), Expression::Binary(b, ..)) => a == b,
            (Expression::If(..), Expression::If(..)) => true,
            _ => x == y,
        };
        let operands = x.operands().into_iter().flatten().zip(y.operands().into_iter().flatten());
        is_alike && operands.collect::<Vec<_>>().into_iter().all(|(a, b)| self.expressions(a, b))
    }

    fn statements(&mut self, a: &[Statement], b: &[Statement]) -> bool {
        use Statement::*;
        a.len() == b.len()
            && a.iter().zip(b).all(|pair| match pair {
                (Assign { variable: a, value: x, .. }, Assign { variable: b, value: y, .. }) => {
                    a == b && self.expressions(*x, *y)
                }
                (
                    AssignElement { array: a, index: i, value: x, .. },
                    AssignElement { array: b, index: j, value: y, .. },
                ) => a == b && self.expressions(*i, *j) && self.expressions(*x, *y),
                (Enqueue { queue: a, message: x, .. }, Enqueue { queue: b, message: y, .. }) => {
                    a == b && x.len() == y.len() && x.iter().zip(y).all(|(x, y)| self.expressions(*x, *y))
                }
                (Dequeue { queue: a, .. }, Dequeue { queue: b, .. }) => a == b,
                (If { condition: c, then: s, otherwise: t }, If { condition: d, then: u, otherwise: v }) => {
                    self.expressions(*c, *d) && self.statements(s, u) && self.statements(t, v)
                }
                (While { condition: c, body: s, .. }, While { condition: d, body: t, .. }) => {
                    self.expressions(*c, *d) && self.statements(s, t)
                }
                _ => false,
            })
    }
}

fn random_events(random: &mut Random) -> EventTable {
    let mut events = EventTable::default();
    // Random networks have labels below 5.
    while events.len() < 3 {
        events.intern(&format!("{}{}", random.pick(&NAMES), random.pick(&["", ".1", ".x.-2", " "])));
    }
    events
}

fn random_named(random: &mut Random) -> NamedNetwork {
    let mut network = random_network(random);
    if let Some(machine) = network.machines.first().cloned() {
        network.machines.push(Arc::new((*machine).clone()));
        network.initial.locals.push(LocalState(0));
    }
    if random.below(3) > 0 {
        add_data(random, &mut network);
    }
    let origins = random_origins(random, &network);
    let name = format!("{}{}", random.pick(&NAMES), random.below(1000)).into();
    NamedNetwork { name, place: random_place(random), network, origins }
}

fn random_place(random: &mut Random) -> Option<Place> {
    (random.below(2) == 0).then(|| Place::in_file(NAMES[random.below(NAMES.len())], 3, 4))
}

fn random_origins(random: &mut Random, network: &Network) -> Origins {
    let mut origins = Origins::default();
    if random.below(3) == 0 {
        return origins;
    }
    for _ in 0..random.below(network.machines.len() + 1) {
        origins.machines.push(Origin { name: Some((*random.pick(&NAMES)).into()), place: random_place(random) });
    }
    for (id, machine) in (0..).map(MachineId).zip(&network.machines) {
        if random.below(3) == 0 {
            let name = |random: &mut Random| (random.below(3) > 0).then(|| (*random.pick(&NAMES)).into());
            origins.states.insert(id, machine.states().map(|_| name(random)).collect());
        }
    }
    for mode in &network.modes {
        origins.rules.push(mode.rules.iter().map(|_| random_place(random)).collect());
    }
    if random.below(2) == 0 {
        origins.actions.insert(Action(5), "own action".into());
        origins.actions.insert(Action(900), "other".into());
    }
    if random.below(2) == 0 {
        origins.obstacles = vec!["first".into(), "unless".into(), "first".into()];
    }
    if random.below(2) == 0 {
        origins.classes = vec!["first".into(), "second".into(), "third".into()];
    }
    origins
}

fn random_assertions(random: &mut Random, n_networks: usize) -> Vec<Assertion> {
    let model = |random: &mut Random| *random.pick(&Model::ALL);
    let property = |random: &mut Random| {
        let network = random.below(n_networks);
        let some_model = (random.below(2) == 0).then(|| model(random));
        match random.below(6) {
            0 => Property::Refinement {
                specification: random.below(n_networks),
                model: model(random),
                implementation: network,
            },
            1 => Property::DeadlockFree(network, some_model),
            2 => Property::DivergenceFree(network, some_model),
            3 => Property::Deterministic(network, some_model),
            4 => {
                let trace = (0..=random.below(3)).map(|_| model::EventId(random.below(3) as u32)).collect();
                Property::HasTrace { network, model: some_model, trace }
            }
            _ => Property::Temporal {
                network,
                logic: *random.pick(&[Logic::Ltl, Logic::Ctl]),
                formula: (*random.pick(&["G a", "a \\/ b", "\\\"x\\\"", ""])).into(),
                formula_span: Span::default(),
            },
        }
    };
    let assertion = |random: &mut Random| Assertion {
        negated: random.below(2) == 0,
        property: property(random),
        span: Span::default(),
    };
    (0..random.below(5)).map(|_| assertion(random)).collect()
}

/// Adds variables to a network, and commands to its rules.
fn add_data(random: &mut Random, network: &mut Network) {
    let domains = [
        Domain::Boolean,
        Domain::Integers { low: 0, high: 7 },
        Domain::Integers { low: -3, high: i64::from(u32::MAX) - 3 },
    ];
    for number in 0..1 + random.below(6) {
        let domain = *random.pick(&domains);
        let kind = match random.below(4) {
            0 => Kind::Array { element: domain, length: random.below(4) as u32 },
            1 => {
                let message = (0..random.below(3)).map(|_| *random.pick(&domains)).collect();
                Kind::Queue { message, capacity: random.below(4) as u32 }
            }
            _ => Kind::Scalar(domain),
        };
        let lifetime = *random.pick(&[Lifetime::Run, Lifetime::Step]);
        let name = format!("{}{number}", random.pick(&NAMES)).into();
        let cells = random_cells(random, &kind);
        network.data.add_variable(Variable { name, kind, lifetime });
        network.initial.data.extend(cells);
    }
    let mut generator = ExpressionGenerator { random, pool: [Vec::new(), Vec::new()] };
    for mode in &mut network.modes {
        for rule in &mut mode.rules {
            generator.maybe_command(&mut network.data, rule);
        }
        let mut alone = Rule::new([], Label(generator.random.below(5) as u32));
        let guard = Some(generator.expression(&mut network.data, Sort::Boolean, 3));
        alone.command = Some(Box::new(Command { guard, statements: [].into() }));
        mode.rules.push(alone);
    }
}

fn random_cells(random: &mut Random, kind: &Kind) -> Vec<i64> {
    let value = |random: &mut Random, domain: Domain| domain.least() + random.below(2) as i64;
    match kind {
        Kind::Queue { message, capacity } => {
            let length = random.below(*capacity as usize + 1);
            let mut cells: Vec<i64> = kind.cell_domains().map(Domain::least).collect();
            cells[0] = length as i64;
            for cell in 0..length * message.len() {
                cells[1 + cell] = value(random, message[cell % message.len()]);
            }
            cells
        }
        kind => kind.cell_domains().map(|domain| value(random, domain)).collect(),
    }
}

/// A generator of expressions and statements; expressions are shared, sometimes deeply.
struct ExpressionGenerator<'a> {
    random: &'a mut Random,
    /// The generated booleans and integers.
    pool: [Vec<ExpressionId>; 2],
}

impl ExpressionGenerator<'_> {
    fn maybe_command(&mut self, data: &mut Data, rule: &mut Rule) {
        if self.random.below(3) == 0 {
            return;
        }
        let guard = (self.random.below(2) == 0).then(|| self.expression(data, Sort::Boolean, 4));
        let statements = self.statements(data, 2);
        if guard.is_some() || !statements.is_empty() {
            rule.command = Some(Box::new(Command { guard, statements }));
        }
    }

    fn statements(&mut self, data: &mut Data, depth: u32) -> Box<[Statement]> {
        (0..self.random.below(3)).filter_map(|_| self.statement(data, depth)).collect()
    }

    fn statement(&mut self, data: &mut Data, depth: u32) -> Option<Statement> {
        let origin = Span::default();
        if depth > 0 && self.random.below(3) == 0 {
            let condition = self.expression(data, Sort::Boolean, 2);
            let (then, otherwise) = (self.statements(data, depth - 1), self.statements(data, depth - 1));
            return Some(match self.random.below(2) {
                0 => Statement::If { condition, then, otherwise },
                _ => Statement::While { condition, body: then, origin },
            });
        }
        let n_variables = data.variables().count();
        let id = VariableId(self.random.below(n_variables) as u32);
        Some(match data.variable(id).kind.clone() {
            Kind::Scalar(domain) => {
                Statement::Assign { variable: id, value: self.expression(data, sort(domain), 3), origin }
            }
            Kind::Array { element, .. } => {
                let index = self.expression(data, Sort::Integer, 2);
                Statement::AssignElement { array: id, index, value: self.expression(data, sort(element), 3), origin }
            }
            Kind::Queue { message, .. } if self.random.below(2) == 0 => {
                let message = message.iter().map(|&field| self.expression(data, sort(field), 2)).collect();
                Statement::Enqueue { queue: id, message, origin }
            }
            Kind::Queue { .. } => Statement::Dequeue { queue: id, origin },
        })
    }

    fn expression(&mut self, data: &mut Data, wanted: Sort, depth: u32) -> ExpressionId {
        let pool = wanted as usize;
        if self.random.below(4) == 0 && !self.pool[pool].is_empty() {
            return *self.random.pick(&self.pool[pool]);
        }
        let expression = if depth == 0 { self.leaf(data, wanted) } else { self.inner(data, wanted, depth - 1) };
        let id = data.expressions.add(expression, Span::default());
        self.pool[pool].push(id);
        id
    }

    fn inner(&mut self, data: &mut Data, wanted: Sort, depth: u32) -> Expression {
        use BinaryOperator::*;
        let any = *self.random.pick(&[Sort::Boolean, Sort::Integer]);
        match (wanted, self.random.below(7)) {
            (_, 0) => self.leaf(data, wanted),
            (_, 1) => {
                let condition = self.expression(data, Sort::Boolean, depth);
                let then = self.expression(data, wanted, depth);
                Expression::If(condition, then, self.expression(data, wanted, depth))
            }
            (Sort::Boolean, 2) => Expression::Unary(UnaryOperator::Not, self.expression(data, Sort::Boolean, depth)),
            (Sort::Integer, 2 | 3) => {
                Expression::Unary(UnaryOperator::Negate, self.expression(data, Sort::Integer, depth))
            }
            (Sort::Integer, _) => {
                let operator = *self.random.pick(&[Add, Subtract, Multiply, Divide, Remainder]);
                self.binary(data, operator, Sort::Integer, depth)
            }
            (Sort::Boolean, 3) => {
                let operator = *self.random.pick(&[Equal, NotEqual]);
                self.binary(data, operator, any, depth)
            }
            (Sort::Boolean, 4) => {
                let operator = *self.random.pick(&[Less, LessOrEqual]);
                self.binary(data, operator, Sort::Integer, depth)
            }
            (Sort::Boolean, _) => {
                let operator = *self.random.pick(&[And, Or]);
                self.binary(data, operator, Sort::Boolean, depth)
            }
        }
    }

    fn binary(&mut self, data: &mut Data, operator: BinaryOperator, sort: Sort, depth: u32) -> Expression {
        let left = self.expression(data, sort, depth);
        Expression::Binary(operator, left, self.expression(data, sort, depth))
    }

    fn leaf(&mut self, data: &mut Data, wanted: Sort) -> Expression {
        let n_variables = data.variables().count();
        let id = VariableId(self.random.below(n_variables) as u32);
        let index = data.expressions.add(Expression::Integer(self.random.below(3) as i64), Span::default());
        match data.variable(id).kind.clone() {
            Kind::Scalar(domain) if sort(domain) == wanted => Expression::Variable(id),
            Kind::Array { element, .. } if sort(element) == wanted => Expression::Element(id, index),
            Kind::Queue { message, .. } => match message.iter().position(|&field| sort(field) == wanted) {
                Some(field) => Expression::Front(id, field as u32),
                None if wanted == Sort::Integer => Expression::Length(id),
                None => Expression::Boolean(true),
            },
            _ if wanted == Sort::Boolean => Expression::Boolean(self.random.below(2) == 0),
            _ => Expression::Integer(*self.random.pick(&[0, 5, -5, i64::MAX, i64::MIN])),
        }
    }
}

fn sort(domain: Domain) -> Sort {
    match domain {
        Domain::Boolean => Sort::Boolean,
        Domain::Integers { .. } => Sort::Integer,
    }
}

/// Shared and deep expressions are written compactly, and parsed again.
#[test]
fn shared_and_deep_expressions_are_named() {
    let mut network = Network { modes: vec![Mode::default()], ..Network::default() };
    let domain = Domain::Integers { low: 0, high: 3 };
    let x =
        network.data.add_variable(Variable { name: "x".into(), kind: Kind::Scalar(domain), lifetime: Lifetime::Run });
    network.initial.data.push(0);
    let mut add = |expression| network.data.expressions.add(expression, Span::default());
    let mut shared = add(Expression::Variable(x));
    for _ in 0..12 {
        shared = add(Expression::Binary(BinaryOperator::Add, shared, shared));
    }
    let mut deep = shared;
    for _ in 0..900 {
        deep = add(Expression::Unary(UnaryOperator::Negate, deep));
    }
    let guard = Some(add(Expression::Binary(BinaryOperator::Equal, deep, shared)));
    let mut rule = Rule::new([], Label::TAU);
    rule.command = Some(Box::new(Command { guard, statements: [].into() }));
    network.modes[0].rules.push(rule);
    let named = NamedNetwork { name: "N".into(), network, ..NamedNetwork::default() };
    let events = EventTable::default();
    let text = network_text::write(&events, std::slice::from_ref(&named), &[]).to_string();
    assert!(text.len() < 10_000, "{text}");
    let parsed = parse_text(text.clone());
    assert_eq!(errors_of(&parsed), "");
    assert_same_network(&named.network, &parsed.document.networks[0].network, &text);
    assert_eq!(parsed.document.text().to_string(), text);
}
