//! Depth-first probes with restarts.
//!
//! Where each level of a breadth-first search is larger than all before, states far from the start are out of reach. A
//! probe follows one run depth first, with backtracking, up to a budget of states. It proves nothing. Probes differ in
//! the order of steps: as they come; by a hash of the state; least branching first, as Warnsdorff advised for knight's
//! tours; most branching first. A probe runs on one worker and does not depend on the number of workers.
//!
//! Most probes are short, because one that took a wrong turn early does not return to it in time. Their budgets follow
//! the sequence of Luby, Sinclair and Zuckerman (1993), *Optimal speedup of Las Vegas algorithms*.
//!
//! The states that a successful probe discovered are searched again, breadth first, for a shortest run.

use crate::space::{Judgment, Node, PlainSpace, Steps};
use crate::store::{MAX_STATES, Shard, hash};
use limits::effort::probes::{EXPANDED_PER_VISITED, SHORTEST};
use limits::intervals::polling::{PROBED_STATES_PER_POLL, PROBED_STEPS_PER_POLL};
use lts::Label;
use progress::{Interrupt, Progress, Statistics};
use std::collections::HashMap;
use std::ops::ControlFlow;

/// The order in which the steps of a state are followed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Order {
    AsTheyCome,
    ByState,
    FewestFirst,
    MostFirst,
}

impl Order {
    /// All orders.
    pub(crate) const ALL: [Order; 4] = [Order::FewestFirst, Order::MostFirst, Order::AsTheyCome, Order::ByState];
}

/// The parameters of a probe.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ProbeSettings {
    pub(crate) order: Order,
    /// The seed for the choice among equally good steps.
    pub(crate) seed: u64,
    /// The budget of states.
    pub(crate) max_states: usize,
}

/// Probes with a common budget of states: many short ones, then one long one for each order.
pub(crate) fn series(max_states: usize) -> Vec<ProbeSettings> {
    let mut series = Vec::new();
    let mut n_left = max_states / 2;
    for seed in 1.. {
        let max_states = SHORTEST * luby(seed);
        if max_states > n_left {
            break;
        }
        n_left -= max_states;
        let order = if seed % 2 == 0 { Order::FewestFirst } else { Order::MostFirst };
        series.push(ProbeSettings { order, seed, max_states });
    }
    // A small budget per probe suffices for a small state space.
    let max_states = ((max_states / 2 + n_left) / Order::ALL.len()).max(max_states.min(SHORTEST));
    series.extend(Order::ALL.map(|order| ProbeSettings { order, seed: 0, max_states }));
    series
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

/// The finding of a successful probe, with the states of a run.
pub(crate) enum Found<const W: usize> {
    /// The last state is a goal of the space, with this number.
    State(Vec<[u64; W]>, u32),
    /// The steps from this position on are silent and close a cycle.
    Cycle(Vec<[u64; W]>, usize),
}

struct Probe<'a, const W: usize, S> {
    space: &'a S,
    discovered: Shard<W>,
    /// The states of the run, by number.
    run: Vec<Frame>,
    /// The positions of states in the run.
    places: HashMap<usize, usize>,
    /// The targets of steps of the run that are still to be followed.
    waiting: Vec<(Label, [u64; W])>,
    steps: Steps<W>,
    /// The steps of a successor, while they are counted.
    beyond: Steps<W>,
    /// The number of expanded states, including those expanded to sort steps.
    n_expanded: usize,
    /// The number of expanded states at the next poll.
    next_poll: usize,
    how: ProbeSettings,
    finds_cycles: bool,
}

struct Frame {
    number: usize,
    /// Whether the step to it is silent.
    is_silent: bool,
    /// The position of its first step in `waiting`.
    first: usize,
}

/// Searches depth first until a goal is found or the budget is used up.
///
/// # Errors
/// If it is cancelled.
pub(crate) fn probe<const W: usize>(
    space: &impl PlainSpace<W>,
    how: ProbeSettings,
    finds_cycles: bool,
    progress: &dyn Progress,
) -> Result<Option<Found<W>>, Interrupt> {
    let mut probe = Probe {
        space,
        discovered: Shard::default(),
        run: Vec::new(),
        places: HashMap::new(),
        waiting: vec![(Label::TAU, space.initial())],
        steps: Steps::new(),
        beyond: Steps::new(),
        n_expanded: 0,
        next_poll: 0,
        how,
        finds_cycles,
    };
    probe.follow(how.max_states.min(MAX_STATES / 2), progress)
}

