//! Counterexamples.

use crate::history::{Effect, Operation};
use crate::step::{Place, Step, steps_in_time};
use analysis::Session;
use analysis::check::{self, Fault, Finding, TimeAtEnd};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// A behavior that breaks a property.
#[derive(Serialize, JsonSchema)]
pub struct Counterexample<'a> {
    kind: &'static str,
    replayed: &'static str,
    /// How many copies of which process there are, if that is a part of what is wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    copies: Vec<Copies<'a>>,
    trace: Vec<&'a str>,
    steps: Vec<Step<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepts: Option<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed: Option<Allowed<'a>>,
    /// What the specification allows before each step, and at the end unless the last step is what it does not allow; with one name such
    /// as `{|c|}` for all events that begin so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    specification: Vec<&'a [String]>,
    #[serde(skip_serializing_if = "Option::is_none", rename = "loop")]
    repeated: Option<Vec<Step<'a>>>,
    /// The moment beyond which time cannot pass at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_stops: Option<String>,
    /// How much time each round of the loop takes; none if the run is Zeno.
    #[serde(skip_serializing_if = "Option::is_none", rename = "loop_takes")]
    round: Option<String>,
    /// After so many steps, which are all that are told, a formula is false however the run goes on.
    #[serde(skip_serializing_if = "Option::is_none")]
    sealed: Option<usize>,
    /// The steps that leave the positions of a run a formula speaks of, counted from 0 through trace and loop.
    #[serde(skip_serializing_if = "Option::is_none")]
    positions: Option<&'a [usize]>,
    /// The step whose event a formula reads at a position, and beside which its truths there are shown: `leaving`, the one that leaves
    /// it, or `arriving`, the one that led to it, as in PAT.
    #[serde(skip_serializing_if = "Option::is_none")]
    event_reading: Option<&'static str>,
    /// For each position that step, counted as in `positions`; null for the start of a run, which no step led to.
    #[serde(skip_serializing_if = "Option::is_none")]
    rows: Option<Vec<Option<usize>>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    formulas: Vec<Truth<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    fair: &'a [String],
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    variables: BTreeMap<&'a str, &'a str>,
    /// The value of what was to be smallest or greatest.
    #[serde(skip_serializing_if = "Option::is_none")]
    optimum: Option<i64>,
    /// What threads have called, the event included that cannot be explained.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    operations: Vec<Operation<'a>>,
    /// Operations in an order that explains the trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    order: Option<Vec<Effect<'a>>>,
    /// What could have been answered.
    #[serde(skip_serializing_if = "Option::is_none")]
    possible_results: Option<Vec<&'a str>>,
    components: Vec<Component<'a>>,
    /// Components that wait for one another, each for the next and the last for the first, by number.
    #[serde(skip_serializing_if = "Option::is_none")]
    circle: Option<Vec<usize>>,
}

