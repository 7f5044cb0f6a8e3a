//! Lowering of expressions: names, sorts and sizes.
//!
//! The nodes of an expression are consecutive, operands first, so they are lowered in a loop without recursion.

use super::{NetworkLowering, errors};
use crate::NameKind;
use crate::operators;
use crate::symbols::Ident;
use crate::syntax::{Node, NodeId, NodeKind, Number, Operator, Tree};
use limits::input::networks::{MAX_DEPTH, MAX_SIZE};
use model::data::{Expression, ExpressionId, Kind, Sort, VariableId};
use source::Span;

/// The meaning of a name in an expression.
#[derive(Clone, Copy)]
pub enum Meaning {
    Variable(VariableId),
    Expression(Lowered),
}

/// The size of an expression with all named expressions expanded.
#[derive(Clone, Copy, Default)]
pub struct Measure {
    depth: u32,
    size: u32,
}

/// A lowered node; `None` after an error, which was reported.
type Lowered = Option<(ExpressionId, Sort)>;

/// The context of an expression, which requires a sort.
#[derive(Clone, Copy)]
pub enum Needed {
    Any,
    Guard,
    Condition,
    Index,
    /// A value that is assigned to this variable.
    ValueOf(VariableId, Sort),
}

impl NetworkLowering<'_, '_> {
    /// Lowers named expressions.
    pub(super) fn definitions(&mut self) {
        let syntax = self.syntax;
        for definition in &syntax.definitions {
            // Lowered before its name is declared: it may use earlier ones only.
            let value = self.tree(definition.value);
            self.declare(NameKind::Expression, definition.name, definition.span, |lowering| &mut lowering.values);
            self.meanings.push(Meaning::Expression(value));
            if let Some((value, _)) = value {
                let name = self.lowering.symbols.shared(definition.name.symbol);
                self.origins.definitions.push((name, value));
            }
        }
    }

    /// Lowers an expression in a context that requires a sort.
    pub(super) fn expression(&mut self, tree: Tree, needed: Needed) -> Option<ExpressionId> {
        let (id, sort) = self.tree(tree)?;
        let span = self.lowering.file.expressions[tree.root as usize].span;
        self.check_needed(sort, needed, span)?;
        Some(id)
    }

    fn tree(&mut self, tree: Tree) -> Lowered {
        let file = self.lowering.file;
        let nodes = &file.expressions[tree.first as usize..=tree.root as usize];
        let mut lowered: Vec<Lowered> = Vec::with_capacity(nodes.len());
        for node in nodes {
            let operands = Operands { first: tree.first, nodes, lowered: &lowered };
            let result = self.node(node, &operands);
            lowered.push(result);
        }
        lowered.pop().flatten()
    }

    fn check_needed(&mut self, sort: Sort, needed: Needed, span: Span) -> Option<()> {
        let (wanted, reason) = match needed {
            Needed::Any => return Some(()),
            Needed::Guard => (Sort::Boolean, "behind `when`".to_owned()),
            Needed::Condition => (Sort::Boolean, "as a condition".to_owned()),
            Needed::Index => (Sort::Integer, "as an index".to_owned()),
            Needed::ValueOf(variable, sort) => {
                (sort, format!("as a value of `{}`", self.network.data.variable(variable).name))
            }
        };
        if sort != wanted {
            self.report(errors::wrong_sort(sort, wanted, &reason, span));
            return None;
        }
        Some(())
    }

    fn node(&mut self, node: &Node, operands: &Operands) -> Lowered {
        let (expression, sort) = match node.kind {
            NodeKind::Integer(value) => (Expression::Integer(value), Sort::Integer),
            NodeKind::Boolean(value) => (Expression::Boolean(value), Sort::Boolean),
            NodeKind::Name(name) => match self.meaning(name)? {
                Meaning::Expression(lowered) => return lowered,
                Meaning::Variable(id) => match self.network.data.variable(id).kind {
                    Kind::Scalar(domain) => (Expression::Variable(id), domain.sort()),
                    _ => return self.wrong_kind(id, "a single value", name.span),
                },
            },
            NodeKind::Element(name, index) => {
                let index = self.operand(operands, index, Sort::Integer, "as an index");
                let array = self.variable(name)?;
                let Kind::Array { element, .. } = self.network.data.variable(array).kind else {
                    return self.wrong_kind(array, "an array", name.span);
                };
                (Expression::Element(array, index?), element.sort())
            }
            NodeKind::Length(name) => {
                let queue = self.variable(name)?;
                let Kind::Queue { .. } = self.network.data.variable(queue).kind else {
                    return self.wrong_kind(queue, "a queue", name.span);
                };
                (Expression::Length(queue), Sort::Integer)
            }
            NodeKind::Head(name, field) => self.head(name, field, node.span)?,
            NodeKind::Unary(operator, operand) => {
                let (sort, reason) = (operator.sort(), format!("behind `{}`", operators::prefix(operator).0));
                (Expression::Unary(operator, self.operand(operands, operand, sort, &reason)?), sort)
            }
            NodeKind::Binary(operator, left, right) => self.binary(operator, operands, left, right)?,
            NodeKind::If(condition, then, otherwise) => {
                let condition = self.operand(operands, condition, Sort::Boolean, "behind `if`");
                let (then, sort) = operands.get(then)?;
                let otherwise = self.operand(operands, otherwise, sort, "behind `else`, as behind `then`");
                (Expression::If(condition?, then, otherwise?), sort)
            }
        };
        self.add(expression, node.span).map(|id| (id, sort))
    }

