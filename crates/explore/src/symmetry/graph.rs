//! A colored graph with the automorphisms of a network.
//!
//! Its vertices are the [`Points`] of the network, its edges and its rules. A state and an action are linked with their
//! machine; an edge with its source, its action and its target; a rule with its mode, the actions of its participants,
//! its label, its target mode, the states that it resets machines to, and its inhibitors; an alternative of an
//! inhibitor with that inhibitor, its actions and its own inhibitors. Colors distinguish the kinds of vertices. Where
//! vertices of two kinds could be linked in two ways, one of these links is *far*.

use super::automorphism::Automorphism;
use super::exact::meaning;
use super::obstacles::Meanings;
use super::points::Points;
use lts::Label;
use model::network::{Action, MachineId, Network, Rule};
use std::collections::HashSet;

/// A graph as adjacency lists.
pub(super) struct Graph {
    /// The start of the links of each vertex; at last the end.
    starts: Vec<u32>,
    /// The vertices at the other ends, and whether the link is far.
    links: Vec<u32>,
    /// The color of each vertex; automorphisms preserve colors.
    pub(super) colors: Vec<Color>,
}

/// The kind of a vertex, with its further invariants.
pub(super) type Color = (Kind, u32, Option<u32>);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Kind {
    Machine,
    Mode,
    State,
    Action,
    Label,
    Edge,
    Inhibitor,
    Way,
    Rule,
}

const FAR: u32 = 1 << 31;

impl Graph {
    /// The graph of a network; none if it has too many vertices or links.
    pub(super) fn of(
        network: &Network,
        points: &Points,
        color_of_label: &dyn Fn(Label) -> u32,
        max_links: u64,
    ) -> Option<Graph> {
        let colors = colors_of(network, points, color_of_label);
        let mut drawing = Drawing { points, colors, ends: Vec::new(), obstacles: Vec::new() };
        for number in 0..points.n_machines() {
            drawing.add_machine(network, number);
            drawing.is_within(max_links)?;
        }
        // Inhibitors and rules are sets: equal ones are one vertex.
        let meanings = Meanings::of(network);
        drawing.add_obstacles(network, meanings.own());
        drawing.is_within(max_links)?;
        let (mut visited, nothing) = (HashSet::new(), Automorphism::default());
        for (mode, it) in (0..).zip(&network.modes) {
            let new = it.rules.iter().filter(|rule| visited.insert(meaning(mode, rule, &nothing, meanings.own())));
            new.for_each(|rule| drawing.add_rule(mode, rule));
            drawing.is_within(max_links)?;
        }
        Some(drawing.finish())
    }

    pub(super) fn n_vertices(&self) -> usize {
        self.colors.len()
    }

    /// The neighbors of a vertex, with a weight that distinguishes far links.
    #[inline]
    pub(super) fn links(&self, vertex: u32) -> impl ExactSizeIterator<Item = (u32, u64)> + '_ {
        let links = &self.links[self.starts[vertex as usize] as usize..self.starts[vertex as usize + 1] as usize];
        links.iter().map(|&link| (link & !FAR, if link & FAR == 0 { 1 } else { 1 << 32 }))
    }
}

/// The colors of all points.
fn colors_of(network: &Network, points: &Points, color_of_label: &dyn Fn(Label) -> u32) -> Vec<Color> {
    let mut colors = vec![(Kind::Machine, 0, None); points.len() as usize];
    let mut paint = |point: u32, color: Color| colors[point as usize] = color;
    points.values(points.n_machines()).for_each(|mode| paint(mode, (Kind::Mode, 0, None)));
    paint(points.mode(network.initial.mode.0), (Kind::Mode, 1, None));
    for (machine, local) in (0..points.n_machines()).zip(&network.initial.locals) {
        points.values(machine).for_each(|state| paint(state, (Kind::State, 0, None)));
        paint(points.state(machine, local.0), (Kind::State, 1, None));
        points.actions(machine).for_each(|(_, action)| paint(action, (Kind::Action, 0, None)));
    }
    for (label, point) in points.labels() {
        let class = network.priority.as_ref().and_then(|priority| priority.class_of(label));
        paint(point, (Kind::Label, color_of_label(label), class));
    }
    colors
}

