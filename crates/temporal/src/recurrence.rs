//! Recurrence properties under strong fairness to every step, decided by bottom strongly connected components.
//!
//! A run that is fair to every step ends in a bottom component and repeats all its steps. So these components decide a
//! property that depends only on the positions that recur; the other states need not be stored.

use crate::network::true_among;
use crate::product::{self, Statistics, is_past};
use crate::{Action, ActionNetwork, Condition, Ending, Fact, Property, Reason, Rules, Run, Structure, Verdict, View};
use explore::{Limits, NotExplicit, TerminalStates};
use fixedbitset::FixedBitSet;
use ltl::logic::{Formula, Node, Store};
use lts::{Label, StateId, Transition};
use model::network::Configuration;
use progress::Progress;

/// The bottom components of a network.
pub struct BottomComponents<'a> {
    network: &'a ActionNetwork,
    /// Their states, and an initial one from which one state of each is reachable.
    structure: Structure,
    states: TerminalStates<'a>,
    n_workers: usize,
}

/// The verdict on a property: the states of a counterexample are numbered by their positions among the configurations.
pub type Found = Verdict<(Run, Vec<Configuration>)>;

impl<'a> BottomComponents<'a> {
    /// The components of a network; none if they are not much smaller than the network.
    ///
    /// # Errors
    /// If not all states were visited, or a step fails.
    pub fn of(
        network: &'a ActionNetwork,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Option<BottomComponents<'a>>, NotExplicit> {
        let actions: Vec<Action> = network.actions().iter().cloned().chain([Action::end()]).collect();
        let entry = Label(network.actions().len() as u32);
        let Some((lts, states)) = explore::to_terminal_graph(network.network(), entry, limits, progress)? else {
            return Ok(None);
        };
        // The last state is the artificial initial one.
        let visited = lts.states().take(lts.n_states() - 1).map(|state| states.configuration(state));
        let conditions = true_among(network.network(), network.conditions(), visited, progress);
        let conditions = conditions.map_err(|why| NotExplicit::Stopped(why.into()))?;
        let structure = Structure::with_one_end(lts, actions, FixedBitSet::new()).with_conditions(conditions);
        Ok(Some(BottomComponents { network, structure, states, n_workers: limits.n_workers }))
    }

    /// The numbers of states and steps of the network.
    pub fn n_met(&self) -> (usize, usize) {
        let visited = self.states.statistics();
        (visited.n_states as usize, visited.n_transitions as usize)
    }

    /// Decides a property for which [`is_decided_by_components`] is true.
    pub fn decide(&self, property: &Property, rules: &Rules, progress: &dyn Progress) -> (Found, Statistics) {
        let answer = product::decide(&mut &self.structure, property, rules, progress);
        let found = match answer.verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
            Verdict::Fails(run) => self.network_run(&run).map_or(Verdict::Unknown(Reason::Unsupported), Verdict::Fails),
        };
        (found, answer.statistics)
    }

    /// A run of components as a run of the network: a shortest path to its loop, followed by the loop.
    fn network_run(&self, run: &Run) -> Option<(Run, Vec<Configuration>)> {
        let n_steps = run.steps.len();
        let repeated = match run.ending {
            Ending::Stuck => n_steps..n_steps,
            Ending::Loop(start) => start..n_steps,
            Ending::Any | Ending::Silent(_) => return None,
        };
        let nearest = repeated.clone().min_by_key(|&place| self.states.depth(run.state(place))).unwrap_or(n_steps);
        let way = self.states.steps_to(run.state(nearest), self.n_workers);
        let ending = if repeated.is_empty() { Ending::Stuck } else { Ending::Loop(way.len()) };
        let mut labels: Vec<Label> = way.iter().map(|step| step.label).collect();
        let mut visited = vec![self.network.network().initial.clone()];
        visited.extend(way.into_iter().map(|step| step.target));
        for step in run.steps[nearest..].iter().chain(&run.steps[repeated.start..nearest]) {
            labels.push(step.label);
            visited.push(self.states.configuration(step.target));
        }
        let steps = labels.into_iter().zip((1..).map(StateId)).map(|(label, target)| Transition { label, target });
        Some((Run { start: StateId(0), steps: steps.collect(), ending }, visited))
    }
}

/// Whether bottom components suffice to decide a property.
pub fn is_decided_by_components(property: &Property, rules: &Rules) -> bool {
    let alternatives = &property.fairness.alternatives;
    // Components do not determine the identity of states, nor the steps that lead to them.
    let is_local = |fact: &Fact| !matches!(fact, Fact::Initial | Fact::Terminated | Fact::Among(_));
    rules.view == View::Step
        && !alternatives.is_empty()
        && alternatives.iter().all(|conditions| conditions.contains(&Condition::EachStep))
        && property.facts.iter().all(is_local)
        && is_about_recurrence(&property.store, property.formula)
}

/// Whether the truth of a formula does not change when any first step of a run is removed. The test is incomplete.
fn is_about_recurrence(store: &Store, formula: Formula) -> bool {
    let speaks_of_past = store.below(formula).into_iter().any(|part| is_past(store.get(part)));
    match store.get(formula) {
        _ if speaks_of_past => false,
        Node::True | Node::False => true,
        Node::And(parts) | Node::Or(parts) => parts.iter().all(|&part| is_about_recurrence(store, part)),
        // An operand whose truth never changes along a run equals its until.
        Node::Until(_, right) | Node::Release(_, right) if is_about_recurrence(store, *right) => true,
        Node::Until(Formula::TRUE, right) => matches!(store.get(*right), Node::Release(Formula::FALSE, _)),
        Node::Release(Formula::FALSE, right) => matches!(store.get(*right), Node::Until(Formula::TRUE, _)),
        _ => false,
    }
}
