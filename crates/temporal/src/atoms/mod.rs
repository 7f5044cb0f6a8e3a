//! Tableau-based LTL model checking, an engine that is independent of the automata-based one: Lichtenstein and Pnueli
//! (1985), *Checking that finite state concurrent programs satisfy their linear specification*; Plagge and Leuschel
//! (2010), *Seven at one stroke: LTL model checking for high-level specifications in B, Z, CSP, and more*.
//!
//! An *atom* is a state with a locally consistent truth assignment to all parts of the formula. The next atom confirms
//! what an atom requires of the next position, and past operators follow from the previous atom, so past and future may
//! be mixed freely. A counterexample is a path through the atoms of the negated formula that ends, or stays in a
//! self-fulfilling strongly connected component, which defers no eventuality for ever. Fairness restricts components. A
//! state with unknown steps has no atoms, so every counterexample is valid; if there is none, the result says whether
//! such states were needed.
//!
//! In the trace view silent steps preserve the assignment: they stay at the same position, whose facts are determined
//! by the event or end that follows.
//!
//! This engine is simple rather than fast. It decides formulas with future operators below past ones, which the other
//! engine does not support, and serves as its reference.

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

/// Decides whether all fair runs of a structure satisfy a property. `progress` receives the number of atoms, and is
/// polled for cancellation.
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

/// The alternatives of fairness. If there are none, only finite runs are fair, which an unsatisfiable demand expresses.
fn alternatives(fairness: &Fairness) -> Vec<Vec<Condition>> {
    let impossible = Condition::Labels(Strength::Unconditional, Labels::default());
    match &fairness.alternatives[..] {
        [] => vec![vec![impossible]],
        alternatives => alternatives.to_vec(),
    }
}
