//! A network as a state space: rules compiled to tests and assignments on words.
//!
//! An *instance* of a rule is one way to take it: one edge for each machine that takes part. In packed words it is
//! enabled where `state & mask == value`, and leads to `state & keep | set`. Each instance is filed under the local state
//! of one participant, its anchor, so that only instances of machines that could take part are tested. Rules with too
//! many instances are kept as they are and tried participant by participant.

use crate::packed::{Field, lay_out};
use crate::space::{Space, Step, Steps, Verdict};
use lts::Label;
use model::network::{Action, Configuration, Edge, LocalState, MachineId, ModeId, Network, Rule};

/// A rule is kept whole when it has more instances than this for one of its anchors' states.
const MAX_INSTANCES: usize = 64;

/// A network with a layout for its states.
#[derive(Debug)]
pub struct NetworkSpace<'a> {
    network: &'a Network,
    mode_field: Field,
    fields: Vec<Field>,
    n_words: usize,
    modes: Vec<CompiledMode>,
}

#[derive(Debug, Default)]
struct CompiledMode {
    /// Anchors with something filed under them.
    anchors: Vec<Anchor>,
    instances: Vec<Instance>,
    /// What instances touch beyond their first word.
    touches: Vec<Touch>,
    /// Rules that are not expanded, by number.
    whole: Vec<u32>,
}

/// A machine, and what is filed under each of its states.
#[derive(Debug)]
struct Anchor {
    field: Field,
    /// Ranges in the mode's instances.
    instances: Vec<(u32, u32)>,
    /// Ranges in the mode's whole rules.
    whole: Vec<(u32, u32)>,
}

/// A test and an assignment on one word.
#[derive(Clone, Copy, Debug, Default)]
struct Touch {
    word: u32,
    mask: u64,
    value: u64,
    keep: u64,
    set: u64,
}

#[derive(Clone, Copy, Debug)]
struct Instance {
    first: Touch,
    /// Range of further touches.
    more: (u32, u32),
    label: Label,
}

impl<'a> NetworkSpace<'a> {
    /// Compiles a network. `extra` asks for further fields in the words, for what is explored beside it.
    pub fn new(network: &'a Network, extra: &[u64]) -> (NetworkSpace<'a>, Vec<Field>) {
        let mut n_values: Vec<u64> = vec![network.modes.len() as u64];
        n_values.extend(network.machines.iter().map(|machine| machine.n_states() as u64));
        n_values.extend(extra);
        let (mut fields, n_words) = lay_out(&n_values);
        let extra_fields = fields.split_off(1 + network.machines.len());
        let mode_field = fields.remove(0);
        let mut space = NetworkSpace { network, mode_field, fields, n_words, modes: Vec::new() };
        space.modes = (0..network.modes.len() as u32).map(|mode| space.compile(ModeId(mode))).collect();
        (space, extra_fields)
    }

    /// How many words a state takes.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The packed form of a configuration; extra fields are 0.
    pub fn pack(&self, configuration: &Configuration, words: &mut [u64]) {
        words.fill(0);
        self.mode_field.set(words, configuration.mode.0);
        for (field, local) in self.fields.iter().zip(&configuration.locals) {
            field.set(words, local.0);
        }
    }

    /// The configuration in packed words.
    pub fn unpack(&self, words: &[u64]) -> Configuration {
        Configuration {
            mode: ModeId(self.mode_field.get(words)),
            locals: self.fields.iter().map(|field| LocalState(field.get(words))).collect(),
        }
    }

    fn compile(&self, mode: ModeId) -> CompiledMode {
        let rules = &self.network.modes[mode.index()].rules;
        // Everything to be filed: machine, its state, and either an instance or a whole rule.
        let mut instances: Vec<(MachineId, u32, Instance)> = Vec::new();
        let mut whole: Vec<(MachineId, u32, u32)> = Vec::new();
        let mut compiled = CompiledMode::default();
        for (number, rule) in rules.iter().enumerate() {
            let anchor = self.anchor_of(rule);
            let (machine, action) = rule.parts[anchor];
            for state in self.network.machines[machine.index()].states() {
                if self.edges(machine, state, action).is_empty() {
                    continue;
                }
                if self.n_instances(rule, anchor, state) > MAX_INSTANCES {
                    whole.push((machine, state.0, number as u32));
                    continue;
                }
                self.instantiate(mode, rule, anchor, state, &mut compiled.touches, |instance| {
                    instances.push((machine, state.0, instance));
                });
            }
        }
        // Stable, so that the order of rules is kept.
        instances.sort_by_key(|&(machine, state, _)| (machine, state));
        whole.sort_by_key(|&(machine, state, _)| (machine, state));
        self.file(compiled, &instances, &whole)
    }

