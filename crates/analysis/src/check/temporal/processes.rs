//! The processes of a run: what they are called, and that a network knows who takes its steps.

use super::super::checker::{Checker, Failed};
use lts::Label;
use process::compile::{Compiled, seen};
use process::{Roster, TermId};
use std::collections::BTreeSet;
use temporal::NetworkRun;

/// What is possible in a state: what is seen, and the positions of those who take part.
type Offers = BTreeSet<(Label, Vec<Vec<u32>>)>;

impl Checker<'_> {
    /// The terms that a run of a network leads through, where its states stand for such.
    pub(super) fn scenes(&mut self, start: TermId, compiled: &Compiled, run: &NetworkRun) -> Vec<Option<TermId>> {
        let later = run.steps.iter().map(|(_, configuration)| compiled.term(&mut self.terms, configuration));
        [Some(start)].into_iter().chain(later).collect()
    }

    /// The name of the process at some positions, by the first of these terms that has one there.
    pub(super) fn process_name(&mut self, path: &[u32], scenes: &[Option<TermId>]) -> String {
        let at = |&scene: &TermId| self.table.component_at(&self.terms, scene, path);
        match scenes.iter().flatten().find_map(at) {
            Some(component) => self.component(&component).name,
            None => "a process".to_owned(),
        }
    }

    /// Compares who may take which steps in the states of a run, by the rules of the network and by the steps of terms.
    pub(super) fn compare_crews(
        &mut self,
        compiled: &Compiled,
        run: &NetworkRun,
        scenes: &[Option<TermId>],
    ) -> Result<(), Failed> {
        let Some(crews) = &compiled.crews else { return Ok(()) };
        let configurations = [&run.start].into_iter().chain(run.steps.iter().map(|(_, configuration)| configuration));
        for (configuration, scene) in configurations.zip(scenes) {
            let Some(term) = *scene else { continue };
            let steps = compiled.network.steps(configuration);
            let told: Offers = steps
                .iter()
                .map(|step| (step.label, paths(&compiled.roster, crews.of(configuration.mode, step.rule))))
                .collect();
            if told != self.offers(term)? {
                return Err(Failed::not_replayed("other processes take its steps than those of the network"));
            }
        }
        Ok(())
    }

    fn offers(&mut self, term: TermId) -> Result<Offers, Failed> {
        let Checker { table, terms, evaluator, .. } = self;
        let steps = match table.steps(terms, evaluator, term) {
            Ok(steps) => steps.to_vec(),
            Err(error) => return Err(self.failed_step(&error)),
        };
        Ok(steps.iter().map(|step| (seen(step.label), self.table.teams().paths(step.team))).collect())
    }
}

fn paths(roster: &Roster, crew: &[model::network::ProcessId]) -> Vec<Vec<u32>> {
    let mut paths: Vec<Vec<u32>> = crew.iter().map(|&process| roster.path(process).to_vec()).collect();
    paths.sort_unstable();
    paths
}
