//! Existence of a trace of a system that an automaton accepts, in linear time.

use fixedbitset::FixedBitSet;
use hashbrown::HashMap;
use ltl::tester::DeltaAutomaton;
use lts::{Label, StateId, Transition};
use temporal::{Ending, Rules, Run, Structure, View};

/// A run of a system whose trace is accepted, if there is one. The events of the automaton have these labels. Silent
/// steps and termination are no events; a terminated state is a deadlock. No result leads through open states.
pub fn direct(structure: &Structure, automaton: &DeltaAutomaton, events: &[Label]) -> Option<Run> {
    let product = Product::new(structure, automaton, events);
    product.ending_run().or_else(|| product.infinite_run())
}

/// A state of the system and one of the automaton.
type Pair = (StateId, u32);

struct Edge {
    step: Transition,
    is_visible: bool,
    target: usize,
}

/// All reachable pairs.
struct Product<'a> {
    structure: &'a Structure,
    automaton: &'a DeltaAutomaton,
    pairs: Vec<Pair>,
    edges: Vec<Vec<Edge>>,
    /// The predecessor by which each pair was discovered, and the step.
    parents: Vec<Option<(usize, Transition)>>,
}

impl<'a> Product<'a> {
    fn new(structure: &'a Structure, automaton: &'a DeltaAutomaton, events: &[Label]) -> Product<'a> {
        let start = (structure.initial(), 0);
        let mut product = Product { structure, automaton, pairs: vec![start], edges: Vec::new(), parents: vec![None] };
        let rules = Rules::of(View::Trace);
        let of_label: HashMap<Label, u32> = events.iter().copied().zip(0..).collect();
        let mut numbers: HashMap<Pair, usize> = HashMap::from([(start, 0)]);
        let mut next = 0;
        while let Some(&(state, place)) = product.pairs.get(next) {
            let mut edges = Vec::new();
            for &step in structure.steps(state) {
                let action = structure.action(&step);
                let is_visible = !rules.is_silent(action);
                let targets: Vec<u32> = match of_label.get(&action.label) {
                    _ if !is_visible => vec![place],
                    Some(event) => targets(automaton, place, *event),
                    None => Vec::new(),
                };
                for target in targets {
                    let pair = (step.target, target);
                    let target = *numbers.entry(pair).or_insert_with(|| {
                        product.pairs.push(pair);
                        product.parents.push(Some((next, step)));
                        product.pairs.len() - 1
                    });
                    edges.push(Edge { step, is_visible, target });
                }
            }
            product.edges.push(edges);
            next += 1;
        }
        product
    }

    fn way_to(&self, pair: usize) -> Vec<Transition> {
        let mut way = Vec::new();
        let mut at = pair;
        while let Some((before, step)) = self.parents[at] {
            way.push(step);
            at = before;
        }
        way.reverse();
        way
    }

    /// A run to a deadlock that a monitor accepts.
    fn ending_run(&self) -> Option<Run> {
        let is_last = |&(state, place): &Pair| self.structure.is_stuck(state) && self.automaton.is_monitor(place);
        let last = self.pairs.iter().position(is_last)?;
        Some(Run { start: self.structure.initial(), steps: self.way_to(last), ending: Ending::Stuck })
    }

    /// A run with infinitely many accepting states and events: a divergence is no trace.
    fn infinite_run(&self) -> Option<Run> {
        let successors = |pair: u32| self.edges[pair as usize].iter().map(|edge| edge.target as u32);
        let mut cycles: Vec<Vec<usize>> = Vec::new();
        graphs::for_components(self.pairs.len(), [0], successors, |component| {
            if component.is_cycle {
                cycles.push(component.nodes.iter().map(|&node| node as usize).collect());
            }
        });
        for component in cycles {
            let members: FixedBitSet = component.iter().copied().collect();
            let accepting = component.iter().filter(|&&pair| self.automaton.is_accepting(self.pairs[pair].1));
            for &pair in accepting {
                let inside = |edge: &&Edge| edge.is_visible && members.contains(edge.target);
                if let Some(edge) = self.edges[pair].iter().find(inside) {
                    let mut steps = self.way_to(pair);
                    let ending = Ending::Loop(steps.len());
                    steps.push(edge.step);
                    steps.extend(self.way_within(&members, edge.target, pair));
                    return Some(Run { start: self.structure.initial(), steps, ending });
                }
            }
        }
        None
    }

    /// A shortest path between two pairs of a component.
    fn way_within(&self, members: &FixedBitSet, from: usize, to: usize) -> Vec<Transition> {
        let mut parents: HashMap<usize, Option<(usize, Transition)>> = HashMap::from([(from, None)]);
        let mut order = vec![from];
        let mut next = 0;
        while !parents.contains_key(&to) {
            let pair = order[next];
            next += 1;
            for edge in self.edges[pair].iter().filter(|edge| members.contains(edge.target)) {
                if !parents.contains_key(&edge.target) {
                    parents.insert(edge.target, Some((pair, edge.step)));
                    order.push(edge.target);
                }
            }
        }
        let mut way = Vec::new();
        let mut at = to;
        while let Some((before, step)) = parents[&at] {
            way.push(step);
            at = before;
        }
        way.reverse();
        way
    }
}

/// The targets of an event.
fn targets(automaton: &DeltaAutomaton, state: u32, event: u32) -> Vec<u32> {
    let edges = automaton.edges(state);
    let start = edges.partition_point(|edge| edge.0 < event);
    edges[start..].iter().take_while(|edge| edge.0 == event).map(|edge| edge.1).collect()
}
