//! Whoever makes formulas asks whether to go on while they are made, and stops at the first no.

use model::network::{Action, Configuration, Edge, LocalState, Machine, MachineId, Mode, Network, Rule};
use progress::{Interrupt, Progress, Stop};
use std::sync::Arc;
use symbolic::{
    Answer, Direction, Frequency, Property, Settings, prove_by_induction, prove_by_pdr, prove_deadlock_free,
    search_bounded,
};
use test_support::progress::Patience;

type Decide = fn(&Network, &Property<'_>, &Settings, &dyn Progress) -> Answer;

/// Machines that count round and round, each rule moving all of them. One step is enough to fill many questions.
fn wide(n_machines: u32, n_rules: u32, n_states: u32) -> Network {
    let edges = |state| {
        let target = |step| LocalState((state + step) % n_states);
        (0..n_rules).map(|rule| Edge { action: Action(2 + rule), target: target(rule + 1) }).collect()
    };
    let machine = Arc::new(Machine::new((0..n_states).map(edges)));
    let all =
        |rule| -> Vec<(MachineId, Action)> { (0..n_machines).map(|id| (MachineId(id), Action(2 + rule))).collect() };
    let rules = (0..n_rules).map(|rule| Rule::new(all(rule), lts::Label(2 + rule))).collect();
    Network {
        machines: vec![machine; n_machines as usize],
        modes: vec![Mode { rules }],
        initial: Configuration { locals: vec![LocalState(0); n_machines as usize], ..Configuration::default() },
        ..Network::default()
    }
}

/// It asks often, and any no is the last word: `ask` says whether it was told to stop.
fn obeys(ask: impl Fn(&Patience) -> bool, name: &str) {
    let endless = Patience::of(usize::MAX);
    assert!(!ask(&endless), "{name}: nobody stops it");
    let n_asked = endless.n_asked();
    assert!(n_asked > 5, "{name} asks {n_asked} times only");
    for n_questions in (0..n_asked).step_by(1 + n_asked / 6) {
        let patience = Patience::of(n_questions);
        assert!(ask(&patience), "{name} does not stop after {n_questions} of {n_asked} questions");
        assert_eq!(patience.n_asked(), n_questions + 1, "{name} asks again after {n_questions} of {n_asked} questions");
    }
}

#[test]
fn formulas_are_not_made_to_their_end() {
    let network = wide(6, 24, 50);
    let stopped = lts::Verdict::Unknown(Stop::Interrupted(Interrupt::Cancelled).into());
    let settings = Settings { depth: 1, ..Settings::default() };
    let backward = Settings { direction: Direction::Backward, ..settings };
    let cases: [(&str, Decide, Settings); 6] = [
        ("bounded", search_bounded, Settings { with_proof: true, ..settings }),
        ("any run", search_bounded, Settings { frequency: Frequency::Auto, ..settings }),
        ("backward", search_bounded, backward),
        ("induction", prove_by_induction, settings),
        ("induction with a proof", prove_by_induction, Settings { with_proof: true, ..settings }),
        ("induction backward", prove_by_induction, backward),
    ];
    for (name, decide, settings) in cases {
        obeys(|patience| decide(&network, &Property::DeadlockFree, &settings, patience).verdict == stopped, name);
    }
    // There are two states only, however long runs are.
    let network = wide(12, 24, 60);
    let frames =
        |patience: &Patience| prove_by_pdr(&network, &Property::DeadlockFree, &settings, patience).verdict == stopped;
    obeys(frames, "frames");
}

#[test]
fn sums_are_not_looked_for_to_their_end() {
    let network = wide(20, 30, 60);
    obeys(|patience| prove_deadlock_free(&network, patience) == Err(Interrupt::Cancelled), "sums");
}
