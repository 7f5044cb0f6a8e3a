//! Processes in the sense of fairness: the components of a term, by their positions in nested parallel operators.
//!
//! Positions survive every step and do not depend on how terms are explored or compiled, so they are what a process is
//! known by. Here they get numbers.

use crate::{TeamId, Teams};
use hashbrown::HashMap;
use model::network::ProcessId;
use std::sync::Arc;

/// Numbers for processes.
#[derive(Clone, Debug, Default)]
pub struct ProcessTable {
    paths: Vec<Vec<u32>>,
    numbers: HashMap<Vec<u32>, ProcessId>,
    by_team: HashMap<TeamId, Arc<[ProcessId]>>,
}

impl ProcessTable {
    /// The processes of a team, in ascending order; None if these are too many to be listed.
    pub fn processes(&mut self, teams: &Teams, team: TeamId) -> Option<Arc<[ProcessId]>> {
        if let Some(known) = self.by_team.get(&team) {
            return Some(known.clone());
        }
        let mut processes: Vec<ProcessId> = teams.paths(team)?.into_iter().map(|path| self.number(path)).collect();
        processes.sort_unstable();
        let processes: Arc<[ProcessId]> = processes.into();
        self.by_team.insert(team, processes.clone());
        Some(processes)
    }

    fn number(&mut self, path: Vec<u32>) -> ProcessId {
        let ProcessTable { paths, numbers, .. } = self;
        *numbers.entry(path).or_insert_with_key(|path| {
            paths.push(path.clone());
            ProcessId(paths.len() as u32 - 1)
        })
    }

    /// The positions of all processes, by number.
    pub fn paths(&self) -> &[Vec<u32>] {
        &self.paths
    }
}
