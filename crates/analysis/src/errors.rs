//! Diagnostics of requests on a script without errors.

use source::{Diagnostic, Phase, Span};

/// A request that is not supported.
pub fn unsupported(span: Span, detail: &str) -> Diagnostic {
    Diagnostic::error(Phase::Compile, "tracehound::unsupported", span, detail).label("asked for this")
}

/// A request that a limit ended.
pub fn unfinished(span: Span, detail: &str) -> Diagnostic {
    Diagnostic::error(Phase::Compile, "tracehound::unfinished", span, detail)
        .label("this was not finished")
        .help("`--time-limit`, `--memory-limit` and `--max-states` set the limits")
}
