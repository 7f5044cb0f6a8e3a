//! Watchdogs: specifications as processes that watch an implementation and raise an alarm.
//!
//! A watchdog runs in parallel with an implementation, shares all its events, and goes through the normal form of the
//! specification. It accepts every event of an alphabet, but after one that the specification does not allow, all it does
//! is to give the alarm. A refinement becomes a question whether an event happens, in which everything else can be hidden
//! and compressed (Goldsmith, Moffat, Roscoe, Whitworth and Zakiuddin, *Watchdog transformations for property-oriented
//! model-checking*).
//!
//! What an implementation refuses is watched by refusing in turn. Besides accepting all events, the watchdog may silently
//! decide to offer only a few: a set that has an event of each minimal acceptance of the specification. Who refuses all of
//! these refuses something of each acceptance, which is not allowed, and then nothing happens at all: a deadlock. The
//! smallest such sets are enough, as who refuses a set refuses its parts. If the specification accepts nothing because it
//! is never stable, the set is empty; if it may refuse everything, there is no such set, and a silent loop keeps the
//! watchdog from being stable, as a deadlock needs both to be.
//!
//! Termination is not an event that a partner could see. Where the specification allows it, a watchdog can terminate too;
//! it does not notice that an implementation terminates elsewhere.

use crate::acceptance::Antichain;
use crate::interner::number;
use crate::normal::normal;
use crate::{Builder, Label, Lts, Model, StateId, Stop, Watch};

/// A plain system that does `alarm` after an event of the alphabet that is not allowed.
///
/// An implementation whose events are in the alphabet and which does not terminate refines the specification in traces if
/// and only if the two in parallel, sharing the alphabet, never do `alarm`.
pub fn trace_watchdog(spec: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    let form = normal(spec, Model::Traces, watch)?;
    let mut watchdog = Watchdog::new(&form, alphabet, alarm);
    watchdog.copy_nodes(watch)?;
    Ok(watchdog.finish())
}

/// A plain system that does `alarm` like [`trace_watchdog`], and offers so little after each trace that who refuses too
/// much gets stuck.
///
/// An implementation `I` whose events are in the alphabet and which does not terminate refines the specification in
/// failures if and only if `I /\ alarm -> STOP` in parallel with the watchdog, sharing the alphabet and `alarm`, is free of
/// deadlock in failures. If `I` does not diverge, `I` itself will do, sharing the alphabet.
pub fn failure_watchdog(spec: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    let form = normal(spec, Model::Failures, watch)?;
    let mut watchdog = Watchdog::new(&form, alphabet, alarm);
    watchdog.copy_nodes(watch)?;
    for node in form.states() {
        watchdog.add_offers(node, watch)?;
    }
    Ok(watchdog.finish())
}

struct Watchdog<'a> {
    form: &'a Lts,
    alphabet: &'a [Label],
    alarm: Label,
    builder: Builder,
    /// States in use: the nodes, two for the alarm, then the offers.
    n_states: u32,
}

impl<'a> Watchdog<'a> {
    fn new(form: &'a Lts, alphabet: &'a [Label], alarm: Label) -> Watchdog<'a> {
        Watchdog { form, alphabet, alarm, builder: Builder::new(), n_states: number(form.n_states()) + 2 }
    }

    /// The state in which the alarm is given; the next one is the last.
    fn fault(&self) -> StateId {
        StateId(number(self.form.n_states()))
    }

    fn copy_nodes(&mut self, watch: &mut Watch<'_>) -> Result<(), Stop> {
        for node in self.form.states() {
            watch.tick(1)?;
            for step in self.form.transitions(node) {
                self.builder.add(node, step.label, step.target);
            }
            for &event in self.alphabet {
                if event.is_visible() && event != Label::TICK && self.form.with_label(node, event).is_empty() {
                    self.builder.add(node, event, self.fault());
                }
            }
        }
        let StateId(fault) = self.fault();
        self.builder.add(self.fault(), self.alarm, StateId(fault + 1));
        Ok(())
    }

    /// Adds silent steps to all smallest offers that no refusal allowed by the specification can include.
    fn add_offers(&mut self, node: StateId, watch: &mut Watch<'_>) -> Result<(), Stop> {
        let acceptances = self.form.acceptances().expect("a normal form in failures has acceptances");
        let offers = transversals(acceptances.of(node), watch)?;
        if offers.sets.is_empty() {
            self.builder.add(node, Label::TAU, node);
        }
        for offer in offers.sets {
            let state = StateId(self.n_states);
            self.n_states += 1;
            self.builder.add(node, Label::TAU, state);
            for step in offer.iter().flat_map(|&event| self.form.with_label(node, event)) {
                self.builder.add(state, step.label, step.target);
            }
        }
        Ok(())
    }

    fn finish(self) -> Lts {
        self.builder.finish(self.form.initial())
    }
}

/// The smallest sets that have an element of each of these sets.
fn transversals<'a>(sets: impl Iterator<Item = &'a [Label]>, watch: &mut Watch<'_>) -> Result<Antichain, Stop> {
    let mut found = Antichain::default();
    found.add(&[]);
    for set in sets {
        let mut next = Antichain::default();
        for partial in &found.sets {
            watch.tick(1 + next.sets.len())?;
            if partial.iter().any(|element| set.contains(element)) {
                next.add(partial);
                continue;
            }
            for &element in set {
                let mut longer = partial.clone();
                longer.insert(longer.partition_point(|&other| other < element), element);
                next.add(&longer);
            }
        }
        found = next;
    }
    Ok(found)
}
