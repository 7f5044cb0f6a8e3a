//! A network as a state space: rules compiled to tests and assignments on words.
//!
//! An *instance* of a rule is a combination of one edge for each participating machine. In packed words it is enabled
//! where `state & mask == value`, and leads to `state & keep | set`. Most instances are tested 64 at a time, by a few
//! table lookups (`groups`). Those of machines with very many are indexed by the local state of the machine and then by
//! decision trees, so that few candidates are tested (`forks`). Rules with too many instances stay unexpanded and are
//! found by the readiness of machines (`unexpanded`). Unreachable local states and rules are removed first (`trim`).
//!
//! Variables have fields like machines. The effect of a command is precomputed as far as possible and becomes part of
//! the instances: fields with allowed values, and fields that are assigned a constant or the value of another field.
//! Any other command is a program ([`crate::data`]) that runs once its instance is enabled.
//!
//! The inhibitors of rules are evaluated once for each state, before the rules are tried (`obstacles`).

mod compile;
mod forks;
mod groups;
mod instance;
mod local_edges;
mod obstacles;
mod readiness;
mod reduced;
#[cfg(test)]
mod tests;
mod trim;
mod unexpanded;

use crate::data::cells::Cells;
use crate::data::program::{Effect, Program};
use crate::interruption::Interruption;
use crate::packed::{Field, lay_out};
use crate::reduction::Reduction;
use crate::space::{Costs, FAILURE, Judgment, Node, Space, Step, Steps};
use crate::translation::Layout;
use crate::width::{MAX_WORDS, NotCompiled, TooWide};
use compile::Sizes;
use forks::Forks;
use groups::Groups;
use instance::{Command, Instances};
use lts::Label;
use model::network::{Action, Configuration, LocalState, MachineId, ModeId, Network, NetworkStep, RuleId};
use obstacles::Obstacles;
use progress::{NoProgress, Progress};
use std::cell::RefCell;
use unexpanded::UnexpandedRules;

/// A network with the layout of its packed states.
#[derive(Debug)]
pub struct NetworkSpace<'a> {
    network: &'a Network,
    mode_field: Field,
    fields: Vec<Field>,
    /// The local states of each machine, by the values of its field.
    locals: Vec<Locals>,
    cells: Cells,
    n_words: usize,
    modes: Vec<CompiledMode>,
    reduction: Reduction,
}

/// The potentially reachable local states of a machine; their positions are their values in packed states.
#[derive(Clone, Debug)]
pub(crate) struct Locals {
    states: Vec<u32>,
    /// The value of each local state, if some are unreachable.
    values: Option<Vec<u32>>,
}

/// Marks a local state that is unreachable.
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

    /// The local states in the order of their values.
    pub(crate) fn states(&self) -> &[u32] {
        &self.states
    }

    fn n_values(&self) -> u32 {
        self.states.len() as u32
    }

    fn state(&self, value: u32) -> LocalState {
        LocalState(self.states[value as usize])
    }

    /// The value of a state, if it is potentially reachable.
    pub(crate) fn value(&self, state: LocalState) -> Option<u32> {
        let value = self.values.as_ref().map_or(state.0, |values| values[state.index()]);
        (value != NEVER).then_some(value)
    }
}

/// The compiled rules of one mode.
#[derive(Debug, Default)]
struct CompiledMode {
    /// The grouped instances, followed by the indexed ones.
    instances: Instances,
    groups: Groups,
    forks: Forks,
    unexpanded: UnexpandedRules,
    /// The commands of rules.
    programs: Vec<Program>,
    /// The program of each rule; empty if no rule has one.
    program_of_rule: Vec<u32>,
    obstacles: Obstacles,
}

/// Marks a rule without a program.
const NO_PROGRAM: u32 = u32::MAX;
/// The rule of a failing step.
const FAILED: RuleId = RuleId(u32::MAX);

impl CompiledMode {
    /// The program of the command of a rule.
    fn program(&self, rule: u32) -> Option<&Program> {
        let number = *self.program_of_rule.get(rule as usize)?;
        (number != NO_PROGRAM).then(|| &self.programs[number as usize])
    }
}

