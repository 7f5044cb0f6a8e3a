//! Writing Aldebaran text.

use crate::{Label, Labels, Lts, StateId, Transition};
use std::fmt::{self, Write};

/// Writes a system. An explicit divergence becomes the silent loop it stands for; explicit acceptances have no place in
/// this format and are left out.
pub fn write(lts: &Lts, labels: &Labels, out: &mut impl Write) -> fmt::Result {
    let undrawn = |state: StateId| {
        let is_drawn = lts.silent(state).iter().any(|step| step.target == state);
        let is_undrawn = lts.is_explicitly_divergent(state) && !is_drawn;
        is_undrawn.then_some(Transition { label: Label::TAU, target: state })
    };
    let n_undrawn = lts.states().filter_map(undrawn).count();
    writeln!(out, "des ({},{},{})", lts.initial().0, lts.n_transitions() + n_undrawn, lts.n_states())?;
    for state in lts.states() {
        for step in lts.transitions(state).iter().copied().chain(undrawn(state)) {
            writeln!(out, "({},\"{}\",{})", state.0, labels.name(step.label), step.target.0)?;
        }
    }
    Ok(())
}
