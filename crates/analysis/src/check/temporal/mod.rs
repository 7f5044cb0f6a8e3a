//! Temporal assertions.
//!
//! The schedule of [`decide`] chooses the engines. Here a formula is lowered for each form of the process: its network,
//! if that is compiled easily, then states explored on the fly, and then the network with all effort.

mod along;
mod cut;
mod fair;
mod in_zones;
mod processes;
mod replay;
pub(super) mod settings;
mod source;
mod tell;
mod tester;

use super::checker::{Checker, reductions};
use super::decided::{Decided, Evidence as Found};
use super::failed::Failed;
use super::forms::{Decidable, InForm};
use super::replay::Replayed;
use super::report::Reason;
use super::report::{Counterexample, Temporal};
use super::walk::Takers;
use cut::Extent;
use decide::{
    Claim, Evidence, FORMULA_ROUNDS, FormulaProblem, FormulaSystem, Formulas, LoweredFormula, Method, NetworkSystem,
    Report, SatEngine, Settings, Silence, Violation, decide_formula, occurring_in, occurring_in_network,
    weakest_fairness,
};
use explore::{Observer, may_fail};
use frontend::formula::{Fair, Occurring, Question, Zeno};
use frontend::{Asserted, Effort, Fidelity, Lowered, State};
use lts::walk::Ended;
use lts::{Model, StateId, Transition};
use replay::ending_as_fault;
use source::Asking;
use temporal::{ActionNetwork, Divergence, Structure, View};

/// A formula about a process.
struct FormulaAbout<'q> {
    asking: Asking<'q>,
    /// The explored states near the initial state.
    near: Option<Structure>,
    /// Whether the limit on states was reached.
    is_limited: bool,
}

impl Decidable for FormulaAbout<'_> {
    fn process(&self) -> State {
        self.asking.process
    }

    fn fidelity(&self) -> Fidelity {
        fidelity(self.asking.question)
    }

    fn by_zones(&mut self, checker: &mut Checker<'_>) -> InForm {
        checker.decide_in_zones(self.asking.process, self.asking.question)
    }

    fn on_network(&mut self, checker: &mut Checker<'_>, lowered: &Lowered, _: u64) -> InForm {
        match checker.decide_network_formula(&mut self.asking, lowered) {
            Err(Failed::Unlike) if self.near.is_none() => {
                self.asking = Asking::new(self.asking.process, self.asking.question);
                Ok(None)
            }
            Err(Failed::Unlike) => Ok(None),
            decided => decided.map(Some),
        }
    }

    fn on_lazy_network(&mut self, checker: &mut Checker<'_>) -> InForm {
        let (process, fidelity) = (self.process(), self.fidelity());
        checker.grow_until_decided(process, fidelity, |checker, lowered| {
            checker.decide_network_formula(&mut self.asking, lowered).map(Some)
        })
    }

    /// Explores a part of the process at first, and the rest where no other form is left.
    fn on_the_fly(&mut self, checker: &mut Checker<'_>, max_states: u64) -> InForm {
        let is_last = max_states == u64::MAX;
        if self.near.is_some() && !is_last {
            return Ok(None);
        }
        let near = match self.near.take() {
            Some(near) => near,
            None => checker.states_near(&mut self.asking, FORMULA_ROUNDS.0)?,
        };
        let (near, decided) = checker.decide_on_the_fly(&mut self.asking, near, is_last);
        self.is_limited = checker.is_limited(&near);
        self.near = Some(near);
        decided
    }

    fn is_limited(&self) -> bool {
        self.is_limited
    }
}

