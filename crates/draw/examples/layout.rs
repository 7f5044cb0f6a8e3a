//! Draws the system of an Aldebaran file on standard input, and prints the duration to standard error.

use draw::graph::{Graph, MAX_OVERVIEW_STATES};
use lts::{Label, Labels, aut};
use std::io::{Read, Write};
use std::time::Instant;

fn main() -> std::io::Result<()> {
    let mut text = Vec::new();
    std::io::stdin().read_to_end(&mut text)?;
    let mut labels = Labels::new();
    let lts = aut::read(&text, &mut labels).expect("a system");
    let label_name = |label: Label| labels.name(label).to_owned();
    let graph = Graph {
        title: "system",
        lts: &lts,
        label_name: &label_name,
        names: None,
        sizes: None,
        way: &[],
        frontier: &[],
    };
    let start = Instant::now();
    let svg = graph.svg(MAX_OVERVIEW_STATES);
    let seconds = start.elapsed().as_secs_f64();
    let mut said = std::io::stderr();
    match svg {
        Ok(svg) => {
            writeln!(said, "{} states, {} bytes, {seconds:.4} s", lts.n_states(), svg.len())?;
            std::io::stdout().write_all(svg.as_bytes())
        }
        Err(large) => writeln!(said, "{large:?}, {seconds:.4} s"),
    }
}
