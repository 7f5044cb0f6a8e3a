//! Breadth-first search on any number of workers, with one result for all of them.
//!
//! States belong to one of a fixed number of shards by their hash. The search goes level by level and takes a level, in
//! the order of discovery, in rounds of some thousand states, each shared by the workers ([`crate::expansion`]) so that
//! nothing observable depends on who did what: the numbers of states, the levels, the first violation. The size of a
//! round does not depend on the workers either, so a search that is ended by a limit ends at the same state.

mod moved;

use limits::intervals::polling::STEPS_PER_REPORT;
use limits::intervals::slices::{MAX_ROUND, MIN_ROUND, ROUND_BYTES, ROUND_SHARE};
pub(crate) use moved::Stage;

use crate::expansion::Expansion;
use crate::interruption::Interruption;
use crate::levels::{Level, Levels, ShardRange};
use crate::path::path_to;
use crate::piece::Seen;
use crate::space::{Costs, FAILURE, PlainSpace};
use crate::states::{N_SHARDS, Place, States};
use crate::store::{MAX_STATES, bits};
use crate::workers::with_workers;
use progress::{Limits, Progress, Statistics, Stop};
use std::ops::ControlFlow;

/// How a search ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEnd {
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

/// A search, and after it everything it met.
#[derive(Debug, Default)]
pub struct Search<const W: usize> {
    pub(crate) states: States<W>,
    pub(crate) levels: Levels,
    /// What the search did.
    pub statistics: Statistics,
    /// Where it was stopped.
    standing: Option<Standing>,
}

impl<const W: usize> Search<W> {
    /// Walks everything reachable, or up to what the space looks for, or a limit. A search that was stopped goes on
    /// where it was, as if it had never been stopped, provided that the space is the same. One that found a step that
    /// goes wrong goes on, too, from the states among which it was: they may be known better by then.
    pub fn run(&mut self, space: &impl PlainSpace<W>, limits: &Limits, progress: &dyn Progress) -> SearchEnd {
        let n_workers = limits.n_workers.max(1);
        let mut standing = match self.standing.take() {
            Some(standing) => standing,
            None => Standing::new(self.states.insert(&space.initial())),
        };
        let interruption = Interruption::new(progress);
        let expansion = Expansion::new(space, &self.states, &interruption);
        let statistics = self.statistics;
        let (states, interruption) = (&self.states, &interruption);
        let mut search_state = SearchState {
            states,
            limits,
            progress,
            interruption,
            costs: space.costs(),
            statistics,
            standing: &mut standing,
        };
        search_state.begin();
        let outcome = with_workers(&expansion, n_workers, |workers| {
            while !search_state.standing.level.runs.is_empty() {
                let expand = |places: &[Place], next: &mut Vec<Place>| expansion.expand(workers, places, next);
                if let Some(outcome) = search_state.take_level(expand) {
                    return outcome;
                }
                self.levels.push(&search_state.standing.level);
                search_state.next_level();
            }
            SearchEnd::Exhausted
        });
        self.statistics = search_state.statistics;
        if matches!(outcome, SearchEnd::Stopped(_) | SearchEnd::Found(Found { what: FAILURE, .. })) {
            self.standing = Some(standing);
        }
        outcome
    }

    /// The states on a shortest way to a state that `depth` steps lead to, the first and the last included.
    pub fn path_to(&self, space: &impl PlainSpace<W>, place: Place, depth: u64, n_workers: usize) -> Vec<[u64; W]> {
        path_to(&self.states, &self.levels, space, (place, depth), n_workers)
    }
}

/// What a search is about, and what it may use.
struct SearchState<'a, const W: usize> {
    states: &'a States<W>,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    interruption: &'a Interruption<'a>,
    costs: Costs,
    statistics: Statistics,
    standing: &'a mut Standing,
}

/// Where a search stands.
#[derive(Debug)]
struct Standing {
    level: Level,
    /// Its states in the order of their discovery.
    places: Vec<Place>,
    /// Those of the next level that were met so far.
    next: Vec<Place>,
    /// Bytes that these take.
    memory: u64,
    /// How many states of the level were expanded.
    n_taken: usize,
    n_expanded: u64,
    /// How many states were expanded when the progress last heard of it.
    n_reported: u64,
    n_steps_reported: u64,
    sizes: [Size; N_SHARDS],
    /// The shards with states of the next level, one bit each.
    growing: u64,
    /// The round that is to be repeated, if the last one is.
    again: Option<Again>,
}

/// A round in which something was found: what it counted.
#[derive(Clone, Copy, Debug)]
struct Again {
    n_states: usize,
    n_transitions: u64,
}

impl Standing {
    /// At the beginning, with one state.
    fn new(first: Place) -> Standing {
        Standing {
            level: Level::default(),
            places: Vec::new(),
            next: vec![first],
            memory: 0,
            n_taken: 0,
            n_expanded: 0,
            n_reported: 0,
            n_steps_reported: 0,
            sizes: [Size::default(); N_SHARDS],
            growing: 1 << first.shard(),
            again: None,
        }
    }
}

