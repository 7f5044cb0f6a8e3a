//! Runs of networks.

use explore::symmetry::unfold;
use explore::{Limits, Reduction};
use lts::StateId;
use model::network::Configuration;
use temporal::{ActionNetwork, Ending, NetworkRun, Run};

pub const LIMITS: Limits = Limits::of_workers(1);

/// A run of states as a run of configurations.
pub fn on_network(
    actions: &ActionNetwork,
    reduction: &Reduction,
    run: &Run,
    configuration: impl Fn(StateId) -> Configuration,
) -> NetworkRun {
    let start = configuration(run.start);
    let mut steps: Vec<_> = run.steps.iter().map(|step| (step.label, configuration(step.target))).collect();
    if let Reduction::Symmetry(symmetry) = reduction {
        let back = match run.ending {
            Ending::Loop(place) | Ending::Silent(place) => Some(place),
            Ending::Stuck | Ending::Any => None,
        };
        (steps, _) = unfold(actions.network(), symmetry, &start, &steps, back).expect("each step stands for one");
    }
    let parts = steps.iter().map(|(action, _)| actions.actions()[action.index()].parts.clone()).collect();
    let label = |(action, to): (lts::Label, Configuration)| (actions.actions()[action.index()].label, to);
    NetworkRun { start, steps: steps.into_iter().map(label).collect(), parts, ending: run.ending }
}
