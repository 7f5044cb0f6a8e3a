//! Normal forms: Roscoe (1994), *Model-checking CSP*.
//!
//! A node of the normal form is the set of states in which a system can be after some trace: closed under silent steps,
//! with exactly one successor for each event of its states. It is labelled with the minimal acceptances of its states
//! and with divergence, as far as the model distinguishes them. Two systems are equivalent in the model exactly if
//! their normal forms, minimized by strong bisimulation, are identical. There can be exponentially many nodes, so the
//! refinement search requests them one by one; [`normal`] computes all of them.
//!
//! In refusal testing, the successor of a node depends on the refusal before the event: [`testing`].

pub(crate) mod nodes;
pub mod testing;

use crate::acceptance::Antichain;
use crate::bisimulation;
use crate::interner::number;
use crate::{Builder, Label, Lts, Model, StateId, Stop, Watch, draw};
use nodes::Nodes;
use std::borrow::Cow;

/// The minimal normal form in a model: systems that are equivalent in the model have identical ones.
///
/// The result has no silent steps. Its acceptances are explicit if the model has failures; in models with divergences,
/// divergent states are labelled and have no steps, because all continuations of a divergence are equivalent.
///
/// # Panics
/// When the model tests refusals: no single node follows an event there.
pub fn normal(lts: &Lts, model: Model, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    let lts = prepare(lts, model, watch)?;
    let room = Room { n_nodes: usize::MAX, n_elements: usize::MAX };
    Ok(normal_within(&lts, model, room, watch)?.expect("there is room for everything"))
}

/// Bounds of the size of a normal form.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// The largest number of nodes.
    pub n_nodes: usize,
    /// The largest total number of states of all nodes, which bounds the work.
    pub n_elements: usize,
}

/// The normal form, unless it would be too large. Bisimilar states should be merged before, because the nodes contain
/// all of them.
pub fn normal_within(lts: &Lts, model: Model, room: Room, watch: &mut Watch<'_>) -> Result<Option<Lts>, Stop> {
    assert!(!model.tests_refusals(), "what follows a node depends on refusals");
    let mut nodes = Nodes::new(lts, model, watch)?;
    let form = all_nodes(&mut nodes, room, watch, |_, _, _| Ok(Some(())))?;
    form.map(|form| bisimulation::strong(&form, watch).map(|smallest| smallest.lts)).transpose()
}

/// All reachable nodes, as states. `visit` adds further successors of a node, or returns false if there are too many.
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

/// A system with the same normal forms and fewer silent steps. Otherwise, a system with many silent steps has large
/// nodes.
pub(crate) fn prepare<'a>(lts: &'a Lts, model: Model, watch: &mut Watch<'_>) -> Result<Cow<'a, Lts>, Stop> {
    // Merging of states does not preserve explicit acceptances in models finer than failures.
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
