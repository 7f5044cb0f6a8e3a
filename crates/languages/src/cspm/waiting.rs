//! Who waits for whom where nothing can happen.
//!
//! A component waits for an event that another one would have to take with it. Which other one is read off the operators: below
//! `[| A |]` every operand takes the events of A, below `[A || B]` those that have it in their alphabets. An operand that does not offer
//! the event now holds it up; of its components it is those that can do it some time. What cannot be known for certain, because a
//! component has too many states or an operator in between is of another kind, is left out.

use super::semantics::{CspmSemantics, term};
use frontend::{State, Waiting};
use model::{EventId, EventSet};
use process::compile::seen;
use process::{Label, Relation, Term, TermId, Unfold};
use std::collections::{BTreeSet, HashMap, HashSet};

/// States of one component that are looked at to know its events.
const MAX_STATES: usize = 2_000;
/// With so many components nobody wants to know who waits for whom, and finding out may have no end: terms that double at each level are small.
const MAX_COMPONENTS: usize = 1000;
/// Operators that are looked through, one inside of the other.
const MAX_DEPTH: usize = 10_000;

/// What the components below an operator want, by the names that events have there.
#[derive(Default)]
struct Below {
    wants: Vec<Want>,
    leaves: Vec<Leaf>,
}

struct Want {
    path: Vec<u32>,
    /// What the component calls it.
    own: EventId,
    /// What it is called here; nothing if it is hidden.
    here: Option<EventId>,
    /// Nothing while it is possible.
    held_up: Option<BTreeSet<Vec<u32>>>,
}

struct Leaf {
    path: Vec<u32>,
    /// The events it can do some time; nothing if they are too many to know.
    events: Option<BTreeSet<EventId>>,
}

impl Below {
    /// Gives other names to events; several for one are several events.
    fn rename(&mut self, names: impl Fn(EventId) -> Vec<EventId>) {
        let wants = std::mem::take(&mut self.wants);
        for want in wants {
            match want.here.map(&names) {
                None => self.wants.push(want),
                Some(new) if new.is_empty() && want.held_up.is_some() => self.wants.push(Want { here: None, ..want }),
                Some(new) => self.wants.extend(new.into_iter().map(|name| Want {
                    path: want.path.clone(),
                    own: want.own,
                    here: Some(name),
                    held_up: want.held_up.clone(),
                })),
            }
        }
        for leaf in &mut self.leaves {
            leaf.events = leaf.events.take().map(|events| events.into_iter().flat_map(&names).collect());
        }
    }

    fn offers(&self) -> HashSet<EventId> {
        self.wants.iter().filter(|want| want.held_up.is_none()).filter_map(|want| want.here).collect()
    }

    /// Those that hold up an event which is not offered here.
    fn holders(&self, event: EventId) -> BTreeSet<Vec<u32>> {
        let wanting = self.wants.iter().filter(|want| want.here == Some(event));
        let behind: BTreeSet<Vec<u32>> = wanting.filter_map(|want| want.held_up.clone()).flatten().collect();
        if !behind.is_empty() {
            return behind;
        }
        if let [only] = &self.leaves[..] {
            return BTreeSet::from([only.path.clone()]);
        }
        if self.leaves.iter().any(|leaf| leaf.events.is_none()) {
            return BTreeSet::new();
        }
        let can = |leaf: &&Leaf| leaf.events.as_ref().is_some_and(|events| events.contains(&event));
        self.leaves.iter().filter(can).map(|leaf| leaf.path.clone()).collect()
    }
}

