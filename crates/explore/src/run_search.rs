//! Runs of a network that do what something equivalent did: a compressed form of it, say.
//!
//! The network is explored on demand by the interpreter, along the events that are wanted and no others.

use lts::{Label, NoRun};
use model::network::{Configuration, Network, NetworkStep, RuleId};
use progress::{Progress, Statistics, Stop};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Goal {
    /// The events, whatever comes then.
    Trace,
    /// After the events, a state that offers nothing but these. One that can terminate refuses all else, if that is one of them.
    Refusal(Vec<Label>),
    /// The events from this place on again and again, or a divergence on the way.
    Forever(usize),
}

/// A run that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundRun {
    /// Its steps from the initial configuration.
    pub steps: Vec<NetworkStep>,
    /// How it ends.
    pub end: RunEnd,
}

/// What is known of the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// Nothing.
    Any,
    /// Nothing but what was allowed is possible.
    Stable,
    /// The last step is a termination that was only looked at.
    Terminating,
    /// What follows this place leads back to it.
    Loop(usize),
}

/// Looks for a run with this word that ends as the goal says, at up to so many pairs of a configuration and a place in the word.
///
/// # Errors
/// Why there is none.
pub fn find_run(
    network: &Network,
    word: &[Label],
    goal: &Goal,
    max_nodes: u64,
    progress: &dyn Progress,
) -> Result<FoundRun, NoRun> {
    let mut search = RunSearch {
        network,
        word,
        goal,
        configurations: vec![network.initial.clone()],
        numbers: HashMap::from([(network.initial.clone(), 0)]),
        steps: Vec::new(),
        places: HashMap::new(),
        nodes: Vec::new(),
    };
    search.enter(Node { place: 0, parent: 0, taken: Taken { rule: RuleId(0), label: Label::TAU, target: 0 } });
    let mut next = 0;
    while next < search.nodes.len() {
        if next as u64 > max_nodes {
            return Err(NoRun::Stopped(Stop::MaxStates));
        }
        if next % 256 == 0
            && let ControlFlow::Break(why) = progress.tick(&Statistics::default())
        {
            return Err(NoRun::Stopped(why.into()));
        }
        if let Some(found) = search.visit(next) {
            return Ok(found);
        }
        next += 1;
    }
    match goal {
        Goal::Forever(_) => search.lasso().ok_or(NoRun::Absent),
        Goal::Trace | Goal::Refusal(_) => Err(NoRun::Absent),
    }
}

struct RunSearch<'a> {
    network: &'a Network,
    word: &'a [Label],
    goal: &'a Goal,
    configurations: Vec<Configuration>,
    numbers: HashMap<Configuration, u32>,
    /// By configuration, once they were asked for.
    steps: Vec<Option<Vec<Taken>>>,
    /// The node of a configuration after so much of the word.
    places: HashMap<(u32, u32), u32>,
    nodes: Vec<Node>,
}

/// A step to a configuration.
#[derive(Clone, Copy)]
struct Taken {
    rule: RuleId,
    label: Label,
    target: u32,
}

#[derive(Clone, Copy)]
struct Node {
    place: u32,
    /// Where it was come from; the first node is its own parent.
    parent: u32,
    /// The step by which it was come to.
    taken: Taken,
}

