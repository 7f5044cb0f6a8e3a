//! Goes through the assertions of a script.

use super::assertion::Claimed;
use super::replay::Replayed;
use super::system::{Asking, Effort};
use super::{Checked, Verdict};
use crate::Session;
use check::{Claim, Method};
use cspm::evaluate::{Evaluator, Interrupt, Limits};
use cspm::syntax::{Assertion, Decl};
use explore::{Progress as _, Statistics as Progress};
use lts::{Lts, Model, Watch};
use process::compile::{Compiled, Fidelity, Library};
use process::{StepError, StepTable, Term, TermId, Terms, Unfold as _, Walk};
use source::{Diagnostic, Span};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// States that are walked before more is tried to make a network.
const A_WHILE: u64 = 20_000;
/// States that are searched instead of a compression that was given up, before it is done all the same.
const A_LONG_WHILE: u64 = 1 << 25;

/// Calls of one definition that are worth to be told of when a limit is reached.
const MANY_CALLS: usize = 10_000;

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
    /// What may be done to networks with many states.
    pub method: Method,
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

/// A network if one could be made, and how hard that was tried.
pub(super) type Tried = (Option<Rc<Compiled>>, Effort);

/// Decides assertions of one script. What it learns about one it uses for the next.
pub struct Checker<'a> {
    pub(super) session: &'a Session,
    pub(super) options: Options,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) terms: Terms,
    pub(super) table: StepTable,
    pub(super) library: Library,
    /// Networks made so far; none for what has no static structure.
    pub(super) networks: HashMap<(TermId, Fidelity), Tried>,
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
        let assertion = self.assertion(index);
        let n_terms = self.terms.len();
        let checked = self.decide(assertion).unwrap_or_else(|failed| {
            let mut checked = Checked::without_answer(failed);
            if let Verdict::Unknown("time-limit" | "memory-limit" | "max-states", detail) = &mut checked.verdict {
                detail.push_str(&self.told_growth(n_terms));
            }
            checked
        });
        if assertion.negated { checked.negated() } else { checked }
    }

    pub(super) fn assertion(&self, index: usize) -> &'a Assertion {
        let session = self.session;
        let ast = &session.resolved.ast;
        let mut assertions = session.declarations().into_iter().filter_map(|decl| match ast.decl(decl) {
            Decl::Assert(assertion) => Some(assertion),
            _ => None,
        });
        assertions.nth(index - 1).expect("assertions are numbered from 1")
    }

    fn decide(&mut self, assertion: &Assertion) -> Result<Checked, Failed> {
        let claimed = self.claimed(assertion)?;
        if let Claimed::Temporal(term, question) = &claimed {
            return self.decide_temporal(*term, question);
        }
        let (term, claim) = self.claim(&claimed)?;
        self.decide_claim(&claimed, term, &claim)
    }

    /// The claim that an assertion makes of a term, unless it is a formula.
    pub(super) fn claim(&mut self, claimed: &Claimed) -> Result<(TermId, Claim), Failed> {
        Ok(match claimed {
            Claimed::Refines { spec, model, implementation } => {
                (*implementation, Claim::Refines(self.specification(*spec, *model)?, *model))
            }
            Claimed::DeadlockFree(term, model) => (*term, Claim::DeadlockFree(*model)),
            Claimed::DivergenceFree(term) => (*term, Claim::DivergenceFree),
            Claimed::Deterministic(term, model) => (*term, Claim::Deterministic(*model)),
            Claimed::HasTrace(term, trace, model) => {
                let labels = trace.iter().map(|&event| process::compile::seen(process::Label::Event(event)));
                (*term, Claim::HasTrace(labels.collect(), *model))
            }
            Claimed::Temporal(..) => return Err(Failed::Unknown("unsupported", "a formula is no claim".to_owned())),
            Claimed::Unsupported(detail) => return Err(Failed::Unknown("unsupported", detail.clone())),
        })
    }

    /// Decides a claim on the network of a term. Where there is none, or not easily, terms are walked: at first for a
    /// while only, because a process without end may still have a short counterexample.
    pub(super) fn decide_claim(&mut self, claimed: &Claimed, term: TermId, claim: &Claim) -> Result<Checked, Failed> {
        let fidelity = Fidelity::Model(claim.decisive_model());
        let first = self.network(term, fidelity, Effort::Little)?;
        if let Some(compiled) = &first {
            let most = if compiled.has_given_up { A_LONG_WHILE } else { u64::MAX };
            match self.decide_network(claimed, term, compiled, claim, most) {
                Err(Failed::Unknown("max-states", _)) if most < self.options.max_states => {}
                Ok(None) => {}
                decided => return decided.map(|checked| checked.expect("it has an answer")),
            }
        } else {
            match self.decide_walking(claimed, term, claim, A_WHILE) {
                Err(Failed::Unknown("max-states", _)) if A_WHILE < self.options.max_states => {}
                decided => return decided,
            }
        }
        if first.is_none_or(|compiled| compiled.has_given_up)
            && let Some(compiled) = self.network(term, fidelity, Effort::Full)?
            && let Some(checked) = self.decide_network(claimed, term, &compiled, claim, u64::MAX)?
        {
            return Ok(checked);
        }
        self.decide_walking(claimed, term, claim, u64::MAX)
    }

    /// Decides a claim about a network; nothing if its states are too large.
    fn decide_network(
        &mut self,
        claimed: &Claimed,
        term: TermId,
        compiled: &Compiled,
        claim: &Claim,
        max_states: u64,
    ) -> Result<Option<Checked>, Failed> {
        let asking = Asking::new(&self.options);
        let mut limits = self.options.search_limits();
        limits.max_states = limits.max_states.min(max_states);
        let answer = check::decide(claim, &compiled.network, self.options.method, &limits, &asking);
        let (verdict, counterexample) = match answer.verdict {
            check::Verdict::Holds => (Verdict::Holds, None),
            check::Verdict::Unknown(check::Reason::TooWide) => return Ok(None),
            check::Verdict::Unknown(reason) => return Err(Failed::from_reason(reason, asking.why(), &self.options)),
            check::Verdict::Fails(found) => {
                let replayed = self.replay_network(claimed, term, compiled, &found);
                let told = match replayed.map_err(|error| self.failed_step(&error))? {
                    Replayed::Confirmed(run, labels, fault) => self.tell_run(&run, &labels, &fault),
                    Replayed::OnNetwork => self.tell_network(compiled, &found.start, &found.steps, &found.fault),
                    Replayed::Refuted(why) => return Err(Failed::not_replayed(why)),
                    Replayed::Unconfirmed => return Err(self.not_confirmed()),
                };
                (Verdict::Fails, Some(told))
            }
        };
        Ok(Some(Checked { verdict, counterexample, statistics: answer.statistics, temporal: None }))
    }

    /// Decides a claim about a term that has no network.
    fn decide_walking(
        &mut self,
        claimed: &Claimed,
        term: TermId,
        claim: &Claim,
        max_states: u64,
    ) -> Result<Checked, Failed> {
        let asking = Asking::new(&self.options);
        let mut report = |_| asking.tick(&Progress::default());
        let max_states = usize::try_from(max_states.min(self.options.max_states)).unwrap_or(usize::MAX);
        let mut watch = Watch::new(&mut report).with_max_states(max_states);
        let mut walk = Walk::new(&mut self.table, &mut self.terms, &mut self.evaluator, term);
        let answer = check::decide_walking(claim, &mut walk, &mut watch);
        let answer = answer.map(|answer| (answer.verdict.map(|state| walk.term(state)), answer.statistics));
        let (verdict, statistics) = answer.map_err(|(_, error)| self.failed_step(&error))?;
        let (verdict, counterexample) = match verdict {
            check::Verdict::Holds => (Verdict::Holds, None),
            check::Verdict::Unknown(reason) => {
                let why = Asking::new(&self.options).ask_again();
                return Err(Failed::from_reason(reason, why, &self.options));
            }
            check::Verdict::Fails(found) => {
                let replayed = self.replay_terms(claimed, &found);
                match replayed.map_err(|error| self.failed_step(&error))? {
                    Replayed::Confirmed(run, labels, fault) => {
                        (Verdict::Fails, Some(self.tell_run(&run, &labels, &fault)))
                    }
                    Replayed::OnNetwork => return Err(Failed::not_replayed("it has no network")),
                    Replayed::Refuted(why) => return Err(Failed::not_replayed(why)),
                    Replayed::Unconfirmed => return Err(self.not_confirmed()),
                }
            }
        };
        Ok(Checked { verdict, counterexample, statistics, temporal: None })
    }

    /// A counterexample that would have to be looked at more closely than the limits allow is no verdict.
    fn not_confirmed(&self) -> Failed {
        match self.options.control.stop() {
            Some(why) => Failed::Stopped(why),
            None => Failed::Unknown(
                "max-states",
                "a counterexample was found, but to replay it more states would be needed than are allowed".to_owned(),
            ),
        }
    }

    /// What hints at a process without end: a definition that was called with ever new arguments. Only terms from the
    /// given one on count.
    fn told_growth(&mut self, first: usize) -> String {
        let evaluator = &self.evaluator;
        let calls = (first..self.terms.len()).rev().filter_map(|index| match self.terms.get(TermId(index as u32)) {
            Term::Call(call) => Some((*call, evaluator.call_span(*call))),
            _ => None,
        });
        let mut calls = calls.peekable();
        let Some(&(last, span)) = calls.peek() else { return String::new() };
        let n_calls = calls.filter(|(_, other)| *other == span).count();
        if n_calls < MANY_CALLS {
            return String::new();
        }
        let text = self.evaluator.call_text(last);
        format!("; one definition was called with {n_calls} different arguments so far, the last ones in `{text}`")
    }

    /// Why a term has no steps to tell.
    pub(super) fn failed_step(&mut self, error: &StepError) -> Failed {
        Failed::from(Box::new(error.diagnose(&mut self.evaluator, Span::default())))
    }
}

