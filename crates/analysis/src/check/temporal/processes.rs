//! The processes of a run: their names, and a check that the network assigns steps to the same processes as the
//! language.

use super::super::checker::Checker;
use super::super::failed::Failed;
use frontend::{Lowered, State, Step};
use lts::Label;
use model::network::ProcessId;
use model::participants::Marks;
use std::collections::BTreeSet;
use temporal::NetworkRun;

/// The enabled steps of a state: labels, positions of the participating processes, and fairness marks.
type Offers = BTreeSet<(Label, Vec<Vec<u32>>, Marks)>;

impl Checker<'_> {
    /// The states of the process along a run of its network, where configurations stand for such.
    pub(super) fn scenes(&mut self, start: State, lowered: &Lowered, run: &NetworkRun) -> Vec<Option<State>> {
        let later = run.steps.iter().map(|(_, configuration)| self.semantics.state_of(lowered.id, configuration));
        [Some(start)].into_iter().chain(later).collect()
    }

    /// The name of the process at a position, in the first of these states that has one there.
    pub(super) fn process_name(&mut self, path: &[u32], scenes: &[Option<State>]) -> String {
        let found = scenes.iter().flatten().find_map(|&scene| self.semantics.component_at(scene, path));
        found.map_or_else(|| "a process".to_owned(), |component| component.name)
    }

    /// Compares the participants of all steps along a run, by the rules of the network and by the definition of the
    /// language.
    pub(super) fn compare_participants(
        &mut self,
        lowered: &Lowered,
        run: &NetworkRun,
        scenes: &[Option<State>],
    ) -> Result<(), Failed> {
        let Some(participants) = &lowered.participants else { return Ok(()) };
        let configurations = [&run.start].into_iter().chain(run.steps.iter().map(|(_, configuration)| configuration));
        for (configuration, scene) in configurations.zip(scenes) {
            let Some(state) = *scene else { continue };
            let steps = lowered.network.steps(configuration);
            let told: Offers = steps
                .iter()
                .map(|step| {
                    let (mode, rule) = (configuration.mode, step.rule);
                    let paths = paths(&lowered.processes, participants.of(mode, rule));
                    (step.label, paths, participants.marks(mode, rule))
                })
                .collect();
            if told != self.offers(state)? {
                return Err(Failed::not_replayed("other processes take its steps than those of the network"));
            }
        }
        Ok(())
    }

    fn offers(&mut self, state: State) -> Result<Offers, Failed> {
        let mut steps: Vec<Step> = Vec::new();
        self.semantics.steps(state, &mut steps)?;
        let offer = |(place, step): (usize, &Step)| {
            Ok((step.label, self.semantics.takers(state, place)?, self.semantics.marks(state, place)))
        };
        steps.iter().enumerate().map(offer).collect()
    }
}

fn paths(processes: &[Vec<u32>], numbers: &[ProcessId]) -> Vec<Vec<u32>> {
    let mut paths: Vec<Vec<u32>> = numbers.iter().map(|process| processes[process.index()].clone()).collect();
    paths.sort_unstable();
    paths
}
