//! Histories of concurrent objects: from the events of a counterexample to overlapping operations, and from a run of
//! the specification to a linearization (Herlihy and Wing, 1990, "Linearizability: a correctness condition for
//! concurrent objects").

use super::checker::Checker;
use super::{Events, Step};
use frontend::{OperationEvent, State};
use limits::effort::replay::MAX_ORDERED_STATES;
use lts::Label;
use std::collections::HashSet;

/// The calls of threads and their answers.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct History {
    /// All operations, in the order of their calls.
    pub operations: Vec<Operation>,
    /// The reason why the last event has no explanation.
    pub unexplained: Unexplained,
    /// A linearization of the history before the last event: operations by number, each with its result. None if the
    /// search found none within its limit.
    pub order: Option<Vec<(usize, Option<String>)>>,
    /// The events that could have occurred instead of the last one.
    pub allowed: Events,
}

/// An operation from its call to its answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The calling thread.
    pub thread: String,
    /// The name.
    pub name: String,
    /// The arguments.
    pub arguments: Vec<String>,
    /// The position of the call among all calls and answers.
    pub called_at: usize,
    /// The position of the answer, if there is one.
    pub answered_at: Option<usize>,
    /// The result, if it is a value.
    pub result: Option<String>,
}

/// The reason why an event has no explanation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unexplained {
    /// An operation has a result that no linearization has.
    Answer {
        /// The operation.
        operation: usize,
        /// The possible results; none in place of one if the operation returns no value. Empty if it cannot return yet.
        possible: Vec<Option<String>>,
    },
    /// A thread calls an operation before its last one returned.
    SecondCall {
        /// The pending operation.
        operation: usize,
    },
    /// A thread returns from an operation that it did not call.
    NoCall {
        /// The thread.
        thread: String,
    },
    /// The event is no call and no answer of an operation of the object.
    Unknown,
}

impl Checker<'_> {
    /// The history of a run whose last event the specification of an object does not allow.
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

    /// The effects on a shortest run of the specification with this trace, each with the number of events before it.
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
            if nodes.len() > MAX_ORDERED_STATES {
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

    /// The effect of a silent step: the operation of the thread that may return next.
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

/// A state of the specification after a number of events, and the step that led there.
#[derive(Clone, Copy)]
struct Node {
    state: State,
    place: usize,
    from: Option<(usize, usize)>,
}

/// The linearization point of an operation, after a number of events.
struct Effect {
    thread: String,
    result: Option<String>,
    place: usize,
}

/// The operations of a prefix of the history.
#[derive(Default)]
struct Told {
    operations: Vec<Operation>,
}

impl Told {
    /// Adds an event, and says why it has no explanation, if so.
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

    /// The pending operation of a thread.
    fn pending(&self, thread: &str) -> Option<usize> {
        self.operations.iter().rposition(|known| known.thread == thread && known.answered_at.is_none())
    }

    /// The effects with the numbers of the operations that were pending then.
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