    fn file(
        &self,
        mut compiled: CompiledMode,
        instances: &[(MachineId, u32, Instance)],
        whole: &[(MachineId, u32, u32)],
    ) -> CompiledMode {
        for (number, machine) in self.network.machines.iter().enumerate() {
            let id = MachineId(number as u32);
            let filed = ranges(instances, id, machine.n_states());
            let filed_whole = ranges(whole, id, machine.n_states());
            if filed.iter().chain(&filed_whole).any(|(start, end)| start < end) {
                compiled.anchors.push(Anchor { field: self.fields[number], instances: filed, whole: filed_whole });
            }
        }
        compiled.instances = instances.iter().map(|&(_, _, instance)| instance).collect();
        compiled.whole = whole.iter().map(|&(_, _, rule)| rule).collect();
        compiled
    }

    fn edges(&self, machine: MachineId, state: LocalState, action: Action) -> &'a [Edge] {
        self.network.machines[machine.index()].edges_by(state, action)
    }

    /// The participant that can take part in the smallest share of its states, so that its instances are looked at least.
    fn anchor_of(&self, rule: &Rule) -> usize {
        let share = |&(machine, action): &(MachineId, Action)| {
            let all = &self.network.machines[machine.index()];
            let able = all.states().filter(|&state| !all.edges_by(state, action).is_empty()).count();
            able as f64 / all.n_states().max(1) as f64
        };
        let shares: Vec<f64> = rule.parts.iter().map(share).collect();
        (0..shares.len()).min_by(|&a, &b| shares[a].total_cmp(&shares[b])).unwrap_or(0)
    }

    fn n_instances(&self, rule: &Rule, anchor: usize, state: LocalState) -> usize {
        let mut n: usize = 1;
        for (i, &(machine, action)) in rule.parts.iter().enumerate() {
            let all = &self.network.machines[machine.index()];
            let edges = if i == anchor {
                all.edges_by(state, action).len()
            } else {
                all.states().map(|state| all.edges_by(state, action).len()).sum()
            };
            n = n.saturating_mul(edges);
        }
        n
    }

    /// Every way to take `rule` with its anchor in `state`.
    fn instantiate(
        &self,
        mode: ModeId,
        rule: &Rule,
        anchor: usize,
        state: LocalState,
        touches: &mut Vec<Touch>,
        mut emit: impl FnMut(Instance),
    ) {
        // For each participant, the choices of (source, target).
        let choices: Vec<Vec<(LocalState, LocalState)>> = rule
            .parts
            .iter()
            .enumerate()
            .map(|(i, &(machine, action))| {
                let all = &self.network.machines[machine.index()];
                let from = |source: LocalState| all.edges_by(source, action).iter().map(move |e| (source, e.target));
                if i == anchor { from(state).collect() } else { all.states().flat_map(from).collect() }
            })
            .collect();
        if choices.iter().any(Vec::is_empty) {
            return;
        }
        let mut odometer = vec![0; choices.len()];
        loop {
            let taken = odometer.iter().zip(&choices).map(|(&i, choice)| choice[i]);
            emit(self.instance(mode, rule, taken, touches));
            let mut position = odometer.len();
            loop {
                if position == 0 {
                    return;
                }
                position -= 1;
                odometer[position] += 1;
                if odometer[position] < choices[position].len() {
                    break;
                }
                odometer[position] = 0;
            }
        }
    }

    fn instance(
        &self,
        mode: ModeId,
        rule: &Rule,
        taken: impl Iterator<Item = (LocalState, LocalState)>,
        touches: &mut Vec<Touch>,
    ) -> Instance {
        let mut words: Vec<Touch> = Vec::new();
        // The mode is what the instance is filed under; it is tested by nobody, only changed.
        let mut assign = |field: Field, tested: Option<u32>, value: u32| {
            let at = words.iter().position(|touch| touch.word == field.word).unwrap_or_else(|| {
                words.push(Touch { word: field.word, keep: u64::MAX, ..Touch::default() });
                words.len() - 1
            });
            let touch = &mut words[at];
            if let Some(tested) = tested {
                touch.mask |= field.mask();
                touch.value |= field.place(tested);
            }
            touch.keep &= !field.mask();
            touch.set = touch.set & !field.mask() | field.place(value);
        };
        for (&(machine, _), (source, target)) in rule.parts.iter().zip(taken) {
            assign(self.fields[machine.index()], Some(source.0), target.0);
        }
        if let Some(jump) = &rule.jump {
            if jump.mode != mode {
                assign(self.mode_field, None, jump.mode.0);
            }
            for &(machine, local) in &jump.resets {
                assign(self.fields[machine.index()], None, local.0);
            }
        }
        let first = words[0];
        let start = touches.len() as u32;
        touches.extend(&words[1..]);
        Instance { first, more: (start, touches.len() as u32), label: rule.shows }
    }

    /// Appends the steps of the network from the configuration in `state`; other fields stay as they are.
    #[inline]
    pub fn successors<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) {
        let first = steps.len();
        self.possible_steps(state, steps);
        if let Some(priority) = &self.network.priority {
            priority.retain(steps, first, |step| step.label, &mut Vec::new());
        }
    }

    /// The same, without regard to priority.
    fn possible_steps<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) {
        let mode = &self.modes[self.mode_field.get(state) as usize];
        for anchor in &mode.anchors {
            let local = anchor.field.get(state) as usize;
            let (start, end) = anchor.instances[local];
            for instance in &mode.instances[start as usize..end as usize] {
                mode.take(instance, state, steps);
            }
            let (start, end) = anchor.whole[local];
            for &rule in &mode.whole[start as usize..end as usize] {
                self.try_whole(rule, state, steps);
            }
        }
    }

    /// Takes a rule that is not expanded, in every way.
    #[cold]
    fn try_whole<const W: usize>(&self, rule: u32, state: &[u64; W], steps: &mut Steps<W>) {
        let mode = ModeId(self.mode_field.get(state));
        let rule = &self.network.modes[mode.index()].rules[rule as usize];
        let first = steps.len();
        steps.push(Step { target: *state, label: rule.shows });
        for &(machine, action) in &rule.parts {
            let field = self.fields[machine.index()];
            let edges = self.edges(machine, LocalState(field.get(state)), action);
            let so_far = first..steps.len();
            let Some((last, others)) = edges.split_last() else {
                steps.truncate(first);
                return;
            };
            for edge in others {
                for i in so_far.clone() {
                    let mut step = steps[i];
                    field.set(&mut step.target, edge.target.0);
                    steps.push(step);
                }
            }
            for i in so_far {
                field.set(&mut steps[i].target, last.target.0);
            }
        }
        if let Some(jump) = &rule.jump {
            for step in &mut steps[first..] {
                self.mode_field.set(&mut step.target, jump.mode.0);
                for &(machine, local) in &jump.resets {
                    self.fields[machine.index()].set(&mut step.target, local.0);
                }
            }
        }
    }
}

