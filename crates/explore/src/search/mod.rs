//! Parallel breadth-first search with a result that does not depend on the number of workers.
//!
//! The hash of a state determines its shard. The search expands a level in the order of discovery, in rounds of some
//! thousand states that workers share ([`crate::expansion`]), so that everything observable is independent of the
//! scheduling: the numbers of states, the levels, the first violation. The size of a round does not depend on the
//! workers either, so a search that reaches a limit ends at the same state. Hash-partitioned parallel search follows
//! Stern and Dill (1997), *Parallelizing the Murphi verifier*.

mod translated;

use limits::intervals::polling::STEPS_PER_REPORT;
use limits::intervals::slices::{MAX_ROUND, MIN_ROUND, ROUND_BYTES, ROUND_SHARE};
pub(crate) use translated::Stage;

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

/// The end of a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SearchEnd {
    /// Every reachable state was expanded without a finding.
    Exhausted,
    /// The space reported a finding.
    Found(Found),
    /// The search is incomplete.
    Stopped(Stop),
}

/// A state with a finding of the space.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Found {
    /// The finding.
    pub finding: u32,
    /// The place of the state.
    pub place: Place,
    /// The length of a shortest run to it.
    pub depth: u64,
}

/// A breadth-first search with the states that it visited.
#[derive(Debug, Default)]
pub struct Search<const W: usize> {
    pub(crate) states: States<W>,
    pub(crate) levels: Levels,
    /// Statistics of the search.
    pub statistics: Statistics,
    /// The frontier of a search that was suspended.
    frontier: Option<Frontier>,
}

impl<const W: usize> Search<W> {
    /// Searches until all reachable states are visited, the space reports a finding, or a limit is reached. A search
    /// that reached a limit is resumed as if it had not stopped, provided that the space is the same. A search that
    /// found a failing step is resumed with the round of that step, because the extended network may define its states
    /// better.
    pub fn run(&mut self, space: &impl PlainSpace<W>, limits: &Limits, progress: &dyn Progress) -> SearchEnd {
        let n_workers = limits.n_workers.max(1);
        let mut frontier = match self.frontier.take() {
            Some(frontier) => frontier,
            None => Frontier::new(self.states.insert(&space.initial())),
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
            frontier: &mut frontier,
        };
        search_state.begin();
        let outcome = with_workers(&expansion, n_workers, |workers| {
            while !search_state.frontier.level.runs.is_empty() {
                let expand = |places: &[Place], next: &mut Vec<Place>| expansion.expand(workers, places, next);
                if let Some(outcome) = search_state.take_level(expand) {
                    return outcome;
                }
                self.levels.push(&search_state.frontier.level);
                search_state.next_level();
            }
            SearchEnd::Exhausted
        });
        self.statistics = search_state.statistics;
        if matches!(outcome, SearchEnd::Stopped(_) | SearchEnd::Found(Found { finding: FAILURE, .. })) {
            self.frontier = Some(frontier);
        }
        outcome
    }

    /// The states on a shortest path to a state at `depth`, both ends included.
    pub fn path_to(&self, space: &impl PlainSpace<W>, place: Place, depth: u64, n_workers: usize) -> Vec<[u64; W]> {
        path_to(&self.states, &self.levels, space, (place, depth), n_workers)
    }
}

/// The space of a search, its limits and its workers.
struct SearchState<'a, const W: usize> {
    states: &'a States<W>,
    limits: &'a Limits,
    progress: &'a dyn Progress,
    interruption: &'a Interruption<'a>,
    costs: Costs,
    statistics: Statistics,
    frontier: &'a mut Frontier,
}

/// The frontier: the current level and the next one.
#[derive(Debug)]
struct Frontier {
    level: Level,
    /// The states of the level in the order of their discovery.
    places: Vec<Place>,
    /// The discovered states of the next level.
    next: Vec<Place>,
    /// Bytes of these lists.
    memory: u64,
    /// The number of expanded states of the level.
    n_taken: usize,
    n_expanded: u64,
    /// The number of expanded states at the last report of progress.
    n_reported: u64,
    n_steps_reported: u64,
    sizes: [Size; N_SHARDS],
    /// The shards with states of the next level, as a bit set.
    growing: u64,
    /// The last round, if it is to be repeated.
    repeated_round: Option<RepeatedRound>,
}

