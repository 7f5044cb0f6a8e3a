//! A network as a state space: rules compiled to tests and assignments on words.
//!
//! An *instance* of a rule is one way to take it: one edge for each machine that takes part. In packed words it is
//! enabled where `state & mask == value`, and leads to `state & keep | set`. Most instances are tested 64 at a time, by a
//! few looks into tables (`groups`). Those of machines that have very many are filed under the machine's local states,
//! so that only what its state allows is tested. Rules with too many instances are kept as they are, filed under the
//! local states of one participant, and tried participant by participant. Local states and rules that can never be
//! reached are left out of all this (`trim`).

mod compile;
mod groups;
mod instance;
mod reduced;
mod trim;
mod ways;

use crate::packed::{Field, lay_out};
use crate::reduction::Reduction;
use crate::space::{Space, Step, Steps, Verdict};
use groups::Groups;
use instance::Instances;
use model::network::{Configuration, LocalState, ModeId, Network};

/// A network with a layout for its states.
#[derive(Debug)]
pub struct NetworkSpace<'a> {
    network: &'a Network,
    mode_field: Field,
    fields: Vec<Field>,
    /// What the values of the fields stand for.
    locals: Vec<Locals>,
    n_words: usize,
    modes: Vec<CompiledMode>,
    reduction: Reduction,
}

/// The local states of a machine that may be reached; their values in packed states are their places here.
#[derive(Debug)]
struct Locals {
    states: Vec<u32>,
    /// The value of each local state, if not all are reached.
    values: Option<Vec<u32>>,
}

/// In place of the value of a state that is never reached.
const NEVER: u32 = u32::MAX;

impl Locals {
    fn new(n_states: usize, states: Vec<u32>) -> Locals {
        let values = (states.len() < n_states).then(|| {
            let mut values = vec![NEVER; n_states];
            (0..).zip(&states).for_each(|(value, &state)| values[state as usize] = value);
            values
        });
        Locals { states, values }
    }

    fn n_values(&self) -> u32 {
        self.states.len() as u32
    }

    fn state(&self, value: u32) -> LocalState {
        LocalState(self.states[value as usize])
    }

    /// The value of a state, if it may be reached.
    fn value(&self, state: LocalState) -> Option<u32> {
        let value = self.values.as_ref().map_or(state.0, |values| values[state.index()]);
        (value != NEVER).then_some(value)
    }
}

/// The rules of one mode.
#[derive(Debug, Default)]
struct CompiledMode {
    /// Those in groups first, then those under anchors.
    instances: Instances,
    groups: Groups,
    anchors: Vec<Anchor>,
    /// Rules that are not expanded, by number.
    whole: Vec<u32>,
}

/// A machine, and what is filed under each of its states.
#[derive(Debug)]
struct Anchor {
    field: Field,
    /// For each state, ranges of the mode's instances and whole rules.
    filed: Vec<Filed>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Filed {
    instances: (u32, u32),
    whole: (u32, u32),
}

impl<'a> NetworkSpace<'a> {
    /// Compiles a network. `extra` asks for further fields in the words, for what is explored beside it.
    pub fn new(network: &'a Network, extra: &[u64]) -> (NetworkSpace<'a>, Vec<Field>) {
        let trimmed = trim::trim(network);
        let n_states = network.machines.iter().map(|machine| machine.n_states());
        let locals: Vec<Locals> = n_states.zip(trimmed.locals).map(|(n, states)| Locals::new(n, states)).collect();
        let mut n_values: Vec<u64> = vec![network.modes.len() as u64];
        n_values.extend(locals.iter().map(|locals| u64::from(locals.n_values())));
        n_values.extend(extra);
        let (mut fields, n_words) = lay_out(&n_values);
        let extra_fields = fields.split_off(1 + network.machines.len());
        let mode_field = fields.remove(0);
        let mut space = NetworkSpace {
            network,
            mode_field,
            fields,
            locals,
            n_words,
            modes: Vec::new(),
            reduction: Reduction::None,
        };
        space.modes = compile::compile(&space, &trimmed.rules);
        (space, extra_fields)
    }

