//! Network variables for the variables and buffers of a script.
//!
//! The domain of a variable is its range. An array that is accessed at constant indices only becomes one variable for
//! each element, so that steps on different elements are independent. A buffer is a queue of message numbers.

use super::moves::Symbolic;
use super::range::ALL;
use crate::code::{Code, DynamicKind, VariableId as Source};
use model::data::{Data, Domain, Interval, Kind, Lifetime, Valuation, Variable, VariableId};
use std::sync::Arc;

/// The representation of a variable.
#[derive(Clone, Debug)]
pub(super) enum Home {
    Scalar(VariableId),
    /// A variable for each element.
    Cells(Vec<VariableId>),
    Array(VariableId),
}

/// The representation of all variables and buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct Homes {
    pub(super) variables: Vec<Home>,
    /// Queues, by the number of the buffer; `None` for an object.
    pub(super) buffers: Vec<Option<VariableId>>,
    /// The local variables of programs.
    pub(super) locals: Vec<VariableId>,
}

impl Homes {
    /// Declares the variables of a script, with their initial values.
    pub(super) fn new(
        symbolic: &Symbolic<'_>,
        is_indexed: &[bool],
        n_locals: usize,
        data: &mut Data,
    ) -> (Homes, Vec<i64>) {
        let code = symbolic.code();
        let mut homes = Homes::default();
        let mut initial = Vec::new();
        for (number, variable) in code.variables.iter().enumerate() {
            let domain = domain(symbolic.variables[number]);
            let mut add =
                |name: Arc<str>, kind: Kind| data.add_variable(Variable { name, kind, lifetime: Lifetime::Run });
            homes.variables.push(match variable.dims.is_empty() {
                true => Home::Scalar(add(variable.name.clone(), Kind::Scalar(domain))),
                false if is_indexed[number] => {
                    let length = variable.n_cells() as u32;
                    Home::Array(add(variable.name.clone(), Kind::Array { element: domain, length }))
                }
                false => {
                    let name = |cell: usize| format!("{}[{cell}]", variable.name).into();
                    Home::Cells((0..variable.n_cells()).map(|cell| add(name(cell), Kind::Scalar(domain))).collect())
                }
            });
            let cells = &code.initial[variable.offset..variable.offset + variable.n_cells()];
            initial.extend(cells.iter().map(|&value| i64::from(value)));
        }
        for channel in code.channels.iter().zip(0..).filter(|(channel, _)| channel.capacity > 0) {
            homes.add_buffers(symbolic, channel, data, &mut initial);
        }
        for number in 0..n_locals {
            let (name, kind) = (format!("local{number}").into(), Kind::Scalar(domain(ALL)));
            homes.locals.push(data.add_variable(Variable { name, kind, lifetime: Lifetime::Step }));
            initial.push(0);
        }
        (homes, initial)
    }

    fn add_buffers(
        &mut self,
        symbolic: &Symbolic<'_>,
        (channel, number): (&crate::code::Channel, u32),
        data: &mut Data,
        initial: &mut Vec<i64>,
    ) {
        for index in 0..channel.count.unwrap_or(1) {
            let n_messages = symbolic.messages[symbolic.channel_number(number, index) as usize].all.len() as i64;
            let message = Domain::Integers { low: 0, high: (n_messages - 1).max(0) };
            let kind = Kind::Queue { message: [message].into(), capacity: channel.capacity };
            initial.extend(std::iter::repeat_n(0, kind.n_cells() as usize));
            let buffer = (channel.buffer + index) as usize;
            let name = symbolic.code().dynamics[buffer].name.clone();
            if self.buffers.len() <= buffer {
                self.buffers.resize(buffer + 1, None);
            }
            self.buffers[buffer] = Some(data.add_variable(Variable { name, kind, lifetime: Lifetime::Run }));
        }
    }

    pub(super) fn variable(&self, id: Source) -> &Home {
        &self.variables[id.0 as usize]
    }

    pub(super) fn buffer(&self, number: u32) -> VariableId {
        self.buffers[number as usize].expect("only buffers hold messages")
    }

    /// The cells of a script for a valuation of the network, given the messages of each buffer.
    pub(super) fn cells<'m>(
        &self,
        code: &Code,
        data: &Data,
        values: &Valuation,
        message: impl Fn(usize, i64) -> &'m [i32],
    ) -> Vec<i32> {
        let value = |id: VariableId| values[data.cells(id).start] as i32;
        let mut cells = Vec::new();
        for home in &self.variables {
            match home {
                Home::Scalar(id) => cells.push(value(*id)),
                Home::Cells(all) => cells.extend(all.iter().map(|&id| value(id))),
                Home::Array(id) => cells.extend(values.range(data.cells(*id)).iter().map(|&value| value as i32)),
            }
        }
        for (number, dynamic) in code.dynamics.iter().enumerate() {
            let queue = self.buffers.get(number).copied().flatten();
            match (dynamic.kind, queue) {
                (DynamicKind::Buffer, Some(queue)) => {
                    let queue = &values.range(data.cells(queue));
                    let start = cells.len();
                    cells.extend([0, queue[0] as i32]);
                    for &kept in &queue[1..=queue[0] as usize] {
                        let fields = message(number, kept);
                        cells.push(fields.len() as i32);
                        cells.extend_from_slice(fields);
                    }
                    cells[start] = (cells.len() - start - 1) as i32;
                }
                (DynamicKind::Buffer, None) => cells.extend([1, 0]),
                (DynamicKind::Object(_), _) => cells.push(0),
            }
        }
        cells
    }
}

fn domain(range: Interval) -> Domain {
    let bound = |value: i128| i64::try_from(value).expect("variables have 32 bits");
    Domain::Integers { low: bound(range.low), high: bound(range.high) }
}
