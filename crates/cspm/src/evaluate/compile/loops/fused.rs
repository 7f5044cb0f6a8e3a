//! Steps that follow each other in many rounds, as one.
//!
//! A fused step stands where the first of its parts stood and does what they do one after the other. The other parts stay where they
//! are, for those who come from elsewhere, so no target changes.

use super::super::super::loops::Step;

pub(super) fn fuse(steps: &mut [Step]) {
    for at in 0..steps.len() {
        if let Some(fused) = fused(steps, at) {
            steps[at] = fused;
        }
    }
}

/// Targets lie behind the steps that go there, so what is found there has not been fused yet.
fn fused(steps: &[Step], at: usize) -> Option<Step> {
    match (steps[at], steps.get(at + 1)) {
        (Step::Peek(place, into, target), _) => match steps.get(target as usize)? {
            Step::Peek(other, also, further) if *other != place => {
                Some(Step::PeekBoth(place, into, *also, target, *further))
            }
            _ => None,
        },
        (Step::UnlessAtMost(left, right, target), Some(Step::PushSkipAgain(from, place))) if *from == left => {
            Some(Step::PushUnlessMore(left, right, *place, target))
        }
        _ => None,
    }
}
