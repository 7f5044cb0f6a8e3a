//! The smallest deterministic automaton of an obligation (Dax, Eisinger and Klaedtke, 2007).
//!
//! Where a formula is a Boolean combination of claims about finite prefixes, the sets of states that are reached
//! together are the states of a deterministic automaton in which each component accepts all runs that stay or none, and
//! there is a smallest one. Whether a formula is of that kind is found out by trying: the result is compared with
//! automata of the formula and of its negation.

use super::components::Components;
use super::emptiness::{Lasso, accepts_lasso, classify, is_disjoint};
use super::graph::{Edge, Graph};
use super::guard::{self, Guard};
use super::prune::useful;
use hashbrown::HashMap;
use limits::effort::formula_automata::{MAX_WEAK_ATOMS, MAX_WEAK_PAIRS, MAX_WEAK_SUCCESSORS};

/// A complete deterministic automaton, whose runs are accepted if they stay where it is accepting.
struct Deterministic {
    /// The atoms that matter; a letter is a number with a bit for each.
    atoms: Vec<u32>,
    successors: Vec<Vec<u32>>,
    is_accepting: Vec<bool>,
}

/// The smallest weak deterministic automaton for the language of `graph`, if there is one, it has no more states and it
/// is found without much work. `negation` accepts the other words.
pub(super) fn minimize(graph: &Graph, negation: &Graph) -> Option<Graph> {
    let small = Deterministic::new(graph)?.minimized();
    let (accepting, rejecting) = (small.graph(true), small.graph(false));
    let n_useful = useful(&accepting).into_iter().filter(|&is_useful| is_useful).count();
    let is_same = n_useful <= graph.n_states()
        && is_disjoint(&rejecting, graph, MAX_WEAK_PAIRS)?
        && is_disjoint(&accepting, negation, MAX_WEAK_PAIRS)?;
    is_same.then_some(accepting)
}

impl Deterministic {
    /// States are sets of states that are reached together.
    fn new(graph: &Graph) -> Option<Deterministic> {
        let mask = graph.atoms();
        if mask.count_ones() > MAX_WEAK_ATOMS {
            return None;
        }
        let atoms = (0..64).filter(|atom| mask >> atom & 1 == 1).collect();
        let mut result = Deterministic { atoms, successors: Vec::new(), is_accepting: Vec::new() };
        let accepts_all = classify(graph).1;
        let mut sets = vec![vec![graph.initial]];
        let mut numbers: HashMap<Vec<u32>, u32> = HashMap::from([(sets[0].clone(), 0)]);
        while let Some(set) = sets.get(result.successors.len()).cloned() {
            if sets.len() * result.n_letters() > MAX_WEAK_SUCCESSORS {
                return None;
            }
            let row = (0..result.n_letters()).map(|letter| {
                let next = successor(graph, &accepts_all, &set, result.valuation(letter));
                *numbers.entry(next).or_insert_with_key(|next| {
                    sets.push(next.clone());
                    sets.len() as u32 - 1
                })
            });
            let row = row.collect();
            result.successors.push(row);
        }
        result.find_accepting(graph, &sets);
        Some(result)
    }

    fn n_letters(&self) -> usize {
        1 << self.atoms.len()
    }

    fn valuation(&self, letter: usize) -> u64 {
        (0..).zip(&self.atoms).fold(0, |valuation, (bit, atom)| valuation | ((letter as u64 >> bit & 1) << atom))
    }

    /// The states with their successors, for what is independent of letters.
    fn skeleton(&self) -> Graph {
        let edge = |&target: &u32| Edge { target, marks: 0, guard: Guard::TRUE };
        let edges = self.successors.iter().map(|row| row.iter().map(edge).collect()).collect();
        Graph { initial: 0, n_sets: 0, edges }
    }

    /// Looks at one cycle of each component: whether its word is accepted tells it for all of them.
    fn find_accepting(&mut self, graph: &Graph, sets: &[Vec<u32>]) {
        let components = Components::new(&self.skeleton());
        // `None` for components without cycle and for those that are still to be seen.
        let mut known: Vec<Option<bool>> = vec![None; components.n];
        for (state, set) in sets.iter().enumerate() {
            let component = components.of[state] as usize;
            if known[component].is_none()
                && let Some(letters) = self.cycle(state as u32, &components)
            {
                known[component] = Some(accepts_lasso(graph, set, &Lasso { letters: &letters, back: 0 }));
            }
        }
        let colors = colors(&self.skeleton(), &components, &known);
        self.is_accepting =
            components.of.iter().map(|&component| colors[component as usize].is_multiple_of(2)).collect();
    }

    /// A short cycle from a state back to it.
    fn cycle(&self, state: u32, components: &Components) -> Option<Vec<u64>> {
        let mut from: HashMap<u32, (u32, usize)> = HashMap::new();
        let mut todo = vec![state];
        let mut next = 0;
        while let Some(&at) = todo.get(next) {
            next += 1;
            for (letter, &target) in self.successors[at as usize].iter().enumerate() {
                if components.is_inside(at as usize, target) && !from.contains_key(&target) {
                    from.insert(target, (at, letter));
                    todo.push(target);
                }
            }
        }
        let mut letters = Vec::new();
        let mut at = state;
        loop {
            let (before, letter) = *from.get(&at)?;
            letters.push(self.valuation(letter));
            at = before;
            if at == state {
                letters.reverse();
                return Some(letters);
            }
        }
    }

