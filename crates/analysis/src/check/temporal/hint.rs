//! Whether fairness would have helped.

use super::super::checker::Checker;
use super::super::report::Temporal;
use super::subject::{Form, FoundRun, Subject};
use frontend::formula::{Fair, Written};
use explore::{Limits, Reduction};
use super::super::walk::Takers;
use frontend::{Effort, Fidelity};
use temporal::{ActionNetwork, Ending, Property, Rules, Structure, silence};

/// Systems with more states are not looked at once more.
const MAX_STATES: u64 = 300_000;

/// From weak to strong.
const NOTIONS: [(Fair, &str); 5] = [
    (Fair::EventWeak, "event-weak"),
    (Fair::ProcessWeak, "process-weak"),
    (Fair::EventStrong, "event-strong"),
    (Fair::ProcessStrong, "process-strong"),
    (Fair::Global, "global"),
];

impl Checker<'_> {
    /// Says under which weakest notion of fairness a property holds that fails without any.
    pub(super) fn hint_at_fairness(
        &mut self,
        subject: &Subject<'_>,
        properties: &[(Property, Written)],
        rules: &Rules,
        found: &FoundRun,
        report: &mut Temporal,
    ) {
        let is_free = properties.iter().all(|(property, _)| property.fairness.is_none());
        if !matches!(found.ending(), Ending::Loop(_)) || !is_free {
            return;
        }
        match &subject.form {
            Form::States { structure, .. } => {
                let n_known = structure.n_states() - structure.n_open();
                let most = usize::try_from(MAX_STATES).unwrap_or(usize::MAX);
                let Ok(told) = self.walk_partly(subject.process, n_known.min(most), Takers::Told) else { return };
                if let Some(structure) = told.structure() {
                    report.weakest_fairness = self.weakest_fairness(structure, properties, rules);
                }
            }
            Form::Network { .. } => {
                // Fairness sees more than the formula does, so fewer compressions are allowed.
                let Ok(Some(lowered)) = self.network(subject.process, Fidelity::Processes, Effort::Little) else {
                    return;
                };
                let actions = ActionNetwork::new(&lowered.network, lowered.participants.as_deref());
                let limits = self.options.search_limits();
                let limits = Limits { max_states: limits.max_states.min(MAX_STATES), ..limits };
                if let Ok(explored) = actions.explore(Reduction::None, &limits, &*self.options.progress) {
                    report.weakest_fairness = self.weakest_fairness(&explored.structure, properties, rules);
                }
            }
        }
    }

    fn weakest_fairness(
        &self,
        structure: &Structure,
        properties: &[(Property, Written)],
        rules: &Rules,
    ) -> Option<&'static str> {
        let holds = |fair: Fair, property: &Property| {
            let mut property = property.clone();
            property.fairness.alternatives = vec![fair.condition().into_iter().collect()];
            silence::holds(structure, &property, rules, &*self.options.progress) == Some(true)
        };
        let suffices = |&&(fair, _): &&(Fair, &str)| properties.iter().all(|(property, _)| holds(fair, property));
        NOTIONS.iter().find(suffices).map(|(_, name)| *name)
    }
}
