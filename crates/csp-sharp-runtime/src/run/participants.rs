//! Participants of moves, and their fairness annotations.
//!
//! A process is identified by its path: the positions of its enclosing compositions, outermost first, and its own. So
//! `(P ||| Q) ||| R` has three processes, whose identities do not depend on their states. The fairness annotation of
//! one participant applies to the joint move.

use crate::code::Interner;
use hashbrown::HashMap;
use model::participants::Marks;

/// Number of a set of participants with fairness annotations.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ParticipantsId(u32);

impl ParticipantsId {
    /// The participant of a move outside of any composition.
    pub(crate) const WHOLE: ParticipantsId = ParticipantsId(0);
}

/// Paths of processes in nested compositions, in ascending order.
type Paths = Vec<Vec<u32>>;

/// Hash-consed sets of participants.
#[derive(Debug)]
pub(crate) struct ParticipantsTable {
    all: Interner<(Paths, Marks)>,
    inside: HashMap<(ParticipantsId, u32), ParticipantsId>,
    joined: HashMap<(ParticipantsId, ParticipantsId), ParticipantsId>,
}

impl ParticipantsTable {
    pub(super) fn new() -> ParticipantsTable {
        let mut all = Interner::default();
        all.intern((Paths::new(), Marks::NONE));
        ParticipantsTable { all, inside: HashMap::new(), joined: HashMap::new() }
    }

    /// The participants as seen from an enclosing composition, in which they have a position.
    pub(crate) fn at(&mut self, place: u32, participants: ParticipantsId) -> ParticipantsId {
        let ParticipantsTable { all, inside, .. } = self;
        *inside.entry((participants, place)).or_insert_with(|| {
            let (paths, marks) = all.get(participants.0);
            let paths = match &paths[..] {
                [] => vec![vec![place]],
                paths => paths.iter().map(|path| [&[place][..], path].concat()).collect(),
            };
            let marks = *marks;
            ParticipantsId(all.intern((paths, marks)).0)
        })
    }

    /// The union of two sets.
    pub(crate) fn join(&mut self, one: ParticipantsId, other: ParticipantsId) -> ParticipantsId {
        let ParticipantsTable { all, joined, .. } = self;
        *joined.entry((one, other)).or_insert_with(|| {
            let ((paths, marks), (more, others)) = (all.get(one.0), all.get(other.0));
            let mut paths = [&paths[..], more].concat();
            let marks = marks.or(*others);
            paths.sort_unstable();
            paths.dedup();
            ParticipantsId(all.intern((paths, marks)).0)
        })
    }

    /// The union of several sets. Pairwise unions of thousands of sets would leave as many unused ones in the table.
    pub(crate) fn join_all(&mut self, sets: &[ParticipantsId]) -> ParticipantsId {
        if let [one, other] = *sets {
            return self.join(one, other);
        }
        let mut paths = Paths::new();
        let mut marks = Marks::NONE;
        for set in sets {
            let (more, others) = self.all.get(set.0);
            paths.extend_from_slice(more);
            marks = marks.or(*others);
        }
        paths.sort_unstable();
        paths.dedup();
        ParticipantsId(self.all.intern((paths, marks)).0)
    }

    /// The set with additional annotations.
    pub(crate) fn marked(&mut self, participants: ParticipantsId, marks: Marks) -> ParticipantsId {
        let (paths, known) = self.all.get(participants.0).clone();
        ParticipantsId(self.all.intern((paths, known.or(marks))).0)
    }

    /// The paths of the participants; empty outside of any composition.
    pub(crate) fn paths(&self, participants: ParticipantsId) -> &[Vec<u32>] {
        &self.all.get(participants.0).0
    }

    /// The fairness annotations.
    pub(crate) fn marks(&self, participants: ParticipantsId) -> Marks {
        self.all.get(participants.0).1
    }
}
