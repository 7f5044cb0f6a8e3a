//! Normal forms for refusal testing.
//!
//! A node is the set of states in which a system can be after a refusal trace: its events, and the observed refusals of
//! stable states before them. Only stable states with at least the observed refusal can perform the next event, and the
//! next node has the successors of these. So an event has several *alternatives*: the nodes after it for single
//! acceptances. After the event of a state that offers `A`, the node is the union of all alternatives with an
//! acceptance that is a subset of `A`. If no refusal was observed, all states count, unstable ones too.
//!
//! Usually there is one alternative, equal to the node without an observed refusal. Only the other events are stored.
//! Each union of alternatives is a node; if there would be too many, there is no form.

use super::nodes::Nodes;
use super::{Room, all_nodes, prepare};
use crate::acceptance::{Antichain, is_subset};
use crate::{Acceptance, Label, Lts, Model, StateId, Stop, Watch};
use hashbrown::HashMap;
use limits::effort::normal_forms::MAX_ALTERNATIVES;

/// The normal form of a specification.
#[derive(Clone, Debug)]
pub struct TestingForm {
    /// The nodes, with the successors by events without an observed refusal. Acceptances are explicit: those that are
    /// no union of others.
    pub form: Lts,
    /// The successors with an observed refusal.
    pub choices: Choices,
}

/// The events whose successors depend on the observed refusal, by node.
#[derive(Clone, Debug, Default)]
pub struct Choices(HashMap<StateId, Vec<(Label, Choice)>>);

/// The possible successors by an event.
#[derive(Clone, Debug)]
struct Choice {
    /// For each alternative the minimal acceptances of the states that lead to it.
    alternatives: Vec<Vec<Vec<Label>>>,
    /// The node for each set of alternatives, indexed by the bit set.
    after: Vec<Option<StateId>>,
}

impl TestingForm {
    /// The form of a specification, unless it would be too large.
    pub fn of(spec: &Lts, model: Model, room: Room, watch: &mut Watch<'_>) -> Result<Option<TestingForm>, Stop> {
        let spec = prepare(spec, model, watch)?;
        let mut nodes = Nodes::new(&*spec, model, watch)?;
        let mut choices = Choices::default();
        let form =
            all_nodes(&mut nodes, room, watch, |nodes, node, watch| add_choices(nodes, node, &mut choices, watch))?;
        Ok(form.map(|form| TestingForm { form, choices }))
    }
}

impl Choices {
    /// Whether a node has any.
    pub fn are_at(&self, node: StateId) -> bool {
        self.0.contains_key(&node)
    }

    /// The node after an event of a stable state that offers exactly these labels, in ascending order. The refusal and
    /// the event must be allowed; none if the successor does not depend on the offer.
    pub fn after(&self, node: StateId, event: Label, offered: &Acceptance) -> Option<StateId> {
        let (_, choice) = self.0.get(&node)?.iter().find(|(label, _)| *label == event)?;
        choice.after[choice.possible(offered)]
    }
}

impl Choice {
    /// The alternatives with an acceptance that is a subset of an offer, as a bit set.
    fn possible(&self, offered: &Acceptance) -> usize {
        let is_possible = |sets: &Vec<Vec<Label>>| sets.iter().any(|set| is_subset(set, offered));
        self.alternatives.iter().rev().fold(0, |mask, sets| mask << 1 | usize::from(is_possible(sets)))
    }
}

fn add_choices(
    nodes: &mut Nodes<&Lts>,
    node: u32,
    choices: &mut Choices,
    watch: &mut Watch<'_>,
) -> Result<Option<()>, Stop> {
    for place in 0..nodes.edges(node).len() {
        let event = nodes.edges(node)[place].label;
        if event == Label::TICK {
            continue;
        }
        let mut alternatives: Vec<(u32, Antichain)> = Vec::new();
        for (acceptance, target) in nodes.stable_successors(node, place, watch)? {
            match alternatives.iter_mut().find(|(known, _)| *known == target) {
                Some((_, sets)) => sets.add(&acceptance),
                None => {
                    let mut sets = Antichain::default();
                    sets.add(&acceptance);
                    alternatives.push((target, sets));
                }
            }
        }
        let unobserved = nodes.successor(node, place, watch)?;
        if alternatives.iter().all(|&(target, _)| target == unobserved) {
            continue;
        }
        if alternatives.len() > MAX_ALTERNATIVES {
            return Ok(None);
        }
        let unions = (0..1_usize << alternatives.len()).map(|mask| {
            let chosen = alternatives.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
            let targets: Vec<u32> = chosen.map(|(_, &(target, _))| target).collect();
            if targets.is_empty() { Ok(None) } else { Ok(Some(StateId(nodes.union(&targets, watch)?))) }
        });
        let after = unions.collect::<Result<_, Stop>>()?;
        let alternatives = alternatives.into_iter().map(|(_, antichain)| antichain.sets).collect();
        choices.0.entry(StateId(node)).or_default().push((event, Choice { alternatives, after }));
    }
    Ok(Some(()))
}
