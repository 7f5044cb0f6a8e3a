//! Temporal assertions: formulas made ready, and answers told.
//!
//! Which engine decides, and on how much of a process, is known to [`temporal::decide`]. Here a process becomes a network if that is
//! easy; otherwise its states are walked for a while, before more is tried to make a network of it.

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

use super::checker::Checker;
use super::failed::Failed;
use super::forms::{Decidable, InForm};
use super::report::{Checked, Counterexample, Temporal};
use super::walk::Takers;
use super::{Reason, Verdict};
use cut::Extent;
use decide::{Claim, Formulas, Lassos, Method, SatEngine, Statistics};
use explore::{Observer, may_fail};
use frontend::formula::{Fair, Question, Zeno};
use frontend::{Asserted, Effort, Failure, Fidelity, Lowered, State};
use lts::{Model, StateId, Transition};
use source::{Asking, Reader};
use temporal::decide::{
    Decision, NetworkSubject, Outcome, Silence, Subject, Thoroughness, Undecided, decide, weakest_fairness,
};
use temporal::{ActionNetwork, Divergence, Structure, View};

/// A formula about a process.
struct FormulaAbout<'q> {
    asking: Asking<'q>,
    /// The states near its start, once they were explored.
    near: Option<Subject<'static>>,
    /// Whether the user allows no more states than these.
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

    /// States are explored for a while once, and as far as is needed where nothing else is left.
    fn on_the_fly(&mut self, checker: &mut Checker<'_>, max_states: u64) -> InForm {
        let thoroughness = if max_states == u64::MAX { Thoroughness::Full } else { Thoroughness::Once };
        let is_first = self.near.is_none();
        let mut near = match self.near.take() {
            Some(near) => near,
            None => checker.states_near(&mut self.asking)?,
        };
        let decided = match thoroughness {
            Thoroughness::Once if !is_first => Ok(None),
            _ => checker.decide_formula(&mut self.asking, None, &mut near, thoroughness),
        };
        self.is_limited = checker.is_limited(&near, self.asking.question);
        self.near = Some(near);
        decided
    }

    fn is_limited(&self) -> bool {
        self.is_limited
    }
}

