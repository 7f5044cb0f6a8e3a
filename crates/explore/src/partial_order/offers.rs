//! Enabled actions of the local states of a machine, with their dependencies.

use super::commute::Commuting;
use super::ranks::ranks;
use limits::effort::partial_order::{MAX_NEAR, MAX_RIVALS};
use lts::Label;
use model::network::{Action, Edge, LocalState, Machine, Network};
use std::collections::HashMap;
use std::sync::Arc;

/// The offers of a machine.
#[derive(Debug)]
pub(super) struct Offers {
    /// The actions in order; their positions are their numbers.
    actions: Vec<Action>,
    /// The start of the offers of each state.
    starts: Vec<u32>,
    /// The offers, sorted by action within each state.
    offers: Vec<Offer>,
    rivals: Vec<u32>,
}

/// An action that is enabled in a local state.
#[derive(Clone, Copy, Debug)]
pub(super) struct Offer {
    pub(super) action: u32,
    pub(super) direction: Direction,
    /// Whether an edge leads to another state.
    pub(super) moves: bool,
    /// The actions that may interfere with it; none for all actions that the state offers.
    rivals: Option<(u32, u32)>,
}

/// The change of rank by an action.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Direction {
    /// The state stays unchanged.
    Stays,
    /// All edges decrease the rank.
    Down,
    /// An edge may increase the rank.
    Up,
}

/// The remaining effort for all machines of a network together, in pairs of edges and edges near a state. Machines with
/// hundreds of actions in each state would exceed any reasonable time; fewer known commutations are always sound.
pub(super) struct Effort(usize);

impl Effort {
    const ALL: Effort = Effort(1 << 24);

    /// Spends effort; false if less remains.
    pub(super) fn spend(&mut self, n: usize) -> bool {
        let left = self.0.checked_sub(n);
        self.0 = left.unwrap_or(self.0);
        left.is_some()
    }
}

/// The offers of all machines, and the order of machines in which ranks are compared. Equal machines that are used in
/// equal ways share their offers.
pub(super) fn of_network(network: &Network, is_unseen: &dyn Fn(Label) -> bool) -> (Vec<Arc<Offers>>, Vec<u32>) {
    let mut unseen: Vec<Vec<Action>> = vec![Vec::new(); network.machines.len()];
    for rule in network.modes.iter().flat_map(|mode| &mode.rules) {
        if rule.jump.is_none() && is_unseen(rule.shows) {
            rule.parts.iter().for_each(|&(machine, action)| unseen[machine.index()].push(action));
        }
    }
    let mut known: HashMap<(*const Machine, Vec<Action>), Arc<Offers>> = HashMap::new();
    let mut effort = Effort::ALL;
    let mut offers = |machine: &Arc<Machine>, mut unseen: Vec<Action>| {
        unseen.sort_unstable();
        unseen.dedup();
        let offers = known.entry((Arc::as_ptr(machine), unseen));
        offers.or_insert_with_key(|(_, unseen)| Arc::new(Offers::of(machine, unseen, &mut effort))).clone()
    };
    let machines: Vec<Arc<Offers>> =
        network.machines.iter().zip(unseen).map(|(machine, unseen)| offers(machine, unseen)).collect();
    // A process returns to its initial state by one edge of many, a variable by every second one. Machines with a small
    // share of rank-increasing edges come first.
    let mut order: Vec<u32> = (0..machines.len() as u32).collect();
    let ups: Vec<f64> = machines.iter().map(|offers| offers.share_of_ups()).collect();
    order.sort_by(|&one, &two| ups[one as usize].total_cmp(&ups[two as usize]));
    (machines, order)
}

