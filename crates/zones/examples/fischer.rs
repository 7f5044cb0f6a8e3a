//! Benchmark of Fischer's protocol: `fischer MEMBERS [WORKERS] [simulating]`.
#![allow(clippy::print_stdout)]

use explore::Limits;
use progress::NoProgress;
use test_support::clocks::{COLLISION, fischer};
use zones::{Abstraction, Question, check};

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |place: usize, otherwise: usize| {
        arguments.get(place).map_or(otherwise, |text| text.parse().unwrap_or(otherwise))
    };
    let network = fischer(number(1, 6), 2, false);
    let limits = Limits::of_workers(number(2, 1));
    let abstraction = match arguments.get(3).map(String::as_str) {
        Some("simulating") => Abstraction::SIMULATED,
        Some("entries") => Abstraction::ENTRIES,
        Some("stuck") => Abstraction::STUCK,
        _ => Abstraction::REACHED,
    };
    let question = if abstraction == Abstraction::STUCK { Question::Stuck } else { Question::Seen(&[COLLISION]) };
    let begin = std::time::Instant::now();
    let report = check(&network, question, abstraction, &limits, &NoProgress).expect("it can be explored");
    let verdict = matches!(report.verdict, lts::Verdict::Holds);
    println!(
        "holds {verdict}, {} nodes, {} uncovered, {} edges, {} bytes, {:?}",
        report.statistics.n_states,
        report.n_uncovered,
        report.statistics.n_transitions,
        report.statistics.memory,
        begin.elapsed()
    );
}
