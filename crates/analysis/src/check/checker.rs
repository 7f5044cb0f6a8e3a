//! Goes through the assertions of a script.

use super::assertion::Claimed;
use super::system::Asking;
use super::{Checked, Counterexample, Fault, Step, Verdict};
use crate::Session;
use check::{Claim, Statistics};
use cspm::evaluate::{Evaluator, Interrupt, Limits};
use cspm::syntax::{Assertion, Decl};
use explore::{Progress as _, Statistics as Progress};
use lts::{Label, Lts, Model, Watch};
use model::EventId;
use process::compile::{Compiled, Library};
use process::{StepError, StepTable, TermId, Terms, Walk};
use source::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// What the outside has to say while something is decided.
pub trait Control: Send + Sync {
    /// Whether to give up, and why. Asked often.
    fn stop(&self) -> Option<Interrupt>;

    /// The same, from a search that has come so far.
    fn go_on(&self, progress: &Progress) -> Option<Interrupt> {
        let _ = progress;
        self.stop()
    }
}

/// How to decide.
#[derive(Clone)]
pub struct Options {
    /// Asked whether to go on.
    pub control: Arc<dyn Control>,
    /// How many workers search.
    pub n_workers: usize,
    /// Give up after this many states.
    pub max_states: u64,
    /// Give up a search at this many bytes.
    pub max_memory: u64,
}

impl Options {
    pub(super) fn search_limits(&self) -> explore::Limits {
        explore::Limits { n_workers: self.n_workers, max_states: self.max_states, max_memory: self.max_memory }
    }
}

/// Decides assertions of one script. What it learns about one it uses for the next.
pub struct Checker<'a> {
    pub(super) session: &'a Session,
    pub(super) options: Options,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) terms: Terms,
    pub(super) table: StepTable,
    pub(super) library: Library,
    /// Networks made so far; none for what has no static structure.
    pub(super) networks: HashMap<(TermId, Model), Option<Rc<Compiled>>>,
    pub(super) specifications: HashMap<(TermId, Model), Rc<Lts>>,
}

