//! Breadth-first search on any number of workers, with one result for all of them.
//!
//! States belong to one of a fixed number of shards by their hash. The search goes level by level and takes a level in
//! rounds. In the first half of a round the workers expand the next few thousand states, each its own range of them, and
//! sort the successors by shard; in the second half each worker takes some of the shards and adds what arrived there,
//! range by range. The order in which a shard meets new states is therefore the order of their discovery, whoever did
//! the work, and so are their numbers, the levels, and the first violation.

use crate::space::{Space, Steps, Verdict};
use crate::store::{MAX_STATES, NUMBER_BITS, Shard, hash};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex, RwLock};

const N_SHARDS: usize = 64;
/// States expanded in one round by each worker.
const ROUND: usize = 2048;

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Workers, at least one.
    pub n_workers: usize,
    /// States to store at most.
    pub max_states: u64,
    /// Bytes to take at most.
    pub max_memory: u64,
}

/// How far a search is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Different states met.
    pub n_states: u64,
    /// Steps of the states expanded.
    pub n_transitions: u64,
    /// Levels finished: the number of steps to the states being expanded.
    pub depth: u64,
    /// States met and not expanded yet.
    pub n_waiting: u64,
    /// Bytes taken by the states.
    pub memory: u64,
}

/// Hears how far a search is every few thousand states, and may end it.
pub trait Progress: Sync {
    /// Called from one worker at a time.
    fn tick(&self, statistics: &Statistics) -> ControlFlow<()>;
}

/// Why a search ended early.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// Asked to by the progress.
    Interrupted,
    /// Too many states.
    MaxStates,
    /// Too much memory.
    MaxMemory,
}

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Every reachable state was expanded and nothing was found.
    Exhausted,
    /// The space found what it looks for.
    Found(Found),
    /// Not everything was looked at.
    Stopped(Stop),
}

/// A state that the space said something of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// What the space said.
    pub what: u32,
    /// Where the state is kept.
    pub place: Place,
    /// How many steps lead there.
    pub depth: u64,
}

/// Where a state is kept: its shard, and its number there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Place(u32);

impl Place {
    fn new(shard: usize, number: usize) -> Place {
        Place((shard << NUMBER_BITS | number) as u32)
    }

    pub(crate) fn shard(self) -> usize {
        (self.0 >> NUMBER_BITS) as usize
    }

    pub(crate) fn number(self) -> usize {
        (self.0 & ((1 << NUMBER_BITS) - 1)) as usize
    }
}

/// A search, and after it everything it met.
#[derive(Debug)]
pub struct Search<const W: usize> {
    shards: Vec<RwLock<Shard<W>>>,
    /// For each level, the number of states that each shard held before it.
    levels: Vec<[u32; N_SHARDS]>,
    /// What the search did.
    pub statistics: Statistics,
}

/// What one worker made in the first half of a round.
struct Desk<const W: usize> {
    /// Successors on their way to each shard.
    parcels: Vec<Vec<[u64; W]>>,
    n_transitions: u64,
    /// The first state of its range that the space said something of, by its position in the level.
    found: Option<(usize, u32)>,
    steps: Steps<W>,
}

impl<const W: usize> Default for Search<W> {
    fn default() -> Self {
        let shards = (0..N_SHARDS).map(|_| RwLock::new(Shard::default())).collect();
        Search { shards, levels: Vec::new(), statistics: Statistics::default() }
    }
}

fn shard_of(hash: u64) -> usize {
    (hash >> 58) as usize
}

impl<const W: usize> Search<W> {
    /// Walks everything reachable, or up to what the space looks for, or a limit.
    pub fn run(&mut self, space: &impl Space<W>, limits: &Limits, progress: &dyn Progress) -> Outcome {
        let initial = space.initial();
        let first = hash(&initial);
        self.shards[shard_of(first)].get_mut().expect("no worker has panicked").insert(&initial, first);
        self.statistics.n_states = 1;
        self.levels.push([0; N_SHARDS]);
        loop {
            let level = self.next_level();
            if level.len() == 0 {
                return Outcome::Exhausted;
            }
            if let Some(outcome) = self.expand_level(space, &level, limits, progress) {
                return outcome;
            }
            self.statistics.depth += 1;
            self.levels.push(level.ends);
        }
    }

    /// The states met in the last level and not expanded.
    fn next_level(&self) -> Level {
        let starts = *self.levels.last().expect("the first level is there");
        let mut ends = [0; N_SHARDS];
        for (end, shard) in ends.iter_mut().zip(&self.shards) {
            *end = shard.read().expect("no worker has panicked").len() as u32;
        }
        Level { starts, ends }
    }