impl Offers {
    /// The offers of a machine; only steps of the actions `alone`, given in order, may be taken alone.
    fn of(machine: &Machine, alone: &[Action], effort: &mut Effort) -> Offers {
        let is_alone = |action: Action| alone.binary_search(&action).is_ok();
        let ranks = ranks(machine, &is_alone);
        let mut actions: Vec<Action> =
            machine.states().flat_map(|state| machine.edges(state)).map(|edge| edge.action).collect();
        actions.sort_unstable();
        actions.dedup();
        let commuting = Commuting::of(machine, &actions, effort);
        let mut offers = Offers { actions, starts: vec![0], offers: Vec::new(), rivals: Vec::new() };
        for state in machine.states() {
            for edges in machine.edges(state).chunk_by(|a, b| a.action == b.action) {
                let action = offers.number(edges[0].action).expect("all actions have numbers");
                let direction = direction(state, edges, &ranks);
                let moves = edges.iter().any(|edge| edge.target != state);
                let rivals = commuting.as_ref().and_then(|commuting| {
                    let near = offers.find_rivals(machine, commuting, (state, action), effort)?;
                    let start = offers.rivals.len() as u32;
                    offers.rivals.extend(near);
                    Some((start, offers.rivals.len() as u32))
                });
                offers.offers.push(Offer { action, direction, moves, rivals });
            }
            offers.starts.push(offers.offers.len() as u32);
        }
        offers
    }

    /// The actions that do not commute with one action and are enabled now or after commuting actions; none if the
    /// effort is exceeded.
    fn find_rivals(
        &self,
        machine: &Machine,
        commuting: &Commuting,
        (state, action): (LocalState, u32),
        effort: &mut Effort,
    ) -> Option<Vec<u32>> {
        let (mut near, mut rivals) = (vec![state], Vec::new());
        let mut next = 0;
        while let Some(&state) = near.get(next) {
            next += 1;
            if !effort.spend(machine.edges(state).len()) {
                return None;
            }
            for edge in machine.edges(state) {
                let other = self.number(edge.action).expect("all actions have numbers");
                if !commuting.commutes(action, other) {
                    rivals.push(other);
                } else if !near.contains(&edge.target) {
                    near.push(edge.target);
                }
            }
            if near.len() > MAX_NEAR || self.rivals.len() + rivals.len() > MAX_RIVALS {
                return None;
            }
        }
        rivals.sort_unstable();
        rivals.dedup();
        Some(rivals)
    }

    fn share_of_ups(&self) -> f64 {
        let n = |direction: Direction| self.offers.iter().filter(|offer| offer.direction == direction).count() as f64;
        let (n_ups, n_downs) = (n(Direction::Up), n(Direction::Down));
        n_ups / (n_ups + n_downs).max(1.0)
    }

    pub(super) fn n_actions(&self) -> usize {
        self.actions.len()
    }

    /// The number of an action, if the machine has it.
    pub(super) fn number(&self, action: Action) -> Option<u32> {
        self.actions.binary_search(&action).ok().map(|place| place as u32)
    }

    /// The offers of a state.
    #[inline]
    pub(super) fn at(&self, state: u32) -> &[Offer] {
        &self.offers[self.starts[state as usize] as usize..self.starts[state as usize + 1] as usize]
    }

    /// The offer of an action in a state.
    #[inline]
    pub(super) fn find(&self, state: u32, action: u32) -> Option<&Offer> {
        let offers = self.at(state);
        offers.binary_search_by_key(&action, |offer| offer.action).ok().map(|place| &offers[place])
    }

    /// Calls `act` with each action that may interfere with an offer of a state.
    #[inline]
    pub(super) fn for_each_rival(&self, state: u32, offer: &Offer, mut act: impl FnMut(u32)) {
        match offer.rivals {
            Some((start, end)) => self.rivals[start as usize..end as usize].iter().for_each(|&rival| act(rival)),
            None => self.at(state).iter().for_each(|offer| act(offer.action)),
        }
    }
}

/// The change of rank by the edges of one action.
fn direction(state: LocalState, edges: &[Edge], ranks: &[u32]) -> Direction {
    let rank = |state: LocalState| ranks[state.index()];
    if edges.iter().all(|edge| edge.target == state) {
        Direction::Stays
    } else if edges.iter().all(|edge| rank(edge.target) < rank(state)) {
        Direction::Down
    } else {
        Direction::Up
    }
}