    /// Merges states that accept the same.
    fn minimized(&self) -> Deterministic {
        let mut classes: Vec<u32> = self.is_accepting.iter().map(|&is_accepting| u32::from(is_accepting)).collect();
        let mut n_classes = 0;
        loop {
            let mut numbers: HashMap<(u32, Vec<u32>), u32> = HashMap::new();
            let signatures = classes
                .iter()
                .zip(&self.successors)
                .map(|(&class, row)| (class, row.iter().map(|&target| classes[target as usize]).collect::<Vec<u32>>()));
            let new: Vec<u32> = signatures
                .map(|signature| {
                    let next = numbers.len() as u32;
                    *numbers.entry(signature).or_insert(next)
                })
                .collect();
            classes = new;
            if numbers.len() == n_classes {
                break;
            }
            n_classes = numbers.len();
        }
        let first =
            |class: usize| classes.iter().position(|&other| other as usize == class).expect("no class is empty");
        let members: Vec<usize> = (0..n_classes).map(first).collect();
        let row = |&state: &usize| self.successors[state].iter().map(|&target| classes[target as usize]).collect();
        Deterministic {
            atoms: self.atoms.clone(),
            successors: members.iter().map(row).collect(),
            is_accepting: members.iter().map(|&state| self.is_accepting[state]).collect(),
        }
    }

    /// The automaton for what is accepted, or for what is not.
    fn graph(&self, accepted: bool) -> Graph {
        let rows = self.successors.iter().zip(&self.is_accepting);
        let edges = rows.map(|(row, &is_accepting)| self.edges(row, u64::from(is_accepting == accepted)));
        Graph { initial: 0, n_sets: 1, edges: edges.collect() }
    }

    fn edges(&self, row: &[u32], marks: u64) -> Vec<Edge> {
        let mut targets = row.to_vec();
        targets.sort_unstable();
        targets.dedup();
        let mut edges = Vec::new();
        for target in targets {
            let letters: Vec<bool> = row.iter().map(|&other| other == target).collect();
            let mut guards = Vec::new();
            self.cubes(&letters, Guard::TRUE, &mut guards);
            guard::simplify(&mut guards);
            edges.extend(guards.into_iter().map(|guard| Edge { target, marks, guard }));
        }
        edges
    }

    /// Conjunctions for a set of letters: first for what does not depend on the last atom, then for the rest.
    fn cubes(&self, letters: &[bool], guard: Guard, found: &mut Vec<Guard>) {
        if letters.iter().all(|&is_there| !is_there) {
            return;
        }
        if letters.iter().all(|&is_there| is_there) {
            found.push(guard);
            return;
        }
        let (no, yes) = letters.split_at(letters.len() / 2);
        let atom = 1 << self.atoms[letters.len().ilog2() as usize - 1];
        let common: Vec<bool> = no.iter().zip(yes).map(|(no, yes)| *no && *yes).collect();
        self.cubes(&common, guard, found);
        let rest =
            |half: &[bool]| half.iter().zip(&common).map(|(half, common)| *half && !common).collect::<Vec<bool>>();
        self.cubes(&rest(no), Guard { negative: guard.negative | atom, ..guard }, found);
        self.cubes(&rest(yes), Guard { positive: guard.positive | atom, ..guard }, found);
    }
}

/// Where an edge for a letter leads; one state is enough if everything is accepted from there.
fn successor(graph: &Graph, accepts_all: &[bool], set: &[u32], valuation: u64) -> Vec<u32> {
    let edges = set.iter().flat_map(|&state| &graph.edges[state as usize]);
    let mut next: Vec<u32> = edges.filter(|edge| edge.guard.matches(valuation)).map(|edge| edge.target).collect();
    next.sort_unstable();
    next.dedup();
    match next.iter().find(|&&state| accepts_all[state as usize]) {
        Some(&state) => vec![state],
        None => next,
    }
}

/// Numbers for components, even where runs are accepted: as great as possible, but not greater than those of components
/// that they lead to (Löding, 2001). Components without cycle may be either, and take what lets most states be merged.
fn colors(skeleton: &Graph, components: &Components, is_accepting: &[Option<bool>]) -> Vec<u32> {
    let greatest = 2 * components.n as u32 + 2;
    let mut colors = vec![greatest; components.n];
    let mut states: Vec<usize> = (0..skeleton.n_states()).collect();
    // A component has a greater number than those that it leads to.
    states.sort_unstable_by_key(|&state| components.of[state]);
    for members in states.chunk_by(|&one, &two| components.of[one] == components.of[two]) {
        let component = components.of[members[0]] as usize;
        let edges = members.iter().flat_map(|&state| &skeleton.edges[state]);
        let others = edges.map(|edge| components.of[edge.target as usize] as usize).filter(|&other| other != component);
        let least = others.map(|other| colors[other]).min().unwrap_or(greatest);
        let fits = is_accepting[component].is_none_or(|is_accepting| is_accepting == least.is_multiple_of(2));
        colors[component] = if fits { least } else { least - 1 };
    }
    colors
}
