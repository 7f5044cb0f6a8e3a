//! Components of random graphs compared with reachability by definition.

use graphs::{Partition, Search, for_components};
use std::convert::Infallible;
use test_support::mutate::{Random, seed};

type Edges = Vec<Vec<u32>>;

fn random_edges(random: &mut Random) -> Edges {
    let n_nodes = 1 + random.below(14);
    let n_edges = random.below(2 * n_nodes + 3);
    let mut edges = vec![Vec::new(); n_nodes];
    for _ in 0..n_edges {
        edges[random.below(n_nodes)].push(random.below(n_nodes) as u32);
    }
    edges
}

/// For each pair whether a nonempty path leads from the first to the second.
fn reachability(edges: &Edges) -> Vec<Vec<bool>> {
    let n = edges.len();
    let mut reaches: Vec<Vec<bool>> =
        edges.iter().map(|targets| (0..n).map(|target| targets.contains(&(target as u32))).collect()).collect();
    for middle in 0..n {
        for from in 0..n {
            for to in 0..n {
                reaches[from][to] |= reaches[from][middle] && reaches[middle][to];
            }
        }
    }
    reaches
}

fn for_random_graphs(mut check: impl FnMut(&mut Random, &Edges, &str)) {
    let mut random = Random::new(seed());
    for round in 0..5000 {
        let edges = random_edges(&mut random);
        check(&mut random, &edges, &format!("TEST_SEED={} round {round} {edges:?}", seed()));
    }
}

#[test]
fn a_partition_has_nodes_together_that_lead_to_each_other() {
    for_random_graphs(|_, edges, place| {
        let reaches = reachability(edges);
        let partition = Partition::of(edges.len(), |node| edges[node as usize].iter().copied());
        let greatest = partition.of_node.iter().max().map_or(0, |&component| component as usize + 1);
        assert_eq!(greatest, partition.n_components, "{place}");
        for (from, forth) in reaches.iter().enumerate() {
            for (to, back) in reaches.iter().enumerate() {
                let is_mutual = from == to || forth[to] && back[from];
                assert_eq!(partition.of_node[from] == partition.of_node[to], is_mutual, "{place}: {from} and {to}");
                assert!(!forth[to] || partition.of_node[to] <= partition.of_node[from], "{place}: {from} to {to}");
            }
        }
    });
}

#[test]
fn infinite_paths_begin_where_a_cycle_is_reached() {
    for_random_graphs(|_, edges, place| {
        let reaches = reachability(edges);
        let found = graphs::endless(edges.len(), |node| edges[node].iter().map(|&target| target as usize));
        for (node, forth) in reaches.iter().enumerate() {
            let expected = (0..edges.len()).any(|other| (other == node || forth[other]) && reaches[other][other]);
            assert_eq!(found[node], expected, "{place}: {node}");
        }
    });
}

#[test]
fn reachable_components_are_found_once_and_in_order() {
    for_random_graphs(|random, edges, place| {
        let reaches = reachability(edges);
        let roots: Vec<u32> = (0..random.below(3)).map(|_| random.below(edges.len()) as u32).collect();
        let mut visited = vec![false; edges.len()];
        let successors = |node: u32| edges[node as usize].iter().copied();
        for_components(edges.len(), roots.iter().copied(), successors, |component| {
            for &node in component.nodes {
                assert!(!visited[node as usize], "{place}: {node} again");
                visited[node as usize] = true;
                assert_eq!(component.is_cycle, reaches[node as usize][node as usize], "{place}: round {node}");
            }
            let leads_to_unvisited = |&node: &u32| edges[node as usize].iter().any(|&target| !visited[target as usize]);
            assert!(!component.nodes.iter().any(leads_to_unvisited), "{place}: {component:?} is too early");
        });
        for (node, &is_met) in visited.iter().enumerate() {
            let is_reached = roots.iter().any(|&root| root as usize == node || reaches[root as usize][node]);
            assert_eq!(is_met, is_reached, "{place}: {node}");
        }
    });
}

#[test]
fn a_search_can_be_used_again_for_other_nodes_and_after_an_error() {
    let mut search = Search::default();
    for_random_graphs(|random, edges, place| {
        // A subgraph, with numbers used before.
        let offset = random.below(5) as u32;
        let kept: Vec<bool> = edges.iter().map(|_| random.below(4) > 0).collect();
        let targets = |node: u32| edges[node as usize].iter().copied().filter(|&target| kept[target as usize]);
        let nodes = || (0..edges.len() as u32).filter(|&node| kept[node as usize]);
        search.begin(nodes().map(|node| node + offset));
        if let Some(first) = nodes().next().filter(|_| random.below(2) == 0) {
            let mut n_left = random.below(3);
            let failing = |node: u32, out: &mut Vec<u32>| -> Result<(), ()> {
                out.extend(targets(node - offset).map(|target| target + offset));
                n_left = n_left.checked_sub(1).ok_or(())?;
                Ok(())
            };
            if search.visit(first + offset, failing, |_| {}).is_err() {
                search.begin(nodes().map(|node| node + offset));
            }
        }
        for node in nodes() {
            let successors = |node: u32, out: &mut Vec<u32>| {
                out.extend(targets(node - offset).map(|target| target + offset));
                Ok(())
            };
            let Ok(()) = search.visit::<Infallible>(node + offset, successors, |_| {});
        }
        let cut: Edges = (0..edges.len() as u32).map(|node| targets(node).collect()).collect();
        let partition = Partition::of(cut.len(), |node| {
            let targets: &[u32] = if kept[node as usize] { &cut[node as usize] } else { &[] };
            targets.iter().copied()
        });
        for left in nodes() {
            for right in nodes() {
                let is_same = search.component_of(left + offset) == search.component_of(right + offset);
                let expected = partition.of_node[left as usize] == partition.of_node[right as usize];
                assert_eq!(is_same, expected, "{place}: {left} and {right} of {kept:?}");
            }
        }
    });
}

#[test]
fn long_chains_and_rings_need_no_stack() {
    let n = 1_000_000;
    let ring = Partition::of(n, |node| [(node + 1) % n as u32]);
    assert_eq!(ring.n_components, 1);
    let chain = Partition::of(n, |node| (node + 1 < n as u32).then_some(node + 1));
    assert_eq!((chain.n_components, chain.of_node[n - 1]), (n, 0));
}
