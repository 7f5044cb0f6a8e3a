//! Independence of an object and the process that is compared with it: they share only calls and responses.
//!
//! Each side of a refinement has its own copy of the variables, so a shared variable would not be shared.

use super::{Global, Resolver};
use crate::errors;
use crate::syntax::{Declaration, MacroBody, Name, ObjectDefinition};
use csp_sharp_runtime::code::{EventName, Hiding, Term, TermId};
use hashbrown::{HashMap, HashSet};
use source::Span;

/// Spans of declarations, with the spans of their first uses.
type Reached = HashMap<Span, Span>;

impl Resolver<'_> {
    /// Refuses variables that an object and a process share, and reports operations that the process never calls.
    pub(super) fn check_sharing(
        &mut self,
        object: &ObjectDefinition,
        (name, process): (&Name, TermId),
        declarations: &[Declaration],
    ) {
        let bodies = bodies(declarations);
        let by_object = self.reached(object.name.span, object.name.span, &bodies);
        let by_process = self.reached(self.declared(name), name.span, &bodies);
        let mut variables: Vec<_> = self.globals.iter().filter(|(_, (global, _))| is_data(global)).collect();
        variables.sort_by_key(|(_, (_, declared))| *declared);
        let mut found = Vec::new();
        for (variable, (global, declared)) in variables {
            let Some(&used) = by_object.get(declared) else { continue };
            if matches!(global, Global::Channel(_)) {
                found.push(errors::object_channel(variable, used, *declared));
            } else if matches!(global, Global::Variable(id) if self.out.code.variables[id.0 as usize].hidden) {
                found.push(errors::object_hidden(variable, used, *declared));
            } else if let Some(&other) = by_process.get(declared) {
                found.push(errors::object_state(variable, other, used));
            }
        }
        let (events, hidden) = self.events_of(process);
        let (mut absent, mut unseen) = (Vec::new(), Vec::new());
        for call in object.operations.iter().filter_map(|operation| operation.call.name.as_ref()) {
            let event = self.out.code.event_name(&call.text);
            if hidden.contains(&event) {
                unseen.push(&*call.text);
            } else if !events.contains(&event) {
                absent.push(&*call.text);
            }
        }
        if !absent.is_empty() {
            found.push(errors::object_uncalled(&name.text, &absent, name.span, object.name.span));
        }
        if !unseen.is_empty() {
            found.push(errors::object_unseen(&name.text, &unseen, name.span, object.name.span));
        }
        self.diagnostics.extend(found);
    }

    /// All declarations on which a declaration depends.
    fn reached(&self, start: Span, used: Span, bodies: &HashMap<Span, Vec<Span>>) -> Reached {
        let mut reached = Reached::from([(start, used)]);
        let mut open = vec![start];
        while let Some(declared) = open.pop() {
            for body in bodies.get(&declared).into_iter().flatten() {
                for &(place, target) in &self.out.uses {
                    if body.start <= place.start && place.end <= body.end && !reached.contains_key(&target) {
                        reached.insert(target, place);
                        open.push(target);
                    }
                }
            }
        }
        reached
    }

    /// The names of the events in a process, and of those that are hidden somewhere in it.
    fn events_of(&self, process: TermId) -> (HashSet<EventName>, HashSet<EventName>) {
        let code = &self.out.code;
        let (mut events, mut hidden) = (HashSet::new(), HashSet::new());
        let mut seen = HashSet::new();
        let mut open = vec![process];
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match code.terms.get(term) {
                Term::Event(event, ..) => _ = events.insert(event.name),
                Term::Hide(Hiding::Events(set), _) => {
                    hidden.extend(code.terms.set(*set).iter().map(|pattern| pattern.event.name));
                }
                Term::Call(definition, _) => open.push(code.definitions[definition.0 as usize].body),
                _ => {}
            }
            open.extend(code.terms.get(term).operands());
        }
        (events, hidden)
    }
}

fn is_data(global: &Global) -> bool {
    matches!(global, Global::Variable(_) | Global::Object(..) | Global::Channel(_))
}

/// The spans of the bodies of declarations, by the span of the name.
fn bodies(declarations: &[Declaration]) -> HashMap<Span, Vec<Span>> {
    let mut bodies: HashMap<Span, Vec<Span>> = HashMap::new();
    for declaration in declarations {
        let (name, written) = match declaration {
            Declaration::Macro { name, body: MacroBody::Expression(body), .. } => (name, vec![body.span]),
            Declaration::Macro { name, body: MacroBody::Block(body), .. } => (name, vec![body.span]),
            Declaration::Process(definition) => (&definition.name, vec![definition.body.span]),
            Declaration::Object(object) => {
                let outcomes = object.operations.iter().flat_map(|operation| &operation.outcomes);
                (&object.name, outcomes.map(|outcome| outcome.span).collect())
            }
            _ => continue,
        };
        bodies.entry(name.span).or_default().extend(written);
    }
    bodies
}
