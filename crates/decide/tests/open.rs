//! A search that goes on while machines grow says what a search of the whole network says.
//!
//! The twin is the whole network. It is shown piece by piece: a local state that nobody has asked for has one step,
//! which goes wrong. Each network that is shown means the same as far as it is shown; mostly it continues the one
//! before, and at times everything in it has another number, so that whoever goes on in it with what was met before is
//! wrong. `TEST_SEED` sets the seed.

use crate::support;

use decide::{Claim, LazyAnswer, LazyNetwork, Method, Reduce, Specification, Verdict, decide, decide_lazily};
use explore::{Limits, Occupied};
use lts::{Builder, Fault, Label, Model, StateId, Watch};
use model::data::Data;
use model::network::*;
use progress::NoProgress;
use std::collections::BTreeSet;
use std::convert::Infallible;
use std::sync::Arc;
use support::{counters, interpret, limits, plain_network, random_spec};
use test_support::mutate::{Random, seed};
use test_support::networks::{random_network, without_priorities};

const OPEN: Action = Action(99);

/// A network of which a part is shown.
struct Shown {
    whole: Network,
    /// The local states of each machine in the order of their numbers.
    order: Vec<Vec<LocalState>>,
    /// Those whose edges are shown.
    known: Vec<BTreeSet<LocalState>>,
    /// Which machine and which mode of the whole has which number.
    machines: Vec<usize>,
    modes: Vec<usize>,
}

impl Shown {
    fn new(whole: Network) -> Shown {
        let n_machines = whole.machines.len();
        let mut order = vec![vec![LocalState(0)]; n_machines];
        let jumps = whole.modes.iter().flat_map(|mode| &mode.rules).filter_map(|rule| rule.jump.as_ref());
        let resets = jumps.flat_map(|jump| jump.resets.iter().copied());
        let initial = (0..).map(MachineId).zip(whole.initial.locals.iter().copied());
        for (machine, local) in initial.chain(resets) {
            if !order[machine.index()].contains(&local) {
                order[machine.index()].push(local);
            }
        }
        let modes = (0..whole.modes.len()).collect();
        let mut shown = Shown { whole, order, known: vec![BTreeSet::new(); n_machines], machines: Vec::new(), modes };
        // The first one is there from the beginning, so that there is a network.
        shown.machines = (0..n_machines).filter(|&id| id == 0 || !shown.is_idle(id)).collect();
        shown
    }

    /// Whether a machine does nothing before a rule puts it elsewhere.
    fn is_idle(&self, machine: usize) -> bool {
        self.whole.machines[machine].edges(self.whole.initial.locals[machine]).is_empty()
    }

    /// Shows idle machines that a rule may put elsewhere now.
    fn show_machines(&mut self) {
        let rules = self.whole.modes.iter().flat_map(|mode| &mode.rules).filter(|rule| self.is_shown(rule));
        let resets = rules.filter_map(|rule| rule.jump.as_ref()).flat_map(|jump| jump.resets.iter());
        let moved: BTreeSet<usize> = resets.map(|(machine, _)| machine.index()).collect();
        let late: Vec<usize> = moved.into_iter().filter(|id| !self.machines.contains(id)).collect();
        for id in late {
            self.known[id].insert(self.whole.initial.locals[id]);
            self.machines.push(id);
        }
    }

    /// Whether all actions of a rule are shown.
    fn is_shown(&self, rule: &Rule) -> bool {
        rule.parts.iter().all(|(machine, action)| {
            let mut states = self.known[machine.index()].iter();
            states.any(|&local| !self.whole.machines[machine.index()].edges_by(local, *action).is_empty())
        })
    }

    /// Shows the edges of a local state.
    fn show(&mut self, machine: usize, local: LocalState) {
        self.known[machine].insert(local);
        for edge in self.whole.machines[machine].edges(local) {
            if !self.order[machine].contains(&edge.target) {
                self.order[machine].push(edge.target);
            }
        }
    }

