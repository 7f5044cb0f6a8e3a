//! The transition system of a process.

use super::Verdict;
use super::checker::Checker;
use super::failed::Failed;
use crate::{TransitionSystem, errors};
use lts::{Compression, Lts, Model, Watch};
use source::{Diagnostic, Span};

impl Checker<'_> {
    /// The transition system of the process that the session was opened with: all that it reaches, with nothing merged
    /// but what compressions merge, those in the script and the one given here. These preserve what the model sees.
    ///
    /// # Errors
    /// When the process cannot be evaluated, or a limit is reached.
    pub fn transition_system(
        &mut self,
        compression: Option<Compression>,
        model: Model,
    ) -> Result<TransitionSystem, Box<Diagnostic>> {
        let span = self.session.script.prints().last().map_or(Span::default(), |print| print.span);
        let lts = self.reduced(compression, model).map_err(|failed| self.diagnose(failed, span))?;
        Ok(TransitionSystem::new(&lts, self.semantics.events()))
    }

    fn reduced(&mut self, compression: Option<Compression>, model: Model) -> Result<Lts, Failed> {
        let process = self.semantics.added_process()?;
        let lts = self.explicit(process, model)?;
        match compression {
            Some(compression) => Ok(compression.apply(lts, model, &mut Watch::new(&*self.options.progress))?),
            None => Ok(lts),
        }
    }

    /// Why there is nothing to write, as a problem of the expression.
    pub(super) fn diagnose(&self, failed: Failed, span: Span) -> Box<Diagnostic> {
        match failed.into_checked(&self.options).verdict {
            Verdict::Error(diagnostic) => diagnostic,
            Verdict::Unknown(_, detail) => Box::new(errors::unfinished(span, &detail)),
            Verdict::Holds | Verdict::Fails => unreachable!("a failure is no answer"),
        }
    }
}
