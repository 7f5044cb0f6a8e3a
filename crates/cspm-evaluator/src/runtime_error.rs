//! A run-time error on its way out.
//!
//! It starts as a diagnostic at the smallest expression that failed and collects, as it leaves one call after the
//! other, the chain of calls that led there. Only the innermost few places are kept; the rest are counted.

use super::{Evaluator, Interrupt, errors};
use limits::display::diagnostics::MAX_CALLS;
use source::{Diagnostic, Phase, Span};

/// The sign that a computation failed. Why, lies with the evaluator: results stay small that way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Failed;

/// A computation that gives a value or fails.
pub type Eval<T = super::Value> = Result<T, Failed>;

/// An error with the calls it has left so far.
#[derive(Clone, Debug)]
pub struct RuntimeError {
    diagnostic: Diagnostic,
    calls: Vec<(String, Span)>,
    n_hidden: usize,
    /// Whether trying again is pointless: a limit was reached, not a mistake of the script.
    pub is_limit: bool,
    interrupt: Option<Interrupt>,
}

impl RuntimeError {
    fn new(diagnostic: Diagnostic) -> RuntimeError {
        RuntimeError { diagnostic, calls: Vec::new(), n_hidden: 0, is_limit: false, interrupt: None }
    }

    /// Whether the call that stands at `span` would be shown. Of a recursion one round says it all.
    pub fn wants_call(&mut self, span: Span) -> bool {
        let wanted = self.calls.len() < MAX_CALLS && self.calls.iter().all(|(_, known)| *known != span);
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

impl Evaluator<'_> {
    /// Fails because of a mistake in the script.
    #[cold]
    #[inline(never)]
    pub(super) fn fail(&mut self, diagnostic: Diagnostic) -> Failed {
        self.fail_again(Box::new(RuntimeError::new(diagnostic)))
    }

    /// Fails because a limit was reached.
    #[cold]
    #[inline(never)]
    pub(super) fn give_up(&mut self, diagnostic: Diagnostic) -> Failed {
        self.fail_again(Box::new(RuntimeError { is_limit: true, ..RuntimeError::new(diagnostic) }))
    }

    /// Fails because of an interrupt.
    #[cold]
    pub(super) fn stop(&mut self, interrupt: Interrupt) -> Failed {
        let diagnostic = errors::interrupted(self.here, interrupt);
        let error = RuntimeError { is_limit: true, interrupt: Some(interrupt), ..RuntimeError::new(diagnostic) };
        self.fail_again(Box::new(error))
    }

    /// Fails because of something that cannot happen in a script without errors, of which there may be some after all.
    #[cold]
    #[inline(never)]
    pub(super) fn inconsistent(&mut self, span: Span, what: impl Into<String>) -> Failed {
        let diagnostic = Diagnostic::error(Phase::Evaluate, "cspm::inconsistent", span, what);
        self.fail(diagnostic.help("mend the errors reported before"))
    }

    /// Fails as before.
    pub(super) fn fail_again(&mut self, fault: Box<RuntimeError>) -> Failed {
        self.fault = Some(fault);
        Failed
    }

    /// Whether the current failure is a limit that was reached, so that trying again is pointless.
    pub(super) fn is_at_limit(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.is_limit)
    }

    /// Whether the current failure is an interrupt.
    pub(super) fn is_interrupted(&self) -> bool {
        self.fault.as_ref().is_some_and(|fault| fault.interrupt.is_some())
    }

    /// A copy of the current failure, to fail with again later.
    pub(super) fn failure_at_hand(&self) -> Box<RuntimeError> {
        match &self.fault {
            Some(fault) => fault.clone(),
            None => unreachable!("a failed computation leaves its reason"),
        }
    }

    /// The report of the current failure, which ends here.
    pub(super) fn report(&mut self, _: Failed) -> Box<Diagnostic> {
        match self.fault.take() {
            Some(fault) => {
                self.interrupt = fault.interrupt.or(self.interrupt);
                Box::new(fault.into_diagnostic())
            }
            None => unreachable!("a failed computation leaves its reason"),
        }
    }
}
