//! Growth of the work of bisimulations with the size of a system: close to linear.
//!
//! The unit of work is a step of the watch, so results are deterministic.

use lts::bisimulation::{branching, delay, strong, weak};
use lts::{Builder, Label, Lts, Reduced, StateId, Stop, Watch};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::Mutex;

type Reduction = fn(&Lts, &mut Watch<'_>) -> Result<Reduced, Stop>;

const REDUCTIONS: [(&str, Reduction); 3] = [("strong", strong), ("delay", delay), ("weak", weak)];

/// The steps of a state in a system of a given size.
type Steps = fn(u32, u32) -> Vec<(Label, u32)>;

const FAMILIES: [(&str, Steps); 6] = [
    ("row", |state, n| vec![(A, (state + 1).min(n))]),
    ("row, every other step silent", |state, n| vec![([Label::TAU, A][state as usize % 2], (state + 1).min(n))]),
    ("row of steps of several lengths", |state, n| (1..5).map(|length| (A, (state + length).min(n))).collect()),
    ("row of which one state sees all", |state, n| if state == 0 { each(A, n) } else { vec![(A, (state + 1).min(n))] }),
    ("row of which one state can become all", |state, n| match state {
        0 => each(Label::TAU, n),
        _ => vec![(A, state + 1)],
    }),
    ("tree with steps back", |state, n| {
        let label = if state % 3 == 0 { A } else { B };
        vec![(label, (2 * state + 1) % n), (label, (2 * state + 2) % n)]
    }),
];

/// Families in which silent steps reach nearly everything, and signatures change repeatedly.
const SILENT_FAMILIES: [(&str, Steps); 5] = [
    ("row that two states can become", |state, n| match state {
        0 | 1 => (2..n).map(|target| (Label::TAU, target)).collect(),
        _ => vec![(A, state + 1)],
    }),
    ("comb over a row", |state, n| comb(state, n / 2)),
    ("comb over a row, with labels", |state, n| {
        let own = (state >= n / 2).then_some((Label(3 + state % 7), state / 3));
        comb(state, n / 2).into_iter().chain(own).collect()
    }),
    ("chain with a label for each", |state, n| vec![(Label::TAU, (state + 1).min(n)), (Label(3 + state), 0)]),
    ("chain with steps back", |state, n| {
        vec![(Label::TAU, (state + 1).min(n)), (Label(2 + state % 3), state / 2), (A, state * 7 % n)]
    }),
];

/// A chain with a tooth above each of its states, which leads to that state or to the previous one of the comb.
fn comb(state: u32, n_teeth: u32) -> Vec<(Label, u32)> {
    match state {
        0 => vec![],
        _ if state < n_teeth => vec![(A, state - 1)],
        _ => vec![(Label::TAU, state - n_teeth), (Label::TAU, (state - 1).max(n_teeth - 1))],
    }
}

const A: Label = Label(2);
const B: Label = Label(3);

fn each(label: Label, n: u32) -> Vec<(Label, u32)> {
    (1..n).map(|target| (label, target)).collect()
}

fn build(steps: Steps, n: u32) -> Lts {
    let mut builder = Builder::new();
    for state in 0..n {
        steps(state, n).into_iter().for_each(|(label, target)| builder.add(StateId(state), label, StateId(target)));
    }
    builder.finish(StateId(0))
}

/// The total steps of all phases.
#[derive(Default)]
struct Work(Mutex<usize>);

impl Progress for Work {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        *self.0.lock().expect("no thread panics") += so_far.work as usize;
        ControlFlow::Continue(())
    }
}

fn work(reduction: Reduction, lts: &Lts) -> usize {
    let work = Work::default();
    reduction(lts, &mut Watch::new(&work)).expect("the computation is not cancelled");
    *work.0.lock().expect("no thread panics")
}

/// A logarithmic factor is allowed; a quadratic algorithm would take thousands of times as many steps.
#[test]
fn the_work_is_nearly_in_proportion_to_the_size() {
    for (family, steps) in FAMILIES {
        let lts = build(steps, 8000);
        let size = lts.n_states() + lts.n_transitions();
        for (name, reduction) in REDUCTIONS {
            let work = work(reduction, &lts);
            assert!(work < 30 * size, "{name}, {family}: {work} steps for a system of size {size}");
        }
    }
}

#[test]
fn branching_bisimulation_never_takes_long() {
    for (family, steps) in FAMILIES.into_iter().chain(SILENT_FAMILIES) {
        for n in [4000, 8000, 16_000, 32_000] {
            let lts = build(steps, n);
            let size = lts.n_states() + lts.n_transitions();
            let work = work(branching, &lts);
            assert!(work < 60 * size, "{family}: {work} steps for a system of size {size}");
        }
    }
}
