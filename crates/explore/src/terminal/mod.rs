//! The bottom strongly connected components of a network.
//!
//! A run that is fair to every step ends in one of them almost surely. Properties of such runs need the states and
//! steps of these components only, which are usually few. All other states are visited, and expanded once more
//! ([`search`]), but their steps are not stored.

mod search;

use crate::Limits;
use crate::explicit::{NotExplicit, visit_all};
use crate::graph::Numbered;
use crate::interruption::{Effort, Interruption};
use crate::levels::Levels;
use crate::network::NetworkSpace;
use crate::path::{path_to, steps_along};
use crate::shares::{BufferPool, share_range};
use crate::space::{Node, Space, Steps};
use crate::states::{Place, States};
use crate::store::Shard;
use crate::width::with_width;
use limits::effort::components::{DENSE_PART, MAX_SHARED, SPARSE_STATES};
use limits::intervals::polling::STATES_PER_POLL;
use limits::intervals::slices::SETTLED_PER_ROUND;
use lts::{Builder, Label, Lts, StateId, Transition};
use model::network::{Configuration, Network, NetworkStep};
use progress::{Progress, Statistics, Stop};
use search::{End, Search, Terminals};
use std::convert::Infallible;
use std::ops::{ControlFlow, Range};
use std::sync::{Mutex, RwLockReadGuard};

/// The states of bottom components by number.
pub struct TerminalStates<'a> {
    space: NetworkSpace<'a>,
    states: Box<dyn StoredStates + 'a>,
    statistics: Statistics,
}

impl TerminalStates<'_> {
    /// The statistics of the whole network, not only of its bottom components.
    pub fn statistics(&self) -> &Statistics {
        &self.statistics
    }

    /// The configuration of a state of the network.
    pub fn configuration(&self, state: StateId) -> Configuration {
        self.states.configuration(&self.space, state)
    }

    /// The length of a shortest run to a state.
    pub fn depth(&self, state: StateId) -> u64 {
        self.states.depth(state)
    }

    /// The steps of a shortest run to a state.
    pub fn steps_to(&self, state: StateId, n_workers: usize) -> Vec<NetworkStep> {
        self.states.steps_to(&self.space, state, n_workers)
    }
}

/// Computes the bottom components of a network; none if they are not much smaller than the network, or too expensive to
/// find. The initial state is an artificial one with the largest number, which leads to one state of each component by
/// a step with the label `entry`.
///
/// # Errors
/// As for [`crate::to_graph`].
pub fn to_terminal_graph<'a>(
    network: &'a Network,
    entry: Label,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Option<(Lts, TerminalStates<'a>)>, NotExplicit> {
    let space = NetworkSpace::within(network, &[], progress)?.0;
    let found = with_width!(space.n_words(), W => find::<W>(&space, entry, limits, progress));
    let found = found.map_err(NotExplicit::TooWide)??;
    Ok(found.map(|(lts, states, statistics)| (lts, TerminalStates { space, states, statistics })))
}

/// The stored states.
trait StoredStates {
    fn configuration(&self, space: &NetworkSpace<'_>, state: StateId) -> Configuration;
    fn depth(&self, state: StateId) -> u64;
    fn steps_to(&self, space: &NetworkSpace<'_>, state: StateId, n_workers: usize) -> Vec<NetworkStep>;
}

struct Terminal<const W: usize> {
    states: Numbered<W>,
    levels: Levels,
    /// The numbers of the component states among all states, in ascending order.
    numbers: Vec<u32>,
}

impl<const W: usize> Terminal<W> {
    fn number(&self, state: StateId) -> StateId {
        StateId(self.numbers[state.index()])
    }
}

impl<const W: usize> StoredStates for Terminal<W> {
    fn configuration(&self, space: &NetworkSpace<'_>, state: StateId) -> Configuration {
        space.unpack(&self.states.state(self.number(state)))
    }

    fn depth(&self, state: StateId) -> u64 {
        self.levels.depth(self.states.place(self.number(state)))
    }

    fn steps_to(&self, space: &NetworkSpace<'_>, state: StateId, n_workers: usize) -> Vec<NetworkStep> {
        let end = (self.states.place(self.number(state)), self.depth(state));
        let path = path_to(&self.states.states, &self.levels, space, end, n_workers);
        steps_along(space, space, &path)
    }
}

type Written<'a> = (Lts, Box<dyn StoredStates + 'a>, Statistics);

fn find<'a, const W: usize>(
    space: &NetworkSpace<'_>,
    entry: Label,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<Option<Written<'a>>, NotExplicit> {
    let crate::Search { states, levels, statistics, .. } = visit_all::<W>(space, limits, progress)?;
    let states = Numbered::new(states);
    let terminals = Terminals::new(states.len());
    let finder = Finder { space, states: &states, terminals, statistics, max_memory: limits.max_memory };
    let is_done = finder.settle_all(limits.n_workers, progress).map_err(NotExplicit::Stopped)?;
    if !is_done {
        return Ok(None);
    }
    let components = finder.terminals.into_components();
    let mut numbers = components.concat();
    numbers.sort_unstable();
    let entries = components.iter().map(|component| component[0]);
    let keep_on = || match progress.tick(&statistics) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(why) => Err(NotExplicit::Stopped(why.into())),
    };
    let lts = write(space, &states, &numbers, entries, entry, keep_on)?;
    Ok(Some((lts, Box::new(Terminal { states, levels, numbers }), statistics)))
}

