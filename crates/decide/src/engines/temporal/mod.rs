//! Engines for temporal formulas.
//!
//! A formula about a network is decided in stages: on the states near the start, by deadlocked runs, by a proof under
//! partial-order reduction, by bottom components, and at last on all states. What one stage explores the next ones use.
//! A formula about an explicit system has one stage. Formulas are lowered before an engine runs: nothing here knows a
//! language.

mod branching;
mod components;
mod deadlocks;
mod hint;
mod lasso;
mod linear;
mod reduced;
mod report;
mod system;

pub use branching::{Labeling, LabelingOnTheFly};
pub use components::BottomComponents;
pub use deadlocks::DeadlockedRuns;
pub use hint::weakest_fairness;
pub use lasso::LassoSearch;
pub use linear::{ExplicitProduct, ProductOnTheFly};
pub use reduced::{PartialOrderProof, ReducedProduct};
pub use report::{Algorithm, FormulaDetails, FoundRun, Reduced, Seen, Silence, ViolatedProperty, Violation};
pub use system::{FormulaSystem, NetworkSystem, occurring_in, occurring_in_network};

use crate::engine::{Evidence, Problem, Report};
use explore::Limits;
use lts::{Reason, Verdict};
use progress::Progress;
use property::{BranchingProperty, Divergence, Property, ReductionKind, Rules, View};
use report::Undecided;
use std::sync::MutexGuard;
use system::Learned;
use temporal::{Run, Structure, evaluate, replay};

/// A formula about a system.
pub struct FormulaProblem<'a> {
    /// The formula, lowered to properties of labels and states.
    pub formula: &'a LoweredFormula,
    /// The rules by which runs count.
    pub rules: &'a Rules,
    /// The reduction that the user asked for.
    pub reduction: Option<ReductionKind>,
    /// Whether a proof may use partial-order reduction that the user did not ask for.
    pub allows_partial_order: bool,
    /// The system.
    pub system: FormulaSystem<'a>,
}

/// A temporal formula, lowered.
#[derive(Debug)]
pub enum LoweredFormula {
    /// All runs satisfy these properties.
    Linear(Vec<Property>),
    /// A formula of branching time.
    Branching(BranchingProperty),
}

impl FormulaProblem<'_> {
    /// The linear-time properties; none if time branches.
    pub fn properties(&self) -> &[Property] {
        match self.formula {
            LoweredFormula::Linear(properties) => properties,
            LoweredFormula::Branching(_) => &[],
        }
    }

    /// Whether the rules ask for a report on divergence.
    pub(crate) fn asks_for_silence(&self) -> bool {
        self.rules.view == View::Trace && self.rules.divergence == Divergence::Report
    }

    /// Whether a property is decided only when all divergences are known.
    pub(crate) fn needs_all_states(&self) -> bool {
        self.rules.view == View::Trace && self.rules.divergence == Divergence::AsDeadlock
    }

    /// Adds to a proof whether the system diverges, if the rules ask for that and it is known without further search.
    pub(crate) fn add_silence(&self, report: &mut Report) {
        let is_proof = matches!(report.verdict, Verdict::Holds);
        if is_proof && self.asks_for_silence() && report.formula.silence == Silence::Unknown {
            report.formula.silence = self.system.silence(self.rules);
        }
    }

    /// Whether bottom components alone decide all properties.
    pub(crate) fn is_decided_by_components(&self) -> bool {
        components::are_decided_by_components(self.properties(), self.rules)
    }
}

/// The verdict of an engine: [`None`] if it leaves the formula to the next one.
type Outcome = Result<Option<Verdict<Violation>>, Undecided>;

