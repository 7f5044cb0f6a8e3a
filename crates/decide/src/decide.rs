//! Entry points: from a claim and what the user asked for to a schedule.

use crate::answer::{NetworkAnswer, Reduced};
use crate::driver::{Conclusion, Meter, Task, drive};
use crate::engine::{ClaimProblem, Engine, Evidence, Problem, Report, Subject};
use crate::engines::sat::{Formulas, decide_by_formulas};
use crate::engines::search::{ExplicitSearch, search_reduced};
use crate::engines::temporal::{FormulaProblem, LassoSearch};
use crate::engines::watchdog::decide_watched;
use crate::observers::observer_of;
use crate::schedule::{Features, FormulaFeatures, PropertyKind, Role, Row, explicit, schedule};
use crate::{Claim, Reason, Statistics, Verdict};
use explore::{Limits, Refusal};
use model::network::Network;
use model::timed::TimedNetwork;
use progress::Progress;
use property::ReductionKind;
use symbolic::Settings;
use zones::{Question, TimedRun};

/// The engine that the user asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Method {
    /// Explicit search without reductions.
    Search,
    /// The engines of the schedule.
    Auto,
    /// A SAT engine.
    Formulas(Formulas),
    /// Refinement as a question about a watchdog, decided by composition or search.
    Watchdog,
    /// Zones of clock values, for timed systems.
    Zones,
}

impl Method {
    /// Whether states are visited one by one, at first at least.
    pub fn searches(self) -> bool {
        matches!(self, Method::Search | Method::Auto | Method::Zones)
    }
}

/// The reduction that the user asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Reduce {
    /// None.
    None,
    /// Whichever pays.
    #[default]
    Auto,
    /// This one from the first state on, if it is sound.
    By(ReductionKind),
}

/// Decides a claim about a network.
pub fn decide(
    claim: &Claim,
    network: &Network,
    method: Method,
    reduce: Reduce,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    match (method, reduce) {
        (Method::Formulas(how), _) => decide_by_formulas(claim, network, how, limits, progress).0,
        (Method::Watchdog, _) => decide_watched(claim, network, limits, progress),
        (_, Reduce::By(kind)) => decide_reduced(claim, network, kind, limits, progress),
        (Method::Auto, Reduce::Auto) => decide_by_schedule(claim, network, schedule, limits, progress),
        (Method::Auto, Reduce::None) => decide_by_schedule(claim, network, without_reductions, limits, progress),
        (Method::Search | Method::Zones, Reduce::Auto) => {
            decide_by_schedule(claim, network, reduced_search, limits, progress)
        }
        (Method::Search | Method::Zones, Reduce::None) => {
            decide_by_schedule(claim, network, explicit, limits, progress)
        }
    }
}

/// Decides a claim where a counterexample is wanted: first near the start, then by a depth-first probe.
pub fn decide_wanted(claim: &Claim, network: &Network, limits: &Limits, progress: &dyn Progress) -> NetworkAnswer {
    let rows = |features: &Features| schedule(&Features { is_wanted: true, ..*features });
    decide_by_schedule(claim, network, rows, limits, progress)
}

/// Decides a claim by the rows that are chosen for its features. The first row must have the role [`Role::Main`].
pub fn decide_by_schedule(
    claim: &Claim,
    network: &Network,
    rows: impl FnOnce(&Features) -> Vec<Row>,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let observer = observer_of(claim, progress);
    let property = match PropertyKind::of(claim) {
        property if observer.is_none() && property.has_observer() => PropertyKind::OnTheFly,
        property => property,
    };
    let features = Features::of(property, network, limits.n_workers);
    let subject = Subject::Claim(ClaimProblem { claim, observer: observer.as_ref(), network });
    decide_by_rows(&rows(&features), Problem { subject, limits, budget: u64::MAX, features }, progress).into_answer()
}

