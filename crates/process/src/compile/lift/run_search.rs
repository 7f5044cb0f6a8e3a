//! Runs of an operand that do what its compressed form did.
//!
//! The operand is explored on demand, along the events that are wanted and no others.

use super::NotLifted;
use hashbrown::HashMap;
use lts::Label as Seen;
use model::network::{Configuration, Network};
use progress::{Progress, Statistics, Stop};
use std::ops::ControlFlow;

/// What is looked for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Goal {
    /// The events, whatever comes then.
    Trace,
    /// After the events, a state that offers nothing but these. One that can terminate refuses all else, if that is one of them.
    Refusal(Vec<Seen>),
    /// The events from this place on again and again, or a divergence on the way.
    Forever(usize),
}

/// A run that was found.
pub(super) struct Found {
    pub(super) steps: Vec<(Seen, Configuration)>,
    pub(super) end: End,
}

/// What is known of the end of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Any,
    Stable,
    /// The last step is a termination that was only looked at.
    Terminating,
    /// What follows this place leads back to it.
    Loop(usize),
}

/// Looks for a run with this word that ends as the goal says.
pub(super) fn find(
    network: &Network,
    word: &[Seen],
    goal: &Goal,
    max_nodes: u64,
    progress: &dyn Progress,
) -> Result<Found, NotLifted> {
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
    search.enter(Node { configuration: 0, place: 0, parent: 0, label: Seen::TAU });
    let mut next = 0;
    while next < search.nodes.len() {
        if next as u64 > max_nodes {
            return Err(NotLifted::Stopped(Stop::MaxStates));
        }
        if next % 256 == 0
            && let ControlFlow::Break(why) = progress.tick(&Statistics::default())
        {
            return Err(NotLifted::Stopped(why.into()));
        }
        if let Some(found) = search.visit(next) {
            return Ok(found);
        }
        next += 1;
    }
    match goal {
        Goal::Forever(_) => search.lasso().ok_or(NotLifted::NoRun),
        Goal::Trace | Goal::Refusal(_) => Err(NotLifted::NoRun),
    }
}

struct RunSearch<'a> {
    network: &'a Network,
    word: &'a [Seen],
    goal: &'a Goal,
    configurations: Vec<Configuration>,
    numbers: HashMap<Configuration, u32>,
    /// By configuration, once they were asked for.
    steps: Vec<Option<Vec<(Seen, u32)>>>,
    /// The node of a configuration after so much of the word.
    places: HashMap<(u32, u32), u32>,
    nodes: Vec<Node>,
}

#[derive(Clone, Copy)]
struct Node {
    configuration: u32,
    place: u32,
    /// Where it was come from, and by what; the first node is its own parent.
    parent: u32,
    label: Seen,
}

impl RunSearch<'_> {
    fn enter(&mut self, node: Node) -> u32 {
        let fresh = self.nodes.len() as u32;
        let number = *self.places.entry((node.configuration, node.place)).or_insert(fresh);
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
            found.push((step.label, number));
        }
        steps[place] = Some(found);
    }

    fn steps(&self, configuration: u32) -> &[(Seen, u32)] {
        self.steps.get(configuration as usize).and_then(Option::as_deref).unwrap_or(&[])
    }

    /// Enters what follows a node, unless the goal is reached.
    fn visit(&mut self, number: usize) -> Option<Found> {
        let node = self.nodes[number];
        if *self.goal == Goal::Trace && node.place as usize == self.word.len() {
            return Some(self.found(number, End::Any));
        }
        self.explore(node.configuration);
        if let (Goal::Refusal(allowed), true) = (self.goal, node.place as usize == self.word.len())
            && let Some(found) = self.refusal(number, allowed)
        {
            return Some(found);
        }
        for index in 0..self.steps(node.configuration).len() {
            let (label, target) = self.steps(node.configuration)[index];
            if let Some(place) = self.place_after(node.place, label) {
                self.enter(Node { configuration: target, place, parent: number as u32, label });
            }
        }
        None
    }

    fn place_after(&self, place: u32, label: Seen) -> Option<u32> {
        if label == Seen::TAU {
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

    fn refusal(&self, number: usize, allowed: &[Seen]) -> Option<Found> {
        let steps = self.steps(self.nodes[number].configuration);
        if steps.iter().all(|(label, _)| allowed.contains(label)) {
            return Some(self.found(number, End::Stable));
        }
        let (label, target) = *steps.iter().find(|(label, _)| *label == Seen::TICK && allowed.contains(label))?;
        let mut found = self.found(number, End::Terminating);
        found.steps.push((label, self.configurations[target as usize].clone()));
        Some(found)
    }

    /// The run to a node.
    fn found(&self, number: usize, end: End) -> Found {
        let mut steps = Vec::new();
        let mut at = number;
        while at != 0 {
            let node = self.nodes[at];
            steps.push((node.label, self.configurations[node.configuration as usize].clone()));
            at = node.parent as usize;
        }
        steps.reverse();
        Found { steps, end }
    }

    /// A run that comes back to where it was, when all nodes are known.
    fn lasso(&self) -> Option<Found> {
        let goes_on = self.endless();
        let start = goes_on.iter().position(|&goes_on| goes_on)?;
        let mut found = self.found(start, End::Any);
        let mut met: HashMap<usize, usize> = HashMap::from([(start, found.steps.len())]);
        let mut at = start;
        loop {
            let (label, next) = self.edges(at).find(|&(_, next)| goes_on[next]).expect("it goes on");
            let configuration = self.nodes[next].configuration;
            found.steps.push((label, self.configurations[configuration as usize].clone()));
            if let Some(&place) = met.get(&next) {
                found.end = End::Loop(place);
                return Some(found);
            }
            met.insert(next, found.steps.len());
            at = next;
        }
    }

    fn edges(&self, number: usize) -> impl Iterator<Item = (Seen, usize)> {
        let node = self.nodes[number];
        self.steps(node.configuration).iter().filter_map(move |&(label, target)| {
            let place = self.place_after(node.place, label)?;
            Some((label, self.places[&(target, place)] as usize))
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
