//! Refinement between transition systems in the Aldebaran format.

use super::explain::tell_fault;
use super::failed::Failed;
use super::judge::{Judged, Seen, judge_explicit};
use super::{Checked, Counterexample, Events, Options, Replay, Step, Verdict};
use decide::{Claim, Specification};
use limits::intervals::slices::BYTES_PER_READ;
use lts::{Label, Labels, Lts, Model, Transition, Watch, Words, aut};
use model::EventId;
use model::network::FailedStep;
use std::io::Read;
use std::sync::Arc;

/// A side of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The specification.
    Specification,
    /// The implementation.
    Implementation,
}

/// Reads two systems in Aldebaran text and decides whether the second refines the first. Labels of the same name are
/// the same event.
///
/// # Errors
/// When a text cannot be read: which of them, and why.
pub fn refine(
    specification: impl Read,
    implementation: impl Read,
    model: Model,
    options: &Options,
) -> Result<Checked, (Side, String)> {
    let mut labels = Labels::new();
    let specification = read(specification, &mut labels).map_err(|why| (Side::Specification, why))?;
    let implementation = read(implementation, &mut labels).map_err(|why| (Side::Implementation, why))?;
    let decided = decide(specification, model, &implementation, &labels, options);
    Ok(decided.unwrap_or_else(|failed| failed.into_checked(options)))
}

fn read(mut text: impl Read, labels: &mut Labels) -> Result<Lts, String> {
    let mut reader = aut::Reader::new(labels);
    let mut piece = vec![0; BYTES_PER_READ];
    loop {
        match text.read(&mut piece) {
            Ok(0) => return reader.finish().map_err(|error| error.to_string()),
            Ok(n_bytes) => reader.feed(&piece[..n_bytes]).map_err(|error| error.to_string())?,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error.to_string()),
        }
    }
}

fn decide(
    specification: Lts,
    model: Model,
    implementation: &Lts,
    labels: &Labels,
    options: &Options,
) -> Result<Checked, Failed> {
    let mut watch = Watch::new(&*options.progress).within(options.limits);
    let specification = Arc::new(Specification::new(specification, model, &mut watch)?);
    let claim = Claim::Refines(specification.clone());
    let answer = match decide::decide_on_the_fly(&claim, &mut &*implementation, &mut watch) {
        Ok(answer) => answer,
        Err(never) => match never {},
    };
    let (verdict, counterexample) = match answer.verdict {
        decide::Verdict::Holds => (Verdict::Holds, None),
        decide::Verdict::Fails(found) => {
            let found = decide::Counterexample { steps: found.steps, fault: found.fault.widened() };
            match judge_explicit(specification.system(), implementation, model, &found) {
                Judged::Wrong(seen) => (Verdict::Fails, Some(tell(&found, labels, &seen))),
                Judged::NotSo(why) => return Err(Failed::not_replayed(why)),
                Judged::Unclear => return Err(Failed::not_replayed("there is too much to be looked at")),
            }
        }
        decide::Verdict::Unknown(reason) => return Err(reason.into()),
    };
    Ok(Checked { statistics: answer.statistics, ..Checked::new(verdict, counterexample) })
}

/// The event names of a file.
struct Names<'a>(&'a Labels);

impl Words for Names<'_> {
    type Event = String;
    type Events = Events;

    fn event(&mut self, label: Label) -> String {
        if label == Label::TICK { "tick".to_owned() } else { self.0.name(label).to_owned() }
    }

    fn events(&mut self, labels: &[Label]) -> Events {
        Events::from(labels.iter().map(|&label| self.event(label)).collect::<Vec<_>>())
    }
}

/// Reports a counterexample without components, which a file does not define.
fn tell(found: &decide::Counterexample<Transition, FailedStep>, labels: &Labels, seen: &Seen) -> Counterexample {
    let mut names = Names(labels);
    let fault = tell_fault(&found.fault, &mut names);
    let step = |(place, &Transition { label, .. }): (usize, &Transition)| Step {
        event: names.event(label),
        event_id: EventId::of(label),
        is_visible: label.is_visible(),
        is_followed: false,
        parts: Vec::new(),
        delay: None,
        offered: seen.get(place).and_then(Option::as_ref).map(|set| names.events(set)),
    };
    let steps = found.steps.iter().enumerate().map(step).collect();
    Counterexample {
        replayed: Replay::Terms,
        components: Vec::new(),
        steps,
        fault,
        allowed: Vec::new(),
        families: Vec::new(),
        time: None,
    }
}
