//! Decisions on the assertions of a script, as a pipeline of values.
//!
//! An assertion is [prepared](Prepared), [decided](Decided) by an engine, [replayed](super::replay::Replayed) on the
//! definition of the language, and [reported](Checked) in the words of the script.

use super::decided::{Decided, Evidence, FoundRun};
use super::failed::Failed;
use super::forms::{Decidable, InForm};
use super::reach::Reachability;
use super::relay::Relay;
use super::walk::{Takers, Walked};
use super::{Checked, Verdict};
use crate::Session;
use decide::{Answer, Claim, Counterexample, Fault, Method, Proof, Specification};
use frontend::formula::Reduce;
use frontend::{Asserted, Effort, Fidelity, Lowered, Semantics, State};
use lts::{Model, Watch};
use model::EventTable;
use model::network::{FailedStep, Network, NetworkStep};
use progress::{Activity, Limits, NoProgress, Progress, Recorder, Statistics};
use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

/// Settings of a checker.
#[derive(Clone)]
pub struct Options {
    /// Listener for progress, which may cancel the analysis.
    pub progress: Arc<dyn Progress>,
    /// The engine that the user asked for.
    pub method: Method,
    /// The reduction that the user asked for; it overrides the one in an assertion.
    pub reduce: Option<Reduce>,
    /// Threads, states and bytes that may be used.
    pub limits: Limits,
}

impl Default for Options {
    /// One thread, no limits, no listener.
    fn default() -> Options {
        Options { progress: Arc::new(NoProgress), method: Method::Auto, reduce: None, limits: Limits::of_workers(1) }
    }
}

/// An evaluated assertion.
pub(super) struct Prepared {
    /// Its number, from 1.
    pub(super) index: usize,
    /// The property that it claims.
    pub(super) asserted: Asserted,
}

/// Decides the assertions of one script, and reuses specifications between them.
pub struct Checker<'a> {
    pub(super) session: &'a Session,
    pub(super) options: Options,
    pub(super) semantics: Box<dyn Semantics + 'a>,
    pub(super) specifications: HashMap<(State, Model), Arc<Specification>>,
    /// The largest search of the current assertion, for statistics of interrupted ones.
    pub(super) recorder: Arc<Recorder>,
    /// Charges work to the task that the checker runs as.
    pub(super) relay: Arc<Relay>,
    /// Whether another task explores the process on the fly.
    pub(super) is_accompanied: bool,
    /// The semantics in whole units of time, while the current ones cut units in parts.
    pub(super) whole_units: Option<Box<dyn Semantics + 'a>>,
    /// The network that was compiled last.
    pub(super) last_network: Option<Lowered>,
    /// Processes of which the current assertion has any number of copies.
    pub(super) families: Vec<String>,
    /// The reduction that the current assertion asks for.
    asked_reduction: Option<Reduce>,
    /// Proof certificates of SAT engines.
    proofs: Vec<Proof>,
}