/// A graph under construction.
struct Drawing<'a> {
    points: &'a Points,
    colors: Vec<Color>,
    /// The two ends of links; the second may be far.
    ends: Vec<(u32, u32)>,
    /// The vertices of inhibitors; equal ones share one.
    obstacles: Vec<u32>,
}

impl Drawing<'_> {
    fn is_within(&self, max_links: u64) -> Option<()> {
        let fits = self.colors.len() < FAR as usize && self.ends.len() < FAR as usize;
        (fits && self.ends.len() as u64 <= max_links).then_some(())
    }

    fn add_vertex(&mut self, kind: Kind) -> u32 {
        self.colors.push((kind, 0, None));
        self.colors.len() as u32 - 1
    }

    fn add_machine(&mut self, network: &Network, number: u32) {
        let machine = &network.machines[number as usize];
        self.ends.extend(self.points.values(number).map(|state| (number, state)));
        self.ends.extend(self.points.actions(number).map(|(_, action)| (number, action)));
        for (state, source) in machine.states().zip(self.points.values(number)) {
            for edge in machine.edges(state) {
                let vertex = self.add_vertex(Kind::Edge);
                let (action, target) =
                    (self.points.action(number, edge.action), self.points.state(number, edge.target.0));
                self.ends.extend([(vertex, source), (vertex, action), (vertex, target | FAR)]);
            }
        }
    }

    fn add_parts(&mut self, vertex: u32, parts: &[(MachineId, Action)]) {
        let actions = parts.iter().map(|&(machine, action)| self.points.action(machine.0, action));
        self.ends.extend(actions.map(|action| (vertex, action)));
    }

    fn add_obstacles(&mut self, network: &Network, meanings: &[u32]) {
        let mut vertices: Vec<u32> = Vec::new();
        for (obstacle, &meaning) in network.obstacles.iter().zip(meanings) {
            if let Some(&known) = vertices.get(meaning as usize) {
                self.obstacles.push(known);
                continue;
            }
            let vertex = self.add_vertex(Kind::Inhibitor);
            vertices.push(vertex);
            let mut visited = HashSet::new();
            for way in &obstacle.ways {
                let mut parts = way.parts.to_vec();
                parts.sort_unstable();
                let mut closing: Vec<u32> = way.unless.iter().map(|other| self.obstacles[other.index()]).collect();
                closing.sort_unstable();
                closing.dedup();
                if visited.insert((parts, closing.clone())) {
                    let alternative_vertex = self.add_vertex(Kind::Way);
                    self.ends.push((alternative_vertex, vertex));
                    self.add_parts(alternative_vertex, &way.parts);
                    self.ends.extend(closing.into_iter().map(|other| (alternative_vertex, other | FAR)));
                }
            }
            self.obstacles.push(vertex);
        }
    }

    fn add_rule(&mut self, mode: u32, rule: &Rule) {
        let vertex = self.add_vertex(Kind::Rule);
        self.ends.push((vertex, self.points.mode(mode)));
        self.ends.push((vertex, self.points.label(rule.shows)));
        self.add_parts(vertex, &rule.parts);
        let mut obstacles: Vec<u32> = rule.unless.iter().map(|obstacle| self.obstacles[obstacle.index()]).collect();
        obstacles.sort_unstable();
        obstacles.dedup();
        self.ends.extend(obstacles.into_iter().map(|obstacle| (vertex, obstacle)));
        if let Some(jump) = &rule.jump {
            self.ends.push((vertex, self.points.mode(jump.mode.0) | FAR));
            let resets = jump.resets.iter().map(|&(machine, state)| self.points.state(machine.0, state.0));
            self.ends.extend(resets.map(|state| (vertex, state)));
        }
    }

    fn finish(self) -> Graph {
        let mut starts = vec![0; self.colors.len() + 1];
        for &(one, other) in &self.ends {
            starts[one as usize + 1] += 1;
            starts[(other & !FAR) as usize + 1] += 1;
        }
        (1..starts.len()).for_each(|place| starts[place] += starts[place - 1]);
        let mut next = starts.clone();
        let mut links = vec![0; 2 * self.ends.len()];
        let mut link = |from: u32, to: u32| {
            links[next[from as usize] as usize] = to;
            next[from as usize] += 1;
        };
        for (one, other) in self.ends {
            link(one, other);
            link(other & !FAR, one | other & FAR);
        }
        Graph { starts, links, colors: self.colors }
    }
}
