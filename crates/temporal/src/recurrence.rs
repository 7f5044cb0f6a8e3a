//! What happens again and again, where every step that is possible again and again is taken so.
//!
//! Under fairness of each step a run ends in a terminal component, a set of states that lead to each other and to
//! nothing else, and takes all its steps again and again. A property that depends only on what happens again and again
//! is decided by these components; nothing else has to be written down.

use crate::network::true_among;
use crate::product::{self, Statistics, is_past};
use crate::{Action, ActionNetwork, Condition, Ending, Fact, Property, Reason, Rules, Run, Structure, Verdict, View};
use explore::{Limits, NotExplicit, TerminalStates};
use fixedbitset::FixedBitSet;
use ltl::logic::{Formula, Node, Store};
use lts::{Label, StateId, Transition};
use model::network::Configuration;
use progress::Progress;

/// The terminal components of a network.
pub struct BottomComponents<'a> {
    network: &'a ActionNetwork,
    /// Their states, and one where runs begin, from which one state of each can be reached.
    structure: Structure,
    states: TerminalStates<'a>,
    n_workers: usize,
}

/// What became of a property: a run that breaks it has its states numbered by their places among configurations.
pub type Found = Verdict<(Run, Vec<Configuration>)>;

impl<'a> BottomComponents<'a> {
    /// Those of a network; nothing if they are not much smaller than all of it.
    ///
    /// # Errors
    /// If not all states were met, or a step goes wrong.
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
        // The last state is none of the network.
        let met = lts.states().take(lts.n_states() - 1).map(|state| states.configuration(state));
        let conditions = true_among(network.network(), network.conditions(), met, progress);
        let conditions = conditions.map_err(|why| NotExplicit::Stopped(why.into()))?;
        let structure = Structure::with_one_end(lts, actions, FixedBitSet::new()).with_conditions(conditions);
        Ok(Some(BottomComponents { network, structure, states, n_workers: limits.n_workers }))
    }

    /// How many states and steps the network has.
    pub fn n_met(&self) -> (usize, usize) {
        let met = self.states.statistics();
        (met.n_states as usize, met.n_transitions as usize)
    }

    /// Decides a property that they decide.
    pub fn decide(&self, property: &Property, rules: &Rules, progress: &dyn Progress) -> (Found, Statistics) {
        let answer = product::decide(&mut &self.structure, property, rules, progress);
        let found = match answer.verdict {
            Verdict::Holds => Verdict::Holds,
            Verdict::Unknown(reason) => Verdict::Unknown(reason),
            Verdict::Fails(run) => self.whole(&run).map_or(Verdict::Unknown(Reason::Unsupported), Verdict::Fails),
        };
        (found, answer.statistics)
    }

    /// A run of components as one of the network: a shortest way to what is repeated, and that.
    fn whole(&self, run: &Run) -> Option<(Run, Vec<Configuration>)> {
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
        let mut met = vec![self.network.network().initial.clone()];
        met.extend(way.into_iter().map(|step| step.target));
        for step in run.steps[nearest..].iter().chain(&run.steps[repeated.start..nearest]) {
            labels.push(step.label);
            met.push(self.states.configuration(step.target));
        }
        let steps = labels.into_iter().zip((1..).map(StateId)).map(|(label, target)| Transition { label, target });
        Some((Run { start: StateId(0), steps: steps.collect(), ending }, met))
    }
}

/// Whether terminal components tell whether a property holds.
pub fn is_decided_by_components(property: &Property, rules: &Rules) -> bool {
    let alternatives = &property.fairness.alternatives;
    // Which state is which, and what led to it, is not known of components alone.
    let is_local = |fact: &Fact| !matches!(fact, Fact::Initial | Fact::Terminated | Fact::Among(_));
    rules.view == View::Step
        && !alternatives.is_empty()
        && alternatives.iter().all(|conditions| conditions.contains(&Condition::EachStep))
        && property.facts.iter().all(is_local)
        && is_about_recurrence(&property.store, property.formula)
}

/// Whether a formula is true of a run if, and only if, it is true of what is left of the run after any step. Not all
/// such formulas are recognized.
fn is_about_recurrence(store: &Store, formula: Formula) -> bool {
    let speaks_of_past = store.below(formula).into_iter().any(|part| is_past(store.get(part)));
    match store.get(formula) {
        _ if speaks_of_past => false,
        Node::True | Node::False => true,
        Node::And(parts) | Node::Or(parts) => parts.iter().all(|&part| is_about_recurrence(store, part)),
        // What is true now if, and only if, it is later need not be waited for.
        Node::Until(_, right) | Node::Release(_, right) if is_about_recurrence(store, *right) => true,
        Node::Until(Formula::TRUE, right) => matches!(store.get(*right), Node::Release(Formula::FALSE, _)),
        Node::Release(Formula::FALSE, right) => matches!(store.get(*right), Node::Until(Formula::TRUE, _)),
        _ => false,
    }
}
