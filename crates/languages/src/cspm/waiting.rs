//! The waits-for relation of components in a deadlock.
//!
//! A component waits for an event that another one would have to take with it. Which other one is read off the
//! operators: below `[| A |]` every operand takes the events of A, below `[A || B]` those that have it in their
//! alphabets. An operand that does not offer the event now holds it up; of its components it is those that can do it
//! some time. What cannot be known for certain, because a component has too many states or an operator in between is of
//! another kind, is left out.

use super::semantics::{CspmSemantics, term};
use frontend::{State, Waiting};
use limits::effort::processes::{MAX_COMPONENTS, MAX_DEPTH, MAX_ENTRIES, MAX_STATES};
use model::{EventId, EventSet};
use process::{Term, TermId, Unfold};
use std::collections::{BTreeSet, HashMap, HashSet};

/// Wants and leaves below an operator, under the names that events have there.
#[derive(Default)]
struct Below {
    /// A set: relational renamings lead to the same want on many ways.
    wants: BTreeSet<Want>,
    leaves: Vec<Leaf>,
}

/// An event that a component offers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Want {
    component: Component,
    /// The component's own name of the event.
    own: EventId,
    /// The name at the operator; none if the event is hidden.
    here: Option<EventId>,
    /// The components that hold it up; none while it is possible.
    held_up: Option<Holders>,
}

/// The number of a component in [`Found::paths`], in the order of the tree.
type Component = u32;

/// The number of a set of components in [`Found::holders`].
type Holders = u32;

struct Leaf {
    component: Component,
    /// The events it can do in some state; none if its states are too many to know.
    events: Option<BTreeSet<EventId>>,
}

/// Tables that are shared by all operators of one state.
#[derive(Default)]
struct Found {
    paths: Vec<Vec<u32>>,
    /// Sets of components, hash-consed.
    holders: Vec<BTreeSet<Component>>,
    numbers: HashMap<BTreeSet<Component>, Holders>,
    /// Events of the leaves that occur several times.
    events: HashMap<TermId, Option<BTreeSet<EventId>>>,
}

impl Found {
    fn add_holders(&mut self, components: BTreeSet<Component>) -> Holders {
        *self.numbers.entry(components).or_insert_with_key(|components| {
            self.holders.push(components.clone());
            (self.holders.len() - 1) as Holders
        })
    }
}

impl Below {
    /// Renames events; an event with several new names becomes several events. None if there are too many.
    fn rename(mut self, names: impl Fn(EventId) -> Vec<EventId>) -> Option<Below> {
        let mut wants = BTreeSet::new();
        for want in self.wants {
            match want.here.map(&names) {
                None => _ = wants.insert(want),
                Some(new) if new.is_empty() && want.held_up.is_some() => _ = wants.insert(Want { here: None, ..want }),
                Some(new) => wants.extend(new.into_iter().map(|name| Want { here: Some(name), ..want })),
            }
            if wants.len() > MAX_ENTRIES {
                return None;
            }
        }
        let mut n_events = 0;
        for leaf in &mut self.leaves {
            leaf.events = leaf.events.take().map(|events| events.into_iter().flat_map(&names).collect());
            n_events += leaf.events.as_ref().map_or(0, BTreeSet::len);
            if n_events > MAX_ENTRIES {
                return None;
            }
        }
        Some(Below { wants, leaves: self.leaves })
    }

    fn offers(&self) -> HashSet<EventId> {
        self.wants.iter().filter(|want| want.held_up.is_none()).filter_map(|want| want.here).collect()
    }

    /// Wants by event, for [`Below::holders`].
    fn held_up(&self) -> HashMap<EventId, BTreeSet<Holders>> {
        let mut by_event: HashMap<EventId, BTreeSet<Holders>> = HashMap::new();
        for want in &self.wants {
            if let (Some(here), Some(held_up)) = (want.here, want.held_up) {
                by_event.entry(here).or_default().insert(held_up);
            }
        }
        by_event
    }

    /// The components that hold up an event which is not offered here.
    fn holders(
        &self,
        event: EventId,
        held_up: &HashMap<EventId, BTreeSet<Holders>>,
        found: &Found,
    ) -> BTreeSet<Component> {
        let behind = held_up.get(&event).into_iter().flatten();
        let behind: BTreeSet<Component> =
            behind.flat_map(|&holders| &found.holders[holders as usize]).copied().collect();
        if !behind.is_empty() {
            return behind;
        }
        if let [only] = &self.leaves[..] {
            return BTreeSet::from([only.component]);
        }
        if self.leaves.iter().any(|leaf| leaf.events.is_none()) {
            return BTreeSet::new();
        }
        let can = |leaf: &&Leaf| leaf.events.as_ref().is_some_and(|events| events.contains(&event));
        self.leaves.iter().filter(can).map(|leaf| leaf.component).collect()
    }
}