impl<'a> Checker<'a> {
    /// A checker for a script without errors.
    pub fn new(session: &'a Session, mut options: Options) -> Checker<'a> {
        let recorder = Arc::new(Recorder::new(options.progress.clone()));
        let relay = Arc::new(Relay::new(recorder.clone()));
        options.progress = relay.clone();
        let semantics = session.semantics(relay.clone());
        Checker {
            session,
            options,
            semantics,
            specifications: HashMap::new(),
            recorder,
            relay,
            is_accompanied: false,
            whole_units: None,
            last_network: None,
            families: Vec::new(),
            asked_reduction: None,
            proofs: Vec::new(),
        }
    }

    /// Decides the assertion with this number, from 1.
    pub fn check(&mut self, index: usize) -> Checked {
        self.recorder.restart();
        self.recorder.enter(Activity::Evaluating);
        self.last_network = None;
        self.families.clear();
        self.proofs.clear();
        self.asked_reduction = self.session.assertion(index).and_then(|assertion| assertion.reduce);
        if self.semantics.widen() {
            self.specifications.clear();
        }
        let mut checked = self.answer(index);
        while self.semantics.narrow(checked.is_decided()) {
            self.specifications.clear();
            self.last_network = None;
            self.proofs.clear();
            // A verdict with restricted values is not final, even when the time limit is reached.
            checked = match self.options.progress.tick(&Statistics::default()) {
                ControlFlow::Continue(()) => self.answer(index),
                ControlFlow::Break(why) => Failed::Stopped(why.into()).into_checked(&self.options),
            };
        }
        let is_negated = self.session.assertion(index).is_some_and(|assertion| assertion.negated);
        if is_negated { checked.negated() } else { checked }
    }

    fn answer(&mut self, index: usize) -> Checked {
        self.answer_stages(index).unwrap_or_else(|failed| {
            let mut checked = failed.into_checked(&self.options);
            checked.count(&self.recorder.farthest(), self.options.limits.max_states);
            if let Verdict::Unknown(reason, detail) = &mut checked.verdict
                && reason.is_limit()
                && let Some(growth) = self.semantics.growth()
            {
                detail.push_str("; ");
                detail.push_str(&growth);
            }
            checked
        })
    }

    /// The events of the script, by number.
    pub fn events(&self) -> &EventTable {
        self.semantics.events()
    }

    /// Runs the stages of the pipeline.
    fn answer_stages(&mut self, index: usize) -> Result<Checked, Failed> {
        let prepared = Prepared { index, asserted: self.semantics.asserted(index)? };
        let decided = self.decide(&prepared);
        let answered = decided.and_then(|decided| self.confirm(&prepared, decided));
        self.restore_units();
        answered
    }

    /// Replays the evidence of a verdict, and reports it.
    ///
    /// # Errors
    /// When the replay refutes the evidence, or a limit ends it.
    fn confirm(&mut self, prepared: &Prepared, mut decided: Decided) -> Result<Checked, Failed> {
        let replayed = decided.evidence.take().map(|evidence| self.replay(evidence)).transpose()?;
        let families = std::mem::take(&mut decided.families);
        let reported = replayed.map(|replayed| self.report(prepared, families, replayed)).transpose()?;
        Ok(decided.into_checked(reported))
    }

    fn decide(&mut self, prepared: &Prepared) -> Result<Decided, Failed> {
        let index = prepared.index;
        match &prepared.asserted {
            Asserted::AnyNumber(names) => {
                self.families.clone_from(names);
                self.decide_any_number(index, names)
            }
            &Asserted::Linearizable { specification, implementation, points } if self.options.method.searches() => {
                self.decide_linearizable((specification, implementation), points)
            }
            &Asserted::Equals { process, other, model } => self.decide_equal(index, (process, other), model),
            &Asserted::RefinesInTime { specification, implementation } => {
                self.decide_in_time(index, specification, implementation)
            }
            &Asserted::DivergenceFreeInTime(process) => self.decide_silent_time(process),
            asserted => self.decide_beside_exploration(index, asserted),
        }
    }

    /// Decides an evaluated assertion about single processes.
    pub(super) fn decide_asserted(&mut self, asserted: &Asserted) -> Result<Decided, Failed> {
        if !self.options.method.searches() {
            return self.decide_transformed(asserted);
        }
        match asserted {
            Asserted::Satisfies(process, question) => self.decide_temporal(*process, question),
            &Asserted::Reaches { process, goal, is_wanted } => {
                self.decide_by_forms(&mut Reachability { process, goal, is_wanted })
            }
            &Asserted::Refines { specification, implementation, model } => {
                match self.decide_timed_refinement(asserted, (specification, implementation), model)? {
                    Some(decided) => Ok(decided),
                    None => self.decide_refinement(asserted, specification, implementation, model),
                }
            }
            _ => {
                let (process, claim) = self.claim(asserted)?;
                self.decide_claim(asserted, process, &claim)
            }
        }
    }

    /// Decides an assertion by an engine that does not enumerate states: SAT solvers and watchdogs.
    fn decide_transformed(&mut self, asserted: &Asserted) -> Result<Decided, Failed> {
        match (self.options.method, asserted) {
            (_, Asserted::Refines { .. }) | (Method::Formulas(_), Asserted::DeadlockFree(..)) => {}
            (Method::Watchdog, _) => {
                return Err(Failed::unsupported(
                    "the engine `watchdog` decides refinement in traces, failures and failures-divergences",
                ));
            }
            (_, Asserted::Satisfies(process, question)) => return self.find_lasso(*process, question),
            (_, &Asserted::Reaches { process, goal, is_wanted }) => {
                let none = || Failed::unsupported("the process has no network in which that can be asked");
                let lowered = self.network(process, Fidelity::Steps, Effort::Full)?.ok_or_else(none)?;
                return self.decide_reach_on(&lowered, (process, goal, is_wanted))?.ok_or_else(none);
            }
            _ => {
                return Err(Failed::unsupported(
                    "the engines `bmc`, `induction` and `pdr` decide refinement in traces, failures and failures-divergences, freedom from deadlock and reachability, and `bmc` looks for runs that break formulas",
                ));
            }
        }
        let (process, claim) = self.claim(asserted)?;
        let lowered = self.network(process, Fidelity::of_runs(claim.decisive_model()), Effort::Full)?;
        let Some(lowered) = lowered.filter(|lowered| lowered.open.is_empty()) else {
            return Err(Failed::unsupported("the process has no network of machines that come to an end"));
        };
        let decided = self.decide_network(asserted, process, &lowered, &claim, u64::MAX)?;
        decided.ok_or_else(|| Failed::unsupported("the states of the process are unlike those of its network"))
    }

    /// Whether the schedule may choose reductions.
    pub(super) fn reduces_what_pays(&self) -> bool {
        reductions(self.options.reduce.or(self.asked_reduction)) == decide::Reduce::Auto
    }

    /// The claim of an assertion, unless it is a formula.
    pub(super) fn claim(&mut self, asserted: &Asserted) -> Result<(State, Claim), Failed> {
        Ok(match asserted {
            Asserted::Refines { specification, implementation, model } => {
                (*implementation, Claim::Refines(self.specification(*specification, *model)?))
            }
            Asserted::DeadlockFree(process, model) => (*process, Claim::DeadlockFree(*model)),
            Asserted::DivergenceFree(process) => (*process, Claim::DivergenceFree),
            Asserted::Deterministic(process, model) => (*process, Claim::Deterministic(*model)),
            Asserted::HasTrace(process, trace, model) => (*process, Claim::HasTrace(trace.clone(), *model)),
            Asserted::Satisfies(..)
            | Asserted::Reaches { .. }
            | Asserted::AnyNumber(_)
            | Asserted::RefinesInTime { .. }
            | Asserted::Equals { .. }
            | Asserted::DivergenceFreeInTime(_)
            | Asserted::Linearizable { .. } => {
                return Err(Failed::unsupported("there are no assertions of this kind about networks"));
            }
            Asserted::Unsupported(detail) => return Err(Failed::unsupported(detail)),
        })
    }

    /// Decides a claim about a process.
    pub(super) fn decide_claim(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
    ) -> Result<Decided, Failed> {
        self.decide_by_forms(&mut ClaimAbout { asserted, process, claim })
    }

    /// Decides a claim about a network. None if its states are too wide, or a step fails that does not fail in the
    /// process.
    pub(super) fn decide_network(
        &mut self,
        asserted: &Asserted,
        process: State,
        lowered: &Lowered,
        claim: &Claim,
        max_states: u64,
    ) -> Result<Option<Decided>, Failed> {
        let reduce = reductions(self.options.reduce.or(self.asked_reduction));
        let answer = self.ask(claim, &lowered.network, reduce, max_states);
        self.decided_on_network(asserted, process, lowered, answer)
    }

    /// The verdict on the process that follows from the verdict on its network. None if a step fails that does not fail
    /// in the process.
    pub(super) fn decided_on_network(
        &mut self,
        asserted: &Asserted,
        process: State,
        lowered: &Lowered,
        answer: Answer<NetworkStep, FailedStep>,
    ) -> Result<Option<Decided>, Failed> {
        match answer.verdict {
            decide::Verdict::Holds => Ok(Some(Decided::holds(answer.statistics))),
            decide::Verdict::Unknown(decide::Reason::TooWide) => Ok(None),
            decide::Verdict::Unknown(decide::Reason::Depth) => {
                Err(Failed::too_deep(answer.statistics.depth.unwrap_or(0)))
            }
            decide::Verdict::Unknown(reason) => {
                Err(Failed::after_steps(reason, answer.statistics.depth, &self.options))
            }
            decide::Verdict::Fails(Counterexample { fault: Fault::Failure(_), steps }) if !lowered.open.is_empty() => {
                let met = steps.into_iter().last().map_or_else(|| lowered.network.initial.clone(), |step| step.target);
                Err(Failed::Open(Some(met)))
            }
            decide::Verdict::Fails(Counterexample { fault: Fault::Failure(failed), steps }) => {
                match self.failure_error(lowered, &steps, &failed) {
                    Failed::Unlike => Ok(None),
                    error => Err(error),
                }
            }
            decide::Verdict::Fails(found) => {
                let (asserted, run) = (asserted.clone(), FoundRun::Network(lowered.clone(), found));
                Ok(Some(Decided::fails(Evidence::Claim { asserted, process, run }, answer.statistics)))
            }
        }
    }

    /// Runs the engines on a claim about a network.
    pub(super) fn ask(
        &mut self,
        claim: &Claim,
        network: &Network,
        reduce: decide::Reduce,
        max_states: u64,
    ) -> Answer<NetworkStep, FailedStep> {
        let limits = self.options.limits.with_budget(max_states);
        let progress = self.options.progress.clone();
        progress.enter(Activity::Searching);
        match self.options.method {
            Method::Formulas(how) => {
                let (answer, proofs) = decide::decide_by_formulas(claim, network, how, &limits, &*progress);
                self.proofs.extend(proofs);
                answer
            }
            method => decide::decide(claim, network, method, reduce, &limits, &*progress),
        }
    }

    /// The proof certificates of the last verdict, if the user asked for them.
    pub fn take_proofs(&mut self) -> Vec<Proof> {
        std::mem::take(&mut self.proofs)
    }

    /// Decides a claim about a process on the fly, with at most so many states.
    pub(super) fn decide_walking(
        &mut self,
        asserted: &Asserted,
        process: State,
        claim: &Claim,
        walked: &mut Walked,
        max_states: u64,
    ) -> Result<Decided, Failed> {
        let progress = self.options.progress.clone();
        progress.enter(Activity::Searching);
        let mut watch = Watch::new(&*progress).within(self.options.limits.with_budget(max_states));
        let answer = decide::decide_on_the_fly(claim, &mut walked.with(&mut *self.semantics), &mut watch);
        let answer = answer.map_err(|failure| self.failed_walking(walked, failure))?;
        let statistics = answer.statistics;
        match answer.verdict {
            decide::Verdict::Holds => Ok(Decided::holds(statistics)),
            decide::Verdict::Unknown(reason) => Err(reason.into()),
            decide::Verdict::Fails(Counterexample { steps, fault }) => {
                let found = Counterexample { steps: walked.steps(&steps), fault: fault.widened() };
                let (asserted, run) = (asserted.clone(), FoundRun::States(found));
                Ok(Decided::fails(Evidence::Claim { asserted, process, run }, statistics))
            }
        }
    }
}

/// A claim about a process.
struct ClaimAbout<'a> {
    asserted: &'a Asserted,
    process: State,
    claim: &'a Claim,
}