impl Checker<'_> {
    /// The states of a process that are nearest to its initial state.
    fn states_near(&mut self, asking: &mut Asking<'_>, n_states: usize) -> Result<Structure, Failed> {
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let near = asking.walked.nearest(&mut *self.semantics, n_states, &limits, &*progress);
        near.map_err(|why| match why {
            Ended::Failed(failure) => self.failed_walking(&asking.walked, failure),
            Ended::Stopped(stop) => Failed::Stopped(stop),
        })
    }

    /// Whether the limit on states is reached.
    fn is_limited(&self, structure: &Structure) -> bool {
        n_known(structure) as u64 >= self.options.limits.states()
    }

    /// Decides a formula on the states near the initial state, and on more and more of them in the last form.
    fn decide_on_the_fly(
        &mut self,
        asking: &mut Asking<'_>,
        mut near: Structure,
        is_last: bool,
    ) -> (Structure, InForm) {
        loop {
            let decided = self.decide_structure(asking, &near);
            if !is_last || !matches!(decided, Ok(None)) {
                return (near, decided);
            }
            if self.is_limited(&near) {
                let too_few = self.too_few_states(&near);
                return (near, Err(too_few));
            }
            match self.states_near(asking, n_known(&near).saturating_mul(FORMULA_ROUNDS.1)) {
                Ok(more) => near = more,
                Err(failed) => return (near, Err(failed)),
            }
        }
    }

    fn too_few_states(&self, structure: &Structure) -> Failed {
        let (n_known, n_open) = (n_known(structure), structure.n_open());
        let are = if n_open == 1 { "is" } else { "are" };
        let detail = format!("the {n_known} states that were explored do not decide it, and {n_open} more {are} open");
        Failed::Unknown(self.options.limits.binding().into(), detail)
    }

    /// Decides a formula about a process.
    pub(super) fn decide_temporal(&mut self, process: State, question: &Question) -> Result<Decided, Failed> {
        if question.rules.view == View::Trace && question.rules.divergence == Divergence::Error {
            self.refuse_divergence(process)?;
        }
        if question.choices.zeno == Some(Zeno::Excluded) && !self.semantics.is_timed() {
            return Err(Failed::unsupported("no time passes in the script, so it has no runs on which time goes on"));
        }
        self.decide_by_forms(&mut FormulaAbout {
            asking: Asking::new(process, question),
            near: None,
            is_limited: false,
        })
    }

    /// Searches for a violating run with a SAT solver.
    pub(super) fn find_lasso(&mut self, process: State, question: &Question) -> Result<Decided, Failed> {
        let Some(settings) = self.lasso_settings() else {
            return Err(Failed::unsupported(
                "of the engines that ask a SAT solver, `bmc` looks for runs that break formulas",
            ));
        };
        let counts_silence = question.rules.view == View::Trace && question.rules.divergence == Divergence::Error;
        let lowered = self.network(process, fidelity(question), Effort::Full)?;
        let Some(lowered) = lowered.filter(|lowered| lowered.open.is_empty()) else {
            return Err(Failed::unsupported("the process has no network of machines that come to an end"));
        };
        let decided = match counts_silence {
            true => Err(Failed::unsupported("")),
            false => self.decide_network_formula(&mut Asking::new(process, question), &lowered),
        };
        decided.map_err(|why| match why {
            Failed::Unknown(Reason::Depth, _) => Failed::too_deep(settings.depth),
            Failed::Unknown(Reason::Unsupported | Reason::MixedPast, _) => Failed::unsupported(
                "`bmc` looks for runs that break formulas of linear time without fairness, the past of what lies in the \
                 future, `deterministic`, `sink`, and silence that counts as an end",
            ),
            why => why,
        })
    }

    /// The settings of the SAT solver, if the user chose that engine.
    fn lasso_settings(&self) -> Option<Settings> {
        match self.options.method {
            Method::Formulas(Formulas { engine: SatEngine::Bounded, settings }) => Some(settings),
            _ => None,
        }
    }

    fn decide_network_formula(&mut self, asking: &mut Asking<'_>, lowered: &Lowered) -> Result<Decided, Failed> {
        let participants = lowered.participants.as_deref();
        let actions = ActionNetwork::new(&lowered.network, participants).with_conditions(lowered.conditions.to_vec());
        let formula = self.lower_formula(asking, &occurring_in_network(&actions), &[])?;
        let network = NetworkSystem::new(&lowered.network, participants, &actions);
        let network = if lowered.is_compressed { network.compressed() } else { network };
        let problem = self.formula_problem(asking.question, &formula, FormulaSystem::Network(network));
        let decided = self.decide_formula(asking, Some(lowered), &problem)?;
        let decided = decided.ok_or(Failed::from(Reason::Unsupported))?;
        if decided.holds {
            self.find_failure(lowered)?;
        }
        Ok(decided)
    }

    /// Decides a formula on the explored states of a process. None if they are too few.
    fn decide_structure(&mut self, asking: &mut Asking<'_>, structure: &Structure) -> InForm {
        let states = asking.walked.states().to_vec();
        let formula = self.lower_formula(asking, &occurring_in(structure), &states)?;
        let problem = self.formula_problem(asking.question, &formula, FormulaSystem::Explicit(structure));
        self.decide_formula(asking, None, &problem)
    }

    fn formula_problem<'p>(
        &self,
        question: &'p Question,
        formula: &'p LoweredFormula,
        system: FormulaSystem<'p>,
    ) -> FormulaProblem<'p> {
        FormulaProblem {
            formula,
            rules: &question.rules,
            reduction: question.choices.reduce.and_then(|reduce| reduce.kind()),
            allows_partial_order: reductions(question.choices.reduce) == decide::Reduce::Auto,
            system,
        }
    }

    /// Reports a failing step as an error of the script, also where the formula holds.
    fn find_failure(&mut self, lowered: &Lowered) -> Result<(), Failed> {
        if self.semantics.has_configurations() || !may_fail(&lowered.network) {
            return Ok(());
        }
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let report = explore::check(&lowered.network, &Observer::indifferent(), &limits, &*progress);
        match report.map_err(|_| Failed::Unlike)?.verdict {
            decide::Verdict::Holds => Ok(()),
            decide::Verdict::Fails(decide::Counterexample { fault: decide::Fault::Failure(failed), steps }) => {
                Err(self.failure_error(lowered, &steps, &failed))
            }
            decide::Verdict::Fails(_) => Err(Failed::not_replayed("nothing was looked for")),
            decide::Verdict::Unknown(reason) => Err(reason.into()),
        }
    }

    /// Decides a formula. None if too few states are explored.
    fn decide_formula(
        &mut self,
        asking: &mut Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
    ) -> InForm {
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let solver = lowered.and_then(|_| self.lasso_settings());
        let decided = decide_formula(problem, solver, &limits, &*progress);
        let mut report = settings::describe(asking.question);
        settings::tell(&mut report, &decided.formula);
        let evidence = match &decided.verdict {
            decide::Verdict::Holds => None,
            decide::Verdict::Unknown(Reason::BUDGET) => return Ok(None),
            decide::Verdict::Unknown(Reason::Unconfirmed) => return Err(Failed::not_replayed(&decided.variant)),
            decide::Verdict::Unknown(reason) => return Err((*reason).into()),
            decide::Verdict::Fails(Evidence::Violation(violation)) => {
                let replayed = self.replay_violation(asking, lowered, problem, violation)?;
                if solver.is_none() {
                    let weakest = weakest_fairness(problem, violation, &limits, &*progress, |n_states| {
                        self.with_processes(asking, lowered, n_states)
                    });
                    report.weakest_fairness = weakest.map(settings::notion);
                }
                replayed.map(|replayed| Found::Replayed(Box::new(replayed)))
            }
            decide::Verdict::Fails(_) => return Err(Failed::not_replayed("it is evidence of another property")),
        };
        let holds = matches!(decided.verdict, decide::Verdict::Holds);
        if holds && asking.question.rules.view == View::Trace {
            report.divergence_note = self.divergence_note(asking, lowered, problem, &decided);
        }
        self.note_absent_events(&problem.system.occurring(), asking.question, &mut report);
        self.note_marks(asking.question, &mut report);
        self.note_zeno(asking.question, &problem.system, holds, &mut report);
        let (statistics, temporal) = (decided.statistics, Some(Box::new(report)));
        Ok(Some(Decided { holds, evidence, temporal, ..Decided::holds(statistics) }))
    }

    /// Replays a violation. None if it has no run.
    fn replay_violation(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        violation: &Violation,
    ) -> Result<Option<Replayed>, Failed> {
        match violation {
            Violation::Property(violated) => self.replay_violated(asking, lowered, problem, violated).map(Some),
            Violation::Formula(found) => {
                found.as_ref().map(|run| self.replay_branching(asking, lowered, problem, run)).transpose()
            }
            Violation::Failure(before, failed) => Err(match lowered {
                Some(lowered) if !lowered.open.is_empty() => Failed::Open(None),
                Some(lowered) => self.failed_after(lowered, before.iter().copied(), None, failed),
                None => Failed::not_replayed("a step fails of a network that does not exist"),
            }),
        }
    }

    /// Adds a remark on events that never occur: the formula may be vacuous.
    fn note_absent_events(&mut self, occurring: &Occurring, question: &Question, report: &mut Temporal) {
        if !occurring.are_all {
            return;
        }
        let absent = self.semantics.absent_events(question, occurring);
        report.remarks.extend(absent.iter().map(|event| format!("`{event}` never occurs in the process")));
    }

    /// Adds a remark if no run is non-Zeno, so that the formula is vacuous.
    fn note_zeno(&self, question: &Question, system: &FormulaSystem<'_>, holds: bool, report: &mut Temporal) {
        let FormulaSystem::Explicit(structure) = system else { return };
        if question.choices.zeno == Some(Zeno::Excluded)
            && holds
            && structure.n_open() == 0
            && !can_take_time_forever(structure)
        {
            report.remarks.push("time goes on for ever in no run, so this says nothing of runs without end".to_owned());
        }
    }

    /// Adds a remark on fairness marks that are ignored or missing.
    fn note_marks(&mut self, question: &Question, report: &mut Temporal) {
        let remark = match (question.choices.fairness, self.semantics.has_marks()) {
            (Some(Fair::Annotated), false) => "the script marks no events, so every run is fair",
            (None, true) if question.formula.premise.is_none() => {
                "marks such as `wf(a)` in the script count only with `--fairness annotated`"
            }
            _ => return,
        };
        report.remarks.push(remark.to_owned());
    }

    /// Refuses a formula about a divergent process.
    fn refuse_divergence(&mut self, process: State) -> Result<(), Failed> {
        match self.divergence(process)? {
            None => Ok(()),
            Some(found) => {
                Err(Failed::Unknown(Reason::Divergence, format!("the process can diverge{}", after(&found))))
            }
        }
    }

    /// A divergence of a process, if it has one.
    fn divergence(&mut self, process: State) -> Result<Option<Counterexample>, Failed> {
        let decided = self.decide_claim(&Asserted::DivergenceFree(process), process, &Claim::DivergenceFree)?;
        let Some(evidence) = decided.evidence else { return Ok(None) };
        let replayed = self.replay(evidence)?;
        self.report_run(&replayed.run, &replayed.fault).map(Some)
    }

    /// A remark on divergences, which the formula does not observe.
    fn divergence_note(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        problem: &FormulaProblem<'_>,
        decided: &Report,
    ) -> Option<String> {
        if asking.question.rules.divergence != Divergence::Report {
            return None;
        }
        match (&decided.formula.silence, &problem.system) {
            (Silence::Never, _) => None,
            (Silence::Found(run), _) => {
                let extent = Extent::of(run);
                let replayed = self.replay_found(asking, lowered, problem, (run, extent));
                let reported = replayed.and_then(|run| self.report_run(&run, &ending_as_fault(extent.ending)));
                Some(reported.map_or_else(|_| UNKNOWN_DIVERGENCE.to_owned(), |reported| divergence_after(&reported)))
            }
            // A verdict that was found near the initial state does not justify an unbounded search.
            (Silence::Unknown, FormulaSystem::Explicit(_)) => Some(UNKNOWN_DIVERGENCE.to_owned()),
            (Silence::Unknown, FormulaSystem::Network(_)) => self.search_divergence(asking.process),
        }
    }

    fn search_divergence(&mut self, process: State) -> Option<String> {
        match self.divergence(process) {
            Ok(found) => found.as_ref().map(divergence_after),
            Err(_) => Some(UNKNOWN_DIVERGENCE.to_owned()),
        }
    }
}

