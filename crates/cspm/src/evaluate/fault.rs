//! A run-time error on its way out.
//!
//! A fault starts as a diagnostic at the smallest expression that failed and collects, as it leaves one call after the
//! other, the chain of calls that led there. Only the innermost few places are kept; the rest are counted.

use source::{Diagnostic, Phase, Span};

/// A computation that gives a value or fails.
pub type Eval<T = super::Value> = Result<T, Box<Fault>>;

/// How many calls of the chain are shown.
const SHOWN_CALLS: usize = 8;

/// An error with the calls it has left so far.
#[derive(Clone, Debug)]
pub struct Fault {
    diagnostic: Diagnostic,
    calls: Vec<(String, Span)>,
    n_hidden: usize,
    /// Whether trying again is pointless: a limit was reached, not a mistake of the script.
    pub is_limit: bool,
}

impl Fault {
    /// A mistake of the script.
    pub fn new(diagnostic: Diagnostic) -> Box<Fault> {
        Box::new(Fault { diagnostic, calls: Vec::new(), n_hidden: 0, is_limit: false })
    }

    /// A limit that was reached.
    pub fn limit(diagnostic: Diagnostic) -> Box<Fault> {
        Box::new(Fault { is_limit: true, ..*Fault::new(diagnostic) })
    }

    /// Something that cannot happen in a script without errors, of which there may be some after all.
    #[cold]
    pub fn inconsistent(span: Span, what: impl Into<String>) -> Box<Fault> {
        Fault::new(
            Diagnostic::error(Phase::Evaluate, "cspm::inconsistent", span, what)
                .help("mend the errors reported before"),
        )
    }

    /// Whether the call that stands at `span` would be shown. Of a recursion one round says it all.
    pub fn wants_call(&mut self, span: Span) -> bool {
        let wanted = self.calls.len() < SHOWN_CALLS && self.calls.iter().all(|(_, known)| *known != span);
        self.n_hidden += usize::from(!wanted);
        wanted
    }

    /// Leaves a call, written as `text`, that stands at `span`.
    pub fn leave_call(&mut self, text: String, span: Span) {
        self.calls.push((text, span));
    }

    /// The diagnostic with its chain of calls.
    pub fn into_diagnostic(self) -> Diagnostic {
        let mut diagnostic = self.diagnostic;
        for (text, span) in self.calls {
            diagnostic = diagnostic.also(span, format!("in the call of `{text}`"));
        }
        match self.n_hidden {
            0 => diagnostic,
            1 => diagnostic.with_note("and 1 more call around these"),
            // How many there are when a limit is reached says more about the machine than about the script.
            _ if self.is_limit => diagnostic.with_note("and many more calls around these"),
            hidden => diagnostic.with_note(format!("and {hidden} more calls around these")),
        }
    }
}