impl CspmSemantics<'_> {
    pub(super) fn find_waiting(&mut self, at: State) -> Vec<Waiting> {
        if self.table.components(&self.terms, term(at), MAX_COMPONENTS).len() == MAX_COMPONENTS {
            return Vec::new();
        }
        let mut known = HashMap::new();
        let below = self.below(term(at), Vec::new(), &mut known, 0).unwrap_or_default();
        let mut told = HashSet::new();
        let waiting = below.wants.into_iter().filter_map(|want| {
            let others = want.held_up?.into_iter().collect();
            Some(Waiting { path: want.path, label: seen(Label::Event(want.own)), others })
        });
        waiting.filter(|waiting| told.insert(waiting.clone())).collect()
    }

    /// What is wanted below a term; nothing if it cannot be told.
    fn below(
        &mut self,
        at: TermId,
        path: Vec<u32>,
        known: &mut HashMap<TermId, Option<BTreeSet<EventId>>>,
        depth: usize,
    ) -> Option<Below> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut deeper = |this: &mut Self, operand, path| this.below(operand, path, known, depth + 1);
        let inside = |position: usize| [path.as_slice(), &[position as u32]].concat();
        match self.terms.get(at).clone() {
            Term::Call(call) => {
                let body = match self.table.body(call) {
                    Some(body) => body,
                    None => self.evaluator.unfold(&mut self.terms, call).ok()?,
                };
                deeper(self, body, path)
            }
            Term::Compressed(_, operand)
            | Term::Sequential(operand, _)
            | Term::Exception(operand, ..)
            | Term::Prioritise(operand, _)
            | Term::PrioritiseBy(operand, _)
                if self.is_structured(at) =>
            {
                deeper(self, operand, path)
            }
            Term::Hide(operand, events) if self.is_structured(at) => {
                let mut below = deeper(self, operand, path)?;
                below.rename(|event| if has(&events, event) { Vec::new() } else { vec![event] });
                Some(below)
            }
            Term::Project(operand, events) if self.is_structured(at) => {
                let mut below = deeper(self, operand, path)?;
                below.rename(|event| if has(&events, event) { vec![event] } else { Vec::new() });
                Some(below)
            }
            Term::Rename(operand, relation) if self.is_structured(at) => {
                let mut below = deeper(self, operand, path)?;
                below.rename(|event| images(&relation, event));
                Some(below)
            }
            Term::Interleave(operands) => {
                let mut all = Below::default();
                for (position, &operand) in operands.iter().enumerate() {
                    let below = deeper(self, operand, inside(position))?;
                    all.wants.extend(below.wants);
                    all.leaves.extend(below.leaves);
                }
                Some(all)
            }
            Term::Parallel(operands, events) => {
                let sides = operands.iter().enumerate();
                let sides: Option<Vec<Below>> =
                    sides.map(|(position, &operand)| deeper(self, operand, inside(position))).collect();
                let all: Vec<usize> = (0..operands.len()).collect();
                let joining = |event: EventId| if has(&events, event) { &all[..] } else { &[] };
                Some(together(sides?, |_, _| true, joining))
            }
            Term::AlphaParallel(operands) => {
                let sides = operands.iter().enumerate();
                let sides: Option<Vec<Below>> =
                    sides.map(|(position, (operand, _))| deeper(self, *operand, inside(position))).collect();
                let mut owners: HashMap<EventId, Vec<usize>> = HashMap::new();
                for (side, (_, alphabet)) in operands.iter().enumerate() {
                    alphabet.iter().for_each(|&event| owners.entry(event).or_default().push(side));
                }
                let in_alphabet = |side: usize, event: EventId| has(&operands[side].1, event);
                Some(together(sides?, in_alphabet, |event| owners.get(&event).map_or(&[], |sides| &sides[..])))
            }
            Term::Link(..) => None,
            _ => self.leaf(at, path, known),
        }
    }

    /// A component without anything side by side in it.
    fn leaf(
        &mut self,
        at: TermId,
        path: Vec<u32>,
        known: &mut HashMap<TermId, Option<BTreeSet<EventId>>>,
    ) -> Option<Below> {
        let (offers, _) = self.events_and_targets(at)?;
        let wants = offers.into_iter().map(|own| Want { path: path.clone(), own, here: Some(own), held_up: None });
        let wants = wants.collect();
        let events = match known.get(&at) {
            Some(events) => events.clone(),
            None => self.events_some_time(at),
        };
        known.insert(at, events.clone());
        let leaf = Leaf { path, events };
        Some(Below { wants, leaves: vec![leaf] })
    }

    /// The events that a process can do now, and what it becomes by any step.
    fn events_and_targets(&mut self, at: TermId) -> Option<(BTreeSet<EventId>, Vec<TermId>)> {
        let steps = self.table.steps(&mut self.terms, &mut self.evaluator, at).ok()?;
        let events = steps.iter().filter_map(|step| match step.label {
            Label::Event(event) => Some(event),
            _ => None,
        });
        Some((events.collect(), steps.iter().map(|step| step.target).collect()))
    }

    fn events_some_time(&mut self, at: TermId) -> Option<BTreeSet<EventId>> {
        let (mut met, mut open, mut all) = (HashSet::from([at]), vec![at], BTreeSet::new());
        while let Some(state) = open.pop() {
            let (events, targets) = self.events_and_targets(state)?;
            all.extend(events);
            open.extend(targets.into_iter().filter(|target| met.insert(*target)));
            if met.len() > MAX_STATES {
                return None;
            }
        }
        Some(all)
    }

    /// Whether there is a parallel operator behind calls and operators with one operand that is on.
    fn is_structured(&mut self, at: TermId) -> bool {
        let mut at = at;
        for _ in 0..MAX_DEPTH {
            at = match self.terms.get(at) {
                Term::Interleave(_) | Term::Parallel(..) | Term::AlphaParallel(_) | Term::Link(..) => return true,
                Term::Call(call) => match self.table.body(*call) {
                    Some(body) => body,
                    None => return false,
                },
                Term::Compressed(_, operand)
                | Term::Sequential(operand, _)
                | Term::Exception(operand, ..)
                | Term::Prioritise(operand, _)
                | Term::PrioritiseBy(operand, _)
                | Term::Hide(operand, _)
                | Term::Project(operand, _)
                | Term::Rename(operand, _) => *operand,
                _ => return false,
            };
        }
        false
    }
}