    /// Gives other numbers to local states, machines or modes.
    fn shuffle(&mut self, random: &mut Random) {
        match random.below(3) {
            0 => self.order.iter_mut().for_each(|order| shuffle(&mut order[1..], random)),
            1 => shuffle(&mut self.machines, random),
            _ => shuffle(&mut self.modes, random),
        }
    }

    fn number(&self, machine: usize, local: LocalState) -> LocalState {
        let place = self.order[machine].iter().position(|other| *other == local);
        LocalState(place.expect("what edges lead to has a number") as u32)
    }

    fn machine_number(&self, machine: usize) -> MachineId {
        MachineId(self.machines.iter().position(|other| *other == machine).expect("all have one") as u32)
    }

    fn mode_number(&self, mode: usize) -> ModeId {
        ModeId(self.modes.iter().position(|other| *other == mode).expect("all have one") as u32)
    }

    fn machine(&self, machine: usize) -> Machine {
        Machine::new((0..).zip(&self.order[machine]).map(|(number, local)| {
            if !self.known[machine].contains(local) {
                return vec![Edge { action: OPEN, target: LocalState(number) }];
            }
            let edges = self.whole.machines[machine].edges(*local).iter();
            edges.map(|edge| Edge { target: self.number(machine, edge.target), ..*edge }).collect()
        }))
    }

    /// A rule in the numbers that are shown, if all its actions are.
    fn rule(&self, rule: &Rule) -> Option<Rule> {
        if !self.is_shown(rule) {
            return None;
        }
        let part = |(machine, action): &(MachineId, Action)| (self.machine_number(machine.index()), *action);
        let reset = |(machine, local): &(MachineId, LocalState)| {
            (self.machine_number(machine.index()), self.number(machine.index(), *local))
        };
        let jump = rule.jump.as_ref().map(|jump| Jump {
            mode: self.mode_number(jump.mode.index()),
            resets: jump.resets.iter().map(reset).collect(),
        });
        Some(Rule { parts: rule.parts.iter().map(part).collect(), jump, ..rule.clone() })
    }

    /// Obstacles by those of their ways that are shown. In configurations without open states no other is free.
    fn obstacles(&self) -> Vec<Inhibitor> {
        let way = |way: &Way| {
            let rule = self.rule(&Rule::new(way.parts.clone(), Label::TAU))?;
            Some(Way { parts: rule.parts, ..way.clone() })
        };
        let obstacle = |obstacle: &Inhibitor| Inhibitor { ways: obstacle.ways.iter().filter_map(way).collect() };
        self.whole.obstacles.iter().map(obstacle).collect()
    }

    fn network(&self) -> LazyNetwork {
        let mut data = Data::default();
        let wrong = data.failing_command();
        let machines: Vec<Arc<Machine>> = self.machines.iter().map(|&id| Arc::new(self.machine(id))).collect();
        let fails =
            |id: u32| Rule { command: Some(Box::new(wrong.clone())), ..Rule::new([(MachineId(id), OPEN)], Label::TAU) };
        let mode = |&mode: &usize| {
            let shown = self.whole.modes[mode].rules.iter().filter_map(|rule| self.rule(rule));
            Mode { rules: shown.chain((0..machines.len() as u32).map(fails)).collect() }
        };
        let Network { initial, priority, .. } = &self.whole;
        let locals = self.machines.iter().map(|&id| self.number(id, initial.locals[id])).collect();
        let mode_now = self.mode_number(initial.mode.index());
        let open = (0..).zip(&self.machines).map(|(number, &id)| {
            let unknown = self.order[id].iter().filter(|local| !self.known[id].contains(*local));
            (MachineId(number), unknown.map(|&local| self.number(id, local)).collect())
        });
        let open = open.filter(|(_, unknown): &(MachineId, Vec<LocalState>)| !unknown.is_empty()).collect();
        let network = Network {
            modes: self.modes.iter().map(mode).collect(),
            initial: Configuration { mode: mode_now, locals, ..Configuration::default() },
            priority: priority.clone(),
            obstacles: self.obstacles(),
            data,
            machines: machines.clone(),
        };
        LazyNetwork { network: network.into(), open }
    }

