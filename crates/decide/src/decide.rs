//! Entry points: from a claim and what the user asked for to a schedule.

use crate::Claim;
use crate::answer::{NetworkAnswer, Reduced};
use crate::driver::{Meter, Task, drive};
use crate::engine::{Problem, Report};
use crate::engines::sat::{Formulas, decide_by_formulas};
use crate::engines::search::{ExplicitSearch, search_reduced};
use crate::engines::watchdog::decide_watched;
use crate::observers::observer_of;
use crate::schedule::{Features, PropertyKind, Role, Row, explicit, schedule};
use explore::symmetry::Symmetry;
use explore::{Limits, Refusal};
use lts::Reason;
use model::network::Network;
use progress::Progress;
use property::ReductionKind;

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
    let problem = Problem { claim, observer: observer.as_ref(), network, limits, features };
    decide_by_rows(&rows(&features), &problem, progress)
}

fn decide_by_rows(rows: &[Row], problem: &Problem<'_>, progress: &dyn Progress) -> NetworkAnswer {
    let [main, others @ ..] = rows else { return Report::unknown(Reason::Unsupported).answer };
    let task = |row: &Row| {
        let engine = row.engine;
        Task {
            name: engine.name(),
            pace: row.pace(),
            work: Box::new(move |meter: &Meter<'_>| engine.decide(problem, meter)),
        }
    };
    let main = (main.engine.name(), |meter: &Meter<'_>| main.engine.decide(problem, meter));
    drive(main, others.iter().map(task).collect(), progress).1.answer
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
    match search.reduction(network, &observer, Symmetry::BUDGET, progress) {
        Ok(reduction) => search_reduced(&observer, network, &reduction, limits, progress),
        Err(refusal) => refused(refusal),
    }
}
