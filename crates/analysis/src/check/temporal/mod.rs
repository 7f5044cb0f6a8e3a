//! Temporal assertions, decided.
//!
//! A process becomes a network of machines, which is explored on demand for a while, because most properties that fail do so early.
//! If that is not enough it is explored as a whole, on all cores, and then searched. A process without a network is explored state by
//! state, each time a few times as far as before. Formulas that mix past and future, and branching time, are decided on the whole
//! system by the slower engines for them.

mod branching;
mod fair;
mod hint;
mod processes;
mod reduce;
mod replay;
mod settings;
mod subject;
mod tell;
mod tester;

use super::{Reason, Verdict};
use super::checker::Checker;
use super::failed::Failed;
use super::report::{Checked, Counterexample, Temporal};
use frontend::formula::{Fair, Lowered, Question, Written};
use check::{Claim, Statistics};
use lts::Model;
use frontend::{Asserted, Effort, Fidelity, State};
use super::walk::Takers;
use subject::{Form, Found, Subject};
use temporal::{ActionNetwork, Divergence, Ending, Property, View, silence};

impl Checker<'_> {
    /// Decides what a formula claims of a process.
    pub(super) fn decide_temporal(&mut self, process: State, question: &Question) -> Result<Checked, Failed> {
        if question.rules.view == View::Trace && question.rules.divergence == Divergence::Error {
            self.refuse_divergence(process)?;
        }
        let fidelity = fidelity(question);
        if let Some(lowered) = self.network(process, fidelity, Effort::Little)? {
            return self.decide_network_formula(process, question, &lowered);
        }
        let mut near = self.walk_partly(process, 0, takers(question))?;
        if let Some(checked) = self.decide_formula(&mut near, question, Thoroughness::Once)? {
            return Ok(checked);
        }
        // Whoever allows only few states does not wait for more to be tried.
        let more = if near.is_limited(&self.options) { None } else { self.network(process, fidelity, Effort::Full)? };
        match more {
            Some(lowered) => self.decide_network_formula(process, question, &lowered),
            None => {
                let decided = self.decide_formula(&mut near, question, Thoroughness::Full)?;
                Ok(decided.expect("it goes on until there is an answer"))
            }
        }
    }

    fn decide_network_formula(
        &mut self,
        process: State,
        question: &Question,
        lowered: &frontend::Lowered,
    ) -> Result<Checked, Failed> {
        let actions = ActionNetwork::new(&lowered.network, lowered.participants.as_deref());
        let mut subject = Subject::of_network(process, lowered, &actions);
        let decided = self.decide_formula(&mut subject, question, Thoroughness::Full)?;
        Ok(decided.expect("it goes on until there is an answer"))
    }

    /// Decides a formula about a subject; nothing if too little of it is known and no more is to be explored.
    fn decide_formula(
        &mut self,
        subject: &mut Subject<'_>,
        question: &Question,
        thoroughness: Thoroughness,
    ) -> Result<Option<Checked>, Failed> {
        let mut report = settings::describe(question);
        let checked = loop {
            let lowered = self.semantics.lower_formula(question, &subject.occurring())?;
            let checked = match &lowered {
                Lowered::Linear(properties) if reduce::is_wanted(subject, question, &mut report) => {
                    Some(self.decide_reduced(subject, question, properties, &mut report)?)
                }
                Lowered::Linear(properties) => self.decide_linear(subject, question, properties, &mut report)?,
                Lowered::Branching(property) => {
                    reduce::refuse_branching(question, &mut report);
                    self.decide_branching(subject, property, &mut report)?
                }
            };
            match (checked, thoroughness) {
                (Some(checked), _) => break checked,
                (None, Thoroughness::Once) => return Ok(None),
                // What is explored may bring new labels.
                (None, Thoroughness::Full) => self.explore_further(subject)?,
            }
        };
        let mut checked = checked;
        let is_known = report.is_divergence_known;
        if matches!(checked.verdict, Verdict::Holds) && question.rules.view == View::Trace && !is_known {
            self.note_divergence(subject, question, &mut report);
        }
        self.note_absent_events(subject, question, &mut report);
        let (n_states, n_transitions) = subject.size();
        checked.statistics = Statistics {
            n_states: n_states as u64,
            n_transitions: n_transitions as u64,
            n_spec_states: None,
            depth: None,
            composed: None,
        };
        checked.temporal = Some(Box::new(report));
        Ok(Some(checked))
    }

    fn decide_linear(
        &mut self,
        subject: &mut Subject<'_>,
        question: &Question,
        properties: &[(Property, Written)],
        report: &mut Temporal,
    ) -> Result<Option<Checked>, Failed> {
        for (property, written) in properties {
            let answer = self.search(subject, property, &question.rules)?;
            settings::count(report, &answer);
            match answer.found {
                Found::Nothing => {}
                Found::TooLittle => return Ok(None),
                Found::Run(run) => {
                    let confirmed = self.confirm(subject, (property, written), &question.rules, &run);
                    // That all is lost however a run goes on cannot always be seen from its beginning.
                    if confirmed.is_err() && run.ending() == Ending::Any {
                        return Ok(None);
                    }
                    let mut told = confirmed?;
                    tell::seal(&mut told, answer.sealed);
                    // Fairness saves no property that is broken already.
                    if answer.sealed.is_none() {
                        self.hint_at_fairness(subject, properties, &question.rules, &run, report);
                    }
                    return Ok(Some(Checked::new(Verdict::Fails, Some(told))));
                }
            }
        }
        Ok(Some(Checked::new(Verdict::Holds, None)))
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
    fn note_divergence(&mut self, subject: &Subject<'_>, question: &Question, report: &mut Temporal) {
        if question.rules.divergence != Divergence::Report {
            return;
        }
        if let Form::States { structure, states, .. } = &subject.form
            && structure.n_open() > 0
        {
            // What was decided near the start is not worth a search without end.
            let found = silence::find(structure, &question.rules);
            let told = found.and_then(|run| self.tell_states_run(subject.process, structure, states, &run).ok());
            let note = told.map_or_else(|| UNKNOWN_DIVERGENCE.to_owned(), |told| divergence_note(&told));
            report.divergence_note = Some(note);
            return;
        }
        let process = subject.process;
        let checked = self.decide_claim(&Asserted::DivergenceFree(process), process, &Claim::DivergenceFree);
        report.divergence_note = match checked {
            Ok(Checked { verdict: Verdict::Holds, .. }) => None,
            Ok(Checked { counterexample: Some(found), .. }) => Some(divergence_note(&found)),
            Ok(_) => Some(format!("the process can diverge; {NO_TRACES}")),
            Err(_) => Some(UNKNOWN_DIVERGENCE.to_owned()),
        };
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

/// Whether it matters which processes take a step.
fn takers(question: &Question) -> Takers {
    match question.choices.fairness {
        Some(Fair::ProcessWeak | Fair::ProcessStrong) => Takers::Told,
        _ => Takers::Ignored,
    }
}

/// How much of a system is explored.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Thoroughness {
    /// What is known already must do.
    Once,
    /// As much as is needed, or allowed.
    Full,
}

/// That a process diverges, as it was found.
fn divergence_note(found: &Counterexample) -> String {
    format!("the process can diverge{}; {NO_TRACES}", after(found))
}

const UNKNOWN_DIVERGENCE: &str = "it was not found out whether the process can diverge";
const NO_TRACES: &str = "runs that are silent for ever are no traces, and nothing is claimed of them";

/// After which trace.
fn after(found: &Counterexample) -> String {
    let trace: Vec<&str> = found.steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    format!(" after <{}>", trace.join(", "))
}
