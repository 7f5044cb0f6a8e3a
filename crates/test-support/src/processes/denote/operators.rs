//! Operators as functions on behaviors.
//!
//! One definition serves both models: without divergences it is the one of the stable failures model. Minimal
//! divergences suffice, because the failures-divergences model is divergence-closed.

use super::{MAX_TRACES, TooBig};
use crate::processes::behavior::{
    Behaviors, Letters, Refusals, SIGMA, TICK, TICK_BIT, Trace, concatenated, is_terminated, with,
};

pub fn stop() -> Behaviors {
    let mut behaviors = Behaviors::default();
    behaviors.add(Trace::new(), Refusals::ALL);
    behaviors
}

pub fn skip() -> Behaviors {
    let mut behaviors = Behaviors::default();
    behaviors.add(Trace::new(), Refusals::of_termination());
    behaviors.add(vec![TICK], Refusals::ALL);
    behaviors
}

/// All traces over `letters`, with these refusals after each.
pub fn all_traces(letters: Letters, max_length: usize, refusals: Refusals) -> Result<Behaviors, TooBig> {
    let mut behaviors = Behaviors::default();
    let mut open = vec![Trace::new()];
    while let Some(trace) = open.pop() {
        if trace.len() < max_length {
            open.extend((0..TICK).filter(|letter| letters >> letter & 1 == 1).map(|letter| with(&trace, letter)));
        }
        behaviors.add(trace, refusals);
        if behaviors.failures.len() > MAX_TRACES {
            return Err(TooBig);
        }
    }
    Ok(behaviors)
}

/// Adds the behaviors of `next`, prefixed by `trace`.
pub fn add_after(behaviors: &mut Behaviors, trace: &[u8], next: &Behaviors) {
    for (rest, &refusals) in &next.failures {
        behaviors.add(concatenated(trace, rest), refusals);
    }
    behaviors.divergences.extend(next.divergences.iter().map(|rest| concatenated(trace, rest)));
}

pub fn external_choice(left: &Behaviors, right: &Behaviors) -> Behaviors {
    sync_choice(left, right, 0)
}

pub fn internal_choice(left: &Behaviors, right: &Behaviors) -> Behaviors {
    let mut behaviors = left.clone();
    add_after(&mut behaviors, &[], right);
    behaviors
}

/// Sliding choice: the left side's offers may be withdrawn, so initial refusals are those of the right side.
pub fn sliding_choice(left: &Behaviors, right: &Behaviors) -> Behaviors {
    let mut behaviors = internal_choice(left, right);
    let start = right.refusals(&[]).or(if left.terminates(&[]) { Refusals::of_termination() } else { Refusals::NONE });
    if let Some(refusals) = behaviors.failures.get_mut(&Trace::new()) {
        *refusals = start;
    }
    behaviors
}

/// Synchronizing external choice: while both sides perform shared events together, an event outside is refused if both
/// refuse it, and a shared one if either does. The first event outside, or termination, resolves the choice. With
/// nothing shared this is external choice.
pub fn sync_choice(left: &Behaviors, right: &Behaviors, shared: Letters) -> Behaviors {
    let mut behaviors = Behaviors::default();
    let is_shared = |letter: &u8| shared >> letter & 1 == 1;
    for (side, other) in [(left, right), (right, left)] {
        for (trace, refusals) in side.traces() {
            let undecided = trace.iter().take_while(|&letter| is_shared(letter)).count();
            if !other.has_trace(&trace[..undecided]) {
                continue;
            }
            if side.divergences.contains(trace) {
                behaviors.divergences.insert(trace.clone());
            } else if undecided < trace.len() {
                behaviors.add(trace.clone(), refusals);
            } else {
                behaviors.add(trace.clone(), both_waiting(refusals, other.refusals(trace), shared));
                if side.terminates(trace) {
                    behaviors.add(trace.clone(), Refusals::of_termination());
                }
            }
        }
    }
    behaviors
}

/// `{ Y u Z | Y refused left, Z refused right, Y = Z outside the shared letters }`.
fn both_waiting(left: Refusals, right: Refusals, shared: Letters) -> Refusals {
    Refusals::where_(|union| {
        subsets(union & shared).any(|mine| {
            let common = union & !shared;
            left.has(common | mine) && right.has(common | (union & shared & !mine))
        })
    })
}

fn subsets(set: Letters) -> impl Iterator<Item = Letters> {
    (0..=set).filter(move |subset| subset & !set == 0)
}

/// Sequential composition: the right side starts where the left one terminates, which is internal: before that, a set
/// is refused if it is refused together with termination.
pub fn sequential(left: &Behaviors, right: &Behaviors) -> Behaviors {
    let mut behaviors = Behaviors { divergences: left.divergences.clone(), ..Behaviors::default() };
    for (trace, &refusals) in &left.failures {
        if is_terminated(trace) {
            add_after(&mut behaviors, &trace[..trace.len() - 1], right);
        } else {
            behaviors.add(trace.clone(), Refusals::where_(|set| refusals.has(set | TICK_BIT)));
        }
    }
    behaviors
}

