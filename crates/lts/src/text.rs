//! Common functions of the text formats for systems.

use crate::{Label, Labels, Lts, StateId, Transition};

/// The names of all labels in a notation for other tools. Termination is called `tick`.
pub(crate) fn names(labels: &Labels, write: impl Fn(&str) -> String) -> Vec<String> {
    let name = |label| if label == Label::TICK { "tick" } else { labels.name(label) };
    (0..crate::interner::number(labels.n_labels())).map(|label| write(name(Label(label)))).collect()
}

impl Lts {
    /// The steps of a state; an explicit divergence is a silent loop.
    pub(crate) fn drawn(&self, state: StateId) -> impl Iterator<Item = Transition> + '_ {
        let is_drawn = || self.silent(state).iter().any(|step| step.target == state);
        let is_missing = self.is_explicitly_divergent(state) && !is_drawn();
        let divergence = is_missing.then_some(Transition { label: Label::TAU, target: state });
        divergence.into_iter().chain(self.transitions(state).iter().copied())
    }
}
