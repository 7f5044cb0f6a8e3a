//! Answers to assertions, in the words of the script.

use super::intervals::History;
use decide::Statistics;
use frontend::Time;
pub use lts::Reason;
use model::EventId;
use source::{Diagnostic, Span};
pub use temporal::Ending;

/// The answer to an assertion.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The verdict on the assertion as written, a `not` included.
    pub verdict: Verdict,
    /// A run that violates the property. Under `not` it is the reason why the assertion holds.
    pub counterexample: Option<Counterexample>,
    /// Size of the search.
    pub statistics: Statistics,
    /// Details of a temporal assertion.
    pub temporal: Option<Box<Temporal>>,
    /// Remarks for the user.
    pub notes: Vec<String>,
}

impl Checked {
    /// An answer without statistics and remarks.
    pub(super) fn new(verdict: Verdict, counterexample: Option<Counterexample>) -> Checked {
        Checked { verdict, counterexample, statistics: Statistics::default(), temporal: None, notes: Vec::new() }
    }

    /// The answer to a property that no engine decides.
    pub fn unsupported(detail: String) -> Checked {
        Checked::new(Verdict::Unknown(Reason::Unsupported, detail), None)
    }

    /// Adds the size of an inconclusive search. Reports come at intervals, but where the limit on states was reached,
    /// at least that many states were visited.
    pub(super) fn count(&mut self, reached: &progress::Statistics, max_states: u64) {
        let is_at_most = matches!(self.verdict, Verdict::Unknown(Reason::MAX_STATES, _));
        if self.statistics == Statistics::default() {
            self.statistics.n_states = if is_at_most { reached.n_states.max(max_states) } else { reached.n_states };
            self.statistics.n_transitions = reached.n_transitions;
            self.statistics.depth = (reached.depth > 0).then_some(reached.depth);
        }
    }

    /// Whether there is a verdict.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Fails)
    }

    /// The answer to the negated assertion.
    pub(super) fn negated(mut self) -> Checked {
        self.verdict = match self.verdict {
            Verdict::Holds => Verdict::Fails,
            Verdict::Fails => Verdict::Holds,
            other => other,
        };
        self
    }
}

/// The verdict on an assertion. A `not` turns the verdict of the engines round; and a script may have errors.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proved.
    Holds,
    /// Refuted.
    Fails,
    /// Inconclusive, for this reason, with details.
    Unknown(Reason, String),
    /// The processes of the assertion cannot be evaluated.
    Error(Box<Diagnostic>),
}

/// The interpreter on which a counterexample was replayed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replay {
    /// The definition of the language.
    Terms,
    /// The interpreter of networks: the script is a network, or its configurations stand for no single states of the
    /// process, or for too many components.
    Network,
}

impl Replay {
    /// Stable name, used in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Replay::Terms => "terms",
            Replay::Network => "network",
        }
    }
}

/// A run that violates a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// The interpreter on which it was replayed.
    pub replayed: Replay,
    /// Components of the process.
    pub components: Vec<Component>,
    /// The steps, silent ones included.
    pub steps: Vec<Step>,
    /// The violation at the end.
    pub fault: Fault,
    /// The events that the specification allows before each step, and at the end unless the last step is the violation.
    /// Empty if there is no explicit specification.
    pub allowed: Vec<Events>,
    /// The concrete family that it is a run of, in parameterized verification.
    pub families: Vec<Family>,
    /// The progress of time at the end, in timed systems.
    pub time: Option<TimeAtEnd>,
}

/// The progress of time at the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeAtEnd {
    /// It can pass without bound.
    GoesOn,
    /// It cannot pass beyond this moment.
    Stops(Time),
    /// The loop takes this long.
    Repeats(Time),
}

/// Copies of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// The process.
    pub process: String,
    /// The number of copies.
    pub count: u32,
}

impl Family {
    /// The family in words.
    pub fn text(&self) -> String {
        match self.count {
            0 => format!("no copy of {}", self.process),
            1 => format!("1 copy of {}", self.process),
            count => format!("{count} copies of {}", self.process),
        }
    }
}

/// A set of events.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// All of them.
    pub all: Vec<String>,
    /// In the order of the script, with names such as `{|c.0|}` for all events with that prefix.
    pub folded: Vec<String>,
}

impl From<Vec<String>> for Events {
    /// Events without shorter names.
    fn from(all: Vec<String>) -> Events {
        Events { folded: all.clone(), all }
    }
}

impl std::ops::Deref for Events {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.all
    }
}

/// A parallel component of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// Its process as written.
    pub name: String,
    /// Its definition.
    pub place: Option<Span>,
    /// The events that it could perform by itself at the end. Known for deadlocks and refusals.
    pub wants: Events,
    /// The components that it waits for, by number: they would have to take part in these events, and do not.
    pub waits_for: Vec<usize>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The event, `tau` or `tick`.
    pub event: String,
    /// Its number in [`Checker::events`](super::Checker::events), if it is an event.
    pub event_id: Option<EventId>,
    /// Whether the environment sees it.
    pub is_visible: bool,
    /// Whether `chase` executes it at once.
    pub is_followed: bool,
    /// The participating components.
    pub parts: Vec<Part>,
    /// All events offered before it, where refusals on the way are a part of the violation.
    pub offered: Option<Events>,
    /// The time that passes before it, in timed systems.
    pub delay: Option<Time>,
}