    /// Shows at least one of the states that were met.
    fn grow(&mut self, occupied: &[Occupied], random: &mut Random) {
        let met: Vec<(usize, LocalState)> = occupied
            .iter()
            .flat_map(|met| met.open.iter().map(|local| (self.machines[met.machine.index()], *local)))
            .map(|(machine, local)| (machine, self.order[machine][local.index()]))
            .collect();
        assert!(!met.is_empty(), "something that was met is open");
        let one = random.below(met.len());
        for (place, (machine, local)) in met.into_iter().enumerate() {
            if place == one || random.below(3) > 0 {
                self.show(machine, local);
            }
        }
        for machine in self.machines.clone() {
            if random.below(8) == 0 {
                self.show(machine, self.order[machine][random.below(self.order[machine].len())]);
            }
        }
        self.show_machines();
    }
}

fn shuffle<T>(all: &mut [T], random: &mut Random) {
    for place in (1..all.len()).rev() {
        all.swap(place, random.below(place + 1));
    }
}

/// How a search came out: nothing was found among so many states and steps, or a run of such a length.
#[derive(PartialEq, Eq, Debug)]
enum Told {
    Holds(u64, u64),
    Fails(usize),
    Diverges,
}

fn told(answer: &decide::Answer<NetworkStep, FailedStep>) -> Told {
    match &answer.verdict {
        Verdict::Holds => Told::Holds(answer.statistics.n_states, answer.statistics.n_transitions),
        Verdict::Fails(found) => match found.fault {
            Fault::Divergence(_) => Told::Diverges,
            _ => Told::Fails(found.steps.len()),
        },
        Verdict::Unknown(reason) => panic!("small networks are decided, not {reason:?}"),
    }
}

/// The verdict of a search of a lazily compiled network, and how often it was resumed instead of restarted.
fn ask_piece_by_piece(
    claim: &Claim,
    whole: &Network,
    limits: &Limits,
    random: &mut Random,
    one_in: usize,
) -> (Option<Told>, usize) {
    let mut shown = Shown::new(whole.clone());
    let mut n_grown = 0;
    let answer = decide_lazily(claim, shown.network(), limits, &NoProgress, |occupied| {
        n_grown += 1;
        shown.grow(occupied, random);
        if random.below(one_in) == 0 {
            shown.shuffle(random);
        }
        Ok::<_, Infallible>(Some(shown.network()))
    });
    match answer {
        Ok(LazyAnswer::Decided(answer)) => (Some(told(&answer)), n_grown),
        Ok(LazyAnswer::NotSearched | LazyAnswer::NoMore) => (None, n_grown),
        Err(never) => match never {},
    }
}

/// A network, sometimes with a priority or obstacles.
fn whole_network(random: &mut Random) -> Network {
    match random.below(4) {
        0 => plain_network(random),
        1 => without_priorities(random_network(random)),
        2 => Network { priority: None, ..random_network(random) },
        _ => {
            let network = random_network(random);
            Network { priority: network.priority.clone(), ..without_priorities(network) }
        }
    }
}

fn claims(random: &mut Random, network: &Network) -> Vec<Claim> {
    let spec = random_spec(random, &without_priorities(network.clone()));
    let spec = interpret(&spec).0;
    let refines = |model| {
        Claim::Refines(Specification::new(spec.clone(), model, &mut Watch::none()).expect("nothing stops it").into())
    };
    let deadlocks = [Model::Failures, Model::FailuresDivergences].map(Claim::DeadlockFree);
    Model::ALL.into_iter().map(refines).chain(deadlocks).chain([Claim::DivergenceFree]).collect()
}

