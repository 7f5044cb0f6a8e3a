//! Small random systems, and common functions of the tests.

#![allow(dead_code)]

pub mod denotation;

use lts::{Builder, Label, Labels, Lts, StateId, Watch};
use std::collections::BTreeSet;
use test_support::mutate::{Random, seed};

/// The features of a random system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Only visible steps.
    Visible,
    /// With silent steps.
    Silent,
    /// With termination, which leads to a state without steps.
    Terminating,
    /// With explicit divergences and, in some systems, explicit acceptances of events of the state.
    Generalized,
}

pub const KINDS: [Kind; 4] = [Kind::Visible, Kind::Silent, Kind::Terminating, Kind::Generalized];

/// A system with up to `max_states` states, of about one to three steps each.
pub fn random_lts(random: &mut Random, kind: Kind, max_states: usize) -> Lts {
    let n_states = 1 + random.below(max_states);
    let n_labels = 1 + random.below(3);
    let n_steps = random.below(3 * n_states + 1);
    let silence = if kind == Kind::Visible { 0 } else { random.below(5) };
    let mut builder = Builder::new();
    builder.add_state(StateId(n_states as u32 - 1));
    let mut initials = vec![BTreeSet::new(); n_states];
    for _ in 0..n_steps {
        let source = StateId(random.below(n_states) as u32);
        let target = StateId(random.below(n_states) as u32);
        if random.below(6) < silence {
            builder.add(source, Label::TAU, target);
        } else if matches!(kind, Kind::Terminating | Kind::Generalized) && random.below(6) == 0 {
            builder.add(source, Label::TICK, StateId(n_states as u32));
        } else {
            let label = Label(2 + random.below(n_labels) as u32);
            initials[source.index()].insert(label);
            builder.add(source, label, target);
        }
    }
    if kind == Kind::Generalized {
        annotate(random, &mut builder, &initials);
    }
    builder.finish(StateId(random.below(n_states) as u32))
}

/// A slight modification of a system. Annotations are lost.
pub fn mutated(random: &mut Random, lts: &Lts) -> Lts {
    let n_states = lts.n_states();
    let mut builder = Builder::new();
    builder.add_state(StateId(n_states as u32 - 1));
    let any = |random: &mut Random| StateId(random.below(n_states) as u32);
    for state in lts.states() {
        for step in lts.transitions(state) {
            match random.below(10) {
                0 => {}
                1 if step.label != Label::TICK => builder.add(state, step.label, any(random)),
                _ => builder.add(state, step.label, step.target),
            }
        }
    }
    for _ in 0..random.below(3) {
        let (source, target) = (any(random), any(random));
        builder.add(
            source,
            Label(if random.below(2) == 0 { Label::TAU.0 } else { 2 + random.below(2) as u32 }),
            target,
        );
    }
    builder.finish(lts.initial())
}

fn annotate(random: &mut Random, builder: &mut Builder, initials: &[BTreeSet<Label>]) {
    let states = || (0..).map(StateId).zip(initials);
    for (state, _) in states() {
        if random.below(6) == 0 {
            builder.mark_divergent(state);
        }
    }
    if random.below(2) == 0 {
        for (state, initials) in states() {
            let sets: Vec<Vec<Label>> = (0..random.below(3))
                .map(|_| initials.iter().copied().filter(|_| random.below(2) == 0).collect())
                .collect();
            builder.set_acceptances(state, sets.iter().map(Vec::as_slice));
        }
    }
}

/// Runs a test on many random systems of every kind; a failure reports the seed and the system.
pub fn for_random_systems(
    n_systems: usize,
    max_states: usize,
    property: impl Fn(&mut Random, &Lts) -> Result<(), String>,
) {
    let mut random = Random::new(seed());
    for round in 0..n_systems {
        let kind = KINDS[round % KINDS.len()];
        let lts = random_lts(&mut random, kind, max_states);
        if let Err(problem) = property(&mut random, &lts) {
            panic!("{problem}\nTEST_SEED={} round {round} ({kind:?})\n{}", seed(), show(&lts));
        }
    }
}

/// Whether some state has no acceptance, although it has no silent steps and does not diverge, which models with
/// divergences exclude.
pub fn is_merely_unstable(lts: &Lts) -> bool {
    let accepts_nothing = |state| lts.acceptances().is_some_and(|acceptances| acceptances.of(state).next().is_none());
    lts.states().any(|state| accepts_nothing(state) && lts.is_stable(state) && !lts.can_terminate(state))
}

/// The labels of displayed systems.
pub fn letters() -> Labels {
    let mut labels = Labels::new();
    for name in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        labels.intern(name);
    }
    labels
}

/// The system as text.
pub fn show(lts: &Lts) -> String {
    let labels = letters();
    let mut text = Vec::new();
    lts::aut::write(lts, &labels, &mut text).expect("memory takes everything");
    let mut text = String::from_utf8(text).expect("labels are text");
    if let Some(acceptances) = lts.acceptances() {
        for state in lts.states() {
            text += &format!("{}: {:?}\n", state.0, acceptances.of(state).collect::<Vec<_>>());
        }
    }
    text
}

/// Parses a valid system.
pub fn system(text: &str, labels: &mut Labels) -> Lts {
    lts::aut::read(text.as_bytes(), labels).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

pub fn unwatched() -> Watch<'static> {
    Watch::none()
}
