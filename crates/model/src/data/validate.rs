//! Well-formedness of variables, expressions and commands.
//!
//! Engines and the evaluator rely on it without further checks. It assumes nothing of its input, and takes linear time.

use super::{
    BinaryOperator, Command, Data, Domain, Expression, ExpressionId, Kind, Lifetime, Sort, Statement, VariableId,
};
pub use limits::input::networks::{MAX_DATA_DEPTH, MAX_SIZE, MAX_VALUES};

/// A defect of variables or expressions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DataProblem {
    /// A defect of a variable.
    Variable(VariableId, VariableProblem),
    /// A defect of a single expression.
    Expression(ExpressionId, ExpressionProblem),
}

/// A defect of a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum VariableProblem {
    /// An empty domain.
    EmptyDomain,
    /// A domain of more than [`MAX_VALUES`] values in a variable that is part of the state.
    TooManyValues,
    /// The number of cells, up to and including its own, exceeds 32 bits.
    TooManyCells,
}

/// A defect of an expression.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpressionProblem {
    /// A variable that does not exist.
    UnknownVariable(VariableId),
    /// A scalar, array or queue is used as another kind of variable.
    WrongKind(VariableId),
    /// A field that the messages of this queue do not have.
    UnknownField(VariableId, u32),
    /// An operand of another sort.
    WrongSort {
        /// The operand.
        operand: ExpressionId,
        /// The expected sort.
        expected: Sort,
    },
    /// Nested deeper than [`MAX_DATA_DEPTH`].
    TooDeep,
    /// More than [`MAX_SIZE`] nodes as a tree.
    TooLarge,
}

/// A defect of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CommandProblem {
    /// An expression that does not exist.
    MissingExpression(ExpressionId),
    /// A guard, condition, index or value of another sort.
    WrongSort {
        /// The expression.
        expression: ExpressionId,
        /// The expected sort.
        expected: Sort,
    },
    /// A variable that does not exist.
    UnknownVariable(VariableId),
    /// A scalar, array or queue is used as another kind of variable.
    WrongKind(VariableId),
    /// A message with too many or too few fields for its queue.
    WrongArity {
        /// The queue.
        queue: VariableId,
        /// The number of fields of the message.
        n_fields: usize,
    },
    /// Statements are nested deeper than [`MAX_DATA_DEPTH`].
    TooDeep,
}

/// The sorts of expressions; `None` for those with a defect, or with a defective subexpression.
pub(crate) struct Sorts<'a> {
    data: &'a Data,
    of: Vec<Option<Sort>>,
}

impl Data {
    /// All defects of the variables and expressions.
    pub fn validate(&self) -> Vec<DataProblem> {
        self.validate_with_sorts().1
    }

    pub(crate) fn validate_with_sorts(&self) -> (Sorts<'_>, Vec<DataProblem>) {
        let mut problems: Vec<DataProblem> = Vec::new();
        let mut n_cells: u64 = 0;
        for (id, variable) in self.variables() {
            let before = n_cells;
            n_cells = n_cells.saturating_add(variable.kind.n_cells());
            let crosses = before <= u64::from(u32::MAX) && n_cells > u64::from(u32::MAX);
            let own = problem_of(&variable.kind, variable.lifetime);
            let too_many = crosses.then_some(VariableProblem::TooManyCells);
            problems.extend(own.into_iter().chain(too_many).map(|problem| DataProblem::Variable(id, problem)));
        }
        let sorts = Sorts::new(self, &mut |id, problem| problems.push(DataProblem::Expression(id, problem)));
        (sorts, problems)
    }
}

fn problem_of(kind: &Kind, lifetime: Lifetime) -> Option<VariableProblem> {
    let domains = match kind {
        Kind::Scalar(domain) | Kind::Array { element: domain, .. } => std::slice::from_ref(domain),
        Kind::Queue { message, .. } => message,
    };
    let is_empty = |domain: &Domain| domain.least() > domain.greatest();
    let is_wide = |domain: &Domain| domain.n_values().is_none_or(|n_values| n_values > MAX_VALUES);
    if domains.iter().any(is_empty) {
        Some(VariableProblem::EmptyDomain)
    } else if lifetime == Lifetime::Run && domains.iter().any(is_wide) {
        Some(VariableProblem::TooManyValues)
    } else {
        None
    }
}

