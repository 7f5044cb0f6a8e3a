//! Compressions that resolve the choices of a system.

use crate::interner::number;
use crate::{Builder, Label, Lts, Reduced, StateId, StateMap, Stop, Transition, Watch};

/// The system in which silent steps are followed without choice: always the first one of a state, until none is left.
///
/// This loses behavior unless silent steps are confluent and terminate. Where they do not terminate, the state becomes
/// divergent.
pub fn chase(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    follow(lts, Choice::All, watch)
}

/// A deterministic refinement of the original in failures, if that does not diverge: silent steps are followed as in
/// [`chase`], of several steps with one label only the first is kept, and a terminating state keeps only its
/// termination. To drop termination instead would be new behavior, because such a state never refuses it. Explicit
/// acceptances stay unchanged, and so do their events.
pub fn deter(lts: &Lts, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    follow(lts, Choice::First, watch)
}

/// The visible steps of a state that are kept.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Choice {
    All,
    /// The first of each label, and only termination if there is one.
    First,
}

impl Choice {
    fn keeps(self, lts: &Lts, state: StateId) -> impl Iterator<Item = &Transition> {
        let ends = self == Choice::First && lts.acceptances.is_none() && lts.can_terminate(state);
        let steps = lts.transitions(state).chunk_by(|left, right| left.label == right.label);
        let most = if self == Choice::First { 1 } else { usize::MAX };
        steps.filter(move |steps| !ends || steps[0].label == Label::TICK).flat_map(move |steps| steps.iter().take(most))
    }
}

/// Follows silent steps, and keeps the chosen ones of the others.
fn follow(lts: &Lts, choice: Choice, watch: &mut Watch<'_>) -> Result<Reduced, Stop> {
    watch.start();
    let ends = ends_of_silent_paths(lts, watch)?;
    let mut builder = Builder::new();
    for (state, &end) in ends.iter().enumerate() {
        watch.tick(1)?;
        let (state, end) = (StateId(number(state)), StateId(end));
        builder.add_state(state);
        if state != end {
            continue;
        }
        if !lts.silent(state).is_empty() || lts.is_explicitly_divergent(state) {
            builder.mark_divergent(state);
            continue;
        }
        for step in choice.keeps(lts, state) {
            builder.add(state, step.label, StateId(ends[step.target.index()]));
        }
    }
    let mut followed = builder.finish(StateId(ends[lts.initial().index()]));
    if let Some(acceptances) = lts.acceptances() {
        followed.acceptances = Some(acceptances.select(&lts.states().collect::<Vec<_>>()));
    }
    Ok(followed.reachable().after(StateMap::from_images(ends)))
}

/// The state in which the first silent steps end: one without silent steps, or one on a silent cycle, the same for the
/// whole cycle.
fn ends_of_silent_paths(lts: &Lts, watch: &mut Watch<'_>) -> Result<Vec<u32>, Stop> {
    const ON_PATH: u32 = u32::MAX - 1;
    let mut ends = vec![StateMap::NONE; lts.n_states()];
    let mut path = Vec::new();
    for start in lts.states() {
        let mut state = start;
        while ends[state.index()] == StateMap::NONE {
            watch.tick(1)?;
            ends[state.index()] = ON_PATH;
            path.push(state);
            match lts.silent(state).first() {
                Some(step) if !lts.is_explicitly_divergent(state) => state = step.target,
                _ => break,
            }
        }
        let end = if ends[state.index()] == ON_PATH { state.0 } else { ends[state.index()] };
        for state in path.drain(..) {
            ends[state.index()] = end;
        }
    }
    Ok(ends)
}
