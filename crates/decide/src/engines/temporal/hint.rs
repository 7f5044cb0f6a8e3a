//! The weakest fairness under which a violated formula holds.

use super::{FormulaProblem, FormulaSystem, Violation};
use explore::Limits;
use limits::effort::trials::MAX_HINT_STATES;
use model::participants::Marks;
use progress::Progress;
use property::{Notion, Property};
use temporal::{Ending, Structure, silence};

/// The weakest notion of fairness under which all properties hold of which one is violated without any; none if there
/// is none, or if it was not found. The function gives an explicit system of about so many states, with the processes
/// that take part in its steps.
pub fn weakest_fairness(
    problem: &FormulaProblem<'_>,
    violation: &Violation,
    limits: &Limits,
    progress: &dyn Progress,
    with_processes: impl FnOnce(usize) -> Option<Structure>,
) -> Option<Notion> {
    let properties = problem.properties();
    if !may_help(properties, violation) {
        return None;
    }
    let suffices = |structure: &Structure, notion: Notion| {
        properties.iter().all(|property| holds(structure, property, notion, problem, progress))
    };
    // The weakest notion does not depend on processes.
    let is_weakest = problem
        .system
        .with_all_steps(|known| known.n_states() <= MAX_HINT_STATES && suffices(known, Notion::EventWeak));
    if is_weakest == Some(true) {
        return Some(Notion::EventWeak);
    }
    let n_states = match &problem.system {
        FormulaSystem::Network(_) => MAX_HINT_STATES,
        FormulaSystem::Explicit(structure) => (structure.n_states() - structure.n_open()).min(MAX_HINT_STATES),
    };
    let structure = with_processes(n_states.min(usize::try_from(limits.states()).unwrap_or(usize::MAX)))?;
    let has_marks = structure.actions().iter().any(|action| action.marks != Marks::NONE);
    let notions = Notion::ALL.into_iter().filter(|&notion| has_marks || notion != Notion::Annotated);
    notions.into_iter().find(|&notion| suffices(&structure, notion))
}

/// Fairness excludes neither bad prefixes nor finite runs.
fn may_help(properties: &[Property], violation: &Violation) -> bool {
    let Violation::Property(violated) = violation else { return false };
    let is_free = properties.iter().all(|property| property.fairness.is_none());
    is_free && violated.sealed.is_none() && matches!(violated.run.ending(), Ending::Loop(_))
}

fn holds(
    structure: &Structure,
    property: &Property,
    notion: Notion,
    problem: &FormulaProblem<'_>,
    progress: &dyn Progress,
) -> bool {
    let mut property = property.clone();
    property.fairness.alternatives = vec![vec![notion.condition()]];
    silence::holds(structure, &property, problem.rules, progress) == Some(true)
}
