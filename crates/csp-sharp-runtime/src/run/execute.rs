//! Execution of programs.

use super::counts::Count;
use super::data::{content, splice};
use super::evaluate::Context;
use super::fault::{Answer, Fault, FaultKind};
use crate::code::{
    Class, Code, DynamicId, DynamicKind, ExprId, Object, Operation, Place, ProgramId, Statement, VariableId,
};
use crate::dbm::{Dbm, UnknownTimer};
use limits::input::csp_sharp::MAX_LOOP_ROUNDS;
use source::Span;

/// The state of an execution.
pub(crate) struct Run<'c> {
    pub(crate) code: &'c Code,
    pub(crate) cells: &'c mut Vec<i32>,
    counts: &'c [Count],
    locals: Vec<i32>,
    n_rounds: u32,
}

impl<'c> Run<'c> {
    /// Executes a program with its captured values.
    pub(crate) fn program(
        code: &'c Code,
        id: ProgramId,
        arguments: &[i32],
        cells: &'c mut Vec<i32>,
        counts: &'c [Count],
    ) -> Answer<()> {
        let program = &code.programs[id.0 as usize];
        let mut locals = vec![0; program.n_locals];
        for (&input, &argument) in program.inputs.iter().zip(arguments) {
            locals[input as usize] = argument;
        }
        let mut run = Run { code, cells, counts, locals, n_rounds: 0 };
        run.all(&program.statements)
    }