/// Why an assertion is not decided.
pub(super) enum Failed {
    Error(Box<Diagnostic>),
    Stopped(Interrupt),
    Unknown(&'static str, String),
}

impl Failed {
    /// A run that was found and cannot be done again is a mistake of ours, and no verdict.
    pub(super) fn not_replayed(why: &str) -> Failed {
        let detail = format!("a counterexample was found that cannot be replayed ({why}): please report this script");
        Failed::Unknown("unsupported", detail)
    }

    pub(super) fn from_stop(stop: explore::Stop, why: Interrupt, options: &Options) -> Failed {
        Failed::from_reason(stop.into(), why, options)
    }

    pub(super) fn from_reason(reason: check::Reason, why: Interrupt, options: &Options) -> Failed {
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
    pub(super) fn without_answer(failed: Failed) -> Checked {
        let verdict = match failed {
            Failed::Error(diagnostic) => Verdict::Error(diagnostic),
            Failed::Unknown(reason, detail) => Verdict::Unknown(reason, detail),
            Failed::Stopped(Interrupt::Time) => Verdict::Unknown("time-limit", "the time limit was reached".to_owned()),
            Failed::Stopped(Interrupt::Memory) => {
                Verdict::Unknown("memory-limit", "the memory limit was reached".to_owned())
            }
            Failed::Stopped(Interrupt::Request) => Verdict::Unknown("interrupted", "interrupted".to_owned()),
        };
        Checked::new(verdict, None)
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
