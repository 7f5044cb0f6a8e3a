//! Rules to instances, and where these are filed.

use super::groups::{GROUP, Groups};
use super::instance::{Draft, Instances};
use super::ways::{Way, Ways};
use super::{Anchor, CompiledMode, Filed, NetworkSpace};
use model::network::{ModeId, Rule};

/// A rule is kept whole where it has more instances than this for one local state of its anchor.
const MAX_PER_STATE: usize = 64;
/// How many instances a network may have before further rules are kept whole.
const MAX_INSTANCES: usize = 1 << 20;
/// The instances of a machine are filed under its local states if there are more than this, and tested together with
/// those of other machines otherwise.
const MAX_GROUPED: usize = 4 * GROUP;
/// How many groups one mode may have: each is looked at in every state.
const MAX_GROUPS: usize = 512;

/// Compiles the rules of all modes that are possible.
pub(super) fn compile(space: &NetworkSpace<'_>, is_possible: &[Vec<bool>]) -> Vec<CompiledMode> {
    let ways = Ways::of(space.network, &space.locals);
    let mut n_left = MAX_INSTANCES;
    let modes = (0..).map(ModeId).zip(is_possible);
    modes.map(|(mode, is_possible)| ModeCompiler::new(space, &ways, mode).run(is_possible, &mut n_left)).collect()
}

struct ModeCompiler<'a> {
    space: &'a NetworkSpace<'a>,
    ways: &'a Ways,
    mode: ModeId,
    instances: Instances,
    /// Where each instance is to be filed; the state is missing if it does not matter.
    expanded: Vec<Entry>,
    /// Where rules are to be filed that are kept whole.
    whole: Vec<Entry>,
    draft: Draft,
}

/// Something to be filed under a local state of a machine.
#[derive(Clone, Copy)]
struct Entry {
    machine: u32,
    state: Option<u32>,
    /// The number of an instance, or of a rule.
    number: u32,
}

impl Entry {
    fn anchor(&self) -> (u32, Option<u32>) {
        (self.machine, self.state)
    }
}