impl RunSearch<'_> {
    fn enter(&mut self, node: Node) -> u32 {
        let fresh = self.nodes.len() as u32;
        let number = *self.places.entry((node.taken.target, node.place)).or_insert(fresh);
        if number == fresh {
            self.nodes.push(node);
        }
        number
    }

    /// Makes the steps of a configuration, once.
    fn explore(&mut self, configuration: u32) {
        let RunSearch { network, configurations, numbers, steps, .. } = self;
        let place = configuration as usize;
        if steps.len() <= place {
            steps.resize(place + 1, None);
        }
        if steps[place].is_some() {
            return;
        }
        let mut found = Vec::new();
        for step in network.steps(&configurations[place]) {
            let number = *numbers.entry(step.target).or_insert_with_key(|target| {
                configurations.push(target.clone());
                configurations.len() as u32 - 1
            });
            found.push(Taken { rule: step.rule, label: step.label, target: number });
        }
        steps[place] = Some(found);
    }

    fn steps(&self, configuration: u32) -> &[Taken] {
        self.steps.get(configuration as usize).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// Enters what follows a node, unless the goal is reached.
    fn visit(&mut self, number: usize) -> Option<FoundRun> {
        let node = self.nodes[number];
        if *self.goal == Goal::Trace && node.place as usize == self.word.len() {
            return Some(self.found(number, RunEnd::Any));
        }
        let configuration = node.taken.target;
        self.explore(configuration);
        if let (Goal::Refusal(allowed), true) = (self.goal, node.place as usize == self.word.len())
            && let Some(found) = self.refusal(number, allowed)
        {
            return Some(found);
        }
        for index in 0..self.steps(configuration).len() {
            let taken = self.steps(configuration)[index];
            if let Some(place) = self.place_after(node.place, taken.label) {
                self.enter(Node { place, parent: number as u32, taken });
            }
        }
        None
    }

    fn place_after(&self, place: u32, label: Label) -> Option<u32> {
        if label == Label::TAU {
            return Some(place);
        }
        if self.word.get(place as usize) != Some(&label) {
            return None;
        }
        let next = place as usize + 1;
        Some(match self.goal {
            Goal::Forever(again) if next == self.word.len() && *again < next => *again as u32,
            _ => next as u32,
        })
    }

    fn refusal(&self, number: usize, allowed: &[Label]) -> Option<FoundRun> {
        let steps = self.steps(self.nodes[number].taken.target);
        if steps.iter().all(|step| allowed.contains(&step.label)) {
            return Some(self.found(number, RunEnd::Stable));
        }
        let last = *steps.iter().find(|step| step.label == Label::TICK && allowed.contains(&step.label))?;
        let mut found = self.found(number, RunEnd::Terminating);
        found.steps.push(self.step(last));
        Some(found)
    }

    fn step(&self, Taken { rule, label, target }: Taken) -> NetworkStep {
        NetworkStep { rule, label, target: self.configurations[target as usize].clone() }
    }

    /// The run to a node.
    fn found(&self, number: usize, end: RunEnd) -> FoundRun {
        let mut steps = Vec::new();
        let mut at = number;
        while at != 0 {
            let node = self.nodes[at];
            steps.push(self.step(node.taken));
            at = node.parent as usize;
        }
        steps.reverse();
        FoundRun { steps, end }
    }

    /// A run that comes back to where it was, when all nodes are known.
    fn lasso(&self) -> Option<FoundRun> {
        let goes_on = self.endless();
        let start = goes_on.iter().position(|&goes_on| goes_on)?;
        let mut found = self.found(start, RunEnd::Any);
        let mut met: HashMap<usize, usize> = HashMap::from([(start, found.steps.len())]);
        let mut at = start;
        loop {
            let (taken, next) = self.edges(at).find(|&(_, next)| goes_on[next]).expect("it goes on");
            found.steps.push(self.step(taken));
            if let Some(&place) = met.get(&next) {
                found.end = RunEnd::Loop(place);
                return Some(found);
            }
            met.insert(next, found.steps.len());
            at = next;
        }
    }

    fn edges(&self, number: usize) -> impl Iterator<Item = (Taken, usize)> {
        let node = self.nodes[number];
        self.steps(node.taken.target).iter().filter_map(move |&taken| {
            let place = self.place_after(node.place, taken.label)?;
            Some((taken, self.places[&(taken.target, place)] as usize))
        })
    }

    /// The nodes from which one can go on for ever: what is left when nodes without edges into the rest are taken away.
    fn endless(&self) -> Vec<bool> {
        let n_nodes = self.nodes.len();
        let mut sources = vec![Vec::new(); n_nodes];
        let mut n_edges = vec![0_usize; n_nodes];
        for (number, n_edges) in n_edges.iter_mut().enumerate() {
            for (_, target) in self.edges(number) {
                sources[target].push(number);
                *n_edges += 1;
            }
        }
        let mut open: Vec<usize> = (0..n_nodes).filter(|&number| n_edges[number] == 0).collect();
        while let Some(number) = open.pop() {
            for &source in &sources[number] {
                n_edges[source] -= 1;
                if n_edges[source] == 0 {
                    open.push(source);
                }
            }
        }
        n_edges.into_iter().map(|n| n > 0).collect()
    }
}