    fn context(&self) -> Context<'_> {
        Context { code: self.code, cells: (&*self.cells).into(), locals: &self.locals, counts: self.counts }
    }

    fn value(&self, expr: ExprId) -> Answer<i32> {
        self.context().value(expr)
    }

    fn all(&mut self, statements: &[Statement]) -> Answer<()> {
        statements.iter().try_for_each(|statement| self.one(statement))
    }

    fn one(&mut self, statement: &Statement) -> Answer<()> {
        match statement {
            Statement::Assign(place, expr, span) => {
                let value = self.value(*expr)?;
                self.assign(place, value, (&[*expr], *span))
            }
            Statement::Fill(array, exprs, span) => {
                let values: Vec<i32> = exprs.iter().map(|&expr| self.value(expr)).collect::<Answer<_>>()?;
                let offset = self.code.variables[array.0 as usize].offset;
                for (index, value) in values.into_iter().enumerate() {
                    self.store(*array, offset + index, value, (exprs, *span))?;
                }
                Ok(())
            }
            Statement::CopyArray(to, from) => {
                let (to, from) = (&self.code.variables[to.0 as usize], &self.code.variables[from.0 as usize]);
                self.cells.copy_within(from.offset..from.offset + from.n_cells(), to.offset);
                Ok(())
            }
            Statement::If(condition, then, otherwise) => {
                let branch = if self.context().is_true(*condition)? { then } else { otherwise };
                self.all(branch)
            }
            Statement::While(condition, body, span) => {
                while self.context().is_true(*condition)? {
                    self.n_rounds += 1;
                    if self.n_rounds > MAX_LOOP_ROUNDS {
                        return Err(self.context().fault(*span, FaultKind::Endless, &[*condition]));
                    }
                    self.all(body)?;
                }
                Ok(())
            }
            Statement::Evaluate(expr) => self.value(*expr).map(|_| ()),
            Statement::Change(operation, object, arguments, place, span) => {
                let arguments: Vec<i32> = arguments.iter().map(|&expr| self.value(expr)).collect::<Answer<_>>()?;
                let given = self.change(*operation, *object, &arguments, *span)?;
                match place {
                    Some(place) => self.assign(place, given, (&[], *span)),
                    None => Ok(()),
                }
            }
            Statement::Replace(object, with, span) => {
                let with = self.object(with, *span)?;
                self.replace(*object, &with);
                Ok(())
            }
            Statement::Forbidden(name, what, span) => {
                Err(Fault::new(*span, FaultKind::Assigned(name.to_string(), what)))
            }
        }
    }

    /// Assigns a value; `from` are the expressions that it was computed from.
    fn assign(&mut self, place: &Place, value: i32, from: (&[ExprId], Span)) -> Answer<()> {
        match place {
            Place::Local(local) => {
                self.locals[*local as usize] = value;
                Ok(())
            }
            Place::Variable(id) => {
                let offset = self.code.variables[id.0 as usize].offset;
                self.store(*id, offset, value, from)
            }
            Place::Element(array, indices) => {
                let cell = self.context().cell(*array, indices, from.1)?;
                self.store(*array, cell, value, from)
            }
        }
    }

    fn store(&mut self, id: VariableId, cell: usize, value: i32, (from, span): (&[ExprId], Span)) -> Answer<()> {
        let variable = &self.code.variables[id.0 as usize];
        if let Some((low, high)) = variable.range
            && (value < low || value > high)
        {
            let kind = FaultKind::Range(variable.name.to_string(), value, (low, high));
            return Err(self.context().fault(span, kind, from));
        }
        self.cells[cell] = value;
        Ok(())
    }

    /// Updates an object, and returns the removed or computed value.
    fn change(&mut self, operation: Operation, object: DynamicId, arguments: &[i32], span: Span) -> Answer<i32> {
        if self.code.dynamics[object.0 as usize].kind == DynamicKind::Object(Class::DifferenceBounds) {
            return self.change_bounds(operation, object, arguments, span);
        }
        let context = self.context();
        let elements = context.content(object);
        let length = elements.len();
        let kind = self.code.dynamics[object.0 as usize].kind;
        let is_set = kind == DynamicKind::Object(Class::Set);
        let is_table = kind == DynamicKind::Object(Class::HashTable);
        let empty = || Fault::new(span, FaultKind::Empty(context.name(object)));
        let (part, with, given): (std::ops::Range<usize>, Vec<i32>, i32) = match operation {
            Operation::Add if is_set => match elements.binary_search(&arguments[0]) {
                Ok(_) => return Ok(0),
                Err(place) => (place..place, vec![arguments[0]], 1),
            },
            Operation::Add | Operation::Push | Operation::Enqueue => (length..length, vec![arguments[0]], 1),
            Operation::Remove if is_table => match elements.chunks(2).position(|pair| pair[0] == arguments[0]) {
                Some(place) => (2 * place..2 * place + 2, Vec::new(), 1),
                None => return Ok(0),
            },
            Operation::Remove => match elements.iter().position(|element| *element == arguments[0]) {
                Some(place) => (place..place + 1, Vec::new(), 1),
                None => return Ok(0),
            },
            Operation::RemoveAt => match usize::try_from(arguments[0]) {
                Ok(place) if place < length => (place..place + 1, Vec::new(), elements[place]),
                _ => return Err(Fault::new(span, FaultKind::Index(context.name(object), arguments[0], length))),
            },
            Operation::Pop => {
                let last = *elements.last().ok_or_else(empty)?;
                (length - 1..length, Vec::new(), last)
            }
            Operation::Dequeue => {
                let first = *elements.first().ok_or_else(empty)?;
                (0..1, Vec::new(), first)
            }
            Operation::Clear => (0..length, Vec::new(), 0),
            Operation::Put => {
                let pairs: Vec<i32> = elements.chunks(2).map(|pair| pair[0]).collect();
                match pairs.binary_search(&arguments[0]) {
                    Ok(place) => (2 * place..2 * place + 2, arguments.to_vec(), 0),
                    Err(place) => (2 * place..2 * place, arguments.to_vec(), 1),
                }
            }
            _ => unreachable!("the others change difference bounds"),
        };
        splice(self.code, self.cells, object, part, &with);
        Ok(given)
    }

    /// Updates a difference bound matrix, and returns the value of a query.
    fn change_bounds(&mut self, operation: Operation, object: DynamicId, given: &[i32], span: Span) -> Answer<i32> {
        let mut bounds = Dbm::from_cells(self.context().content(object));
        let mut is_unsatisfiable = false;
        match operation {
            Operation::AddTimer => bounds.add_timer(given[0]),
            Operation::ResetTimer => bounds.reset(given[0]).map_err(|timer| self.missing(timer, object, span))?,
            Operation::Constrain => {
                let constrained = bounds.constrain(given[0], given[1], given[2]);
                constrained.map_err(|timer| self.missing(timer, object, span))?;
            }
            Operation::Delay => bounds.delay(),
            Operation::Unsatisfiable => is_unsatisfiable = bounds.is_unsatisfiable(),
            Operation::Clone => {}
            _ => unreachable!("the others change what has elements"),
        }
        self.replace(object, &bounds.to_cells());
        Ok(i32::from(is_unsatisfiable))
    }

    fn missing(&self, UnknownTimer(timer): UnknownTimer, object: DynamicId, span: Span) -> Box<Fault> {
        Fault::new(span, FaultKind::Missing(self.context().name(object), timer))
    }

    fn replace(&mut self, object: DynamicId, with: &[i32]) {
        let length = content(self.code, self.cells, object).len();
        splice(self.code, self.cells, object, 0..length, with);
    }

    fn object(&self, object: &Object, span: Span) -> Answer<Vec<i32>> {
        let context = self.context();
        Ok(match object {
            Object::Empty => Vec::new(),
            Object::Unconstrained(ceiling) => Dbm::new(context.value(*ceiling)?).to_cells(),
            Object::Timers(from, timers) => {
                let kept = Dbm::from_cells(context.content(*from)).keep(context.content(*timers));
                kept.map_err(|timer| self.missing(timer, *from, span))?.to_cells()
            }
            Object::Copy(from) => context.content(*from).to_vec(),
            Object::Union(left, right) => {
                let mut all = [context.content(*left), context.content(*right)].concat();
                all.sort_unstable();
                all.dedup();
                all
            }
            Object::Intersection(left, right) => {
                let right = context.content(*right);
                context.content(*left).iter().copied().filter(|element| right.contains(element)).collect()
            }
            Object::Difference(left, right) => {
                let right = context.content(*right);
                context.content(*left).iter().copied().filter(|element| !right.contains(element)).collect()
            }
            Object::Concatenation(left, right) => [context.content(*left), context.content(*right)].concat(),
            Object::Subset(from, bits) => {
                let bits = context.value(*bits)?;
                let elements = context.content(*from).iter().enumerate();
                elements
                    .filter(|(index, _)| *index < 31 && bits & (1 << index) != 0)
                    .map(|(_, element)| *element)
                    .collect()
            }
        })
    }
}
