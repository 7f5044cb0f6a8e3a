//! Runs of a network from runs among representatives.

use super::{Automorphism, Symmetry};
use lts::Label;
use model::network::{Configuration, Network};

/// Steps with where they lead, and the number of the configuration that the last one leads back to, if it is a loop.
pub type Run = (Vec<(Label, Configuration)>, Option<usize>);

/// The run of a network that a run among representatives stands for.
///
/// Each step leads to the representative of where the network gets to, and the next one starts there. The network
/// itself is somewhere else in the orbit: at the representative, seen through an automorphism that is kept along the
/// way. A loop among representatives may lead to another member of the orbit it started in, so it is gone around until
/// it closes. Configuration 0 is `start`, and the one numbered `n` is what step `n - 1` leads to. Labels are those of
/// the network's own steps, so they have the colors of those given.
///
/// There is nothing if no step of the network fits.
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
    /// Takes the representative of the target to the target.
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

/// Takes steps, seen through an automorphism; returns through which one the representative at the end is to be seen.
fn follow(steps: &[RealStep], mut through: Automorphism, run: &mut Vec<(Label, Configuration)>) -> Automorphism {
    for step in steps {
        run.push((through.label(step.label), through.apply(&step.target)));
        through = step.back.then(&through);
    }
    through
}