/// The extent of an expression as a tree.
#[derive(Clone, Copy)]
struct Extent {
    depth: u32,
    size: u64,
}

impl<'a> Sorts<'a> {
    fn new(data: &'a Data, report: &mut dyn FnMut(ExpressionId, ExpressionProblem)) -> Sorts<'a> {
        let mut sorts = Sorts { data, of: Vec::with_capacity(data.expressions.len()) };
        let mut extents: Vec<Extent> = Vec::with_capacity(data.expressions.len());
        for id in (0..data.expressions.len() as u32).map(ExpressionId) {
            let expression = data.expressions.get(id);
            let found = sorts.sort_of(expression);
            let extent = extent(expression, &extents);
            // An expression that contains one over the limit is not reported again.
            let is_made_of = |problem: &dyn Fn(&Extent) -> bool| {
                expression.operands().into_iter().flatten().any(|operand| problem(&extents[operand.index()]))
            };
            if extent.depth > MAX_DATA_DEPTH && !is_made_of(&|operand| operand.depth > MAX_DATA_DEPTH) {
                report(id, ExpressionProblem::TooDeep);
            }
            if extent.size > u64::from(MAX_SIZE) && !is_made_of(&|operand| operand.size > u64::from(MAX_SIZE)) {
                report(id, ExpressionProblem::TooLarge);
            }
            extents.push(extent);
            sorts.of.push(found.unwrap_or_else(|problem| {
                report(id, problem);
                None
            }));
        }
        sorts
    }

    /// The sort of an expression from those of its operands; `None` if an operand is defective.
    fn sort_of(&self, expression: Expression) -> Result<Option<Sort>, ExpressionProblem> {
        let kind = |id: VariableId| match self.data.get_variable(id) {
            Some(variable) => Ok(&variable.kind),
            None => Err(ExpressionProblem::UnknownVariable(id)),
        };
        match expression {
            Expression::Integer(_) => Ok(Some(Sort::Integer)),
            Expression::Boolean(_) => Ok(Some(Sort::Boolean)),
            Expression::Variable(id) => match kind(id)? {
                Kind::Scalar(domain) => Ok(Some(domain.sort())),
                _ => Err(ExpressionProblem::WrongKind(id)),
            },
            Expression::Element(id, index) => {
                let Kind::Array { element, .. } = kind(id)? else { return Err(ExpressionProblem::WrongKind(id)) };
                self.expect(index, Sort::Integer)?;
                Ok(Some(element.sort()))
            }
            Expression::Length(id) => match kind(id)? {
                Kind::Queue { .. } => Ok(Some(Sort::Integer)),
                _ => Err(ExpressionProblem::WrongKind(id)),
            },
            Expression::Front(id, field) => {
                let Kind::Queue { message, .. } = kind(id)? else { return Err(ExpressionProblem::WrongKind(id)) };
                match message.get(field as usize) {
                    Some(domain) => Ok(Some(domain.sort())),
                    None => Err(ExpressionProblem::UnknownField(id, field)),
                }
            }
            Expression::Unary(operator, operand) => {
                self.expect(operand, operator.sort())?;
                Ok(Some(operator.sort()))
            }
            Expression::Binary(operator, left, right) => self.sort_of_binary(operator, left, right),
            Expression::If(condition, then, otherwise) => {
                self.expect(condition, Sort::Boolean)?;
                self.expect_same(then, otherwise)
            }
        }
    }

    fn sort_of_binary(
        &self,
        operator: BinaryOperator,
        left: ExpressionId,
        right: ExpressionId,
    ) -> Result<Option<Sort>, ExpressionProblem> {
        match operator.operand_sort() {
            Some(sort) => {
                self.expect(left, sort)?;
                self.expect(right, sort)?;
            }
            None => _ = self.expect_same(left, right)?,
        }
        Ok(Some(operator.sort()))
    }

    fn expect(&self, operand: ExpressionId, expected: Sort) -> Result<(), ExpressionProblem> {
        let is_wrong = self.of[operand.index()].is_some_and(|sort| sort != expected);
        if is_wrong { Err(ExpressionProblem::WrongSort { operand, expected }) } else { Ok(()) }
    }

    fn expect_same(&self, one: ExpressionId, other: ExpressionId) -> Result<Option<Sort>, ExpressionProblem> {
        let sort = self.of[one.index()];
        sort.map_or(Ok(()), |sort| self.expect(other, sort))?;
        Ok(sort.or(self.of[other.index()]))
    }

    /// Reports the defects of a condition.
    pub(crate) fn check_condition(&self, condition: ExpressionId, report: &mut dyn FnMut(CommandProblem)) {
        self.check_use(condition, Sort::Boolean, report);
    }

    /// Reports all defects of a command.
    pub(crate) fn check_command(&self, command: &Command, report: &mut dyn FnMut(CommandProblem)) {
        if let Some(guard) = command.guard {
            self.check_use(guard, Sort::Boolean, report);
        }
        let mut open: Vec<(u32, &[Statement])> = vec![(1, &command.statements)];
        let mut is_too_deep = false;
        while let Some((depth, statements)) = open.pop() {
            if depth > MAX_DATA_DEPTH {
                is_too_deep |= !statements.is_empty();
                continue;
            }
            for statement in statements {
                match statement {
                    Statement::If { condition, then, otherwise } => {
                        self.check_use(*condition, Sort::Boolean, report);
                        open.extend([(depth + 1, &then[..]), (depth + 1, &otherwise[..])]);
                    }
                    Statement::While { condition, body, .. } => {
                        self.check_use(*condition, Sort::Boolean, report);
                        open.push((depth + 1, body));
                    }
                    simple => self.check_simple(simple, report),
                }
            }
        }
        if is_too_deep {
            report(CommandProblem::TooDeep);
        }
    }

    fn check_simple(&self, statement: &Statement, report: &mut dyn FnMut(CommandProblem)) {
        let (Statement::Assign { variable: id, .. }
        | Statement::AssignElement { array: id, .. }
        | Statement::Enqueue { queue: id, .. }
        | Statement::Dequeue { queue: id, .. }) = statement
        else {
            return;
        };
        let Some(variable) = self.data.get_variable(*id) else { return report(CommandProblem::UnknownVariable(*id)) };
        match (statement, &variable.kind) {
            (Statement::Assign { value, .. }, Kind::Scalar(domain)) => self.check_use(*value, domain.sort(), report),
            (Statement::AssignElement { index, value, .. }, Kind::Array { element, .. }) => {
                self.check_use(*index, Sort::Integer, report);
                self.check_use(*value, element.sort(), report);
            }
            (Statement::Enqueue { queue, message, .. }, Kind::Queue { message: fields, .. }) => {
                if message.len() != fields.len() {
                    report(CommandProblem::WrongArity { queue: *queue, n_fields: message.len() });
                }
                message.iter().zip(fields).for_each(|(&value, field)| self.check_use(value, field.sort(), report));
            }
            (Statement::Dequeue { .. }, Kind::Queue { .. }) => {}
            _ => report(CommandProblem::WrongKind(*id)),
        }
    }

    fn check_use(&self, expression: ExpressionId, expected: Sort, report: &mut dyn FnMut(CommandProblem)) {
        match self.of.get(expression.index()) {
            None => report(CommandProblem::MissingExpression(expression)),
            Some(Some(sort)) if *sort != expected => report(CommandProblem::WrongSort { expression, expected }),
            Some(_) => {}
        }
    }
}

fn extent(expression: Expression, extents: &[Extent]) -> Extent {
    let operands = || expression.operands().into_iter().flatten().map(|operand| extents[operand.index()]);
    Extent {
        depth: operands().map(|operand| operand.depth).max().unwrap_or(0).saturating_add(1),
        size: operands().fold(1, |size: u64, operand| size.saturating_add(operand.size)),
    }
}
