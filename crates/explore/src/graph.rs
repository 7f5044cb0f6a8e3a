//! The complete state graph of a network, computed in parallel.
//!
//! A breadth-first search discovers the states; their numbers follow the shards, in no meaningful order. Then each
//! worker takes pages of states, expands them again and looks up the numbers of the targets.

use crate::explicit::{NotExplicit, visit_all};
use crate::lookups::Lookups;
use crate::network::NetworkSpace;
use crate::reduction::Reduction;
use crate::search::Search;
use crate::space::{Node, Space, Steps};
use crate::states::{N_SHARDS, Place, States};
use crate::width::with_width;
use crate::workers::{Work, with_workers};
use limits::intervals::slices::PAGES_PER_WORKER;
use lts::{Builder, Lts, StateId, Transition};
use model::network::{Configuration, Network};
use progress::{Limits, Progress, Stop};
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The states of a graph by number.
pub struct GraphStates<'a> {
    space: NetworkSpace<'a>,
    states: Box<dyn StoredStates + Send + 'a>,
}

impl GraphStates<'_> {
    /// The configuration of a state.
    pub fn configuration(&self, state: StateId) -> Configuration {
        self.states.configuration(&self.space, state)
    }
}

/// Computes the state graph of a network.
pub fn to_graph<'a>(
    network: &'a Network,
    reduction: Reduction,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<(Lts, GraphStates<'a>), NotExplicit> {
    let space = NetworkSpace::within(network, &[], progress)?.0.reduced(reduction);
    let written = with_width!(space.n_words(), W => {
        write::<W>(&space, limits, progress).map(|(lts, states)| (lts, Box::new(states) as Box<dyn StoredStates + Send>))
    });
    let (lts, states) = written.map_err(NotExplicit::TooWide)??;
    Ok((lts, GraphStates { space, states }))
}

/// Stored states, with access by number.
trait StoredStates {
    fn configuration(&self, space: &NetworkSpace<'_>, state: StateId) -> Configuration;
}

/// All states with their numbering.
pub(crate) struct Numbered<const W: usize> {
    pub(crate) states: States<W>,
    /// The number of the first state of each shard; at last the number of all states.
    starts: Vec<usize>,
}

impl<const W: usize> Numbered<W> {
    pub(crate) fn new(states: States<W>) -> Self {
        let mut starts = vec![0];
        for shard in 0..N_SHARDS {
            starts.push(starts[shard] + states.read(shard).len());
        }
        Numbered { states, starts }
    }

    pub(crate) fn len(&self) -> usize {
        self.starts[N_SHARDS]
    }

    #[inline]
    pub(crate) fn number(&self, place: Place) -> StateId {
        StateId((self.starts[place.shard()] + place.number()) as u32)
    }

    /// The place of a state in the shards.
    #[inline]
    pub(crate) fn place(&self, state: StateId) -> Place {
        let shard = self.shard_of(state.index());
        Place::new(shard, state.index() - self.starts[shard])
    }

    pub(crate) fn state(&self, state: StateId) -> [u64; W] {
        self.states.get(self.place(state))
    }

