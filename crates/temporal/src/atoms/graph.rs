//! Atoms: moments in states, and the steps between them.

use super::moment::{Closure, Letter, Truth};
use super::world::World;
use crate::{Ending, FiniteRuns, Run};
use hashbrown::HashMap;
use lts::{StateId, Transition};
use std::ops::ControlFlow;

/// A moment in a state.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    pub state: StateId,
    /// Whether the run has ended here, and idles.
    pub is_idle: bool,
    /// The facts of the position. They are seen when it is left.
    pub letter: Letter,
    pub truth: Truth,
}

/// A step from one atom to another.
#[derive(Clone, Debug)]
pub struct Edge {
    /// The step of the structure; none if the run has ended and idles.
    pub step: Option<Transition>,
    /// Whether it leads to a new position.
    pub is_visible: bool,
    pub target: usize,
}

/// All atoms that runs against the property lead to.
#[derive(Default)]
pub struct Graph {
    pub atoms: Vec<Atom>,
    pub edges: Vec<Vec<Edge>>,
    /// Where each atom was first met, and by which of the edges there.
    parents: Vec<Option<(usize, usize)>>,
    numbers: HashMap<Atom, usize>,
}

/// How building a graph ended.
pub enum Built {
    /// All atoms are there, and no run ends among them.
    Whole(Graph),
    /// A run against the property ends.
    Ends(Run),
    /// By wish.
    Stopped,
}

impl Graph {
    /// Builds atoms from those that are known, until there are no new ones.
    pub fn build(world: &mut World, closure: &Closure, watch: &mut dyn FnMut(usize) -> ControlFlow<()>) -> Built {
        let mut graph = Graph::default();
        let start = world.structure.initial();
        for letter in world.offers(start).to_vec() {
            for truth in closure.first(&letter) {
                let atom = Atom { state: start, is_idle: false, letter: letter.clone(), truth };
                graph.number(atom, None);
            }
        }
        for next in 0.. {
            let Some(atom) = graph.atoms.get(next).cloned() else { break };
            if watch(graph.atoms.len()).is_break() {
                return Built::Stopped;
            }
            if atom.letter.ends && is_last(world, &atom) {
                return Built::Ends(graph.run_to(world, next));
            }
            graph.edges.push(Vec::new());
            for (step, is_visible, target) in successors(world, closure, &atom) {
                let place = graph.edges[next].len();
                let target = graph.number(target, Some((next, place)));
                graph.edges[next].push(Edge { step, is_visible, target });
            }
        }
        Built::Whole(graph)
    }

    fn number(&mut self, atom: Atom, parent: Option<(usize, usize)>) -> usize {
        let Graph { atoms, parents, numbers, .. } = self;
        *numbers.entry(atom).or_insert_with_key(|atom| {
            atoms.push(atom.clone());
            parents.push(parent);
            atoms.len() - 1
        })
    }

    /// The steps of the structure on a shortest way to an atom.
    pub fn way_to(&self, atom: usize) -> Vec<Transition> {
        let mut way = Vec::new();
        let mut parent = self.parents[atom];
        while let Some((from, place)) = parent {
            // An atom whose edges are still being made is no parent of another before they are.
            way.extend(self.edges[from][place].step);
            parent = self.parents[from];
        }
        way.reverse();
        way
    }

    /// The run that ends where an atom is.
    pub fn run_to(&self, world: &World, atom: usize) -> Run {
        let (mut steps, state) = (self.way_to(atom), self.atoms[atom].state);
        let mut ending = Ending::Stuck;
        if !world.structure.is_stuck(state) {
            ending = Ending::Silent(steps.len());
            steps.extend(world.silent_cycle(state).expect("runs end where they are stuck or silent for ever"));
        }
        Run { start: world.structure.initial(), steps, ending }
    }
}

/// Whether a run may end here, and the facts are those that were foreseen.
fn is_last(world: &World, atom: &Atom) -> bool {
    world.can_end(atom.state) && !world.is_unknown(atom.state) && world.last_letter(atom.state) == atom.letter
}

/// The steps from an atom, and where they lead.
fn successors(world: &mut World, closure: &Closure, atom: &Atom) -> Vec<(Option<Transition>, bool, Atom)> {
    let mut found = Vec::new();
    let structure = world.structure;
    for step in structure.steps(atom.state).iter().filter(|_| !atom.is_idle) {
        let arrive =
            |letter: &Letter, truth: Truth| Atom { state: step.target, is_idle: false, letter: letter.clone(), truth };
        if world.is_silent(step) {
            if world.offers(step.target).contains(&atom.letter) {
                found.push((Some(*step), false, arrive(&atom.letter, atom.truth.clone())));
            }
        } else if !world.is_unknown(atom.state) && world.letter(atom.state, step) == atom.letter {
            for letter in world.offers(step.target) {
                let truths = closure.next(&atom.truth, letter);
                found.extend(truths.into_iter().map(|truth| (Some(*step), true, arrive(letter, truth))));
            }
        }
    }
    if world.rules.finite_runs == FiniteRuns::Stutter && is_last(world, atom) {
        let truths = closure.next(&atom.truth, &atom.letter);
        let idle = |truth| Atom { state: atom.state, is_idle: true, letter: atom.letter.clone(), truth };
        found.extend(truths.into_iter().map(|truth| (None, true, idle(truth))));
    }
    found
}