    fn binary(
        &mut self,
        operator: Operator,
        operands: &Operands,
        left: NodeId,
        right: NodeId,
    ) -> Option<(Expression, Sort)> {
        let (left, right) = match operator.meaning.operand_sort() {
            Some(sort) => {
                let reason = format!("beside `{}`", operator.text);
                let left = self.operand(operands, left, sort, &reason);
                let right = self.operand(operands, right, sort, &reason);
                (left?, right?)
            }
            None => {
                let (first, first_sort) = operands.get(left)?;
                let (second, second_sort) = operands.get(right)?;
                if first_sort != second_sort {
                    let (left, right) = (operands.span(left), operands.span(right));
                    self.report(errors::different_sorts(
                        operator.text,
                        operator.span,
                        (left, first_sort),
                        (right, second_sort),
                    ));
                    return None;
                }
                (first, second)
            }
        };
        let (left, right) = if operator.is_turned { (right, left) } else { (left, right) };
        Some((Expression::Binary(operator.meaning, left, right), operator.meaning.sort()))
    }

    fn head(&mut self, name: Ident, field: Option<Number>, span: Span) -> Option<(Expression, Sort)> {
        let queue = self.variable(name)?;
        let Kind::Queue { message, .. } = &self.network.data.variable(queue).kind else {
            return self.wrong_kind(queue, "a queue", name.span);
        };
        let n_fields = message.len();
        let number = match field {
            Some(field) => usize::try_from(field.value).ok().filter(|&number| number < n_fields),
            None => (n_fields == 1).then_some(0),
        };
        match number {
            Some(number) => Some((Expression::Front(queue, number as u32), message[number].sort())),
            None => {
                let place = field.map_or(span, |field| field.span);
                self.report(errors::unknown_field(self.text(name), n_fields, field.is_some(), place));
                None
            }
        }
    }

    /// An operand, which must have a sort.
    fn operand(&mut self, operands: &Operands, id: NodeId, wanted: Sort, reason: &str) -> Option<ExpressionId> {
        let (lowered, sort) = operands.get(id)?;
        if sort != wanted {
            self.report(errors::wrong_sort(sort, wanted, reason, operands.span(id)));
            return None;
        }
        Some(lowered)
    }

    fn meaning(&mut self, name: Ident) -> Option<Meaning> {
        let number = self.find(name, |lowering| &lowering.values)?;
        self.meanings.get(number).copied()
    }

    /// A variable; named expressions are refused.
    pub(super) fn variable(&mut self, name: Ident) -> Option<VariableId> {
        match self.meaning(name)? {
            Meaning::Variable(id) => Some(id),
            Meaning::Expression(_) => {
                self.report(errors::not_a_variable(self.text(name), name.span));
                None
            }
        }
    }

    pub(super) fn wrong_kind<T>(&mut self, id: VariableId, wanted: &str, span: Span) -> Option<T> {
        let variable = self.network.data.variable(id).clone();
        self.report(errors::wrong_kind(&variable, wanted, span));
        None
    }

    /// Adds an expression, unless it is too large.
    fn add(&mut self, expression: Expression, span: Span) -> Option<ExpressionId> {
        let mut measure = Measure { depth: 1, size: 1 };
        for operand in expression.operands().into_iter().flatten() {
            let inner = self.measures[operand.index()];
            measure.depth = measure.depth.max(inner.depth + 1);
            measure.size = measure.size.saturating_add(inner.size);
        }
        if measure.depth > MAX_DEPTH || measure.size > MAX_SIZE {
            self.report(errors::expression_too_large(MAX_DEPTH, MAX_SIZE, span));
            return None;
        }
        self.measures.push(measure);
        Some(self.network.data.expressions.add(expression, span))
    }
}

/// The nodes of an expression, with the results of those that are lowered.
struct Operands<'a> {
    first: NodeId,
    nodes: &'a [Node],
    lowered: &'a [Lowered],
}

impl Operands<'_> {
    fn get(&self, id: NodeId) -> Lowered {
        self.lowered[(id - self.first) as usize]
    }

    fn span(&self, id: NodeId) -> Span {
        self.nodes[(id - self.first) as usize].span
    }
}