    fn shard_of(&self, number: usize) -> usize {
        self.starts.partition_point(|&start| start <= number) - 1
    }
}

impl<const W: usize> StoredStates for Numbered<W> {
    fn configuration(&self, space: &NetworkSpace<'_>, state: StateId) -> Configuration {
        space.unpack(&self.state(state))
    }
}

fn write<const W: usize>(
    space: &NetworkSpace<'_>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<(Lts, Numbered<W>), NotExplicit> {
    let Search { states, statistics, .. } = visit_all::<W>(space, limits, progress)?;
    let states = Numbered::new(states);
    let initial = states.states.find(&space.initial()).map(|place| states.number(place));
    let n_workers = limits.n_workers.max(1);
    // The graph is written completely before the stored states are released.
    let written = statistics.n_transitions.saturating_mul(size_of::<Transition>() as u64);
    if statistics.memory.saturating_add(written) > limits.max_memory {
        return Err(NotExplicit::Stopped(Stop::MaxMemory));
    }
    let mut builder = Builder::new();
    builder.reserve(statistics.n_transitions as usize);
    let book = || (0..PAGES_PER_WORKER * n_workers).map(|_| Mutex::default()).collect();
    let writing = Writing {
        space,
        states: &states,
        first: AtomicUsize::new(0),
        books: [book(), book()],
        builder: Mutex::new(builder),
    };
    let n_pages = writing.books[0].len();
    let done = with_workers(&writing, n_workers, |workers| {
        // The last round writes no page and only appends those of the round before.
        for first in (0..states.len() + PAGE * n_pages).step_by(PAGE * n_pages) {
            writing.first.store(first, Ordering::Relaxed);
            workers.run_shares(1 + n_pages);
            if let ControlFlow::Break(why) = progress.tick(&statistics) {
                return Err(Stop::Interrupted(why));
            }
        }
        Ok(())
    });
    done.map_err(NotExplicit::Stopped)?;
    let builder = writing.builder.into_inner().expect("no worker has panicked");
    Ok((builder.finish(initial.expect("the search began there")), states))
}

/// The number of states of a page.
const PAGE: usize = 1 << 11;

/// Double buffering: while the pages of one book are written, those of the previous round are appended to the graph.
struct Writing<'a, const W: usize> {
    space: &'a NetworkSpace<'a>,
    states: &'a Numbered<W>,
    /// The first state of the first page.
    first: AtomicUsize,
    books: [Vec<Mutex<Page<W>>>; 2],
    builder: Mutex<Builder>,
}

impl<const W: usize> Work for Writing<'_, W> {
    type Own = ();

    fn share(&self, (): &mut (), number: usize) {
        let first = self.first.load(Ordering::Relaxed);
        let n_pages = self.books[0].len();
        let round = first / (PAGE * n_pages);
        let Some(page) = number.checked_sub(1) else {
            let mut builder = self.builder.lock().expect("no worker has panicked");
            let pages = self.books[(round + 1) % 2].iter();
            return pages.for_each(|page| page.lock().expect("no worker has panicked").append_to(&mut builder));
        };
        let first = self.states.len().min(first + page * PAGE);
        let end = self.states.len().min(first + PAGE);
        let mut page = self.books[round % 2][page].lock().expect("no worker has panicked");
        page.write(self.space, self.states, first..end);
    }
}

/// The steps of some states.
struct Page<const W: usize> {
    first: usize,
    /// The end of the steps of each state.
    ends: Vec<usize>,
    steps: Vec<Transition>,
    buffer: Steps<W>,
    lookups: Lookups<W>,
}

impl<const W: usize> Default for Page<W> {
    fn default() -> Self {
        Page { first: 0, ends: Vec::new(), steps: Vec::new(), buffer: Steps::new(), lookups: Lookups::default() }
    }
}

impl<const W: usize> Page<W> {
    fn write(&mut self, space: &NetworkSpace<'_>, states: &Numbered<W>, numbers: std::ops::Range<usize>) {
        self.first = numbers.start;
        for number in numbers {
            let shard = states.shard_of(number);
            let state = *states.states.read(shard).state(number - states.starts[shard]);
            self.buffer.clear();
            _ = space.expand(Node::of(&state), &mut (), &mut self.buffer);
            for step in &self.buffer {
                self.lookups.add_lookup(step.target, self.steps.len() as u32);
                self.steps.push(Transition { label: step.label, target: StateId(0) });
            }
            self.ends.push(self.steps.len());
        }
        self.lookups.answer(&states.states, |step, place| {
            let place = place.expect("a search without findings met all states");
            self.steps[step as usize].target = states.number(place);
        });
        // All workers sort, which leaves less work to the sequential append.
        let mut start = 0;
        for &end in &self.ends {
            self.steps[start..end].sort_unstable();
            start = end;
        }
    }

    fn append_to(&mut self, builder: &mut Builder) {
        let mut start = 0;
        for (number, end) in self.ends.drain(..).enumerate() {
            let state = StateId((self.first + number) as u32);
            builder.add_all(state, &self.steps[start..end]);
            start = end;
        }
        self.steps.clear();
    }
}