impl<'a> Counterexample<'a> {
    /// A behavior that was found.
    pub fn new(session: &'a Session, found: &'a check::Counterexample) -> Counterexample<'a> {
        let is_visible = |step: &&check::Step| step.is_visible;
        let mut steps = steps_in_time(session, found).into_iter();
        let component = |component: &'a check::Component| Component {
            name: &component.name,
            place: component.place.map(|span| Place::new(session, span)),
            wants: &component.wants,
            waits_for: &component.waits_for,
        };
        let repeated_from = found.repeated_from();
        // The last event is told as what is wrong.
        let is_wrong = usize::from(matches!(found.fault, Fault::Event(_) | Fault::Failure(Finding::History(_))));
        let before = &found.steps[..repeated_from.unwrap_or(found.steps.len() - is_wrong)];
        let mut told = Counterexample {
            kind: kind(&found.fault),
            replayed: found.replayed.name(),
            copies: found
                .families
                .iter()
                .map(|family| Copies { process: &family.process, count: family.count })
                .collect(),
            trace: before.iter().filter(is_visible).map(|step| step.event.as_str()).collect(),
            steps: steps.by_ref().take(before.len()).collect(),
            event: None,
            accepts: None,
            allowed: None,
            specification: found.allowed.iter().map(|events| &*events.folded).collect(),
            repeated: repeated_from.map(|_| steps.collect()),
            time_stops: match found.time {
                Some(TimeAtEnd::Stops(at)) => Some(at.to_string()),
                _ => None,
            },
            round: match found.time {
                Some(TimeAtEnd::Repeats(round)) => Some(round.to_string()),
                _ => None,
            },
            sealed: None,
            positions: None,
            event_reading: None,
            rows: None,
            formulas: Vec::new(),
            fair: &[],
            variables: BTreeMap::new(),
            optimum: None,
            operations: Vec::new(),
            order: None,
            possible_results: None,
            components: found.components.iter().map(component).collect(),
            circle: found.circle(),
        };
        told.add_fault(found);
        told
    }

    fn add_fault(&mut self, found: &'a check::Counterexample) {
        match &found.fault {
            Fault::Event(allowed) => {
                self.event = found.steps.last().map(|step| step.event.as_str());
                self.allowed = Some(Allowed::Events(allowed));
            }
            Fault::Failure(Finding::History(history)) => {
                self.event = found.steps.last().map(|step| step.event.as_str());
                self.allowed = Some(Allowed::Events(&history.allowed));
                self.add_history(history);
            }
            Fault::Refusal { accepted, demanded } => {
                self.accepts = Some(accepted);
                self.allowed = Some(Allowed::Acceptances(demanded.iter().map(|events| &**events).collect()));
            }
            Fault::Revival { event, accepted, demanded } => {
                self.event = Some(event);
                self.accepts = Some(accepted);
                self.allowed = Some(Allowed::Acceptances(demanded.iter().map(|events| &**events).collect()));
            }
            Fault::Deadlock => self.accepts = Some(&[]),
            Fault::Failure(Finding::State { variables, optimum }) => {
                self.variables = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
                self.optimum = *optimum;
            }
            Fault::Failure(Finding::Ambiguity(event)) => self.event = Some(event),
            Fault::Divergence(_) => {}
            Fault::Missing { event, possible } => {
                self.event = Some(event);
                self.accepts = Some(possible);
            }
            Fault::Failure(Finding::Temporal { sealed, positions, reading, truths, served, .. }) => {
                self.sealed = *sealed;
                self.positions = Some(positions);
                if !positions.is_empty() {
                    self.event_reading = Some(match reading {
                        check::EventReading::Leaving => "leaving",
                        check::EventReading::Arriving => "arriving",
                    });
                    self.rows = Some(reading.rows(positions));
                }
                self.formulas =
                    truths.iter().map(|truth| Truth { formula: &truth.formula, values: &truth.values }).collect();
                self.fair = served;
            }
            Fault::Nondeterminism(event, accepted) => {
                self.event = Some(event);
                self.accepts = Some(accepted);
            }
        }
    }
}

impl<'a> Counterexample<'a> {
    fn add_history(&mut self, history: &'a check::History) {
        self.operations = history.operations.iter().map(Operation::new).collect();
        self.order = history.order.as_ref().map(|order| order.iter().map(Effect::new).collect());
        if let check::Unexplained::Answer { possible, .. } = &history.unexplained {
            self.possible_results = Some(possible.iter().flatten().map(String::as_str).collect());
        }
    }
}

fn kind(fault: &Fault) -> &'static str {
    match fault {
        Fault::Event(_) | Fault::Failure(Finding::History(_)) => "trace",
        Fault::Refusal { .. } => "refusal",
        Fault::Revival { .. } => "revival",
        Fault::Deadlock => "deadlock",
        Fault::Divergence(_) => "divergence",
        Fault::Missing { .. } => "missing",
        Fault::Failure(Finding::Temporal { ending, .. }) => match ending {
            check::Ending::Stuck => "deadlock",
            check::Ending::Any => "trace",
            check::Ending::Loop(_) | check::Ending::Silent(_) => "lasso",
        },
        Fault::Failure(Finding::State { .. }) => "state",
        Fault::Nondeterminism(..) | Fault::Failure(Finding::Ambiguity(_)) => "nondeterminism",
    }
}

/// Copies of a process.
#[derive(Serialize, JsonSchema)]
pub struct Copies<'a> {
    process: &'a str,
    count: u32,
}

/// Where a part of a formula is true.
#[derive(Serialize, JsonSchema)]
pub struct Truth<'a> {
    formula: &'a str,
    values: &'a [bool],
}

/// The events allowed after a trace, or the minimal sets of which one must be offered.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum Allowed<'a> {
    /// After a trace.
    Events(&'a [String]),
    /// One of them must be offered.
    Acceptances(Vec<&'a [String]>),
}

/// A process that runs beside others.
#[derive(Serialize, JsonSchema)]
pub struct Component<'a> {
    name: &'a str,
    #[serde(flatten)]
    place: Option<Place<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    wants: &'a [String],
    /// The components it waits for, by number.
    #[serde(skip_serializing_if = "<[usize]>::is_empty")]
    waits_for: &'a [usize],
}
