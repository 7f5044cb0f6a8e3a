//! Depth first, for a while, where breadth drowns.
//!
//! When each level of a search is larger than all before, what is wrong far from the start is never met. A dive follows one run as far as
//! it goes, then turns back to the last choice, and so on, for a number of states that is given. It proves nothing, but may find
//! something. The order of steps matters: one dive takes them as they come, another in an order that depends on the state, so that no part of the
//! system always comes last. A third goes first where least is left to choose: what has few ways out is dealt with while it has one, as
//! Warnsdorff advised knights on their tours. A fourth goes where most is left: pegs that can still jump will. All are done by one worker, and are the same for any number of them.
//!
//! A dive that took a wrong turn early does not come back to it in time. So most dives are short, each of them takes other turns where several steps are as good, and
//! few are longer, in the proportions of Luby, Sinclair and Zuckerman.
//!
//! What a dive finds may be far away for no reason. So the states it met are searched again, breadth first, for the shortest run
//! among them.

use crate::space::{Judgment, Node, PlainSpace, Steps};
use crate::store::{MAX_STATES, Shard, hash};
use lts::Label;
use progress::{Interrupt, Progress, Statistics};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// In which order the steps of a state are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    AsTheyCome,
    ByState,
    FewestFirst,
    MostFirst,
}

impl Order {
    /// All of them.
    pub(crate) const ALL: [Order; 4] = [Order::FewestFirst, Order::MostFirst, Order::AsTheyCome, Order::ByState];
}

/// A dive that may be tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Try {
    pub(crate) order: Order,
    /// Which turns it takes where several steps are as good.
    pub(crate) turns: u64,
    /// How many states it may meet.
    pub(crate) max_states: usize,
}

/// The states that the shortest dives may meet.
const SHORT: usize = 1 << 10;

/// Dives that meet about so many states in all: many short ones, then one long one of each kind.
pub(crate) fn tries(max_states: usize) -> Vec<Try> {
    let mut tries = Vec::new();
    let mut n_left = max_states / 2;
    for turns in 1.. {
        let max_states = SHORT * luby(turns);
        if max_states > n_left {
            break;
        }
        n_left -= max_states;
        let order = if turns % 2 == 0 { Order::FewestFirst } else { Order::MostFirst };
        tries.push(Try { order, turns, max_states });
    }
    // Where there are few, each may meet all of them.
    let max_states = ((max_states / 2 + n_left) / Order::ALL.len()).max(max_states.min(SHORT));
    tries.extend(Order::ALL.map(|order| Try { order, turns: 0, max_states }));
    tries
}

/// The n-th number of the sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, ...
pub(crate) fn luby(mut n: u64) -> usize {
    loop {
        let n_bits = n.ilog2() + 1;
        if n == (1 << n_bits) - 1 {
            return 1 << (n_bits - 1);
        }
        n -= (1 << (n_bits - 1)) - 1;
    }
}

/// What a dive came to: states of a run, from the first to one that is wrong.
pub(crate) enum Found<const W: usize> {
    /// The space said this of the last state.
    State(Vec<[u64; W]>, u32),
    /// The states from this place on are silent and lead back to where they began.
    Cycle(Vec<[u64; W]>, usize),
}

/// About how many states are expanded between two questions whether to go on.
const ASK_EVERY: usize = 1024;
/// Steps of that many states, about.
const STEPS_PER_QUESTION: u64 = 3 * ASK_EVERY as u64;
/// States that are looked at in order to sort steps, for each one that may be met: with very many steps, choosing would take for ever.
const AHEAD: usize = 16;

struct Dive<'a, const W: usize, S> {
    space: &'a S,
    met: Shard<W>,
    /// The states of the run, by number.
    run: Vec<Frame>,
    /// Where states are in the run.
    places: HashMap<usize, usize>,
    /// Where steps of the states of the run lead that were not followed yet.
    waiting: Vec<(Label, [u64; W])>,
    steps: Steps<W>,
    /// What comes behind a step, while it is counted.
    beyond: Steps<W>,
    /// How many states were expanded, those ahead included.
    n_expanded: usize,
    /// When somebody is asked next whether to go on.
    asks_at: usize,
    how: Try,
    finds_cycles: bool,
}

struct Frame {
    number: usize,
    /// Whether a silent step leads there.
    is_silent: bool,
    /// Where its steps begin among those that wait.
    first: usize,
}

