//! Reachability of states, on networks: the goal becomes a claim, which all engines and reductions decide.
//!
//! Reachability of a deadlock is such a claim. For a condition, a rule is added that is enabled exactly where the
//! condition is true, changes nothing, and performs a fresh event; the claim is that this event never occurs.
//! Counterexamples are runs of the network without that rule, mapped to states of the process and evaluated there. For
//! an optimum, a better value than the best so far is asked for until there is none.

use super::checker::{Checker, reductions};
use super::decided::{Decided, Evidence, FoundPath};
use super::failed::Failed;
use super::reach::ambiguous;
use super::replay::Counterexample;
use decide::{Claim, Fault, Method, NetworkAnswer, Specification, Statistics};
use explore::{Check, Observer, Reduction};
use frontend::{Goal, Lowered, State, Step};
use lts::{Builder, Label, Lts, Model, StateId, Watch};
use model::data::{BinaryOperator, Command, Expression, ExpressionId, Sort};
use model::network::{Network, NetworkStep, Rule};
use progress::Activity;
use source::Span;
use std::sync::Arc;

/// The outcome of a search.
enum Sought {
    /// The states of the run to the goal.
    Found(Vec<State>),
    None,
    /// Inconclusive: another form decides.
    Unclear,
}

impl Checker<'_> {
    /// Decides reachability on the network of a process. None if that is inconclusive.
    pub(super) fn decide_reach_on(
        &mut self,
        lowered: &Lowered,
        (process, goal, is_wanted): (State, Goal, bool),
    ) -> Result<Option<Decided>, Failed> {
        let mut statistics = Statistics::default();
        let mut optimum = None;
        let sought = match goal {
            Goal::Deadlock => self.search_stuck(process, lowered, &mut statistics)?,
            Goal::End => {
                let claim = self.never(&lowered.network, Label::TICK)?;
                match self.search_network(process, lowered, &lowered.network, &claim, &mut statistics)? {
                    Sought::None => self.search_stuck(process, lowered, &mut statistics)?,
                    sought => sought,
                }
            }
            Goal::Proposition(number) => {
                let condition = lowered.conditions.iter().find(|(known, _)| *known == number);
                let Some(&(_, condition)) = condition else { return Ok(None) };
                let (network, event) = with_event(&lowered.network, condition);
                // A reduction that the user names applies from the first state on.
                let dives = is_wanted
                    && reductions(self.options.reduce) == decide::Reduce::Auto
                    && !matches!(self.options.method, Method::Formulas(_));
                let claim = self.never(&network, event)?;
                if dives {
                    let (limits, progress) = (self.options.limits, self.options.progress.clone());
                    progress.enter(Activity::Searching);
                    let answer = decide::decide_wanted(&claim, &network, &limits, &*progress);
                    self.way_of_answer(process, lowered, answer, &mut statistics)?
                } else {
                    self.search_network(process, lowered, &network, &claim, &mut statistics)?
                }
            }
            Goal::Optimum { proposition, measure, is_greatest } => {
                let asked = (proposition, measure, is_greatest);
                match self.search_optimum(process, lowered, asked, &mut statistics)? {
                    Sought::Found(way) => {
                        let end = *way.last().expect("it begins somewhere");
                        optimum = Some(self.semantics.measure(end, measure)?);
                        Sought::Found(way)
                    }
                    sought => sought,
                }
            }
            Goal::Ambiguity => self.search_ambiguity(process, lowered, &mut statistics)?,
        };
        let evidence = match sought {
            Sought::Found(way) => {
                let path = FoundPath::States(way);
                Some(Evidence::Reached { process, goal, optimum, path })
            }
            Sought::None => None,
            Sought::Unclear => return Ok(None),
        };
        statistics.n_spec_states = None;
        Ok(Some(Decided::reaches(evidence, is_wanted, statistics)))
    }

    /// Searches for the smallest or greatest value of an expression where a condition is true.
    fn search_optimum(
        &mut self,
        process: State,
        lowered: &Lowered,
        (proposition, measure, is_greatest): (u32, u32, bool),
        statistics: &mut Statistics,
    ) -> Result<Sought, Failed> {
        let of = |number: u32| lowered.conditions.iter().find(|(known, _)| *known == number).map(|(_, found)| *found);
        let (Some(condition), Some(measured)) = (of(proposition), of(measure)) else { return Ok(Sought::Unclear) };
        if lowered.network.data.sort(measured) != Sort::Integer {
            return Ok(Sought::Unclear);
        }
        let mut best: Option<(Vec<State>, i64)> = None;
        let mut hunt = Hunt::default();
        while let Some(lead) = hunt.next_lead() {
            let mut network = (*lowered.network).clone();
            let wanted = match &best {
                None => condition,
                Some((_, value)) => and_better(&mut network, condition, measured, *value, lead, is_greatest),
            };
            let (network, event) = with_event(&network, wanted);
            let claim = self.never(&network, event)?;
            match self.search_network(process, lowered, &network, &claim, statistics)? {
                Sought::Unclear => return Ok(Sought::Unclear),
                Sought::None if best.is_none() => return Ok(Sought::None),
                Sought::None => hunt.nothing(),
                Sought::Found(way) => {
                    let value = self.semantics.measure(*way.last().expect("it begins somewhere"), measure)?;
                    let gain = best.as_ref().map(|(_, known)| known.abs_diff(value) as i64);
                    best = Some((way, value));
                    hunt.found(gain.unwrap_or(0));
                }
            }
        }
        Ok(best.map_or(Sought::None, |(way, _)| Sought::Found(way)))
    }

    fn search_stuck(
        &mut self,
        process: State,
        lowered: &Lowered,
        statistics: &mut Statistics,
    ) -> Result<Sought, Failed> {
        let claim = Claim::DeadlockFree(Model::Failures);
        self.search_network(process, lowered, &lowered.network, &claim, statistics)
    }

    /// Searches for a state in which an event leads to different states. It is confirmed on the process, as different
    /// configurations may stand for the same state.
    fn search_ambiguity(
        &mut self,
        process: State,
        lowered: &Lowered,
        statistics: &mut Statistics,
    ) -> Result<Sought, Failed> {
        let observer = Observer::unambiguity();
        let progress = self.options.progress.clone();
        let Ok(mut search) = Check::within(&lowered.network, &observer, &Reduction::None, &*progress) else {
            return Ok(Sought::Unclear);
        };
        let report = search.run(&self.options.limits, &*progress);
        *statistics = told(&report.statistics);
        let found = match report.verdict {
            decide::Verdict::Holds => return Ok(Sought::None),
            decide::Verdict::Fails(found) => found,
            decide::Verdict::Unknown(reason) => return Err(reason.into()),
        };
        let sought = self.way_to(process, lowered, &found)?;
        if let Sought::Found(way) = &sought {
            let mut steps = Vec::new();
            let end = *way.last().expect("it begins somewhere");
            self.semantics.steps(end, &mut steps)?;
            if ambiguous(&mut *self.semantics, end, &steps).is_none() {
                return Ok(Sought::Unclear);
            }
        }
        Ok(sought)
    }

    /// The claim that a label never occurs.
    fn never(&mut self, network: &Network, label: Label) -> Result<Claim, Failed> {
        let mut watch = Watch::new(&*self.options.progress);
        let specification = Specification::new(all_but(network, label), Model::Traces, &mut watch)?;
        Ok(Claim::Refines(Arc::new(specification)))
    }

    fn search_network(
        &mut self,
        process: State,
        lowered: &Lowered,
        network: &Network,
        claim: &Claim,
        statistics: &mut Statistics,
    ) -> Result<Sought, Failed> {
        let answer = self.ask(claim, network, reductions(self.options.reduce), u64::MAX);
        self.way_of_answer(process, lowered, answer, statistics)
    }

    /// The run to the goal that an answer contains.
    fn way_of_answer(
        &mut self,
        process: State,
        lowered: &Lowered,
        answer: NetworkAnswer,
        statistics: &mut Statistics,
    ) -> Result<Sought, Failed> {
        *statistics = answer.statistics;
        match answer.verdict {
            decide::Verdict::Holds => Ok(Sought::None),
            decide::Verdict::Unknown(decide::Reason::TooWide) => Ok(Sought::Unclear),
            decide::Verdict::Unknown(decide::Reason::Depth) => Err(Failed::too_deep(statistics.depth.unwrap_or(0))),
            decide::Verdict::Unknown(reason) => Err(Failed::after_steps(reason, statistics.depth, &self.options)),
            decide::Verdict::Fails(found) => self.way_to(process, lowered, &found),
        }
    }

    /// The states of the process on a run of its network.
    fn way_to(
        &mut self,
        process: State,
        lowered: &Lowered,
        found: &Counterexample<NetworkStep>,
    ) -> Result<Sought, Failed> {
        let n_steps = match &found.fault {
            Fault::Failure(failed) => {
                return match self.failure_error(lowered, &found.steps, failed) {
                    Failed::Unlike => Ok(Sought::Unclear),
                    error => Err(error),
                };
            }
            // The last event only shows that the goal is reached.
            Fault::Event(_) => found.steps.len().saturating_sub(1),
            _ => found.steps.len(),
        };
        let steps = &found.steps[..n_steps];
        let way = match self.way_by_labels(process, lowered, steps) {
            Some(way) => way,
            None => {
                let mut way = vec![process];
                for step in steps {
                    let state = self.semantics.state_of(lowered.id, &step.target);
                    way.push(state.ok_or_else(|| Failed::not_replayed("its steps are none of the process"))?);
                }
                way
            }
        };
        Ok(Sought::Found(way))
    }

    /// The states of the process along the labels of a run, if each label has one successor and the run ends in the
    /// same state as that of the network. Decoding every configuration would take time for each of its cells.
    fn way_by_labels(&mut self, process: State, lowered: &Lowered, run: &[NetworkStep]) -> Option<Vec<State>> {
        let mut way = Vec::with_capacity(run.len() + 1);
        let mut state = process;
        way.push(state);
        let mut steps: Vec<Step> = Vec::new();
        for step in run {
            steps.clear();
            self.semantics.steps(state, &mut steps).ok()?;
            let mut fitting = steps.iter().filter(|candidate| candidate.label == step.label);
            state = fitting.next()?.target;
            if fitting.any(|other| other.target != state) {
                return None;
            }
            way.push(state);
        }
        let is_same = match run.last() {
            Some(last) => self.semantics.state_of(lowered.id, &last.target) == Some(state),
            None => true,
        };
        is_same.then_some(way)
    }
}

