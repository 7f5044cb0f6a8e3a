//! Normal forms.
//!
//! A node of the normal form is the set of states in which a system can be after some trace: closed under silent steps,
//! with exactly one successor for each event that one of its states can do. It is labelled with the minimal acceptances
//! of its states and with divergence, as far as the model sees them. Two systems are equivalent in the model exactly
//! when their normal forms, minimized by strong bisimulation, are identical. There can be exponentially many nodes, so
//! the refinement search asks for them one by one; [`normal`] builds them all.
//!
//! Where a model tests refusals, what follows a node depends on what was refused before the event: [`testing`].

pub(crate) mod nodes;
pub mod testing;

use crate::acceptance::Antichain;
use crate::bisimulation;
use crate::interner::number;
use crate::{Builder, Label, Lts, Model, StateId, Stop, Watch, draw};
use nodes::Nodes;
use std::borrow::Cow;

/// The normal form in a model, as small as it can be: systems that are equivalent in the model have identical ones.
///
/// The result has no silent steps. Its acceptances are explicit if the model sees them; where the model sees
/// divergences, divergent states are labelled and have no steps, because all that follows a divergence is equal.
///
/// # Panics
/// When the model tests refusals: no single node follows an event there.
pub fn normal(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    let lts = prepare(lts, model, watch)?;
    let room = Room { n_nodes: usize::MAX, n_elements: usize::MAX };
    Ok(normal_within(&lts, model, room, watch)?.expect("there is room for everything"))
}

/// How large a normal form may become.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// How many nodes it may have.
    pub n_nodes: usize,
    /// How many states all nodes may have together, which is the work that they make.
    pub n_elements: usize,
}

/// The normal form, if there is room for it. States that are bisimilar should be merged already: the nodes have all of
/// them.
pub fn normal_within(lts: &Lts, model: Model, room: Room, watch: &mut Watch<'_>) -> Result<Option<Lts>, Stop> {
    assert!(!model.tests_refusals(), "what follows a node depends on refusals");
    let mut nodes = Nodes::new(lts, model, watch)?;
    let form = all_nodes(&mut nodes, room, watch, |_, _, _| Ok(Some(())))?;
    form.map(|form| bisimulation::strong(&form, watch).map(|smallest| smallest.lts)).transpose()
}

/// All nodes that lead to one another, as states. What else follows a node is added by `visit`, unless there is no way
/// to write it down.
fn all_nodes(
    nodes: &mut Nodes<&Lts>,
    room: Room,
    watch: &mut Watch<'_>,
    mut visit: impl FnMut(&mut Nodes<&Lts>, u32, &mut Watch<'_>) -> Result<Option<()>, Stop>,
) -> Result<Option<Lts>, Stop> {
    let model = nodes.model();
    watch.start();
    let mut builder = Builder::new();
    let mut terminations = Vec::new();
    let mut node = nodes.initial();
    while (node as usize) < nodes.len() {
        watch.tick(1)?;
        watch.keep(nodes.len())?;
        let has_room = nodes.len() <= room.n_nodes && nodes.n_elements() <= room.n_elements;
        if !has_room || visit(nodes, node, watch)?.is_none() {
            return Ok(None);
        }
        let state = StateId(node);
        builder.add_state(state);
        if nodes.is_divergent(node) {
            builder.mark_divergent(state);
            builder.set_antichain(state, &Antichain::default());
        } else if model.sees_failures() {
            builder.set_antichain(state, nodes.acceptances(node)?);
        }
        for place in 0..nodes.edges(node).len() {
            let label = nodes.edges(node)[place].label;
            if label == Label::TICK {
                terminations.push(state);
            } else {
                builder.add(state, label, StateId(nodes.successor(node, place, watch)?));
            }
        }
        node += 1;
    }
    terminate(&mut builder, &terminations, number(nodes.len()), model);
    Ok(Some(builder.finish(StateId(0))))
}

/// A system with the same normal forms in which silent steps cost less. Without it, a system that is full of silent
/// steps has large nodes.
pub(crate) fn prepare<'a>(lts: &'a Lts, model: Model, watch: &mut Watch<'_>) -> Result<Cow<'a, Lts>, Stop> {
    // Acceptances that are no steps may lose what is seen beyond failures when states are merged.
    if model.sees_revivals() && lts.acceptances().is_some() {
        return Ok(Cow::Owned(bisimulation::delay(&draw(lts, watch)?, watch)?.lts));
    }
    if lts.is_deterministic() { Ok(Cow::Borrowed(lts)) } else { Ok(Cow::Owned(bisimulation::delay(lts, watch)?.lts)) }
}

/// Leads all terminations to one final state, which accepts nothing.
fn terminate(builder: &mut Builder, states: &[StateId], end: u32, model: Model) {
    for &state in states {
        builder.add(state, Label::TICK, StateId(end));
    }
    if !states.is_empty() && model.sees_failures() {
        let mut nothing = Antichain::default();
        nothing.add(&[]);
        builder.set_antichain(StateId(end), &nothing);
    }
}
