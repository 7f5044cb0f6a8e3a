//! Behavior that transformations of a process must preserve.

use crate::Model;

/// Behavior of a process that its network must preserve where the script asks for compressions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Preserves {
    /// The behavior that a semantic model distinguishes.
    Model(Model),
    /// Every transition of every state.
    Steps,
    /// Every transition of every state, and the processes that take it.
    Processes,
}

impl Preserves {
    /// The behavior to preserve so that a run of the network can be lifted and judged in a model. Models finer than
    /// stable failures observe offers of stable states along the run, so all steps count there.
    pub fn of_runs(model: Model) -> Preserves {
        if model.sees_revivals() { Preserves::Steps } else { Preserves::Model(model) }
    }
}
