//! Whether fairness would have helped.

use super::Setting;
use super::answer::{Decision, Outcome};
use super::source::Source;
use super::subject::{Subject, n_known};
use crate::{Ending, Property, Structure, silence};
use model::participants::Marks;
use property::Notion;

/// Systems with more states are not looked at once more.
const MAX_STATES: usize = 300_000;

/// The weakest notion of fairness under which all properties hold of which one fails without any; nothing if there is none, or if
/// it was not found out.
pub fn weakest_fairness<S: Source>(
    subject: &Subject<'_>,
    source: &mut S,
    decision: &Decision,
    setting: &Setting<'_>,
) -> Option<Notion> {
    if !may_help(decision) {
        return None;
    }
    let suffices = |structure: &Structure, notion: Notion| {
        decision.properties.iter().all(|property| holds(structure, property, notion, setting))
    };
    // Who takes a step does not matter for the weakest one.
    if let Some(known) = all_steps(subject)
        && suffices(known, Notion::EventWeak)
    {
        return Some(Notion::EventWeak);
    }
    let n_states = match subject {
        Subject::Network(_) => MAX_STATES,
        Subject::Walk(structure) => n_known(structure).min(MAX_STATES),
    };
    let structure = source.with_processes(n_states.min(setting.most_states()))?;
    let has_marks = structure.actions().iter().any(|action| action.marks != Marks::NONE);
    let notions = Notion::ALL.into_iter().filter(|&notion| has_marks || notion != Notion::Annotated);
    notions.into_iter().find(|&notion| suffices(&structure, notion))
}

/// Fairness saves no property that is broken already, and none that is broken by a run that ends.
fn may_help(decision: &Decision) -> bool {
    let Outcome::Broken(broken) = &decision.outcome else { return false };
    let is_free = decision.properties.iter().all(|property| property.fairness.is_none());
    is_free && broken.sealed.is_none() && matches!(broken.run.ending(), Ending::Loop(_))
}

/// What is known of a system, if none of its steps was left out.
fn all_steps<'s>(subject: &'s Subject<'_>) -> Option<&'s Structure> {
    let has_all = match subject {
        Subject::Network(network) => network.has_all_steps(),
        Subject::Walk(_) => true,
    };
    subject.structure().filter(|structure| has_all && structure.n_states() <= MAX_STATES)
}

fn holds(structure: &Structure, property: &Property, notion: Notion, setting: &Setting<'_>) -> bool {
    let mut property = property.clone();
    property.fairness.alternatives = vec![vec![notion.condition()]];
    silence::holds(structure, &property, setting.rules, setting.progress) == Some(true)
}
