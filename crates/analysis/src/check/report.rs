//! What a check found, in the words of the script.

use super::intervals::History;
use decide::Statistics;
use frontend::Time;
pub use lts::Reason;
use model::EventId;
use source::{Diagnostic, Span};
pub use temporal::Ending;

/// The answer to one assertion.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The verdict on the assertion as written, a `not` included.
    pub verdict: Verdict,
    /// A behavior that breaks the property. Under `not` it is the reason why the assertion holds.
    pub counterexample: Option<Counterexample>,
    /// What was looked at.
    pub statistics: Statistics,
    /// More about a temporal assertion.
    pub temporal: Option<Box<Temporal>>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}

impl Checked {
    /// An answer of which nothing else is known.
    pub(super) fn new(verdict: Verdict, counterexample: Option<Counterexample>) -> Checked {
        Checked { verdict, counterexample, statistics: Statistics::default(), temporal: None, notes: Vec::new() }
    }

    /// The answer to what nothing decides.
    pub fn unsupported(detail: String) -> Checked {
        Checked::new(Verdict::Unknown(Reason::Unsupported, detail), None)
    }

    /// Tells how far a search was that came to no answer. It says so only now and then, but there are as many states as were allowed where
    /// these were too few.
    pub(super) fn count(&mut self, reached: &progress::Statistics, max_states: u64) {
        let is_at_most = matches!(self.verdict, Verdict::Unknown(Reason::MAX_STATES, _));
        if self.statistics == Statistics::default() {
            self.statistics.n_states = if is_at_most { reached.n_states.max(max_states) } else { reached.n_states };
            self.statistics.n_transitions = reached.n_transitions;
            self.statistics.depth = (reached.depth > 0).then_some(reached.depth);
        }
    }

    /// Whether it is known what is so.
    pub(super) fn is_decided(&self) -> bool {
        matches!(self.verdict, Verdict::Holds | Verdict::Fails)
    }

    /// The answer to the opposite.
    pub(super) fn negated(mut self) -> Checked {
        self.verdict = match self.verdict {
            Verdict::Holds => Verdict::Fails,
            Verdict::Fails => Verdict::Holds,
            other => other,
        };
        self
    }
}

/// Whether an assertion is true. A `not` turns what engines found round, so that it says nothing of how; and a script may have errors.
#[derive(Clone, Debug)]
pub enum Verdict {
    /// Proved.
    Holds,
    /// Refuted.
    Fails,
    /// Neither, for this reason; the text says more.
    Unknown(Reason, String),
    /// What the assertion is about cannot be evaluated.
    Error(Box<Diagnostic>),
}

/// On what a counterexample was repeated before it was told.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replay {
    /// On the states of the process, as its language defines their steps.
    Terms,
    /// On the interpreter of networks: the script is one, or its states stand for no single state of the process, or for far too
    /// many components.
    Network,
}

impl Replay {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Replay::Terms => "terms",
            Replay::Network => "network",
        }
    }
}

/// A behavior that breaks a property.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counterexample {
    /// On what it was repeated.
    pub replayed: Replay,
    /// Who takes part.
    pub components: Vec<Component>,
    /// Every step.
    pub steps: Vec<Step>,
    /// What is wrong at the end.
    pub fault: Fault,
    /// What the specification allows before each step, and at the end unless the last step is what it does not allow. Empty where there
    /// is no specification that could be asked.
    pub allowed: Vec<Events>,
    /// Of which families it is a behavior, where the property is about any number of copies.
    pub families: Vec<Family>,
    /// What time does at its end, where time passes.
    pub time: Option<TimeAtEnd>,
}

/// What time does at the end of a behavior.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TimeAtEnd {
    /// It goes on; after so much from the last step on nothing changes any more.
    GoesOn,
    /// It cannot pass any further beyond this moment.
    Stops(Time),
    /// The end repeats for ever, and each round takes so much.
    Repeats(Time),
}

/// Copies of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Family {
    /// The process.
    pub process: String,
    /// How many copies of it there are.
    pub count: u32,
}

impl Family {
    /// In words.
    pub fn text(&self) -> String {
        match self.count {
            0 => format!("no copy of {}", self.process),
            1 => format!("1 copy of {}", self.process),
            count => format!("{count} copies of {}", self.process),
        }
    }
}

/// Events that are possible, allowed or wanted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Events {
    /// Each of them.
    pub all: Vec<String>,
    /// The same in the order of the script, with one name such as `{|c.0|}` for all events that begin so.
    pub folded: Vec<String>,
}

