//! Hiding and renaming above each other as one: first some events are hidden, then the others renamed.
//!
//! The image of an event under any number of these operators is a set of events and perhaps the silent event. Two
//! operators are enough for that if a renaming may also make an event silent ([`HIDDEN`]), which it does with events
//! that are renamed to several, some of them hidden. The form is unique, so it does not matter in which order operators
//! came to stand above each other.
//!
//! Which operators meet is nearly always the same few, so what they come to is kept, and shared by all terms.

use crate::operators::{contains, partners};
use crate::{Relation, Term, TermId, Terms};
use hashbrown::{HashMap, HashSet};
use limits::effort::machines::MAX_CACHED_RELABELINGS;
use model::{EventId, EventSet};
use std::hash::Hash;
use std::sync::Arc;

/// In place of an event that a renaming makes silent.
pub const HIDDEN: EventId = EventId(u32::MAX);

/// Cache of composed relabelings.
#[derive(Debug, Default)]
pub(crate) struct Relabelings {
    sets: HashSet<EventSet>,
    relations: HashSet<Relation>,
    /// By the places of sets and relations in memory, which are held.
    known: HashMap<[(u8, usize); 3], (Relabeling, Operator, Relabeling)>,
}

/// A relabeling of events.
#[derive(Clone, Debug)]
enum Operator {
    Hide(EventSet),
    Project(EventSet),
    Rename(Relation),
}

/// Hiding, then renaming.
#[derive(Clone, Debug, Default)]
struct Relabeling {
    /// Not [`Operator::Rename`].
    hiding: Option<Operator>,
    renaming: Option<Relation>,
}

impl Operator {
    fn of(term: &Term) -> Option<(TermId, Operator)> {
        match term {
            Term::Hide(operand, events) => Some((*operand, Operator::Hide(events.clone()))),
            Term::Project(operand, events) => Some((*operand, Operator::Project(events.clone()))),
            Term::Rename(operand, relation) => Some((*operand, Operator::Rename(relation.clone()))),
            _ => None,
        }
    }

    fn above(&self, operand: TermId) -> Term {
        match self {
            Operator::Hide(events) => Term::Hide(operand, events.clone()),
            Operator::Project(events) => Term::Project(operand, events.clone()),
            Operator::Rename(relation) => Term::Rename(operand, relation.clone()),
        }
    }

    /// Its identity, as long as it is held.
    fn key(&self) -> (u8, usize) {
        match self {
            Operator::Hide(events) => (1, events.as_ptr() as usize),
            Operator::Project(events) => (2, events.as_ptr() as usize),
            Operator::Rename(relation) => (3, relation.as_ptr() as usize),
        }
    }

    /// The events it names.
    fn names(&self) -> Vec<EventId> {
        match self {
            Operator::Hide(events) | Operator::Project(events) => events.to_vec(),
            Operator::Rename(relation) => relation.iter().map(|pair| pair.0).collect(),
        }
    }

    /// The image of an event.
    fn images(&self, event: EventId, out: &mut Vec<EventId>) {
        match self {
            _ if event == HIDDEN => out.push(HIDDEN),
            Operator::Hide(events) => out.push(if contains(events, event) { HIDDEN } else { event }),
            Operator::Project(events) => out.push(if contains(events, event) { event } else { HIDDEN }),
            Operator::Rename(relation) => match partners(relation, event) {
                [] => out.push(event),
                pairs => out.extend(pairs.iter().map(|pair| pair.1)),
            },
        }
    }
}

impl Terms {
    /// An operator of this kind and all others of this kind below it as one relabeling; None if it is one already.
    pub(super) fn relabeled(&mut self, term: &Term) -> Option<Result<TermId, Term>> {
        let (operand, operator) = Operator::of(term)?;
        let mut inner = Relabeling::default();
        let mut base = operand;
        if let Term::Rename(renamed, relation) = self.get(base) {
            inner.renaming = Some(relation.clone());
            base = *renamed;
        }
        if let Some((hiding, below)) = Operator::of(self.get(base)).map(|(below, hiding)| (hiding, below)) {
            inner.hiding = Some(hiding);
            base = below;
        }
        match &operator {
            Operator::Hide(events) if base == operand => return events.is_empty().then_some(Ok(operand)),
            Operator::Project(_) if base == operand => return None,
            _ => {}
        }
        let Relabeling { hiding, renaming } = self.relabelings.then(&inner, &operator);
        if let (Some(hiding), Some(_)) = (&hiding, &renaming) {
            base = self.store(hiding.above(base));
        }
        match renaming.map(Operator::Rename).or(hiding) {
            Some(last) => Some(Ok(self.store(last.above(base)))),
            None => Some(Ok(base)),
        }
    }
}

impl Relabelings {
    /// A relabeling and then an operator.
    fn then(&mut self, first: &Relabeling, operator: &Operator) -> Relabeling {
        let renaming = first.renaming.clone().map(Operator::Rename);
        let absent = (0, 0);
        let key = [
            first.hiding.as_ref().map_or(absent, Operator::key),
            renaming.as_ref().map_or(absent, Operator::key),
            operator.key(),
        ];
        if let Some((.., known)) = self.known.get(&key) {
            return known.clone();
        }
        let operators: Vec<&Operator> = first.hiding.iter().chain(&renaming).chain([operator]).collect();
        let result = self.compose(&operators);
        if self.known.len() >= MAX_CACHED_RELABELINGS {
            self.known.clear();
        }
        self.known.insert(key, (first.clone(), operator.clone(), result.clone()));
        result
    }

    /// Operators one after the other.
    fn compose(&mut self, operators: &[&Operator]) -> Relabeling {
        let mut named: Vec<EventId> = operators.iter().flat_map(|operator| operator.names()).collect();
        named.sort_unstable();
        named.dedup();
        // Events without a name in either are hidden if one of the operators projects.
        let shows_few = operators.iter().any(|operator| matches!(operator, Operator::Project(_)));
        let (mut hidden, mut shown, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
        let (mut images, mut next) = (Vec::new(), Vec::new());
        for event in named {
            images.clear();
            images.push(event);
            for operator in operators {
                next.clear();
                images.iter().for_each(|&image| operator.images(image, &mut next));
                std::mem::swap(&mut images, &mut next);
            }
            images.sort_unstable();
            images.dedup();
            match images.as_slice() {
                [HIDDEN] => hidden.push(event),
                [image] if *image == event => shown.push(event),
                _ => {
                    shown.push(event);
                    pairs.extend(images.iter().map(|&image| (event, image)));
                }
            }
        }
        let hiding = match shows_few {
            true => Some(Operator::Project(shared(&mut self.sets, shown))),
            false if hidden.is_empty() => None,
            false => Some(Operator::Hide(shared(&mut self.sets, hidden))),
        };
        let renaming = (!pairs.is_empty()).then(|| shared(&mut self.relations, pairs));
        Relabeling { hiding, renaming }
    }
}

/// A list that is stored once.
fn shared<T: Eq + Hash>(known: &mut HashSet<Arc<[T]>>, items: Vec<T>) -> Arc<[T]> {
    if let Some(known) = known.get(items.as_slice()) {
        return known.clone();
    }
    let items: Arc<[T]> = items.into();
    known.insert(items.clone());
    items
}