impl Decidable for ClaimAbout<'_> {
    fn process(&self) -> State {
        self.process
    }

    fn fidelity(&self) -> Fidelity {
        Fidelity::of_runs(self.claim.decisive_model())
    }

    /// Timed refinement is decided by zones before its specification is built.
    fn by_zones(&mut self, checker: &mut Checker<'_>) -> InForm {
        match self.asserted {
            Asserted::Refines { .. } => Ok(None),
            _ => checker.not_by_zones(),
        }
    }

    fn on_network(&mut self, checker: &mut Checker<'_>, lowered: &Lowered, max_states: u64) -> InForm {
        checker.decide_network(self.asserted, self.process, lowered, self.claim, max_states)
    }

    fn on_lazy_network(&mut self, checker: &mut Checker<'_>) -> InForm {
        checker.decide_on_demand(self.asserted, self.process, self.claim)
    }

    fn on_the_fly(&mut self, checker: &mut Checker<'_>, max_states: u64) -> InForm {
        let mut walked = Walked::new(self.process, Takers::Ignored);
        checker.decide_walking(self.asserted, self.process, self.claim, &mut walked, max_states).map(Some)
    }
}

/// The reductions that the schedule may use.
pub(super) fn reductions(reduce: Option<Reduce>) -> decide::Reduce {
    match reduce {
        None | Some(Reduce::Auto) => decide::Reduce::Auto,
        Some(reduce) => reduce.kind().map_or(decide::Reduce::None, decide::Reduce::By),
    }
}
