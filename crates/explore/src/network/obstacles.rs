//! Evaluation of inhibitors.
//!
//! The inhibitors of the rules of a mode, and those that these depend on, have a bit each. For an alternative of a
//! single machine, a table indexed by its local state has the bits of all inhibitors that become active. Other
//! alternatives are tested 64 at a time: for each participating machine, a table has the bit set of the alternatives
//! that its local state allows. Alternatives with inhibitors of their own come after those. Tables of machines with
//! very many states would be too large; their alternatives are tried one by one. A condition on variables is a program,
//! which runs if the machines are ready.
//!
//! Alternatives have no targets, so unlike instances they may use edges to unreachable states.

use super::NetworkSpace;
use super::readiness::{self, GROUP, Lookup, MAX_TABLE_WORDS, Readiness};
use crate::data::program::{Effect, Program};
use crate::data::translate;
use model::data::Command;
use model::network::{Action, Inhibitor, InhibitorId, MachineId, ModeId, Way};
use std::collections::HashMap;

/// The inhibitors of one mode.
#[derive(Debug, Default)]
pub(super) struct Obstacles {
    /// The number of words of the bit set of active inhibitors; 0 if there are none.
    n_words: usize,
    readiness: Readiness,
    alone: Vec<Alone>,
    groups: Vec<Group>,
    /// By group.
    ways: Vec<Target>,
    untabled: Vec<Untabled>,
    /// The conditions on variables.
    conditions: Vec<Program>,
    /// Bits of inhibitors.
    bits: Vec<Bits>,
    /// The range of bits of each rule.
    of_rule: Vec<(u32, u32)>,
}

/// Some bits of one word.
#[derive(Clone, Copy, Debug)]
struct Bits {
    word: u32,
    mask: u64,
}

/// The alternatives of a single machine.
#[derive(Clone, Copy, Debug)]
struct Alone {
    word: u32,
    lookup: Lookup,
}

/// Alternatives that are tested together.
#[derive(Clone, Copy, Debug)]
struct Group {
    ready: readiness::Group,
    first_way: u32,
    /// The number of earlier alternatives that are tried one by one.
    n_untabled: u32,
}

/// The effect of an alternative: it activates an inhibitor, unless it is inhibited itself.
#[derive(Clone, Copy, Debug)]
struct Target {
    bit: Bits,
    /// The number of its condition on variables, if any.
    condition: Option<u32>,
    /// The range of bits of its own inhibitors.
    unless: (u32, u32),
}

/// An alternative that is tried machine by machine.
#[derive(Clone, Debug)]
struct Untabled {
    parts: Box<[(MachineId, Action)]>,
    target: Target,
}

impl Obstacles {
    pub(super) fn is_empty(&self) -> bool {
        self.n_words == 0
    }

    /// Computes the active inhibitors of a state, which stays unchanged.
    #[inline]
    pub(super) fn find(&self, space: &NetworkSpace<'_>, state: &mut [u64], present: &mut Vec<u64>) {
        present.clear();
        present.resize(self.n_words, 0);
        for alone in &self.alone {
            present[alone.word as usize] |= self.readiness.entry(alone.lookup, state);
        }
        let mut next_untabled = 0;
        for group in &self.groups {
            self.try_untabled(space, state, next_untabled..group.n_untabled as usize, present);
            next_untabled = group.n_untabled as usize;
            let mut open = self.readiness.ready(group.ready, state);
            while open != 0 {
                let way = self.ways[group.first_way as usize + open.trailing_zeros() as usize];
                self.open(space, state, way, present);
                open &= open - 1;
            }
        }
        self.try_untabled(space, state, next_untabled..self.untabled.len(), present);
    }

    fn try_untabled(
        &self,
        space: &NetworkSpace<'_>,
        state: &mut [u64],
        range: std::ops::Range<usize>,
        present: &mut [u64],
    ) {
        for untabled in &self.untabled[range] {
            if untabled.parts.iter().all(|&(machine, action)| space.is_ready(machine, action, state)) {
                self.open(space, state, untabled.target, present);
            }
        }
    }

    /// Evaluates an alternative whose machines are ready.
    #[inline]
    fn open(&self, space: &NetworkSpace<'_>, state: &mut [u64], target: Target, present: &mut [u64]) {
        let Bits { word, mask } = target.bit;
        // A condition writes nothing.
        let is_true = |number: u32| space.run(&self.conditions[number as usize], state) == Effect::Done;
        let is_known = present[word as usize] & mask != 0;
        if !is_known && !self.is_any(target.unless, present) && target.condition.is_none_or(is_true) {
            present[word as usize] |= mask;
        }
    }

    /// Whether a rule is inhibited.
    #[inline]
    pub(super) fn obstruct(&self, rule: u32, present: &[u64]) -> bool {
        self.is_any(self.of_rule[rule as usize], present)
    }

