//! Specifications for refusal testing, written down.
//!
//! A node is the set of states in which a system can be after a refusal trace: what it did, and what stable states were
//! seen to refuse on the way. When an event follows a refusal, only stable states that refuse as much may have done it,
//! and the next node has what follows these. So an event has several *alternatives*: the nodes that single acceptances
//! lead to. Who offers `A` and does the event is followed by the union of all alternatives with an acceptance that is
//! part of `A`. If nothing was seen to be refused, all states count, unstable ones too.
//!
//! Mostly there is one alternative, and it is what follows anyway. Only the other events are kept apart. Each union of
//! alternatives is a node; where there would be too many, nothing is written down.

use super::nodes::Nodes;
use super::{Room, all_nodes, prepare};
use crate::acceptance::{Antichain, is_subset};
use crate::{Acceptance, Label, Lts, Model, StateId, Stop, Watch};
use hashbrown::HashMap;
use limits::effort::normal_forms::MAX_ALTERNATIVES;

/// All nodes of a specification, and what follows them.
#[derive(Clone, Debug)]
pub struct TestingForm {
    /// The nodes, with what follows each event if nothing is seen to be refused before it. Acceptances are explicit:
    /// those that are no union of others.
    pub form: Lts,
    /// What follows otherwise.
    pub choices: Choices,
}

/// The events for which it matters what was refused before them, by node.
#[derive(Clone, Debug, Default)]
pub struct Choices(HashMap<StateId, Vec<(Label, Choice)>>);

/// What may follow an event.
#[derive(Clone, Debug)]
struct Choice {
    /// For each alternative the minimal acceptances of the states that lead to it.
    alternatives: Vec<Vec<Vec<Label>>>,
    /// What follows when these alternatives are possible, one bit each.
    after: Vec<Option<StateId>>,
}

impl TestingForm {
    /// The form of a specification, unless there is no room for it.
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

    /// The node after an event that is done by a stable state which offers exactly these labels, in ascending order.
    /// The refusal and the event have to be allowed; nothing if there is no choice then.
    pub fn after(&self, node: StateId, event: Label, offered: &Acceptance) -> Option<StateId> {
        let (_, choice) = self.0.get(&node)?.iter().find(|(label, _)| *label == event)?;
        choice.after[choice.possible(offered)]
    }
}

impl Choice {
    /// The alternatives that may lie behind an offer, one bit each.
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
        let anyway = nodes.successor(node, place, watch)?;
        if alternatives.iter().all(|&(target, _)| target == anyway) {
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
