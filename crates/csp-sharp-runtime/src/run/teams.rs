//! Who takes part in a move, and what is asked of it.
//!
//! A process is told from others by where it stands: its place in the composition around it, in front of that the place of this
//! composition in the next one, and so on. So `(P ||| Q) ||| R` are three processes, and each is the same one whatever it has become.
//! What one of them asks for by a mark on its event is asked for by all that take part.

use crate::code::Interner;
use hashbrown::HashMap;
use model::participants::Marks;

/// Processes that move together, by their number in a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct TeamId(u32);

impl TeamId {
    /// What is no composition moves as a whole.
    pub(crate) const WHOLE: TeamId = TeamId(0);
}

/// Positions of processes in nested compositions, from the outermost; in ascending order.
type Paths = Vec<Vec<u32>>;

/// All teams that were met.
#[derive(Debug)]
pub(crate) struct Teams {
    all: Interner<(Paths, Marks)>,
    inside: HashMap<(TeamId, u32), TeamId>,
    joined: HashMap<(TeamId, TeamId), TeamId>,
}

impl Teams {
    pub(super) fn new() -> Teams {
        let mut all = Interner::default();
        all.intern((Paths::new(), Marks::NONE));
        Teams { all, inside: HashMap::new(), joined: HashMap::new() }
    }

    /// The same processes, seen from a composition in which they have a place.
    pub(crate) fn at(&mut self, place: u32, team: TeamId) -> TeamId {
        let Teams { all, inside, .. } = self;
        *inside.entry((team, place)).or_insert_with(|| {
            let (paths, marks) = all.get(team.0);
            let paths = match &paths[..] {
                [] => vec![vec![place]],
                paths => paths.iter().map(|path| [&[place][..], path].concat()).collect(),
            };
            let marks = *marks;
            TeamId(all.intern((paths, marks)).0)
        })
    }

    /// The processes of two teams.
    pub(crate) fn join(&mut self, one: TeamId, other: TeamId) -> TeamId {
        let Teams { all, joined, .. } = self;
        *joined.entry((one, other)).or_insert_with(|| {
            let ((paths, marks), (more, others)) = (all.get(one.0), all.get(other.0));
            let mut paths = [&paths[..], more].concat();
            let marks = marks.or(*others);
            paths.sort_unstable();
            paths.dedup();
            TeamId(all.intern((paths, marks)).0)
        })
    }

    /// The processes of several teams. Joined one by one, thousands of them would leave as many teams that are no one's.
    pub(crate) fn join_all(&mut self, teams: &[TeamId]) -> TeamId {
        if let [one, other] = *teams {
            return self.join(one, other);
        }
        let mut paths = Paths::new();
        let mut marks = Marks::NONE;
        for team in teams {
            let (more, others) = self.all.get(team.0);
            paths.extend_from_slice(more);
            marks = marks.or(*others);
        }
        paths.sort_unstable();
        paths.dedup();
        TeamId(self.all.intern((paths, marks)).0)
    }

    /// The same processes, whose move is marked.
    pub(crate) fn marked(&mut self, team: TeamId, marks: Marks) -> TeamId {
        let (paths, known) = self.all.get(team.0).clone();
        TeamId(self.all.intern((paths, known.or(marks))).0)
    }

    /// Where the processes of a team stand; nowhere in particular if it is all there is.
    pub(crate) fn paths(&self, team: TeamId) -> &[Vec<u32>] {
        &self.all.get(team.0).0
    }

    /// What is asked of its move.
    pub(crate) fn marks(&self, team: TeamId) -> Marks {
        self.all.get(team.0).1
    }
}
