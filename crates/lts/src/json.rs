//! Systems as JSON, for scripts.
//!
//! ```text
//! {"initial":0,"states":2,"transitions":[
//! [0,"coin",1],
//! [1,"tau",1],
//! [1,"tea",0]
//! ]}
//! ```
//!
//! The silent step is `tau` and termination is `tick`. There is one step in each line.

use crate::text::names;
use crate::{Labels, Lts};
use std::fmt::Write as _;
use std::io::{self, Write};

/// Writes a system. An explicit divergence becomes a silent loop; explicit acceptances are omitted, unless the system
/// is [drawn](crate::draw()) before.
pub fn write(lts: &Lts, labels: &Labels, out: &mut impl Write) -> io::Result<()> {
    let names = names(labels, quote);
    write!(out, "{{\"initial\":{},\"states\":{},\"transitions\":[", lts.initial().0, lts.n_states())?;
    let mut separator = "";
    for state in lts.states() {
        for step in lts.drawn(state) {
            write!(out, "{separator}\n[{},{},{}]", state.0, names[step.label.index()], step.target.0)?;
            separator = ",";
        }
    }
    writeln!(out, "\n]}}")
}

/// A JSON string.
fn quote(name: &str) -> String {
    let mut quoted = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            control if control < ' ' => {
                write!(quoted, "\\u{:04x}", u32::from(control)).expect("a string takes everything");
            }
            other => quoted.push(other),
        }
    }
    quoted.push('"');
    quoted
}
