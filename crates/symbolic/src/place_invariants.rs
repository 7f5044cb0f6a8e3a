//! Deadlock freedom by place invariants (Murata, 1989, "Petri nets: properties, analysis and applications", section
//! VI).
//!
//! A weight for each local state of each machine is an invariant if every action of a machine changes its weight by the
//! same amount wherever it is taken, and these amounts add up to zero in each rule: the sum of all weights is constant
//! in all reachable configurations. The invariants are the solutions of a system of linear equations; a basis of them
//! is computed.
//!
//! A SAT solver searches for a configuration that satisfies all invariants and enables no rule. If there is none, no
//! deadlock is reachable; if there is one, the method is inconclusive. Its cost depends on the sizes of the machines,
//! not on the size of their product.

use crate::solver::{Batsat, Lit, Solver};
use crate::stopping::unless_stopped;
use hashbrown::HashMap;
use limits::effort::place_invariants::{MAX_ACTIONS, MAX_CONFLICTS, MAX_EDGES, MAX_PAIRWISE, MAX_VALUES};
use model::network::{Action, LocalState, Machine, Network, Rule};
use progress::{Interrupt, Progress};
use std::collections::BTreeMap;

/// Whether place invariants prove that a network is deadlock free. False is inconclusive.
///
/// # Errors
/// When the analysis is cancelled.
pub fn prove_deadlock_free(network: &Network, progress: &dyn Progress) -> Result<bool, Interrupt> {
    is_deadlock_free_within(network, MAX_CONFLICTS, progress)
}

fn is_deadlock_free_within(network: &Network, max_conflicts: u64, progress: &dyn Progress) -> Result<bool, Interrupt> {
    unless_stopped(|| {
        let mut solver = Batsat::new(progress);
        let Some(plain) = LocalReachability::of(network, &mut solver) else { return Ok(false) };
        let Some(invariants) = plain.invariants(&mut solver) else { return Ok(false) };
        let locals = plain.add_states(&mut solver);
        plain.add_stuck(&mut solver, &locals);
        for weights in &invariants {
            plain.add_sum(&mut solver, &locals, weights);
        }
        Ok(solver.solve_within(&[], max_conflicts)? == Some(false))
    })
}

/// The locally reachable states of all machines, and the rules that are possible then.
struct LocalReachability<'a> {
    network: &'a Network,
    rules: Vec<&'a Rule>,
    /// Locally reachable states, by machine and local state.
    is_reachable: Vec<Vec<bool>>,
    /// The actions of machines in these rules, numbered.
    actions: HashMap<(usize, Action), usize>,
}

/// A weight for each local state of each machine.
type Weights = Vec<Vec<i64>>;

/// A linear combination of variables.
type Row = BTreeMap<usize, i64>;

