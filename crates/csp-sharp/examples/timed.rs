//! Explores the timed network of a script: `timed FILE [ASSERTION] [WORKERS] [N]`, for measurements. The assertion is
//! one about deadlocks or reachability; `N` replaces the number in `#define N`.
#![allow(clippy::print_stdout)]

use csp_sharp::Reading;
use csp_sharp::resolve::{Outside, Property, resolve};
use csp_sharp_runtime::run::System;
use explore::Limits;
use lts::Label;
use model::data::Command;
use model::network::Rule;
use progress::NoProgress;
use source::SourceMap;
use test_support::files::MemoryFiles;
use zones::{Question, check};

/// The label that stands for a true proposition.
const SEEN: [Label; 1] = [Label(1_000_000)];

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let number = |place: usize, otherwise: usize| {
        arguments.get(place).map_or(otherwise, |text| text.parse().unwrap_or(otherwise))
    };
    let file = arguments.get(1).expect("the name of a script");
    let mut text = std::fs::read_to_string(file).expect("a script");
    if let Some(size) = arguments.get(4) {
        let sized =
            |line: &str| if line.starts_with("#define N ") { format!("#define N {size};") } else { line.to_owned() };
        text = text.lines().map(|line| sized(line) + "\n").collect();
    }
    let mut map = SourceMap::new();
    let (script, _) = csp_sharp::parse::parse_script(
        &MemoryFiles::of("script.csp", text),
        "script.csp",
        &mut map,
        &Reading::default(),
    );
    let (resolved, _) = resolve(&script, Outside::default(), &Reading::default());
    let assertion = &resolved.assertions[number(2, 1) - 1];
    let mut system = System::new(&resolved.code);
    let start = system.start(assertion.process);
    let conditions = match &assertion.property {
        Property::Reaches(condition, _) => vec![*condition],
        _ => Vec::new(),
    };
    let begin = std::time::Instant::now();
    let lowered = system.lower_timed(start, &conditions, 20_000, &|| true).expect("it has a network");
    let mut network = (*lowered.network).clone();
    if let Some(&(_, condition)) = lowered.conditions.first() {
        let command = Command { guard: Some(condition), statements: [].into() };
        network.network.modes[0].rules.push(Rule { command: Some(Box::new(command)), ..Rule::new([], SEEN[0]) });
    }
    let made = begin.elapsed();
    let question = if conditions.is_empty() { Question::Stuck } else { Question::Seen(&SEEN) };
    let limits = Limits::of_workers(number(3, 1));
    let report = check(&network, question, question.abstraction(), &limits, &NoProgress).expect("it can be explored");
    println!(
        "found {}, {} nodes, {} edges, {} bytes, network in {made:?}, all in {:?}",
        !matches!(report.verdict, lts::Verdict::Holds),
        report.statistics.n_states,
        report.statistics.n_transitions,
        report.statistics.memory,
        begin.elapsed()
    );
}
