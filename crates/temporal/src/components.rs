//! Strongly connected components (Tarjan).

use fixedbitset::FixedBitSet;

const UNMET: u32 = u32::MAX;

/// The strongly connected components of what some nodes below `n_nodes` lead to, each after those that it leads to.
pub fn components<I: Iterator<Item = usize>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let mut walk = Walk {
        order: vec![UNMET; n_nodes],
        lowest: vec![UNMET; n_nodes],
        is_done: FixedBitSet::with_capacity(n_nodes),
        n_met: 0,
        waiting: Vec::new(),
        found: Vec::new(),
    };
    for start in starts {
        walk.go(start, &successors);
    }
    walk.found
}

/// Those of them in which one can go round.
pub fn cycles<I: Iterator<Item = usize>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let mut found = components(n_nodes, starts, &successors);
    found.retain(|component| is_cycle(component, &successors));
    found
}

/// Whether one can go round in a strongly connected component.
pub fn is_cycle<I: Iterator<Item = usize>>(component: &[usize], successors: impl Fn(usize) -> I) -> bool {
    component.len() > 1 || successors(component[0]).any(|next| next == component[0])
}

struct Walk {
    /// When each node was met.
    order: Vec<u32>,
    /// The earliest node that each leads to within what is not done, as far as known.
    lowest: Vec<u32>,
    is_done: FixedBitSet,
    n_met: u32,
    /// Nodes that were left but belong to no component yet.
    waiting: Vec<usize>,
    found: Vec<Vec<usize>>,
}

impl Walk {
    fn go<I: Iterator<Item = usize>>(&mut self, start: usize, successors: &impl Fn(usize) -> I) {
        let mut path: Vec<(usize, I)> = Vec::new();
        if self.order[start] == UNMET {
            self.meet(start);
            path.push((start, successors(start)));
        }
        while let Some((node, left)) = path.last_mut() {
            let node = *node;
            match left.next() {
                Some(next) if self.order[next] == UNMET => {
                    self.meet(next);
                    path.push((next, successors(next)));
                }
                Some(next) if !self.is_done.contains(next) => {
                    self.lowest[node] = self.lowest[node].min(self.order[next]);
                }
                Some(_) => {}
                None => {
                    path.pop();
                    self.leave(node);
                    if let Some((before, _)) = path.last() {
                        self.lowest[*before] = self.lowest[*before].min(self.lowest[node]);
                    }
                }
            }
        }
    }

    fn meet(&mut self, node: usize) {
        (self.order[node], self.lowest[node]) = (self.n_met, self.n_met);
        self.n_met += 1;
        self.waiting.push(node);
    }

    fn leave(&mut self, node: usize) {
        if self.lowest[node] == self.order[node] {
            let begin = self.waiting.iter().rposition(|&waiting| waiting == node).expect("it waits since it was met");
            let component = self.waiting.split_off(begin);
            self.is_done.extend(component.iter().copied());
            self.found.push(component);
        }
    }
}
