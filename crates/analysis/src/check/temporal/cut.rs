//! The reported part of a run: a bad prefix ends with the step, or in the state, that violates the formula.
//!
//! The run is judged and replayed as a whole. It is cut only here, so that all faces of the tool show the same steps.

use super::super::report::EventReading;
use super::tell::Seen;
use decide::FoundRun;
use ltl::logic::Formula;
use temporal::product::{BadPrefix, bad_prefix, is_unsatisfiable};
use temporal::{Ending, Run, evaluate};

/// The length of the reported part of a run, and its continuation.
#[derive(Clone, Copy)]
pub(super) struct Extent {
    pub(super) n_steps: usize,
    pub(super) ending: Ending,
}

impl Extent {
    /// The whole run.
    pub(super) fn of(found: &FoundRun) -> Extent {
        let n_steps = match found {
            FoundRun::Network(run) => run.steps.len(),
            FoundRun::Explicit(run) => run.steps.len(),
        };
        Extent { n_steps, ending: found.ending() }
    }
}

/// The reported part of a run.
pub(super) struct Cut {
    pub(super) extent: Extent,
    /// Whether it is shorter than the run, or lacks its continuation.
    pub(super) is_shortened: bool,
    /// The length of the bad prefix, after which every continuation violates the formula.
    pub(super) sealed: Option<usize>,
    /// The steps that leave the reported positions.
    pub(super) positions: Vec<usize>,
    /// The run with all reported positions, if its continuation is known.
    whole: Option<Run>,
}

impl Seen<'_> {
    /// Cuts the run behind its shortest bad prefix, if it has one.
    pub(super) fn cut(&self) -> Cut {
        let Seen { structure, property, rules, run, .. } = *self;
        let whole = evaluate::continued(structure, property, rules, run);
        let n_all = run.steps.len();
        let found = bad_prefix(structure, property, rules, whole.as_ref().unwrap_or(run));
        // The empty bad prefix of an unsatisfiable property explains less than the run.
        let is_empty = |found: &BadPrefix| found.n_steps == 0 && is_unsatisfiable(property, rules);
        let found = found.filter(|found| found.n_steps <= n_all && !is_empty(found));
        let ending = match (found, run.ending) {
            (Some(found), Ending::Stuck | Ending::Silent(_)) if found.n_steps == n_all => run.ending,
            (Some(_), _) => Ending::Any,
            (None, ending) => ending,
        };
        let n_steps = found.map_or(n_all, |found| found.n_steps);
        let includes_end = found.is_some_and(|found| found.includes_end);
        let whole = whole.map(|whole| if self.is_arriving() { unrolled(whole) } else { whole });
        let positions = self.positions(whole.as_ref(), Extent { n_steps, ending }, includes_end);
        Cut {
            extent: Extent { n_steps, ending },
            is_shortened: ending != run.ending,
            sealed: found.map(|found| found.n_steps),
            positions,
            whole,
        }
    }

    fn is_arriving(&self) -> bool {
        self.reading == EventReading::Arriving
    }

    /// The steps that leave the reported positions. The position behind the last step is among them if the run ends
    /// there, if it violates the formula, or if its truth values are shown beside the last step.
    fn positions(&self, whole: Option<&Run>, Extent { n_steps, ending }: Extent, includes_end: bool) -> Vec<usize> {
        let run = whole.unwrap_or(self.run);
        let all = evaluate::positions(self.structure, self.rules, run);
        let mut positions: Vec<usize> = all.iter().copied().filter(|&place| place < n_steps).collect();
        let has_more = all.len() > positions.len();
        let end = match ending {
            Ending::Stuck | Ending::Silent(_) => Some(n_steps),
            Ending::Any => Some(n_steps).filter(|_| includes_end || self.is_arriving()),
            // The loop returns to the position where it begins.
            Ending::Loop(start) => {
                positions.iter().copied().find(|&place| place >= start).filter(|_| self.is_arriving())
            }
        };
        positions.extend(end.filter(|_| has_more));
        positions
    }

    /// Truth values of formulas at the reported positions. Empty if the continuation of the run is not known.
    pub(super) fn values(&self, cut: &Cut, formulas: &[Formula]) -> Vec<Vec<bool>> {
        let Seen { structure, property, rules, .. } = *self;
        let Some(whole) = &cut.whole else { return vec![Vec::new(); formulas.len()] };
        let mut values = evaluate::values(structure, property, rules, whole, formulas);
        values.iter_mut().for_each(|values| values.truncate(cut.positions.len()));
        values
    }
}

/// The run with its loop unrolled once, which distinguishes the position after the first round from the one before it.
fn unrolled(mut run: Run) -> Run {
    if let Ending::Loop(start) = run.ending {
        run.ending = Ending::Loop(run.steps.len());
        run.steps.extend_from_within(start..);
    }
    run
}