impl<'a> Checker<'a> {
    /// Nothing decided yet. The script must have no errors.
    pub fn new(session: &'a Session, options: Options) -> Checker<'a> {
        let control = options.control.clone();
        let limits = Limits { interrupt: Box::new(move || control.stop()), ..Limits::generous() };
        let evaluator = Evaluator::new(&session.resolved, &session.types, limits);
        Checker {
            session,
            options,
            evaluator,
            terms: Terms::default(),
            table: StepTable::new(),
            library: Library::default(),
            networks: HashMap::new(),
            specifications: HashMap::new(),
        }
    }

    /// Decides the assertion with this number, from 1.
    pub fn check(&mut self, index: usize) -> Checked {
        let ast = &self.session.resolved.ast;
        let mut assertions = self.session.declarations().into_iter().filter_map(|decl| match ast.decl(decl) {
            Decl::Assert(assertion) => Some(assertion),
            _ => None,
        });
        let assertion = assertions.nth(index - 1).expect("assertions are numbered from 1");
        let checked = self.decide(assertion).unwrap_or_else(Checked::without_answer);
        if assertion.negated { checked.negated() } else { checked }
    }

    fn decide(&mut self, assertion: &Assertion) -> Result<Checked, Failed> {
        let (term, claim) = match self.claimed(assertion)? {
            Claimed::Refines { spec, model, implementation } => {
                (implementation, Claim::Refines(self.specification(spec, model)?, model))
            }
            Claimed::DeadlockFree(term, model) => (term, Claim::DeadlockFree(model)),
            Claimed::DivergenceFree(term) => (term, Claim::DivergenceFree),
            Claimed::Deterministic(term, model) => (term, Claim::Deterministic(model)),
            Claimed::HasTrace(term, trace, model) => {
                let labels = trace.into_iter().map(|event| process::compile::seen(process::Label::Event(event)));
                (term, Claim::HasTrace(labels.collect(), model))
            }
            Claimed::Unsupported(detail) => return Err(Failed::Unknown("unsupported", detail)),
        };
        self.decide_claim(term, &claim)
    }

    fn decide_claim(&mut self, term: TermId, claim: &Claim) -> Result<Checked, Failed> {
        if let Some(compiled) = self.network(term, claim.model())? {
            let asking = Asking::new(&self.options);
            let answer = check::decide(claim, &compiled.network, &self.options.search_limits(), &asking);
            if answer.verdict != check::Verdict::Unknown(check::Reason::TooWide) {
                let why = asking.why();
                return self.report(answer, why);
            }
        }
        self.decide_walking(term, claim)
    }

    /// Decides a claim about a term that has no network.
    fn decide_walking(&mut self, term: TermId, claim: &Claim) -> Result<Checked, Failed> {
        let asking = Asking::new(&self.options);
        let mut report = |_| asking.tick(&Progress::default());
        let max_states = usize::try_from(self.options.max_states).unwrap_or(usize::MAX);
        let mut watch = Watch::new(&mut report).with_max_states(max_states);
        let mut walk = Walk::new(&mut self.table, &mut self.terms, &mut self.evaluator, term);
        let answer = check::decide_walking(claim, &mut walk, &mut watch);
        let why = asking.why();
        match answer {
            Ok(answer) => self.report(answer, why),
            Err((_, error)) => Err(self.failed_step(&error)),
        }
    }

    /// Why a term has no steps to tell.
    pub(super) fn failed_step(&mut self, error: &StepError) -> Failed {
        Failed::from(Box::new(error.diagnose(&mut self.evaluator, Span::default())))
    }

    fn report<S>(&self, answer: check::Answer<S>, why: Interrupt) -> Result<Checked, Failed> {
        let (verdict, counterexample) = match answer.verdict {
            check::Verdict::Holds => (Verdict::Holds, None),
            check::Verdict::Fails(run) => (Verdict::Fails, Some(self.tell(&run))),
            check::Verdict::Unknown(reason) => return Err(Failed::from_reason(reason, why, &self.options)),
        };
        Ok(Checked { verdict, counterexample, statistics: answer.statistics })
    }

    fn tell<S>(&self, run: &check::Counterexample<S>) -> Counterexample {
        let step = |&(label, _): &(Label, _)| Step {
            event: self.label_text(label),
            is_visible: label != Label::TAU,
            by: Vec::new(),
        };
        let all = |labels: &Vec<Label>| labels.iter().map(|&label| self.label_text(label)).collect::<Vec<_>>();
        let fault = match &run.fault {
            check::Fault::Event(allowed) => Fault::Event(all(allowed)),
            check::Fault::Refusal { accepted, demanded } => {
                Fault::Refusal(all(accepted), demanded.iter().map(all).collect())
            }
            check::Fault::Deadlock => Fault::Deadlock,
            check::Fault::Divergence(start) => Fault::Divergence(*start),
            check::Fault::Missing { event, possible } => Fault::Missing(self.label_text(*event), all(possible)),
            check::Fault::Nondeterminism(event, accepted) => {
                Fault::Nondeterminism(self.label_text(*event), all(accepted))
            }
        };
        Counterexample { steps: run.steps.iter().map(step).collect(), fault }
    }

    fn label_text(&self, label: Label) -> String {
        match label {
            Label::TAU => "tau".to_owned(),
            Label::TICK => "tick".to_owned(),
            Label(number) => self.evaluator.events().text(EventId(number - 2)).to_owned(),
        }
    }
}

/// Why an assertion is not decided.
pub(super) enum Failed {
    Error(Box<Diagnostic>),
    Stopped(Interrupt),
    Unknown(&'static str, String),
}

impl Failed {
    pub(super) fn from_stop(stop: explore::Stop, why: Interrupt, options: &Options) -> Failed {
        Failed::from_reason(stop.into(), why, options)
    }

    fn from_reason(reason: check::Reason, why: Interrupt, options: &Options) -> Failed {
        match reason {
            check::Reason::Interrupted => Failed::Stopped(why),
            check::Reason::MaxStates => {
                Failed::Unknown("max-states", format!("there are more than {} states", options.max_states))
            }
            check::Reason::MaxMemory => Failed::Stopped(Interrupt::Memory),
            check::Reason::TooWide => Failed::Unknown("unsupported", "its states have too many components".to_owned()),
        }
    }
}

impl From<Box<Diagnostic>> for Failed {
    fn from(diagnostic: Box<Diagnostic>) -> Failed {
        match diagnostic.code {
            "cspm::time-limit" => Failed::Stopped(Interrupt::Time),
            "cspm::memory-limit" => Failed::Stopped(Interrupt::Memory),
            "cspm::interrupted" => Failed::Stopped(Interrupt::Request),
            _ => Failed::Error(diagnostic),
        }
    }
}

impl Checked {
    fn without_answer(failed: Failed) -> Checked {
        let verdict = match failed {
            Failed::Error(diagnostic) => Verdict::Error(diagnostic),
            Failed::Unknown(reason, detail) => Verdict::Unknown(reason, detail),
            Failed::Stopped(Interrupt::Time) => Verdict::Unknown("time-limit", "the time limit was reached".to_owned()),
            Failed::Stopped(Interrupt::Memory) => {
                Verdict::Unknown("memory-limit", "the memory limit was reached".to_owned())
            }
            Failed::Stopped(Interrupt::Request) => Verdict::Unknown("interrupted", "interrupted".to_owned()),
        };
        Checked { verdict, counterexample: None, statistics: Statistics::default() }
    }

    fn negated(mut self) -> Checked {
        self.verdict = match self.verdict {
            Verdict::Holds => Verdict::Fails,
            Verdict::Fails => Verdict::Holds,
            other => other,
        };
        self
    }
}