/// The counts of a round with a finding.
#[derive(Clone, Copy, Debug)]
struct RepeatedRound {
    n_states: usize,
    n_transitions: u64,
}

impl Frontier {
    /// The frontier of one initial state.
    fn new(first: Place) -> Frontier {
        Frontier {
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
            repeated_round: None,
        }
    }
}

/// The size of a shard.
#[derive(Clone, Copy, Default, Debug)]
struct Size {
    /// The number of states of this level and earlier ones.
    n_known: usize,
    n_states: usize,
    memory: usize,
}

impl<const W: usize> SearchState<'_, W> {
    /// Starts with the first level, unless the search is resumed.
    fn begin(&mut self) {
        if let Some(RepeatedRound { n_states, n_transitions }) = self.frontier.repeated_round.take() {
            self.frontier.n_taken -= n_states;
            self.frontier.n_expanded -= n_states as u64;
            self.statistics.n_transitions -= n_transitions;
        }
        if self.frontier.level.runs.is_empty() {
            self.count_new(self.frontier.growing);
            self.next_level();
        }
    }

    /// Expands the rest of a level in rounds; returns the end of the search, if it ends.
    fn take_level(&mut self, expand: impl Fn(&[Place], &mut Vec<Place>) -> (usize, Seen)) -> Option<SearchEnd> {
        let n_states = self.frontier.places.len();
        while self.frontier.n_taken < n_states {
            let start = self.frontier.n_taken;
            let end = n_states.min(start + self.round_size());
            let (n_taken, seen) = expand(&self.frontier.places[start..end], &mut self.frontier.next);
            self.frontier.n_expanded += n_taken as u64;
            self.frontier.n_taken = start + n_taken;
            self.statistics.n_transitions += seen.n_transitions;
            let fullest = self.count_new(seen.shards);
            if let Some((place, finding)) = seen.found {
                self.frontier.repeated_round =
                    Some(RepeatedRound { n_states: n_taken, n_transitions: seen.n_transitions });
                return Some(SearchEnd::Found(Found { finding, place, depth: self.statistics.depth }));
            }
            if let Some(stop) = self.stop(fullest) {
                return Some(SearchEnd::Stopped(stop));
            }
        }
        self.statistics.depth += 1;
        self.statistics.memory += self.frontier.level.memory() as u64;
        None
    }

    /// The number of states of the next round, estimated from the branching so far to bound the memory of the
    /// successors.
    ///
    /// Larger rounds send more successors to each shard at a time, so that each cache line of a shard serves more of
    /// them.
    fn round_size(&self) -> usize {
        let n_bytes = (self.statistics.memory / ROUND_SHARE).clamp(ROUND_BYTES.0, ROUND_BYTES.1);
        let successors = self.statistics.n_transitions / self.frontier.n_expanded.max(1) + 1;
        let bytes_per_state = successors * W as u64 * 8;
        let least = MIN_ROUND.min(ROUND_BYTES.1 / bytes_per_state).max(1);
        let most = (MAX_ROUND / (W * W) as u64).max(least);
        (n_bytes / bytes_per_state).clamp(least, most) as usize
    }

    /// Counts the new states of some shards; returns the number of states of the fullest one.
    fn count_new(&mut self, shards: u64) -> usize {
        let mut fullest = 0;
        for number in bits(shards) {
            let (shard, size) = (self.states.read(number), &mut self.frontier.sizes[number]);
            self.statistics.n_states += (shard.len() - size.n_states) as u64;
            self.statistics.memory += (shard.memory() - size.memory) as u64;
            (size.n_states, size.memory) = (shard.len(), shard.memory());
            fullest = fullest.max(shard.len());
        }
        self.frontier.growing |= shards;
        let n_places = self.frontier.places.len() + self.frontier.next.len();
        let memory = (n_places * size_of::<Place>()) as u64;
        self.statistics.memory += memory;
        self.statistics.memory -= std::mem::replace(&mut self.frontier.memory, memory);
        self.statistics.n_waiting = self.statistics.n_states - self.frontier.n_expanded;
        fullest
    }

    fn stop(&mut self, fullest: usize) -> Option<Stop> {
        if let Some(why) = self.interruption.why() {
            // Reports the final counts.
            _ = self.progress.tick(&self.statistics);
            return Some(Stop::Interrupted(why));
        }
        let n_steps = self.statistics.n_transitions;
        let frontier = &mut *self.frontier;
        let is_due = frontier.n_expanded >= frontier.n_reported + MIN_ROUND
            || n_steps >= frontier.n_steps_reported + STEPS_PER_REPORT;
        if is_due {
            let (n_states, n_steps_since) =
                (frontier.n_expanded - frontier.n_reported, n_steps - frontier.n_steps_reported);
            (frontier.n_reported, frontier.n_steps_reported) = (frontier.n_expanded, n_steps);
            self.statistics.work = self.costs.work(n_states, n_steps_since);
            if let ControlFlow::Break(why) = self.progress.tick(&self.statistics) {
                return Some(Stop::Interrupted(why));
            }
        }
        // One round adds less to a shard than this reserve.
        if fullest > MAX_STATES / 2 {
            Some(Stop::Capacity)
        } else if self.statistics.memory > self.limits.max_memory {
            Some(Stop::MaxMemory)
        } else {
            self.limits.stop_at(self.statistics.n_states)
        }
    }

    /// Continues with the states of the next level.
    fn next_level(&mut self) {
        let frontier = &mut *self.frontier;
        frontier.level.runs.clear();
        frontier.n_taken = 0;
        std::mem::swap(&mut frontier.places, &mut frontier.next);
        frontier.next.clear();
        for shard in bits(std::mem::take(&mut frontier.growing)) {
            let size = &mut frontier.sizes[shard];
            if size.n_known < size.n_states {
                frontier.level.runs.push(ShardRange { shard, start: size.n_known, end: size.n_states });
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
    use progress::{Interrupt, Limits, NoProgress};
    use std::collections::{HashSet, VecDeque};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use test_support::mutate::seed;

    /// A grid with steps to neighbors and a few distant points.
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

    /// All states in the order of a sequential breadth-first search.
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
                assert_eq!(search.run(&grid, &limits, &NoProgress), SearchEnd::Exhausted);
                for shard in 0..N_SHARDS {
                    let states = search.states.read(shard);
                    let found = (0..states.len()).map(|number| *states.state(number));
                    let expected = expected.iter().filter(|state| States::shard_of(state) == shard).copied();
                    assert!(found.eq(expected), "TEST_SEED={}, {n_workers} workers, shard {shard}", seed());
                }
            }
        }
    }

    /// Progress that cancels each n-th poll.
    struct CancelEachNth {
        every: usize,
        n_polls: AtomicUsize,
    }

    impl Progress for CancelEachNth {
        fn poll(&self) -> ControlFlow<Interrupt> {
            let n_polls = 1 + self.n_polls.fetch_add(1, Ordering::Relaxed);
            if n_polls.is_multiple_of(self.every) {
                ControlFlow::Break(Interrupt::Time)
            } else {
                ControlFlow::Continue(())
            }
        }
    }

    /// A grid with a high cost of each state.
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
    fn a_search_cancelled_within_a_round_is_resumed() {
        let slow = Slow(Grid { side: 150, seed: seed() });
        let expected = discovered(&slow.0);
        for (n_workers, every) in [(1, 100), (1, 137), (2, 100), (5, 120)] {
            let mut search = Search::<2>::default();
            let limits = Limits::of_workers(n_workers);
            let impatient = CancelEachNth { every, n_polls: AtomicUsize::new(0) };
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
