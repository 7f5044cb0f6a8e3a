//! Symbolic moves of outputs and inputs.

use super::moves::{Condition, Effect, Found, Move, Sort, Symbolic, fault, program, step};
use super::residual::residual;
use super::{Limit, NotLowered};
use crate::code::{AttachedCode, ChannelRef, ExprId, Pattern, Slot, TermId};
use crate::run::{is_plain, substitute};
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::MAX_MESSAGES;
use lts::Label;
use smallvec::SmallVec;

/// The messages of a channel, in order of discovery.
#[derive(Clone, Debug, Default)]
pub(super) struct Messages {
    pub(super) all: Vec<SmallVec<[i32; 4]>>,
    /// The label of the synchronous communication of each.
    pub(super) labels: Vec<Label>,
    numbers: HashMap<SmallVec<[i32; 4]>, u32>,
}

impl Symbolic<'_> {
    /// The possible members of an array of channels, each with the conditions under which the index selects it.
    fn channels(
        &self,
        id: TermId,
        channel: ChannelRef,
        found: &mut Found,
    ) -> Result<Vec<(Vec<Condition>, u32)>, NotLowered> {
        let Some(index) = channel.index else { return Ok(vec![(Vec::new(), 0)]) };
        let count = self.code().channels[channel.channel as usize].count.unwrap_or(1);
        let mut members = Vec::new();
        for (conditions, values) in self.split(&[index])? {
            match u32::try_from(values[0]) {
                Ok(value) if value < count => members.push((conditions, value)),
                _ => found.push(fault([&conditions[..], &[Condition::Wrong]].concat(), id)),
            }
        }
        Ok(members)
    }

    fn message(&mut self, channel: u32, index: u32, values: &SmallVec<[i32; 4]>) -> Result<u32, NotLowered> {
        if !is_plain(values) {
            return Err(NotLowered::Operator);
        }
        let number = self.channel_number(channel, index);
        let label = self.system.channel_label(channel, index, '.', values);
        let messages = &mut self.messages[number as usize];
        if let Some(&known) = messages.numbers.get(values) {
            return Ok(known);
        }
        if messages.all.len() >= MAX_MESSAGES {
            return Err(NotLowered::Large(Limit::Values));
        }
        let next = messages.all.len() as u32;
        messages.all.push(values.clone());
        messages.labels.push(label);
        messages.numbers.insert(values.clone(), next);
        self.has_grown = true;
        Ok(next)
    }

    pub(super) fn send(
        &mut self,
        id: TermId,
        to: ChannelRef,
        values: &[ExprId],
        code: Option<&AttachedCode>,
        next: TermId,
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let declared = &self.code().channels[to.channel as usize];
        let (capacity, first_buffer) = (declared.capacity, declared.buffer);
        for (place, index) in self.channels(id, to, found)? {
            for (conditions, values) in self.split(values)? {
                let mut conditions = [&place[..], &conditions].concat();
                let channel = self.channel_number(to.channel, index);
                let message = self.message(to.channel, index, &values)?;
                if capacity == 0 {
                    // The sender's program is executed before the existence of a receiver is checked.
                    if let Some(code) = code
                        && self.program_may_fail(code)?
                    {
                        return Err(NotLowered::Failing);
                    }
                    if self.conditions_may_fail(&conditions) {
                        found.push(fault([&conditions[..], &[Condition::Never]].concat(), id));
                    }
                    let offer = step(Label::TAU, Sort::Offer(channel, message), next);
                    found.push(Move { conditions, effects: program(code), ..offer });
                    continue;
                }
                let buffer = first_buffer + index;
                conditions.push(Condition::Room(buffer));
                let mut effects = vec![Effect::Put(buffer, message)];
                effects.extend(program(code));
                let label = self.system.channel_label(to.channel, index, '!', &values);
                found.push(Move { conditions, effects, ..step(label, Sort::Own, next) });
            }
        }
        Ok(())
    }

    fn program_may_fail(&mut self, code: &AttachedCode) -> Result<bool, NotLowered> {
        let statements = residual(self.system.code_mut(), code.program, &code.arguments)?;
        let mut ranges = self.ranges();
        ranges.run(&statements, &mut |_, _| {});
        Ok(ranges.may_fail)
    }

    #[allow(clippy::type_complexity)] // The parts of the term.
    pub(super) fn receive(
        &mut self,
        id: TermId,
        parts: (ChannelRef, Option<ExprId>, &[Pattern], Option<&AttachedCode>, TermId),
        found: &mut Found,
    ) -> Result<(), NotLowered> {
        let (from, guard, patterns, code, next) = parts;
        let declared = &self.code().channels[from.channel as usize];
        let (capacity, first_buffer) = (declared.capacity, declared.buffer);
        let n_before = found.len();
        for (place, index) in self.channels(id, from, found)? {
            let channel = self.channel_number(from.channel, index);
            let buffer = first_buffer + index;
            let all = self.messages[channel as usize].all.clone();
            for (number, message) in (0..).zip(&all).filter(|(_, message)| message.len() == patterns.len()) {
                let mut conditions = place.clone();
                if capacity > 0 {
                    conditions.push(Condition::First(buffer, number));
                }
                let Some(environment) = self.bind(patterns, message, &mut conditions) else {
                    if self.conditions_may_fail(&conditions) {
                        conditions.push(Condition::Never);
                        found.push(fault(conditions, id));
                    }
                    continue;
                };
                if let Some(guard) = guard {
                    let guard = substitute::expression(self.system.code_mut(), guard, &environment);
                    conditions.push(Condition::True(guard));
                }
                let code = code.map(|attached| self.attached(attached, &environment));
                let change = self.system.with_inputs(next, &environment);
                let mut effects = if capacity > 0 { vec![Effect::Take(buffer)] } else { Vec::new() };
                effects.extend(program(code.as_ref()));
                let (label, sort) = match capacity {
                    0 => (Label::TAU, Sort::Input(channel, number)),
                    _ => (self.system.channel_label(from.channel, index, '?', message), Sort::Own),
                };
                found.push(Move { conditions, effects, ..step(label, sort, change) });
            }
        }
        // A receiver evaluates nothing before a message is available.
        let is_wrong = |next: &Move<TermId>| next.sort == Sort::Fault || self.conditions_may_fail(&next.conditions);
        if capacity == 0 && found[n_before..].iter().any(is_wrong) {
            return Err(NotLowered::Failing);
        }
        Ok(())
    }

    fn attached(&mut self, attached: &AttachedCode, environment: &[(Slot, ExprId)]) -> AttachedCode {
        let code = self.system.code_mut();
        let arguments = attached.arguments.iter();
        let arguments = arguments.map(|&argument| substitute::expression(code, argument, environment)).collect();
        AttachedCode { program: attached.program, arguments }
    }

    /// The bindings of a pattern by a message; `None` if it does not match.
    #[allow(clippy::type_complexity)] // It is a list of pairs.
    fn bind(
        &mut self,
        patterns: &[Pattern],
        message: &[i32],
        conditions: &mut Vec<Condition>,
    ) -> Option<SmallVec<[(Slot, ExprId); 4]>> {
        let mut environment: SmallVec<[(Slot, ExprId); 4]> = SmallVec::new();
        for (pattern, &value) in patterns.iter().zip(message) {
            match pattern {
                Pattern::Bind(slot) => environment.push((*slot, self.system.code_mut().exprs.int(value))),
                Pattern::Match(expr) => {
                    let expr = substitute::expression(self.system.code_mut(), *expr, &environment);
                    match self.code().exprs.value(expr) {
                        Some(known) if known != value => return None,
                        Some(_) => {}
                        None => conditions.push(Condition::Is(expr, value)),
                    }
                }
            }
        }
        Some(environment)
    }
}
