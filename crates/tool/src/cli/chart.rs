//! Counterexamples as charts.

use super::{temporal, verdict};
use analysis::Assertion;
use analysis::check::{Component, Counterexample};
use draw::chart::{Chart, Lifeline, Step, Truth};

/// Chart with everything that is known of a counterexample.
pub fn of(assertion: &Assertion, found: &Counterexample) -> Chart {
    // The chart shows the trace already.
    let reasons = verdict::reasons(assertion, found).into_iter().filter(|line| !line.starts_with("after <"));
    Chart { title: assertion.text.clone(), ending: reasons.collect(), ..of_steps(found) }
}

/// Chart of the steps only, for use beside a textual explanation.
pub fn of_steps(found: &Counterexample) -> Chart {
    let step = |step: &analysis::check::Step| Step {
        event: step.event.clone(),
        hidden: step.hidden().map(str::to_owned),
        is_silent: !step.is_visible,
        parts: step.parts.iter().map(|part| (part.component, part.event.clone())).collect(),
    };
    let n_places = found.steps.len() + 1;
    let truth = |truth: temporal::Truth| Truth {
        at_start: truth.at_start(),
        values: (0..n_places).map(|place| truth.at(place)).collect(),
        formula: truth.formula,
    };
    Chart {
        title: String::new(),
        ending: Vec::new(),
        components: found.components.iter().map(lifeline).collect(),
        steps: found.steps.iter().map(step).collect(),
        repeated_from: found.repeated_from(),
        truths: temporal::truths(found).into_iter().map(truth).collect(),
        sealed: temporal::violation(found),
        circle: found.circle().unwrap_or_default(),
    }
}

/// Copy of a counterexample without the facts that the text above the chart gives: which component waits for which.
pub fn without_words(found: &Counterexample) -> Chart {
    let mut chart = of_steps(found);
    chart.circle.clear();
    chart.components.iter_mut().for_each(|component| component.waits = None);
    chart
}

fn lifeline(component: &Component) -> Lifeline {
    let waits = (!component.wants.is_empty()).then(|| verdict::list(&component.wants));
    Lifeline { name: component.name.clone(), waits }
}