/// The behavior that compressions have to preserve. A formula about traces without fairness observes the failures of a
/// process; behavior behind divergences counts, so the failures-divergences model is too coarse. Fairness observes
/// states.
pub(super) fn fidelity(question: &Question) -> Fidelity {
    let is_fair = question.formula.premise.is_some() || !matches!(question.choices.fairness, None | Some(Fair::None));
    let sees_silence = question.rules.divergence == Divergence::AsDeadlock;
    match question.rules.view {
        _ if takers(question) == Takers::Told => Fidelity::Processes,
        View::Trace if !is_fair && !sees_silence => Fidelity::Model(Model::Failures),
        View::Trace | View::Step => Fidelity::Steps,
    }
}

/// Number of expanded states.
fn n_known(structure: &Structure) -> usize {
    structure.n_states() - structure.n_open()
}

/// Whether some loop takes time.
fn can_take_time_forever(structure: &Structure) -> bool {
    let targets = |state: u32| structure.steps(StateId(state)).iter().map(|step| step.target.0);
    let components = graphs::Partition::of(structure.n_states(), targets).of_node;
    structure.states().any(|state| {
        let is_inside = |step: &&Transition| components[step.target.index()] == components[state.index()];
        structure.steps(state).iter().filter(is_inside).any(|step| structure.action(step).takes_time)
    })
}

/// Whether the participants of steps matter.
fn takers(question: &Question) -> Takers {
    match question.choices.fairness {
        Some(Fair::ProcessWeak | Fair::ProcessStrong | Fair::Annotated) => Takers::Told,
        _ if question.choices.zeno == Some(Zeno::Excluded) => Takers::Told,
        _ => Takers::Ignored,
    }
}

/// The remark on a divergence that was found.
fn divergence_after(found: &Counterexample) -> String {
    format!("the process can diverge{}; {NO_TRACES}", after(found))
}

const UNKNOWN_DIVERGENCE: &str = "it was not found out whether the process can diverge";
const NO_TRACES: &str = "runs that are silent for ever are no traces, and nothing is claimed of them";

/// The trace before a divergence, in words.
fn after(found: &Counterexample) -> String {
    let trace: Vec<&str> = found.steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    format!(" after <{}>", trace.join(", "))
}
