//! Which engine decides, on how much of a system, and what of it may be left out.
//!
//! A network is explored on demand for a while, because most properties that fail do so early. If that is not enough it is explored
//! as a whole, on all cores, and then searched. A system without a network is walked state by state, each time a few times as far as
//! before. Formulas that mix past and future, and branching time, are decided on the whole system by the slower engines for them.
//!
//! Nothing here knows a language. What a formula means for the labels that are known, and what the steps of a walked state are, is
//! asked of a [`Source`]; what was found is told by types, and put into words elsewhere.

mod answer;
mod branching;
mod finder;
mod hint;
mod linear;
mod recurrence;
mod reduce;
mod source;
mod stuck;
mod subject;

pub use answer::{Broken, Decision, Engine, FoundRun, Outcome, Reduced, Seen, Silence, Undecided};
pub use finder::{Discovery, Finder};
pub use hint::weakest_fairness;
pub use property::{Notion, Occurring};
pub use source::{Asked, Source, Walk, nearest};
pub use subject::{NetworkSubject, Subject};

use crate::reduction::{Kind, Refusal};
use crate::{Divergence, Property, Reason, Rules, View};
use explore::Limits;
use progress::Progress;

/// How to decide.
pub struct Setting<'a> {
    /// Which runs count.
    pub rules: &'a Rules,
    /// Who looks for runs of networks; nothing is explored then, nor proved.
    pub finder: Option<&'a dyn Finder>,
    /// What may be left out where no property sees it.
    pub reduction: Option<Kind>,
    /// Whether orders of steps may be left out, too, where a proof gets short by that.
    pub tries_orders: bool,
    /// What may be used.
    pub limits: Limits,
    /// Hears how far it is, and may end it.
    pub progress: &'a dyn Progress,
}

impl Setting<'_> {
    /// As many states as are allowed, as far as memory can be numbered.
    fn most_states(&self) -> usize {
        usize::try_from(self.limits.states()).unwrap_or(usize::MAX)
    }
}

/// How much of a system is explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Thoroughness {
    /// What is known already must do.
    Once,
    /// As much as is needed, or allowed.
    Full,
}

/// Decides what is asked of a system; nothing if too little of it is known and no more is to be explored.
///
/// # Errors
/// Why there is no answer.
pub fn decide<S: Source>(
    subject: &mut Subject<'_>,
    source: &mut S,
    setting: &Setting<'_>,
    thoroughness: Thoroughness,
) -> Result<Option<Decision>, Undecided<S::Error>> {
    let mut decider = Decider { subject, source, setting, decision: Decision::default() };
    loop {
        let asked = decider.source.asked(&decider.subject.occurring()).map_err(Undecided::Source)?;
        let mut answer = decider.answer(&asked)?;
        if answer.is_none() && thoroughness == Thoroughness::Full {
            answer = decider.try_orders(&asked)?;
        }
        if answer.is_none() && thoroughness == Thoroughness::Full {
            answer = decider.try_components(&asked)?;
        }
        match (answer, thoroughness) {
            (Some(outcome), _) => {
                let properties = match asked {
                    Asked::Linear(properties) => properties,
                    Asked::Branching(_) => Vec::new(),
                };
                return Ok(Some(decider.conclude(outcome, properties)));
            }
            (None, Thoroughness::Once) => return Ok(None),
            // What is explored may bring new labels.
            (None, Thoroughness::Full) => decider.explore_further()?,
        }
    }
}

/// Everything at hand while one question is decided.
struct Decider<'d, 'n, S> {
    subject: &'d mut Subject<'n>,
    source: &'d mut S,
    setting: &'d Setting<'d>,
    /// What is known of the answer so far.
    decision: Decision,
}

impl<S: Source> Decider<'_, '_, S> {
    /// The answer by what is known of the system, or by all that is needed of it where each property is reduced for itself.
    fn answer(&mut self, asked: &Asked) -> Result<Option<Outcome>, Undecided<S::Error>> {
        match (asked, self.setting.reduction, &*self.subject) {
            (Asked::Linear(properties), None, _) => self.decide_linear(properties, 0),
            (Asked::Linear(properties), Some(kind), Subject::Network(_)) => {
                self.decide_reduced(properties, kind).map(Some)
            }
            (Asked::Linear(properties), Some(_), Subject::Walk(_)) => {
                self.decision.note(Reduced::Refused(Refusal::NoNetwork));
                self.decide_linear(properties, 0)
            }
            (Asked::Branching(_), _, _) if self.setting.finder.is_some() => Err(Reason::Unsupported.into()),
            (Asked::Branching(property), wish, _) => {
                if wish.is_some() {
                    self.decision.note(Reduced::Refused(Refusal::Branching));
                }
                self.decide_branching(property)
            }
        }
    }

    fn explore_further(&mut self) -> Result<(), Undecided<S::Error>> {
        self.subject.explore_further(self.source, self.setting)
    }

    /// Adds what is known without further search.
    fn conclude(self, outcome: Outcome, properties: Vec<Property>) -> Decision {
        let mut decision = Decision { outcome, properties, ..self.decision };
        let holds = matches!(decision.outcome, Outcome::Holds);
        if holds && asks_for_silence(self.setting.rules) && decision.silence == Silence::Unknown {
            decision.silence = self.subject.silence(self.setting.rules);
        }
        decision
    }
}

/// Whether it is to be told that a system can be silent for ever.
fn asks_for_silence(rules: &Rules) -> bool {
    rules.view == View::Trace && rules.divergence == Divergence::Report
}
