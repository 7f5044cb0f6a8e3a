//! Formulas about timed processes, decided on zone graphs.
//!
//! Each run leads along nodes of the zone graph, and ends at a node without steps if it ends. So a formula that all
//! runs of nodes satisfy is satisfied by all runs. A run of nodes that violates it is refined to a run of the process
//! ([`along`](super::along)); if there is none, whole units of time decide. Fairness, non-Zenoness and enabledness
//! differ between the valuations of a zone, so such formulas are left to other forms.

use super::super::checker::Checker;
use super::super::decided::Decided;
use super::super::failed::Failed;
use super::settings;
use super::source::Asking;
use decide::{Evidence, FormulaSystem, FoundRun, LoweredFormula, Reason, Violation, decide_formula, occurring_in};
use fixedbitset::FixedBitSet;
use frontend::State;
use frontend::formula::{Fair, Logic, Question, Zeno};
use lts::Label;
use progress::Attempt;
use temporal::{Fact, Structure, View};

impl Checker<'_> {
    /// Decides a formula by zones. None if that is inconclusive.
    pub(super) fn decide_in_zones(&mut self, process: State, question: &Question) -> Result<Option<Decided>, Failed> {
        if !speaks_of_single_runs(question) {
            return Ok(None);
        }
        let Some((lts, states)) = self.nodes_by_zones(process)? else { return Ok(None) };
        let structure = Structure::partly_known(&lts, FixedBitSet::with_capacity(lts.n_states()));
        let mut asking = Asking::new(process, question);
        let formula = self.lower_formula(&mut asking, &occurring_in(&structure), &states)?;
        if !is_same_in_zones(&formula) {
            return Ok(None);
        }
        let problem = self.formula_problem(question, &formula, FormulaSystem::Explicit(&structure));
        let progress = self.options.progress.clone();
        let decided = decide_formula(&problem, None, &self.options.limits, &*progress);
        match decided.verdict {
            decide::Verdict::Holds => {}
            decide::Verdict::Unknown(Reason::Stopped(stop)) if stop != progress::Stop::Budget => {
                return Err(Failed::Stopped(stop));
            }
            decide::Verdict::Fails(Evidence::Violation(Violation::Property(violated))) => {
                let FoundRun::Explicit(run) = &violated.run else { return Ok(None) };
                let labels: Vec<Label> = run.steps.iter().map(|step| structure.action(step).label).collect();
                return self.refute_along(process, question, &labels, run.ending);
            }
            decide::Verdict::Unknown(_) | decide::Verdict::Fails(_) => return Ok(None),
        }
        let mut report = settings::describe(question);
        settings::tell(&mut report, &decided.formula);
        self.note_absent_events(&problem.system.occurring(), question, &mut report);
        progress.attempted(Attempt::new("zones", progress::Outcome::Decided, decided.statistics.n_states));
        let (statistics, temporal) = (decided.statistics, Some(Box::new(report)));
        Ok(Some(Decided { temporal, ..Decided::holds(statistics) }))
    }
}

/// Whether a formula speaks about single runs without fairness.
fn speaks_of_single_runs(question: &Question) -> bool {
    question.logic == Logic::Ltl
        && question.rules.view == View::Step
        && question.formula.premise.is_none()
        && matches!(question.choices.fairness, None | Some(Fair::None))
        && question.choices.zeno != Some(Zeno::Excluded)
}

/// Whether the facts of a formula are the same for all valuations of a zone.
fn is_same_in_zones(formula: &LoweredFormula) -> bool {
    let LoweredFormula::Linear(properties) = formula else { return false };
    let mut facts = properties.iter().flat_map(|property| &property.facts);
    facts.all(|fact| matches!(fact, Fact::Takes(_) | Fact::Terminated | Fact::Among(_)))
}
