//! Timed processes, decided on their timed networks: packed configurations with zones, explored by all workers.
//!
//! A proposition becomes an event that is enabled where it is true, and the specification of a trace refinement becomes
//! a watchdog, so that both are questions about one event.

use super::super::checker::Checker;
use super::super::decided::{Decided, Evidence, FoundPath, FoundRun, Moves};
use super::super::failed::Failed;
use super::delays;
use decide::{Fault, Reason, Statistics};
use frontend::{Asserted, Goal, State};
use lts::{Label, Model};
use model::data::{Command, ExpressionId};
use model::network::Rule;
use model::timed::TimedNetwork;
use std::sync::Arc;
use zones::{Finding, Question, TimedRun};

/// The outcome of a search.
enum Asked {
    /// Unreachable.
    Nothing,
    /// A run to the event or deadlock.
    Found(TimedRun),
}

impl Checker<'_> {
    /// Whether timed networks are explored.
    pub(in crate::check) fn uses_timed_networks(&mut self) -> bool {
        let is_meant = matches!(self.options.method, decide::Method::Auto | decide::Method::Zones);
        is_meant && self.semantics.is_timed()
    }

    /// Decides reachability on the timed network of a process. None if that is inconclusive.
    pub(in crate::check) fn decide_reach_in_timed_network(
        &mut self,
        process: State,
        goal: Goal,
        is_wanted: bool,
    ) -> Result<Option<Decided>, Failed> {
        let progress = self.options.progress.clone();
        let Some(lowered) = self.semantics.timed_network(process, &*progress)? else { return Ok(None) };
        let (network, event) = match goal {
            Goal::Deadlock => (lowered.network, None),
            Goal::Proposition(number) => {
                let condition = lowered.conditions.iter().find(|(known, _)| *known == number);
                let Some(&(_, condition)) = condition else { return Ok(None) };
                let (network, event) = with_event(&lowered.network, condition);
                (Arc::new(network), Some(event))
            }
            Goal::End | Goal::Ambiguity | Goal::Optimum { .. } => return Ok(None),
        };
        let wanted = event.map(|event| [event]);
        let question = wanted.as_ref().map_or(Question::Stuck, |wanted| Question::Seen(wanted));
        let Some((asked, statistics)) = self.ask_timed_network(&network, question)? else { return Ok(None) };
        let evidence = match asked {
            Asked::Nothing => None,
            Asked::Found(run) => {
                let n_steps = run.steps.len() - usize::from(event.is_some());
                let moves: Moves = run.steps[..n_steps].iter().map(|step| step.label).zip(delays(&run.times)).collect();
                Some(Evidence::Reached { process, goal, optimum: None, path: FoundPath::Zones(moves) })
            }
        };
        Ok(Some(Decided::reaches(evidence, is_wanted, statistics)))
    }

    /// Decides a trace refinement on the timed network of the implementation. None if that is inconclusive.
    pub(in crate::check) fn decide_traces_in_timed_network(
        &mut self,
        asserted: &Asserted,
    ) -> Result<Option<Decided>, Failed> {
        let &Asserted::Refines { specification, implementation, model: Model::Traces } = asserted else {
            return Ok(None);
        };
        let progress = self.options.progress.clone();
        let Some(lowered) = self.semantics.timed_network(implementation, &*progress)? else { return Ok(None) };
        let specification = self.specification(specification, Model::Traces)?;
        let network = &lowered.network.network;
        let watched = match decide::watched(network, &specification, &*progress) {
            Ok(watched) => watched,
            Err(Reason::Stopped(stop)) => return Err(Failed::Stopped(stop)),
            Err(_) => return Ok(None),
        };
        let alarm = [watched.alarm];
        let mut timings = lowered.network.timings.clone();
        timings.push(Arc::default());
        let urgent = lowered.network.urgent.clone();
        let timed = TimedNetwork { network: watched.network.clone(), timings, urgent };
        let Some((asked, statistics)) = self.ask_timed_network(&timed, Question::Seen(&alarm))? else {
            return Ok(None);
        };
        Ok(Some(match asked {
            Asked::Nothing => Decided::holds(statistics),
            Asked::Found(run) => {
                let found = decide::Counterexample { steps: run.steps, fault: Fault::Event(Vec::new()) };
                let found = watched.lift(network, found);
                let Fault::Event(allowed) = found.fault else {
                    return Err(Failed::not_replayed("all its events are allowed"));
                };
                let moves: Moves = found.steps.iter().map(|step| step.label).zip(delays(&run.times)).collect();
                let (asserted, process) = (asserted.clone(), implementation);
                let run = FoundRun::Zones(moves, Fault::Event(allowed));
                Decided::fails(Evidence::Claim { asserted, process, run }, statistics)
            }
        }))
    }

    /// Searches a timed network. None if it cannot be explored, or a step fails, which other forms report better.
    fn ask_timed_network(
        &mut self,
        network: &TimedNetwork,
        question: Question<'_>,
    ) -> Result<Option<(Asked, Statistics)>, Failed> {
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let (verdict, statistics) = decide::decide_timed(network, question, &limits, &*progress);
        let asked = match verdict {
            lts::Verdict::Holds => Asked::Nothing,
            lts::Verdict::Fails(run) if run.finding == Finding::Failure => return Ok(None),
            lts::Verdict::Fails(run) => Asked::Found(run),
            lts::Verdict::Unknown(Reason::TooWide) => return Ok(None),
            lts::Verdict::Unknown(Reason::Stopped(stop)) => return Err(Failed::Stopped(stop)),
            lts::Verdict::Unknown(_) => return Err(Failed::not_replayed("its steps have no times")),
        };
        Ok(Some((asked, statistics)))
    }
}

/// A copy of a network with a fresh event that is enabled where a condition is true.
fn with_event(timed: &TimedNetwork, condition: ExpressionId) -> (TimedNetwork, Label) {
    let mut timed = timed.clone();
    let shown = timed.network.modes.iter().flat_map(|mode| &mode.rules).map(|rule| rule.shows.0).max().unwrap_or(0);
    let event = Label(shown.max(Label::TICK.0) + 1);
    for mode in &mut timed.network.modes {
        let command = Command { guard: Some(condition), statements: [].into() };
        mode.rules.push(Rule { command: Some(Box::new(command)), ..Rule::new([], event) });
    }
    (timed, event)
}
