//! Linear time: the product of a system and an automaton, on the fly or on all states.

use super::report::{Algorithm, Found, Reduced, Searched, Undecided};
use super::{Decider, FormulaSystem, Open, Outcome, report, violated};
use crate::engine::{Engine, Problem, Report};
use crate::schedule::{Features, Logic};
use lts::{Reason, Verdict};
use progress::Progress;
use property::{Property, Rules};
use temporal::product::{self, Answer};
use temporal::reduction::Refusal;
use temporal::{Ending, Structure, atoms, silence};

/// The product on the states near the start: most properties that fail do so early.
pub struct ProductOnTheFly;

impl Engine for ProductOnTheFly {
    fn name(&self) -> &'static str {
        "product-on-the-fly"
    }

    fn applies(&self, features: &Features) -> bool {
        features.property.formula().is_some_and(|formula| {
            formula.logic == Logic::Linear
                && formula.is_network
                && !formula.needs_all_states
                && formula.reduction.is_none()
        })
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| decider.decide_linear(decider.problem.properties(), 0))
    }
}

/// The product on all states; the tableau for formulas that mix past and future.
pub struct ExplicitProduct;

impl Engine for ExplicitProduct {
    fn name(&self) -> &'static str {
        "product"
    }

    fn applies(&self, features: &Features) -> bool {
        let is_meant = |formula: &crate::FormulaFeatures| {
            formula.logic == Logic::Linear && (formula.reduction.is_none() || !formula.is_network)
        };
        features.property.formula().is_some_and(is_meant)
    }

    fn decide(&self, problem: &Problem<'_, '_>, progress: &dyn Progress) -> Report {
        report(problem, progress, |decider| {
            let is_explicit = matches!(decider.problem.system, FormulaSystem::Explicit(_));
            if is_explicit && decider.problem.reduction.is_some() {
                decider.details.note(Reduced::Refused(Refusal::NoNetwork));
            }
            if decider.structure().is_none() {
                decider.explore()?;
            }
            decider.decide_linear(decider.problem.properties(), 0)
        })
    }
}

impl Decider<'_, '_> {
    /// Decides properties, the first of which has this number; none if too little of the system is known.
    pub(super) fn decide_linear(&mut self, properties: &[Property], first: usize) -> Outcome {
        for (number, property) in (first..).zip(properties) {
            let Searched { found, sealed } = self.search(property)?;
            let run = match found {
                Found::Nothing => continue,
                Found::TooLittle => return Ok(None),
                Found::Run(run) => run,
            };
            return match self.judge(property, &run) {
                Ok(seen) => Ok(Some(violated(number, run, sealed, seen))),
                // Whether a run is a bad prefix cannot always be judged by its states alone.
                Err(_) if run.ending() == Ending::Any && !self.is_whole() => Ok(None),
                Err(why) => Err(Undecided::NotReplayed(why)),
            };
        }
        Ok(Some(Verdict::Holds))
    }

    /// Searches for a run that violates a property, on what is known of the system.
    fn search(&mut self, property: &Property) -> Result<Searched, Undecided> {
        if self.structure().is_none() && !self.problem.needs_all_states() {
            return self.search_on_the_fly(property);
        }
        let Some(structure) = self.structure() else { return Ok(Searched::too_little()) };
        let (answer, algorithm) = decide_explicit(structure, property, self.problem.rules, self.progress);
        let found = match &answer.verdict {
            Verdict::Holds => Found::Nothing,
            Verdict::Fails(run) => Found::Run(self.run(run.clone())?),
            Verdict::Unknown(Reason::Open) => Found::TooLittle,
            Verdict::Unknown(reason) => return Err((*reason).into()),
        };
        self.details.count(algorithm, &answer.statistics);
        Ok(Searched::new(found, &answer))
    }

    fn search_on_the_fly(&mut self, property: &Property) -> Result<Searched, Undecided> {
        let Some(Open { system, learned }) = &mut self.network else { return Ok(Searched::too_little()) };
        let Some(mut growing) = learned.on_the_fly(system, self.budget, self.limits, self.progress) else {
            return Ok(Searched::too_little());
        };
        let answer = product::decide(&mut growing, property, self.problem.rules, self.progress);
        self.details.count(Algorithm::Automaton, &answer.statistics);
        let found = match &answer.verdict {
            Verdict::Holds => Found::Nothing,
            Verdict::Fails(run) => {
                Found::Run(system.run(run, &learned.reduction, |state| growing.configuration(state))?)
            }
            Verdict::Unknown(Reason::Open | Reason::MixedPast | Reason::TooLarge) => Found::TooLittle,
            Verdict::Unknown(reason) => return Err((*reason).into()),
        };
        learned.keep(growing);
        Ok(Searched::new(found, &answer))
    }
}

/// Decides a property of what is known of a system.
fn decide_explicit(
    structure: &Structure,
    property: &Property,
    rules: &Rules,
    progress: &dyn Progress,
) -> (Answer, Algorithm) {
    let answer = silence::decide(structure, property, rules, progress);
    if !matches!(answer.verdict, Verdict::Unknown(Reason::MixedPast | Reason::TooLarge)) {
        return (answer, Algorithm::Automaton);
    }
    let verdict = atoms::decide(structure, property, rules, progress);
    (Answer { verdict, ..answer }, Algorithm::Tableau)
}
