//! Strongly connected components of nodes that are indices, and infinite paths.

/// The strongly connected components reachable from some nodes below `n_nodes`, in reverse topological order.
pub fn components<I: Iterator<Item = usize>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for_components(n_nodes, starts, successors, |component| found.push(places(component.nodes)));
    found
}

/// The components with a cycle.
pub fn cycles<I: Iterator<Item = usize>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize) -> I,
) -> Vec<Vec<usize>> {
    let mut found = Vec::new();
    for_components(n_nodes, starts, successors, |component| {
        if component.is_cycle {
            found.push(places(component.nodes));
        }
    });
    found
}

/// For each of the nodes below `n_nodes` whether an infinite path begins there, that is, whether it leads to a cycle.
pub fn endless<I: Iterator<Item = usize>>(n_nodes: usize, successors: impl Fn(usize) -> I) -> Vec<bool> {
    let mut endless = vec![false; n_nodes];
    // Components are complete in reverse topological order, so successors in others are settled.
    for_components(n_nodes, 0..n_nodes, &successors, |component| {
        let is_endless = component.is_cycle || successors(component.nodes[0] as usize).any(|next| endless[next]);
        component.nodes.iter().for_each(|&node| endless[node as usize] = is_endless);
    });
    endless
}

/// Whether a strongly connected component has a cycle.
pub fn is_cycle<I: Iterator<Item = usize>>(component: &[usize], successors: impl Fn(usize) -> I) -> bool {
    component.len() > 1 || successors(component[0]).any(|next| next == component[0])
}

fn for_components<I: Iterator<Item = usize>>(
    n_nodes: usize,
    starts: impl IntoIterator<Item = usize>,
    successors: impl Fn(usize) -> I,
    found: impl FnMut(crate::Component<'_>),
) {
    let starts = starts.into_iter().map(|start| start as u32);
    crate::for_components(n_nodes, starts, |node| successors(node as usize).map(|next| next as u32), found);
}

fn places(nodes: &[u32]) -> Vec<usize> {
    nodes.iter().map(|&node| node as usize).collect()
}
