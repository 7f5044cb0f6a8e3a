//! Watchdogs as scripts, for other tools.

use super::checker::Checker;
use super::failed::Failed;
use decide::Watchdog;
use frontend::{Asserted, Effort, Fidelity, WatchdogToWrite};
use lts::Model;
use source::Diagnostic;

impl Checker<'_> {
    /// A script that includes this one by the given path, with the watchdogs of refinements, and the assertion that
    /// each refinement becomes.
    ///
    /// # Errors
    /// When an assertion is no refinement in traces or failures, cannot be evaluated, or a limit is reached.
    pub fn watchdog_text(&mut self, indices: &[usize], include: &str) -> Result<String, Box<Diagnostic>> {
        let mut watchdogs = Vec::new();
        for &index in indices {
            let span = self.session.assertions()[index - 1].span;
            let (watchdog, watches_refusals) = self.watchdog(index).map_err(|failed| self.diagnose(failed, span))?;
            let events = watchdog.alphabet.iter().map(|&label| (label, self.label_text(label)));
            let events: Vec<_> = events.collect();
            watchdogs.push((index, watchdog, events, watches_refusals));
        }
        let to_write: Vec<WatchdogToWrite<'_>> = watchdogs
            .iter()
            .map(|(index, watchdog, events, watches_refusals)| WatchdogToWrite {
                index: *index,
                system: &watchdog.system,
                events,
                alarm: watchdog.alarm,
                watches_refusals: *watches_refusals,
            })
            .collect();
        let span = indices.first().map(|index| self.session.assertions()[index - 1].span).unwrap_or_default();
        let text = self.session.script.watchdogs(include, &to_write);
        text.map_err(|why| self.diagnose(Failed::unsupported(&why), span))
    }

    fn watchdog(&mut self, index: usize) -> Result<(Watchdog, bool), Failed> {
        let asserted = self.semantics.asserted(index)?;
        let Asserted::Refines { specification, implementation, model } = asserted else {
            return Err(Failed::unsupported("there are watchdogs of specifications only: this is no refinement"));
        };
        if !matches!(model, Model::Traces | Model::Failures) {
            return Err(Failed::unsupported("a watchdog sees traces and failures only: it needs [T= or [F="));
        }
        let specification = self.specification(specification, model)?;
        let lowered = self.network(implementation, Fidelity::of_runs(model), Effort::Full)?;
        let Some(lowered) = lowered.filter(|lowered| lowered.open.is_empty()) else {
            return Err(Failed::unsupported("the events of the implementation were not found out"));
        };
        let progress = self.options.progress.clone();
        Ok((Watchdog::new(&lowered.network, &specification, &*progress)?, model.sees_failures()))
    }
}
