//! Rules to instances, and where these are filed.

use super::groups::{GROUP, Groups};
use super::instance::{Draft, Instance, Instances};
use super::ways::{Way, Ways};
use super::{Anchor, CompiledMode, Filed, NetworkSpace};
use model::network::{ModeId, Rule};

/// A rule is kept whole where it has more instances than this for one local state of its anchor.
const MAX_PER_STATE: usize = 64;
/// How many instances a network may have before further rules are kept whole.
const MAX_INSTANCES: usize = 1 << 21;
/// The instances of a machine are filed under its local states if there are more than this, and tested together with
/// those of other machines otherwise.
const MAX_GROUPED: usize = 4 * GROUP;
/// How many groups one mode may have: each is looked at in every state.
const MAX_GROUPS: usize = 512;

/// Compiles the rules of all modes.
pub(super) fn compile(space: &NetworkSpace<'_>) -> Vec<CompiledMode> {
    let ways = Ways::of(space.network);
    let mut n_left = MAX_INSTANCES;
    let modes = 0..space.network.modes.len() as u32;
    modes.map(|mode| ModeCompiler::new(space, &ways, ModeId(mode)).run(&mut n_left)).collect()
}

struct ModeCompiler<'a> {
    space: &'a NetworkSpace<'a>,
    ways: &'a Ways,
    mode: ModeId,
    instances: Instances,
    /// Machine and local state, none if it does not matter, of each instance.
    expanded: Vec<(u32, Option<u32>, Instance)>,
    /// Machine and local state of each rule that is kept whole.
    whole: Vec<(u32, u32, u32)>,
    draft: Draft,
}

impl<'a> ModeCompiler<'a> {
    fn new(space: &'a NetworkSpace<'a>, ways: &'a Ways, mode: ModeId) -> ModeCompiler<'a> {
        let (instances, draft) = (Instances::default(), Draft::default());
        ModeCompiler { space, ways, mode, instances, expanded: Vec::new(), whole: Vec::new(), draft }
    }

    fn run(mut self, n_left: &mut usize) -> CompiledMode {
        let rules = &self.space.network.modes[self.mode.index()].rules;
        let mut choices: Vec<&[Way]> = Vec::new();
        for (number, rule) in rules.iter().enumerate() {
            choices.clear();
            let mut least = f64::INFINITY;
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
                let n_states = self.space.network.machines[machine.index()].n_states() as u32;
                let states = ways[0].source.map_or(0..n_states, |state| state..state + 1);
                self.whole.extend(states.map(|state| (machine.0, state, number)));
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
                    self.draft.assign(self.space.fields[machine.index()], local.0);
                }
            }
            let instance = self.instances.finish(&self.draft, rule.shows);
            self.expanded.push((machine, state, instance));
        }
    }

    fn file(mut self) -> CompiledMode {
        let expanded = std::mem::take(&mut self.expanded);
        let mut n_of_machine = vec![0; self.space.fields.len()];
        for (machine, ..) in &expanded {
            n_of_machine[*machine as usize] += 1;
        }
        let mut n_grouped = 0;
        let is_grouped = |&(machine, state, _): &(u32, Option<u32>, Instance)| {
            let n = n_of_machine[machine as usize];
            let fits = state.is_none() || n <= MAX_GROUPED && n_grouped < MAX_GROUPS * GROUP;
            n_grouped += usize::from(fits);
            fits
        };
        let (mut grouped, mut anchored): (Vec<_>, Vec<_>) = expanded.into_iter().partition(is_grouped);
        // Instances that look at the same bits belong together. All sorting here is stable and keeps the order of rules.
        grouped.sort_by_cached_key(|(.., instance)| self.instances.touches(instance).map(first_bit).min());
        anchored.sort_by_key(|&(machine, state, _)| (machine, state));
        self.whole.sort_by_key(|&(machine, state, _)| (machine, state));
        let anchors = self.anchors(grouped.len(), &anchored);
        let mut all: Vec<Instance> = grouped.into_iter().map(|(.., instance)| instance).collect();
        let groups = Groups::new(&self.instances, &all, self.space.n_words);
        all.extend(anchored.into_iter().map(|(.., instance)| instance));
        let whole = self.whole.iter().map(|&(.., rule)| rule).collect();
        CompiledMode { instances: self.instances.with(all), groups, anchors, whole }
    }

    /// Files what is sorted by machine and state; `first` is the number of the first instance.
    fn anchors(&self, first: usize, anchored: &[(u32, Option<u32>, Instance)]) -> Vec<Anchor> {
        let machines = &self.space.network.machines;
        let mut filed: Vec<Vec<Filed>> = vec![Vec::new(); machines.len()];
        for machine in anchored.iter().map(|item| item.0).chain(self.whole.iter().map(|item| item.0)) {
            filed[machine as usize].resize(machines[machine as usize].n_states(), Filed::default());
        }
        let mut number = first as u32;
        for instances in anchored.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (machine, state, _) = instances[0];
            let end = number + instances.len() as u32;
            let state = state.expect("instances of no state are grouped");
            filed[machine as usize][state as usize].instances = (number, end);
            number = end;
        }
        let mut number = 0;
        for rules in self.whole.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let end = number + rules.len() as u32;
            filed[rules[0].0 as usize][rules[0].1 as usize].whole = (number, end);
            number = end;
        }
        let filed = filed.into_iter().zip(&self.space.fields).filter(|(filed, _)| !filed.is_empty());
        filed.map(|(filed, &field)| Anchor { field, filed }).collect()
    }
}

/// The first bit that decides whether an instance is enabled.
fn first_bit(touch: &super::instance::Touch) -> (u32, u32) {
    (touch.word, touch.mask.trailing_zeros())
}
