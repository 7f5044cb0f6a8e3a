//! Text of expressions.
//!
//! Expressions of a network share subexpressions. Expanded, the text could be exponential, so subexpressions with
//! several uses that are not small are named; so are those that are too deep to be parsed.

use super::names::quoted;
use crate::Origins;
use crate::operators::{self, Binary, Level};
use hashbrown::{HashMap, HashSet};
use limits::input::networks::{MAX_INLINE, MAX_WRITTEN_DEPTH};
use model::data::{Data, Expression, ExpressionId, Kind, Statement, UnaryOperator};
use model::network::Network;

/// The expressions of a network, with names for shared ones.
pub struct Expressions<'a> {
    data: &'a Data,
    variables: &'a [String],
    names: HashMap<ExpressionId, String>,
    /// Named expressions, in the order of their definitions.
    definitions: Vec<(String, ExpressionId)>,
}

impl<'a> Expressions<'a> {
    pub fn new(network: &'a Network, origins: &Origins, variables: &'a [String]) -> Expressions<'a> {
        let data = &network.data;
        let mut expressions = Expressions { data, variables, names: HashMap::new(), definitions: Vec::new() };
        let mut taken: HashSet<String> = variables.iter().cloned().collect();
        for (name, id) in &origins.definitions {
            let name = quoted(name);
            if id.index() < data.expressions.len() && taken.insert(name.clone()) {
                expressions.names.entry(*id).or_insert_with(|| name.clone());
                expressions.definitions.push((name, *id));
            }
        }
        let uses = expressions.count_uses(network);
        expressions.name_large(&uses, &mut taken);
        // Operands have smaller numbers; the sort is stable, so a second name of an expression follows the first.
        expressions.definitions.sort_by_key(|(_, id)| *id);
        expressions
    }

    /// The number of uses of each expression.
    fn count_uses(&self, network: &Network) -> Vec<u32> {
        let mut uses = vec![0u32; self.data.expressions.len()];
        let mut open: Vec<ExpressionId> = self.definitions.iter().map(|(_, id)| *id).collect();
        for command in network.modes.iter().flat_map(|mode| &mode.rules).filter_map(|rule| rule.command.as_ref()) {
            open.extend(command.guard);
            Statement::visit(&command.statements, &mut |statement| open.extend(statement.expressions()));
        }
        open.extend(
            network
                .obstacles
                .iter()
                .flat_map(|obstacle| &obstacle.ways)
                .filter_map(|alternative| alternative.condition),
        );
        while let Some(id) = open.pop() {
            uses[id.index()] += 1;
            if uses[id.index()] == 1 {
                open.extend(self.data.expressions.get(id).operands().into_iter().flatten());
            }
        }
        uses
    }

    fn name_large(&mut self, uses: &[u32], taken: &mut HashSet<String>) {
        let mut measures = vec![(0u32, 0u32); uses.len()];
        let mut next = 0;
        for id in (0..uses.len() as u32).map(ExpressionId).filter(|id| uses[id.index()] > 0) {
            let (mut size, mut depth) = (1u32, 1u32);
            for operand in self.data.expressions.get(id).operands().into_iter().flatten() {
                let inner = if self.names.contains_key(&operand) { (1, 1) } else { measures[operand.index()] };
                size = size.saturating_add(inner.0);
                depth = depth.max(inner.1 + 1);
            }
            measures[id.index()] = (size, depth);
            let needs_name = uses[id.index()] > 1 && size > MAX_INLINE || depth > MAX_WRITTEN_DEPTH;
            if needs_name && !self.names.contains_key(&id) {
                let mut fresh = || {
                    next += 1;
                    format!("e{next}")
                };
                let mut name = fresh();
                while !taken.insert(name.clone()) {
                    name = fresh();
                }
                self.names.insert(id, name.clone());
                self.definitions.push((name, id));
            }
        }
    }

    /// Names with the text of their definitions.
    pub fn definitions(&self) -> impl Iterator<Item = (&str, String)> {
        self.definitions.iter().map(|(name, id)| {
            let is_first = self.names.get(id) == Some(name);
            let text = if is_first { self.written_out(*id, Level::Anything) } else { self.text(*id, Level::Anything) };
            (name.as_str(), text)
        })
    }

    /// The text of an expression, or its name, as an operand of an operator of a level.
    pub fn text(&self, id: ExpressionId, around: Level) -> String {
        match self.names.get(&id) {
            Some(name) => name.clone(),
            None => self.written_out(id, around),
        }
    }

    fn written_out(&self, id: ExpressionId, around: Level) -> String {
        let expression = self.data.expressions.get(id);
        let text = self.plain(expression);
        if level(expression) < around { format!("({text})") } else { text }
    }

    fn plain(&self, expression: Expression) -> String {
        let variable = |id: model::data::VariableId| &self.variables[id.index()];
        match expression {
            Expression::Integer(value) => value.to_string(),
            Expression::Boolean(value) => value.to_string(),
            Expression::Variable(id) => variable(id).clone(),
            Expression::Element(id, index) => format!("{}[{}]", variable(id), self.text(index, Level::Anything)),
            Expression::Length(id) => format!("#{}", variable(id)),
            Expression::Front(id, field) => match &self.data.variable(id).kind {
                Kind::Queue { message, .. } if message.len() == 1 => format!("head({})", variable(id)),
                _ => format!("head({}).{field}", variable(id)),
            },
            Expression::Unary(UnaryOperator::Negate, operand) => self.negated(operand),
            Expression::Unary(operator, operand) => {
                let (text, level) = operators::prefix(operator);
                format!("{text} {}", self.text(operand, level))
            }
            Expression::Binary(operator, left, right) => {
                let &Binary { text, level, .. } = operators::written(operator);
                let left_level = if level == Level::Compare { level.tighter() } else { level };
                format!("{} {text} {}", self.text(left, left_level), self.text(right, level.tighter()))
            }
            Expression::If(condition, then, otherwise) => {
                let [condition, then, otherwise] =
                    [condition, then, otherwise].map(|part| self.text(part, Level::Anything));
                format!("if {condition} then {then} else {otherwise}")
            }
        }
    }

    /// A negation that differs from a negative literal such as `-5`.
    fn negated(&self, operand: ExpressionId) -> String {
        let text = self.text(operand, Level::Name);
        if text.starts_with(|c: char| c.is_ascii_digit()) { format!("-({text})") } else { format!("-{text}") }
    }
}

fn level(expression: Expression) -> Level {
    match expression {
        Expression::If(..) => Level::Anything,
        Expression::Unary(operator, _) => operators::prefix(operator).1,
        Expression::Integer(value) if value < 0 => Level::Sign,
        Expression::Binary(operator, ..) => operators::written(operator).level,
        _ => Level::Name,
    }
}
