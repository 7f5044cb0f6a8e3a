//! What is always true of two machines, whatever the others do.
//!
//! Induction begins anywhere, also in states that no run gets to: a fork that is taken by nobody, say. Two machines that take part in the same
//! rules are looked at alone, every other machine being free to join whenever it is needed. Pairs of local states that are not
//! reached even so are reached by no run, and can be excluded everywhere. The specification goes along with each machine like another one: a node that
//! is not reached together with a local state is not reached with it before something is wrong.

use crate::frame::Frame;
use crate::{Lit, Property};
use hashbrown::{HashMap, HashSet};
use lts::{Label, Lts, StateId};
use model::network::{Action, LocalState, MachineId, Network, Rule};
use std::collections::BTreeMap;

/// Two partners that meet in more pairs of states than this are not looked at further.
const MAX_PAIRS: usize = 20_000;
/// Nor are machines and specifications for which so many rules would be tried.
const MAX_TRIES: usize = 1 << 24;

/// Where a machine is, or the specification.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Fact {
    Local(usize, LocalState),
    Node(StateId),
}

impl Fact {
    fn lit(self, frame: &Frame) -> Lit {
        match self {
            Fact::Local(machine, local) => frame.locals[machine][local.index()],
            Fact::Node(node) => frame.nodes[node.index()],
        }
    }
}

/// What is the case only if one of some others is.
pub(crate) struct Company {
    fact: Fact,
    others: Vec<Fact>,
}

impl Company {
    /// The clause that says so.
    pub(crate) fn clause(&self, frame: &Frame) -> Vec<Lit> {
        [!self.fact.lit(frame)].into_iter().chain(self.others.iter().map(|other| other.lit(frame))).collect()
    }
}

/// All that is found about pairs of machines that have rules in common, and about machines and the specification.
pub(crate) fn company(network: &Network, property: &Property<'_>) -> Vec<Company> {
    let rules: Vec<&Rule> = network.modes.iter().flat_map(|mode| &mode.rules).collect();
    let mut partners: HashSet<[usize; 2]> = HashSet::new();
    let mut rules_of: HashMap<usize, Vec<&Rule>> = HashMap::new();
    for &rule in &rules {
        let resets = rule.jump.iter().flat_map(|jump| jump.resets.iter()).map(|reset| reset.0);
        let members: HashSet<usize> =
            rule.parts.iter().map(|part| part.0).chain(resets).map(MachineId::index).collect();
        members.iter().for_each(|&member| rules_of.entry(member).or_default().push(rule));
        for &left in &members {
            partners.extend(members.iter().filter(|&&right| left < right).map(|&right| [left, right]));
        }
    }
    let mut partners: Vec<[usize; 2]> = partners.into_iter().collect();
    partners.sort_unstable();
    let mut found = Vec::new();
    let mut n_tries = 0;
    for [left, right] in partners {
        let first = (network.initial.locals[left], network.initial.locals[right]);
        let rules: Vec<&Rule> = [left, right].iter().flat_map(|place| rules_of[place].iter().copied()).collect();
        let next = |rule: &Rule, (x, y)| pairs(&after(network, rule, left, x), &after(network, rule, right, y));
        if let Some(met) = reached(first, &rules, &mut n_tries, next) {
            let facts = met.into_iter().map(|(x, y)| [Fact::Local(left, x), Fact::Local(right, y)]);
            add(facts, [left, right].map(|place| network.machines[place].n_states()), &mut found);
        }
    }
    let Some(spec) = property.specification().filter(|spec| spec.n_states() > 1) else { return found };
    for (place, machine) in network.machines.iter().enumerate().filter(|(_, machine)| machine.n_states() > 1) {
        let first = (network.initial.locals[place], spec.initial());
        let next =
            |rule: &Rule, (x, node)| pairs(&after(network, rule, place, x), follow(spec, node, rule.shows).as_slice());
        if let Some(met) = reached(first, &rules, &mut n_tries, next) {
            let facts = met.into_iter().map(|(local, node)| [Fact::Local(place, local), Fact::Node(node)]);
            add(facts, [machine.n_states(), spec.n_states()], &mut found);
        }
    }
    found
}

fn pairs<X: Copy, Y: Copy>(left: &[X], right: &[Y]) -> Vec<(X, Y)> {
    left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y))).collect()
}

/// What both get to if all others help them; nothing if that is too much, or takes too long.
fn reached<P: Copy + Eq + Ord + std::hash::Hash>(
    first: P,
    rules: &[&Rule],
    n_tries: &mut usize,
    after: impl Fn(&Rule, P) -> Vec<P>,
) -> Option<Vec<P>> {
    let mut met: HashSet<P> = HashSet::new();
    met.insert(first);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        *n_tries += rules.len();
        if met.len() > MAX_PAIRS || *n_tries > MAX_TRIES {
            return None;
        }
        for rule in rules {
            open.extend(after(rule, at).into_iter().filter(|&next| met.insert(next)));
        }
    }
    let mut met: Vec<P> = met.into_iter().collect();
    met.sort_unstable();
    Some(met)
}

/// Adds what is said by pairs that are met, of two partners with so many states.
fn add(met: impl Iterator<Item = [Fact; 2]>, sizes: [usize; 2], found: &mut Vec<Company>) {
    let mut beside: [BTreeMap<Fact, Vec<Fact>>; 2] = Default::default();
    for [one, other] in met {
        beside[0].entry(one).or_default().push(other);
        beside[1].entry(other).or_default().push(one);
    }
    let [n_first, n_second] = sizes;
    for (facts, n_others) in beside.into_iter().zip([n_second, n_first]) {
        let company = facts.into_iter().map(|(fact, others)| Company { fact, others });
        found.extend(company.filter(|company| company.others.len() < n_others));
    }
}

/// Where a label leads in a normal form; nowhere if it is not allowed, for then something is wrong already.
fn follow(spec: &Lts, node: StateId, label: Label) -> Option<StateId> {
    if label == Label::TAU || spec.is_explicitly_divergent(node) {
        return Some(node);
    }
    spec.with_label(node, label).first().map(|edge| edge.target)
}

/// Where a rule may lead a machine; nowhere if it cannot take part.
fn after(network: &Network, rule: &Rule, place: usize, at: LocalState) -> Vec<LocalState> {
    let of_machine = |part: &&(MachineId, Action)| part.0.index() == place;
    let targets: Vec<LocalState> = match rule.parts.iter().find(of_machine) {
        None => vec![at],
        Some(&(_, action)) => network.machines[place].edges_by(at, action).iter().map(|edge| edge.target).collect(),
    };
    let reset = rule.jump.as_ref().and_then(|jump| jump.resets.iter().find(|reset| reset.0.index() == place));
    match reset {
        Some(&(_, local)) if !targets.is_empty() => vec![local],
        _ => targets,
    }
}
