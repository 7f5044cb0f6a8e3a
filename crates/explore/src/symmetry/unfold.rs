//! Lifting of runs of representatives to runs of the network.

use super::{Automorphism, Symmetry};
use lts::Label;
use model::network::{Configuration, Network};

/// Steps with their targets, and the number of the configuration that closes the loop, if it is one.
pub type Run = (Vec<(Label, Configuration)>, Option<usize>);

/// Lifts a run of representatives to a run of the network.
///
/// Each step leads to the representative of a target, and the next one starts there. The configuration of the network
/// is the image of that representative under an automorphism, which is updated along the run. A loop of representatives
/// may lead to another member of the orbit of its start, so it is repeated until it closes. Configuration 0 is `start`,
/// and the one numbered `n` is the target of step `n - 1`. Labels are those of the steps of the network, so they have
/// the colors of the given ones.
///
/// None if no step of the network matches.
pub fn unfold(
    network: &Network,
    symmetry: &Symmetry,
    start: &Configuration,
    steps: &[(Label, Configuration)],
    loop_start: Option<usize>,
) -> Option<Run> {
    let mut real = Vec::with_capacity(steps.len());
    let mut from = start;
    for (label, to) in steps {
        real.push(RealStep::find(network, symmetry, from, *label, to)?);
        from = to;
    }
    let mut seen_through = Automorphism::default();
    let mut run = Vec::new();
    let stem = loop_start.unwrap_or(real.len());
    seen_through = follow(&real[..stem], seen_through, &mut run);
    let Some(loop_start) = loop_start else { return Some((run, None)) };
    let first = if loop_start == 0 { start.clone() } else { run[loop_start - 1].1.clone() };
    if real[stem..].is_empty() {
        return None;
    }
    let representative = if loop_start == 0 { start } else { &steps[loop_start - 1].1 };
    if steps.last().map(|(_, last)| last) != Some(representative) {
        return None;
    }
    loop {
        seen_through = follow(&real[stem..], seen_through, &mut run);
        if run.last().is_some_and(|(_, last)| *last == first) {
            return Some((run, Some(loop_start)));
        }
    }
}

/// A step of the network from a representative.
struct RealStep {
    label: Label,
    target: Configuration,
    /// An automorphism that takes the representative of the target to the target.
    back: Automorphism,
}

impl RealStep {
    fn find(
        network: &Network,
        symmetry: &Symmetry,
        from: &Configuration,
        label: Label,
        to: &Configuration,
    ) -> Option<RealStep> {
        network.steps_with(from, label).into_iter().find_map(|step| {
            let (representative, there) = symmetry.representative_with(&step.target);
            (representative == *to).then(|| RealStep { label, target: step.target, back: there.inverse() })
        })
    }
}

/// Appends the images of steps under an automorphism; returns the automorphism for the representative at the end.
fn follow(steps: &[RealStep], mut through: Automorphism, run: &mut Vec<(Label, Configuration)>) -> Automorphism {
    for step in steps {
        run.push((through.label(step.label), through.apply(&step.target)));
        through = step.back.then(&through);
    }
    through
}
