//! Writer of the Aldebaran format.

use crate::text::names;
use crate::{Labels, Lts};
use std::io::{self, Write};

/// Writes a system. An explicit divergence becomes a silent loop; explicit acceptances are not part of the format and
/// omitted, unless the system is [drawn](crate::draw()) before.
pub fn write(lts: &Lts, labels: &Labels, out: &mut impl Write) -> io::Result<()> {
    let names = names(labels, str::to_owned);
    let n_drawn: usize = lts.states().map(|state| lts.drawn(state).count()).sum();
    writeln!(out, "des ({},{},{})", lts.initial().0, n_drawn, lts.n_states())?;
    for state in lts.states() {
        for step in lts.drawn(state) {
            writeln!(out, "({},\"{}\",{})", state.0, names[step.label.index()], step.target.0)?;
        }
    }
    Ok(())
}
