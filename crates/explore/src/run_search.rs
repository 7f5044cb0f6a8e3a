//! Search for a run of a network with a given trace, for instance to lift a run of a compressed form of the network.
//!
//! Breadth-first search of the product of the interpreted network and the positions in the trace.

use lts::walk::{Discovery, Ended, Monitored, MonitoredStep, NumberedSystem, Numbering, Relevance, System};
use lts::{Label, NoRun, StateId, Transition, Watch};
use model::InterpretedNetwork;
use model::network::{Configuration, Network, NetworkStep};
use progress::{Limits, Progress};
use std::collections::HashMap;
use std::convert::Infallible;

/// The goal of a search.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// A run with the trace.
    Trace,
    /// A run with the trace to a state that offers only these labels. A terminating state refuses all events, if
    /// termination is one of the labels.
    Refusal(Vec<Label>),
    /// An infinite run that repeats the trace from this position on, or diverges before its end.
    Forever(usize),
}

/// A run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundRun {
    /// Its steps from the initial configuration.
    pub steps: Vec<NetworkStep>,
    /// Its end.
    pub end: RunEnd,
}

/// The end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Any state.
    Any,
    /// A state that offers only allowed labels.
    Stable,
    /// The last step is a termination.
    Terminating,
    /// The steps from this position on close a cycle.
    Loop(usize),
}

/// Searches for a run with this trace and goal, among at most `max_pairs` pairs of a configuration and a position in
/// the trace.
///
/// # Errors
/// If there is none, or a limit was reached.
pub fn find_run(
    network: &Network,
    word: &[Label],
    goal: &Goal,
    max_nodes: u64,
    progress: &dyn Progress,
) -> Result<FoundRun, NoRun> {
    let mut watch = Watch::unmetered(progress).within(Limits::of_workers(1).with_max_states(max_nodes));
    let mut numbering = Numbering::new(&network.initial);
    let advance = |&position: &usize, step: &Transition| next_position(word, goal, position, step.label);
    let product = Monitored::new(numbering.of(InterpretedNetwork::new(network)), 0, advance);
    let mut search = RunSearch { n_events: word.len(), goal, discovery: Discovery::from(product.initial()), product };
    let found = search.run(&mut watch).map_err(|ended| NoRun::Stopped(ended.into()))?;
    let (steps, end) = found.ok_or(NoRun::Absent)?;
    Ok(FoundRun { steps: with_rules(network, numbering.states(), &steps), end })
}

/// Steps between numbered configurations, with their rules.
fn with_rules(network: &Network, configurations: &[Configuration], steps: &[Transition]) -> Vec<NetworkStep> {
    let sources = std::iter::once(StateId(0)).chain(steps.iter().map(|step| step.target));
    let rule_of = |(source, step): (StateId, &Transition)| {
        let target = &configurations[step.target.index()];
        let candidates = network.steps_with(&configurations[source.index()], step.label);
        candidates.into_iter().find(|candidate| candidate.target == *target).expect("a run follows steps")
    };
    sources.zip(steps).map(rule_of).collect()
}

/// The position in the trace after a label; none if the label is not the next one.
fn next_position(word: &[Label], goal: &Goal, position: usize, label: Label) -> Option<usize> {
    if label == Label::TAU {
        return Some(position);
    }
    if word.get(position) != Some(&label) {
        return None;
    }
    let next = position + 1;
    Some(match *goal {
        Goal::Forever(again) if next == word.len() && again < next => again,
        _ => next,
    })
}

type Product<'a, F> = Monitored<NumberedSystem<'a, InterpretedNetwork<'a>>, usize, F>;

/// Breadth-first search of configurations, each with a position in the trace.
struct RunSearch<'a, F: FnMut(&usize, &Transition) -> Option<usize>> {
    n_events: usize,
    goal: &'a Goal,
    product: Product<'a, F>,
    discovery: Discovery<Product<'a, F>>,
}

/// The steps of a run, and its end.
type Run = (Vec<Transition>, RunEnd);

impl<F: FnMut(&usize, &Transition) -> Option<usize>> RunSearch<'_, F> {
    fn run(&mut self, watch: &mut Watch<'_>) -> Result<Option<Run>, Ended<Infallible>> {
        let mut next = 0;
        while let Some(&(state, position)) = self.discovery.states().get(next) {
            if position == self.n_events
                && let Some((end, last)) = self.end_in(state)
            {
                let mut steps = self.steps_to(next);
                steps.extend(last);
                return Ok(Some((steps, end)));
            }
            self.discovery.expand(&mut self.product, |_, _| Relevance::Followed, watch)?;
            next += 1;
        }
        match self.goal {
            Goal::Forever(_) => Ok(self.lasso()),
            Goal::Trace | Goal::Refusal(_) => Ok(None),
        }
    }

    fn steps_to(&self, number: usize) -> Vec<Transition> {
        self.discovery.run_to(number).into_iter().map(|MonitoredStep { step, .. }| step).collect()
    }

    /// The end of a run in a state after the trace, and its last step if that is a termination.
    fn end_in(&mut self, state: StateId) -> Option<(RunEnd, Option<Transition>)> {
        let allowed = match self.goal {
            Goal::Trace => return Some((RunEnd::Any, None)),
            Goal::Forever(_) => return None,
            Goal::Refusal(allowed) => allowed,
        };
        let Ok(steps) = self.product.system_mut().steps(&state);
        if steps.iter().all(|step| allowed.contains(&step.label)) {
            return Some((RunEnd::Stable, None));
        }
        let last = steps.iter().find(|step| step.label == Label::TICK && allowed.contains(&step.label))?;
        Some((RunEnd::Terminating, Some(*last)))
    }

    /// A run that returns to one of its states, when all states are known.
    fn lasso(&mut self) -> Option<Run> {
        let edges: Vec<Vec<(Transition, usize)>> =
            (0..self.discovery.states().len()).map(|at| self.edges(at)).collect();
        let endless = graphs::endless(edges.len(), |at| edges[at].iter().map(|&(_, target)| target));
        let mut at = endless.iter().position(|&endless| endless)?;
        let mut steps = self.steps_to(at);
        let mut visited = HashMap::from([(at, steps.len())]);
        loop {
            let (step, next) = *edges[at].iter().find(|&&(_, next)| endless[next]).expect("an infinite run goes on");
            steps.push(step);
            if let Some(&start) = visited.get(&next) {
                return Some((steps, RunEnd::Loop(start)));
            }
            visited.insert(next, steps.len());
            at = next;
        }
    }

    /// The steps of a state of the product, with the numbers of their targets.
    fn edges(&mut self, number: usize) -> Vec<(Transition, usize)> {
        let Ok(steps) = self.product.steps(&self.discovery.states()[number]);
        let target = |step: &MonitoredStep<Transition, _>| self.discovery.number(&step.target).expect("all are known");
        steps.iter().map(|step| (step.step, target(step))).collect()
    }
}
