//! Branching time: states are labeled with the subformulas that hold there, near the start or everywhere.

use super::report::{Algorithm, FoundRun, Reduced, Undecided};
use super::{Decider, LoweredFormula, Open, Outcome, Violation, report};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::{Features, Logic};
use lts::{Reason, Verdict};
use progress::Progress;
use property::BranchingProperty;
use temporal::reduction::Refusal;
use temporal::{Run, Structure, ctl};

/// Labeling of the states near the start, which decides many formulas.
pub struct LabelingOnTheFly;

impl Engine for LabelingOnTheFly {
    fn name(&self) -> &'static str {
        "labeling-on-the-fly"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| formula.logic == Logic::Branching && formula.is_network)
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| match decider.branching() {
            Some(property) => decider.label_on_the_fly(property),
            None => Ok(None),
        })
    }
}

/// Labeling of all states.
pub struct Labeling;

impl Engine for Labeling {
    fn name(&self) -> &'static str {
        "labeling"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| formula.logic == Logic::Branching)
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| match decider.branching() {
            Some(property) => decider.label_explicit(property),
            None => Ok(None),
        })
    }
}

impl<'n> Decider<'_, 'n> {
    fn branching(&mut self) -> Option<&'n BranchingProperty> {
        let LoweredFormula::Branching(property) = self.problem.formula else { return None };
        self.details.algorithm = Algorithm::Labeling;
        if self.problem.reduction.is_some() {
            self.details.note(Reduced::Refused(Refusal::Branching));
        }
        Some(property)
    }

    fn label_on_the_fly(&mut self, property: &BranchingProperty) -> Outcome {
        let progress = self.progress;
        let Some(Open { system, learned }) = &mut self.network else { return Ok(None) };
        let Some(mut growing) = learned.on_the_fly(system, self.budget, self.limits, progress) else {
            return Ok(None);
        };
        let near = growing.beginning();
        let Some(labeled) = label(&near, property, progress)? else { return Ok(None) };
        let outcome =
            outcome(labeled, |run| system.run(&run, &learned.reduction, |state| growing.configuration(state)));
        learned.keep(growing);
        outcome
    }

    fn label_explicit(&mut self, property: &BranchingProperty) -> Outcome {
        if self.structure().is_none() {
            self.explore()?;
        }
        let Some(structure) = self.structure() else { return Ok(None) };
        let Some(labeled) = label(structure, property, self.progress)? else { return Ok(None) };
        outcome(labeled, |run| self.run(run))
    }
}

/// Whether a formula holds, and if it does not, a run that shows it, if one can. None if too little of the system is
/// known.
fn label(
    structure: &Structure,
    property: &BranchingProperty,
    progress: &dyn Progress,
) -> Result<Option<Verdict<Option<Run>>>, Undecided> {
    match ctl::decide(structure, property, progress) {
        Verdict::Unknown(Reason::Open) => Ok(None),
        Verdict::Unknown(reason) => Err(reason.into()),
        verdict => Ok(Some(verdict)),
    }
}

fn outcome(labeled: Verdict<Option<Run>>, found: impl FnOnce(Run) -> Result<FoundRun, Undecided>) -> Outcome {
    Ok(Some(match labeled {
        Verdict::Fails(run) => Verdict::Fails(Violation::Formula(run.map(found).transpose()?)),
        Verdict::Holds => Verdict::Holds,
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    }))
}