/// Runs an engine on a formula, and makes a report of its outcome.
fn report(
    problem: &Problem<'_, '_>,
    progress: &dyn Progress,
    decide: impl FnOnce(&mut Decider<'_, '_>) -> Outcome,
) -> Report {
    let Some(formula) = problem.formula() else { return Report::unknown(Reason::Unsupported) };
    let mut decider = Decider::new(formula, problem, progress);
    let outcome = decide(&mut decider);
    let mut variant = String::new();
    let verdict = match outcome {
        Ok(None) => Verdict::Unknown(Reason::BUDGET),
        Ok(Some(verdict)) => verdict,
        Err(Undecided::Unknown(reason)) => Verdict::Unknown(reason),
        Err(Undecided::Failed(before, failed)) => Verdict::Fails(Violation::Failure(before, failed)),
        Err(Undecided::NotReplayed(why)) => {
            variant = why;
            Verdict::Unknown(Reason::Unconfirmed)
        }
    };
    let formula = decider.details;
    Report { variant, formula, ..Report::of(verdict.map(Evidence::Violation)) }
}

/// The parts of a formula problem that engines use while they run.
struct Decider<'p, 'n> {
    problem: &'p FormulaProblem<'n>,
    network: Option<Open<'p, 'n>>,
    limits: &'p Limits,
    budget: u64,
    progress: &'p dyn Progress,
    details: FormulaDetails,
}

/// A network with exclusive access to what was learned of it.
struct Open<'p, 'n> {
    system: &'p NetworkSystem<'n>,
    learned: MutexGuard<'p, Learned<'n>>,
}

impl<'p, 'n> Decider<'p, 'n> {
    fn new(formula: &'p FormulaProblem<'n>, problem: &'p Problem<'_, '_>, progress: &'p dyn Progress) -> Self {
        let network = match &formula.system {
            FormulaSystem::Network(system) => Some(Open { system, learned: system.learned() }),
            FormulaSystem::Explicit(_) => None,
        };
        let (limits, budget) = (problem.limits, problem.budget);
        Decider { problem: formula, network, limits, budget, progress, details: FormulaDetails::default() }
    }

    /// The explicit system, as far as it is known.
    fn structure(&self) -> Option<&Structure> {
        match (&self.network, &self.problem.system) {
            (Some(open), _) => open.learned.structure(),
            (None, FormulaSystem::Explicit(structure)) => Some(structure),
            (None, FormulaSystem::Network(_)) => None,
        }
    }

    fn is_whole(&self) -> bool {
        self.structure().is_some_and(|structure| structure.n_open() == 0)
    }

    /// Explores all states of a network.
    fn explore(&mut self) -> Result<(), Undecided> {
        match &mut self.network {
            Some(Open { system, learned }) => learned.explore(system, self.limits, self.progress),
            None => Ok(()),
        }
    }

    /// A run of the explicit system.
    fn run(&self, run: Run) -> Result<FoundRun, Undecided> {
        match &self.network {
            Some(Open { system, learned }) => learned.run(system, &run),
            None => Ok(FoundRun::Explicit(run)),
        }
    }

    /// Judges a run by the definitions of operators and fairness; a run of a network on the interpreter of networks.
    fn judge(&self, property: &Property, run: &FoundRun) -> Result<Option<Seen>, String> {
        let rules = self.problem.rules;
        match (run, &self.network, &self.problem.system) {
            (FoundRun::Network(run), Some(Open { system, .. }), _) => {
                let (structure, run) = replay(system.original(), system.actions().conditions(), property, rules, run)?;
                Ok(Some(Seen { structure, run }))
            }
            (FoundRun::Explicit(run), None, FormulaSystem::Explicit(structure)) => {
                evaluate::violates(structure, property, rules, run).map(|_| None)
            }
            _ => Err("it is a run of another system".to_owned()),
        }
    }
}

/// The verdict that a run violates a property.
fn violated(property: usize, run: FoundRun, sealed: Option<usize>, seen: Option<Seen>) -> Verdict<Violation> {
    Verdict::Fails(Violation::Property(Box::new(ViolatedProperty { property, run, sealed, seen })))
}