    fn expand_level(
        &mut self,
        space: &impl Space<W>,
        level: &Level,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Option<Outcome> {
        let n_workers = limits.n_workers.max(1);
        if n_workers == 1 || level.len() < ROUND {
            return self.expand_level_alone(space, level, limits, progress);
        }
        let desks: Vec<Mutex<Desk<W>>> = (0..n_workers).map(|_| Mutex::new(Desk::new())).collect();
        let barrier = Barrier::new(n_workers);
        let ended = AtomicBool::new(false);
        let shared = Mutex::new((std::mem::take(&mut self.statistics), None));
        let shards = &self.shards;
        std::thread::scope(|scope| {
            for worker in 0..n_workers {
                let (desks, barrier, ended, shared) = (&desks, &barrier, &ended, &shared);
                scope.spawn(move || {
                    let mut round = 0;
                    while round < level.len() && !ended.load(Ordering::Acquire) {
                        let start = (round + worker * ROUND).min(level.len());
                        let end = (start + ROUND).min(level.len());
                        desks[worker].lock().expect("no worker has panicked").expand(space, shards, level, start, end);
                        barrier.wait();
                        for shard in (worker..N_SHARDS).step_by(n_workers) {
                            deliver(&shards[shard], shard, desks);
                        }
                        // Everything of this round is stored; one worker sums up while the others wait.
                        if barrier.wait().is_leader() {
                            let mut shared = shared.lock().expect("no worker has panicked");
                            let waiting = level.len().saturating_sub(round + n_workers * ROUND);
                            let (statistics, outcome) = &mut *shared;
                            *outcome = sum_up(desks, shards, level, waiting, statistics, limits, progress);
                            ended.store(outcome.is_some(), Ordering::Release);
                        }
                        barrier.wait();
                        round += n_workers * ROUND;
                    }
                });
            }
        });
        let (statistics, outcome) = shared.into_inner().expect("no worker has panicked");
        self.statistics = statistics;
        outcome.map(|outcome| self.with_depth(outcome))
    }

    fn expand_level_alone(
        &mut self,
        space: &impl Space<W>,
        level: &Level,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Option<Outcome> {
        let desks = [Mutex::new(Desk::new())];
        for start in (0..level.len()).step_by(ROUND) {
            let end = (start + ROUND).min(level.len());
            desks[0].lock().expect("no worker has panicked").expand(space, &self.shards, level, start, end);
            for (number, shard) in self.shards.iter().enumerate() {
                deliver(shard, number, &desks);
            }
            let waiting = level.len() - end;
            let outcome = sum_up(&desks, &self.shards, level, waiting, &mut self.statistics, limits, progress);
            if let Some(outcome) = outcome {
                return Some(self.with_depth(outcome));
            }
        }
        None
    }

    fn with_depth(&self, outcome: Outcome) -> Outcome {
        match outcome {
            Outcome::Found(found) => Outcome::Found(Found { depth: self.statistics.depth, ..found }),
            other => other,
        }
    }

    /// How many states were met.
    pub fn n_states(&self) -> u64 {
        self.shards.iter().map(|shard| shard.read().expect("no worker has panicked").len() as u64).sum()
    }

    /// How many levels were expanded to their end.
    pub fn n_levels(&self) -> u64 {
        self.levels.len() as u64 - 1
    }

    /// The states of a level that was expanded to its end, in order.
    pub fn level(&self, depth: u64) -> impl Iterator<Item = Place> + use<W> {
        let depth = depth as usize;
        let level = Level { starts: self.levels[depth], ends: self.levels[depth + 1] };
        (0..N_SHARDS).flat_map(move |shard| {
            (level.starts[shard]..level.ends[shard]).map(move |number| Place::new(shard, number as usize))
        })
    }

    /// The state kept at a place.
    pub fn state(&self, place: Place) -> [u64; W] {
        *self.shards[place.shard()].read().expect("no worker has panicked").state(place.number())
    }

    /// Where a state is kept; if it was not met, now it is, but in no level.
    pub fn insert(&mut self, state: &[u64; W]) -> Place {
        let hash = hash(state);
        let shard = shard_of(hash);
        let number = self.shards[shard].get_mut().expect("no worker has panicked").insert(state, hash);
        Place::new(shard, number)
    }

    /// The states on a shortest way to a state that `depth` steps lead to, the first and the last included.
    ///
    /// States do not remember where they came from: each level is expanded again until the next state of the way turns up,
    /// which costs at most as much as the search did.
    pub fn path_to(&self, space: &impl Space<W>, place: Place, depth: u64) -> Vec<[u64; W]> {
        let mut path = vec![self.state(place)];
        let mut steps = Steps::new();
        for depth in (0..depth).rev() {
            let target = path[path.len() - 1];
            let parent = self.level(depth).map(|place| self.state(place)).find(|state| {
                steps.clear();
                space.expand(state, &mut steps);
                steps.iter().any(|step| step.target == target)
            });
            path.push(parent.expect("a state of one level is a successor of the level before"));
        }
        path.reverse();
        path
    }
}

/// The states of one level: a range of numbers in each shard.
struct Level {
    starts: [u32; N_SHARDS],
    ends: [u32; N_SHARDS],
}

impl Level {
    fn len(&self) -> usize {
        self.starts.iter().zip(&self.ends).map(|(start, end)| (end - start) as usize).sum()
    }

    /// Shard and number of the state at a position of the level.
    fn place(&self, mut position: usize) -> (usize, usize) {
        for (shard, (&start, &end)) in self.starts.iter().zip(&self.ends).enumerate() {
            let length = (end - start) as usize;
            if position < length {
                return (shard, start as usize + position);
            }
            position -= length;
        }
        unreachable!("positions are below the length of the level")
    }
}

impl<const W: usize> Desk<W> {
    fn new() -> Desk<W> {
        let parcels = (0..N_SHARDS).map(|_| Vec::new()).collect();
        Desk { parcels, n_transitions: 0, found: None, steps: Vec::new() }
    }

    /// Expands the states of a level from position `start` up to `end`.
    fn expand(&mut self, space: &impl Space<W>, shards: &[RwLock<Shard<W>>], level: &Level, start: usize, end: usize) {
        for parcel in &mut self.parcels {
            parcel.clear();
        }
        let mut position = start;
        while position < end {
            let (shard, first) = level.place(position);
            let last = (level.ends[shard] as usize).min(first + end - position);
            let states = shards[shard].read().expect("no worker has panicked");
            for number in first..last {
                let state = *states.state(number);
                self.expand_state(space, &state, position + number - first);
            }
            position += last - first;
        }
    }

    fn expand_state(&mut self, space: &impl Space<W>, state: &[u64; W], position: usize) {
        self.steps.clear();
        if let Verdict::Found(what) = space.expand(state, &mut self.steps) {
            self.found.get_or_insert((position, what));
        }
        self.n_transitions += self.steps.len() as u64;
        for step in &self.steps {
            self.parcels[shard_of(hash(&step.target))].push(step.target);
        }
    }
}

/// Adds to a shard what all workers have for it.
fn deliver<const W: usize>(shard: &RwLock<Shard<W>>, number: usize, desks: &[Mutex<Desk<W>>]) {
    let mut shard = shard.write().expect("no worker has panicked");
    for desk in desks {
        // Parcels are only read between two rounds, so workers can look at each other's desks in turn.
        let parcel = std::mem::take(&mut desk.lock().expect("no worker has panicked").parcels[number]);
        shard.insert_all(&parcel);
        desk.lock().expect("no worker has panicked").parcels[number] = parcel;
    }
}

/// After a round: adds up, reports, and tells whether the search is over.
fn sum_up<const W: usize>(
    desks: &[Mutex<Desk<W>>],
    shards: &[RwLock<Shard<W>>],
    level: &Level,
    n_unexpanded: usize,
    statistics: &mut Statistics,
    limits: &Limits,
    progress: &dyn Progress,
) -> Option<Outcome> {
    let mut found: Option<(usize, u32)> = None;
    for desk in desks {
        let mut desk = desk.lock().expect("no worker has panicked");
        statistics.n_transitions += std::mem::take(&mut desk.n_transitions);
        found = found.into_iter().chain(desk.found.take()).min();
    }
    let mut fullest = 0;
    (statistics.n_states, statistics.memory) = (0, 0);
    for shard in shards {
        let shard = shard.read().expect("no worker has panicked");
        statistics.n_states += shard.len() as u64;
        statistics.memory += shard.memory() as u64;
        fullest = fullest.max(shard.len());
    }
    let n_in_level: u64 = level.ends.iter().map(|&end| u64::from(end)).sum();
    statistics.n_waiting = statistics.n_states - n_in_level + n_unexpanded as u64;
    if let Some((position, what)) = found {
        return Some(Outcome::Found(Found {
            what,
            place: Place::new(level.place(position).0, level.place(position).1),
            depth: 0,
        }));
    }
    let stop = if progress.tick(statistics).is_break() {
        Stop::Interrupted
    } else if statistics.n_states > limits.max_states || fullest + N_SHARDS * ROUND * 64 > MAX_STATES {
        Stop::MaxStates
    } else if statistics.memory > limits.max_memory {
        Stop::MaxMemory
    } else {
        return None;
    };
    Some(Outcome::Stopped(stop))
}
