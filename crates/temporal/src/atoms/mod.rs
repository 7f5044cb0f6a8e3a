//! A second engine, which decides by a tableau and shares nothing with the first but definitions.
//!
//! An *atom* is a state together with the set of all parts of the formula that are true there, as far as one position
//! tells (Lichtenstein and Pnueli; Plagge and Leuschel, *Seven at one stroke*). What an atom says about the next
//! position, the next atom confirms, and what is true of the past follows from the atom before; so past and future may
//! be mixed freely. A run against the property is a way through the atoms of its negation that ends, or stays in a
//! strongly connected component where no promise is put off for ever. Fairness prunes components. A state whose steps
//! are not known has no atoms; so nothing is found that is not there, and if nothing is found at all, the answer tells
//! that something was missing.
//!
//! In the trace view silent steps lead from an atom to one with the same truths: they stay at the same position, whose
//! facts are seen when an event or the end of the run leaves it.
//!
//! This engine is simple rather than fast. It decides what the other one cannot, future below past, and it is what the
//! other one is compared with.

mod component;
mod demand;
mod graph;
mod moment;
mod world;

use crate::{Condition, Fairness, Labels, Property, Rules, Run, Strength, Structure};
use component::Search;
use graph::{Built, Graph};
use lts::{Reason, Verdict};
use moment::{Closure, Moments};
use progress::Progress;
use world::World;

/// Decides whether all fair runs of a structure satisfy a property. `progress` hears how many atoms there are, and may
/// end it.
pub fn decide(structure: &Structure, property: &Property, rules: &Rules, progress: &dyn Progress) -> Verdict<Run> {
    let mut store = property.store.clone();
    let negation = store.not(property.formula);
    let closure = Closure::new(&store, negation);
    let mut atoms: Vec<_> = closure.atoms().collect();
    atoms.sort_unstable();
    atoms.dedup();
    let mut world = World::new(structure, property, rules, &atoms);
    let mut moments = Moments::new(&closure);
    let graph = match Graph::build(&mut world, &mut moments, progress) {
        Built::Whole(graph) => graph,
        Built::Ends(run) => return Verdict::Fails(run),
        Built::Stopped(why) => return Verdict::Unknown(why.into()),
        Built::TooLarge => return Verdict::Unknown(Reason::TooLarge),
    };
    for conditions in alternatives(&property.fairness) {
        let demands = demand::demands(&world, &conditions);
        let search = Search { world: &world, moments: &moments, graph: &graph, demands };
        match search.find(progress) {
            Ok(None) => {}
            Ok(Some(run)) => return Verdict::Fails(run),
            Err(why) => return Verdict::Unknown(why.into()),
        }
    }
    match world.n_unknown() {
        0 => Verdict::Holds,
        _ => Verdict::Unknown(Reason::Open),
    }
}

/// The alternatives of fairness. If there are none, only runs that end are fair, which is what an impossible demand
/// says.
fn alternatives(fairness: &Fairness) -> Vec<Vec<Condition>> {
    let impossible = Condition::Labels(Strength::Unconditional, Labels::default());
    match &fairness.alternatives[..] {
        [] => vec![vec![impossible]],
        alternatives => alternatives.to_vec(),
    }
}
