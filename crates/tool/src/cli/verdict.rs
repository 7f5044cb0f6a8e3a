//! A verdict for people: what was asked, the answer, and why.

use super::check::Answered;
use super::report;
use analysis::Session;
use analysis::check::{Counterexample, Fault, Verdict};
use source::Span;
use std::borrow::Cow;
use std::fmt::Write;

/// The answer to an assertion, with its reasons below.
pub fn text(session: &Session, answered: &Answered) -> String {
    let assertion = &answered.assertion;
    let (word, more) = match &answered.checked.verdict {
        Verdict::Holds => ("holds", None),
        Verdict::Fails => ("fails", None),
        Verdict::Unknown(reason, detail) => ("unknown", Some(format!("{reason}: {detail}"))),
        Verdict::Error(diagnostic) => ("error", Some(diagnostic.title.clone())),
    };
    let mut text = head(session, word, &assertion.text, assertion.span);
    if let Some(more) = more {
        let _ = writeln!(text, "        {more}");
    }
    if let Some(counterexample) = &answered.checked.counterexample {
        tell(&mut text, counterexample);
    }
    text
}

/// A line with something below it.
pub fn line(session: &Session, word: &str, what: &str, span: Span, more: &str) -> String {
    format!("{}        {more}\n", head(session, word, what, span))
}

fn head(session: &Session, word: &str, what: &str, span: Span) -> String {
    format!("{word:<7} {:<36} {}\n", shortened(what), report::place(session, span))
}

fn tell(text: &mut String, counterexample: &Counterexample) {
    let events = counterexample.steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str());
    let trace: Vec<&str> = events.collect();
    let _ = writeln!(text, "        after <{}>", trace.join(", "));
    let _ = match &counterexample.fault {
        Fault::Event(allowed) => writeln!(text, "        the last event is not allowed; only {}", list(allowed)),
        Fault::Refusal(accepted, demanded) => {
            let demanded: Vec<String> = demanded.iter().map(|set| list(set)).collect();
            writeln!(text, "        offers only {}, of {}", list(accepted), demanded.join(" or "))
        }
        Fault::Deadlock => writeln!(text, "        nothing can happen"),
        Fault::Divergence(start) => writeln!(text, "        the steps from {start} repeat"),
        Fault::Missing(event, possible) => {
            writeln!(text, "        {event} is not possible, only {}", list(possible))
        }
        Fault::Nondeterminism(event, accepted) => {
            writeln!(text, "        {event} may happen or be refused, offering {}", list(accepted))
        }
    };
}

fn list(events: &[String]) -> String {
    format!("{{{}}}", events.join(", "))
}

/// Enough of an expression to recognize it.
fn shortened(text: &str) -> Cow<'_, str> {
    const MAX_CHARS: usize = 120;
    match text.char_indices().nth(MAX_CHARS) {
        Some((end, _)) => Cow::Owned(format!("{}...", &text[..end])),
        None => Cow::Borrowed(text),
    }
}
