//! Refinement between transition systems that other tools have written.

use super::explain::tell_fault;
use super::failed::Failed;
use super::judge::{Judged, Seen, judge_explicit};
use super::{Checked, Counterexample, Options, Replay, Step, Verdict};
use crate::label::event_of;
use check::Claim;
use lts::{Label, Labels, Lts, Model, Watch, aut};
use std::io::Read;
use std::rc::Rc;

/// How much of a text is read at once.
const PIECE: usize = 1 << 20;

/// One of the two systems of a refinement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// What is allowed.
    Specification,
    /// What is done.
    Implementation,
}

/// Reads two systems in Aldebaran text and decides whether the second refines the first. Labels of the same name are the
/// same event.
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
    let decided = decide(&Rc::new(specification), model, &implementation, &labels, options);
    Ok(decided.unwrap_or_else(|failed| failed.into_checked(options)))
}

fn read(mut text: impl Read, labels: &mut Labels) -> Result<Lts, String> {
    let mut reader = aut::Reader::new(labels);
    let mut piece = vec![0; PIECE];
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
    specification: &Rc<Lts>,
    model: Model,
    implementation: &Lts,
    labels: &Labels,
    options: &Options,
) -> Result<Checked, Failed> {
    let claim = Claim::Refines(specification.clone(), model);
    let mut watch = Watch::new(&*options.progress).with_max_states(options.most_states());
    let answer = match check::decide_walking(&claim, &mut &*implementation, &mut watch) {
        Ok(answer) => answer,
        Err(never) => match never {},
    };
    let (verdict, counterexample) = match answer.verdict {
        check::Verdict::Holds => (Verdict::Holds, None),
        check::Verdict::Fails(found) => match judge_explicit(specification, implementation, model, &found) {
            Judged::Wrong(seen) => (Verdict::Fails, Some(tell(&found, labels, &seen))),
            Judged::NotSo(why) => return Err(Failed::not_replayed(why)),
            Judged::Unclear => return Err(Failed::not_replayed("there is too much to be looked at")),
        },
        check::Verdict::Unknown(reason) => return Err(reason.into()),
    };
    Ok(Checked { verdict, counterexample, statistics: answer.statistics, temporal: None })
}

/// A run has no components here: a file does not tell who takes a step.
fn tell<State>(found: &check::Counterexample<State>, labels: &Labels, seen: &Seen) -> Counterexample {
    let name = |label: Label| if label == Label::TICK { "tick".to_owned() } else { labels.name(label).to_owned() };
    let step = |(place, &(label, _)): (usize, &(Label, State))| Step {
        event: name(label),
        event_id: event_of(label),
        is_visible: label.is_visible(),
        parts: Vec::new(),
        offered: seen.get(place).and_then(Option::as_ref).map(|set| set.iter().map(|&label| name(label)).collect()),
    };
    Counterexample {
        replayed: Replay::Terms,
        components: Vec::new(),
        steps: found.steps.iter().enumerate().map(step).collect(),
        fault: tell_fault(&found.fault, name),
    }
}