impl Counterexample {
    /// The step with which the loop begins.
    pub fn repeated_from(&self) -> Option<usize> {
        match self.fault {
            Fault::Divergence(start)
            | Fault::Failure(Finding::Temporal { ending: Ending::Loop(start) | Ending::Silent(start), .. }) => {
                Some(start)
            }
            _ => None,
        }
    }

    /// A shortest cycle of components that wait for one another, each for the next and the last for the first.
    pub fn circle(&self) -> Option<Vec<usize>> {
        let mut smallest: Option<Vec<usize>> = None;
        for start in 0..self.components.len() {
            let mut came_from: Vec<Option<usize>> = vec![None; self.components.len()];
            let mut open = std::collections::VecDeque::from([start]);
            'search: while let Some(at) = open.pop_front() {
                for &next in &self.components[at].waits_for {
                    if next == start {
                        let mut circle: Vec<usize> =
                            std::iter::successors(Some(at), |&place| came_from[place].filter(|_| place != start))
                                .collect();
                        circle.reverse();
                        if smallest.as_ref().is_none_or(|known| circle.len() < known.len()) {
                            smallest = Some(circle);
                        }
                        break 'search;
                    }
                    if came_from[next].is_none() {
                        came_from[next] = Some(at);
                        open.push_back(next);
                    }
                }
            }
        }
        smallest
    }
}

impl Step {
    /// The event behind a silent step, if one is hidden.
    pub fn hidden(&self) -> Option<&str> {
        let events = self.parts.iter().map(|part| part.event.as_str());
        events.filter(|_| !self.is_visible).find(|event| *event != self.event)
    }
}

/// The part of a component in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its number.
    pub component: usize,
    /// Its own event, before renaming and hiding.
    pub event: String,
    /// The process that it has become, if that has a name.
    pub process: Option<String>,
    /// The definition of that process.
    pub place: Option<Span>,
    /// The location of the event in the source, if it is known.
    pub taken: Option<Span>,
}

/// The violation at the end of a run.
pub type Fault = lts::Fault<Finding, String, Events>;

/// Violations of properties other than refinement.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The last call or answer of a concurrent object has no explanation.
    History(Box<History>),
    /// The last state has the goal.
    State {
        /// The variables there, with their values.
        variables: Vec<(String, String)>,
        /// The optimal value.
        optimum: Option<i64>,
    },
    /// The last state performs this event in two ways, which lead to different states.
    Ambiguity(String),
    /// The run violates a formula.
    Temporal {
        /// The continuation of the run.
        ending: Ending,
        /// The length of the bad prefix: after so many steps, which are all steps of the run, every continuation
        /// violates the formula. None if only the whole run, with its loop or its end, is a violation.
        sealed: Option<usize>,
        /// The steps that leave the positions of the run, by index; the index behind the last step if the run ends
        /// there.
        positions: Vec<usize>,
        /// The step to which the truths of a position belong.
        reading: EventReading,
        /// Truth values of the parts of the formula.
        truths: Vec<Truth>,
        /// The reasons why the loop is fair.
        served: Vec<String>,
    },
}

/// The step whose event an event atom of a formula reads, and beside which the truths of a position are shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum EventReading {
    /// The step that leaves the position, as CSP and `ProB` read formulas.
    #[default]
    Leaving,
    /// The step that led to the position, as PAT reads formulas.
    Arriving,
}

impl EventReading {
    /// The steps beside which the positions of a run are shown: none before the first step, the number of steps behind
    /// the last one.
    pub fn rows(self, positions: &[usize]) -> Vec<Option<usize>> {
        let places = positions.iter().copied().map(Some);
        match self {
            EventReading::Leaving => places.collect(),
            EventReading::Arriving => std::iter::once(None).chain(places).take(positions.len()).collect(),
        }
    }
}

/// The truth values of a part of a formula along a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The part.
    pub formula: String,
    /// Its truth value at each position.
    pub values: Vec<bool>,
}

/// Details of a temporal assertion.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Temporal {
    /// The fully bracketed formula.
    pub reading: String,
    /// The logic, the dialect, and the rules for runs, by name.
    pub settings: Vec<(&'static str, &'static str)>,
    /// Nodes of the product.
    pub n_nodes: u64,
    /// The largest automaton: its states, its acceptance sets, and its class.
    pub automaton: Option<(usize, u32, &'static str)>,
    /// The engine that decided.
    pub engine: &'static str,
    /// A remark that the process diverges, which the formula does not observe.
    pub divergence_note: Option<String>,
    /// The weakest fairness under which the formula would hold.
    pub weakest_fairness: Option<&'static str>,
    /// Outcomes of the reductions that the user asked for.
    pub reductions: Vec<String>,
    /// Remarks that belong to every verdict.
    pub remarks: Vec<String>,
    /// Further remarks.
    pub notes: Vec<String>,
}
