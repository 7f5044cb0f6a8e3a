//! Watchdog transformation of refinement: Goldsmith, Moffat, Roscoe, Whitworth and Zakiuddin (2003), *Watchdog
//! transformations for property-oriented model-checking*.
//!
//! A watchdog is a process made of a specification. It runs in parallel with an implementation, synchronizes on all its
//! events, and follows the normal form of the specification. It accepts every event of an alphabet, but after a
//! forbidden one it only performs the alarm. So refinement becomes reachability of an event, and all other events can
//! be hidden and compressed.
//!
//! Refusals of the implementation are monitored by refusals of the watchdog. Besides accepting all events, the watchdog
//! may silently restrict its offer to a hitting set of the minimal acceptances of the specification. An implementation
//! that refuses such a set refuses an event of each acceptance, which is forbidden, and then both are deadlocked. The
//! minimal hitting sets suffice, because refusals are closed under subsets. If the specification has no acceptance
//! because it is never stable, the hitting set is empty; if it may refuse everything, there is none, and a silent loop
//! makes the watchdog unstable, because a deadlock requires both to be stable.
//!
//! In CSP, termination is not an event on which processes synchronize with a partner. Where the specification allows
//! it, a watchdog can terminate too; it does not monitor that an implementation terminates elsewhere. In a network
//! termination is an action, so a watchdog whose alphabet has termination synchronizes on it. Every offer includes it:
//! a terminating state may refuse all events, so this is a violation only where termination is forbidden, which the
//! alarm reports.

use crate::acceptance::Antichain;
use crate::interner::number;
use crate::normal::normal;
use crate::{Builder, Label, Lts, Model, StateId, Stop, Watch};

/// A plain system that performs `alarm` after a forbidden event of the alphabet.
///
/// An implementation whose events are in the alphabet and which does not terminate refines the specification in traces
/// exactly if both in parallel, synchronized on the alphabet, never perform `alarm`.
pub fn trace_watchdog(spec: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    watchdog(&normal(spec, Model::Traces, watch)?, alphabet, alarm, watch)
}

/// A plain system that performs `alarm` like [`trace_watchdog`], and restricts its offers after each trace such that a
/// forbidden refusal leads to a deadlock.
///
/// An implementation `I` whose events are in the alphabet and which does not terminate refines the specification in
/// failures exactly if `I /\ alarm -> STOP` in parallel with the watchdog, synchronized on the alphabet and `alarm`, is
/// deadlock-free in failures. If `I` does not diverge, `I` itself suffices, synchronized on the alphabet.
pub fn failure_watchdog(spec: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    watchdog(&normal(spec, Model::Failures, watch)?, alphabet, alarm, watch)
}

fn watchdog(form: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    Ok(watchdog_within(form, alphabet, alarm, usize::MAX, watch)?.expect("there is room for everything"))
}

/// The watchdog of a normal form; it monitors refusals if the form has acceptances. After a divergence of the form
/// nothing is monitored any more, and the watchdog excludes deadlocks. None if a node would need more than `max_offers`
/// offers.
///
/// # Errors
/// When the watch ends it.
pub fn watchdog_within(
    form: &Lts,
    alphabet: &[Label],
    alarm: Label,
    max_offers: usize,
    watch: &mut Watch<'_>,
) -> Result<Option<Lts>, Stop> {
    watch.start();
    let mut watchdog = Watchdog::new(form, alphabet, alarm);
    for node in form.states() {
        watch.tick(1 + alphabet.len())?;
        watch.keep(watchdog.n_states as usize)?;
        if form.is_explicitly_divergent(node) {
            watchdog.builder.add(node, Label::TAU, node);
            continue;
        }
        watchdog.add_events(node);
        if let Some(acceptances) = form.acceptances() {
            let Some(offers) = transversals(acceptances.of(node), max_offers, watch)? else { return Ok(None) };
            watchdog.add_offers(node, offers);
        }
    }
    Ok(Some(watchdog.finish()))
}

struct Watchdog<'a> {
    form: &'a Lts,
    alphabet: &'a [Label],
    alarm: Label,
    builder: Builder,
    /// States in use: the nodes, two for the alarm, then the offers and the end.
    n_states: u32,
    /// The state after termination.
    end: Option<StateId>,
}

impl<'a> Watchdog<'a> {
    fn new(form: &'a Lts, alphabet: &'a [Label], alarm: Label) -> Watchdog<'a> {
        Watchdog { form, alphabet, alarm, builder: Builder::new(), n_states: number(form.n_states()) + 2, end: None }
    }

    /// The state in which the alarm is enabled; the next one is the last.
    fn fault(&self) -> StateId {
        StateId(number(self.form.n_states()))
    }

    fn fresh(&mut self) -> StateId {
        self.n_states += 1;
        StateId(self.n_states - 1)
    }

    /// Adds allowed events to their successors, and all others to the alarm.
    fn add_events(&mut self, node: StateId) {
        for step in self.form.transitions(node) {
            let target = if step.label == Label::TICK { self.end() } else { step.target };
            self.builder.add(node, step.label, target);
        }
        for &event in self.alphabet {
            if event.is_visible() && self.form.with_label(node, event).is_empty() {
                self.builder.add(node, event, self.fault());
            }
        }
    }

    /// The state after termination, without monitoring; a normal form may share its node with a deadlock.
    fn end(&mut self) -> StateId {
        if let Some(end) = self.end {
            return end;
        }
        let end = self.fresh();
        self.builder.add_state(end);
        if self.form.acceptances().is_some() {
            self.builder.add(end, Label::TAU, end);
        }
        *self.end.insert(end)
    }

    /// Adds silent steps to all minimal offers that no allowed refusal includes.
    fn add_offers(&mut self, node: StateId, offers: Antichain) {
        if offers.sets.is_empty() {
            self.builder.add(node, Label::TAU, node);
        }
        for mut offer in offers.sets {
            if self.alphabet.contains(&Label::TICK) && !offer.contains(&Label::TICK) {
                offer.push(Label::TICK);
            }
            let state = self.fresh();
            self.builder.add(node, Label::TAU, state);
            self.builder.add_state(state);
            for event in offer {
                let target = match self.form.with_label(node, event).first() {
                    None => self.fault(),
                    Some(_) if event == Label::TICK => self.end(),
                    Some(step) => step.target,
                };
                self.builder.add(state, event, target);
            }
        }
    }

    fn finish(mut self) -> Lts {
        let StateId(fault) = self.fault();
        self.builder.add(StateId(fault), self.alarm, StateId(fault + 1));
        self.builder.finish(self.form.initial())
    }
}

/// The minimal hitting sets of these sets (Berge, 1989, *Hypergraphs*), unless there are too many intermediate ones.
fn transversals<'a>(
    sets: impl Iterator<Item = &'a [Label]>,
    max_sets: usize,
    watch: &mut Watch<'_>,
) -> Result<Option<Antichain>, Stop> {
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
                watch.tick(1 + next.sets.len())?;
                let mut longer = partial.clone();
                longer.insert(longer.partition_point(|&other| other < element), element);
                next.add(&longer);
                if next.sets.len() > max_sets {
                    return Ok(None);
                }
            }
        }
        found = next;
    }
    Ok(Some(found))
}