    /// The same network with fewer steps or states.
    pub fn reduced(mut self, reduction: Reduction) -> NetworkSpace<'a> {
        self.reduction = reduction;
        self
    }

    /// How many words a state takes.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The packed form of a configuration that is reachable; extra fields are 0.
    ///
    /// # Panics
    /// When the configuration is not reachable, perhaps.
    pub fn pack(&self, configuration: &Configuration, words: &mut [u64]) {
        words.fill(0);
        self.mode_field.set(words, configuration.mode.0);
        for (machine, &local) in configuration.locals.iter().enumerate() {
            self.set_local(words, machine, local);
        }
    }

    fn set_local(&self, words: &mut [u64], machine: usize, local: LocalState) {
        let value = self.locals[machine].value(local);
        self.fields[machine].set(words, value.expect("what is reached is among what may be reached"));
    }

    fn local(&self, words: &[u64], machine: usize) -> LocalState {
        self.locals[machine].state(self.fields[machine].get(words))
    }

    /// The configuration in packed words.
    pub fn unpack(&self, words: &[u64]) -> Configuration {
        Configuration {
            mode: ModeId(self.mode_field.get(words)),
            locals: (0..self.fields.len()).map(|machine| self.local(words, machine)).collect(),
            ..Configuration::default()
        }
    }

    /// Appends the steps of the network from the configuration in `state`; other fields stay as they are.
    #[inline]
    pub fn successors<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) {
        if let Reduction::PartialOrder(order) = &self.reduction
            && self.take_few(order, state, steps)
        {
            return;
        }
        let first = steps.len();
        self.all_steps(state, steps);
        if let Reduction::Symmetry(symmetry) = &self.reduction {
            steps[first..].iter_mut().for_each(|step| self.represent(symmetry, &mut step.target));
        }
    }

    /// All steps that priority allows.
    #[inline]
    fn all_steps<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) {
        let first = steps.len();
        self.possible_steps(state, steps);
        if let Some(priority) = &self.network.priority {
            priority.retain(steps, first, |step| step.label, &mut Vec::new());
        }
    }

    /// The same, without regard to priority.
    #[inline]
    fn possible_steps<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) {
        let mode = &self.modes[self.mode_field.get(state) as usize];
        mode.groups.for_each_enabled(state, |number| steps.push(mode.instances.take(number, state)));
        for anchor in &mode.anchors {
            let filed = anchor.filed[anchor.field.get(state) as usize];
            for number in filed.instances.0..filed.instances.1 {
                if mode.instances.is_enabled(number as usize, state) {
                    steps.push(mode.instances.take(number as usize, state));
                }
            }
            for &rule in &mode.whole[filed.whole.0 as usize..filed.whole.1 as usize] {
                self.try_whole(rule, state, steps);
            }
        }
    }

    /// Takes a rule that is not expanded, in every way.
    #[inline(never)]
    fn try_whole<const W: usize>(&self, rule: u32, state: &[u64; W], steps: &mut Steps<W>) {
        let mode = ModeId(self.mode_field.get(state));
        let rule = &self.network.modes[mode.index()].rules[rule as usize];
        let first = steps.len();
        steps.push(Step { target: *state, label: rule.shows });
        for &(machine, action) in &rule.parts {
            let machine = machine.index();
            let edges = self.network.machines[machine].edges_by(self.local(state, machine), action);
            let so_far = first..steps.len();
            let Some((last, others)) = edges.split_last() else {
                steps.truncate(first);
                return;
            };
            for edge in others {
                for i in so_far.clone() {
                    let mut step = steps[i];
                    self.set_local(&mut step.target, machine, edge.target);
                    steps.push(step);
                }
            }
            for i in so_far {
                self.set_local(&mut steps[i].target, machine, last.target);
            }
        }
        if let Some(jump) = &rule.jump {
            for step in &mut steps[first..] {
                self.mode_field.set(&mut step.target, jump.mode.0);
                for &(machine, local) in &jump.resets {
                    self.set_local(&mut step.target, machine.index(), local);
                }
            }
        }
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
