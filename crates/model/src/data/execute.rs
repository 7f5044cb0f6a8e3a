//! Execution of statements in any domain.

use super::domain::{AbstractDomain, Decision, Place, Row, check_index};
use super::{ErrorKind, ExpressionId, Statement, VariableId};

/// Statements that remain to be executed. A clone resumes from the same point.
#[derive(Clone, Debug)]
pub struct Execution<'s> {
    /// The remaining blocks, outermost first.
    open: Vec<Block<'s>>,
}

/// The remaining statements of a block.
#[derive(Clone, Copy, Debug)]
struct Block<'s> {
    statements: &'s [Statement],
    /// The number of iterations with unknown condition of the loop at the head of `statements`.
    n_unknown: usize,
}

impl<'s> Execution<'s> {
    /// An execution of all of `statements`.
    pub fn new(statements: &'s [Statement]) -> Execution<'s> {
        Execution { open: vec![Block { statements, n_unknown: 0 }] }
    }

    /// Executes everything.
    ///
    /// # Errors
    /// When the computation ends.
    pub fn run<'d, D: AbstractDomain<'d>>(&mut self, domain: &mut D) -> Result<(), D::Stop> {
        while !domain.is_over() && self.step(domain)? {}
        Ok(())
    }

    /// Executes one statement, or one decision of a compound statement; `false` at the end. If the computation ends,
    /// the state is unchanged.
    ///
    /// # Errors
    /// When the computation ends.
    pub fn step<'d, D: AbstractDomain<'d>>(&mut self, domain: &mut D) -> Result<bool, D::Stop> {
        while self.open.pop_if(|block| block.statements.is_empty()).is_some() {}
        let Some(block) = self.open.last_mut() else { return Ok(false) };
        let (statement, rest) = block.statements.split_first().expect("it is not empty");
        let after = Block { statements: rest, n_unknown: 0 };
        match statement {
            Statement::If { condition, then, otherwise } => {
                match condition_of(domain, *condition)?.1 {
                    Decision::Known(is_true) => {
                        *block = after;
                        self.open.push(Block { statements: if is_true { then } else { otherwise }, n_unknown: 0 });
                    }
                    Decision::Unknown(unknown) => {
                        run_either(domain, unknown, *condition, [then, otherwise])?;
                        *block = after;
                    }
                };
            }
            Statement::While { condition, body, origin } => {
                let (truth, decision) = condition_of(domain, *condition)?;
                let is_unknown = matches!(decision, Decision::Unknown(_));
                let n_unknown = block.n_unknown + usize::from(is_unknown);
                domain.locate(*origin);
                if matches!(decision, Decision::Known(false)) || !domain.begin_round(&truth, n_unknown)? {
                    *block = after;
                    return Ok(true);
                }
                block.n_unknown = n_unknown;
                match decision {
                    Decision::Known(_) => self.open.push(Block { statements: body, n_unknown: 0 }),
                    Decision::Unknown(unknown) => run_either(domain, unknown, *condition, [body, &[]])?,
                }
            }
            simple => {
                execute(domain, simple)?;
                *block = after;
            }
        }
        Ok(true)
    }
}

type Condition<'d, D> = (<D as super::Arithmetic>::Truth, Decision<bool, <D as AbstractDomain<'d>>::Unknown>);

fn condition_of<'d, D: AbstractDomain<'d>>(domain: &mut D, id: ExpressionId) -> Result<Condition<'d, D>, D::Stop> {
    let value = domain.expression(id)?;
    let truth = domain.truth(&value);
    let decision = domain.decide(&truth)?;
    Ok((truth, decision))
}

fn run_either<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    unknown: D::Unknown,
    condition: ExpressionId,
    [then, otherwise]: [&[Statement]; 2],
) -> Result<(), D::Stop> {
    domain.branch(unknown, condition, &mut |domain, is_true| {
        Execution::new(if is_true { then } else { otherwise }).run(domain)
    })
}