impl Checker<'_> {
    /// The states of a process that are nearest to its start.
    fn states_near(&mut self, asking: &mut Asking<'_>) -> Result<Subject<'static>, Failed> {
        let progress = self.options.progress.clone();
        let setting = self.setting(asking.question, &*progress);
        let mut reader = Reader { checker: self, asking, lowered: None };
        let near = Subject::of_walk(&mut reader, &setting);
        near.map_err(|why| self.undecided(asking, None, why))
    }

    /// Whether the user allows no more states than were explored.
    fn is_limited(&self, subject: &Subject<'_>, question: &Question) -> bool {
        subject.is_limited(&self.setting(question, &*self.options.progress))
    }

    /// Decides what a formula claims of a process.
    pub(super) fn decide_temporal(&mut self, process: State, question: &Question) -> Result<Checked, Failed> {
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

    /// Looks for a run that breaks a formula with a SAT solver.
    pub(super) fn find_lasso(&mut self, process: State, question: &Question) -> Result<Checked, Failed> {
        let Some(Lassos { settings }) = self.lassos() else {
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

    /// Who looks for runs that break formulas, if states are not to be explored.
    fn lassos(&self) -> Option<Lassos> {
        match self.options.method {
            Method::Formulas(Formulas { engine: SatEngine::Bounded, settings }) => Some(Lassos { settings }),
            _ => None,
        }
    }

    fn decide_network_formula(&mut self, asking: &mut Asking<'_>, lowered: &Lowered) -> Result<Checked, Failed> {
        let participants = lowered.participants.as_deref();
        let actions = ActionNetwork::new(&lowered.network, participants).with_conditions(lowered.conditions.to_vec());
        let network = NetworkSubject::new(&lowered.network, participants, &actions);
        let network = if lowered.is_compressed { network.compressed() } else { network };
        let mut subject = Subject::Network(network);
        let decided = self.decide_formula(asking, Some(lowered), &mut subject, Thoroughness::Full)?;
        let decided = decided.expect("it goes on until there is an answer");
        if matches!(decided.verdict, Verdict::Holds) {
            self.find_failure(lowered)?;
        }
        Ok(decided)
    }

    /// What goes wrong in a process is an error of its script, also where the formula does not look.
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

    /// Decides a formula about a subject; nothing if too little of it is known and no more is to be explored.
    fn decide_formula(
        &mut self,
        asking: &mut Asking<'_>,
        lowered: Option<&Lowered>,
        subject: &mut Subject<'_>,
        thoroughness: Thoroughness,
    ) -> Result<Option<Checked>, Failed> {
        let question = asking.question;
        let progress = self.options.progress.clone();
        let mut setting = self.setting(question, &*progress);
        let lassos = self.lassos();
        if let Some(lassos) = &lassos {
            setting.finder = Some(lassos);
            (setting.reduction, setting.tries_orders) = (None, false);
        }
        let decided = decide(subject, &mut Reader { checker: self, asking, lowered }, &setting, thoroughness);
        let Some(decision) = decided.map_err(|why| self.undecided(asking, lowered, why))? else { return Ok(None) };
        let mut report = settings::describe(question);
        settings::tell(&mut report, &decision);
        let (verdict, counterexample) = match &decision.outcome {
            Outcome::Holds => (Verdict::Holds, None),
            Outcome::Broken(broken) => {
                let told = self.tell_broken(asking, lowered, (subject, &decision), broken)?;
                if lassos.is_none() {
                    let mut reader = Reader { checker: self, asking, lowered };
                    let weakest = weakest_fairness(subject, &mut reader, &decision, &setting);
                    report.weakest_fairness = weakest.map(settings::notion);
                }
                (Verdict::Fails, Some(told))
            }
            Outcome::Refuted(found) => {
                let told = found.as_ref().map(|run| self.tell_branching(asking, lowered, subject, run)).transpose()?;
                (Verdict::Fails, told)
            }
        };
        if matches!(verdict, Verdict::Holds) && question.rules.view == View::Trace {
            report.divergence_note = self.divergence_note(asking, lowered, subject, &decision);
        }
        self.note_absent_events(subject, question, &mut report);
        self.note_marks(question, &mut report);
        self.note_zeno(question, subject, &verdict, &mut report);
        let (n_states, n_transitions) = subject.size();
        let (n_states, n_transitions) = (n_states as u64, n_transitions as u64);
        let statistics = Statistics { n_states, n_transitions, ..Statistics::default() };
        let temporal = Some(Box::new(report));
        Ok(Some(Checked { statistics, temporal, ..Checked::new(verdict, counterexample) }))
    }

    /// Why there is no answer, in words.
    fn undecided(&mut self, asking: &Asking<'_>, lowered: Option<&Lowered>, why: Undecided<Failure>) -> Failed {
        match why {
            Undecided::Source(failure) => self.failed_walking(&asking.walked, failure),
            Undecided::Unknown(reason) => reason.into(),
            Undecided::NotReplayed(why) => Failed::not_replayed(&why),
            Undecided::Failed(before, failed) => match lowered {
                Some(lowered) if !lowered.open.is_empty() => Failed::Open(None),
                Some(lowered) => self.failed_after(lowered, before.into_iter(), None, &failed),
                None => Failed::not_replayed("a step goes wrong of a network that there is not"),
            },
            Undecided::TooFew { n_known, n_open } => {
                let are = if n_open == 1 { "is" } else { "are" };
                let detail =
                    format!("the {n_known} states that were explored do not decide it, and {n_open} more {are} open");
                Failed::Unknown(self.options.limits.binding().into(), detail)
            }
        }
    }

    /// What is claimed of events that never occur is perhaps true, or false, for no other reason.
    fn note_absent_events(&mut self, subject: &Subject<'_>, question: &Question, report: &mut Temporal) {
        let occurring = subject.occurring();
        if !occurring.are_all {
            return;
        }
        let absent = self.semantics.absent_events(question, &occurring);
        report.remarks.extend(absent.iter().map(|event| format!("`{event}` never occurs in the process")));
    }

    /// Where time goes on in no run, everything is true of those in which it does.
    fn note_zeno(&self, question: &Question, subject: &Subject<'_>, verdict: &Verdict, report: &mut Temporal) {
        let Subject::Walk(structure) = subject else { return };
        if question.choices.zeno == Some(Zeno::Excluded)
            && matches!(verdict, Verdict::Holds)
            && structure.n_open() == 0
            && !can_take_time_forever(structure)
        {
            report.remarks.push("time goes on for ever in no run, so this says nothing of runs without end".to_owned());
        }
    }

    /// Marks on events count only if they are asked for.
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

    /// No verdict if there are divergences.
    fn refuse_divergence(&mut self, process: State) -> Result<(), Failed> {
        let checked = self.decide_claim(&Asserted::DivergenceFree(process), process, &Claim::DivergenceFree)?;
        match checked.verdict {
            Verdict::Holds => Ok(()),
            _ => {
                let after = checked.counterexample.as_ref().map(after).unwrap_or_default();
                Err(Failed::Unknown(Reason::Divergence, format!("the process can diverge{after}")))
            }
        }
    }

    /// What is silent for ever is no trace, so the property says nothing about it.
    fn divergence_note(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        subject: &Subject<'_>,
        decision: &Decision,
    ) -> Option<String> {
        if asking.question.rules.divergence != Divergence::Report {
            return None;
        }
        match (&decision.silence, subject) {
            (Silence::Never, _) => None,
            (Silence::Found(run), _) => {
                let told = self.tell_found(asking, lowered, subject, (run, Extent::of(run))).ok();
                Some(told.map_or_else(|| UNKNOWN_DIVERGENCE.to_owned(), |told| divergence_after(&told)))
            }
            // What was decided near the start is not worth a search without end.
            (Silence::Unknown, Subject::Walk(_)) => Some(UNKNOWN_DIVERGENCE.to_owned()),
            (Silence::Unknown, Subject::Network(_)) => self.search_divergence(asking.process),
        }
    }

    fn search_divergence(&mut self, process: State) -> Option<String> {
        let checked = self.decide_claim(&Asserted::DivergenceFree(process), process, &Claim::DivergenceFree);
        match checked {
            Ok(Checked { verdict: Verdict::Holds, .. }) => None,
            Ok(Checked { counterexample: Some(found), .. }) => Some(divergence_after(&found)),
            Ok(_) => Some(format!("the process can diverge; {NO_TRACES}")),
            Err(_) => Some(UNKNOWN_DIVERGENCE.to_owned()),
        }
    }
}

/// What compressions have to preserve. Without fairness a formula about traces sees the failures of a process and nothing else; what
/// lies behind a divergence counts, so the model is not that of failures and divergences. Fairness looks into states.
pub(super) fn fidelity(question: &Question) -> Fidelity {
    let is_fair = question.formula.premise.is_some() || !matches!(question.choices.fairness, None | Some(Fair::None));
    let sees_silence = question.rules.divergence == Divergence::AsDeadlock;
    match question.rules.view {
        _ if takers(question) == Takers::Told => Fidelity::Processes,
        View::Trace if !is_fair && !sees_silence => Fidelity::Model(Model::Failures),
        View::Trace | View::Step => Fidelity::Steps,
    }
}

/// Whether a loop takes time.
fn can_take_time_forever(structure: &Structure) -> bool {
    let targets = |state: u32| structure.steps(StateId(state)).iter().map(|step| step.target.0);
    let components = graphs::Partition::of(structure.n_states(), targets).of_node;
    structure.states().any(|state| {
        let is_inside = |step: &&Transition| components[step.target.index()] == components[state.index()];
        structure.steps(state).iter().filter(is_inside).any(|step| structure.action(step).takes_time)
    })
}

/// Whether it matters which processes take a step.
fn takers(question: &Question) -> Takers {
    match question.choices.fairness {
        Some(Fair::ProcessWeak | Fair::ProcessStrong | Fair::Annotated) => Takers::Told,
        _ if question.choices.zeno == Some(Zeno::Excluded) => Takers::Told,
        _ => Takers::Ignored,
    }
}

/// That a process diverges, as it was found.
fn divergence_after(found: &Counterexample) -> String {
    format!("the process can diverge{}; {NO_TRACES}", after(found))
}

const UNKNOWN_DIVERGENCE: &str = "it was not found out whether the process can diverge";
const NO_TRACES: &str = "runs that are silent for ever are no traces, and nothing is claimed of them";

/// After which trace.
fn after(found: &Counterexample) -> String {
    let trace: Vec<&str> = found.steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    format!(" after <{}>", trace.join(", "))
}