impl<'a> LocalReachability<'a> {
    /// None if the network has variables or priorities, or is large. The work is charged to the solver.
    fn of(network: &'a Network, solver: &mut impl Solver) -> Option<LocalReachability<'a>> {
        let [mode] = &network.modes[..] else { return None };
        let is_plain = |rule: &Rule| rule.jump.is_none() && rule.command.is_none();
        let n_edges: usize = network.machines.iter().map(|machine| n_edges(machine)).sum();
        if network.has_priorities()
            || !network.data.is_empty()
            || !mode.rules.iter().all(is_plain)
            || n_edges.max(mode.rules.len()) > MAX_EDGES
        {
            return None;
        }
        let is_reachable = network.machines.iter().zip(&network.initial.locals).map(|(machine, initial)| {
            let mut is_reachable = vec![false; machine.n_states()];
            is_reachable[initial.index()] = true;
            is_reachable
        });
        let mut plain = LocalReachability {
            network,
            rules: Vec::new(),
            is_reachable: is_reachable.collect(),
            actions: HashMap::new(),
        };
        let mut open: Vec<&Rule> = mode.rules.iter().collect();
        // A fixpoint: actions make states reachable, states make rules possible, and rules make actions possible.
        loop {
            solver.count(n_edges);
            let (possible, impossible): (Vec<&Rule>, Vec<&Rule>) =
                open.into_iter().partition(|rule| plain.is_possible(rule, solver));
            if possible.is_empty() {
                break;
            }
            for rule in possible {
                for &(machine, action) in &rule.parts {
                    let number = plain.actions.len();
                    plain.actions.entry((machine.index(), action)).or_insert(number);
                }
                plain.rules.push(rule);
            }
            plain.mark_reachable();
            open = impossible;
        }
        (plain.actions.len() <= MAX_ACTIONS).then_some(plain)
    }

    fn is_possible(&self, rule: &Rule, solver: &mut impl Solver) -> bool {
        rule.parts.iter().all(|&(id, action)| {
            solver.count(self.is_reachable[id.index()].len());
            let machine = &self.network.machines[id.index()];
            self.reachable(id.index()).any(|state| !machine.edges_by(state, action).is_empty())
        })
    }

    /// The locally reachable states of a machine.
    fn reachable(&self, machine: usize) -> impl Iterator<Item = LocalState> {
        (0..)
            .map(LocalState)
            .zip(&self.is_reachable[machine])
            .filter(|(_, is_reachable)| **is_reachable)
            .map(|(state, _)| state)
    }

    /// Marks all states that the possible actions lead to.
    fn mark_reachable(&mut self) {
        for machine in 0..self.network.machines.len() {
            let mut open: Vec<LocalState> = self.reachable(machine).collect();
            while let Some(state) = open.pop() {
                for edge in self.network.machines[machine].edges(state) {
                    let is_reachable = &mut self.is_reachable[machine][edge.target.index()];
                    if self.actions.contains_key(&(machine, edge.action)) && !*is_reachable {
                        *is_reachable = true;
                        open.push(edge.target);
                    }
                }
            }
        }
    }

    /// A basis of the invariants. None if numbers get too large.
    fn invariants(&self, solver: &mut impl Solver) -> Option<Vec<Weights>> {
        let mut system = System::default();
        for rule in &self.rules {
            let mut row = Row::new();
            rule.parts
                .iter()
                .for_each(|&(id, action)| *row.entry(self.actions[&(id.index(), action)]).or_default() += 1);
            system.add(row, solver)?;
        }
        let mut trees = Vec::new();
        for machine in 0..self.network.machines.len() {
            let tree = self.tree(machine);
            self.add_cycles(machine, &tree, &mut system, solver)?;
            trees.push(tree);
        }
        let weights = |changes: Vec<i64>| -> Option<Weights> {
            trees.iter().enumerate().map(|(machine, tree)| self.weights(machine, tree, &changes)).collect()
        };
        let free: Vec<usize> = (0..self.actions.len()).filter(|variable| !system.rows.contains_key(variable)).collect();
        let solutions = free.into_iter().map(|variable| system.solution(variable, self.actions.len()));
        let n_states: usize = self.is_reachable.iter().map(Vec::len).sum();
        solutions
            .map(|changes| {
                solver.count(n_states);
                weights(changes?)
            })
            .collect()
    }

    /// A spanning tree of the reachable states of a machine: for each the predecessor and the action, in breadth-first
    /// order.
    fn tree(&self, machine: usize) -> Vec<(LocalState, Option<(LocalState, Action)>)> {
        let mut is_known = vec![false; self.network.machines[machine].n_states()];
        let initial = self.network.initial.locals[machine];
        is_known[initial.index()] = true;
        let mut tree = vec![(initial, None)];
        let mut next = 0;
        while let Some(&(state, _)) = tree.get(next) {
            next += 1;
            for edge in self.possible_edges(machine, state) {
                if !std::mem::replace(&mut is_known[edge.target.index()], true) {
                    tree.push((edge.target, Some((state, edge.action))));
                }
            }
        }
        tree
    }

    fn possible_edges(&self, machine: usize, state: LocalState) -> impl Iterator<Item = &model::network::Edge> {
        let edges = self.network.machines[machine].edges(state).iter();
        edges.filter(move |edge| self.actions.contains_key(&(machine, edge.action)))
    }

    /// Adds an equation for each edge outside the spanning tree: all paths to a state change the weight equally.
    fn add_cycles(
        &self,
        machine: usize,
        tree: &[(LocalState, Option<(LocalState, Action)>)],
        system: &mut System,
        solver: &mut impl Solver,
    ) -> Option<()> {
        let mut ways: HashMap<LocalState, Row> = HashMap::new();
        for &(state, before) in tree {
            let mut way = Row::new();
            if let Some((source, action)) = before {
                way.clone_from(&ways[&source]);
                *way.entry(self.actions[&(machine, action)]).or_default() += 1;
                way = system.reduced(way, solver)?;
            }
            ways.insert(state, way);
        }
        for &(state, _) in tree {
            for edge in self.possible_edges(machine, state) {
                let mut row = ways[&state].clone();
                *row.entry(self.actions[&(machine, edge.action)]).or_default() += 1;
                add_multiple(&mut row, &ways[&edge.target], -1)?;
                system.add(row, solver)?;
            }
        }
        Some(())
    }

    /// The weights of the states of a machine, from the changes of its actions.
    fn weights(
        &self,
        machine: usize,
        tree: &[(LocalState, Option<(LocalState, Action)>)],
        changes: &[i64],
    ) -> Option<Vec<i64>> {
        let mut weights = vec![0; self.network.machines[machine].n_states()];
        for &(state, before) in tree {
            if let Some((source, action)) = before {
                let change = changes[self.actions[&(machine, action)]];
                weights[state.index()] = i64::checked_add(weights[source.index()], change)?;
            }
        }
        Some(weights)
    }

    /// Every machine is in exactly one of its locally reachable states.
    fn add_states(&self, solver: &mut impl Solver) -> Vec<Vec<Option<Lit>>> {
        let machines = 0..self.network.machines.len();
        let all = machines.map(|machine| {
            let is_reachable = self.is_reachable[machine].iter();
            let lits: Vec<Option<Lit>> =
                is_reachable.map(|&is_reachable| is_reachable.then(|| solver.variable())).collect();
            let met: Vec<Lit> = lits.iter().copied().flatten().collect();
            solver.add(&met);
            add_at_most_one(solver, &met);
            lits
        });
        all.collect()
    }

    /// No rule is enabled.
    fn add_stuck(&self, solver: &mut impl Solver, locals: &[Vec<Option<Lit>>]) {
        let mut actions: Vec<(usize, Action)> = self.actions.keys().copied().collect();
        actions.sort_unstable_by_key(|action| self.actions[action]);
        let mut can: HashMap<(usize, Action), Lit> = HashMap::new();
        for (machine, action) in actions {
            let lit = solver.variable();
            can.insert((machine, action), lit);
            for state in self.reachable(machine) {
                if !self.network.machines[machine].edges_by(state, action).is_empty() {
                    let here = locals[machine][state.index()].expect("it may be there");
                    solver.add(&[!here, lit]);
                }
            }
        }
        for rule in &self.rules {
            let cannot: Vec<Lit> = rule.parts.iter().map(|&(id, action)| !can[&(id.index(), action)]).collect();
            solver.add(&cannot);
        }
    }

    /// The weighted sum has its initial value, which is zero. An invariant with too many partial sums is left out.
    fn add_sum(&self, solver: &mut impl Solver, locals: &[Vec<Option<Lit>>], weights: &Weights) {
        let Some(layers) = self.layers(weights) else { return };
        let mut before: BTreeMap<i64, Lit> = BTreeMap::new();
        for (number, (machine, sums)) in layers.iter().enumerate() {
            let after: BTreeMap<i64, Lit> = sums.iter().map(|&sum| (sum, solver.variable())).collect();
            let mut add = |start: Option<Lit>, sum: i64| {
                for (state, lit) in locals[*machine].iter().enumerate() {
                    let Some(lit) = lit else { continue };
                    let then = after[&(sum + weights[*machine][state])];
                    let clause: Vec<Lit> = start.map(|start| !start).into_iter().chain([!*lit, then]).collect();
                    solver.add(&clause);
                }
            };
            match number {
                0 => add(None, 0),
                _ => before.iter().for_each(|(&sum, &start)| add(Some(start), sum)),
            }
            before = after;
        }
        for (sum, lit) in before {
            if sum != 0 {
                solver.add(&[!lit]);
            }
        }
    }

    /// The machines whose weights differ, each with the possible partial sums up to it.
    fn layers(&self, weights: &Weights) -> Option<Vec<(usize, Vec<i64>)>> {
        let mut layers: Vec<(usize, Vec<i64>)> = Vec::new();
        for (machine, weights) in weights.iter().enumerate() {
            let mut different: Vec<i64> = self.reachable(machine).map(|state| weights[state.index()]).collect();
            different.sort_unstable();
            different.dedup();
            if different.len() < 2 {
                continue;
            }
            let sums = layers.last().map_or(vec![0], |(_, sums)| sums.clone());
            let mut next: Vec<i64> = Vec::with_capacity(sums.len() * different.len());
            for sum in sums {
                for &weight in &different {
                    next.push(sum.checked_add(weight)?);
                }
            }
            next.sort_unstable();
            next.dedup();
            if next.len() > MAX_VALUES {
                return None;
            }
            layers.push((machine, next));
        }
        Some(layers)
    }
}

fn n_edges(machine: &Machine) -> usize {
    machine.states().map(|state| machine.edges(state).len()).sum()
}

fn add_at_most_one(solver: &mut impl Solver, lits: &[Lit]) {
    if lits.len() <= MAX_PAIRWISE {
        for (number, &left) in lits.iter().enumerate() {
            lits[number + 1..].iter().for_each(|&right| solver.add(&[!left, !right]));
        }
        return;
    }
    let mut before: Option<Lit> = None;
    for &lit in lits {
        let some = solver.variable();
        solver.add(&[!lit, some]);
        if let Some(before) = before {
            solver.add(&[!before, some]);
            solver.add(&[!before, !lit]);
        }
        before = Some(some);
    }
}

/// A homogeneous system of linear equations in solved form.
#[derive(Default)]
struct System {
    /// For each solved variable its only equation, which has no other solved variables.
    rows: BTreeMap<usize, Row>,
}

impl System {
    /// A multiple of a linear combination, in terms of free variables; the combination itself if its coefficients allow
    /// that.
    fn reduced(&self, mut row: Row, solver: &mut impl Solver) -> Option<Row> {
        loop {
            solver.count(row.len());
            row.retain(|_, factor| *factor != 0);
            let Some((variable, factor)) = row.iter().map(|(&v, &f)| (v, f)).find(|(v, _)| self.rows.contains_key(v))
            else {
                return Some(row);
            };
            // The solved variable of each equation has coefficient 1 or -1, so no multiplication is needed.
            add_multiple(&mut row, &self.rows[&variable], factor.checked_neg()?)?;
        }
    }