/// Executes a simple statement.
fn execute<'d, D: AbstractDomain<'d>>(domain: &mut D, statement: &Statement) -> Result<(), D::Stop> {
    match statement {
        Statement::Assign { variable, value, origin } => {
            let value = domain.expression(*value)?;
            domain.locate(*origin);
            let place = Place::first(*variable);
            let value = check_bounds(domain, place, value)?;
            domain.write(place, value);
        }
        Statement::AssignElement { array, index, value, origin } => {
            let (index, value) = (domain.expression(*index)?, domain.expression(*value)?);
            domain.locate(*origin);
            let row = Row::elements(domain.data(), *array);
            check_index(domain, row, &index)?;
            if row.length > 0 {
                let value = check_bounds(domain, Place::first(*array), value)?;
                write(domain, row, &index, value)?;
            }
        }
        Statement::Enqueue { queue, message, origin } => {
            let values: Vec<D::Number> =
                message.iter().map(|&field| domain.expression(field)).collect::<Result<_, _>>()?;
            domain.locate(*origin);
            enqueue(domain, *queue, values)?;
        }
        Statement::Dequeue { queue, origin } => {
            domain.locate(*origin);
            dequeue(domain, *queue)?;
        }
        Statement::If { .. } | Statement::While { .. } => unreachable!("it is made of others"),
    }
    Ok(())
}

/// Checks that a value is within the bounds of a cell.
fn check_bounds<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    place: Place,
    value: D::Number,
) -> Result<D::Number, D::Stop> {
    let (low, high) = domain.bounds(place);
    let is_outside = domain.is_outside(&value, low, high)?;
    domain.fault_if(&is_outside, ErrorKind::Range { variable: place.variable, value: &value })?;
    Ok(domain.clamp(value, low, high))
}

fn write<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    row: Row,
    index: &D::Number,
    value: D::Number,
) -> Result<(), D::Stop> {
    match domain.exact(index)? {
        Decision::Known(index) => {
            if let Some(place) = row.place(index) {
                domain.write(place, value);
            }
            Ok(())
        }
        Decision::Unknown(inexact) => domain.write_any(inexact, row, index, value),
    }
}

fn enqueue<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    queue: VariableId,
    values: Vec<D::Number>,
) -> Result<(), D::Stop> {
    let (n_fields, capacity) = domain.data().shape(queue);
    let length = domain.read(Place::first(queue))?;
    domain.fault_if_equal(&length, capacity as i64, ErrorKind::FullQueue(queue))?;
    if capacity == 0 {
        return Ok(());
    }
    let mut checked = Vec::with_capacity(values.len());
    for (field, value) in values.into_iter().enumerate() {
        checked.push(check_bounds(domain, Place { variable: queue, offset: 1 + field }, value)?);
    }
    let longer = changed_length(domain, &length, 1, capacity)?;
    for (field, value) in checked.into_iter().enumerate() {
        let row = Row { variable: queue, first: 1 + field, stride: n_fields, length: capacity };
        write(domain, row, &length, value)?;
    }
    domain.write(Place::first(queue), longer);
    Ok(())
}

/// Removes the first message: the others are shifted, and the freed cells are reset to their least values.
fn dequeue<'d, D: AbstractDomain<'d>>(domain: &mut D, queue: VariableId) -> Result<(), D::Stop> {
    let data = domain.data();
    let (n_fields, capacity) = data.shape(queue);
    let length = domain.read(Place::first(queue))?;
    domain.fault_if_equal(&length, 0, ErrorKind::EmptyQueue(queue))?;
    if capacity == 0 || domain.is_over() {
        return Ok(());
    }
    // Cells behind the last message hold their least values already.
    let n_messages = match domain.exact(&length)? {
        Decision::Known(length) => length.clamp(1, capacity as i64) as usize,
        Decision::Unknown(_) => capacity,
    };
    let n_left = n_messages - 1;
    let shorter = changed_length(domain, &length, -1, capacity)?;
    for offset in 1..1 + n_left * n_fields {
        let next = domain.read(Place { variable: queue, offset: offset + n_fields })?;
        domain.write(Place { variable: queue, offset }, next);
    }
    for offset in 1 + n_left * n_fields..1 + (n_left + 1) * n_fields {
        let least = domain.number(data.cell_domain(queue, offset).least());
        domain.write(Place { variable: queue, offset }, least);
    }
    domain.write(Place::first(queue), shorter);
    Ok(())
}

/// The length of a queue after an enqueue or dequeue that was checked to be possible.
fn changed_length<'d, D: AbstractDomain<'d>>(
    domain: &mut D,
    length: &D::Number,
    by: i64,
    capacity: usize,
) -> Result<D::Number, D::Stop> {
    let by = domain.number(by);
    let wide = domain.plus(length, &by)?;
    let narrow = domain.narrow(wide)?;
    Ok(domain.clamp(narrow, 0, capacity as i64))
}
