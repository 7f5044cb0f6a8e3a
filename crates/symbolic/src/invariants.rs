//! Pair invariants: pairs of local states of two machines that are unreachable, whatever the other machines do.
//!
//! Induction starts in arbitrary states, also unreachable ones: a fork that is taken without an owner, say. For two
//! machines that share rules, the product is explored with every other machine as a free partner. Pairs of local states
//! that are unreachable there are unreachable in the network, and are excluded in every frame. The specification is
//! paired with each machine in the same way: it is in lockstep up to the first violation.

use crate::frame::Frame;
use crate::stopping::stop;
use crate::{Lit, Property};
use hashbrown::{HashMap, HashSet};
use limits::effort::pair_invariants::{MAX_PAIRS, MAX_PARTNERS, MAX_TRIES};
use limits::intervals::polling::RULES_PER_POLL;
use lts::{Label, Lts, StateId};
use model::network::{Action, LocalState, Machine, MachineId, Network, Rule};
use progress::{Progress, Statistics};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// Work of the exploration, with its bound.
struct Effort<'p> {
    n_tries: usize,
    progress: &'p dyn Progress,
}

impl Effort<'_> {
    /// Charges rules that are to be tried. Whether the bound is exceeded.
    fn is_over(&mut self, n_tries: usize) -> bool {
        let before = self.n_tries / RULES_PER_POLL;
        self.n_tries = self.n_tries.saturating_add(n_tries);
        if self.n_tries / RULES_PER_POLL > before
            && let ControlFlow::Break(why) = self.progress.tick(&Statistics::of_work(RULES_PER_POLL as u64))
        {
            stop(why);
        }
        self.n_tries > MAX_TRIES
    }
}

/// The local state of a machine, or the node of the specification.
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

/// An implication between local states of two partners.
pub(crate) struct PairInvariant {
    fact: Fact,
    others: Vec<Fact>,
}

impl PairInvariant {
    /// The implication as a clause.
    pub(crate) fn clause(&self, frame: &Frame) -> Vec<Lit> {
        [!self.fact.lit(frame)].into_iter().chain(self.others.iter().map(|other| other.lit(frame))).collect()
    }
}

/// The invariants of all pairs of machines that share rules, and of machines with the specification. Unwinds when the
/// analysis is cancelled, like all work on formulas.
pub(crate) fn pair_invariants(
    network: &Network,
    property: &Property<'_>,
    progress: &dyn Progress,
) -> Vec<PairInvariant> {
    let rules: Vec<&Rule> = network.modes.iter().flat_map(|mode| &mode.rules).collect();
    let mut partners: HashSet<[usize; 2]> = HashSet::new();
    let mut rules_of: HashMap<usize, Vec<&Rule>> = HashMap::new();
    let mut effort = Effort { n_tries: 0, progress };
    for &rule in &rules {
        let resets = rule.jump.iter().flat_map(|jump| jump.resets.iter()).map(|reset| reset.0);
        let members: HashSet<usize> =
            rule.parts.iter().map(|part| part.0).chain(resets).map(MachineId::index).collect();
        members.iter().for_each(|&member| rules_of.entry(member).or_default().push(rule));
        for &left in &members {
            if effort.is_over(members.len() / 2) || partners.len() > MAX_PARTNERS {
                return Vec::new();
            }
            partners.extend(members.iter().filter(|&&right| left < right).map(|&right| [left, right]));
        }
    }
    let mut partners: Vec<[usize; 2]> = partners.into_iter().collect();
    partners.sort_unstable();
    let mut found = Vec::new();
    for [left, right] in partners {
        let first = (network.initial.locals[left], network.initial.locals[right]);
        let n_rules = rules_of[&left].len() + rules_of[&right].len();
        let rules = rules_of[&left].iter().chain(&rules_of[&right]);
        let shares = rules.map(|rule| [left, right].map(|place| Share::of(rule, place)));
        let [one, other] = [left, right].map(|place| &network.machines[place]);
        let next = |[here, there]: &[Share; 2], (x, y)| pairs(&here.after(one, x), &there.after(other, y));
        if let Some(met) = reached(first, n_rules, shares, &mut effort, next) {
            let facts = met.into_iter().map(|(x, y)| [Fact::Local(left, x), Fact::Local(right, y)]);
            add(facts, [left, right].map(|place| network.machines[place].n_states()), &mut found);
        }
    }
    let Some(spec) = property.specification().filter(|spec| spec.n_states() > 1) else { return found };
    for (place, machine) in network.machines.iter().enumerate().filter(|(_, machine)| machine.n_states() > 1) {
        let first = (network.initial.locals[place], spec.initial());
        let shares = rules.iter().map(|rule| (Share::of(rule, place), rule.shows));
        let next = |(share, shows): &(Share, Label), (x, node)| {
            pairs(&share.after(machine, x), follow(spec, node, *shows).as_slice())
        };
        if let Some(met) = reached(first, rules.len(), shares, &mut effort, next) {
            let facts = met.into_iter().map(|(local, node)| [Fact::Local(place, local), Fact::Node(node)]);
            add(facts, [machine.n_states(), spec.n_states()], &mut found);
        }
    }
    found
}

