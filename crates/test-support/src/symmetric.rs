//! Random networks of symmetric processes.

use crate::mutate::Random;
use crate::networks::random_machine;
use lts::Label;
use model::network::*;
use std::sync::Arc;

/// Network with the orbits of its labels.
#[derive(Clone, Debug)]
pub struct Colored {
    /// The network.
    pub network: Network,
    /// Color of each label.
    pub colors: Vec<u32>,
}

impl Colored {
    /// Color of a label.
    pub fn color(&self, label: Label) -> u32 {
        self.colors[label.index()]
    }
}

/// Synchronization of an action of each process.
#[derive(Clone, Copy)]
enum Use {
    Alone,
    AllTogether,
    WithTheNext,
    /// With an action of the shared machine that is the same for all.
    WithShared,
    /// With an action of the shared machine for each process.
    WithLock,
    /// With the process's own partner.
    WithPartner,
    /// Leads to another mode, in which the process restarts.
    Jumping,
}

/// Lock with an acquire and a release action for each process.
fn lock(n: u32) -> Machine {
    let free = (0..n).map(|i| Edge { action: Action(i), target: LocalState(1 + i) }).collect();
    let held = (0..n).map(|i| vec![Edge { action: Action(n + i), target: LocalState(0) }]);
    Machine::new(std::iter::once(free).chain(held))
}

/// Number of actions common to all processes; the actions of each process follow.
const COMMON: u32 = 8;

fn color_of(label: u32) -> u32 {
    if label < COMMON { label } else { COMMON + label % COMMON }
}

/// Random network of two to four symmetric processes, with or without partners and a shared machine, interleaved,
/// synchronized or in a ring.
pub fn symmetric_network(random: &mut Random) -> Colored {
    let n = 2 + random.below(3) as u32;
    let process = Arc::new(random_machine(random));
    let mut machines = vec![process; n as usize];
    let (shared, uses): (Option<Machine>, &[Use]) = match random.below(3) {
        0 => (None, &[]),
        1 => (Some(random_machine(random)), &[Use::WithShared]),
        _ => (Some(lock(n)), &[Use::WithLock]),
    };
    machines.extend(shared.map(Arc::new));
    let mut uses = uses.to_vec();
    let n_others = machines.len() as u32;
    if random.below(3) == 0 {
        let partner = Arc::new(random_machine(random));
        machines.resize(machines.len() + n as usize, partner);
        uses.push(Use::WithPartner);
    }
    uses.extend([Use::Alone, Use::AllTogether, Use::WithTheNext, Use::Jumping]);
    let n_modes = 1 + random.below(2) as u32;
    let obstacles = if random.below(3) == 0 { symmetric_obstacles(random, [n, n_others], &uses) } else { Vec::new() };
    let n_obstacles = obstacles.len();
    let modes = (0..n_modes).map(|_| symmetric_mode(random, [n, n_others, n_modes], &uses, n_obstacles)).collect();
    let mut locals = vec![LocalState(random.below(machines[0].n_states()) as u32); n as usize];
    locals.resize(machines.len(), LocalState(0));
    let colors: Vec<u32> = (0..COMMON * (n + 1)).map(color_of).collect();
    let priority = (random.below(4) == 0).then(|| priority_by_color(random, &colors));
    let initial = Configuration { mode: ModeId(0), locals, ..Configuration::default() };
    Colored { network: Network { machines, modes, initial, priority, obstacles, ..Network::default() }, colors }
}

/// An inhibitor for each process, and one for all of them, which they may disable in part.
fn symmetric_obstacles(random: &mut Random, [n, first_partner]: [u32; 2], uses: &[Use]) -> Vec<Inhibitor> {
    let mut way = |unless: &dyn Fn(u32) -> Box<[InhibitorId]>| {
        let [action, partner] = [(); 2].map(|()| Action(random.below(3) as u32));
        let how = *random.pick(uses);
        let taking = |i: u32| Taking { n, i, first_partner, action, partner };
        (0..n).map(|i| Way { parts: taking(i).parts(how), condition: None, unless: unless(i) }).collect::<Vec<_>>()
    };
    let (ways, others) = (way(&|_| [].into()), way(&|_| [].into()));
    let of_all = way(&|i| [InhibitorId(i)].into());
    let own = ways.into_iter().zip(others).map(|(one, other)| Inhibitor { ways: vec![one, other] });
    own.chain([Inhibitor { ways: of_all }]).collect()
}