impl<'a> ModeCompiler<'a> {
    fn new(space: &'a NetworkSpace<'a>, ways: &'a Ways, mode: ModeId) -> ModeCompiler<'a> {
        // Most rules have one instance, or few.
        let n_rules = space.network.modes[mode.index()].rules.len().min(MAX_INSTANCES);
        let (instances, expanded) = (Instances::with_capacity(n_rules), Vec::with_capacity(n_rules));
        ModeCompiler { space, ways, mode, instances, expanded, whole: Vec::new(), draft: Draft::default() }
    }

    fn run(mut self, is_possible: &[bool], n_left: &mut usize) -> CompiledMode {
        let rules = &self.space.network.modes[self.mode.index()].rules;
        let mut choices: Vec<&[Way]> = Vec::new();
        for (number, rule) in rules.iter().enumerate().filter(|(number, _)| is_possible[*number]) {
            choices.clear();
            let mut least = f32::INFINITY;
            let mut anchor = 0;
            for (place, &(machine, action)) in rule.parts.iter().enumerate() {
                let (ways, share) = self.ways.by(machine.index(), action);
                choices.push(ways);
                // The participant that can take part in the fewest of its states is asked first.
                if share < least {
                    (least, anchor) = (share, place);
                }
            }
            if choices.iter().all(|ways| !ways.is_empty()) {
                self.expand(number as u32, rule, &mut choices, anchor, n_left);
            }
        }
        self.file()
    }

    /// Expands a rule for each state of its anchor, or keeps it whole there.
    fn expand(&mut self, number: u32, rule: &Rule, choices: &mut [&'a [Way]], anchor: usize, n_left: &mut usize) {
        let machine = rule.parts[anchor].0;
        for ways in choices[anchor].chunk_by(|a, b| a.source == b.source) {
            choices[anchor] = ways;
            let n = choices.iter().fold(1usize, |n, ways| n.saturating_mul(ways.len()));
            if n <= MAX_PER_STATE.min(*n_left) {
                *n_left -= n;
                self.instantiate(rule, choices, machine.0, ways[0].source);
            } else {
                let n_states = self.space.locals[machine.index()].n_values();
                let states = ways[0].source.map_or(0..n_states, |state| state..state + 1);
                self.whole.extend(states.map(|state| Entry { machine: machine.0, state: Some(state), number }));
            }
        }
    }

    /// Adds an instance for each choice of a way for each participant.
    fn instantiate(&mut self, rule: &Rule, choices: &[&[Way]], machine: u32, state: Option<u32>) {
        let n = choices.iter().map(|ways| ways.len()).product();
        for mut number in 0..n {
            self.draft.clear();
            for (&(machine, _), ways) in rule.parts.iter().zip(choices) {
                let way = ways[number % ways.len()];
                number /= ways.len();
                let field = self.space.fields[machine.index()];
                way.source.into_iter().for_each(|source| self.draft.test(field, source));
                way.target.into_iter().for_each(|target| self.draft.assign(field, target));
            }
            if let Some(jump) = &rule.jump {
                // The mode is what the instance is filed under; it is tested by nobody, only changed.
                if jump.mode != self.mode {
                    self.draft.assign(self.space.mode_field, jump.mode.0);
                }
                for &(machine, local) in &jump.resets {
                    let value = self.space.locals[machine.index()].value(local).expect("the rule is possible");
                    self.draft.assign(self.space.fields[machine.index()], value);
                }
            }
            let number = self.instances.add(&self.draft, rule.shows);
            self.expanded.push(Entry { machine, state, number });
        }
    }

    fn file(mut self) -> CompiledMode {
        let mut entries = std::mem::take(&mut self.expanded);
        let n_grouped = self.divide(&mut entries);
        let (grouped, anchored) = entries.split_at_mut(n_grouped);
        // Instances that look at the same bits belong together. All sorting here is stable and keeps the order of rules.
        grouped.sort_by_cached_key(|entry| self.instances.first_bit(entry.number));
        anchored.sort_by_key(Entry::anchor);
        self.whole.sort_by_key(Entry::anchor);
        let anchors = self.anchors(n_grouped as u32, anchored);
        let instances = self.instances.in_order(entries.iter().map(|entry| entry.number));
        let groups = Groups::new(&instances, n_grouped, self.space.n_words);
        CompiledMode { instances, groups, anchors, whole: self.whole.iter().map(|entry| entry.number).collect() }
    }

    /// Puts instances that are tested together before those under anchors; returns how many the former are.
    fn divide(&self, entries: &mut [Entry]) -> usize {
        let mut n_of_machine = vec![0; self.space.fields.len()];
        entries.iter().for_each(|entry| n_of_machine[entry.machine as usize] += 1);
        let mut n_left = MAX_GROUPS * GROUP;
        // Machines with few instances first.
        let mut machines: Vec<usize> = (0..n_of_machine.len()).collect();
        machines.sort_by_key(|&machine| n_of_machine[machine]);
        let mut is_grouped = vec![false; n_of_machine.len()];
        for machine in machines {
            let n = n_of_machine[machine];
            is_grouped[machine] = n <= MAX_GROUPED.min(n_left);
            n_left -= if is_grouped[machine] { n } else { 0 };
        }
        let is_anchored = |entry: &Entry| entry.state.is_some() && !is_grouped[entry.machine as usize];
        entries.sort_by_key(is_anchored);
        entries.partition_point(|entry| !is_anchored(entry))
    }

    /// Files what is sorted by machine and state; `first` is the number of the first instance.
    fn anchors(&self, first: u32, anchored: &[Entry]) -> Vec<Anchor> {
        let locals = &self.space.locals;
        let mut filed: Vec<Vec<Filed>> = vec![Vec::new(); locals.len()];
        for machine in anchored.iter().chain(&self.whole).map(|entry| entry.machine as usize) {
            filed[machine].resize(locals[machine].n_values() as usize, Filed::default());
        }
        let mut file = |entries: &[Entry], mut next: u32, put: fn(&mut Filed, (u32, u32))| {
            for entries in entries.chunk_by(|a, b| a.anchor() == b.anchor()) {
                let end = next + entries.len() as u32;
                let state = entries[0].state.expect("what is filed under anchors has a state");
                put(&mut filed[entries[0].machine as usize][state as usize], (next, end));
                next = end;
            }
        };
        file(anchored, first, |filed, range| filed.instances = range);
        file(&self.whole, 0, |filed, range| filed.whole = range);
        let filed = filed.into_iter().zip(&self.space.fields).filter(|(filed, _)| !filed.is_empty());
        filed.map(|(filed, &field)| Anchor { field, filed }).collect()
    }
}
