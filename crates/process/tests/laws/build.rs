//! Short names for operators, so that a law reads like one.

use model::{EventId, EventSet};
use process::{Relation, Term, TermId};
use test_support::mutate::Random;
use test_support::processes::world::{N_USED, World, set};

pub struct Build<'a> {
    pub world: &'a mut World,
    pub random: &'a mut Random,
}

impl Build<'_> {
    pub fn term(&mut self, term: Term) -> TermId {
        self.world.term(term)
    }

    pub fn stop(&mut self) -> TermId {
        self.term(Term::Stop)
    }

    pub fn skip(&mut self) -> TermId {
        self.term(Term::Skip)
    }

    pub fn div(&mut self) -> TermId {
        self.term(Term::Div)
    }

    pub fn run(&mut self, events: &EventSet) -> TermId {
        self.term(Term::Run(events.clone()))
    }

    pub fn chaos(&mut self, events: &EventSet) -> TermId {
        self.term(Term::Chaos(events.clone()))
    }

    pub fn prefix(&mut self, event: EventId, next: TermId) -> TermId {
        self.term(Term::Prefix(event, next))
    }

    pub fn any(&mut self, events: &EventSet, next: TermId) -> TermId {
        self.term(Term::PrefixAny(events.clone(), next))
    }

    /// `P [] Q`.
    pub fn ext(&mut self, p: TermId, q: TermId) -> TermId {
        self.term(Term::ExternalChoice([p, q].into()))
    }

    /// `P |~| Q`.
    pub fn int(&mut self, p: TermId, q: TermId) -> TermId {
        self.term(Term::InternalChoice([p, q].into()))
    }

    /// `P [> Q`.
    pub fn slide(&mut self, p: TermId, q: TermId) -> TermId {
        self.term(Term::SlidingChoice(p, q))
    }

    /// `P ; Q`.
    pub fn seq(&mut self, p: TermId, q: TermId) -> TermId {
        self.term(Term::Sequential(p, q))
    }

    /// `P /\ Q`.
    pub fn interrupt(&mut self, p: TermId, q: TermId) -> TermId {
        self.term(Term::Interrupt(p, q))
    }

    /// `P [| A |> Q`.
    pub fn throw(&mut self, p: TermId, events: &EventSet, q: TermId) -> TermId {
        self.term(Term::Exception(p, events.clone(), q))
    }

    /// `P ||| Q`.
    pub fn inter(&mut self, p: TermId, q: TermId) -> TermId {
        self.term(Term::Interleave([p, q].into()))
    }

    /// `P [| A |] Q`.
    pub fn par(&mut self, p: TermId, events: &EventSet, q: TermId) -> TermId {
        self.term(Term::Parallel([p, q].into(), events.clone()))
    }

    /// `P [ A || B ] Q`.
    pub fn alpha(&mut self, p: TermId, a: &EventSet, b: &EventSet, q: TermId) -> TermId {
        self.term(Term::AlphaParallel([(p, a.clone()), (q, b.clone())].into()))
    }

    /// `P [ a <-> b ] Q`.
    pub fn link(&mut self, p: TermId, pairs: &Relation, q: TermId) -> TermId {
        self.term(Term::Link(p, pairs.clone(), q))
    }

    /// `P \ A`.
    pub fn hide(&mut self, p: TermId, events: &EventSet) -> TermId {
        self.term(Term::Hide(p, events.clone()))
    }

    pub fn rename(&mut self, p: TermId, pairs: &Relation) -> TermId {
        self.term(Term::Rename(p, pairs.clone()))
    }

    /// `P [+ A +] Q`.
    pub fn sync(&mut self, p: TermId, events: &EventSet, q: TermId) -> TermId {
        self.term(Term::SyncChoice([p, q].into(), events.clone()))
    }

    /// `P /+ A +\ Q`.
    pub fn sync_interrupt(&mut self, p: TermId, events: &EventSet, q: TermId) -> TermId {
        self.term(Term::SyncInterrupt(p, events.clone(), q))
    }

    pub fn repeat(&mut self, p: TermId) -> TermId {
        self.term(Term::Loop(p))
    }

    /// Any event that random processes use.
    pub fn event(&mut self) -> EventId {
        EventId(self.random.below(N_USED as usize) as u32)
    }

    /// Any set of them.
    pub fn events(&mut self) -> EventSet {
        let chosen = self.random.below(1 << N_USED);
        (0..N_USED).filter(|event| chosen >> event & 1 == 1).map(EventId).collect()
    }

    /// An event and a set that has it.
    pub fn event_in_set(&mut self) -> (EventId, EventSet) {
        let event = self.event();
        let mut events = self.events().to_vec();
        events.push(event);
        events.sort_unstable();
        events.dedup();
        (event, events.into())
    }

    /// An event and a set that does not have it.
    pub fn event_outside_set(&mut self) -> (EventId, EventSet) {
        let event = self.event();
        let events = self.events().iter().copied().filter(|&other| other != event).collect();
        (event, events)
    }
}

/// All events that random processes use.
pub fn sigma() -> EventSet {
    set("abc")
}

pub fn none() -> EventSet {
    set("")
}

/// The used events outside a set.
pub fn complement(events: &EventSet) -> EventSet {
    sigma().iter().copied().filter(|event| !events.contains(event)).collect()
}

pub fn union(left: &EventSet, right: &EventSet) -> EventSet {
    sigma().iter().copied().filter(|event| left.contains(event) || right.contains(event)).collect()
}

pub fn intersection(left: &EventSet, right: &EventSet) -> EventSet {
    left.iter().copied().filter(|event| right.contains(event)).collect()
}

/// A permutation of events: `a` becomes `b`, `b` becomes `c`, `c` becomes `a`.
pub fn turned(events: &EventSet) -> EventSet {
    let mut events: Vec<EventId> = events.iter().map(|event| EventId((event.0 + 1) % N_USED)).collect();
    events.sort_unstable();
    events.into()
}
