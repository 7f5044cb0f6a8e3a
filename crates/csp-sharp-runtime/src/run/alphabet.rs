//! Alphabets of parallel components.
//!
//! Unless it is declared, the alphabet of a process is the set of events without programs in its text, including those
//! of the processes that it calls; data operations, channels and silent steps do not belong to it. Events whose fields
//! depend on the state would make the alphabet depend on it, too, and are an error.

use super::fault::{Answer, Fault, FaultKind};
use super::{System, alphabet_parameters, substitute};
use crate::code::{DefinitionId, EventRef, Expr, ExprId, Hiding, Pattern, SetId, Slot, Term, TermId, Type};
use hashbrown::{HashMap, HashSet};
use limits::input::csp_sharp::{MAX_ALPHABET_TERMS, MAX_NESTED_HIDING};
use lts::Label;
use source::Span;
use std::sync::Arc;

/// Families of parallel components, with the participants of events.
#[derive(Debug, Default)]
pub(super) struct Family {
    alphabets: Vec<HashSet<Label>>,
    /// Cache of the participating components, by event.
    members: HashMap<Label, Arc<[u32]>>,
}

impl System {
    /// The components of a family that participate in an event.
    pub(crate) fn members(&mut self, family: u32, label: Label) -> Answer<Arc<[u32]>> {
        if !self.families.contains_key(&family) {
            let components = self.code.terms.family(family).to_vec();
            let mut alphabets = Vec::with_capacity(components.len());
            for component in components {
                alphabets.push(self.alphabet(component, &mut Vec::new())?);
            }
            self.families.insert(family, Family { alphabets, members: HashMap::new() });
        }
        let family = self.families.get_mut(&family).expect("it was put there");
        if let Some(known) = family.members.get(&label) {
            return Ok(known.clone());
        }
        let numbers = family.alphabets.iter().zip(0_u32..);
        let members: Arc<[u32]> =
            numbers.filter(|(alphabet, _)| alphabet.contains(&label)).map(|(_, number)| number).collect();
        family.members.insert(label, members.clone());
        Ok(members)
    }

    /// The alphabet of a process. Subterms below hiding are evaluated first. `around` holds the enclosing processes: a
    /// recursive occurrence contributes nothing new.
    fn alphabet(&mut self, root: TermId, around: &mut Vec<TermId>) -> Answer<HashSet<Label>> {
        if around.contains(&root) {
            return Ok(HashSet::new());
        }
        if around.len() >= MAX_NESTED_HIDING {
            return Err(Fault::new(self.code.terms.span(root), FaultKind::EndlessAlphabet));
        }
        let mut found = HashSet::new();
        let mut seen: HashSet<TermId> = HashSet::new();
        let mut open = vec![root];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            if seen.len() > MAX_ALPHABET_TERMS {
                return Err(Fault::new(self.code.terms.span(root), FaultKind::EndlessAlphabet));
            }
            self.spend(1)?;
            let span = self.code.terms.span(term);
            match self.code.terms.get(term).clone() {
                Term::Event(event, None, next) => {
                    found.insert(self.static_event(&event, span)?);
                    open.push(next);
                }
                Term::Receive(_, _, patterns, _, next) => {
                    let opaque = self.code.exprs.add(Expr::Opaque, Span::default(), Type::Unknown);
                    let bound = patterns.iter().filter_map(|pattern| match pattern {
                        Pattern::Bind(slot) => Some((*slot, opaque)),
                        Pattern::Match(_) => None,
                    });
                    let environment: Vec<(Slot, ExprId)> = bound.collect();
                    open.push(substitute::term(&mut self.code, next, &environment));
                }
                Term::Hide(hiding, next) => {
                    around.push(root);
                    let inside = self.alphabet(next, around)?;
                    around.pop();
                    match hiding {
                        Hiding::Events(set) => found.extend(inside.difference(&self.static_events(set, span)?)),
                        Hiding::AllBut(names) => {
                            found.extend(inside.into_iter().filter(|&label| self.is_named(label, &names)));
                        }
                    }
                }
                Term::Call(definition, arguments) => {
                    let arguments = self.alphabet_arguments(definition, &arguments);
                    match self.code.definitions[definition.0 as usize].alphabet {
                        Some(set) => {
                            let slots = (0_u8..).map(Slot);
                            let environment: Vec<(Slot, ExprId)> = slots.zip(arguments.iter().copied()).collect();
                            let set = substitute::events(&mut self.code, set, &environment);
                            found.extend(self.static_events(set, span)?);
                        }
                        None => open.push(self.body(definition, &arguments)),
                    }
                }
                Term::Indexed(..) => return Err(substitute::no_count(&self.code, term)),
                other => open.extend(other.operands()),
            }
        }
        Ok(found)
    }

    /// The arguments of a call, abstracted to those that affect the alphabet and have constant values.
    fn alphabet_arguments(&mut self, definition: DefinitionId, arguments: &[ExprId]) -> Arc<[ExprId]> {
        let relevant = self
            .alphabet_parameters
            .get_or_insert_with(|| alphabet_parameters::alphabet_parameters(&self.code))[definition.0 as usize];
        let opaque = self.code.exprs.add(Expr::Opaque, Span::default(), Type::Unknown);
        let slots = (0_u8..).map(Slot).zip(arguments);
        slots
            .map(|(slot, &argument)| if relevant & slot.bit() == 0 { opaque } else { self.static_value(argument) })
            .collect()
    }

    /// A constant value, or [`Expr::Opaque`].
    fn static_value(&mut self, expr: ExprId) -> ExprId {
        match self.code.exprs.is_value(expr) {
            true => expr,
            false => self.code.exprs.add(Expr::Opaque, Span::default(), Type::Unknown),
        }
    }

    /// The events of a set whose fields are constant.
    pub(super) fn static_events(&mut self, set: SetId, span: Span) -> Answer<HashSet<Label>> {
        let patterns = self.code.terms.set(set).to_vec();
        let mut found = HashSet::new();
        for pattern in patterns {
            if !pattern.binders.is_empty() {
                return Err(Fault::new(span, FaultKind::Count));
            }
            found.insert(self.static_event(&pattern.event, span)?);
        }
        Ok(found)
    }

    fn static_event(&mut self, event: &EventRef, span: Span) -> Answer<Label> {
        let has_values = event.fields.iter().all(|&field| self.code.exprs.value(field).is_some());
        if !has_values {
            let name = &self.code.names[event.name.0 as usize];
            return Err(Fault::new(span, FaultKind::Alphabet(name.to_string())));
        }
        self.event_label(event, &[])
    }
}
