//! A network as an explicit transition system.

use crate::network::NetworkSpace;
use crate::search::{self, Limits, Progress, Search, Stop};
use crate::space::{Space, Steps};
use crate::states::Place;
use crate::width::{TooWide, with_width};
use lts::{Builder, Lts, StateId};
use model::network::{Configuration, Network};

/// The states of a network as a transition system, in the order in which they are met, breadth first.
#[derive(Debug)]
pub struct Explicit<'a> {
    /// The system; state 0 is the initial one.
    pub lts: Lts,
    space: NetworkSpace<'a>,
    /// The packed states one after the other.
    words: Vec<u64>,
}

/// Why a network was not made explicit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotExplicit {
    /// Its states need too many words.
    TooWide(TooWide),
    /// The search ended early.
    Stopped(Stop),
}

impl Explicit<'_> {
    /// The configuration of a state.
    ///
    /// # Panics
    /// When there is no such state.
    pub fn configuration(&self, state: StateId) -> Configuration {
        let n_words = self.space.n_words();
        self.space.unpack(&self.words[state.index() * n_words..][..n_words])
    }
}

/// Makes a network explicit. Termination leads to the state it leads to, like any other step.
pub fn to_lts<'a>(network: &'a Network, limits: &Limits, progress: &dyn Progress) -> Result<Explicit<'a>, NotExplicit> {
    let (space, _) = NetworkSpace::new(network, &[]);
    let numbered = with_width!(space.n_words(), W => number_states::<W>(&space, limits, progress));
    let (lts, words) = numbered.map_err(NotExplicit::TooWide)?.map_err(NotExplicit::Stopped)?;
    Ok(Explicit { lts, space, words })
}

fn number_states<const W: usize>(
    space: &NetworkSpace<'_>,
    limits: &Limits,
    progress: &dyn Progress,
) -> Result<(Lts, Vec<u64>), Stop> {
    let mut search = Search::<W>::default();
    if let search::Outcome::Stopped(stop) = search.run(space, limits, progress) {
        return Err(stop);
    }
    let Search { mut states, statistics, .. } = search;
    let mut numbering = Numbering::default();
    let mut builder = Builder::new();
    let mut words = Vec::with_capacity(states.len() as usize * space.n_words());
    let mut steps = Steps::new();
    numbering.number(states.insert(&space.initial()));
    builder.add_state(StateId(0));
    let mut next = 0;
    while let Some(&place) = numbering.order.get(next) {
        let state = states.get(place);
        words.extend(&state[..space.n_words()]);
        steps.clear();
        space.expand(&state, &mut steps);
        for step in &steps {
            let target = numbering.number(states.insert(&step.target));
            builder.add(StateId(next as u32), step.label, target);
        }
        next += 1;
        if next.is_multiple_of(ASK_EVERY) && progress.tick(&statistics).is_break() {
            return Err(Stop::Interrupted);
        }
    }
    Ok((builder.finish(StateId(0)), words))
}

/// How many states are written down between two questions whether to go on.
const ASK_EVERY: usize = 4096;

/// Numbers for states in the order in which they are asked for.
#[derive(Default)]
struct Numbering {
    order: Vec<Place>,
    /// For each shard, the number of each of its states, counted from 1; 0 if it has none.
    numbers: Vec<Vec<u32>>,
}

impl Numbering {
    fn number(&mut self, place: Place) -> StateId {
        if self.numbers.len() <= place.shard() {
            self.numbers.resize(place.shard() + 1, Vec::new());
        }
        let numbers = &mut self.numbers[place.shard()];
        if numbers.len() <= place.number() {
            numbers.resize(place.number() + 1, 0);
        }
        let number = &mut numbers[place.number()];
        if *number == 0 {
            self.order.push(place);
            *number = self.order.len() as u32;
        }
        StateId(*number - 1)
    }
}
