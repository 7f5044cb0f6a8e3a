//! Reads formulas in the syntax of `spin -f` from a file, one on each line, and prints for each what its automaton is
//! like: states, states when acceptance is one set of states, edges, acceptance sets, class, microseconds (the least of
//! three runs). Lines that begin with `#` are skipped. With `show` behind the file, automata are written down as well.

#![allow(clippy::print_stdout)]

mod reading;

use ltl::automaton::{Automaton, Limits, TooLarge, translate};
use ltl::logic::Store;
use std::time::Instant;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().expect("a file with formulas");
    let is_shown = arguments.next().as_deref() == Some("show");
    let text = std::fs::read_to_string(path).expect("the file can be read");
    for line in reading::lines(&text) {
        let runs = (0..3).map(|_| measure(line));
        let (automaton, time) = runs.min_by_key(|(_, time)| *time).expect("there are three");
        let Ok(automaton) = automaton else {
            println!("-\t-\t-\t-\t-\t{time}");
            continue;
        };
        let (states, plain, edges) = (automaton.n_states(), automaton.n_plain_states(), automaton.n_edges());
        println!("{states}\t{plain}\t{edges}\t{}\t{:?}\t{time}", automaton.n_sets(), automaton.class());
        if is_shown {
            println!("{line}\n{automaton}");
        }
    }
}

/// The automaton, and how many microseconds it took.
fn measure(line: &str) -> (Result<Automaton, TooLarge>, u128) {
    let mut store = Store::default();
    let formula = reading::read(&mut store, line);
    let start = Instant::now();
    let automaton = translate(&mut store, formula, Limits::default());
    (automaton, start.elapsed().as_micros())
}
