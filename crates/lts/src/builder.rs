//! Incremental construction of a system.
//!
//! Steps usually arrive in the order of their source states. As long as they do, each state is finished when the next
//! begins, and only the final arrays are in memory. After the first step out of order, sources are stored and sorted at
//! the end.

use crate::acceptance::{Acceptances, Antichain};
use crate::interner::number;
use crate::{Label, Lts, StateId, Transition};
use fixedbitset::FixedBitSet;
use limits::effort::explicit_systems::MAX_SKIPPED;

/// A system under construction. States need no declaration: all numbers up to the largest one used are states.
#[derive(Clone, Debug)]
pub struct Builder {
    n_states: usize,
    /// The start of each state, up to the current one; at last the end.
    offsets: Vec<u32>,
    transitions: Vec<Transition>,
    /// The source of each step, after the first one out of order.
    sources: Option<Vec<u32>>,
    divergent: FixedBitSet,
    acceptances: Option<Acceptances>,
}

impl Default for Builder {
    fn default() -> Builder {
        Builder::new()
    }
}

impl Builder {
    /// An empty system.
    pub fn new() -> Builder {
        Builder {
            n_states: 0,
            offsets: vec![0],
            transitions: Vec::new(),
            sources: None,
            divergent: FixedBitSet::new(),
            acceptances: None,
        }
    }

    /// The number of states so far.
    pub fn n_states(&self) -> usize {
        self.n_states
    }

    /// Reserves memory for more steps.
    pub fn reserve(&mut self, n_transitions: usize) {
        self.transitions.reserve(n_transitions);
    }

    /// Adds a state, unless it exists.
    pub fn add_state(&mut self, state: StateId) {
        self.n_states = self.n_states.max(state.index() + 1);
    }

    /// Adds a step; duplicates are removed.
    pub fn add(&mut self, source: StateId, label: Label, target: StateId) {
        self.add_all(source, &[Transition { label, target }]);
    }

    /// Adds some steps of a state.
    #[inline]
    pub fn add_all(&mut self, source: StateId, steps: &[Transition]) {
        let farthest = steps.iter().map(|step| step.target).max().map_or(source, |target| target.max(source));
        self.n_states = self.n_states.max(farthest.index() + 1);
        let current = self.offsets.len() - 1;
        match &mut self.sources {
            Some(sources) => sources.resize(sources.len() + steps.len(), source.0),
            None if source.index() == current => {}
            None if source.index() > current && source.index() - current <= MAX_SKIPPED => self.begin(source.index()),
            None => self.write_down_sources(source, steps.len()),
        }
        self.transitions.extend_from_slice(steps);
    }

    /// Marks a state as divergent.
    pub fn mark_divergent(&mut self, state: StateId) {
        self.add_state(state);
        self.divergent.grow(state.index() + 1);
        self.divergent.insert(state.index());
    }

    /// Gives a state explicit acceptances, each in any order, which are reduced to the minimal ones. If one state of a
    /// system has explicit acceptances, [`Builder::finish`] gives the others those of their steps.
    pub fn set_acceptances<'a>(&mut self, state: StateId, acceptances: impl IntoIterator<Item = &'a [Label]>) {
        let mut antichain = Antichain::default();
        for acceptance in acceptances {
            let mut acceptance = acceptance.to_vec();
            acceptance.sort_unstable();
            acceptance.dedup();
            antichain.add(&acceptance);
        }
        self.set_antichain(state, &antichain);
    }

    pub(crate) fn set_antichain(&mut self, state: StateId, antichain: &Antichain) {
        self.add_state(state);
        let acceptances = self.acceptances.get_or_insert_with(Acceptances::new);
        let family = acceptances.intern(antichain);
        acceptances.set(state, family);
    }

    /// The system with this initial state.
    pub fn finish(mut self, initial: StateId) -> Lts {
        self.add_state(initial);
        match self.sources.take() {
            Some(sources) => self.sort_by_source(&sources),
            None => self.begin(self.n_states),
        }
        self.transitions.shrink_to_fit();
        if !self.divergent.is_clear() {
            self.divergent.grow(self.n_states);
        }
        let mut lts = Lts {
            initial,
            offsets: self.offsets,
            transitions: self.transitions,
            divergent: self.divergent,
            acceptances: None,
        };
        lts.acceptances = self.acceptances.map(|acceptances| complete(acceptances, &lts));
        lts
    }

    /// Finishes the states before `state`.
    fn begin(&mut self, state: usize) {
        if self.offsets.len() - 1 < state {
            let start = self.offsets[self.offsets.len() - 1] as usize;
            let end = sort_and_deduplicate(&mut self.transitions[start..]) + start;
            self.transitions.truncate(end);
            self.offsets.resize(state + 1, number(end));
        }
    }

    #[cold]
    fn write_down_sources(&mut self, next: StateId, n_steps: usize) {
        let mut sources = Vec::with_capacity(self.transitions.len() + 1);
        for (state, range) in self.offsets.windows(2).enumerate() {
            sources.resize(sources.len() + (range[1] - range[0]) as usize, number(state));
        }
        sources.resize(self.transitions.len(), number(self.offsets.len() - 1));
        sources.resize(sources.len() + n_steps, next.0);
        self.sources = Some(sources);
    }

    fn sort_by_source(&mut self, sources: &[u32]) {
        let (places, starts) = counting_sort(sources, self.n_states);
        let mut sorted = vec![Transition { label: Label::TAU, target: StateId(0) }; self.transitions.len()];
        for (&transition, &place) in self.transitions.iter().zip(&places) {
            sorted[place as usize] = transition;
        }
        self.offsets = Vec::with_capacity(self.n_states + 1);
        self.offsets.push(0);
        let mut end = 0;
        for range in starts.windows(2) {
            let range = range[0] as usize..range[1] as usize;
            let n_kept = sort_and_deduplicate(&mut sorted[range.clone()]);
            sorted.copy_within(range.start..range.start + n_kept, end);
            end += n_kept;
            self.offsets.push(number(end));
        }
        sorted.truncate(end);
        self.transitions = sorted;
    }
}

/// Stable counting sort: the position of each item, and the start of each key; at last the end.
pub(crate) fn counting_sort(keys: &[u32], n_keys: usize) -> (Vec<u32>, Vec<u32>) {
    let mut starts = vec![0; n_keys + 1];
    for &key in keys {
        starts[key as usize + 1] += 1;
    }
    for key in 0..n_keys {
        starts[key + 1] += starts[key];
    }
    let mut next = starts.clone();
    let places = keys.iter().map(|&key| {
        let place = next[key as usize];
        next[key as usize] += 1;
        place
    });
    (places.collect(), starts)
}

/// Sorts the steps of one state and moves the distinct ones to the front; returns their number.
fn sort_and_deduplicate(transitions: &mut [Transition]) -> usize {
    if transitions.windows(2).all(|pair| pair[0] < pair[1]) {
        return transitions.len();
    }
    transitions.sort_unstable();
    let mut n_kept = 1;
    for place in 1..transitions.len() {
        if transitions[place] != transitions[n_kept - 1] {
            transitions[n_kept] = transitions[place];
            n_kept += 1;
        }
    }
    n_kept
}

fn complete(mut acceptances: Acceptances, lts: &Lts) -> Acceptances {
    let mut antichain = Antichain::default();
    for state in lts.states().filter(|&state| !acceptances.is_set(state)).collect::<Vec<_>>() {
        antichain.clear();
        antichain.add_natural(lts, state);
        let family = acceptances.intern(&antichain);
        acceptances.set(state, family);
    }
    acceptances
}