/// The part of a rule that one machine observes. Restricted to two partners, most rules are equal.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Share {
    action: Option<Action>,
    reset: Option<LocalState>,
}

impl Share {
    fn of(rule: &Rule, place: usize) -> Share {
        let resets = rule.jump.iter().flat_map(|jump| &jump.resets);
        Share {
            action: rule.parts.iter().find(|part| part.0.index() == place).map(|part| part.1),
            reset: resets.filter(|reset| reset.0.index() == place).map(|reset| reset.1).next(),
        }
    }

    /// The successors of a local state; empty if the machine cannot take part.
    fn after(self, machine: &Machine, at: LocalState) -> Vec<LocalState> {
        let targets: Vec<LocalState> = match self.action {
            None => vec![at],
            Some(action) => machine.edges_by(at, action).iter().map(|edge| edge.target).collect(),
        };
        match self.reset {
            Some(local) if !targets.is_empty() => vec![local],
            _ => targets,
        }
    }
}

fn pairs<X: Copy, Y: Copy>(left: &[X], right: &[Y]) -> Vec<(X, Y)> {
    left.iter().flat_map(|&x| right.iter().map(move |&y| (x, y))).collect()
}

/// The reachable pairs of two partners. None if a limit is exceeded.
fn reached<S: Ord, P: Copy + Eq + Ord + std::hash::Hash>(
    first: P,
    n_rules: usize,
    shares: impl Iterator<Item = S>,
    effort: &mut Effort<'_>,
    after: impl Fn(&S, P) -> Vec<P>,
) -> Option<Vec<P>> {
    if effort.is_over(n_rules) {
        return None;
    }
    let mut shares: Vec<S> = shares.collect();
    shares.sort_unstable();
    shares.dedup();
    let mut met: HashSet<P> = HashSet::new();
    met.insert(first);
    let mut open = vec![first];
    while let Some(at) = open.pop() {
        if effort.is_over(shares.len()) || met.len() > MAX_PAIRS {
            return None;
        }
        for share in &shares {
            open.extend(after(share, at).into_iter().filter(|&next| met.insert(next)));
        }
    }
    let mut met: Vec<P> = met.into_iter().collect();
    met.sort_unstable();
    Some(met)
}

/// Adds the implications that hold in all reachable pairs of two partners with these sizes.
fn add(met: impl Iterator<Item = [Fact; 2]>, sizes: [usize; 2], found: &mut Vec<PairInvariant>) {
    let mut beside: [BTreeMap<Fact, Vec<Fact>>; 2] = Default::default();
    for [one, other] in met {
        beside[0].entry(one).or_default().push(other);
        beside[1].entry(other).or_default().push(one);
    }
    let [n_first, n_second] = sizes;
    for (facts, n_others) in beside.into_iter().zip([n_second, n_first]) {
        let pair_invariants = facts.into_iter().map(|(fact, others)| PairInvariant { fact, others });
        found.extend(pair_invariants.filter(|pair_invariants| pair_invariants.others.len() < n_others));
    }
}

/// The successor of a node of a normal form; None if the label is not allowed, which is a violation.
fn follow(spec: &Lts, node: StateId, label: Label) -> Option<StateId> {
    if label == Label::TAU || spec.is_explicitly_divergent(node) {
        return Some(node);
    }
    spec.with_label(node, label).first().map(|edge| edge.target)
}