thread_local! {
    /// Registers of programs.
    static REGISTERS: RefCell<Vec<i64>> = const { RefCell::new(Vec::new()) };
    /// The bit set of the active inhibitors.
    static PRESENT: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

impl<'a> NetworkSpace<'a> {
    /// Compiles a network that is [valid](Network::validate). `extra` requests further fields in the words, such as the
    /// node of an observer.
    ///
    /// # Errors
    /// If a variable has too many values. The caller checks the number of words.
    pub fn new(network: &'a Network, extra: &[u64]) -> Result<(NetworkSpace<'a>, Vec<Field>), TooWide> {
        match NetworkSpace::within(network, extra, &NoProgress) {
            Ok(compiled) => Ok(compiled),
            Err(NotCompiled::TooWide(why)) => Err(why),
            Err(NotCompiled::Interrupted(_)) => unreachable!("it is never cancelled"),
        }
    }

    /// [`NetworkSpace::new`] with cancellation.
    pub(crate) fn within(
        network: &'a Network,
        extra: &[u64],
        progress: &dyn Progress,
    ) -> Result<(NetworkSpace<'a>, Vec<Field>), NotCompiled> {
        NetworkSpace::with_sizes(network, extra, Sizes::USUAL, progress)
    }

    /// [`NetworkSpace::within`] with other thresholds.
    fn with_sizes(
        network: &'a Network,
        extra: &[u64],
        sizes: Sizes,
        progress: &dyn Progress,
    ) -> Result<(NetworkSpace<'a>, Vec<Field>), NotCompiled> {
        let interruption = Interruption::new(progress);
        let trimmed = trim::trim(network, &interruption)?;
        let (mut cells, n_values_of_cells) = Cells::new(network, &trimmed.rules)?;
        let n_states = network.machines.iter().map(|machine| machine.n_states());
        let locals: Vec<Locals> = n_states.zip(trimmed.locals).map(|(n, states)| Locals::new(n, states)).collect();
        let mut n_values: Vec<u64> = vec![network.modes.len() as u64];
        n_values.extend(locals.iter().map(|locals| u64::from(locals.n_values())));
        n_values.extend(n_values_of_cells);
        n_values.extend(extra);
        let (mut fields, n_words) = lay_out(&n_values);
        let extra_fields = fields.split_off(1 + network.machines.len() + cells.len());
        cells.place(&fields.split_off(1 + network.machines.len()));
        let mode_field = fields.remove(0);
        let mut space = NetworkSpace {
            network,
            mode_field,
            fields,
            locals,
            cells,
            n_words,
            modes: Vec::new(),
            reduction: Reduction::None,
        };
        if n_words <= MAX_WORDS {
            space.modes = compile::compile(&space, &trimmed.rules, sizes, &interruption)?;
        }
        Ok((space, extra_fields))
    }

    /// The space with a reduction.
    pub fn reduced(mut self, reduction: Reduction) -> NetworkSpace<'a> {
        self.reduction = reduction;
        self
    }

    /// The network.
    pub fn network(&self) -> &'a Network {
        self.network
    }

    /// The number of words of a state.
    pub fn n_words(&self) -> usize {
        self.n_words
    }

    /// The layout of a state, with the field of an observer.
    pub(crate) fn layout(&self, observer: Field) -> Layout {
        let (mode, machines) =
            (self.mode_field, self.fields.iter().copied().zip(self.locals.iter().cloned()).collect());
        Layout { mode, machines, observer, n_words: self.n_words }
    }

    /// The packed form of a reachable configuration; extra fields are 0.
    ///
    /// # Panics
    /// When a local state of the configuration is not potentially reachable.
    pub fn pack(&self, configuration: &Configuration, words: &mut [u64]) {
        words.fill(0);
        self.mode_field.set(words, configuration.mode.0);
        for (machine, &local) in configuration.locals.iter().enumerate() {
            self.set_local(words, machine, local);
        }
        self.cells.pack(&configuration.data, words);
    }

    /// The field of the mode.
    pub fn mode_field(&self) -> Field {
        self.mode_field
    }

    /// The field of a machine, and the number of its values.
    pub fn field_of(&self, machine: MachineId) -> (Field, usize) {
        (self.fields[machine.index()], self.locals[machine.index()].states.len())
    }

    /// The value of a local state in its field, if it is potentially reachable.
    pub(crate) fn value_of(&self, machine: MachineId, local: LocalState) -> Option<usize> {
        self.locals[machine.index()].value(local).map(|value| value as usize)
    }

    /// The local state for a value of its field.
    pub fn local_of(&self, machine: MachineId, value: usize) -> LocalState {
        self.locals[machine.index()].state(value as u32)
    }

    fn set_local(&self, words: &mut [u64], machine: usize, local: LocalState) {
        let value = self.locals[machine].value(local);
        self.fields[machine].set(words, value.expect("what is reached is among what may be reached"));
    }

    fn local(&self, words: &[u64], machine: usize) -> LocalState {
        self.locals[machine].state(self.fields[machine].get(words))
    }

    /// The configuration of packed words.
    pub fn unpack(&self, words: &[u64]) -> Configuration {
        Configuration {
            mode: ModeId(self.mode_field.get(words)),
            locals: (0..self.fields.len()).map(|machine| self.local(words, machine)).collect(),
            data: self.cells.unpack(words),
        }
    }

    /// Appends the steps of the network from the configuration in `state`; other fields are copied. If a step fails,
    /// the judgment is [`FAILURE`].
    #[inline]
    pub fn successors<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) -> Judgment {
        if let Some(order) = self.reduction.order()
            && self.take_few(order, state, steps)
        {
            return Judgment::Fine;
        }
        let first = steps.len();
        let judgment = self.all_steps(state, steps);
        if let Some(symmetry) = self.reduction.symmetry() {
            steps[first..].iter_mut().for_each(|step| self.represent(symmetry, &mut step.target, None));
        }
        judgment
    }

    /// All steps that priority allows.
    #[inline]
    fn all_steps<const W: usize>(&self, state: &[u64; W], steps: &mut Steps<W>) -> Judgment {
        let first = steps.len();
        let mode = &self.modes[self.mode_field.get(state) as usize];
        let may_have_failed = match mode.obstacles.is_empty() {
            true => self.possible_steps(mode, state, steps, |_| false),
            false => PRESENT.with_borrow_mut(|present| {
                mode.obstacles.find(self, &mut { *state }, present);
                self.possible_steps(mode, state, steps, |rule| mode.obstacles.obstruct(rule, present))
            }),
        };
        // Priority applies to failing steps like to all others.
        if let Some(priority) = &self.network.priority {
            priority.retain(steps, first, |step| step.label, &mut Vec::new());
        }
        if may_have_failed { remove_failed(steps, first) } else { Judgment::Fine }
    }

    /// The steps of the rules that are not inhibited, before priority; returns whether some of them fail.
    #[inline]
    fn possible_steps<const W: usize>(
        &self,
        mode: &CompiledMode,
        state: &[u64; W],
        steps: &mut Steps<W>,
        is_obstructed: impl Fn(u32) -> bool,
    ) -> bool {
        let mut has_failed = false;
        mode.groups.for_each_enabled(state, |number| {
            has_failed |= !is_obstructed(mode.instances.rule(number)) && self.take(mode, number, state, steps);
        });
        if !mode.forks.is_empty() {
            mode.forks.for_each_candidate(state, |number| {
                let is_possible =
                    mode.instances.is_enabled(number, state) && !is_obstructed(mode.instances.rule(number));
                has_failed |= is_possible && self.take(mode, number, state, steps);
            });
        }
        has_failed |= !mode.unexpanded.is_empty() && self.unexpanded_steps(mode, state, steps, is_obstructed);
        has_failed
    }

    /// Takes an instance that passed its tests; returns whether the step fails.
    #[inline(always)]
    fn take<const W: usize>(&self, mode: &CompiledMode, number: usize, state: &[u64; W], steps: &mut Steps<W>) -> bool {
        match mode.instances.command(number) {
            Command::None => {
                steps.push(mode.instances.take(number, state));
                false
            }
            Command::Move(start, end) => {
                steps.push(mode.instances.take_and_move(number, (start, end), state));
                false
            }
            command => self.take_with_command(mode, mode.instances.take(number, state), command, steps),
        }
    }

    /// Takes an instance with a command; returns whether the step fails.
    #[inline(never)]
    fn take_with_command<const W: usize>(
        &self,
        mode: &CompiledMode,
        mut step: Step<W>,
        command: Command,
        steps: &mut Steps<W>,
    ) -> bool {
        let effect = match command {
            Command::None | Command::Move(..) => Effect::Done,
            Command::Fail => Effect::Failed,
            Command::Run(number) => self.run(&mode.programs[number as usize], &mut step.target),
        };
        match effect {
            Effect::Done => steps.push(step),
            Effect::Refused => {}
            Effect::Failed => steps.push(Step { rule: FAILED, ..step }),
        }
        effect == Effect::Failed
    }

    /// Executes a program on a state.
    fn run(&self, program: &Program, words: &mut [u64]) -> Effect {
        REGISTERS.with_borrow_mut(|registers| program.run(&self.cells, words, registers))
    }

    /// The effect of the command of a rule, without regard to its participants; the state is changed.
    fn execute(&self, rule: u32, state: &mut [u64]) -> Effect {
        match self.modes[self.mode_field.get(state) as usize].program(rule) {
            Some(program) => self.run(program, state),
            None => Effect::Done,
        }
    }

    /// Whether a machine is ready for an action.
    fn is_ready(&self, machine: MachineId, action: Action, state: &[u64]) -> bool {
        !self.network.machines[machine.index()].edges_by(self.local(state, machine.index()), action).is_empty()
    }

    /// The step of a state with this label and target, with its rule.
    pub(crate) fn step_between<const W: usize>(
        &self,
        source: &[u64; W],
        label: Label,
        target: &[u64; W],
    ) -> Option<NetworkStep> {
        let mut steps = Steps::new();
        _ = self.successors(source, &mut steps);
        let step = steps.iter().find(|step| step.label == label && step.target == *target)?;
        Some(NetworkStep { rule: step.rule, label, target: self.unpack(target) })
    }
}

