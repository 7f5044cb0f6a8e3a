//! Bad prefixes of runs: finite prefixes without a continuation that satisfies the property. Kupferman and Vardi
//! (2001), *Model checking of safety properties*.
//!
//! A prefix is bad exactly if the automaton of the property, after reading it, is only in states with empty language.
//! Continuations are all words: at each position any named event or an unnamed one, with any facts about states. The
//! system itself is irrelevant, so a run that a deadlock or a missing step forces to violate the property has no bad
//! prefix.

use super::Past;
use super::decide::prepare;
use crate::{Ending, Fact, FiniteRuns, Property, Rules, Run, Structure, View, evaluate, holds_at, is_known_at};
use graphs::{components, is_cycle};
use hashbrown::{HashMap, HashSet};
use limits::effort::products::{MAX_ENUMERATED, MAX_LIVE_NODES};
use ltl::automaton::Automaton;
use lts::Label;

/// The shortest bad prefix of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BadPrefix {
    /// The number of its steps.
    pub n_steps: usize,
    /// Whether the position after its last step violates the property, by its state or by the step that leads to it.
    /// Otherwise the last step does.
    pub includes_end: bool,
}

/// A state of the automaton, and the memory of the past.
type Node = (u32, u64);

/// The shortest bad prefix of a run; none if it has none, or if the formula has past operators over future ones.
pub fn bad_prefix(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Option<BadPrefix> {
    let mut opposite = property.clone();
    opposite.formula = opposite.store.not(property.formula);
    let (past, automaton) = prepare(&opposite, rules).ok()?;
    let mut observer = Observer::new(past, automaton, property);
    let mut nodes = vec![observer.initial()];
    observer.retain_live(&mut nodes);
    if nodes.is_empty() {
        return Some(BadPrefix { n_steps: 0, includes_end: true });
    }
    for place in evaluate::positions(structure, rules, run) {
        let letter = observer.letter(structure, property, rules, (run, place));
        if place == run.steps.len() {
            return observer
                .becomes_empty_at_end(nodes, letter, rules)
                .then_some(BadPrefix { n_steps: place, includes_end: true });
        }
        if rules.view == View::Step {
            let state = Letter { known: letter.known & !observer.taken, ..letter };
            let mut next = observer.moves_of(&nodes, state);
            observer.retain_live(&mut next);
            if next.is_empty() {
                return Some(BadPrefix { n_steps: place, includes_end: true });
            }
        }
        nodes = observer.moves_of(&nodes, letter);
        let is_accepted = !nodes.is_empty();
        observer.retain_live(&mut nodes);
        if nodes.is_empty() {
            return Some(BadPrefix { n_steps: place + 1, includes_end: is_accepted });
        }
    }
    None
}

/// Whether no word satisfies a property: it is contradictory, or requires an event that does not occur in the process.
pub fn is_unsatisfiable(property: &Property, rules: &Rules) -> bool {
    let mut opposite = property.clone();
    opposite.formula = opposite.store.not(property.formula);
    let Ok((past, automaton)) = prepare(&opposite, rules) else { return false };
    let observer = Observer::new(past, automaton, property);
    let mut nodes = vec![observer.initial()];
    observer.retain_live(&mut nodes);
    nodes.is_empty()
}

/// The known facts of a position.
#[derive(Clone, Copy)]
struct Letter {
    known: u64,
    value: u64,
}

/// The automaton of a property with its past operators.
struct Observer {
    past: Past,
    automaton: Automaton,
    /// Facts about the step that is taken.
    taken: u64,
    /// Facts about states that past operators refer to.
    remembered: u64,
    /// The sets of facts that a single step can make true.
    choices: Vec<u64>,
    /// The nodes with nonempty language; none if there are too many.
    live: Option<HashSet<Node>>,
    values: Vec<bool>,
}

impl Observer {
    fn new(past: Past, automaton: Automaton, property: &Property) -> Observer {
        let taken = bits(&property.facts, |fact| matches!(fact, Fact::Takes(_)));
        let remembered = past.facts() & !taken;
        let choices = choices(&property.facts);
        let mut observer = Observer { past, automaton, taken, remembered, choices, live: None, values: Vec::new() };
        observer.live = observer.find_live();
        observer
    }

    fn initial(&self) -> Node {
        (self.automaton.initial(), self.past.initial)
    }

    fn retain_live(&self, nodes: &mut Vec<Node>) {
        if let Some(live) = &self.live {
            nodes.retain(|node| live.contains(node));
        }
    }

    /// The letter of a position, as far as it is known.
    fn letter(&self, structure: &Structure, property: &Property, rules: &Rules, (run, place): (&Run, usize)) -> Letter {
        let (state, step) = (run.state(place), run.steps.get(place));
        let is_stuck = step.is_none() && matches!(run.ending, Ending::Silent(_));
        let known = bits(&property.facts, |fact| is_known_at(fact, structure, state));
        let value =
            bits(&property.facts, |fact| is_stuck && *fact == Fact::Stuck || holds_at(fact, structure, state, step));
        let end = 1 << self.past.n_atoms();
        let has_ended = step.is_none() && rules.finite_runs == FiniteRuns::Maximal;
        Letter { known: known | end, value: value & known | if has_ended { end } else { 0 } }
    }

    /// Whether the language becomes empty by reading the last letter of a finite run.
    fn becomes_empty_at_end(&mut self, mut nodes: Vec<Node>, letter: Letter, rules: &Rules) -> bool {
        let mut visited: HashSet<Vec<Node>> = HashSet::new();
        while !nodes.is_empty() {
            nodes.sort_unstable();
            if !visited.insert(nodes.clone()) {
                return false;
            }
            nodes = match rules.finite_runs {
                FiniteRuns::Stutter => self.moves_of(&nodes, letter),
                // There are no further positions, so the memory stays unchanged.
                FiniteRuns::Maximal | FiniteRuns::Ignore => {
                    let stay = |&(state, memory): &Node| {
                        let moves = self.moves((state, memory), letter);
                        moves.into_iter().map(move |(_, (target, _))| (target, memory))
                    };
                    let all: HashSet<Node> = nodes.iter().flat_map(stay).collect();
                    all.into_iter().collect()
                }
            };
        }
        true
    }

    /// The successors of nodes by a letter.
    fn moves_of(&mut self, nodes: &[Node], letter: Letter) -> Vec<Node> {
        let all: HashSet<Node> =
            nodes.iter().flat_map(|&node| self.moves(node, letter)).map(|(_, target)| target).collect();
        all.into_iter().collect()
    }

    /// The moves of a node by all letters that agree with the known facts, with their marks.
    fn moves(&mut self, (state, memory): Node, Letter { known, value }: Letter) -> Vec<(u64, Node)> {
        let mut moves = Vec::new();
        let is_taken_known = known & self.taken == self.taken;
        let free = self.remembered & !known;
        let told = ((1_u64 << self.past.n_atoms()) - 1) & !((1 << self.past.n_facts()) - 1);
        let read = known | self.taken | self.remembered | told;
        for place in 0..self.choices.len() {
            let taken = if is_taken_known { value & self.taken } else { self.choices[place] };
            let mut chosen = 0;
            loop {
                let letter = value & !self.taken | taken | chosen;
                let (letter, next) = self.past.advance(letter, memory, &mut self.values);
                for edge in self.automaton.edges(state) {
                    if edge.guard.positive & read & !letter == 0 && edge.guard.negative & letter == 0 {
                        moves.push((edge.marks, (edge.target, next)));
                    }
                }
                // The next subset of the free bits.
                chosen = chosen.wrapping_sub(free) & free;
                if chosen == 0 {
                    break;
                }
            }
            if is_taken_known {
                break;
            }
        }
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// The nodes with nonempty language.
    fn find_live(&mut self) -> Option<HashSet<Node>> {
        if self.remembered.count_ones() > MAX_ENUMERATED {
            return None;
        }
        let mut nodes = vec![self.initial()];
        let mut numbers: HashMap<Node, usize> = HashMap::from([(nodes[0], 0)]);
        let mut moves: Vec<Vec<(u64, usize)>> = Vec::new();
        while let Some(&node) = nodes.get(moves.len()) {
            if nodes.len() > MAX_LIVE_NODES {
                return None;
            }
            let found = self.moves(node, Letter { known: 0, value: 0 });
            let numbered = found.into_iter().map(|(marks, target)| {
                let number = *numbers.entry(target).or_insert_with(|| {
                    nodes.push(target);
                    nodes.len() - 1
                });
                (marks, number)
            });
            moves.push(numbered.collect());
        }
        let all_marks = (1 << self.automaton.n_sets()) - 1;
        let successors = |node: usize| moves[node].iter().map(|&(_, target)| target);
        let mut is_live = vec![false; nodes.len()];
        for component in components(nodes.len(), [0], successors) {
            let members: HashSet<usize> = component.iter().copied().collect();
            let inside = component.iter().flat_map(|&node| &moves[node]).filter(|(_, target)| members.contains(target));
            let marks = inside.fold(0, |all, (marks, _)| all | marks);
            let is_accepting = is_cycle(&component, successors) && marks & all_marks == all_marks;
            let has_live_successor = component.iter().any(|&node| successors(node).any(|next| is_live[next]));
            component.iter().for_each(|&node| is_live[node] = is_accepting || has_live_successor);
        }
        Some(nodes.into_iter().zip(is_live).filter(|(_, is_live)| *is_live).map(|(node, _)| node).collect())
    }
}

fn bits(facts: &[Fact], holds: impl Fn(&Fact) -> bool) -> u64 {
    facts.iter().enumerate().fold(0, |bits, (number, fact)| bits | u64::from(holds(fact)) << number)
}

/// The sets of facts that a single step can make true, for each named label and for any other.
fn choices(facts: &[Fact]) -> Vec<u64> {
    let named: HashSet<Label> = facts
        .iter()
        .filter_map(|fact| match fact {
            Fact::Takes(labels) => Some(labels.iter()),
            _ => None,
        })
        .flatten()
        .collect();
    let taken = |label: Label| bits(facts, |fact| matches!(fact, Fact::Takes(labels) if labels.contains(label)));
    // The formula also names events that do not occur.
    let absent = |fact: &Fact| matches!(fact, Fact::Takes(labels) if labels.iter().next().is_none());
    let alone = (0..facts.len()).filter(|&number| absent(&facts[number])).map(|number| 1 << number);
    let mut choices: Vec<u64> = named.into_iter().map(taken).chain(alone).chain([0]).collect();
    choices.sort_unstable();
    choices.dedup();
    choices
}
