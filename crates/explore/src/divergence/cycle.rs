//! The search for a cycle of silent steps among the states that were met.

use crate::levels::Levels;
use crate::search::Stop;
use crate::space::{Space, Steps};
use crate::states::{Place, States};
use lts::Label;
use std::collections::HashSet;
use std::ops::ControlFlow;

/// A state that diverges.
#[derive(Debug)]
pub(crate) struct Divergence {
    /// How many steps lead to it.
    pub(crate) depth: u64,
    /// The state, and then states to which silent steps lead.
    pub(crate) way: Vec<Place>,
    /// The last state of the way is also at this place of it.
    pub(crate) loop_start: usize,
}

/// The first state that diverges, of those that fewer than `max_depth` steps lead to.
///
/// A cycle may lie where the search did not get to; if finding out takes more than `max_beyond` more states, it is given
/// up with [`Stop::MaxStates`]; that is noticed only now and then.
pub(crate) fn first_divergence<const W: usize>(
    states: &mut States<W>,
    levels: &Levels,
    space: &impl Space<W>,
    max_depth: u64,
    max_beyond: u64,
    keep_on: &dyn Fn() -> ControlFlow<()>,
) -> Result<Option<Divergence>, Stop> {
    let max_states = states.len() + max_beyond;
    let marks = Marks::default();
    let mut walk = Walk { states, space, marks, stack: Vec::new(), steps: Steps::new(), n_expanded: 0 };
    for (depth, level) in (0..max_depth).zip(levels.forward()) {
        for place in level.places() {
            if let Some(last) = walk.find_cycle(place, max_states, keep_on)? {
                return Ok(Some(walk.divergence(depth, last)));
            }
        }
    }
    Ok(None)
}

/// How many states are expanded between two questions whether to go on.
const ASK_EVERY: u64 = 4096;

struct Walk<'a, const W: usize, S> {
    states: &'a mut States<W>,
    space: &'a S,
    marks: Marks,
    /// Open states, and above each of them those of its successors that were new then. A state popped while it is open
    /// is therefore done: if it was also waiting further down, it will be closed when its turn comes.
    stack: Vec<Place>,
    steps: Steps<W>,
    n_expanded: u64,
}

impl<const W: usize, S: Space<W>> Walk<'_, W, S> {
    /// Goes wherever silent steps lead; returns an open state to which one leads from the last open state.
    fn find_cycle(
        &mut self,
        first: Place,
        max_states: u64,
        keep_on: &dyn Fn() -> ControlFlow<()>,
    ) -> Result<Option<Place>, Stop> {
        self.stack.push(first);
        while let Some(&place) = self.stack.last() {
            if self.marks.get(place) == Mark::New {
                if let Some(last) = self.open(place) {
                    return Ok(Some(last));
                }
                self.n_expanded += 1;
                if self.n_expanded.is_multiple_of(ASK_EVERY) {
                    if keep_on().is_break() {
                        return Err(Stop::Interrupted);
                    }
                    if self.states.len() > max_states {
                        return Err(Stop::MaxStates);
                    }
                }
            } else {
                self.marks.set(place, Mark::Closed);
                self.stack.pop();
            }
        }
        Ok(None)
    }

    /// Opens a state; returns an open state that is a silent successor.
    fn open(&mut self, place: Place) -> Option<Place> {
        self.marks.set(place, Mark::Open);
        self.steps.clear();
        let state = self.states.get(place);
        self.space.expand(&state, &mut self.steps);
        for step in self.steps.iter().filter(|step| step.label == Label::TAU) {
            let target = self.states.insert(&step.target);
            match self.marks.get(target) {
                Mark::New => self.stack.push(target),
                Mark::Open => return Some(target),
                Mark::Closed => {}
            }
        }
        None
    }

    /// The open states as a way that closes at `last`.
    fn divergence(&self, depth: u64, last: Place) -> Divergence {
        let mut seen = HashSet::new();
        let open = |place: &&Place| self.marks.get(**place) == Mark::Open;
        // A state may also wait further down, where it was new.
        let mut way: Vec<Place> = self.stack.iter().rev().filter(open).filter(|&&p| seen.insert(p)).copied().collect();
        way.reverse();
        let loop_start = way.iter().position(|&place| place == last).expect("the last state is open");
        way.push(last);
        Divergence { depth, way, loop_start }
    }
}

/// What is known of a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Mark {
    New,
    /// On the way from the first state to where the walk is.
    Open,
    /// Left behind: it does not diverge.
    Closed,
}

/// A mark for each state, in two bits.
#[derive(Default)]
struct Marks {
    of_shard: Vec<Vec<u64>>,
}

impl Marks {
    fn get(&self, place: Place) -> Mark {
        let marks = self.of_shard.get(place.shard()).and_then(|marks| marks.get(place.number() / 32));
        match marks.map_or(0, |marks| marks >> (place.number() % 32 * 2) & 3) {
            0 => Mark::New,
            1 => Mark::Open,
            _ => Mark::Closed,
        }
    }

    fn set(&mut self, place: Place, mark: Mark) {
        if self.of_shard.len() <= place.shard() {
            self.of_shard.resize(place.shard() + 1, Vec::new());
        }
        let marks = &mut self.of_shard[place.shard()];
        if marks.len() <= place.number() / 32 {
            marks.resize(place.number() / 32 + 1, 0);
        }
        let shift = place.number() % 32 * 2;
        let word = &mut marks[place.number() / 32];
        *word = *word & !(3 << shift) | (mark as u64) << shift;
    }
}
