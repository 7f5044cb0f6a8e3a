//! The events that a specification allows along a run.

use super::checker::Checker;
use super::{Counterexample, Events};
use frontend::Asserted;
use limits::effort::replay::MAX_STEPS;
use lts::walk::{Ended, StatesAfter};
use lts::{Label, Lts, Watch};
use std::convert::Infallible;

impl Checker<'_> {
    /// Adds what the specification allows before each step of a run with these labels, if that can be told: a
    /// specification that was not written down as a whole is not asked again.
    pub(super) fn with_allowed(
        &mut self,
        mut told: Counterexample,
        asserted: &Asserted,
        labels: &[Label],
    ) -> Counterexample {
        let &Asserted::Refines { specification, model, .. } = asserted else { return told };
        if labels.len() > MAX_STEPS || model.tests_refusals() {
            return told;
        }
        let Some(known) = self.specifications.get(&(specification, model)).cloned() else { return told };
        let Ok(allowed) = allowed_along(known.system(), labels) else { return told };
        told.allowed = allowed.iter().map(|labels| self.events_text(labels)).collect::<Vec<Events>>();
        told
    }
}

/// The visible events that a system can do before each of these steps, and after the last one; nothing more after one
/// that it cannot take.
fn allowed_along(system: &Lts, labels: &[Label]) -> Result<Vec<Vec<Label>>, Ended<Infallible>> {
    let mut states = StatesAfter::new(system, Watch::none())?;
    let mut allowed = vec![visible_initials(&mut states)?];
    for &label in labels {
        if label.is_visible() {
            states.step(label)?;
            if states.states().is_empty() {
                break;
            }
        }
        allowed.push(visible_initials(&mut states)?);
    }
    Ok(allowed)
}

fn visible_initials(states: &mut StatesAfter<'_, &Lts>) -> Result<Vec<Label>, Ended<Infallible>> {
    Ok(states.initials()?.into_iter().filter(|label| label.is_visible()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use lts::{Builder, StateId};

    #[test]
    fn what_is_allowed_ends_where_the_run_is_not() {
        let (a, b) = (Label(2), Label(3));
        let mut builder = Builder::new();
        for (source, label, target) in [(0, a, 1), (0, a, 2), (1, Label::TAU, 3), (2, a, 2), (3, b, 0)] {
            builder.add(StateId(source), label, StateId(target));
        }
        let system = builder.finish(StateId(0));
        let along = allowed_along(&system, &[a, Label::TAU, b, b]);
        assert_eq!(along, Ok(vec![vec![a], vec![a, b], vec![a, b], vec![a]]), "the last step is not allowed");
    }
}
