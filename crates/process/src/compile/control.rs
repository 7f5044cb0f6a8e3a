//! Operators that stand above their operands until something happens: prefix, choices, `;`, interrupts and exceptions.
//!
//! Each rule of an operand becomes one of the whole that passes through the operator, ends it, or starts what has been
//! off so far. Termination of a choice or an interrupt ends everything.

use super::part::{Applied, End, Part, PartRule, contains};
use super::shape::Plan;
use super::{CompileError, Compiler};
use crate::{Label, TeamId, Term, TermId};
use model::{EventId, EventSet};
use std::rc::Rc;

impl Applied<'_> {
    /// A rule of one operand that leaves nothing else of the whole.
    fn decide(&self, operand: usize, rule: &PartRule) -> PartRule {
        let kept = || Rc::new(Plan::Keep(self.shapes[operand]));
        let then = match rule.shows {
            Label::TICK => Rc::new(Plan::Over),
            _ => rule.then.clone().unwrap_or_else(kept),
        };
        PartRule { then: Some(then), ..rule.clone() }
    }

    /// Silent steps pass, everything else decides.
    fn choose(&self, operand: usize, rule: &PartRule) -> PartRule {
        if rule.shows == Label::TAU { self.pass(operand, rule) } else { self.decide(operand, rule) }
    }

    /// Everything passes, save termination, which ends the whole.
    fn go_on(&self, operand: usize, rule: &PartRule) -> PartRule {
        if rule.shows == Label::TICK { self.decide(operand, rule) } else { self.pass(operand, rule) }
    }
}

impl Compiler<'_, '_> {
    /// The rules of an operator that stands for a while.
    pub(super) fn apply_passing(&mut self, applied: &Applied<'_>) -> Result<Part, CompileError> {
        let term = self.context.terms.get(applied.term).clone();
        let mut rules = Vec::new();
        match &term {
            Term::Prefix(event, next) => rules.push(self.start(event.label(), *next)),
            Term::PrefixAny(events, next) => {
                rules.extend(events.iter().map(|&event| self.start(event.label(), *next)));
            }
            Term::InternalChoice(operands) => {
                rules.extend(operands.iter().map(|&operand| self.start(Label::TAU, operand)));
            }
            Term::ExternalChoice(_) => self.extend(applied, &mut rules, |operand, rule| applied.choose(operand, rule)),
            Term::SlidingChoice(_, right) => {
                self.extend(applied, &mut rules, |operand, rule| applied.choose(operand, rule));
                rules.push(self.start(Label::TAU, *right));
            }
            Term::Sequential(_, next) => self.sequence(applied, *next, &mut rules),
            Term::Loop(_) => self.sequence(applied, applied.term, &mut rules),
            Term::Interrupt(..) => self.extend(applied, &mut rules, |operand, rule| match operand {
                0 => applied.go_on(operand, rule),
                _ => applied.choose(operand, rule),
            }),
            Term::Exception(_, events, next) => self.extend(applied, &mut rules, |operand, rule| {
                let throws = EventId::of(rule.shows).is_some_and(|event| contains(events, event));
                let thrown = || PartRule { then: Some(Rc::new(Plan::Fresh(*next))), ..rule.clone() };
                if throws { thrown() } else { applied.go_on(operand, rule) }
            }),
            Term::SyncChoice(_, events) => {
                self.synchronize(applied, events, |operand, rule| applied.choose(operand, rule), &mut rules)?;
            }
            Term::SyncInterrupt(_, events, _) => {
                let alone = |operand: usize, rule: &PartRule| match operand {
                    0 => applied.go_on(operand, rule),
                    _ => applied.choose(operand, rule),
                };
                self.synchronize(applied, events, alone, &mut rules)?;
            }
            other => unreachable!("{other:?} is a machine"),
        }
        self.count_rules(rules.len())?;
        Ok(Part { rules, end: End::Later })
    }

    /// A step in which no machine takes part.
    fn start(&mut self, label: Label, next: TermId) -> PartRule {
        let then = Some(Rc::new(Plan::Fresh(next)));
        PartRule { parts: vec![self.control()], shows: label, then, team: TeamId::WHOLE, unless: Vec::new() }
    }

    fn extend(
        &mut self,
        applied: &Applied<'_>,
        rules: &mut Vec<PartRule>,
        passed: impl Fn(usize, &PartRule) -> PartRule,
    ) {
        for (operand, part) in applied.parts.iter().enumerate() {
            rules.extend(part.rules.iter().map(|rule| passed(operand, rule)));
        }
    }

    /// Termination starts what follows, unseen.
    fn sequence(&mut self, applied: &Applied<'_>, next: TermId, rules: &mut Vec<PartRule>) {
        self.extend(applied, rules, |operand, rule| match rule.shows {
            Label::TICK => PartRule { shows: Label::TAU, then: Some(Rc::new(Plan::Fresh(next))), ..rule.clone() },
            _ => applied.pass(operand, rule),
        });
    }

    /// Events of the set are taken by all operands together and change nothing else; others by one alone.
    fn synchronize(
        &mut self,
        applied: &Applied<'_>,
        events: &EventSet,
        alone: impl Fn(usize, &PartRule) -> PartRule,
        rules: &mut Vec<PartRule>,
    ) -> Result<(), CompileError> {
        let is_shared = |rule: &PartRule| EventId::of(rule.shows).is_some_and(|event| contains(events, event));
        for (operand, part) in applied.parts.iter().enumerate() {
            rules.extend(part.rules.iter().filter(|rule| !is_shared(rule)).map(|rule| alone(operand, rule)));
        }
        let mut shared: Vec<EventId> = applied.parts[0]
            .rules
            .iter()
            .filter(|rule| is_shared(rule))
            .filter_map(|rule| EventId::of(rule.shows))
            .collect();
        shared.dedup();
        for event in shared {
            let label = event.label();
            let offers: Vec<Vec<(usize, &PartRule)>> = applied
                .parts
                .iter()
                .enumerate()
                .map(|(operand, part)| part.rules.iter().filter(|r| r.shows == label).map(|r| (operand, r)).collect())
                .collect();
            self.combine(applied, &offers, label, rules)?;
        }
        Ok(())
    }
}
