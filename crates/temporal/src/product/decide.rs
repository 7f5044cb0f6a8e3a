//! Decision of a property: automaton, search and run.

use super::Product;
use super::emptiness::Outcome;
use super::fairness::Judge;
use super::letters::Letters;
use super::past::{Mixed, Past};
use super::prefix::Prefix;
use crate::system::ActionSystem;
use crate::{Condition, Ending, Fairness, FiniteRuns, Property, Rules, Run, Strength};
use ltl::automaton::{self, Automaton, Class};
use ltl::logic::Atom;
use lts::{Reason, Verdict};
use progress::Progress;

/// The verdict on a property, with statistics.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict<Run>,
    /// The number of steps of the run after which every continuation violates the property, if known.
    pub sealed: Option<usize>,
    /// Statistics of the search.
    pub statistics: Statistics,
}

/// Statistics of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// The number of product nodes.
    pub n_nodes: u64,
    /// The size of the automaton.
    pub automaton: Option<Size>,
}

/// The size of an automaton.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Size {
    /// The number of states.
    pub n_states: usize,
    /// The number of acceptance sets.
    pub n_sets: u32,
    /// The class of its acceptance condition.
    pub class: Class,
}

/// Atoms that an automaton can read: the last bit of a word is not one of them.
const MAX_ATOMS: usize = 62;

/// Decides whether all fair runs of a system satisfy a property. `progress` receives the number of visited nodes, and
/// is polled for cancellation.
pub fn decide<S: ActionSystem>(system: &mut S, property: &Property, rules: &Rules, progress: &dyn Progress) -> Answer {
    let fairness = &property.fairness;
    let (past, automaton) = match ready(system, property, rules) {
        Ok(ready) => ready,
        Err(reason) => {
            return Answer { verdict: Verdict::Unknown(reason), sealed: None, statistics: Statistics::default() };
        }
    };
    let letters = Letters::new(&property.facts, system.actions(), rules);
    let judge = Judge::new(fairness, system.actions(), rules);
    let mut product = Product::new(system, &automaton, letters, past, rules);
    let is_safety = automaton.class() == Class::Terminal && !has_unconditional_demand(fairness);
    let needs_continuation = rules.count_all_beginnings() && !fairness.alternatives.is_empty();
    let (verdict, sealed) = if is_safety {
        product.decide_prefix(&judge, needs_continuation, progress)
    } else {
        (product.decide_lasso(&judge, progress), None)
    };
    let size = Size { n_states: automaton.n_states(), n_sets: automaton.n_sets(), class: automaton.class() };
    Answer {
        verdict,
        sealed,
        statistics: Statistics { n_nodes: product.nodes.n_visited() as u64, automaton: Some(size) },
    }
}

/// Whether all fair runs of a system satisfy a property, by [`decide`] without a counterexample; none if that is
/// unknown.
pub fn holds<S: ActionSystem>(
    system: &mut S,
    property: &Property,
    rules: &Rules,
    progress: &dyn Progress,
) -> Option<bool> {
    let (past, automaton) = ready(system, property, rules).ok()?;
    let letters = Letters::new(&property.facts, system.actions(), rules);
    let judge = Judge::new(&property.fairness, system.actions(), rules);
    let mut product = Product::new(system, &automaton, letters, past, rules);
    let initial = product.initial();
    match product.find_component(initial, &judge, progress) {
        Outcome::Found(_) => Some(false),
        Outcome::Empty if !product.has_reached_open => Some(true),
        Outcome::Empty | Outcome::Stopped(_) | Outcome::Paused => None,
    }
}

/// The inputs of a search.
fn ready(system: &impl ActionSystem, property: &Property, rules: &Rules) -> Result<(Past, Automaton), Reason> {
    let mut steps = system.actions().iter().filter(|action| !action.is_end()).peekable();
    let lacks_participants = steps.peek().is_some() && steps.all(|action| action.parts.is_empty());
    if needs_processes(&property.fairness) && lacks_participants {
        return Err(Reason::NoProcesses);
    }
    prepare(property, rules)
}

/// The automaton of the violations of a property without past operators. Its atoms are the facts of the property,
/// followed by one that is true after the end of a run.
pub fn automaton_against(property: &Property, rules: &Rules) -> Result<Automaton, Reason> {
    let (past, automaton) = prepare(property, rules)?;
    if past.is_none() { Ok(automaton) } else { Err(Reason::MixedPast) }
}

