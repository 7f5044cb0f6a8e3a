//! How the work of bisimulations grows with the size of a system: hardly more than in proportion.
//!
//! Work is what a computation reports to its watch, which is the same in every run.

use lts::bisimulation::{delay, strong, weak};
use lts::{Builder, Label, Lts, Reduced, StateId, Stop, Watch};
use progress::{Interrupt, Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::Mutex;

type Reduction = fn(&Lts, &mut Watch<'_>) -> Result<Reduced, Stop>;

const REDUCTIONS: [(&str, Reduction); 3] = [("strong", strong), ("delay", delay), ("weak", weak)];

/// The steps of a state in a system of a size.
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

/// The steps of all phases so far, and of the last one.
#[derive(Default)]
struct Work(Mutex<(usize, usize)>);

impl Progress for Work {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        let (total, before) = &mut *self.0.lock().expect("nobody panics");
        let n_done = so_far.effort as usize;
        // A new phase begins at zero.
        *total += if n_done > *before { n_done - *before } else { n_done };
        *before = n_done;
        ControlFlow::Continue(())
    }
}

fn work(reduction: Reduction, lts: &Lts) -> usize {
    let work = Work::default();
    reduction(lts, &mut Watch::new(&work)).expect("nobody stops it");
    let (total, _) = *work.0.lock().expect("nobody panics");
    total
}

/// A logarithm of the size is allowed for; the square would be thousands of times as much.
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