/// How large a shard is.
#[derive(Clone, Copy, Default, Debug)]
struct Size {
    /// States of this level and earlier ones.
    n_known: usize,
    n_states: usize,
    memory: usize,
}

impl<const W: usize> SearchState<'_, W> {
    /// Takes the first level, unless the search goes on.
    fn begin(&mut self) {
        if let Some(Again { n_states, n_transitions }) = self.standing.again.take() {
            self.standing.n_taken -= n_states;
            self.standing.n_expanded -= n_states as u64;
            self.statistics.n_transitions -= n_transitions;
        }
        if self.standing.level.runs.is_empty() {
            self.take_stock(self.standing.growing);
            self.next_level();
        }
    }

    /// Expands the rest of a level round by round; returns how the search ends if it does.
    fn take_level(&mut self, expand: impl Fn(&[Place], &mut Vec<Place>) -> (usize, Seen)) -> Option<SearchEnd> {
        let n_states = self.standing.places.len();
        while self.standing.n_taken < n_states {
            let start = self.standing.n_taken;
            let end = n_states.min(start + self.round_size());
            let (n_taken, seen) = expand(&self.standing.places[start..end], &mut self.standing.next);
            self.standing.n_expanded += n_taken as u64;
            self.standing.n_taken = start + n_taken;
            self.statistics.n_transitions += seen.n_transitions;
            let fullest = self.take_stock(seen.shards);
            if let Some((place, what)) = seen.found {
                self.standing.again = Some(Again { n_states: n_taken, n_transitions: seen.n_transitions });
                return Some(SearchEnd::Found(Found { what, place, depth: self.statistics.depth }));
            }
            if let Some(stop) = self.stop(fullest) {
                return Some(SearchEnd::Stopped(stop));
            }
        }
        self.statistics.depth += 1;
        self.statistics.memory += self.standing.level.memory() as u64;
        None
    }

    /// So many states that their successors do not take too much memory, judged by those before.
    ///
    /// The more successors there are, the more each shard gets at a time, and what it has of its memory in the cache
    /// serves more of them.
    fn round_size(&self) -> usize {
        let n_bytes = (self.statistics.memory / ROUND_SHARE).clamp(ROUND_BYTES.0, ROUND_BYTES.1);
        let successors = self.statistics.n_transitions / self.standing.n_expanded.max(1) + 1;
        let bytes_per_state = successors * W as u64 * 8;
        let least = MIN_ROUND.min(ROUND_BYTES.1 / bytes_per_state).max(1);
        let most = (MAX_ROUND / (W * W) as u64).max(least);
        (n_bytes / bytes_per_state).clamp(least, most) as usize
    }

    /// Counts what is new in some shards; returns how many states the fullest of them has.
    fn take_stock(&mut self, shards: u64) -> usize {
        let mut fullest = 0;
        for number in bits(shards) {
            let (shard, size) = (self.states.read(number), &mut self.standing.sizes[number]);
            self.statistics.n_states += (shard.len() - size.n_states) as u64;
            self.statistics.memory += (shard.memory() - size.memory) as u64;
            (size.n_states, size.memory) = (shard.len(), shard.memory());
            fullest = fullest.max(shard.len());
        }
        self.standing.growing |= shards;
        let n_places = self.standing.places.len() + self.standing.next.len();
        let memory = (n_places * size_of::<Place>()) as u64;
        self.statistics.memory += memory;
        self.statistics.memory -= std::mem::replace(&mut self.standing.memory, memory);
        self.statistics.n_waiting = self.statistics.n_states - self.standing.n_expanded;
        fullest
    }

    fn stop(&mut self, fullest: usize) -> Option<Stop> {
        if let Some(why) = self.interruption.why() {
            // How far it came is to be known.
            _ = self.progress.tick(&self.statistics);
            return Some(Stop::Interrupted(why));
        }
        let n_steps = self.statistics.n_transitions;
        let standing = &mut *self.standing;
        let is_due = standing.n_expanded >= standing.n_reported + MIN_ROUND
            || n_steps >= standing.n_steps_reported + STEPS_PER_REPORT;
        if is_due {
            let (n_states, n_steps_since) =
                (standing.n_expanded - standing.n_reported, n_steps - standing.n_steps_reported);
            (standing.n_reported, standing.n_steps_reported) = (standing.n_expanded, n_steps);
            self.statistics.work = self.costs.work(n_states, n_steps_since);
            if let ControlFlow::Break(why) = self.progress.tick(&self.statistics) {
                return Some(Stop::Interrupted(why));
            }
        }
        // What one round can add to one shard is small beside this reserve.
        if fullest > MAX_STATES / 2 {
            Some(Stop::Capacity)
        } else if self.statistics.memory > self.limits.max_memory {
            Some(Stop::MaxMemory)
        } else {
            self.limits.stop_at(self.statistics.n_states)
        }
    }

    /// Goes on to the states that were met since the last time.
    fn next_level(&mut self) {
        let standing = &mut *self.standing;
        standing.level.runs.clear();
        standing.n_taken = 0;
        std::mem::swap(&mut standing.places, &mut standing.next);
        standing.next.clear();
        for shard in bits(std::mem::take(&mut standing.growing)) {
            let size = &mut standing.sizes[shard];
            if size.n_known < size.n_states {
                standing.level.runs.push(ShardRange { shard, start: size.n_known, end: size.n_states });
                size.n_known = size.n_states;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Judgment, Node, Space, Step, Steps};
    use lts::Label;
    use model::network::RuleId;
    use progress::{Interrupt, Limits, Nobody};
    use std::collections::{HashSet, VecDeque};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use test_support::mutate::seed;

    /// Points of a grid, with steps to neighbors and a few far away.
    struct Grid {
        side: u64,
        seed: u64,
    }

    impl Space<2> for Grid {
        type Cell = ();
        type Buffers = ();

        fn initial(&self) -> [u64; 2] {
            [self.seed % self.side, 3]
        }

        fn expand(&self, Node { state: &[x, y], .. }: Node<'_, 2>, (): &mut (), steps: &mut Steps<2>) -> Judgment {
            let far = crate::store::hash(&[x, y, self.seed]);
            let mut targets = vec![[(x + 1) % self.side, y], [x, (y + 1) % self.side], [(x + 1) % self.side, y / 2]];
            if far % 64 == 0 {
                targets.push([far / 64 % self.side, far / 4096 % self.side]);
            }
            steps.extend(targets.into_iter().map(|target| Step { target, label: Label::TAU, rule: RuleId(0) }));
            Judgment::Fine
        }
    }

    /// All states in the order in which a queue meets them.
    fn discovered(grid: &Grid) -> Vec<[u64; 2]> {
        let mut queue = VecDeque::from([grid.initial()]);
        let (mut met, mut order) = (HashSet::from([grid.initial()]), Vec::new());
        while let Some(state) = queue.pop_front() {
            order.push(state);
            let mut steps = Steps::new();
            _ = grid.expand(Node::of(&state), &mut (), &mut steps);
            queue.extend(steps.iter().map(|step| step.target).filter(|&target| met.insert(target)));
        }
        order
    }

    #[test]
    fn states_are_numbered_in_the_order_of_their_discovery() {
        for round in 0..4 {
            let grid = Grid { side: 150 + 100 * round, seed: seed().wrapping_add(round) };
            let expected = discovered(&grid);
            for n_workers in [1, 2, 5] {
                let mut search = Search::<2>::default();
                let limits = Limits::of_workers(n_workers);
                assert_eq!(search.run(&grid, &limits, &Nobody), SearchEnd::Exhausted);
                for shard in 0..N_SHARDS {
                    let states = search.states.read(shard);
                    let found = (0..states.len()).map(|number| *states.state(number));
                    let expected = expected.iter().filter(|state| States::shard_of(state) == shard).copied();
                    assert!(found.eq(expected), "TEST_SEED={}, {n_workers} workers, shard {shard}", seed());
                }
            }
        }
    }

    /// Cancels at each so-manyth poll.
    struct Impatient {
        every: usize,
        n_polls: AtomicUsize,
    }

    impl Progress for Impatient {
        fn poll(&self) -> ControlFlow<Interrupt> {
            let n_polls = 1 + self.n_polls.fetch_add(1, Ordering::Relaxed);
            if n_polls.is_multiple_of(self.every) {
                ControlFlow::Break(Interrupt::Time)
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    /// A grid whose states take long.
    struct Slow(Grid);

    impl Space<2> for Slow {
        type Cell = ();
        type Buffers = ();

        fn initial(&self) -> [u64; 2] {
            self.0.initial()
        }

        fn expand(&self, Node { state, .. }: Node<'_, 2>, (): &mut (), steps: &mut Steps<2>) -> Judgment {
            self.0.expand(Node::of(state), &mut (), steps)
        }

        fn costs(&self) -> Costs {
            Costs { state: 1 << 10, step: 1 << 10 }
        }
    }

    #[test]
    fn a_search_cancelled_within_a_round_goes_on_where_it_was() {
        let slow = Slow(Grid { side: 150, seed: seed() });
        let expected = discovered(&slow.0);
        for (n_workers, every) in [(1, 100), (1, 137), (2, 100), (5, 120)] {
            let mut search = Search::<2>::default();
            let limits = Limits::of_workers(n_workers);
            let impatient = Impatient { every, n_polls: AtomicUsize::new(0) };
            let mut n_stopped = 0;
            while search.run(&slow, &limits, &impatient) != SearchEnd::Exhausted {
                n_stopped += 1;
            }
            assert!(n_stopped > 1, "TEST_SEED={}, {n_workers} workers: {n_stopped}", seed());
            assert_eq!(search.statistics.n_states, expected.len() as u64, "TEST_SEED={}", seed());
            for shard in 0..N_SHARDS {
                let states = search.states.read(shard);
                let found = (0..states.len()).map(|number| *states.state(number));
                let expected = expected.iter().filter(|state| States::shard_of(state) == shard).copied();
                assert!(found.eq(expected), "TEST_SEED={}, {n_workers} workers, shard {shard}", seed());
            }
        }
    }
}
