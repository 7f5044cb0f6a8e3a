//! Bottom strongly connected components of a graph on the fly: Gabow (2000), *Path-based depth-first search for strong
//! and biconnected components*.
//!
//! A depth-first search ends at the first complete component, which is a bottom one, or as soon as it reaches a settled
//! node, which is known to lead to one. All nodes on the path and in their components lead to that node, so all visited
//! nodes become settled. So each node is visited by one search, or by one of each worker, and most searches are short.

use hashbrown::{HashMap, HashSet};
use limits::intervals::polling::STATES_PER_POLL;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// The settled nodes of a graph, and its bottom components.
pub(super) struct Terminals {
    /// Nodes that lead to a known component, as a bit set.
    settled: Vec<AtomicU64>,
    found: Mutex<Found>,
}

/// Distinct components.
#[derive(Default)]
struct Found {
    components: Vec<Vec<u32>>,
    /// The least node of each.
    least: HashSet<u32>,
}

/// The end of a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    /// All visited nodes are settled.
    Settled,
    /// The limit of visited nodes was exceeded; none of them is settled.
    TooLong,
}

/// A depth-first search, reusable for many nodes.
#[derive(Default)]
pub(super) struct Search {
    /// Visited nodes in preorder.
    live: Vec<u32>,
    /// Their positions in this order.
    order: HashMap<u32, u32>,
    /// The preorder positions of the roots of the components on the path.
    roots: Vec<u32>,
    frames: Vec<Frame>,
    /// The targets of edges that are still to be followed.
    pending: Vec<u32>,
}

struct Frame {
    order: u32,
    /// The start of its edges in `pending`.
    first: usize,
}

impl Terminals {
    pub(super) fn new(n_nodes: usize) -> Terminals {
        let settled = std::iter::repeat_with(AtomicU64::default).take(n_nodes.div_ceil(64)).collect();
        Terminals { settled, found: Mutex::default() }
    }

    /// Whether a node leads to a known component.
    #[inline]
    pub(super) fn is_settled(&self, node: u32) -> bool {
        self.settled[node as usize / 64].load(Ordering::Relaxed) >> (node % 64) & 1 == 1
    }

    /// The components, each in ascending order.
    pub(super) fn into_components(self) -> Vec<Vec<u32>> {
        let mut components = self.found.into_inner().expect("no worker has panicked").components;
        components.sort_unstable();
        components
    }

    /// Settles a node, unless more than `most` nodes have to be visited. `arrows` appends the successors of a node, and
    /// may end as soon as one is settled: then it returns true. `keep_on` polls for cancellation, given the search.
    pub(super) fn settle<E>(
        &self,
        search: &mut Search,
        start: u32,
        most: usize,
        mut arrows: impl FnMut(u32, &mut Vec<u32>) -> bool,
        mut keep_on: impl FnMut(&Search) -> Result<(), E>,
    ) -> Result<End, E> {
        search.clear();
        let mut next = Some(start);
        loop {
            if let Some(node) = next.take() {
                if search.live.len() >= most {
                    return Ok(End::TooLong);
                }
                search.visit(node);
                if search.live.len().is_multiple_of(STATES_PER_POLL) {
                    keep_on(search)?;
                }
                if arrows(node, &mut search.pending) {
                    break;
                }
            }
            let frame = search.frames.last().expect("the first frame ends the search");
            if search.pending.len() > frame.first {
                let target = search.pending.pop().expect("there are some");
                if self.is_settled(target) {
                    break;
                }
                match search.order.get(&target) {
                    Some(&order) => search.merge(order),
                    None => next = Some(target),
                }
            } else if let Some(component) = search.backtrack() {
                self.add(component);
                break;
            }
        }
        for &node in &search.live {
            self.settled[node as usize / 64].fetch_or(1 << (node % 64), Ordering::Relaxed);
        }
        Ok(End::Settled)
    }

    fn add(&self, component: &[u32]) {
        let mut component = component.to_vec();
        component.sort_unstable();
        let mut found = self.found.lock().expect("no worker has panicked");
        if found.least.insert(component[0]) {
            found.components.push(component);
        }
    }
}

impl Search {
    /// Bytes of the search, including those of the next growth of full tables.
    pub(super) fn memory(&self) -> u64 {
        fn grown<T>(vec: &Vec<T>) -> usize {
            let n = if vec.len() < vec.capacity() { vec.capacity() } else { 2 * vec.capacity() };
            n * size_of::<T>()
        }
        let vectors = grown(&self.live) + grown(&self.roots) + grown(&self.frames) + grown(&self.pending);
        let (n_used, n_kept) = (self.order.len(), self.order.capacity());
        // While a table grows, the old one is still allocated.
        let n_entries = if n_used + STATES_PER_POLL < n_kept { n_kept } else { 3 * n_kept };
        (vectors + n_entries * (size_of::<(u32, u32)>() + 1) * 8 / 7) as u64
    }

    /// The numbers of visited nodes and of their pending edges.
    pub(super) fn size(&self) -> (u64, u64) {
        (self.live.len() as u64, (self.live.len() + self.pending.len()) as u64)
    }

