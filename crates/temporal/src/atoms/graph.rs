//! The graph of atoms.

use super::moment::{MomentId, Moments, TooMany};
use super::world::World;
use crate::{Ending, FiniteRuns, Run};
use hashbrown::HashMap;
use lts::{StateId, Transition};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// A state with a moment. The facts of the moment are determined at the end of the position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Atom {
    pub state: StateId,
    pub moment: MomentId,
    /// Whether the run has ended here, and stutters.
    pub is_idle: bool,
}

/// A step from one atom to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    /// The step of the structure; none if the run has ended and stutters.
    pub step: Option<Transition>,
    /// Whether it leads to a new position.
    pub is_visible: bool,
    pub target: usize,
}

/// All atoms reachable by runs that violate the property.
#[derive(Default)]
pub struct Graph {
    pub atoms: Vec<Atom>,
    pub edges: Vec<Vec<Edge>>,
    /// The predecessor by which each atom was discovered, and the step.
    parents: Vec<Option<(usize, Option<Transition>)>>,
    numbers: HashMap<Atom, usize>,
}

/// The result of the construction.
pub enum Built {
    /// The complete graph, in which no run ends.
    Whole(Graph),
    /// A finite run that violates the property.
    Ends(Run),
    /// The construction was cancelled.
    Stopped(Interrupt),
    /// The formula has too many truth assignments.
    TooLarge,
}

impl Graph {
    /// Constructs all atoms that are reachable from the initial ones.
    pub fn build(world: &mut World, moments: &mut Moments, progress: &dyn Progress) -> Built {
        Graph::try_build(world, moments, progress).unwrap_or(Built::TooLarge)
    }

    fn try_build(world: &mut World, moments: &mut Moments, progress: &dyn Progress) -> Result<Built, TooMany> {
        let mut graph = Graph::default();
        let start = world.structure.initial();
        for &letter in world.offers(start).iter() {
            for moment in moments.first(letter, world.letter(letter))? {
                graph.number(Atom { state: start, moment, is_idle: false }, None);
            }
        }
        for next in 0.. {
            let Some(&atom) = graph.atoms.get(next) else { break };
            if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(graph.atoms.len())) {
                return Ok(Built::Stopped(why));
            }
            if world.rules.finite_runs == FiniteRuns::Maximal && is_last(world, moments, atom) {
                return Ok(Built::Ends(graph.run_to(world, next)));
            }
            graph.expand(world, moments, next)?;
        }
        Ok(Built::Whole(graph))
    }

    fn number(&mut self, atom: Atom, parent: Option<(usize, Option<Transition>)>) -> usize {
        let Graph { atoms, parents, numbers, .. } = self;
        *numbers.entry(atom).or_insert_with(|| {
            atoms.push(atom);
            parents.push(parent);
            atoms.len() - 1
        })
    }

    /// Computes the edges of an atom.
    fn expand(&mut self, world: &mut World, moments: &mut Moments, number: usize) -> Result<(), TooMany> {
        let atom = self.atoms[number];
        let letter = moments.letter(atom.moment);
        let mut edges = Vec::new();
        let mut go = |step: Option<Transition>, is_visible: bool, target: Atom| {
            let target = self.number(target, Some((number, step)));
            edges.push(Edge { step, is_visible, target });
        };
        let exits = world.exits(atom.state);
        let steps = world.structure.steps(atom.state).iter().zip(&exits.steps);
        for (step, exit) in steps.filter(|_| !atom.is_idle) {
            if world.is_silent(step) {
                // The position must be able to end with the assumed facts.
                if world.offers(step.target).binary_search(&letter).is_ok() {
                    go(Some(*step), false, Atom { state: step.target, ..atom });
                }
            } else if *exit == Some(letter) {
                for &next in world.offers(step.target).iter() {
                    for &moment in moments.next(atom.moment, next, world.letter(next))? {
                        go(Some(*step), true, Atom { state: step.target, moment, is_idle: false });
                    }
                }
            }
        }
        if world.rules.finite_runs == FiniteRuns::Stutter && exits.end == Some(letter) {
            for &moment in moments.next(atom.moment, letter, world.letter(letter))? {
                go(None, true, Atom { moment, is_idle: true, ..atom });
            }
        }
        self.edges.push(edges);
        Ok(())
    }

    /// The steps of the structure on a shortest path to an atom.
    pub fn path_to(&self, atom: usize) -> Vec<Transition> {
        let mut way = Vec::new();
        let mut parent = self.parents[atom];
        while let Some((from, step)) = parent {
            way.extend(step);
            parent = self.parents[from];
        }
        way.reverse();
        way
    }

    /// The run that ends in an atom.
    pub fn run_to(&self, world: &World, atom: usize) -> Run {
        let (mut steps, state) = (self.path_to(atom), self.atoms[atom].state);
        let mut ending = Ending::Stuck;
        if !world.structure.is_stuck(state) {
            ending = Ending::Silent(steps.len());
            steps.extend(world.silent_cycle(state).expect("runs end where they are stuck or silent for ever"));
        }
        Run { start: world.structure.initial(), steps, ending }
    }
}

/// Whether a run may end here with the assumed facts.
fn is_last(world: &mut World, moments: &Moments, atom: Atom) -> bool {
    world.exits(atom.state).end == Some(moments.letter(atom.moment))
}
