//! What can be wrong besides the script.

use source::{Diagnostic, Phase, Span};

/// What cannot be done, whatever the limits are.
pub fn unsupported(span: Span, detail: &str) -> Diagnostic {
    Diagnostic::error(Phase::Compile, "tracehound::unsupported", span, detail).label("asked for this")
}

/// A limit that was reached before there was a result.
pub fn unfinished(span: Span, detail: &str) -> Diagnostic {
    Diagnostic::error(Phase::Compile, "tracehound::unfinished", span, detail)
        .label("this was not finished")
        .help("`--time-limit`, `--memory-limit` and `--max-states` set the limits")
}