impl<const W: usize, S: PlainSpace<W>> Probe<'_, W, S> {
    fn follow(&mut self, max_states: usize, progress: &dyn Progress) -> Result<Option<Found<W>>, Interrupt> {
        while self.discovered.len() < max_states && self.n_expanded / EXPANDED_PER_VISITED < max_states {
            let first = self.run.last().map_or(0, |frame| frame.first);
            if self.waiting.len() == first {
                let Some(frame) = self.run.pop() else { return Ok(None) };
                self.places.remove(&frame.number);
                continue;
            }
            let Some((label, state)) = self.waiting.pop() else { return Ok(None) };
            let n_discovered = self.discovered.len();
            let number = self.discovered.insert(&state);
            if number < n_discovered {
                if let Some(cycle) = self.cycle(label, number) {
                    return Ok(Some(cycle));
                }
                continue;
            }
            if self.n_expanded >= self.next_poll {
                self.next_poll = self.n_expanded + PROBED_STATES_PER_POLL;
                if let ControlFlow::Break(why) = progress.tick(&Statistics {
                    work: self.space.costs().work(PROBED_STATES_PER_POLL as u64, PROBED_STEPS_PER_POLL),
                    ..Statistics::of_states(n_discovered)
                }) {
                    return Err(why);
                }
            }
            if let Some(finding) = self.enter(label, number) {
                return Ok(Some(Found::State(self.shortest(number), finding)));
            }
        }
        Ok(None)
    }

    /// Adds a state to the run; returns the finding of the space, if any.
    fn enter(&mut self, label: Label, number: usize) -> Option<u32> {
        self.places.insert(number, self.run.len());
        self.run.push(Frame { number, is_silent: label == Label::TAU, first: self.waiting.len() });
        self.steps.clear();
        self.n_expanded += 1;
        let state = *self.discovered.state(number);
        if let Judgment::Found(finding) = self.space.expand(Node::of(&state), &mut (), &mut self.steps) {
            return Some(finding);
        }
        let ProbeSettings { order, seed, .. } = self.how;
        if order != Order::AsTheyCome && !self.steps.is_empty() {
            const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
            let turn = (hash(&state) ^ seed.wrapping_mul(GOLDEN)).wrapping_mul(GOLDEN) >> 40;
            let n_steps = self.steps.len();
            self.steps.rotate_left(turn as usize % n_steps);
        }
        if matches!(order, Order::FewestFirst | Order::MostFirst) && self.steps.len() > 1 {
            self.n_expanded += self.steps.len();
            let Probe { space, steps, beyond, .. } = self;
            steps.sort_by_cached_key(|step| {
                beyond.clear();
                // A state with a finding comes first.
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

    /// The cycle that a silent step closes from the end of the run to a state of it, if all steps between are silent.
    fn cycle(&self, label: Label, number: usize) -> Option<Found<W>> {
        let &place = self.places.get(&number).filter(|_| self.finds_cycles && label == Label::TAU)?;
        if !self.run[place + 1..].iter().all(|frame| frame.is_silent) {
            return None;
        }
        let mut states = self.shortest(number);
        let start = states.len() - 1;
        states.extend(self.run[place + 1..].iter().map(|frame| *self.discovered.state(frame.number)));
        states.push(*self.discovered.state(number));
        Some(Found::Cycle(states, start))
    }

    /// The states on a shortest run to a discovered state, among the discovered ones.
    fn shortest(&self, goal: usize) -> Vec<[u64; W]> {
        const NONE: u32 = u32::MAX;
        let mut before = vec![NONE; self.discovered.len()];
        let mut open = vec![0];
        let mut steps = Steps::new();
        let mut next = 0;
        before[0] = 0;
        while next < open.len() && before[goal] == NONE {
            let number: usize = open[next];
            next += 1;
            steps.clear();
            if self.space.expand(Node::of(self.discovered.state(number)), &mut (), &mut steps) != Judgment::Fine {
                continue;
            }
            for target in steps.iter().filter_map(|step| self.discovered.find(&step.target)) {
                if before[target] == NONE {
                    before[target] = number as u32;
                    open.push(target);
                }
            }
        }
        let mut states = vec![*self.discovered.state(goal)];
        let mut at = goal;
        while at != 0 {
            at = before[at] as usize;
            states.push(*self.discovered.state(at));
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
    use progress::NoProgress;

    /// A comb: many short teeth, and a goal at the end of its back.
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

    /// A tree with two successors of each inner state, and goals as leaves.
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

    fn long(order: Order) -> ProbeSettings {
        ProbeSettings { order, seed: 0, max_states: 1 << 20 }
    }

    #[test]
    fn distant_goals_are_found_by_shortest_runs() {
        for order in Order::ALL {
            let comb = Comb { length: 5000, has_cycle: false };
            let found = probe(&comb, long(order), true, &NoProgress).expect("the computation is not cancelled");
            let Some(Found::State(states, 7)) = found else { panic!("it is there") };
            assert!(states.into_iter().eq((0..=5000).map(|state| [state])));
            let comb = Comb { length: 5000, has_cycle: true };
            let found = probe(&comb, long(order), true, &NoProgress).expect("the computation is not cancelled");
            let Some(Found::Cycle(states, start)) = found else { panic!("there is one") };
            assert_eq!((start, states.len(), states[start]), (4997, 5002, states[5001]));
            assert!(probe(&comb, long(order), false, &NoProgress).expect("the computation is not cancelled").is_none());
        }
    }

    #[test]
    fn probes_respect_their_budget() {
        let comb = Comb { length: 1 << 40, has_cycle: false };
        let short = ProbeSettings { max_states: 1000, ..long(Order::AsTheyCome) };
        assert!(probe(&comb, short, true, &NoProgress).expect("the computation is not cancelled").is_none());
    }

    #[test]
    fn budgets_follow_the_luby_sequence() {
        let lengths: Vec<usize> = (1..16).map(luby).collect();
        assert_eq!(lengths, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
        let series = series(1 << 16);
        let n_states: usize = series.iter().map(|one| one.max_states).sum();
        assert!(n_states <= 1 << 16 && n_states > 1 << 15, "{series:?}");
        let last: Vec<Order> = series[series.len() - 4..].iter().map(|one| one.order).collect();
        assert_eq!(last, Order::ALL);
        assert_eq!(super::series(1 << 10).len(), 4, "there is no room for short ones");
    }

    /// Probes with different seeds break ties between equally good steps differently.
    #[test]
    fn seeds_break_ties_differently() {
        let wide = Fan { depth: 12 };
        let ends: std::collections::BTreeSet<u64> = (0..32)
            .map(|seed| {
                let how = ProbeSettings { seed, ..long(Order::MostFirst) };
                let Ok(Some(Found::State(states, 7))) = probe(&wide, how, true, &NoProgress) else {
                    panic!("it is there")
                };
                states[states.len() - 1][0]
            })
            .collect();
        assert!(ends.len() > 16, "{ends:?}");
    }
}