#[test]
fn what_grows_is_decided_like_the_whole() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let (mut n_grown, mut n_holding, mut n_failing) = (0, 0, 0);
    for round in 0..1500 {
        let network = whole_network(&mut random);
        for claim in claims(&mut random, &network) {
            let expected = told(&decide(&claim, &network, Method::Search, Reduce::None, &limits(1), &NoProgress));
            let within = limits(1 + round % 3);
            let (answer, n) = ask_piece_by_piece(&claim, &network, &within, &mut random, 2 + round % 7);
            let Some(answer) = answer else { continue };
            n_grown += n;
            // Beyond divergences only steps that go wrong are looked for, and where rules alone show that there are
            // none, nothing is.
            let is_same = match claim.decisive_model().sees_divergences() {
                true => matches!(answer, Told::Holds(..)) == matches!(expected, Told::Holds(..)),
                false => answer == expected,
            };
            let means = || format!("seed {seed}, round {round}, {claim:?}: {answer:?}, not {expected:?}\n{network:?}");
            assert!(is_same, "{}", means());
            *(if matches!(expected, Told::Holds(..)) { &mut n_holding } else { &mut n_failing }) += 1;
        }
    }
    assert!(n_grown > 20_000 && n_holding > 1000 && n_failing > 1000, "{n_grown}, {n_holding}, {n_failing}");
}

/// Counters that stop at their end, beside machines that never move and take much room, because only all states
/// together show that they do not.
fn wide_counters(n: usize, size: u32, n_wide: u32) -> Network {
    let mut network = counters(n, size);
    let edge = |action, target| Edge { action: Action(action), target: LocalState(target) };
    let next = |state: u32| if state + 1 < size { vec![edge(0, state + 1)] } else { Vec::new() };
    let machine = Arc::new(Machine::new((0..size).map(next)));
    network.machines = vec![machine; n];
    // A token that goes from one to the other: what needs both of them never happens.
    let holder = |has: bool| {
        Machine::new(if has {
            vec![vec![edge(1, 1), edge(2, 0)], vec![]]
        } else {
            vec![vec![edge(1, 1)], vec![edge(2, 1)]]
        })
    };
    let idle = Arc::new(Machine::new((0..256).map(|state| vec![edge(0, (state + 1) % 256)])));
    let first = n as u32;
    network.machines.extend([holder(true).into(), holder(false).into()]);
    network.machines.extend((0..n_wide).map(|_| idle.clone()));
    network.initial.locals = vec![LocalState(0); network.machines.len()];
    let swap = [(MachineId(first), Action(1)), (MachineId(first + 1), Action(1))];
    let rules = &mut network.modes[0].rules;
    rules.push(Rule::new(swap, Label(3)));
    for wide in 0..n_wide {
        let both = [(MachineId(first), Action(2)), (MachineId(first + 1), Action(2))];
        rules.push(Rule::new([&both[..], &[(MachineId(first + 2 + wide), Action(0))]].concat(), Label(4)));
    }
    network
}

#[test]
fn levels_of_several_rounds_are_gone_on_with() {
    let (seed, mut random) = (seed(), Random::new(seed()));
    let network = wide_counters(4, 16, 140);
    let mut run = Builder::new();
    run.add_state(StateId(0));
    (2..5).for_each(|label| run.add(StateId(0), Label(label), StateId(0)));
    let run = Specification::new(run.finish(StateId(0)), Model::Traces, &mut Watch::none()).expect("nothing stops it");
    let claims = [
        (Claim::Refines(run.into()), Told::Holds(131_072, 15 * 4096 * 4 * 2 + 65_536)),
        (Claim::DeadlockFree(Model::Failures), Told::Fails(4 * 15 + 1)),
    ];
    for (claim, expected) in claims {
        assert_eq!(told(&decide(&claim, &network, Method::Search, Reduce::None, &limits(1), &NoProgress)), expected);
        for n_workers in [1, 2] {
            let (answer, n_grown) = ask_piece_by_piece(&claim, &network, &limits(n_workers), &mut random, usize::MAX);
            assert_eq!(answer.as_ref(), Some(&expected), "seed {seed}, {n_workers} workers");
            assert!(n_grown > 15, "{n_grown}");
        }
    }
}