    fn clear(&mut self) {
        self.live.clear();
        self.order.clear();
        self.roots.clear();
        self.frames.clear();
        self.pending.clear();
    }

    fn visit(&mut self, node: u32) {
        let order = self.live.len() as u32;
        self.live.push(node);
        self.order.insert(node, order);
        self.roots.push(order);
        self.frames.push(Frame { order, first: self.pending.len() });
    }

    /// An edge back to a node on the path: the nodes from there on are in one component.
    fn merge(&mut self, order: u32) {
        while self.roots.last().is_some_and(|&root| root > order) {
            self.roots.pop();
        }
    }

    /// Leaves a node all of whose edges were followed; returns its component, if that is complete.
    fn backtrack(&mut self) -> Option<&[u32]> {
        let frame = self.frames.pop()?;
        (self.roots.last() == Some(&frame.order)).then(|| &self.live[frame.order as usize..])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::convert::Infallible;
    use test_support::mutate::{Random, seed};

    type Graph = Vec<Vec<u32>>;

    fn random_graph(random: &mut Random) -> Graph {
        let n_nodes = 1 + random.below(40);
        let n_arrows = 1 + random.below(4);
        let arrows = |random: &mut Random| {
            let n_arrows = random.below(n_arrows + 1);
            (0..n_arrows).map(|_| random.below(n_nodes) as u32).collect()
        };
        (0..n_nodes).map(|_| arrows(random)).collect()
    }

    /// The nodes reachable from one.
    fn reached(graph: &Graph, start: u32) -> BTreeSet<u32> {
        let (mut met, mut open) = (BTreeSet::from([start]), vec![start]);
        while let Some(node) = open.pop() {
            open.extend(graph[node as usize].iter().filter(|&&target| met.insert(target)));
        }
        met
    }

    /// The bottom components by definition: sets of nodes that reach each other and nothing else.
    fn expected(graph: &Graph) -> BTreeSet<BTreeSet<u32>> {
        let all = (0..graph.len() as u32).map(|node| (node, reached(graph, node)));
        let returns =
            |(node, met): &(u32, BTreeSet<u32>)| met.iter().all(|&other| reached(graph, other).contains(node));
        all.filter(returns).map(|(_, met)| met).collect()
    }

    #[test]
    fn bottom_components_agree_with_the_definition() {
        let mut random = Random::new(seed());
        let mut n_too_long = 0;
        for round in 0..3000 {
            let context = format!("TEST_SEED={} round {round}", seed());
            let graph = random_graph(&mut random);
            let terminals = Terminals::new(graph.len());
            // Two alternating searches, with limits that some of them exceed at first.
            let mut searches = [Search::default(), Search::default()];
            let mut open: Vec<u32> = (0..graph.len() as u32).collect();
            let mut expanded = BTreeSet::new();
            while !open.is_empty() {
                let node = open.swap_remove(random.below(open.len()));
                let ends_early = random.below(2) == 0;
                let mut visited = Vec::new();
                let arrows = |node: u32, targets: &mut Vec<u32>| {
                    visited.push(node);
                    targets.extend(&graph[node as usize]);
                    ends_early && targets.iter().any(|&target| terminals.is_settled(target))
                };
                let most = if random.below(3) == 0 { 1 + random.below(5) } else { usize::MAX };
                let search = &mut searches[random.below(2)];
                let is_new = !terminals.is_settled(node);
                let Ok(end) = terminals.settle::<Infallible>(search, node, most, arrows, |_| Ok(()));
                match end {
                    End::Settled => {
                        assert!(terminals.is_settled(node), "{context}");
                        assert!(!is_new || visited.iter().all(|&node| expanded.insert(node)), "{context}: twice");
                    }
                    End::TooLong => {
                        n_too_long += 1;
                        open.push(node);
                    }
                }
            }
            let found = terminals.into_components();
            let n_found = found.len();
            assert!(found.iter().all(|component| component.is_sorted()), "{context}");
            let found: BTreeSet<BTreeSet<u32>> =
                found.into_iter().map(|component| component.into_iter().collect()).collect();
            assert_eq!((found, n_found), (expected(&graph), expected(&graph).len()), "{context}: {graph:?}");
        }
        assert!(n_too_long > 1000, "{n_too_long}");
    }

    #[test]
    fn the_search_is_cancelled() {
        let graph: Graph = (1..3 * STATES_PER_POLL as u32).map(|next| vec![next]).chain([vec![0]]).collect();
        let terminals = Terminals::new(graph.len());
        let mut n_polls = 0;
        let stop = |_: &Search| {
            n_polls += 1;
            if n_polls == 2 { Err("enough") } else { Ok(()) }
        };
        let arrows = |node: u32, targets: &mut Vec<u32>| {
            targets.extend(&graph[node as usize]);
            false
        };
        assert_eq!(terminals.settle(&mut Search::default(), 0, usize::MAX, arrows, stop), Err("enough"));
        assert!(!terminals.is_settled(0));
    }
}
