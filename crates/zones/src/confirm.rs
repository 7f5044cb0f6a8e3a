//! Replay of timed runs on the interpreter.

use crate::check::{Finding, Question, TimedRun};
use model::timed::{TimedConfiguration, TimedNetwork};

/// Whether a run is one of a network, and has the claimed finding.
pub fn is_confirmed(network: &TimedNetwork, question: Question<'_>, run: &TimedRun) -> bool {
    let unit = run.times.parts_per_unit;
    let mut current = network.initial();
    let mut moments = run.times.parts.windows(2).map(|pair| pair[1] - pair[0]);
    for step in &run.steps {
        let Some(delayed) = moments.next().and_then(|parts| delayed(network, &current, parts, unit)) else {
            return false;
        };
        let mut taken = network.timed_steps(&delayed, unit).into_iter();
        match taken.find(|(taken, _)| taken.rule == step.rule && taken.target == step.target) {
            Some((_, after)) => current = after,
            None => return false,
        }
    }
    match run.finding {
        Finding::Seen => {
            let last = run.steps.last().map(|step| step.label);
            matches!(question, Question::Seen(labels) if last.is_some_and(|label| labels.contains(&label)))
        }
        Finding::Stuck { is_timelock } => is_stuck(network, &current, unit) == Some(is_timelock),
        Finding::Failure => {
            let delayed = moments.next().and_then(|parts| delayed(network, &current, parts, unit));
            delayed.is_some_and(|delayed| !network.timed_failures(&delayed, unit).is_empty())
        }
    }
}

fn delayed(network: &TimedNetwork, from: &TimedConfiguration, parts: i64, unit: i64) -> Option<TimedConfiguration> {
    let is_possible = parts >= 0 && network.max_delay(from, unit).is_none_or(|most| parts <= most);
    is_possible.then(|| network.after(from, parts))
}

/// Whether the configuration is a deadlock, and if so, whether it is a timelock.
fn is_stuck(network: &TimedNetwork, from: &TimedConfiguration, unit: i64) -> Option<bool> {
    match network.max_delay(from, unit) {
        // Without an invariant, all guards are satisfied after some time.
        None => network.network.steps(&from.discrete).is_empty().then_some(false),
        // Every step that becomes enabled is enabled at the last moment.
        Some(most) => network.timed_steps(&network.after(from, most), unit).is_empty().then_some(true),
    }
}
