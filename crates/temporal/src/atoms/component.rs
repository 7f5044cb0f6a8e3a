//! Accepting components: strongly connected, self-fulfilling and fair.

use super::demand::Demand;
use super::graph::{Edge, Graph};
use super::moment::Moments;
use super::world::World;
use crate::{Ending, Run, Strength};
use fixedbitset::FixedBitSet;
use graphs::cycles;
use lts::{StateId, Transition};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;

/// A graph of atoms with the acceptance conditions of its runs.
pub struct Search<'a> {
    pub world: &'a World<'a>,
    pub moments: &'a Moments<'a>,
    pub graph: &'a Graph,
    pub demands: Vec<Demand>,
}

/// The judgment of the demands on a component.
enum Judgment {
    Fair,
    Unfair,
    /// Fair runs stay within these atoms.
    Rest(Vec<usize>),
}

/// A predicate of goal edges, given with their source atoms.
type Goal<'a> = Box<dyn Fn(usize, &Edge) -> bool + 'a>;

impl Search<'_> {
    /// A fair run that violates the property, if there is one.
    pub fn find(&self, progress: &dyn Progress) -> Result<Option<Run>, Interrupt> {
        let mut open: Vec<Vec<usize>> = vec![(0..self.graph.atoms.len()).collect()];
        while let Some(atoms) = open.pop() {
            for component in components(self.graph, &atoms) {
                if let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(self.graph.atoms.len())) {
                    return Err(why);
                }
                let component = Component::new(self.graph, component);
                if !self.is_self_fulfilling(&component) {
                    continue;
                }
                match self.judge(&component) {
                    Judgment::Fair => return Ok(Some(self.run(&component))),
                    Judgment::Unfair => {}
                    Judgment::Rest(atoms) => open.push(atoms),
                }
            }
        }
        Ok(None)
    }

    /// Whether there are infinitely many positions, and no eventuality is deferred for ever.
    fn is_self_fulfilling(&self, component: &Component) -> bool {
        let keeps = |promise| component.atoms.iter().any(|&atom| self.keeps(promise, atom));
        component.edges().any(|(_, edge)| edge.is_visible) && self.moments.promises().all(keeps)
    }

    fn keeps(&self, promise: usize, atom: usize) -> bool {
        self.moments.keeps(promise, self.graph.atoms[atom].moment)
    }

    fn judge(&self, component: &Component) -> Judgment {
        let mut rest = component.atoms.clone();
        // Finite runs are fair.
        for demand in self.demands.iter().filter(|_| !self.is_idle(component)) {
            let can = |&atom: &usize| demand.is_possible(self.state(atom));
            let is_satisfied = || component.edges().any(|(atom, edge)| self.satisfies(demand, atom, edge));
            match demand.strength {
                _ if is_satisfied() => {}
                Strength::Unconditional => return Judgment::Unfair,
                Strength::Weak if component.atoms.iter().all(can) => return Judgment::Unfair,
                Strength::Weak => {}
                Strength::Strong => rest.retain(|atom| !can(atom)),
            }
        }
        if rest.len() == component.atoms.len() { Judgment::Fair } else { Judgment::Rest(rest) }
    }

    fn is_idle(&self, component: &Component) -> bool {
        self.graph.atoms[component.atoms[0]].is_idle
    }

    fn state(&self, atom: usize) -> StateId {
        self.graph.atoms[atom].state
    }

    fn satisfies(&self, demand: &Demand, atom: usize, edge: &Edge) -> bool {
        edge.step.is_some_and(|step| demand.is_satisfied_by(self.world, self.state(atom), &step))
    }

    /// A run with a loop in a component that satisfies all acceptance conditions.
    fn run(&self, component: &Component) -> Run {
        let start = component.atoms[0];
        if self.is_idle(component) {
            return self.graph.run_to(self.world, start);
        }
        let mut steps = self.graph.path_to(start);
        let ending = Ending::Loop(steps.len());
        steps.extend(component.tour(start, &self.goals(component)));
        Run { start: self.world.structure.initial(), steps, ending }
    }

    /// The goals of a loop.
    fn goals<'a>(&'a self, component: &'a Component) -> Vec<Goal<'a>> {
        let mut goals: Vec<Goal> = vec![Box::new(|_, edge| edge.is_visible)];
        for promise in self.moments.promises() {
            goals.push(Box::new(move |atom, _| self.keeps(promise, atom)));
        }
        for demand in &self.demands {
            if component.edges().any(|(atom, edge)| self.satisfies(demand, atom, edge)) {
                goals.push(Box::new(move |atom, edge| self.satisfies(demand, atom, edge)));
            } else if demand.strength == Strength::Weak {
                goals.push(Box::new(move |atom, _| !demand.is_possible(self.state(atom))));
            }
        }
        goals
    }
}

