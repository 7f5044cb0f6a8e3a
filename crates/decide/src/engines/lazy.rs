//! Claims about networks whose machines are made while they are searched.
//!
//! A network is searched with its machines as far as they are made. Where the search meets a local state that is not,
//! it is left, machines are made farther, and it goes on in the network that they make up then: what was met stays met,
//! and what was expanded is not expanded again. So searching costs as much as if all had been there from the beginning,
//! and machines get no larger than the search needs, by a factor.

use crate::answer::{NetworkAnswer, told, unknown};
use crate::observers::observer_of;
use crate::{Claim, Reason, Verdict};
use explore::{Check, Limits, Occupied, SuspendedSearch};
use hashbrown::{HashMap, HashSet};
use model::network::{Action, Jump, LocalState, MachineId, Mode, Network};
use progress::{Progress, Stop};
use std::sync::Arc;

/// Local states of machines whose edges are not known.
pub type OpenStates = Arc<[(MachineId, Vec<LocalState>)]>;

/// A network as far as it is made.
#[derive(Clone, Debug)]
pub struct LazyNetwork {
    /// In a configuration with an open state, a step goes wrong. It gives way to no other.
    pub network: Arc<Network>,
    /// The open states.
    pub open: OpenStates,
}

/// What became of a claim about a network with open machines.
#[derive(Debug)]
pub enum LazyAnswer {
    /// There is an answer.
    Decided(NetworkAnswer),
    /// Runs have to be compared, or the specification is too large to be written down.
    NotSearched,
    /// No more of the machines can be made, or states are too wide.
    NoMore,
}

/// Decides a claim on a network with open machines. `grow` makes machines farther: open states that were occupied, at
/// least, and perhaps others near them; nothing if it cannot.
///
/// # Errors
/// Those of `grow`.
pub fn decide_lazily<E>(
    claim: &Claim,
    mut network: LazyNetwork,
    limits: &Limits,
    progress: &dyn Progress,
    mut grow: impl FnMut(&[Occupied]) -> Result<Option<LazyNetwork>, E>,
) -> Result<LazyAnswer, E> {
    let Some(observer) = observer_of(claim, progress) else { return Ok(LazyAnswer::NotSearched) };
    if may_yield(&network.network) {
        return Ok(LazyAnswer::NoMore);
    }
    let mut left: Option<SuspendedSearch> = None;
    loop {
        let Ok(mut check) = Check::open(&network.network, &observer, left.take(), progress) else {
            return Ok(LazyAnswer::NoMore);
        };
        let answer = told(&observer, Some(check.run(limits, progress)));
        if answer.verdict != Verdict::Unknown(Reason::Open) {
            return Ok(LazyAnswer::Decided(answer));
        }
        // To go on, states may have to be written anew, beside those that are there.
        if check.memory().saturating_mul(2) > limits.max_memory {
            return Ok(LazyAnswer::Decided(unknown(Stop::MaxMemory.into())));
        }
        let occupied = check.occupied(&network.open);
        let searched = check.leave();
        let Some(grown) = grow(&occupied)? else { return Ok(LazyAnswer::NoMore) };
        left = searched.filter(|_| continues(&network, &grown.network));
        network = grown;
    }
}

/// Whether a step that goes wrong may give way to others: then nobody would notice that a state is open.
fn may_yield(network: &Network) -> bool {
    let Some(priority) = &network.priority else { return false };
    let wrong = network.modes.iter().flat_map(|mode| &mode.rules).filter(|rule| rule.command.is_some());
    let mut classes = wrong.filter_map(|rule| priority.class_of(rule.shows));
    classes.any(|class| priority.yields().any(|(weaker, _)| weaker == class))
}

/// Whether a network does in all configurations that were known what the one before did: everything has the number it
/// had, edges of states that were not open are the same, and each rule that was not there needs an action that was not
/// there either.
fn continues(before: &LazyNetwork, after: &Network) -> bool {
    let LazyNetwork { network, open } = before;
    let has_obstacles = !network.obstacles.is_empty() || !after.obstacles.is_empty();
    let initial = &network.initial;
    !has_obstacles
        && network.data.is_empty()
        && network.priority == after.priority
        && initial.mode == after.initial.mode
        && after.initial.locals.starts_with(&initial.locals)
        && after.initial.locals[initial.locals.len()..].iter().all(|local| local.index() == 0)
        && network.modes.len() <= after.modes.len()
        && machines_continue(network, open, after)
        && rules_continue(network, after)
}

fn machines_continue(before: &Network, open: &OpenStates, after: &Network) -> bool {
    let open: HashMap<usize, &[LocalState]> = open.iter().map(|(id, open)| (id.index(), open.as_slice())).collect();
    before.machines.iter().zip(&after.machines).enumerate().all(|(number, (old, new))| {
        let open: HashSet<LocalState> = open.get(&number).into_iter().flat_map(|open| open.iter().copied()).collect();
        let is_same = |state: LocalState| open.contains(&state) || old.edges(state) == new.edges(state);
        Arc::ptr_eq(old, new) || old.n_states() <= new.n_states() && old.states().all(is_same)
    })
}

/// What a rule does, without what goes wrong.
type Doing<'a> = (&'a [(MachineId, Action)], lts::Label, Option<&'a Jump>);

fn doings(mode: &Mode) -> HashSet<Doing<'_>> {
    let rules = mode.rules.iter().filter(|rule| rule.command.is_none());
    rules.map(|rule| (&*rule.parts, rule.shows, rule.jump.as_ref())).collect()
}

fn rules_continue(before: &Network, after: &Network) -> bool {
    let actions: Vec<HashSet<Action>> = before
        .machines
        .iter()
        .map(|machine| machine.states().flat_map(|state| machine.edges(state)).map(|edge| edge.action).collect())
        .collect();
    let is_new = |&(machine, action): &(MachineId, Action)| {
        actions.get(machine.index()).is_none_or(|actions| !actions.contains(&action))
    };
    before.modes.iter().zip(&after.modes).all(|(old, new)| {
        let (old, new) = (doings(old), doings(new));
        old.is_subset(&new) && new.difference(&old).all(|(parts, ..)| parts.iter().any(is_new))
    })
}
