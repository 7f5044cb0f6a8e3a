//! The meaning of actions of machines: a label, and the team inside of the machine that takes the step.
//!
//! A machine may hold components that run in parallel. Where it matters which of them takes a step, steps of different
//! components are different actions, so that putting components into one machine loses nothing.

use crate::TeamId;
use hashbrown::HashMap;
use lts::Label;
use model::network::Action;

/// The part of a machine in a step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct TeamAction {
    pub(super) label: Label,
    pub(super) team: TeamId,
}

/// Actions of machines, by what they stand for.
///
/// A step that the machine takes as a whole has the number of its label. Others are numbered behind all labels.
#[derive(Debug, Default)]
pub(super) struct TeamActions {
    by_teams: Vec<TeamAction>,
    numbers: HashMap<TeamAction, Action>,
}

/// Where the actions of teams begin. Those of termination begin at the other end of the numbers.
const FIRST: u32 = 1 << 30;

impl TeamActions {
    pub(super) fn action(&mut self, team_action: TeamAction) -> Action {
        if team_action.team == TeamId::WHOLE {
            return Action(team_action.label.0);
        }
        let TeamActions { by_teams, numbers } = self;
        *numbers.entry(team_action).or_insert_with(|| {
            by_teams.push(team_action);
            Action(FIRST + by_teams.len() as u32 - 1)
        })
    }

    /// The meaning of an action; None if it belongs to the termination of operators around the machine.
    pub(super) fn team_action(&self, action: Action) -> Option<TeamAction> {
        match action.0.checked_sub(FIRST) {
            None => Some(TeamAction { label: Label(action.0), team: TeamId::WHOLE }),
            Some(place) => self.by_teams.get(place as usize).copied(),
        }
    }
}
