//! Overapproximation of the reachable local states and rules.
//!
//! A script often defines more behavior of a component than its partners use: a fork that every philosopher may take,
//! a variable with values that are never written. Starting from the initial states, a machine offers the actions of its
//! reached states, a rule is possible when all its actions are offered, and then its edges reach further states. This
//! least fixed point ignores conditions on variables. What it does not reach needs no bits in packed states, and no
//! instances.

use crate::interruption::{Effort, Interruption};
use limits::effort::instances::WORK_PER_EVENT;
use model::network::{Action, LocalState, Network, Rule};
use progress::Interrupt;

/// The potentially reachable part of a network.
#[derive(Debug)]
pub(super) struct Trimmed {
    /// The local states of each machine, in ascending order.
    pub(super) locals: Vec<Vec<u32>>,
    /// For each mode, whether each of its rules is possible.
    pub(super) rules: Vec<Vec<bool>>,
}

/// Computes the potentially reachable part.
///
/// # Errors
/// If it is cancelled.
pub(super) fn trim(network: &Network, interruption: &Interruption<'_>) -> Result<Trimmed, Interrupt> {
    let mut effort = Effort::default();
    let offers = Offers::of(network);
    let mut trimming = Trimming::new(network, &offers);
    for (machine, local) in network.initial.locals.iter().enumerate() {
        trimming.reach(machine, local.0);
    }
    trimming.begin_alone();
    while let Some(event) = trimming.events.pop() {
        interruption.keep_on(&mut effort, WORK_PER_EVENT)?;
        match event {
            Event::Reached(machine, local) => trimming.offer_actions(machine, local),
            Event::Possible(rule) => trimming.follow(rule),
        }
    }
    Ok(trimming.finish())
}

/// A numbering of the actions of each machine.
struct Offers {
    /// The actions of all machines, concatenated and sorted within each machine.
    actions: Vec<Action>,
    /// The start of the actions of each machine.
    starts: Vec<usize>,
}

impl Offers {
    fn of(network: &Network) -> Offers {
        let mut offers = Offers { actions: Vec::new(), starts: vec![0] };
        for machine in &network.machines {
            let mut actions = Vec::new();
            let mut n_different = 0;
            for state in machine.states() {
                actions.extend(machine.edges(state).iter().map(|edge| edge.action));
                // Most edges repeat an action, so duplicates are removed on the way.
                if actions.len() > 2 * n_different + 1024 {
                    sort_and_deduplicate(&mut actions);
                    n_different = actions.len();
                }
            }
            sort_and_deduplicate(&mut actions);
            offers.actions.append(&mut actions);
            offers.starts.push(offers.actions.len());
        }
        offers
    }

    /// The number of an action, if the machine has it.
    fn number(&self, machine: usize, action: Action) -> Option<usize> {
        let start = self.starts[machine];
        self.actions[start..self.starts[machine + 1]].binary_search(&action).ok().map(|place| start + place)
    }
}

fn sort_and_deduplicate(actions: &mut Vec<Action>) {
    actions.sort_unstable();
    actions.dedup();
}

enum Event {
    Reached(usize, u32),
    /// A possible rule, by its position among all rules.
    Possible(usize),
}

/// The status of an action of a machine.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ActionStatus {
    Unknown,
    /// A reached state has it.
    Offered,
    /// A possible rule uses it.
    Taken,
}

struct Trimming<'a> {
    network: &'a Network,
    offers: &'a Offers,
    rules: Vec<&'a Rule>,
    /// The actions of all rules, concatenated; and the start of each rule.
    used: Vec<u32>,
    starts: Vec<u32>,
    /// The number of actions of each rule that are not offered yet.
    n_missing: Vec<u32>,
    reached: Vec<Vec<bool>>,
    events: Vec<Event>,
    /// The status of each action of each machine.
    statuses: Vec<ActionStatus>,
    users: Lists,
    /// The targets of edges whose action is offered, but not taken yet.
    targets: Lists,
}

