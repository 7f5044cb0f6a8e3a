//! Watchdogs: specifications as processes that watch an implementation and raise an alarm.
//!
//! A watchdog runs in parallel with an implementation, shares all its events, and goes through the normal form of the
//! specification. It accepts every event of an alphabet, but after one that the specification does not allow, all it
//! does is to give the alarm. A refinement becomes a question whether an event happens, in which everything else can be
//! hidden and compressed (Goldsmith, Moffat, Roscoe, Whitworth and Zakiuddin, *Watchdog transformations for
//! property-oriented model-checking*).
//!
//! What an implementation refuses is watched by refusing in turn. Besides accepting all events, the watchdog may
//! silently decide to offer only a few: a set that has an event of each minimal acceptance of the specification. Who
//! refuses all of these refuses something of each acceptance, which is not allowed, and then nothing happens at all: a
//! deadlock. The smallest such sets are enough, as who refuses a set refuses its parts. If the specification accepts
//! nothing because it is never stable, the set is empty; if it may refuse everything, there is no such set, and a
//! silent loop keeps the watchdog from being stable, as a deadlock needs both to be.
//!
//! In CSP termination is not an event that a partner could see. Where the specification allows it, a watchdog can
//! terminate too; it does not notice that an implementation terminates elsewhere. In a network everything is an action,
//! and so a watchdog whose alphabet has termination is told of it. No offer leaves it out: who can terminate may refuse
//! all else, so this is wrong only where termination is not allowed, and then it is the alarm that says so.

use crate::acceptance::Antichain;
use crate::interner::number;
use crate::normal::normal;
use crate::{Builder, Label, Lts, Model, StateId, Stop, Watch};

/// A plain system that does `alarm` after an event of the alphabet that is not allowed.
///
/// An implementation whose events are in the alphabet and which does not terminate refines the specification in traces
/// if and only if the two in parallel, sharing the alphabet, never do `alarm`.
pub fn trace_watchdog(spec: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    watchdog(&normal(spec, Model::Traces, watch)?, alphabet, alarm, watch)
}

/// A plain system that does `alarm` like [`trace_watchdog`], and offers so little after each trace that who refuses too
/// much gets stuck.
///
/// An implementation `I` whose events are in the alphabet and which does not terminate refines the specification in
/// failures if and only if `I /\ alarm -> STOP` in parallel with the watchdog, sharing the alphabet and `alarm`, is
/// free of deadlock in failures. If `I` does not diverge, `I` itself will do, sharing the alphabet.
pub fn failure_watchdog(spec: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    watchdog(&normal(spec, Model::Failures, watch)?, alphabet, alarm, watch)
}

fn watchdog(form: &Lts, alphabet: &[Label], alarm: Label, watch: &mut Watch<'_>) -> Result<Lts, Stop> {
    Ok(watchdog_within(form, alphabet, alarm, usize::MAX, watch)?.expect("there is room for everything"))
}

/// The watchdog of a normal form: it watches refusals if the form has acceptances. After a divergence that the form
/// has, nothing is watched any more, and the watchdog keeps everybody from being stuck. Nothing if there would be more
/// offers in a node than these.
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
    /// Where it is after termination.
    end: Option<StateId>,
}

impl<'a> Watchdog<'a> {
    fn new(form: &'a Lts, alphabet: &'a [Label], alarm: Label) -> Watchdog<'a> {
        Watchdog { form, alphabet, alarm, builder: Builder::new(), n_states: number(form.n_states()) + 2, end: None }
    }

    /// The state in which the alarm is given; the next one is the last.
    fn fault(&self) -> StateId {
        StateId(number(self.form.n_states()))
    }

    fn fresh(&mut self) -> StateId {
        self.n_states += 1;
        StateId(self.n_states - 1)
    }

    /// Adds what the specification allows, and the way to the alarm for all else.
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

    /// After termination nothing is watched; a normal form may have the same node for it as for a deadlock.
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

    /// Adds silent steps to all smallest offers that no refusal allowed by the specification can include.
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

/// The smallest sets that have an element of each of these sets, unless there are more than so many on the way.
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