impl From<Vec<String>> for Events {
    /// Events that have no shorter names.
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

/// A process that runs beside others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Component {
    /// As written where it starts.
    pub name: String,
    /// Where it is defined.
    pub place: Option<Span>,
    /// What it could do at the end, if others let it. Known where the behavior ends because too little is offered.
    pub wants: Events,
    /// Those it waits for, by number: they would have to take part in what it wants, and do not.
    pub waits_for: Vec<usize>,
}

/// A step of a process.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// The event, `tau` or `tick`.
    pub event: String,
    /// Its number in the [`Checker::events`](super::Checker::events), if it is an event.
    pub event_id: Option<EventId>,
    /// Whether the environment sees it.
    pub is_visible: bool,
    /// Whether `chase` follows it: nothing else can happen before it, and nobody sees it.
    pub is_followed: bool,
    /// What each component that takes part does.
    pub parts: Vec<Part>,
    /// All that was offered before it, where what was refused on the way is a part of what is wrong.
    pub offered: Option<Events>,
    /// How much time passes before it, where time passes.
    pub delay: Option<Time>,
}

impl Counterexample {
    /// Where the steps begin that are repeated for ever.
    pub fn repeated_from(&self) -> Option<usize> {
        match self.fault {
            Fault::Divergence(start)
            | Fault::Failure(Finding::Temporal { ending: Ending::Loop(start) | Ending::Silent(start), .. }) => {
                Some(start)
            }
            _ => None,
        }
    }

    /// Components that wait for one another in a circle, each for the next and the last for the first; a smallest one.
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

/// What a component does in a step.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// Its number.
    pub component: usize,
    /// Its own event, before others rename or hide it.
    pub event: String,
    /// The process it has become, if that has a name.
    pub process: Option<String>,
    /// Where that is defined.
    pub place: Option<Span>,
    /// Where what it does is written, if that is known.
    pub taken: Option<Span>,
}

/// What is wrong at the end of a behavior.
pub type Fault = lts::Fault<Finding, String, Events>;

/// What can be wrong besides what refinements speak of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Finding {
    /// The last step is a call or an answer that an object cannot explain.
    History(Box<History>),
    /// The last state is one that was looked for.
    State {
        /// The variables there, with their values.
        variables: Vec<(String, String)>,
        /// The value of what was to be smallest or greatest.
        optimum: Option<i64>,
    },
    /// The last state can do this in two ways, which lead to different states.
    Ambiguity(String),
    /// The run does not satisfy a formula.
    Temporal {
        /// How it goes on.
        ending: Ending,
        /// After so many steps, which are all of them, the formula is false however the run goes on. Nothing if only the whole run,
        /// with its loop or its end, breaks the formula.
        sealed: Option<usize>,
        /// The steps that leave its positions, by place; the place behind the last step if it ends there.
        positions: Vec<usize>,
        /// The step to which the truths of a position belong.
        reading: EventReading,
        /// What is true where.
        truths: Vec<Truth>,
        /// How its loop is fair.
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
    /// For each position of a run the step beside which it is shown: nothing before the first step, the number of steps behind the
    /// last one.
    pub fn rows(self, positions: &[usize]) -> Vec<Option<usize>> {
        let places = positions.iter().copied().map(Some);
        match self {
            EventReading::Leaving => places.collect(),
            EventReading::Arriving => std::iter::once(None).chain(places).take(positions.len()).collect(),
        }
    }
}

/// The truth of a part of a formula at the positions of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Truth {
    /// The part.
    pub formula: String,
    /// Its truth at each position.
    pub values: Vec<bool>,
}

/// What is known of a temporal assertion besides its verdict.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Temporal {
    /// The formula with all brackets.
    pub reading: String,
    /// The logic, the dialect, and the rules for runs, by name.
    pub settings: Vec<(&'static str, &'static str)>,
    /// Pairs of a state and what the formula had come to there.
    pub n_nodes: u64,
    /// The largest automaton: its states, its acceptance sets, and its class.
    pub automaton: Option<(usize, u32, &'static str)>,
    /// Which engine decided.
    pub engine: &'static str,
    /// That the process diverges, which the formula does not see.
    pub divergence_note: Option<String>,
    /// The weakest fairness under which the formula would hold.
    pub weakest_fairness: Option<&'static str>,
    /// What came of the wish to leave out what the formula cannot see.
    pub reductions: Vec<String>,
    /// What should be known with every verdict.
    pub remarks: Vec<String>,
    /// What else is worth knowing.
    pub notes: Vec<String>,
}
