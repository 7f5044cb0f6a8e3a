//! A counterexample as operations that overlap: from events to calls with their answers, and from a run of the explanation of an object to
//! an order in which operations may have happened.

use super::checker::Checker;
use super::{Events, Step};
use frontend::{OperationEvent, State};
use lts::Label;
use std::collections::HashSet;

/// States of an explanation that are looked at for an order.
const MAX_STATES: usize = 100_000;

/// What threads have called and were answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// All operations, in the order of their calls.
    pub operations: Vec<Operation>,
    /// Why the last event of all cannot be explained.
    pub unexplained: Unexplained,
    /// Operations in an order that explains everything before the last event, by number, each with its result. Nothing if none was found
    /// in time.
    pub order: Option<Vec<(usize, Option<String>)>>,
    /// What could have happened instead of the last event.
    pub allowed: Events,
}

/// An operation from its call to its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// Who has called it.
    pub thread: String,
    /// Its name.
    pub name: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The place of its call among all calls and answers.
    pub called_at: usize,
    /// The place of its answer, if there is one.
    pub answered_at: Option<usize>,
    /// What was answered, if that is a value.
    pub result: Option<String>,
}

/// Why an event cannot be explained.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unexplained {
    /// An operation is answered like this, while it could be like that; or not at all, if there is nothing.
    Answer {
        /// The operation.
        operation: usize,
        /// The results that would be right; nothing in place of one if the operation has none.
        possible: Vec<Option<String>>,
    },
    /// A thread calls while its last call waits for an answer.
    SecondCall {
        /// The operation that waits.
        operation: usize,
    },
    /// A thread is answered and has called nothing.
    NoCall {
        /// The thread.
        thread: String,
    },
    /// No operation of the object is called or answered like this.
    Unknown,
}

impl Checker<'_> {
    /// The history of a run whose last event the explanation of an object does not allow.
    pub(super) fn history(&mut self, index: usize, explanation: State, steps: &[Step], allowed: Events) -> History {
        let seen: Vec<Label> = steps.iter().filter_map(|step| step.event_id).map(|event| event.label()).collect();
        let mut told = Told::default();
        let mut unexplained = Unexplained::Unknown;
        for (place, &label) in seen.iter().enumerate() {
            let moment = self.semantics.operation_event(index, label);
            unexplained = told.add(place, moment);
        }
        if let Unexplained::Answer { operation, possible } = &mut unexplained {
            let thread = &told.operations[*operation].thread;
            let events = allowed.iter().filter_map(|event| self.semantics.events().find(event));
            let events: Vec<_> = events.collect();
            let moments = events.into_iter().filter_map(|event| self.semantics.operation_event(index, event.label()));
            possible.extend(moments.filter_map(|moment| match moment {
                OperationEvent::Answer { thread: other, result } if other == *thread => Some(result),
                _ => None,
            }));
        }
        let before = &seen[..seen.len().saturating_sub(1)];
        let order = self.order(index, explanation, before).and_then(|effects| told.numbered(effects));
        History { operations: told.operations, unexplained, order, allowed }
    }

    /// The effects on a shortest run of an explanation with a trace, each with how many events came before.
    fn order(&mut self, index: usize, explanation: State, trace: &[Label]) -> Option<Vec<Effect>> {
        let mut nodes = vec![Node { state: explanation, place: 0, from: None }];
        let mut met = HashSet::from([(explanation, 0)]);
        let mut steps = Vec::new();
        let mut next = 0;
        while nodes.get(next)?.place < trace.len() {
            let Node { state, place, .. } = nodes[next];
            steps.clear();
            self.semantics.steps(state, &mut steps).ok()?;
            for (step, taken) in steps.iter().enumerate() {
                let reached = match taken.label {
                    Label::TAU => place,
                    label if label == trace[place] => place + 1,
                    _ => continue,
                };
                if met.insert((taken.target, reached)) {
                    nodes.push(Node { state: taken.target, place: reached, from: Some((next, step)) });
                }
            }
            next += 1;
            if nodes.len() > MAX_STATES {
                return None;
            }
        }
        let mut effects = Vec::new();
        while let Some((before, step)) = nodes[next].from {
            if nodes[before].place == nodes[next].place {
                effects.push(self.effect(index, &nodes[before], step, nodes[next].state)?);
            }
            next = before;
        }
        effects.reverse();
        Some(effects)
    }

    /// What takes effect in a silent step: the thread that takes it is about to be answered.
    fn effect(&mut self, index: usize, before: &Node, step: usize, after: State) -> Option<Effect> {
        let takers = self.semantics.takers(before.state, step).ok()?;
        let mut steps = Vec::new();
        self.semantics.steps(after, &mut steps).ok()?;
        (0..steps.len()).find_map(|step| {
            let moment = self.semantics.operation_event(index, steps[step].label)?;
            match moment {
                OperationEvent::Answer { thread, result }
                    if self.semantics.takers(after, step).is_ok_and(|others| others == takers) =>
                {
                    Some(Effect { thread, result, place: before.place })
                }
                _ => None,
            }
        })
    }
}

/// A state of an explanation after so many events, and the step that led there.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    place: usize,
    from: Option<(usize, usize)>,
}

/// That the operation of a thread takes effect, after so many events.
struct Effect {
    thread: String,
    result: Option<String>,
    place: usize,
}

/// Operations as far as they are told.
#[derive(Default)]
struct Told {
    operations: Vec<Operation>,
}

impl Told {
    /// Adds an event, and tells what it is if it cannot be explained.
    fn add(&mut self, place: usize, moment: Option<OperationEvent>) -> Unexplained {
        match moment {
            None => Unexplained::Unknown,
            Some(OperationEvent::Call { thread, operation: name, arguments }) => {
                let pending = self.pending(&thread);
                let (answered_at, result) = (None, None);
                self.operations.push(Operation { thread, name, arguments, called_at: place, answered_at, result });
                pending.map_or(Unexplained::Unknown, |operation| Unexplained::SecondCall { operation })
            }
            Some(OperationEvent::Answer { thread, result }) => match self.pending(&thread) {
                None => Unexplained::NoCall { thread },
                Some(operation) => {
                    let answered = &mut self.operations[operation];
                    (answered.answered_at, answered.result) = (Some(place), result);
                    Unexplained::Answer { operation, possible: Vec::new() }
                }
            },
        }
    }

    /// The operation of a thread that waits for its answer.
    fn pending(&self, thread: &str) -> Option<usize> {
        self.operations.iter().rposition(|known| known.thread == thread && known.answered_at.is_none())
    }

    /// Effects by the numbers of the operations that were pending then.
    fn numbered(&self, effects: Vec<Effect>) -> Option<Vec<(usize, Option<String>)>> {
        let number = |effect: Effect| {
            let is_pending = |operation: &Operation| {
                operation.thread == effect.thread
                    && operation.called_at < effect.place
                    && operation.answered_at.is_none_or(|answered| answered >= effect.place)
            };
            Some((self.operations.iter().position(is_pending)?, effect.result))
        };
        effects.into_iter().map(number).collect()
    }
}