    #[inline]
    fn is_any(&self, (start, end): (u32, u32), present: &[u64]) -> bool {
        self.bits[start as usize..end as usize].iter().any(|bits| present[bits.word as usize] & bits.mask != 0)
    }
}

/// Compiles the inhibitors that the possible rules of a mode depend on.
pub(super) fn compile(space: &NetworkSpace<'_>, mode: ModeId, is_possible: &[bool]) -> Obstacles {
    compile_within(space, mode, is_possible, MAX_TABLE_WORDS)
}

fn compile_within(space: &NetworkSpace<'_>, mode: ModeId, is_possible: &[bool], max_tables: usize) -> Obstacles {
    let network = space.network;
    let rules = &network.modes[mode.index()].rules;
    let named = rules.iter().zip(is_possible).filter(|(_, is)| **is).flat_map(|(rule, _)| &rule.unless).copied();
    let needed = Needed::new(&network.obstacles, named);
    if needed.all.is_empty() {
        return Obstacles::default();
    }
    let mut compiler = Compiler { space, needed: &needed, max_tables, obstacles: Obstacles::default() };
    compiler.obstacles.n_words = needed.all.len().div_ceil(GROUP);
    for (rule, is_possible) in rules.iter().zip(is_possible) {
        let unless = if *is_possible { &rule.unless[..] } else { &[] };
        let range = compiler.add_bits(unless);
        compiler.obstacles.of_rule.push(range);
    }
    compiler.add_ways();
    compiler.obstacles
}

/// The inhibitors on which possible rules depend.
struct Needed<'a> {
    /// In order.
    all: Vec<(InhibitorId, &'a Inhibitor)>,
    /// Their positions in this order.
    places: HashMap<InhibitorId, usize>,
    /// The level of each inhibitor: one more than the levels of those that its alternatives name.
    levels: Vec<usize>,
}

impl<'a> Needed<'a> {
    fn new(obstacles: &'a [Inhibitor], named: impl Iterator<Item = InhibitorId>) -> Needed<'a> {
        let mut is_needed = vec![false; obstacles.len()];
        named.for_each(|obstacle| is_needed[obstacle.index()] = true);
        // An alternative names inhibitors of smaller numbers only.
        for (number, obstacle) in obstacles.iter().enumerate().rev() {
            if is_needed[number] {
                let unless = obstacle.ways.iter().flat_map(|way| &way.unless);
                unless.for_each(|other| is_needed[other.index()] = true);
            }
        }
        let all = (0..).map(InhibitorId).zip(obstacles).filter(|(id, _)| is_needed[id.index()]);
        let mut needed = Needed { all: all.collect(), places: HashMap::new(), levels: Vec::new() };
        for (place, (id, obstacle)) in needed.all.iter().enumerate() {
            let inner = obstacle.ways.iter().flat_map(|way| &way.unless).map(|other| needed.places[other]);
            needed.levels.push(inner.map(|place| needed.levels[place] + 1).max().unwrap_or(0));
            needed.places.insert(*id, place);
        }
        needed
    }
}

struct Compiler<'a> {
    space: &'a NetworkSpace<'a>,
    needed: &'a Needed<'a>,
    max_tables: usize,
    obstacles: Obstacles,
}

/// An alternative, with the position of its inhibitor.
type Open<'a> = (usize, &'a Way);

