//! Variables and their initial values.

use super::{MAX_CELLS, NetworkLowering, errors};
use crate::NameKind;
use crate::syntax::{DomainSyntax, InitialSyntax, KindSyntax, Number, Value, ValueKind, VariableSyntax};
use limits::input::networks::MAX_VALUES;
use model::data::{Domain, Kind, Variable, VariableId};
use source::Span;

impl NetworkLowering<'_, '_> {
    pub(super) fn variables(&mut self) {
        let syntax = self.syntax;
        for variable in &syntax.variables {
            let kind = self.kind(variable);
            self.declare(NameKind::Variable, variable.name, variable.span, |lowering| &mut lowering.values);
            let name = self.lowering.symbols.shared(variable.name.symbol);
            let id = self.network.data.add_variable(Variable { name, kind, lifetime: variable.lifetime });
            self.meanings.push(super::expressions::Meaning::Variable(id));
            self.initial(id, variable);
        }
    }

    /// The kind of a variable; a scalar if it is too large.
    fn kind(&mut self, variable: &VariableSyntax) -> Kind {
        let kind = match &variable.kind {
            KindSyntax::Scalar(domain) => Kind::Scalar(self.domain(*domain)),
            KindSyntax::Array { length, element } => {
                let element = self.domain(*element);
                Kind::Array { element, length: self.size(*length) }
            }
            KindSyntax::Queue { capacity, message } => {
                let message = message.iter().map(|&field| self.domain(field)).collect();
                Kind::Queue { message, capacity: self.size(*capacity) }
            }
        };
        let n_cells = match &kind {
            Kind::Scalar(_) => 1,
            Kind::Array { length, .. } => u64::from(*length),
            Kind::Queue { message, capacity } => 1 + message.len() as u64 * u64::from(*capacity),
        };
        if self.lowering.n_cells + n_cells > MAX_CELLS {
            self.report(errors::too_many_cells(MAX_CELLS, variable.span));
            return Kind::Scalar(Domain::Boolean);
        }
        self.lowering.n_cells += n_cells;
        kind
    }

    fn size(&mut self, size: Number) -> u32 {
        u32::try_from(size.value).unwrap_or_else(|_| {
            self.report(errors::bad_size(size.value, size.span));
            0
        })
    }

    fn domain(&mut self, domain: DomainSyntax) -> Domain {
        let DomainSyntax::Range { low, high, span } = domain else { return Domain::Boolean };
        let domain = Domain::Integers { low, high };
        if low > high {
            self.report(errors::empty_range(low, high, span));
        } else if domain.n_values().is_none_or(|n_values| n_values > MAX_VALUES) {
            self.report(errors::large_range(span));
        } else {
            return domain;
        }
        Domain::Integers { low: 0, high: 0 }
    }

    /// Adds the initial cells of the last declared variable.
    fn initial(&mut self, id: VariableId, variable: &VariableSyntax) {
        let kind = self.network.data.variable(id).kind.clone();
        let first = self.network.initial.data.len();
        self.network.initial.data.extend(kind.cell_domains().map(Domain::least));
        let Some(initial) = &variable.initial else { return };
        match (&kind, initial) {
            (Kind::Scalar(domain), InitialSyntax::One(value)) => self.set(first, *domain, *value),
            (Kind::Array { element, length }, InitialSyntax::One(value)) => {
                (0..*length as usize).for_each(|cell| self.set(first + cell, *element, *value));
            }
            (Kind::Array { element, length }, InitialSyntax::Elements(values, span)) => {
                if values.len() != *length as usize {
                    return self.report(errors::wrong_length(values.len(), *length, *span));
                }
                values.iter().enumerate().for_each(|(cell, value)| self.set(first + cell, *element, *value));
            }
            (Kind::Queue { message, capacity }, InitialSyntax::Messages(messages, span)) => {
                if messages.len() > *capacity as usize {
                    return self.report(errors::queue_overfull(messages.len(), *capacity, *span));
                }
                self.fill(first, message, messages);
            }
            (_, initial) => self.report(errors::wrong_initial(&kind, span_of(initial))),
        }
    }

    fn fill(&mut self, first: usize, domains: &[Domain], messages: &[(Vec<Value>, Span)]) {
        if let Some((fields, span)) = messages.iter().find(|(fields, _)| fields.len() != domains.len()) {
            return self.report(errors::message_arity(fields.len(), domains.len(), *span, None));
        }
        self.network.initial.data[first] = messages.len() as i64;
        let cells = messages.iter().flat_map(|(fields, _)| fields.iter().zip(domains));
        for (cell, (value, domain)) in (first + 1..).zip(cells) {
            self.set(cell, *domain, *value);
        }
    }

    fn set(&mut self, cell: usize, domain: Domain, value: Value) {
        let number = match (domain, value.kind) {
            (Domain::Boolean, ValueKind::Boolean(value)) => i64::from(value),
            (Domain::Integers { .. }, ValueKind::Integer(value)) => value,
            _ => return self.report(errors::wrong_value(domain, value.span)),
        };
        if !domain.contains(number) {
            return self.report(errors::initial_out_of_range(number, domain, value.span));
        }
        self.network.initial.data[cell] = number;
    }
}

fn span_of(initial: &InitialSyntax) -> Span {
    match initial {
        InitialSyntax::One(value) => value.span,
        InitialSyntax::Elements(_, span) | InitialSyntax::Messages(_, span) => *span,
    }
}