/// Sides that take some events together: `may` tells whether a side may do an event at all, `joining` are those that have to take part
/// when one does it.
fn together<'a>(
    mut sides: Vec<Below>,
    may: impl Fn(usize, EventId) -> bool,
    joining: impl Fn(EventId) -> &'a [usize],
) -> Below {
    let offers: Vec<HashSet<EventId>> = sides.iter().map(Below::offers).collect();
    // Who lacks an event is the same for all that want it, as those offer it.
    let mut holders: HashMap<EventId, Option<BTreeSet<Vec<u32>>>> = HashMap::new();
    let mut held_up: Vec<Vec<Option<BTreeSet<Vec<u32>>>>> = Vec::new();
    for (number, side) in sides.iter().enumerate() {
        let hold = |want: &Want| {
            let event = want.here.filter(|_| want.held_up.is_none())?;
            if !may(number, event) {
                return Some(BTreeSet::new());
            }
            let of_event = holders.entry(event).or_insert_with(|| {
                let mut lacking = joining(event).iter().filter(|&&other| !offers[other].contains(&event)).peekable();
                lacking.peek()?;
                Some(lacking.flat_map(|&other| sides[other].holders(event)).collect())
            });
            of_event.clone()
        };
        held_up.push(side.wants.iter().map(hold).collect());
    }
    let mut all = Below::default();
    for (side, held_up) in sides.iter_mut().zip(held_up) {
        for (want, held_up) in side.wants.iter_mut().zip(held_up) {
            want.held_up = want.held_up.take().or(held_up);
        }
        all.wants.append(&mut side.wants);
        all.leaves.append(&mut side.leaves);
    }
    all
}

fn has(events: &EventSet, event: EventId) -> bool {
    events.binary_search(&event).is_ok()
}

/// What becomes of an event; what the relation does not speak of stays as it is.
fn images(relation: &Relation, event: EventId) -> Vec<EventId> {
    let new: Vec<EventId> = relation.iter().filter(|(old, _)| *old == event).map(|(_, new)| *new).collect();
    if new.is_empty() { vec![event] } else { new }
}
