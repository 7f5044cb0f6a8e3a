//! Random terms of every operator.

use super::world::{N_USED, World};
use crate::mutate::Random;
use model::{EventId, EventSet};
use process::{CallId, Compression, PriorityOrder, Relation, Term, TermId};
use std::sync::Arc;

/// Features of random terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diet {
    /// `SKIP` among the leaves.
    pub termination: Presence,
    /// `DIV` among the leaves.
    pub divergence: Presence,
    /// Recursion and built-in processes that go on for ever.
    pub infinity: Presence,
}

/// Whether a feature occurs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Presence {
    Allowed,
    Absent,
}

/// Generator of random terms in a world.
#[derive(Debug)]
pub struct Sampler<'a> {
    /// World of the terms.
    pub world: &'a mut World,
    /// Source of randomness.
    pub random: &'a mut Random,
    /// Features of the terms.
    pub diet: Diet,
}

impl Sampler<'_> {
    /// Defines two mutually recursive processes: calls are below prefixes and choices only, so the processes are
    /// guarded and have few states.
    pub fn define_calls(&mut self) {
        self.world.definitions.bodies.clear();
        for _ in 0..2 {
            let body = self.guarded(3);
            self.world.definitions.bodies.push(body);
        }
    }

    fn guarded(&mut self, size: usize) -> TermId {
        let term = match self.random.below(if size == 0 { 2 } else { 4 }) {
            0 | 1 => {
                let call = Term::Call(CallId(self.random.below(2) as u32));
                let next =
                    if size > 0 && self.random.below(3) == 0 { self.guarded(size - 1) } else { self.world.term(call) };
                Term::Prefix(self.event(), next)
            }
            choice => {
                let operands = [self.guarded(size / 2), self.branch(size)];
                if choice == 2 { Term::ExternalChoice(operands.into()) } else { Term::InternalChoice(operands.into()) }
            }
        };
        self.world.term(term)
    }

    /// Branch of a choice in a recursion: sometimes one that leaves it.
    fn branch(&mut self, size: usize) -> TermId {
        if self.random.below(3) == 0 { self.leaf() } else { self.guarded(size / 2) }
    }

    /// Random term with about `size` operators.
    pub fn term(&mut self, size: usize) -> TermId {
        if size <= 1 {
            return self.leaf();
        }
        let term = match self.random.below(22) {
            0..4 => Term::Prefix(self.event(), self.term(size - 1)),
            4 => Term::PrefixAny(self.events(), self.term(size - 1)),
            5 | 6 => Term::ExternalChoice(self.terms(size)),
            7 => Term::InternalChoice(self.terms(size)),
            8 => Term::SlidingChoice(self.term(size / 2), self.term(size / 2)),
            9 => Term::Sequential(self.term(size / 2), self.term(size / 2)),
            10 => Term::Interrupt(self.term(size / 2), self.term(size / 2)),
            11 => Term::Exception(self.term(size / 2), self.events(), self.term(size / 2)),
            12 => Term::Interleave(self.terms(size)),
            13 => Term::Parallel(self.terms(size), self.events()),
            14 => {
                let operands = self.terms(size);
                Term::AlphaParallel(operands.iter().map(|&operand| (operand, self.events())).collect())
            }
            15 => Term::Link(self.term(size / 2), self.link(), self.term(size / 2)),
            16 | 17 => Term::Hide(self.term(size - 1), self.events()),
            18 => Term::Project(self.term(size - 1), self.events()),
            19 => Term::Rename(self.term(size - 1), self.relation()),
            20 => Term::SyncChoice(self.terms(size), self.events()),
            _ => match self.random.below(3) {
                0 if self.diet.infinity == Presence::Allowed => Term::Loop(self.term(size - 1)),
                1 => Term::Compressed(Compression::SBisim, self.term(size - 1)),
                _ => Term::SyncInterrupt(self.term(size / 2), self.events(), self.term(size / 2)),
            },
        };
        self.world.term(term)
    }

    /// One to three operands, rarely none where that has a meaning.
    fn terms(&mut self, size: usize) -> std::sync::Arc<[TermId]> {
        let n_operands = *self.random.pick(&[1, 2, 2, 2, 2, 2, 3]);
        (0..n_operands).map(|_| self.term((size - 1) / n_operands)).collect()
    }

    fn leaf(&mut self) -> TermId {
        let mut leaves = vec![Term::Stop];
        if self.diet.termination == Presence::Allowed {
            leaves.extend([Term::Skip, Term::Skip, Term::Skip]);
        }
        if self.diet.divergence == Presence::Allowed {
            leaves.push(Term::Div);
        }
        if self.diet.infinity == Presence::Allowed {
            leaves.extend([Term::Run(self.events()), Term::Chaos(self.events()), self.buffer()]);
            let n_calls = self.world.definitions.bodies.len();
            leaves.extend((0..n_calls).map(|call| Term::Call(CallId(call as u32))));
        }
        let leaf = self.random.pick(&leaves).clone();
        self.world.term(leaf)
    }

    fn buffer(&mut self) -> Term {
        let input = self.random.below(N_USED as usize) as u32;
        let pair = (EventId(input), EventId((input + 1) % N_USED));
        Term::Buffer(1 + self.random.below(2) as u32, vec![pair].into())
    }

    /// Random event.
    pub fn event(&mut self) -> EventId {
        EventId(self.random.below(N_USED as usize) as u32)
    }

    /// Random set of events.
    pub fn events(&mut self) -> EventSet {
        let chosen = self.random.below(1 << N_USED);
        (0..N_USED).filter(|event| chosen >> event & 1 == 1).map(EventId).collect()
    }

    /// Random relation of a few pairs.
    pub fn relation(&mut self) -> Relation {
        let n_pairs = 1 + self.random.below(3);
        sorted((0..n_pairs).map(|_| (self.event(), self.event())).collect())
    }

    /// Random priority around an operand.
    pub fn priority(&mut self, operand: TermId) -> Term {
        match self.random.below(3) {
            0 => Term::PrioritiseBy(operand, Arc::new(self.order())),
            1 => Term::Prioritise(operand, [EventSet::from([]), self.events()].into()),
            _ => {
                let n_levels = 1 + self.random.below(3);
                Term::Prioritise(operand, (0..n_levels).map(|_| self.events()).collect())
            }
        }
    }

    /// Random order of events; some of those that have nothing above them are maximal.
    fn order(&mut self) -> PriorityOrder {
        let events = self.events();
        let pairs = events.iter().flat_map(|&one| events.iter().map(move |&other| (one, other)));
        let above: Relation = pairs.filter(|(one, other)| one < other).filter(|_| self.random.below(2) == 0).collect();
        let is_lower = |event: EventId| above.iter().any(|&(_, lower)| lower == event);
        let maximal = events.iter().copied().filter(|&event| !is_lower(event) && self.random.below(2) == 0).collect();
        PriorityOrder { events, above, maximal }
    }

    /// Random relation of at most two pairs, injective in both directions.
    fn link(&mut self) -> Relation {
        let (left, right) = (self.event(), self.event());
        let next = |event: EventId| EventId((event.0 + 1) % N_USED);
        let mut pairs = vec![(left, right)];
        if self.random.below(2) == 0 {
            pairs.push((next(left), next(right)));
        }
        sorted(pairs)
    }
}

fn sorted(mut pairs: Vec<(EventId, EventId)>) -> Relation {
    pairs.sort_unstable();
    pairs.dedup();
    pairs.into()
}