/// Dives until something is found, or so many states were met.
///
/// # Errors
/// When somebody asks to stop.
pub(crate) fn dive<const W: usize>(
    space: &impl PlainSpace<W>,
    how: Try,
    finds_cycles: bool,
    progress: &dyn Progress,
) -> Result<Option<Found<W>>, Interrupt> {
    let mut dive = Dive {
        space,
        met: Shard::default(),
        run: Vec::new(),
        places: HashMap::new(),
        waiting: vec![(Label::TAU, space.initial())],
        steps: Steps::new(),
        beyond: Steps::new(),
        n_expanded: 0,
        asks_at: 0,
        how,
        finds_cycles,
    };
    dive.follow(how.max_states.min(MAX_STATES / 2), progress)
}

impl<const W: usize, S: PlainSpace<W>> Dive<'_, W, S> {
    fn follow(&mut self, max_states: usize, progress: &dyn Progress) -> Result<Option<Found<W>>, Interrupt> {
        while self.met.len() < max_states && self.n_expanded / AHEAD < max_states {
            let first = self.run.last().map_or(0, |frame| frame.first);
            if self.waiting.len() == first {
                let Some(frame) = self.run.pop() else { return Ok(None) };
                self.places.remove(&frame.number);
                continue;
            }
            let Some((label, state)) = self.waiting.pop() else { return Ok(None) };
            let n_met = self.met.len();
            let number = self.met.insert(&state);
            if number < n_met {
                if let Some(cycle) = self.cycle(label, number) {
                    return Ok(Some(cycle));
                }
                continue;
            }
            if self.n_expanded >= self.asks_at {
                self.asks_at = self.n_expanded + ASK_EVERY;
                if let ControlFlow::Break(why) = progress.tick(&Statistics {
                    work: self.space.costs().work(ASK_EVERY as u64, STEPS_PER_QUESTION),
                    ..Statistics::of_states(n_met)
                }) {
                    return Err(why);
                }
            }
            if let Some(what) = self.enter(label, number) {
                return Ok(Some(Found::State(self.shortest(number), what)));
            }
        }
        Ok(None)
    }

    /// Adds a state to the run; returns what the space says of it.
    fn enter(&mut self, label: Label, number: usize) -> Option<u32> {
        self.places.insert(number, self.run.len());
        self.run.push(Frame { number, is_silent: label == Label::TAU, first: self.waiting.len() });
        self.steps.clear();
        self.n_expanded += 1;
        let state = *self.met.state(number);
        if let Judgment::Found(what) = self.space.expand(Node::of(&state), &mut (), &mut self.steps) {
            return Some(what);
        }
        let Try { order, turns, .. } = self.how;
        if order != Order::AsTheyCome && !self.steps.is_empty() {
            const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
            let turn = (hash(&state) ^ turns.wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN) >> 40;
            let n_steps = self.steps.len();
            self.steps.rotate_left(turn as usize % n_steps);
        }
        if matches!(order, Order::FewestFirst | Order::MostFirst) && self.steps.len() > 1 {
            self.n_expanded += self.steps.len();
            let Dive { space, steps, beyond, .. } = self;
            steps.sort_by_cached_key(|step| {
                beyond.clear();
                // What is wrong comes first.
                let judgment = space.expand(Node::of(&step.target), &mut (), beyond);
                match order {
                    _ if judgment != Judgment::Fine => 0,
                    Order::MostFirst => usize::MAX - beyond.len(),
                    _ => 1 + beyond.len(),
                }
            });
        }
        self.waiting.extend(self.steps.iter().rev().map(|step| (step.label, step.target)));
        None
    }

    /// The run, if a silent step leads from its end back to a state of it, and all steps between are silent.
    fn cycle(&self, label: Label, number: usize) -> Option<Found<W>> {
        let &place = self.places.get(&number).filter(|_| self.finds_cycles && label == Label::TAU)?;
        if !self.run[place + 1..].iter().all(|frame| frame.is_silent) {
            return None;
        }
        let mut states = self.shortest(number);
        let start = states.len() - 1;
        states.extend(self.run[place + 1..].iter().map(|frame| *self.met.state(frame.number)));
        states.push(*self.met.state(number));
        Some(Found::Cycle(states, start))
    }

    /// The states on a shortest way to one that was met, among those that were.
    fn shortest(&self, goal: usize) -> Vec<[u64; W]> {
        const NONE: u32 = u32::MAX;
        let mut before = vec![NONE; self.met.len()];
        let mut open = vec![0];
        let mut steps = Steps::new();
        let mut next = 0;
        before[0] = 0;
        while next < open.len() && before[goal] == NONE {
            let number: usize = open[next];
            next += 1;
            steps.clear();
            if self.space.expand(Node::of(self.met.state(number)), &mut (), &mut steps) != Judgment::Fine {
                continue;
            }
            for target in steps.iter().filter_map(|step| self.met.find(&step.target)) {
                if before[target] == NONE {
                    before[target] = number as u32;
                    open.push(target);
                }
            }
        }
        let mut states = vec![*self.met.state(goal)];
        let mut at = goal;
        while at != 0 {
            at = before[at] as usize;
            states.push(*self.met.state(at));
        }
        states.reverse();
        states
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Node, Space, Step};
    use model::network::RuleId;
    use progress::Nobody;

    /// A comb: many short teeth, and something wrong at the end of its back.
    struct Comb {
        length: u64,
        has_cycle: bool,
    }

    impl Space<1> for Comb {
        type Cell = ();
        type Buffers = ();

        fn initial(&self) -> [u64; 1] {
            [0]
        }

        fn expand(&self, Node { state: &[state], .. }: Node<'_, 1>, (): &mut (), steps: &mut Steps<1>) -> Judgment {
            let mut add = |target: u64, label| steps.push(Step { target: [target], label, rule: RuleId(0) });
            if state == self.length && !self.has_cycle {
                return Judgment::Found(7);
            }
            if state < self.length {
                (1..5).for_each(|tooth| add(state + tooth * 1_000_000, Label(2)));
                add(state + 1, Label::TAU);
            } else if state == self.length {
                add(self.length - 3, Label::TAU);
            }
            Judgment::Fine
        }
    }

    /// Two ways on from everywhere, and something wrong at all ends.
    struct Fan {
        depth: u32,
    }

    impl Space<1> for Fan {
        type Cell = ();
        type Buffers = ();

        fn initial(&self) -> [u64; 1] {
            [1]
        }

        fn expand(&self, Node { state: &[state], .. }: Node<'_, 1>, (): &mut (), steps: &mut Steps<1>) -> Judgment {
            if state >> self.depth != 0 {
                return Judgment::Found(7);
            }
            steps.extend([0, 1].map(|way| Step { target: [state * 2 + way], label: Label(2), rule: RuleId(0) }));
            Judgment::Fine
        }
    }

    fn long(order: Order) -> Try {
        Try { order, turns: 0, max_states: 1 << 20 }
    }

    #[test]
    fn what_is_far_is_found_by_a_shortest_run() {
        for order in Order::ALL {
            let comb = Comb { length: 5000, has_cycle: false };
            let found = dive(&comb, long(order), true, &Nobody).expect("nobody stops it");
            let Some(Found::State(states, 7)) = found else { panic!("it is there") };
            assert!(states.into_iter().eq((0..=5000).map(|state| [state])));
            let comb = Comb { length: 5000, has_cycle: true };
            let found = dive(&comb, long(order), true, &Nobody).expect("nobody stops it");
            let Some(Found::Cycle(states, start)) = found else { panic!("there is one") };
            assert_eq!((start, states.len(), states[start]), (4997, 5002, states[5001]));
            assert!(dive(&comb, long(order), false, &Nobody).expect("nobody stops it").is_none());
        }
    }

    #[test]
    fn a_dive_ends() {
        let comb = Comb { length: 1 << 40, has_cycle: false };
        let short = Try { max_states: 1000, ..long(Order::AsTheyCome) };
        assert!(dive(&comb, short, true, &Nobody).expect("nobody stops it").is_none());
    }

    #[test]
    fn dives_are_short_and_some_are_long() {
        let lengths: Vec<usize> = (1..16).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        let tries = tries(1 << 16);
        let n_states: usize = tries.iter().map(|one| one.max_states).sum();
        assert!(n_states <= 1 << 16 && n_states > 1 << 15, "{tries:?}");
        let last: Vec<Order> = tries[tries.len() - 4..].iter().map(|one| one.order).collect();
        assert_eq!(last, Order::ALL);
        assert_eq!(super::tries(1 << 10).len(), 4, "there is no room for short ones");
    }

    /// Where steps are as good, each dive goes another way.
    #[test]
    fn turns_are_taken_differently() {
        let wide = Fan { depth: 12 };
        let ends: std::collections::BTreeSet<u64> = (0..32)
            .map(|turns| {
                let how = Try { turns, ..long(Order::MostFirst) };
                let Ok(Some(Found::State(states, 7))) = dive(&wide, how, true, &Nobody) else { panic!("it is there") };
                states[states.len() - 1][0]
            })
            .collect();
        assert!(ends.len() > 16, "{ends:?}");
    }
}