/// Computes the steps of some states, which must be closed under steps.
fn write<const W: usize>(
    space: &NetworkSpace<'_>,
    states: &Numbered<W>,
    numbers: &[u32],
    entries: impl Iterator<Item = u32>,
    entry: Label,
    keep_on: impl Fn() -> Result<(), NotExplicit>,
) -> Result<Lts, NotExplicit> {
    let place = |number: u32| StateId(numbers.binary_search(&number).expect("nothing leads away") as u32);
    let mut builder = Builder::new();
    let (mut steps, mut written) = (Steps::new(), Vec::new());
    for (state, &number) in (0..).map(StateId).zip(numbers) {
        if state.index().is_multiple_of(STATES_PER_POLL) {
            keep_on()?;
        }
        steps.clear();
        _ = space.expand(Node::of(&states.state(StateId(number))), &mut (), &mut steps);
        written.clear();
        written.extend(steps.iter().map(|step| {
            let target = states.states.find(&step.target).expect("a search without findings met all states");
            Transition { label: step.label, target: place(states.number(target).0) }
        }));
        written.sort_unstable();
        builder.add_state(state);
        builder.add_all(state, &written);
    }
    let begin = StateId(numbers.len() as u32);
    entries.for_each(|number| builder.add(begin, entry, place(number)));
    Ok(builder.finish(begin))
}

struct Finder<'a, const W: usize> {
    space: &'a NetworkSpace<'a>,
    states: &'a Numbered<W>,
    terminals: Terminals,
    statistics: Statistics,
    max_memory: u64,
}

/// Buffers of a worker.
struct Buffers<const W: usize> {
    search: Search,
    steps: Steps<W>,
}

impl<const W: usize> Default for Buffers<W> {
    fn default() -> Self {
        Buffers { search: Search::default(), steps: Steps::new() }
    }
}

impl<const W: usize> Finder<'_, W> {
    /// Settles all states; false if the searches would need too much memory.
    fn settle_all(&self, n_workers: usize, progress: &dyn Progress) -> Result<bool, Stop> {
        let n_states = self.states.len();
        let pool = BufferPool::default();
        let most = (n_states / DENSE_PART).max(SPARSE_STATES);
        let keep_on = |statistics: &Statistics| match progress.tick(statistics) {
            ControlFlow::Continue(()) if statistics.memory > self.max_memory => Err(Stop::MaxMemory),
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(why) => Err(why.into()),
        };
        let settle_alone = |number: u32| {
            let all = self.states.states.read_all();
            let keep_on = |search: &Search| {
                keep_on(&Statistics { memory: self.statistics.memory + search.memory(), ..self.statistics })
            };
            pool.with_one(Buffers::default, |buffers| self.settle(&all, buffers, number, most, keep_on))
        };
        let interruption = Interruption::new(progress);
        for first in (0..n_states).step_by(SETTLED_PER_ROUND) {
            keep_on(&self.statistics)?;
            // Without settled nodes the first search is long.
            if first == 0 && settle_alone(0)? == End::TooLong {
                return Ok(false);
            }
            let remaining = Mutex::new(Vec::new());
            share_range(n_workers, SETTLED_PER_ROUND.min(n_states - first), |range| {
                let numbers = range.start + first..range.end + first;
                pool.with_one(Buffers::default, |buffers| {
                    self.settle_some(buffers, numbers, &remaining, &interruption)
                });
            });
            if let Some(why) = interruption.why() {
                return Err(why.into());
            }
            for number in remaining.into_inner().expect("no worker has panicked") {
                if !self.terminals.is_settled(number) && settle_alone(number)? == End::TooLong {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }

    /// Settles some states; leaves those whose search is too long, and the rest after cancellation.
    fn settle_some(
        &self,
        buffers: &mut Buffers<W>,
        numbers: Range<usize>,
        remaining: &Mutex<Vec<u32>>,
        interruption: &Interruption<'_>,
    ) {
        let all = self.states.states.read_all();
        let costs = Space::<W>::costs(self.space);
        let mut effort = Effort::default();
        for number in numbers.map(|number| number as u32) {
            if !self.terminals.is_settled(number) {
                let Ok(end) = self.settle::<Infallible>(&all, buffers, number, MAX_SHARED, |_| Ok(()));
                if end == End::TooLong {
                    remaining.lock().expect("no worker has panicked").push(number);
                }
                let (n_met, n_found) = buffers.search.size();
                if interruption.is_over_after(&mut effort, n_met * costs.state + n_found * costs.step) {
                    return;
                }
            }
        }
    }

    fn settle<E>(
        &self,
        all: &[RwLockReadGuard<'_, Shard<W>>],
        Buffers { search, steps }: &mut Buffers<W>,
        number: u32,
        most: usize,
        keep_on: impl FnMut(&Search) -> Result<(), E>,
    ) -> Result<End, E> {
        let arrows = |number: u32, targets: &mut Vec<u32>| {
            let place = self.states.place(StateId(number));
            let state = all[place.shard()].state(place.number());
            steps.clear();
            _ = self.space.expand(Node::of(state), &mut (), steps);
            steps.iter().filter(|step| step.target != *state).any(|step| {
                let shard = States::shard_of(&step.target);
                let found = all[shard].find(&step.target).expect("a search without findings met all states");
                let target = self.states.number(Place::new(shard, found));
                targets.push(target.0);
                self.terminals.is_settled(target.0)
            })
        };
        self.terminals.settle(search, number, most, arrows, keep_on)
    }
}
