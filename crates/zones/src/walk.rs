//! Zone graphs as systems explored on the fly.
//!
//! With [`Abstraction::WHOLE`] the nodes have the traces, refusals, divergences and deadlocks of the timed system, so
//! untimed algorithms can decide refinement and temporal properties on them.

use crate::cell::Cell;
use crate::graph::{Abstraction, Goal, ZoneGraph};
use crate::run::{TimedPath, TimedVisit, with_times};
use crate::system::TimedSystem;
use crate::zone::Zone;
use explore::{Judgment, Node, Space, Step as ExploredStep, Steps};
use lts::walk::{Numbering, Step, System};
use lts::{Label, StateId, Transition};

/// Nodes of a zone graph, numbered in the order of discovery.
pub struct ZoneWalk<'a, const W: usize, S: TimedSystem<W>, C: Cell> {
    numbering: Numbering<ZoneNode<W, C>>,
    nodes: ZoneNodes<'a, W, S, C>,
}

/// A zone graph as a system of its nodes.
struct ZoneNodes<'a, const W: usize, S: TimedSystem<W>, C: Cell> {
    graph: ZoneGraph<'a, W, S, C>,
    /// Silent steps to the initial nodes.
    first: Vec<ZoneStep<W, C>>,
    sent: Steps<W, C>,
    buffers: <ZoneGraph<'a, W, S, C> as Space<W>>::Buffers,
    steps: Vec<ZoneStep<W, C>>,
}

/// A location and a zone; none for an artificial initial state before several initial nodes.
type ZoneNode<const W: usize, C> = Option<([u64; W], Box<[C]>)>;

/// A step between nodes.
#[derive(Clone)]
struct ZoneStep<const W: usize, C> {
    step: ExploredStep<W>,
    target: ZoneNode<W, C>,
}

impl<const W: usize, C: Clone> ZoneStep<W, C> {
    fn new(step: ExploredStep<W>, cells: &[C]) -> ZoneStep<W, C> {
        ZoneStep { step, target: Some((step.target, cells.into())) }
    }
}

impl<const W: usize, C: Clone> Step for ZoneStep<W, C> {
    type State = ZoneNode<W, C>;

    fn label(&self) -> Label {
        self.step.label
    }

    fn target(&self) -> &ZoneNode<W, C> {
        &self.target
    }
}

impl<const W: usize, S: TimedSystem<W>, C: Cell> System for ZoneNodes<'_, W, S, C> {
    type State = ZoneNode<W, C>;
    type Step = ZoneStep<W, C>;
    type Error = Found;

    const EFFORT: usize = 16;

    fn initial(&self) -> ZoneNode<W, C> {
        match &self.first[..] {
            [first] => first.target.clone(),
            _ => None,
        }
    }

    fn steps(&mut self, node: &ZoneNode<W, C>) -> Result<&[ZoneStep<W, C>], Found> {
        let Some((location, detail)) = node else { return Ok(&self.first) };
        self.sent.clear();
        let node = Node { state: location, detail };
        if let Judgment::Found(what) = self.graph.expand(node, &mut self.buffers, &mut self.sent) {
            return Err(Found(what));
        }
        self.steps.clear();
        self.steps.extend(self.sent.with_details().map(|(step, cells)| ZoneStep::new(*step, cells)));
        Ok(&self.steps)
    }
}

/// A finding of the space, such as a failing step, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Found(pub u32);

impl From<std::convert::Infallible> for Found {
    fn from(never: std::convert::Infallible) -> Found {
        match never {}
    }
}

impl<'a, const W: usize, S: TimedSystem<W>, C: Cell> ZoneWalk<'a, W, S, C> {
    /// A system with only its initial nodes.
    pub fn new(system: &'a S, abstraction: Abstraction) -> Self {
        let graph = ZoneGraph::new(system, abstraction, Goal::Nothing);
        let (mut sent, mut buffers) = (Steps::new(), Default::default());
        graph.begin(&mut buffers, &mut sent);
        let first = sent.with_details().map(|(step, cells)| ZoneStep::new(*step, cells)).collect();
        let nodes = ZoneNodes { graph, first, sent, buffers, steps: Vec::new() };
        ZoneWalk { numbering: Numbering::new(&nodes.initial()), nodes }
    }

    /// The number of discovered nodes.
    pub fn n_nodes(&self) -> usize {
        self.numbering.states().len()
    }

    /// The location of a node; none for an initial state before several nodes.
    pub fn location(&self, state: StateId) -> Option<&[u64; W]> {
        self.numbering.states()[state.index()].as_ref().map(|(location, _)| location)
    }

    /// A run along nodes, with times; the first node is the initial one. The final clock values are in the zone of the
    /// last node.
    pub fn with_times(&mut self, nodes: &[StateId], labels: &[Label]) -> Option<TimedPath<W>> {
        let ZoneWalk { numbering, nodes: system } = self;
        let n_skipped = usize::from(system.first.len() != 1);
        let (nodes, labels) = (&nodes[n_skipped..], &labels[n_skipped..]);
        let node = |state: StateId| numbering.states()[state.index()].as_ref();
        let mut visits = vec![TimedVisit { state: node(*nodes.first()?)?.0, step: None }];
        for (pair, &label) in nodes.windows(2).zip(labels) {
            let [source, target] = [pair[0], pair[1]].map(|state| &numbering.states()[state.index()]);
            let steps = system.steps(source).ok()?;
            let taken = steps.iter().find(|step| step.step.label == label && step.target == *target)?;
            visits.push(TimedVisit { state: taken.step.target, step: Some(taken.step) });
        }
        let (_, cells) = node(*nodes.last()?)?;
        let mut end = Zone::default();
        end.load(cells.len().isqrt() - 1, cells);
        with_times::<W, C, S>(system.graph.system, &Goal::Nothing, visits, crate::graph::REACHED, Some(&end))
    }
}

impl<const W: usize, S: TimedSystem<W>, C: Cell> System for ZoneWalk<'_, W, S, C> {
    type State = StateId;
    type Step = Transition;
    type Error = Found;

    const EFFORT: usize = 16;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], Found> {
        self.numbering.steps(&mut self.nodes, *state)
    }

    fn n_known(&self) -> usize {
        self.n_nodes()
    }
}