/// Where the items of each state of a machine lie, in a list sorted by machine and state.
fn ranges<T>(items: &[(MachineId, u32, T)], machine: MachineId, n_states: usize) -> Vec<(u32, u32)> {
    let key = |item: &(MachineId, u32, T)| (item.0, item.1);
    let mut end = items.partition_point(|item| item.0 < machine);
    (0..n_states as u32)
        .map(|state| {
            let start = end;
            end += items[start..].partition_point(|item| key(item) <= (machine, state));
            (start as u32, end as u32)
        })
        .collect()
}

impl CompiledMode {
    #[inline]
    fn take<const W: usize>(&self, instance: &Instance, state: &[u64; W], steps: &mut Steps<W>) {
        let first = &instance.first;
        let word = state[first.word as usize];
        if word & first.mask != first.value {
            return;
        }
        let (start, end) = instance.more;
        let more = &self.touches[start as usize..end as usize];
        if more.iter().any(|touch| state[touch.word as usize] & touch.mask != touch.value) {
            return;
        }
        let mut target = *state;
        target[first.word as usize] = word & first.keep | first.set;
        for touch in more {
            target[touch.word as usize] = target[touch.word as usize] & touch.keep | touch.set;
        }
        steps.push(Step { target, label: instance.label });
    }
}

impl<const W: usize> Space<W> for NetworkSpace<'_> {
    fn initial(&self) -> [u64; W] {
        let mut words = [0; W];
        self.pack(&self.network.initial, &mut words);
        words
    }

    fn expand(&self, state: &[u64; W], steps: &mut Steps<W>) -> Verdict {
        self.successors(state, steps);
        Verdict::Fine
    }
}
