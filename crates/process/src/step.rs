//! One step of a process, and who took it.

use crate::TermId;
use hashbrown::HashMap;
use limits::input::processes::MAX_POSITIONS;
use lts::Label;
use std::sync::Arc;

/// A step of a term.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The label that is visible.
    pub label: Label,
    /// The term it leads to.
    pub target: TermId,
    /// Which components took it.
    pub team: TeamId,
    /// Where its parts stand; [`crate::StepTable::parts`] reads them.
    pub(crate) parts: (u32, u32),
}

/// The share of one operand in a step of the whole: its `step`-th step, which can be asked for its own parts in turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Part {
    /// Position among [`crate::Term::operands`].
    pub operand: u32,
    /// Position among the steps of that operand. Below a priority, these are those with
    /// [`crate::Termination::Together`].
    pub step: u32,
}

/// Number of a team in [`Teams`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TeamId(pub u32);

impl TeamId {
    /// The component itself, when nothing inside it runs in parallel.
    pub const WHOLE: TeamId = TeamId(0);
}

/// The operands of a parallel operator that take part in a step, each with its own team.
///
/// Only parallel operators form teams; all others pass on the team of the operand that moves, and where operands of one
/// move together, all their teams. So a team names the components that took a step by their positions in nested
/// parallel operators, which survive every step, and nothing else. Equal numbers mean equal teams.
#[derive(Debug)]
pub struct Teams {
    teams: Vec<Arc<[(u32, TeamId)]>>,
    by_members: HashMap<Arc<[(u32, TeamId)]>, TeamId>,
}

/// The place of a team that is part of another one without a parallel operator between them.
const SAME: u32 = u32::MAX;

impl Default for Teams {
    fn default() -> Teams {
        let mut teams = Teams { teams: Vec::new(), by_members: HashMap::new() };
        teams.intern(&[]);
        teams
    }
}

impl Teams {
    pub(crate) fn intern(&mut self, members: &[(u32, TeamId)]) -> TeamId {
        if let Some(&known) = self.by_members.get(members) {
            return known;
        }
        let id = TeamId(self.teams.len() as u32);
        let members: Arc<[_]> = members.into();
        self.teams.push(members.clone());
        self.by_members.insert(members, id);
        id
    }

    /// All that are in some of these teams.
    pub(crate) fn union(&mut self, teams: impl Iterator<Item = TeamId>) -> TeamId {
        let mut members: Vec<(u32, TeamId)> = teams.map(|team| (SAME, team)).collect();
        members.sort_unstable();
        members.dedup();
        if let [(_, team)] = members[..] { team } else { self.intern(&members) }
    }

    /// The operands that took part, by position, with what took part inside them. Empty for [`TeamId::WHOLE`].
    fn members(&self, team: TeamId) -> &[(u32, TeamId)] {
        &self.teams[team.0 as usize]
    }

    /// The components that took part, each once, as the positions that lead to it from the outermost parallel operator.
    /// Nothing if these are too many to be written down: terms that double at each level are small, and have more
    /// components than there is memory.
    pub fn paths(&self, team: TeamId) -> Option<Vec<Vec<u32>>> {
        let mut paths = Vec::new();
        let mut n_positions = 0;
        let mut open = vec![(Vec::new(), team)];
        while let Some((path, team)) = open.pop() {
            for &(position, inner) in self.members(team).iter().rev() {
                let mut path = path.clone();
                path.extend((position != SAME).then_some(position));
                open.push((path, inner));
            }
            if team == TeamId::WHOLE {
                n_positions += 1 + path.len();
                paths.push(path);
            }
            if n_positions > MAX_POSITIONS {
                return None;
            }
        }
        paths.sort_unstable();
        paths.dedup();
        Some(paths)
    }
}
