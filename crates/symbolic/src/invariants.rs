//! What is always true of two machines, whatever the others do.
//!
//! Induction begins anywhere, also in states that no run gets to: a fork that is taken by nobody, say. Two machines that take part in the same
//! rules are looked at alone, every other machine being free to join whenever it is needed. Pairs of local states that are not
//! reached even so are reached by no run, and can be excluded everywhere.

use crate::Lit;
use crate::frame::Frame;
use hashbrown::{HashMap, HashSet};
use model::network::{Action, LocalState, MachineId, Network, Rule};

/// Two machines with more pairs of states than this are not looked at.
const MAX_PAIRS: usize = 20_000;

/// Two machines and a state of each that they are never in together.
pub(crate) struct Never {
    machines: [usize; 2],
    states: [LocalState; 2],
}

impl Never {
    /// The literals that are never true together.
    pub(crate) fn lits(&self, frame: &Frame) -> [Lit; 2] {
        [0, 1].map(|side| frame.locals[self.machines[side]][self.states[side].index()])
    }
}

/// All that is found about pairs of machines that have rules in common.
pub(crate) fn never_together(network: &Network) -> Vec<Never> {
    let rules: Vec<&Rule> = network.modes.iter().flat_map(|mode| &mode.rules).collect();
    let mut partners: HashSet<[usize; 2]> = HashSet::new();
    let mut rules_of: HashMap<usize, Vec<&Rule>> = HashMap::new();
    for rule in rules {
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
    let n_states = |place: usize| network.machines[place].n_states();
    let mut found = Vec::new();
    for pair in partners {
        if n_states(pair[0]) * n_states(pair[1]) > MAX_PAIRS {
            continue;
        }
        let met = reached(network, pair, &rules_of);
        let all =
            network.machines[pair[0]].states().flat_map(|x| network.machines[pair[1]].states().map(move |y| [x, y]));
        found.extend(all.filter(|states| !met.contains(states)).map(|states| Never { machines: pair, states }));
    }
    found
}

/// The pairs of states that two machines get to if all others help them.
fn reached(network: &Network, pair: [usize; 2], rules_of: &HashMap<usize, Vec<&Rule>>) -> HashSet<[LocalState; 2]> {
    let first = pair.map(|place| network.initial.locals[place]);
    let mut met = HashSet::from([first]);
    let mut open = vec![first];
    let rules: Vec<&Rule> = pair.iter().flat_map(|place| rules_of[place].iter().copied()).collect();
    while let Some(at) = open.pop() {
        for rule in &rules {
            let [left, right] = [0, 1].map(|side| after(network, rule, pair[side], at[side]));
            for &x in &left {
                open.extend(right.iter().map(|&y| [x, y]).filter(|&next| met.insert(next)));
            }
        }
    }
    met
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