/// Search for an optimum by doubling the demanded gain while better values are found, and by bisection afterwards.
#[derive(Default)]
struct Hunt {
    lead: i64,
    /// No value is better by this much or more.
    wall: Option<i64>,
}

impl Hunt {
    /// The gain to ask for next. None if no better value is left.
    fn next_lead(&self) -> Option<i64> {
        match self.wall {
            None => Some(self.lead),
            Some(wall) => (wall > 1).then_some(wall / 2),
        }
    }

    /// A value was found that is better by this much.
    fn found(&mut self, gain: i64) {
        self.wall = self.wall.map(|wall| wall - gain);
        self.lead = (2 * self.lead).max(1);
    }

    fn nothing(&mut self) {
        self.wall = self.next_lead();
    }
}

/// The condition, and that an expression is better than a value by a gain.
fn and_better(
    network: &mut Network,
    condition: ExpressionId,
    measured: ExpressionId,
    value: i64,
    lead: i64,
    is_greatest: bool,
) -> ExpressionId {
    let expressions = &mut network.data.expressions;
    let mut add = |expression| expressions.add(expression, Span::default());
    let bound = add(Expression::Integer(if is_greatest { value + lead } else { value - lead }));
    let (low, high) = if is_greatest { (bound, measured) } else { (measured, bound) };
    let is_better = add(Expression::Binary(BinaryOperator::LessOrEqual, low, high));
    add(Expression::Binary(BinaryOperator::And, condition, is_better))
}