/// Rules for `n` processes, with partners from a number on, that lead to several modes.
fn symmetric_mode(
    random: &mut Random,
    [n, first_partner, n_modes]: [u32; 3],
    uses: &[Use],
    n_obstacles: usize,
) -> Mode {
    let mut mode = Mode::default();
    for action in 0..3 {
        for _ in 0..1 + random.below(2) {
            let partner = Action(random.below(3) as u32);
            let next = ModeId(random.below(n_modes as usize) as u32);
            let taking = |i: u32| Taking { n, i, first_partner, action: Action(action), partner };
            let (how, label, is_own) = (*random.pick(uses), random.below(5) as u32, random.below(2) == 0);
            let closing = if n_obstacles == 0 { 0 } else { random.below(3) };
            for i in 0..n {
                let unless = [None, Some(InhibitorId(i)), Some(InhibitorId(n))][closing];
                let show = Label(if is_own { COMMON * (1 + i) + label } else { label });
                let resets = [(MachineId(i), LocalState(0))].into();
                let jump = matches!(how, Use::Jumping).then_some(Jump { mode: next, resets });
                let rule = Rule::new(taking(i).parts(how), show);
                mode.rules.push(Rule { jump, unless: unless.into_iter().collect(), ..rule });
            }
        }
    }
    mode
}

/// Action of process `i` of `n`.
struct Taking {
    n: u32,
    i: u32,
    first_partner: u32,
    action: Action,
    /// Action of the other machine.
    partner: Action,
}

impl Taking {
    fn parts(&self, how: Use) -> Box<[(MachineId, Action)]> {
        let &Taking { n, i, first_partner, action, partner } = self;
        let own = (MachineId(i), action);
        match how {
            Use::Alone | Use::Jumping => [own].into(),
            Use::AllTogether => (0..n).map(|i| (MachineId(i), action)).collect(),
            Use::WithTheNext => [own, (MachineId((i + 1) % n), partner)].into(),
            Use::WithShared => [own, (MachineId(n), partner)].into(),
            Use::WithLock => [own, (MachineId(n), Action(i + if partner.0 == 0 { 0 } else { n }))].into(),
            Use::WithPartner => [own, (MachineId(first_partner + i), partner)].into(),
        }
    }
}

/// Priority with one class for the labels of a color.
fn priority_by_color(random: &mut Random, colors: &[u32]) -> Priority {
    let mut priority = Priority::default();
    let classes: Vec<usize> = (0..2 * COMMON).map(|_| random.below(4)).collect();
    for (label, &color) in (0..).zip(colors) {
        if let class @ 0..3 = classes[color as usize] {
            priority.set_class(Label(label), class as u32);
        }
    }
    (1..3).for_each(|class| priority.add_yield(class, class - 1));
    priority
}

/// Isomorphic network: machines, states and actions are renumbered, and no two machines share memory.
pub fn disguise(random: &mut Random, network: &Network) -> Network {
    let places = shuffled(random, network.machines.len());
    let mut masks = Vec::new();
    for machine in &network.machines {
        let actions = machine.states().flat_map(|state| machine.edges(state)).map(|edge| edge.action.index());
        let n_actions = actions.chain(network.named_actions().map(|part| part.1.index())).max();
        masks.push((shuffled(random, machine.n_states()), shuffled(random, n_actions.map_or(0, |last| last + 1))));
    }
    let state = |machine: usize, state: LocalState| LocalState(masks[machine].0[state.index()]);
    let action = |machine: usize, action: Action| Action(masks[machine].1[action.index()]);
    let place = |machine: MachineId| MachineId(places[machine.index()]);
    let mut disguised = network.clone();
    for (number, machine) in network.machines.iter().enumerate() {
        let mut states = vec![Vec::new(); machine.n_states()];
        for source in machine.states() {
            let edge = |edge: &Edge| Edge { action: action(number, edge.action), target: state(number, edge.target) };
            states[state(number, source).index()] = machine.edges(source).iter().map(edge).collect();
        }
        disguised.machines[places[number] as usize] = Arc::new(Machine::new(states));
        disguised.initial.locals[places[number] as usize] = state(number, network.initial.locals[number]);
    }
    for way in disguised.obstacles.iter_mut().flat_map(|obstacle| &mut obstacle.ways) {
        way.parts.iter_mut().for_each(|part| *part = (place(part.0), action(part.0.index(), part.1)));
    }
    for rule in disguised.modes.iter_mut().flat_map(|mode| &mut mode.rules) {
        rule.parts.iter_mut().for_each(|part| *part = (place(part.0), action(part.0.index(), part.1)));
        if let Some(jump) = &mut rule.jump {
            jump.resets.iter_mut().for_each(|reset| *reset = (place(reset.0), state(reset.0.index(), reset.1)));
        }
    }
    disguised
}

fn shuffled(random: &mut Random, n: usize) -> Vec<u32> {
    let mut numbers: Vec<u32> = (0..n as u32).collect();
    for end in (1..n).rev() {
        numbers.swap(end, random.below(end + 1));
    }
    numbers
}