    /// Adds an equation. None if numbers are too large, or a solution is not integral.
    fn add(&mut self, row: Row, solver: &mut impl Solver) -> Option<()> {
        let mut row = self.reduced(row, solver)?;
        let divisor = row.values().fold(0, |divisor, factor| gcd(divisor, *factor));
        if divisor == 0 {
            return Some(());
        }
        row.values_mut().for_each(|factor| *factor /= divisor);
        // Solve for a variable with coefficient 1 or -1.
        let (&variable, &factor) = row.iter().find(|(_, factor)| factor.abs() == 1)?;
        if factor < 0 {
            row.values_mut().for_each(|factor| *factor = -*factor);
        }
        for other in self.rows.values_mut() {
            solver.count(1);
            if let Some(&factor) = other.get(&variable) {
                solver.count(row.len() + other.len());
                add_multiple(other, &row, factor.checked_neg()?)?;
                other.retain(|_, factor| *factor != 0);
            }
        }
        self.rows.insert(variable, row);
        Some(())
    }

    /// The values of all variables where one free variable is 1 and the others are 0.
    fn solution(&self, free: usize, n_variables: usize) -> Option<Vec<i64>> {
        let mut values = vec![0; n_variables];
        values[free] = 1;
        for (&variable, row) in &self.rows {
            values[variable] = row.get(&free).copied().unwrap_or(0).checked_neg()?;
        }
        Some(values)
    }
}

fn add_multiple(row: &mut Row, other: &Row, times: i64) -> Option<()> {
    for (&variable, &factor) in other {
        let sum = row.entry(variable).or_default();
        *sum = sum.checked_add(factor.checked_mul(times)?)?;
    }
    Some(())
}

fn gcd(left: i64, right: i64) -> i64 {
    let (mut left, mut right) = (left.unsigned_abs(), right.unsigned_abs());
    while right != 0 {
        (left, right) = (right, left % right);
    }
    left as i64
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::{Limits, Observer};
    use lts::{Label, Model, Verdict};
    use model::network::{Configuration, Edge, Inhibitor, InhibitorId, MachineId, Mode, Way};
    use progress::NoProgress;
    use std::sync::Arc;
    use test_support::data::{Taste, random_network_with_data};
    use test_support::mutate::{Random, seed};
    use test_support::networks::{random_network, without_priorities};

    /// Cyclic machines, and rules in which one takes what another gives; some rules are unbalanced.
    fn give_and_take(random: &mut Random) -> Network {
        let n_machines = 2 + random.below(4);
        let machine = |random: &mut Random| {
            let n_states = 2 + random.below(3);
            let edge = |random: &mut Random, state: usize, action: u32| {
                let target = if random.below(10) == 0 { random.below(n_states) } else { (state + 1) % n_states };
                Edge { action: Action(action), target: LocalState(target as u32) }
            };
            let mut states: Vec<Vec<Edge>> =
                (0..n_states).map(|state| vec![edge(random, state, state as u32)]).collect();
            if random.below(3) == 0 {
                let state = random.below(n_states);
                let action = random.below(n_states) as u32;
                let more = edge(random, state, action);
                states[state].push(more);
            }
            Machine::new(states)
        };
        let machines: Vec<Arc<Machine>> = (0..n_machines).map(|_| Arc::new(machine(random))).collect();
        let mut rules = Vec::new();
        for _ in 0..2 + random.below(3 * n_machines) {
            let mut parts: Vec<(MachineId, Action)> = Vec::new();
            for id in 0..n_machines as u32 {
                if parts.len() < 2 && random.below(2) == 0 {
                    parts.push((MachineId(id), Action(random.below(machines[id as usize].n_states()) as u32)));
                }
            }
            if !parts.is_empty() {
                rules.push(Rule::new(parts, Label(random.below(4) as u32)));
            }
        }
        let initial = Configuration { locals: vec![LocalState(0); n_machines], ..Configuration::default() };
        Network { machines, modes: vec![Mode { rules }], initial, ..Network::default() }
    }

    #[test]
    fn deadlock_freedom_by_invariants_agrees_with_search() {
        let (seed, mut random) = (seed(), Random::new(seed()));
        let (mut n_free, mut n_shown) = (0, 0);
        for round in 0..6000 {
            let network = match round % 5 {
                0 => without_priorities(random_network(&mut random)),
                1 => random_network(&mut random),
                2 => random_network_with_data(&mut random, Taste { risk: 0, is_plain: true }),
                _ => give_and_take(&mut random),
            };
            let limits = Limits::of_workers(1);
            let observer = Observer::deadlock_freedom(Model::Failures);
            let report = explore::check(&network, &observer, &limits, &NoProgress).expect("states are narrow");
            let is_free = matches!(report.verdict, Verdict::Holds);
            n_free += usize::from(is_free);
            // A solver with a small conflict budget proves less.
            let max_conflicts = if round % 3 == 0 { 1 } else { MAX_CONFLICTS };
            if is_deadlock_free_within(&network, max_conflicts, &NoProgress).expect("nobody stops it") {
                n_shown += 1;
                assert!(is_free, "TEST_SEED={seed} round {round}: {:?}\n{network:?}", report.verdict);
            }
        }
        assert!(n_free > 100 && n_shown > 20, "{n_free}, {n_shown}");
    }

    /// Locally, each machine could be where the other one is not; only the invariant excludes it.
    #[test]
    fn machines_in_lockstep_are_deadlock_free() {
        let edge = |action, target| Edge { action: Action(action), target: LocalState(target) };
        let machine = Arc::new(Machine::new([vec![edge(0, 1)], vec![edge(1, 0)]]));
        let both = |action| {
            let parts = [(MachineId(0), Action(action)), (MachineId(1), Action(action))];
            Rule::new(parts, Label(2 + action))
        };
        let network = |rules: Vec<Rule>| Network {
            machines: vec![machine.clone(), machine.clone()],
            modes: vec![Mode { rules }],
            initial: Configuration { locals: vec![LocalState(0); 2], ..Configuration::default() },
            ..Network::default()
        };
        assert_eq!(prove_deadlock_free(&network(vec![both(0), both(1)]), &NoProgress), Ok(true));
        assert_eq!(prove_deadlock_free(&network(vec![both(0)]), &NoProgress), Ok(false));
    }

    /// Rings with more states than pair invariants cover, in lockstep, with a detour around one of their states; there
    /// both may have to stay.
    #[test]
    fn who_has_many_states_is_in_one_of_them() {
        let n_states = MAX_PAIRWISE as u32 + 3;
        let edge = |action, target| Edge { action: Action(action), target: LocalState(target % n_states) };
        let network = |past: u32, is_missing: bool| {
            let ring = Arc::new(Machine::new((0..n_states).map(|state| match state {
                0 => vec![edge(0, 1), edge(n_states, past + 1)],
                _ => vec![edge(state, state + 1)],
            })));
            let both = |action| Rule::new([0, 1].map(|id| (MachineId(id), Action(action))), Label(2 + action));
            let rules = (0..=n_states).filter(|&action| action != past || !is_missing).map(both).collect();
            Network {
                machines: vec![ring.clone(), ring],
                modes: vec![Mode { rules }],
                initial: Configuration { locals: vec![LocalState(0); 2], ..Configuration::default() },
                ..Network::default()
            }
        };
        for past in 1..n_states {
            assert_eq!(prove_deadlock_free(&network(past, false), &NoProgress), Ok(true), "{past}");
            assert_eq!(prove_deadlock_free(&network(past, true), &NoProgress), Ok(false), "{past}");
        }
    }

    /// An invariant with too many partial sums is left out as a whole: a part of it says nothing.
    #[test]
    fn long_sums_show_nothing() {
        let n_states = MAX_VALUES as u32 * 2 / 3;
        let [go, stay] = [Action(0), Action(1)];
        // Two rows in lockstep, which terminate. The first may stay at its beginning.
        let row = |may_stay: bool| {
            let edges = move |state: u32| {
                let on = (state + 1 < n_states).then_some(Edge { action: go, target: LocalState(state + 1) });
                let here = (may_stay && state == 0).then_some(Edge { action: stay, target: LocalState(0) });
                on.into_iter().chain(here).collect()
            };
            Arc::new(Machine::new((0..n_states).map(edges)))
        };
        let rules = vec![
            Rule::new([(MachineId(0), go), (MachineId(1), go)], Label(2)),
            Rule::new([(MachineId(0), stay)], Label(3)),
        ];
        let network = Network {
            machines: vec![row(true), row(false)],
            modes: vec![Mode { rules }],
            initial: Configuration { locals: vec![LocalState(0); 2], ..Configuration::default() },
            ..Network::default()
        };
        assert_eq!(prove_deadlock_free(&network, &NoProgress), Ok(false));
    }

    /// A permanent inhibitor disables everything.
    #[test]
    fn who_is_kept_from_moving_is_stuck() {
        let around = Arc::new(Machine::new([vec![Edge { action: Action(0), target: LocalState(0) }]]));
        let mut network = Network {
            machines: vec![around],
            modes: vec![Mode { rules: vec![Rule::new([(MachineId(0), Action(0))], Label(2))] }],
            initial: Configuration { locals: vec![LocalState(0)], ..Configuration::default() },
            ..Network::default()
        };
        assert_eq!(prove_deadlock_free(&network, &NoProgress), Ok(true));
        let way = Way { parts: [(MachineId(0), Action(0))].into(), condition: None, unless: [].into() };
        network.obstacles = vec![Inhibitor { ways: vec![way] }];
        network.modes[0].rules[0].unless = [InhibitorId(0)].into();
        assert_eq!(prove_deadlock_free(&network, &NoProgress), Ok(false));
    }
}