/// The automata of the violations and of the models of a property without past operators, with atoms as for
/// [`automaton_against`].
pub(crate) fn automata(property: &Property, rules: &Rules) -> Result<[Automaton; 2], Reason> {
    let mut opposite = property.clone();
    opposite.formula = opposite.store.not(property.formula);
    Ok([automaton_against(property, rules)?, automaton_against(&opposite, rules)?])
}

/// The automaton of the violations of a property, and its past operators: its atoms are the facts of the property,
/// followed by those of the past, and by one that is true after the end of a run.
///
/// # Errors
/// If there is none, or it is too large.
pub fn prepare(property: &Property, rules: &Rules) -> Result<(Past, Automaton), Reason> {
    let mut store = property.store.clone();
    let negated = store.not(property.formula);
    let (past, formula) = Past::extract(&mut store, negated, property.facts.len()).map_err(|mixed| match mixed {
        Mixed::Future => Reason::MixedPast,
        Mixed::TooLarge => Reason::TooLarge,
    })?;
    if past.n_atoms() >= MAX_ATOMS {
        return Err(Reason::TooLarge);
    }
    let formula = match rules.finite_runs {
        FiniteRuns::Maximal => automaton::with_end(&mut store, formula, Atom(past.n_atoms() as u32)),
        FiniteRuns::Stutter | FiniteRuns::Ignore => formula,
    };
    let automaton =
        automaton::translate(&mut store, formula, automaton::Limits::default()).map_err(|_| Reason::TooLarge)?;
    if automaton.n_sets() as usize >= MAX_ATOMS {
        return Err(Reason::TooLarge);
    }
    Ok((past, automaton))
}

fn conditions(fairness: &Fairness) -> impl Iterator<Item = &Condition> {
    fairness.alternatives.iter().flatten()
}

fn needs_processes(fairness: &Fairness) -> bool {
    conditions(fairness).any(|condition| matches!(condition, Condition::EachProcess(_)))
}

/// Whether some finite runs have no fair continuation, because a demand is unconditional.
fn has_unconditional_demand(fairness: &Fairness) -> bool {
    conditions(fairness).any(|condition| condition.strength() == Some(Strength::Unconditional))
}

impl<S: ActionSystem> Product<'_, S> {
    fn decide_lasso(&mut self, judge: &Judge, progress: &dyn Progress) -> Verdict<Run> {
        let initial = self.initial();
        match self.find_component(initial, judge, progress) {
            Outcome::Found(component) => match self.lasso(initial, &component, judge, progress) {
                Ok(run) => Verdict::Fails(self.shortened(run, judge)),
                Err(why) => Verdict::Unknown(why.into()),
            },
            Outcome::Stopped(why) => Verdict::Unknown(why.into()),
            Outcome::Paused => unreachable!("the last search goes to its end"),
            Outcome::Empty => self.nothing_found(),
        }
    }

    /// Searches for a shortest bad prefix and extends it to a fair run: it may have no continuation, or only a silent
    /// one.
    fn decide_prefix(
        &mut self,
        judge: &Judge,
        needs_continuation: bool,
        progress: &dyn Progress,
    ) -> (Verdict<Run>, Option<usize>) {
        let node = match self.find_prefix(progress) {
            Prefix::None => return (self.nothing_found(), None),
            Prefix::Stopped(why) => return (Verdict::Unknown(why.into()), None),
            Prefix::Bad(node) => node,
        };
        let (mut steps, node) = (self.path_to_node(node), self.nodes.get(node));
        let n_steps = steps.len();
        if let Outcome::Found(component) = self.find_component(node, judge, progress) {
            let rest = match self.lasso(node, &component, judge, progress) {
                Ok(rest) => rest,
                Err(why) => return (Verdict::Unknown(why.into()), None),
            };
            steps.extend(rest.steps);
            let ending = match rest.ending {
                Ending::Loop(start) => Ending::Loop(n_steps + start),
                other => other,
            };
            return (Verdict::Fails(Run { start: self.system.initial(), steps, ending }), Some(n_steps));
        }
        if needs_continuation && self.has_reached_open {
            let run = Run { start: self.system.initial(), steps, ending: Ending::Any };
            return (Verdict::Fails(run), Some(n_steps));
        }
        (self.decide_lasso(judge, progress), None)
    }

    fn nothing_found(&self) -> Verdict<Run> {
        if self.has_reached_open { Verdict::Unknown(Reason::Open) } else { Verdict::Holds }
    }
}
