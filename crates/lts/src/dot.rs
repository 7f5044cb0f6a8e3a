//! Graphs for Graphviz.

use crate::text::names;
use crate::{Labels, Lts};
use std::io::{self, Write};

/// Writes a system as a directed graph, with an arrow from an invisible node to the initial state. An explicit
/// divergence becomes a silent loop; explicit acceptances are omitted, unless the system is [drawn](crate::draw())
/// before. The states may have names.
pub fn write(lts: &Lts, labels: &Labels, states: Option<&[String]>, out: &mut impl Write) -> io::Result<()> {
    let names = names(labels, escape);
    let shape = if states.is_some() { "box, style=rounded" } else { "circle" };
    writeln!(out, "digraph lts {{\n  node [shape={shape}];\n  start [shape=point];\n  start -> {};", lts.initial().0)?;
    for state in lts.states() {
        match states.and_then(|names| names.get(state.index())) {
            Some(name) => writeln!(out, "  {} [label=\"{}\"];", state.0, escape(name))?,
            None => writeln!(out, "  {};", state.0)?,
        }
        for step in lts.drawn(state) {
            writeln!(out, "  {} -> {} [label=\"{}\"];", state.0, step.target.0, names[step.label.index()])?;
        }
    }
    writeln!(out, "}}")
}

/// A backslash begins an escape in labels of Graphviz.
fn escape(name: &str) -> String {
    name.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
