//! Who takes part in a move.
//!
//! A process is told from others by where it stands: its place in the composition around it, in front of that the place of this
//! composition in the next one, and so on. So `(P ||| Q) ||| R` are three processes, and each is the same one whatever it has become.

use crate::code::Interner;
use hashbrown::HashMap;

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
    all: Interner<Paths>,
    inside: HashMap<(TeamId, u32), TeamId>,
    joined: HashMap<(TeamId, TeamId), TeamId>,
}

impl Teams {
    pub(super) fn new() -> Teams {
        let mut all = Interner::default();
        all.intern(Paths::new());
        Teams { all, inside: HashMap::new(), joined: HashMap::new() }
    }

    /// The same processes, seen from a composition in which they have a place.
    pub(crate) fn at(&mut self, place: u32, team: TeamId) -> TeamId {
        let Teams { all, inside, .. } = self;
        *inside.entry((team, place)).or_insert_with(|| {
            let paths = match &all.get(team.0)[..] {
                [] => vec![vec![place]],
                paths => paths.iter().map(|path| [&[place][..], path].concat()).collect(),
            };
            TeamId(all.intern(paths).0)
        })
    }

    /// The processes of two teams.
    pub(crate) fn join(&mut self, one: TeamId, other: TeamId) -> TeamId {
        let Teams { all, joined, .. } = self;
        *joined.entry((one, other)).or_insert_with(|| {
            let mut paths = [&all.get(one.0)[..], all.get(other.0)].concat();
            paths.sort_unstable();
            paths.dedup();
            TeamId(all.intern(paths).0)
        })
    }

    /// Where the processes of a team stand; nowhere in particular if it is all there is.
    pub(crate) fn paths(&self, team: TeamId) -> &[Vec<u32>] {
        self.all.get(team.0)
    }
}