impl CspmSemantics<'_> {
    pub(super) fn find_waiting(&mut self, at: State) -> Vec<Waiting> {
        if self.table.components(&self.terms, term(at), MAX_COMPONENTS).len() == MAX_COMPONENTS {
            return Vec::new();
        }
        let mut found = Found::default();
        let below = self.below(term(at), Vec::new(), &mut found, 0).unwrap_or_default();
        // Hiding leaves several wants that differ in nothing but the name they had.
        let mut reported = BTreeSet::new();
        let held_up = below.wants.iter().filter_map(|want| Some((want.component, want.own, want.held_up?)));
        let paths = |components: &BTreeSet<Component>| {
            components.iter().map(|&component| found.paths[component as usize].clone()).collect()
        };
        let waiting = held_up.filter(|&want| reported.insert(want)).map(|(component, own, holders)| Waiting {
            path: found.paths[component as usize].clone(),
            label: own.label(),
            others: paths(&found.holders[holders as usize]),
        });
        waiting.collect()
    }

    /// The wants below a term; None if they are unknown.
    fn below(&mut self, at: TermId, path: Vec<u32>, found: &mut Found, depth: usize) -> Option<Below> {
        if depth > MAX_DEPTH {
            return None;
        }
        let mut deeper = |this: &mut Self, operand, path| this.below(operand, path, found, depth + 1);
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
                let below = deeper(self, operand, path)?;
                below.rename(|event| if has(&events, event) { Vec::new() } else { vec![event] })
            }
            Term::Project(operand, events) if self.is_structured(at) => {
                let below = deeper(self, operand, path)?;
                below.rename(|event| if has(&events, event) { vec![event] } else { Vec::new() })
            }
            Term::Rename(operand, relation) if self.is_structured(at) => {
                let below = deeper(self, operand, path)?;
                let mut images: HashMap<EventId, Vec<EventId>> = HashMap::new();
                relation.iter().for_each(|&(old, new)| images.entry(old).or_default().push(new));
                // An event outside of the relation's domain keeps its name.
                below.rename(|event| images.get(&event).cloned().unwrap_or_else(|| vec![event]))
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
                Some(together(sides?, |_, _| true, joining, found))
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
                Some(together(sides?, in_alphabet, |event| owners.get(&event).map_or(&[], |sides| &sides[..]), found))
            }
            Term::Link(..) => None,
            _ => self.leaf(at, path, found),
        }
    }

    /// A sequential component.
    fn leaf(&mut self, at: TermId, path: Vec<u32>, found: &mut Found) -> Option<Below> {
        let (offers, _) = self.events_and_targets(at)?;
        let component = found.paths.len() as Component;
        found.paths.push(path);
        let wants = offers.into_iter().map(|own| Want { component, own, here: Some(own), held_up: None });
        let wants = wants.collect();
        let events = match found.events.get(&at) {
            Some(events) => events.clone(),
            None => self.events_some_time(at),
        };
        found.events.insert(at, events.clone());
        Some(Below { wants, leaves: vec![Leaf { component, events }] })
    }

    /// The events that a process can do now, and what it becomes by any step.
    fn events_and_targets(&mut self, at: TermId) -> Option<(BTreeSet<EventId>, Vec<TermId>)> {
        let steps = self.table.steps(&mut self.terms, &mut self.evaluator, at).ok()?;
        let events = steps.iter().filter_map(|step| EventId::of(step.label));
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

/// Sides that synchronize on some events: `may` says whether a side may do an event at all, `joining` are those that
/// have to take part when one does it.
fn together<'a>(
    sides: Vec<Below>,
    may: impl Fn(usize, EventId) -> bool,
    joining: impl Fn(EventId) -> &'a [usize],
    found: &mut Found,
) -> Below {
    let offers: Vec<HashSet<EventId>> = sides.iter().map(Below::offers).collect();
    let held_up: Vec<HashMap<EventId, BTreeSet<Holders>>> = sides.iter().map(Below::held_up).collect();
    // The sides that lack an event are the same for all that want it, as those offer it.
    let mut holders: HashMap<EventId, Option<Holders>> = HashMap::new();
    let mut all = Below::default();
    for (number, side) in sides.iter().enumerate() {
        for want in &side.wants {
            let mut hold = |event: EventId| {
                if !may(number, event) {
                    return Some(found.add_holders(BTreeSet::new()));
                }
                *holders.entry(event).or_insert_with(|| {
                    let mut lacking =
                        joining(event).iter().filter(|&&other| !offers[other].contains(&event)).peekable();
                    lacking.peek()?;
                    let lacking = lacking.flat_map(|&other| sides[other].holders(event, &held_up[other], found));
                    let lacking = lacking.collect();
                    Some(found.add_holders(lacking))
                })
            };
            let held_up = want.held_up.or_else(|| want.here.and_then(&mut hold));
            all.wants.insert(Want { held_up, ..*want });
        }
    }
    all.leaves = sides.into_iter().flat_map(|side| side.leaves).collect();
    all
}

fn has(events: &EventSet, event: EventId) -> bool {
    events.binary_search(&event).is_ok()
}