/// A strongly connected set of atoms.
struct Component<'a> {
    graph: &'a Graph,
    atoms: Vec<usize>,
    members: FixedBitSet,
}

impl<'a> Component<'a> {
    fn new(graph: &'a Graph, mut atoms: Vec<usize>) -> Component<'a> {
        atoms.sort_unstable();
        let members = atoms.iter().copied().collect();
        Component { graph, atoms, members }
    }

    /// The inner edges, each with its source.
    fn edges(&self) -> impl Iterator<Item = (usize, &'a Edge)> + '_ {
        self.atoms.iter().flat_map(|&atom| self.leaving(atom).map(move |edge| (atom, edge)))
    }

    fn leaving(&self, atom: usize) -> impl Iterator<Item = &'a Edge> + '_ {
        self.graph.edges[atom].iter().filter(|edge| self.members.contains(edge.target))
    }

    /// The steps of a cycle from an atom through all goals.
    fn tour(&self, start: usize, goals: &[Goal]) -> Vec<Transition> {
        let mut tour: Vec<(usize, &Edge)> = Vec::new();
        let back: Goal = Box::new(|_, edge| edge.target == start);
        for goal in goals {
            if !tour.iter().any(|(atom, edge)| goal(*atom, edge)) {
                let from = tour.last().map_or(start, |(_, edge)| edge.target);
                tour.extend(self.path(from, goal));
            }
        }
        let last = tour.last().map_or(start, |(_, edge)| edge.target);
        if last != start {
            tour.extend(self.path(last, &back));
        }
        tour.iter().filter_map(|(_, edge)| edge.step).collect()
    }

    /// A shortest path from an atom that ends with a goal edge.
    fn path(&self, from: usize, goal: &Goal) -> Vec<(usize, &'a Edge)> {
        let mut paths: Vec<(usize, Option<(usize, &Edge)>)> = vec![(from, None)];
        let mut visited: FixedBitSet = [from].into_iter().collect();
        visited.grow(self.graph.atoms.len());
        for next in 0.. {
            let atom = paths[next].0;
            for edge in self.leaving(atom) {
                if goal(atom, edge) {
                    let mut path = vec![(atom, edge)];
                    let mut place = next;
                    while let Some((before, edge)) = paths[place].1 {
                        path.push((paths[before].0, edge));
                        place = before;
                    }
                    path.reverse();
                    return path;
                }
                if !visited.put(edge.target) {
                    paths.push((edge.target, Some((next, edge))));
                }
            }
        }
        unreachable!("each goal was seen in the component")
    }
}

/// The nontrivial strongly connected components of some atoms.
fn components(graph: &Graph, atoms: &[usize]) -> Vec<Vec<usize>> {
    let alive: FixedBitSet = atoms.iter().copied().collect();
    let is_alive = |atom: &usize| alive.contains(*atom);
    let successors = |atom: usize| graph.edges[atom].iter().map(|edge| edge.target).filter(is_alive);
    cycles(graph.atoms.len(), atoms.iter().copied(), successors)
}