impl Compiler<'_> {
    /// The bits of inhibitors, word by word.
    fn add_bits(&mut self, unless: &[InhibitorId]) -> (u32, u32) {
        let start = self.obstacles.bits.len();
        for obstacle in unless {
            let Bits { word, mask } = bit(self.needed.places[obstacle]);
            match self.obstacles.bits[start..].iter_mut().find(|bits| bits.word == word) {
                Some(bits) => bits.mask |= mask,
                None => self.obstacles.bits.push(Bits { word, mask }),
            }
        }
        (start as u32, self.obstacles.bits.len() as u32)
    }

    fn add_ways(&mut self) {
        let needed = self.needed;
        let (mut alone, mut others): (Vec<Open<'_>>, Vec<Open<'_>>) = (Vec::new(), Vec::new());
        for (place, (_, obstacle)) in needed.all.iter().enumerate() {
            for way in &obstacle.ways {
                let is_alone = way.parts.len() == 1 && way.unless.is_empty() && way.condition.is_none();
                if is_alone { &mut alone } else { &mut others }.push((place, way));
            }
        }
        alone.sort_by_key(|&(place, way)| (way.parts[0].0, place / GROUP));
        for ways in alone.chunk_by(|a, b| (a.1.parts[0].0, a.0 / GROUP) == (b.1.parts[0].0, b.0 / GROUP)) {
            if !self.add_alone(ways) {
                self.add_untabled(ways);
            }
        }
        // Inhibitors of one level are independent; those of the same machines form groups.
        others.sort_by_key(|&(place, way)| (needed.levels[place], way.parts[0].0));
        for level in others.chunk_by(|a, b| needed.levels[a.0] == needed.levels[b.0]) {
            for ways in level.chunks(GROUP) {
                if !self.add_group(ways) {
                    self.add_untabled(ways);
                }
            }
        }
    }

    /// Adds one table for the alternatives of a single machine; false if it would be too large.
    fn add_alone(&mut self, ways: &[Open<'_>]) -> bool {
        let machine = ways[0].1.parts[0].0.index();
        let bits = |action: Action| {
            let by_action = ways.iter().filter(|(_, way)| way.parts[0].1 == action);
            by_action.fold(0, |bits, &(place, _)| bits | bit(place).mask)
        };
        let table = self.obstacles.readiness.add_table(self.space, machine, &bits, 0, self.max_tables);
        let Some(lookup) = table else { return false };
        self.obstacles.alone.push(Alone { word: bit(ways[0].0).word, lookup });
        true
    }

    fn add_group(&mut self, ways: &[Open<'_>]) -> bool {
        let parts = ways.iter().map(|(_, way)| &*way.parts);
        let Some(ready) = self.obstacles.readiness.add_group(self.space, parts, self.max_tables) else { return false };
        self.obstacles.groups.push(Group {
            ready,
            first_way: self.obstacles.ways.len() as u32,
            n_untabled: self.obstacles.untabled.len() as u32,
        });
        for &(place, way) in ways {
            let target = self.target(place, way);
            self.obstacles.ways.push(target);
        }
        true
    }

    fn add_untabled(&mut self, ways: &[Open<'_>]) {
        for &(place, way) in ways {
            let target = self.target(place, way);
            self.obstacles.untabled.push(Untabled { parts: way.parts.clone(), target });
        }
    }

    fn target(&mut self, place: usize, way: &Way) -> Target {
        let condition = way.condition.map(|condition| {
            let condition_command = Command { guard: Some(condition), statements: [].into() };
            self.obstacles.conditions.push(translate(&self.space.network.data, &self.space.cells, &condition_command));
            self.obstacles.conditions.len() as u32 - 1
        });
        Target { bit: bit(place), condition, unless: self.add_bits(&way.unless) }
    }
}

fn bit(place: usize) -> Bits {
    Bits { word: (place / GROUP) as u32, mask: 1 << (place % GROUP) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use model::network::Network;
    use test_support::data::{Taste, random_network_with_data};
    use test_support::mutate::{Random, seed};
    use test_support::networks::random_network;

    /// A network with its inhibitors repeated until they need several words, each copy nested in the one before.
    fn many_obstacles(network: &Network, n_copies: u32) -> Network {
        let (mut many, n) = (network.clone(), network.obstacles.len() as u32);
        for copy in 1..n_copies {
            for (number, obstacle) in (0..).zip(&network.obstacles) {
                let mut obstacle = obstacle.clone();
                let before = InhibitorId((copy - 1) * n + number);
                for way in &mut obstacle.ways {
                    let shifted = way.unless.iter().map(|other| InhibitorId(copy * n + other.0));
                    way.unless = shifted.chain((copy % 3 == 0).then_some(before)).collect();
                }
                many.obstacles.push(obstacle);
            }
        }
        for rule in many.modes.iter_mut().flat_map(|mode| &mut mode.rules) {
            let first = rule.shows.0 * n_copies / 10;
            let copies =
                (first..n_copies).flat_map(|copy| rule.unless.iter().map(move |it| InhibitorId(copy * n + it.0)));
            rule.unless = copies.collect();
        }
        many
    }

    #[test]
    fn tables_agree_with_the_definition() {
        let mut random = Random::new(seed());
        let (mut n_present, mut n_several) = (0, 0);
        for round in 0..3000 {
            let taste = Taste { risk: random.below(8), is_plain: false };
            let network = match random.below(2) {
                0 => random_network(&mut random),
                _ => random_network_with_data(&mut random, taste),
            };
            let network = many_obstacles(&network, *random.pick(&[1, 1, 40]));
            let (space, _) = NetworkSpace::new(&network, &[]).expect("few values");
            let max_tables = *random.pick(&[0, 10, 100, MAX_TABLE_WORDS]);
            let mode = network.initial.mode;
            let rules = &network.modes[mode.index()].rules;
            let obstacles = compile_within(&space, mode, &vec![true; rules.len()], max_tables);
            let (mut words, mut present) = (vec![0; space.n_words()], Vec::new());
            space.pack(&network.initial, &mut words);
            obstacles.find(&space, &mut words, &mut present);
            let expected = network.present_obstacles(&network.initial);
            n_several += usize::from(present.len() > 1);
            for (number, rule) in (0..).zip(rules).filter(|_| !obstacles.is_empty()) {
                let is_obstructed = rule.unless.iter().any(|obstacle| expected[obstacle.index()]);
                assert_eq!(obstacles.obstruct(number, &present), is_obstructed, "TEST_SEED={}, {round}", seed());
                n_present += usize::from(is_obstructed);
            }
        }
        assert!(n_present > 100 && n_several > 100, "the samples are too plain: {n_present}, {n_several}");
    }
}