/// Decides a temporal formula by its schedule, or by a SAT solver if these settings are given.
pub fn decide_formula(
    formula: &FormulaProblem<'_>,
    solver: Option<Settings>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Report {
    let property = PropertyKind::Formula(FormulaFeatures::of(formula));
    let features = Features::plain(property, limits.n_workers);
    let problem = Problem { subject: Subject::Formula(formula), limits, budget: u64::MAX, features };
    let mut report = match solver {
        Some(settings) => LassoSearch { settings }.decide(&problem, progress),
        None => decide_by_rows(&schedule(&features), problem, progress),
    };
    let (n_states, n_transitions) = formula.system.size();
    report.statistics.n_states = n_states as u64;
    report.statistics.n_transitions = n_transitions as u64;
    formula.add_silence(&mut report);
    report
}

/// Decides reachability in a timed network.
pub fn decide_timed(
    network: &TimedNetwork,
    question: Question<'_>,
    limits: &Limits,
    progress: &dyn Progress,
) -> (Verdict<TimedRun>, Statistics) {
    let features = Features::plain(PropertyKind::TimedReachability, limits.n_workers);
    let problem = Problem { subject: Subject::Timed(network, question), limits, budget: u64::MAX, features };
    let report = decide_by_rows(&schedule(&features), problem, progress);
    let verdict = match report.verdict {
        Verdict::Holds => Verdict::Holds,
        Verdict::Fails(Evidence::TimedRun(run)) => Verdict::Fails(run),
        Verdict::Fails(_) => Verdict::Unknown(Reason::Unsupported),
        Verdict::Unknown(reason) => Verdict::Unknown(reason),
    };
    (verdict, report.statistics)
}

/// Runs the stages of a schedule until one decides, or ends for another reason than an exhausted budget.
pub fn decide_by_rows(rows: &[Row], problem: Problem<'_, '_>, progress: &dyn Progress) -> Report {
    let mut last = Report::unknown(Reason::Unsupported);
    let mut rest = rows;
    while let [main, others @ ..] = rest {
        let n_others = others.iter().take_while(|row| row.role != Role::Main).count();
        let (stage, next) = others.split_at(n_others);
        let mut report = decide_stage(main, stage, problem, progress);
        report.formula.add(&last.formula);
        last = report;
        if last.reason() != Some(Reason::BUDGET) {
            break;
        }
        rest = next;
    }
    last
}

fn decide_stage(main: &Row, others: &[Row], problem: Problem<'_, '_>, progress: &dyn Progress) -> Report {
    let granted = |row: &Row| Problem { budget: row.budget, ..problem };
    let task = |row: &Row| {
        let (engine, problem) = (row.engine, granted(row));
        Task {
            name: engine.name(),
            pace: row.pace(),
            work: Box::new(move |meter: &Meter<'_>| engine.decide(&problem, meter)),
        }
    };
    let main_work = (main.engine.name(), |meter: &Meter<'_>| main.engine.decide(&granted(main), meter));
    drive(main_work, others.iter().map(task).collect(), progress).1
}

fn without_reductions(features: &Features) -> Vec<Row> {
    schedule(features).into_iter().filter(|row| row.role != Role::Rival).collect()
}

/// Explicit search that may be reduced: no engine but searches.
fn reduced_search(features: &Features) -> Vec<Row> {
    let rivals = schedule(features).into_iter().filter(|row| row.role == Role::Rival);
    explicit(features).into_iter().chain(rivals).collect()
}

/// Decides a claim with a reduction that the user asked for, or without it where it is not sound.
fn decide_reduced(
    claim: &Claim,
    network: &Network,
    kind: ReductionKind,
    limits: &Limits,
    progress: &dyn Progress,
) -> NetworkAnswer {
    let refused = |refusal: Refusal| {
        let mut answer = decide_by_schedule(claim, network, explicit, limits, progress);
        answer.statistics.reduced = Reduced::Refused(refusal);
        answer
    };
    let Some(observer) = observer_of(claim, progress) else { return refused(Refusal::Comparison) };
    let search = match kind {
        ReductionKind::PartialOrder => ExplicitSearch::PARTIAL_ORDER,
        ReductionKind::Symmetry => ExplicitSearch::SYMMETRY,
    };
    match search.reduction(network, &observer, limits::effort::symmetry::BUDGET, progress) {
        Ok(reduction) => search_reduced(&observer, network, &reduction, limits, progress),
        Err(refusal) => refused(refusal),
    }
}