impl<'a> Trimming<'a> {
    fn new(network: &'a Network, offers: &'a Offers) -> Trimming<'a> {
        let rules: Vec<&Rule> = network.modes.iter().flat_map(|mode| &mode.rules).collect();
        let n_parts = rules.iter().map(|rule| rule.parts.len()).sum();
        let mut users = Lists::new(offers.actions.len(), n_parts);
        let (mut used, mut starts) = (Vec::with_capacity(n_parts), Vec::with_capacity(rules.len()));
        for (number, rule) in (0..).zip(&rules) {
            starts.push(used.len() as u32);
            for &(machine, action) in &rule.parts {
                let offer = offers.number(machine.index(), action);
                offer.into_iter().for_each(|offer| users.add(offer, number));
                used.push(offer.map_or(END, |offer| offer as u32));
            }
        }
        Trimming {
            network,
            offers,
            n_missing: rules.iter().map(|rule| rule.parts.len() as u32).collect(),
            rules,
            used,
            starts,
            reached: network.machines.iter().map(|machine| vec![false; machine.n_states()]).collect(),
            events: Vec::new(),
            statuses: vec![ActionStatus::Unknown; offers.actions.len()],
            users,
            targets: Lists::new(offers.actions.len(), 0),
        }
    }

    fn reach(&mut self, machine: usize, local: u32) {
        if !std::mem::replace(&mut self.reached[machine][local as usize], true) {
            self.events.push(Event::Reached(machine, local));
        }
    }

    /// Marks rules without participants as possible.
    fn begin_alone(&mut self) {
        let is_alone = |number: &usize| self.n_missing[*number] == 0;
        self.events.extend((0..self.rules.len()).filter(is_alone).map(Event::Possible));
    }

    /// Offers the actions of a reached state, and follows its edges with taken actions.
    fn offer_actions(&mut self, machine: usize, local: u32) {
        let network = self.network;
        for edge in network.machines[machine].edges(LocalState(local)) {
            let offer = self.offers.number(machine, edge.action).expect("all actions have numbers");
            if self.statuses[offer] == ActionStatus::Taken {
                self.reach(machine, edge.target.0);
                continue;
            }
            self.targets.add(offer, edge.target.0);
            if self.statuses[offer] == ActionStatus::Unknown {
                self.statuses[offer] = ActionStatus::Offered;
                for rule in self.users.take(offer) {
                    self.n_missing[rule as usize] -= 1;
                    if self.n_missing[rule as usize] == 0 {
                        self.events.push(Event::Possible(rule as usize));
                    }
                }
            }
        }
    }

    /// Takes the actions of a possible rule.
    fn follow(&mut self, number: usize) {
        let rule = self.rules[number];
        for (place, &(machine, _)) in rule.parts.iter().enumerate() {
            let offer = self.used[self.starts[number] as usize + place] as usize;
            self.statuses[offer] = ActionStatus::Taken;
            for target in self.targets.take(offer) {
                self.reach(machine.index(), target);
            }
        }
        for &(machine, local) in rule.jump.iter().flat_map(|jump| &jump.resets) {
            self.reach(machine.index(), local.0);
        }
    }

    fn finish(self) -> Trimmed {
        let of_machine =
            |reached: &Vec<bool>| (0..).zip(reached).filter(|(_, is)| **is).map(|(local, _)| local).collect();
        let mut is_possible = self.n_missing.iter().map(|&n_missing| n_missing == 0);
        let of_mode = |n_rules: usize| is_possible.by_ref().take(n_rules).collect();
        Trimmed {
            locals: self.reached.iter().map(of_machine).collect(),
            rules: self.network.modes.iter().map(|mode| mode.rules.len()).map(of_mode).collect(),
        }
    }
}

/// Linked lists in one array.
struct Lists {
    /// The last item of each list.
    heads: Vec<u32>,
    /// Items, each with its predecessor.
    items: Vec<(u32, u32)>,
}

const END: u32 = u32::MAX;

impl Lists {
    fn new(n_lists: usize, n_items: usize) -> Lists {
        Lists { heads: vec![END; n_lists], items: Vec::with_capacity(n_items) }
    }

    fn add(&mut self, list: usize, item: u32) {
        self.items.push((item, self.heads[list]));
        self.heads[list] = self.items.len() as u32 - 1;
    }

    /// Empties a list.
    fn take(&mut self, list: usize) -> Vec<u32> {
        let mut next = std::mem::replace(&mut self.heads[list], END);
        let mut taken = Vec::new();
        while next != END {
            let (item, before) = self.items[next as usize];
            taken.push(item);
            next = before;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::Label;
    use model::network::{Configuration, Edge, Machine, MachineId, Mode};
    use progress::NoProgress;
    use std::sync::Arc;

    #[test]
    fn unreachable_parts_are_removed() {
        let edge = |action: u32, target: u32| Edge { action: Action(action), target: LocalState(target) };
        // Five philosophers may take it; only the third one does.
        let fork = Machine::new((0..6).map(|state| match state {
            0 => (1..6).map(|by| edge(by, by)).collect(),
            by => vec![edge(by + 10, 0)],
        }));
        let third = Machine::new([vec![edge(3, 1)], vec![edge(13, 0)], vec![edge(4, 0)]]);
        let rule = |action: u32| Rule::new([(MachineId(0), Action(action)), (MachineId(1), Action(action))], Label(2));
        let rules = vec![rule(3), rule(4), rule(13), rule(14)];
        let network = Network {
            machines: vec![Arc::new(fork), Arc::new(third)],
            modes: vec![Mode { rules }],
            initial: Configuration { locals: vec![LocalState(0); 2], ..Configuration::default() },
            priority: None,
            ..Network::default()
        };
        let trimmed = trim(&network, &Interruption::new(&NoProgress)).expect("it is never cancelled");
        assert_eq!(trimmed.locals, [vec![0, 3], vec![0, 1]]);
        assert_eq!(trimmed.rules, [[true, false, true, false]]);
    }
}
