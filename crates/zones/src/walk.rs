//! Zone graphs as systems whose steps are made on demand, for everything that knows nothing of time.
//!
//! With [`Abstraction::WHOLE`] the nodes do what the timed system does: they have its traces, its refusals and divergences, and are stuck where it
//! is. So refinement, temporal properties and all else that is asked of states and steps can be asked of them.

use crate::cell::Cell;
use crate::graph::{Abstraction, Goal, ZoneGraph};
use crate::run::{TimedPath, TimedVisit, with_times};
use crate::system::TimedSystem;
use crate::zone::Zone;
use explore::{CoveringSpace, Judgment, Node, Step};
use lts::refine::Implementation;
use lts::{Label, StateId, Transition};
use std::collections::HashMap;

/// Nodes of a zone graph, numbered as they are met.
pub struct ZoneWalk<'a, const W: usize, S: TimedSystem<W>, C: Cell> {
    graph: ZoneGraph<'a, W, S, C>,
    numbers: HashMap<NodeKey<W, C>, u32>,
    nodes: Vec<NodeKey<W, C>>,
    /// What is known of each node's steps.
    steps: Vec<Option<Box<[Transition]>>>,
    buffers: <ZoneGraph<'a, W, S, C> as CoveringSpace<W>>::Buffers,
    has_beginning: bool,
}

/// A location and a zone. None of both is the beginning, if there are several nodes with which runs begin.
type NodeKey<const W: usize, C> = Option<([u64; W], Box<[C]>)>;

/// A step, and the zone it leads to.
type Sent<const W: usize, C> = (Step<W>, Box<[C]>);

/// The space found something: a step that goes wrong, say. Its number is the space's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found(pub u32);

impl From<std::convert::Infallible> for Found {
    fn from(never: std::convert::Infallible) -> Found {
        match never {}
    }
}

impl<'a, const W: usize, S: TimedSystem<W>, C: Cell> ZoneWalk<'a, W, S, C> {
    /// Nothing of the system is known yet.
    pub fn new(system: &'a S, abstraction: Abstraction) -> Self {
        let graph = ZoneGraph::new(system, abstraction, Goal::Nothing);
        let mut walk = ZoneWalk {
            graph,
            numbers: HashMap::new(),
            nodes: Vec::new(),
            steps: Vec::new(),
            buffers: Default::default(),
            has_beginning: false,
        };
        let mut first = Vec::new();
        walk.graph.begin(&mut walk.buffers, &mut |step, cells| first.push((step.target, cells.into())));
        if first.len() != 1 {
            // Runs begin with a silent choice between these.
            let beginning = walk.number(None);
            let targets =
                first.into_iter().map(|node| Transition { label: Label::TAU, target: walk.number(Some(node)) });
            let steps: Vec<Transition> = targets.collect();
            walk.steps[beginning.index()] = Some(steps.into());
            walk.has_beginning = true;
        } else {
            first.into_iter().for_each(|node| _ = walk.number(Some(node)));
        }
        walk
    }

    fn number(&mut self, node: NodeKey<W, C>) -> StateId {
        if let Some(&number) = self.numbers.get(&node) {
            return StateId(number);
        }
        let number = self.nodes.len() as u32;
        self.nodes.push(node.clone());
        self.numbers.insert(node, number);
        self.steps.push(None);
        StateId(number)
    }

    /// How many nodes were met.
    pub fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// The location of a node, unless it is the beginning.
    pub fn location(&self, state: StateId) -> Option<&[u64; W]> {
        self.nodes[state.index()].as_ref().map(|(location, _)| location)
    }

    /// What a node's steps lead to, with what was found.
    fn expand(&mut self, state: StateId) -> Result<Vec<Sent<W, C>>, Found> {
        let Some((location, detail)) = &self.nodes[state.index()] else { return Ok(Vec::new()) };
        let mut sent = Vec::new();
        let node = Node { state: location, detail };
        let judgment = self.graph.expand(node, &mut self.buffers, &mut |step, cells| sent.push((step, cells.into())));
        match judgment {
            Judgment::Fine => Ok(sent),
            Judgment::Found(what) => Err(Found(what)),
        }
    }

    /// A run along nodes, with times: the first is the initial one. At its end the clocks have values in the zone of the last node.
    pub fn with_times(&mut self, nodes: &[StateId], labels: &[Label]) -> Option<TimedPath<W>> {
        let nodes = &nodes[usize::from(self.has_beginning)..];
        let labels = &labels[usize::from(self.has_beginning)..];
        let mut visits = vec![TimedVisit { state: *self.location(*nodes.first()?)?, step: None }];
        for (pair, &label) in nodes.windows(2).zip(labels) {
            let target = self.nodes[pair[1].index()].clone()?;
            let sent = self.expand(pair[0]).ok()?;
            let mut taken = sent.into_iter().filter(|(step, _)| step.label == label);
            let (step, _) = taken.find(|(step, cells)| step.target == target.0 && *cells == target.1)?;
            visits.push(TimedVisit { state: target.0, step: Some(step) });
        }
        let (_, cells) = self.nodes[nodes.last()?.index()].as_ref()?;
        let mut end = Zone::default();
        end.load(cells.len().isqrt() - 1, cells);
        with_times::<W, C, S>(self.graph.system, &Goal::Nothing, visits, crate::graph::REACHED, Some(&end))
    }
}

impl<const W: usize, S: TimedSystem<W>, C: Cell> Implementation for ZoneWalk<'_, W, S, C> {
    type Error = Found;

    const EFFORT: usize = 16;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], Found> {
        if self.steps[state.index()].is_none() {
            let sent = self.expand(state)?;
            let target = |(step, cells): Sent<W, C>| Transition {
                label: step.label,
                target: self.number(Some((step.target, cells))),
            };
            let mut steps: Vec<Transition> = sent.into_iter().map(target).collect();
            steps.sort_unstable();
            steps.dedup();
            self.steps[state.index()] = Some(steps.into());
        }
        Ok(self.steps[state.index()].as_deref().unwrap_or(&[]))
    }

    fn n_known(&self) -> usize {
        self.nodes.len()
    }
}
