//! Random graphs, compared with the definition of acyclicity.

use super::*;
use ::progress::NoProgress;
use test_support::mutate::{Random, seed};
use test_support::progress::Patience;

struct Sample {
    targets: Vec<Vec<u32>>,
    /// A forbidden node.
    bad: Option<u32>,
}

/// A walker of a sample.
struct Walker<'a> {
    sample: &'a Sample,
    steps: Vec<StateId>,
}

impl System for Walker<'_> {
    type State = StateId;
    type Step = StateId;
    type Error = ();

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, node: &StateId) -> Result<&[StateId], ()> {
        self.steps.clear();
        self.steps.extend(self.sample.targets[node.index()].iter().map(|&target| StateId(target)));
        if self.sample.bad == Some(node.0) { Err(()) } else { Ok(&self.steps) }
    }
}

impl Sample {
    fn prove_acyclic(
        &self,
        starts: impl IntoIterator<Item = u32>,
        n_workers: usize,
        progress: &dyn Progress,
    ) -> Result<Acyclicity, Interrupt> {
        let new_walker = || Walker { sample: self, steps: Vec::new() };
        prove_acyclic(self.targets.len(), new_walker, starts, n_workers, progress)
    }

    /// A random graph with steps to larger numbers; half of the samples have one back edge, which often closes a cycle.
    fn random(random: &mut Random, n_nodes: usize) -> Sample {
        let n_nodes = 1 + random.below(n_nodes);
        let mut targets = vec![Vec::new(); n_nodes];
        for _ in 0..random.below(4 * n_nodes) {
            let (one, other) = (random.below(n_nodes), random.below(n_nodes));
            if one != other {
                targets[one.min(other)].push(one.max(other) as u32);
            }
        }
        if random.below(2) == 0 {
            let (one, other) = (random.below(n_nodes), random.below(n_nodes));
            targets[one.max(other)].push(one.min(other) as u32);
        }
        Sample { targets, bad: (random.below(3) == 0).then(|| random.below(n_nodes) as u32) }
    }

    /// The nodes reachable from some nodes.
    fn reached(&self, starts: &[u32]) -> Vec<bool> {
        let mut is_reached = vec![false; self.targets.len()];
        let mut open = starts.to_vec();
        while let Some(node) = open.pop() {
            if !std::mem::replace(&mut is_reached[node as usize], true) {
                open.extend(&self.targets[node as usize]);
            }
        }
        is_reached
    }

    fn acyclicity(&self, starts: &[u32]) -> Acyclicity {
        let mut followed = self.targets.clone();
        self.bad.iter().for_each(|&bad| followed[bad as usize].clear());
        let followed = Sample { targets: followed, bad: None };
        let has_cycle = (0..followed.targets.len()).any(|node| followed.reached(&followed.targets[node])[node]);
        let is_reached = self.reached(starts);
        if has_cycle || self.bad.is_some_and(|bad| is_reached[bad as usize]) {
            return Acyclicity::NotProved;
        }
        Acyclicity::Proved(is_reached.into_iter().filter(|is_reached| *is_reached).count())
    }
}

fn compare(n_rounds: usize, n_nodes: usize) {
    let mut random = Random::new(seed());
    let mut n_partly = 0;
    for round in 0..n_rounds {
        let sample = Sample::random(&mut random, n_nodes);
        let starts: Vec<u32> = (0..1 + random.below(3)).map(|_| random.below(sample.targets.len()) as u32).collect();
        let expected = sample.acyclicity(&starts);
        n_partly += usize::from(expected == Acyclicity::NotProved);
        for n_workers in 1..4 {
            let found = sample.prove_acyclic(starts.clone(), n_workers, &NoProgress);
            assert_eq!(found, Ok(expected), "TEST_SEED={} round {round}, {n_workers} workers", seed());
        }
    }
    assert!((n_rounds / 10..n_rounds * 9 / 10).contains(&n_partly), "{n_partly} of {n_rounds} without proof");
}

#[test]
fn small_graphs() {
    compare(600, 10);
}

#[test]
fn larger_graphs() {
    compare(60, 300);
}

/// A chain, with an optional step from its last node back to some node.
fn line(n_nodes: u32, back: Option<u32>) -> Sample {
    let mut targets: Vec<Vec<u32>> = (0..n_nodes).map(|node| (node + 1..n_nodes.min(node + 50)).collect()).collect();
    targets[n_nodes as usize - 1].extend(back);
    Sample { targets, bad: None }
}

#[test]
fn shared_by_all() {
    for n_workers in 1..4 {
        let found = |back| line(20_000, back).prove_acyclic([0], n_workers, &NoProgress);
        assert_eq!(found(None), Ok(Acyclicity::Proved(20_000)));
        assert_eq!(found(Some(0)), Ok(Acyclicity::NotProved));
        assert_eq!(found(Some(19_999)), Ok(Acyclicity::NotProved));
    }
}

#[test]
fn the_proof_is_cancelled() {
    for n_workers in 1..4 {
        for patience in 0..3 {
            let found = line(5000, None).prove_acyclic([0], n_workers, &Patience::of(patience));
            assert_eq!(found, Err(Interrupt::Cancelled));
        }
    }
}
