//! Textual reports.

use super::args::Style;
use super::check::Answered;
use crate::output;
use analysis::Session;
use analysis::check::Verdict;
use limits::display::steps::MAX_REPORTED;
use source::{Diagnostic, Severity, Span, render};
use std::num::NonZeroUsize;
use textwrap::{Options, WordSeparator, WordSplitter, WrapAlgorithm};

/// Prints the diagnostics with their source lines, and a final line that counts them and the unknown verdicts.
pub fn problems(style: &Style, file: &str, session: &Session, diagnostics: &[Diagnostic], answers: &[Answered]) {
    let draw = if style.color.for_stderr() { render::colored } else { render::plain };
    let wanted = diagnostics.iter().filter(|diagnostic| diagnostic.severity > Severity::Note || style.notes);
    for diagnostic in wanted.clone().take(MAX_REPORTED) {
        output::say(&draw(session.source_map(), diagnostic));
        output::say("\n");
    }
    let n_more = wanted.count().saturating_sub(MAX_REPORTED);
    if n_more > 0 {
        output::say(&format!("... and {n_more} more; --format json lists all of them\n"));
    }
    output::say(&format!("{}\n", summary(style, file, diagnostics, answers)));
}

/// Prints errors only: where a result is missing, warnings distract from the cause.
pub fn errors(style: &Style, file: &str, session: &Session, diagnostics: &[Diagnostic]) {
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let errors: Vec<Diagnostic> = diagnostics.iter().filter(is_error).cloned().collect();
    problems(style, file, session, &errors, &[]);
}

/// `2 errors, 1 warning in buffer.csp`.
fn summary(style: &Style, file: &str, diagnostics: &[Diagnostic], answers: &[Answered]) -> String {
    let n_of = |severity| diagnostics.iter().filter(|diagnostic| diagnostic.severity == severity).count();
    let n_notes = n_of(Severity::Note);
    let mut kinds = vec![(n_of(Severity::Error), "error"), (n_of(Severity::Warning), "warning")];
    if style.notes {
        kinds.push((n_notes, "note"));
    }
    let mut counts = verdicts(answers);
    counts.extend(kinds.iter().filter(|(n, _)| *n > 0).map(|(n, word)| count(*n, word)));
    let counts = if counts.is_empty() { "no problems".to_owned() } else { counts.join(", ") };
    let hidden = match n_notes {
        0 => String::new(),
        _ if style.notes => String::new(),
        n => format!(" ({} with --notes)", count(n, "note")),
    };
    format!("{counts} in {file}{hidden}")
}

/// `2 hold`, `1 fails`.
fn verdicts(answers: &[Answered]) -> Vec<String> {
    let n_of = |wanted: fn(&Verdict) -> bool| answers.iter().filter(|a| wanted(&a.checked.verdict)).count();
    let kinds = [
        (n_of(|verdict| matches!(verdict, Verdict::Holds)), "holds", "hold"),
        (n_of(|verdict| matches!(verdict, Verdict::Fails)), "fails", "fail"),
        (n_of(|verdict| matches!(verdict, Verdict::Unknown(..) | Verdict::Error(_))), "undecided", "undecided"),
    ];
    let said = kinds.iter().filter(|(n, ..)| *n > 0);
    said.map(|(n, one, many)| format!("{n} {}", if *n == 1 { one } else { many })).collect()
}

/// `1 error`, `2 errors`.
pub fn count(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// Text wrapped at blanks; all lines but the first are indented by two more.
pub fn wrapped(text: &str, width: usize, indent: &str) -> String {
    let further = format!("{indent}  ");
    let options = Options::new(width).initial_indent(indent).subsequent_indent(&further);
    let options = options.word_separator(WordSeparator::AsciiSpace).word_splitter(WordSplitter::NoHyphenation);
    textwrap::fill(text, options.break_words(false).wrap_algorithm(WrapAlgorithm::FirstFit))
}

/// Error for an assertion number that the file does not have.
pub fn no_assertion(number: NonZeroUsize, file: &str, n_assertions: usize) -> String {
    format!("there is no assertion {number}: `{file}` has {}", count(n_assertions, "assertion"))
}

/// `buffer.csp:14`.
pub fn place(session: &Session, span: Span) -> String {
    let map = session.source_map();
    format!("{}:{}", map.file_of(span).path, map.position(span).line)
}