/// The size of a search.
fn told(explored: &progress::Statistics) -> Statistics {
    Statistics {
        n_states: explored.n_states,
        n_transitions: explored.n_transitions,
        depth: Some(explored.depth),
        ..Statistics::default()
    }
}

/// The process that performs all labels of a network but one.
fn all_but(network: &Network, label: Label) -> Lts {
    let mut builder = Builder::new();
    let (all, end) = (StateId(0), StateId(1));
    builder.add_state(all);
    let mut shown: Vec<Label> = network.modes.iter().flat_map(|mode| &mode.rules).map(|rule| rule.shows).collect();
    shown.sort_unstable();
    shown.dedup();
    for shown in shown.into_iter().filter(|&shown| shown != Label::TAU && shown != label) {
        builder.add(all, shown, if shown == Label::TICK { end } else { all });
    }
    builder.finish(all)
}

/// A copy of a network with a fresh event that is enabled exactly where a condition is true. Termination becomes an
/// event as well, as variables have values after it.
fn with_event(network: &Network, condition: ExpressionId) -> (Network, Label) {
    let mut network = network.clone();
    let shown = network.modes.iter().flat_map(|mode| &mode.rules).map(|rule| rule.shows.0).max().unwrap_or(0);
    let event = Label(shown.max(Label::TICK.0) + 1);
    for mode in &mut network.modes {
        for rule in mode.rules.iter_mut().filter(|rule| rule.shows == Label::TICK) {
            rule.shows = Label(event.0 + 1);
        }
        let command = Command { guard: Some(condition), statements: [].into() };
        mode.rules.push(Rule { command: Some(Box::new(command)), ..Rule::new([], event) });
    }
    (network, event)
}
