//! What the actions of machines stand for: a label, and who takes the step inside of the machine.
//!
//! A machine may hold components that run side by side. Where it matters who takes a step, steps of different components are
//! different actions, so that putting components into one machine loses nothing.

use crate::TeamId;
use hashbrown::HashMap;
use lts::Label as Seen;
use model::network::Action;

/// What a machine does in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Deed {
    pub(super) label: Seen,
    pub(super) team: TeamId,
}

/// Actions of machines, by what they stand for.
///
/// A step that the machine takes as a whole has the number of its label. Others are numbered behind all labels.
#[derive(Debug, Default)]
pub(super) struct Deeds {
    by_teams: Vec<Deed>,
    numbers: HashMap<Deed, Action>,
}

/// Where the actions of teams begin. Those of termination begin at the other end of the numbers.
const FIRST: u32 = 1 << 30;

impl Deeds {
    pub(super) fn action(&mut self, deed: Deed) -> Action {
        if deed.team == TeamId::WHOLE {
            return Action(deed.label.0);
        }
        let Deeds { by_teams, numbers } = self;
        *numbers.entry(deed).or_insert_with(|| {
            by_teams.push(deed);
            Action(FIRST + by_teams.len() as u32 - 1)
        })
    }

    /// What an action stands for; nothing if it belongs to the termination of operators around the machine.
    pub(super) fn deed(&self, action: Action) -> Option<Deed> {
        match action.0.checked_sub(FIRST) {
            None => Some(Deed { label: Seen(action.0), team: TeamId::WHOLE }),
            Some(place) => self.by_teams.get(place as usize).copied(),
        }
    }
}