/// Synchronizing interrupt: the right side synchronizes on shared events; its first other event interrupts the left
/// side. With nothing shared this is interrupt.
pub fn sync_interrupt(left: &Behaviors, right: &Behaviors, shared: Letters) -> Behaviors {
    let mut behaviors = Behaviors::default();
    for (trace, refusals) in left.traces() {
        let waiting: Trace = trace.iter().copied().filter(|letter| shared >> letter & 1 == 1).collect();
        if !right.has_trace(&waiting) {
            continue;
        }
        if left.divergences.contains(trace) || right.diverges(&waiting) {
            behaviors.divergences.insert(trace.clone());
        } else if is_terminated(trace) {
            behaviors.add(trace.clone(), refusals);
        } else {
            behaviors.add(trace.clone(), both_waiting(refusals, right.refusals(&waiting), shared));
            if left.terminates(trace) || right.terminates(&waiting) {
                behaviors.add(trace.clone(), Refusals::of_termination());
            }
            add_interruptions(&mut behaviors, trace, &waiting, right, shared);
        }
    }
    behaviors
}

/// Adds the behaviors of the right side after an interrupt at `trace`.
fn add_interruptions(behaviors: &mut Behaviors, trace: &[u8], waiting: &[u8], right: &Behaviors, shared: Letters) {
    let breaks_in = |whole: &Trace| {
        whole.starts_with(waiting) && {
            let first = whole.get(waiting.len());
            first.is_some_and(|letter| shared >> letter & 1 == 0)
        }
    };
    for (whole, &refusals) in right.failures.iter().filter(|(whole, _)| breaks_in(whole)) {
        behaviors.add(concatenated(trace, &whole[waiting.len()..]), refusals);
    }
    for whole in right.divergences.iter().filter(|whole| breaks_in(whole)) {
        behaviors.divergences.insert(concatenated(trace, &whole[waiting.len()..]));
    }
}

/// Exception: the first event of the set transfers control to the right side.
pub fn exception(left: &Behaviors, right: &Behaviors, thrown: Letters) -> Behaviors {
    let mut behaviors = Behaviors::default();
    for (trace, refusals) in left.traces() {
        match trace.iter().position(|letter| thrown >> letter & 1 == 1) {
            None if left.divergences.contains(trace) => drop(behaviors.divergences.insert(trace.clone())),
            None => behaviors.add(trace.clone(), refusals),
            Some(throw) => add_after(&mut behaviors, &trace[..=throw], right),
        }
    }
    behaviors
}

/// Hiding: `(s, Y)` for every `s'` that is `s` without the hidden letters and refuses them together with `Y`. A hidden
/// run of `infinite_run` letters is a divergence.
pub fn hide(operand: &Behaviors, hidden: Letters, infinite_run: Option<usize>) -> Behaviors {
    let is_hidden = |letter: &u8| hidden >> letter & 1 == 1;
    let shown = |trace: &[u8]| -> Trace { trace.iter().copied().filter(|letter| !is_hidden(letter)).collect() };
    let mut behaviors = Behaviors::default();
    for (trace, &refusals) in &operand.failures {
        behaviors.add(shown(trace), Refusals::where_(|set| refusals.has(set | hidden)));
        let run = trace.iter().rev().take_while(|letter| is_hidden(letter)).count();
        if infinite_run.is_some_and(|infinite| run >= infinite) {
            behaviors.divergences.insert(shown(trace));
        }
    }
    behaviors.divergences.extend(operand.divergences.iter().map(|trace| shown(trace)));
    behaviors
}

/// Relational renaming: all images of the letters of a trace. A letter without an image stays.
pub fn rename(operand: &Behaviors, relation: &[(u8, u8)]) -> Result<Behaviors, TooBig> {
    let images = |letter: u8| -> Vec<u8> {
        let images: Vec<u8> = relation.iter().filter(|pair| pair.0 == letter).map(|pair| pair.1).collect();
        if images.is_empty() { vec![letter] } else { images }
    };
    let n_images = |trace: &[u8]| trace.iter().map(|&letter| images(letter).len()).product::<usize>();
    if operand.traces().any(|(trace, _)| n_images(trace) > MAX_TRACES) {
        return Err(TooBig);
    }
    let renamed = |trace: &[u8]| -> Vec<Trace> {
        trace.iter().fold(vec![Trace::new()], |traces, &letter| {
            traces.iter().flat_map(|trace| images(letter).into_iter().map(|image| with(trace, image))).collect()
        })
    };
    let sources = |set: Letters| -> Letters {
        let is_source = |letter: &u8| images(*letter).iter().any(|image| set >> image & 1 == 1);
        (0..=TICK).filter(is_source).fold(0, |sources, letter| sources | 1 << letter)
    };
    debug_assert_eq!(sources(SIGMA | TICK_BIT) & TICK_BIT, TICK_BIT);
    let mut behaviors = Behaviors::default();
    for (trace, &refusals) in &operand.failures {
        let refusals = Refusals::where_(|set| refusals.has(sources(set)));
        for trace in renamed(trace) {
            behaviors.add(trace, refusals);
        }
    }
    behaviors.divergences.extend(operand.divergences.iter().flat_map(|trace| renamed(trace)));
    Ok(behaviors)
}
