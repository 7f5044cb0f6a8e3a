//! Who waits for whom, compared with the steps of the whole: whatever a component wants by itself is either part of a
//! step that is possible, or it waits; never both, and never neither.

use frontend::{Addition, Opening, Semantics, State};
use lts::Label;
use progress::NoProgress;
use std::collections::HashSet;
use std::sync::Arc;
use test_support::files::MemoryFiles;
use test_support::mutate::Random;

const EVENTS: [&str; 4] = ["a", "b", "c", "d"];
const MAX_STATES: usize = 150;

#[test]
fn what_is_wanted_is_possible_or_waited_for() {
    let (mut n_waiting, mut n_held_up) = (0, 0);
    for seed in 0..400 {
        let script = Writer { random: Random::new(seed) }.script();
        let files = MemoryFiles::of("script.csp", script.clone());
        let opening = Opening {
            files: &files,
            path: "script.csp",
            addition: Addition::Process("SYSTEM"),
            progress: &progress::NoProgress,
        };
        let opened = languages::ALL[0].open(&opening);
        assert!(opened.diagnostics().iter().all(|found| found.severity < source::Severity::Error), "{script}");
        let mut semantics = opened.semantics(Arc::new(NoProgress));
        let start = semantics.added_process().expect("it is a process");
        let (mut met, mut open) = (HashSet::from([start]), vec![start]);
        while let Some(state) = open.pop() {
            let (waiting, held_up) = check(&mut *semantics, state, &format!("seed {seed}\n{script}"));
            n_waiting += waiting;
            n_held_up += held_up;
            let mut steps = Vec::new();
            semantics.steps(state, &mut steps).expect("it has steps");
            let targets = steps.iter().map(|step| step.target);
            open.extend(targets.filter(|target| met.len() < MAX_STATES && met.insert(*target)));
        }
    }
    assert!(n_waiting > 1000 && n_held_up > n_waiting / 2, "{n_waiting} wait, {n_held_up} for somebody");
}

/// How many wait in a state, and how many of them for somebody who is known.
fn check(semantics: &mut dyn Semantics, state: State, told: &str) -> (usize, usize) {
    let mut steps = Vec::new();
    semantics.steps(state, &mut steps).expect("it has steps");
    let mut possible: HashSet<(Vec<u32>, Label)> = HashSet::new();
    for index in 0..steps.len() {
        possible
            .extend(semantics.participants(state, index, usize::MAX).into_iter().map(|part| (part.path, part.label)));
    }
    let n_silent = steps.iter().filter(|step| step.label == Label::TAU).count();
    let waiting = semantics.waiting(state);
    let text = semantics.text(state, 200);
    let components = semantics.components(state, 100);
    let paths: HashSet<Vec<u32>> = components.iter().map(|component| component.path.clone()).collect();
    for component in components {
        let mut own = Vec::new();
        semantics.steps(component.state.expect("it has a state"), &mut own).expect("it has steps");
        for label in own.iter().map(|step| step.label).filter(|&label| label != Label::TAU && label != Label::TICK) {
            let is_possible = possible.contains(&(component.path.clone(), label));
            // Hidden steps that lead to the same state are one, and it tells only one of the events behind it.
            let is_merged = possible.iter().any(|(path, _)| *path == component.path) && n_silent > 0;
            let waits = waiting.iter().any(|found| (&found.path, found.label) == (&component.path, label));
            assert!(
                is_possible != waits || !waits && is_merged,
                "{told}\n{:?} and {label:?} in {text}",
                component.path
            );
        }
    }
    for found in &waiting {
        assert!(found.others.iter().all(|other| paths.contains(other) && *other != found.path), "{told}\n{text}");
    }
    (waiting.len(), waiting.iter().filter(|found| !found.others.is_empty()).count())
}

struct Writer {
    random: Random,
}

impl Writer {
    fn script(&mut self) -> String {
        let mut script = format!("channel {}\n", EVENTS.join(", "));
        for number in 0..4 {
            let (first, second) = (self.branch(), self.branch());
            script.push_str(&format!("C{number} = {first} [] {second}\n"));
        }
        let system = self.system(4);
        script + &format!("SYSTEM = {system}\n")
    }

    fn branch(&mut self) -> String {
        let next = self.random.pick(&["C0", "C1", "C2", "C3", "STOP", "SKIP"]);
        format!("{} -> {next}", self.event())
    }

    fn system(&mut self, size: usize) -> String {
        if size <= 1 {
            return (*self.random.pick(&["C0", "C1", "C2", "C3"])).to_owned();
        }
        match self.random.below(10) {
            0 => format!("({}) \\ {}", self.system(size - 1), self.events()),
            1 => format!("({})[[{} <- {}]]", self.system(size - 1), self.event(), self.event()),
            2 => format!("({}) ; C0", self.system(size - 1)),
            kind => {
                let (left, right) = (self.system(size / 2), self.system(size - size / 2));
                let operator = match kind {
                    3 | 4 => "|||".to_owned(),
                    5..8 => format!("[| {} |]", self.events()),
                    _ => format!("[{} || {}]", self.events(), self.events()),
                };
                format!("({left}) {operator} ({right})")
            }
        }
    }

    fn event(&mut self) -> &'static str {
        EVENTS[self.random.below(EVENTS.len())]
    }

    fn events(&mut self) -> String {
        let chosen: Vec<&str> = EVENTS.into_iter().filter(|_| self.random.below(2) == 0).collect();
        format!("{{{}}}", chosen.join(", "))
    }
}