/// Removes failing steps that have not been removed by priority; returns whether there are any.
#[cold]
fn remove_failed<const W: usize>(steps: &mut Steps<W>, first: usize) -> Judgment {
    let mut kept = first;
    for place in first..steps.len() {
        if steps[place].rule != FAILED {
            steps.swap(kept, place);
            kept += 1;
        }
    }
    let has_failed = kept < steps.len();
    steps.truncate(kept);
    if has_failed { Judgment::Found(FAILURE) } else { Judgment::Fine }
}

impl<const W: usize> Space<W> for NetworkSpace<'_> {
    type Cell = ();
    type Buffers = ();

    fn initial(&self) -> [u64; W] {
        let mut words = [0; W];
        self.pack(&self.network.initial, &mut words);
        words
    }

    fn expand(&self, Node { state, .. }: Node<'_, W>, (): &mut (), steps: &mut Steps<W>) -> Judgment {
        self.successors(state, steps)
    }

    fn costs(&self) -> Costs {
        let n_rules = self.network.modes.iter().map(|mode| mode.rules.len()).max().unwrap_or(0) as u64;
        let Costs { state, step } = Costs::default();
        // The choice of a stubborn set tests each rule several times.
        let per_rule = if self.reduction.order().is_some() { 8 } else { 1 };
        let representing = self.reduction.symmetry().map_or(0, |symmetry| symmetry.cost());
        Costs { state: state + per_rule * n_rules / 8, step: step + W as u64 + representing }
    }
}
