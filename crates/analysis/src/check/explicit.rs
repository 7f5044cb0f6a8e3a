//! The transition system of a process.

use super::checker::Checker;
use super::failed::Failed;
use super::{Reason, Verdict};
use crate::{Merged, TransitionSystem, errors};
use frontend::{Effort, Fidelity};
use limits::display::graphs::MAX_NAMED_STATES;
use limits::display::names::LONGEST_NAME;
use lts::{Compression, Lts, Model, Watch, bisimulation, compress};
use source::{Diagnostic, Span};

/// A system, with names of its states if they have names and are few enough.
type Named = (Lts, Option<Vec<String>>);

impl Checker<'_> {
    /// The reachable transition system of the session's process, compressed as the script says and by the given
    /// compression. Both preserve the behavior that the model sees.
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
        Ok(TransitionSystem::new(&lts, None, self.semantics.events()))
    }

    /// The reachable transition system of the session's process, with names of its states where each stands for one
    /// state of the process.
    ///
    /// # Errors
    /// When the process cannot be evaluated, or a limit is reached.
    pub fn named_transition_system(&mut self, model: Model) -> Result<TransitionSystem, Box<Diagnostic>> {
        self.named_below(model, usize::MAX)
    }

    /// The named transition system, if it has at most so many states; otherwise without names.
    fn named_below(&mut self, model: Model, max_named: usize) -> Result<TransitionSystem, Box<Diagnostic>> {
        match self.named(model, max_named) {
            Ok(Some((lts, names))) => Ok(TransitionSystem::new(&lts, names.as_deref(), self.semantics.events())),
            // Every failure recurs in the unnamed construction, which reports it.
            _ => self.transition_system(None, model),
        }
    }

    /// The transition system for display: with names of its states, or with the sizes of their classes if states were
    /// merged.
    ///
    /// # Errors
    /// When the process cannot be evaluated, or a limit is reached.
    pub fn graph(
        &mut self,
        compression: Option<Compression>,
        model: Model,
    ) -> Result<TransitionSystem, Box<Diagnostic>> {
        let Some(compression) = compression else { return self.named_below(model, MAX_NAMED_STATES) };
        let span = self.session.script.prints().last().map_or(Span::default(), |print| print.span);
        let (lts, merged) = self.merged(compression, model).map_err(|failed| self.diagnose(failed, span))?;
        Ok(TransitionSystem::merged_from(&lts, merged, self.semantics.events()))
    }

    fn merged(&mut self, compression: Compression, model: Model) -> Result<(Lts, Merged), Failed> {
        let process = self.semantics.added_process()?;
        let whole = self.explicit(process, model)?;
        let (n_states, n_transitions) = (whole.n_states(), whole.n_transitions());
        let progress = self.options.progress.clone();
        let watch = &mut Watch::new(&*progress);
        let quotient = match compression {
            Compression::SBisim => Some(bisimulation::strong(&whole, watch)?),
            Compression::WBisim => Some(bisimulation::weak(&whole, watch)?),
            Compression::DBisim => Some(bisimulation::delay(&whole, watch)?),
            Compression::TauLoopFactor => Some(compress::tau_loop_factor(&whole, watch)?),
            _ => None,
        };
        let (lts, sizes) = match quotient {
            Some(quotient) => {
                let lts = lts::draw(&quotient.lts, watch)?;
                let mut sizes = vec![0; lts.n_states()];
                for class in whole.states().filter_map(|state| quotient.map.get(state)) {
                    sizes[class.index()] += 1;
                }
                (lts, Some(sizes))
            }
            None => (compression.apply(whole, model, watch)?, None),
        };
        Ok((lts, Merged { n_states, n_transitions, sizes }))
    }

    fn named(&mut self, model: Model, max_named: usize) -> Result<Option<Named>, Failed> {
        let process = self.semantics.added_process()?;
        let Some(lowered) = self.network(process, Fidelity::Model(model), Effort::Full)? else { return Ok(None) };
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        let Ok(explicit) = explore::to_lts(&lowered.network, &limits, &*progress) else { return Ok(None) };
        if explicit.lts.n_states() > max_named {
            return Ok(Some((explicit.lts, None)));
        }
        let mut names = Vec::with_capacity(explicit.lts.n_states());
        for state in explicit.lts.states() {
            match self.semantics.state_of(lowered.id, &explicit.configuration(state)) {
                Some(state) => names.push(self.semantics.text(state, LONGEST_NAME)),
                None => return Ok(None),
            }
        }
        Ok(Some((explicit.lts, Some(names))))
    }

    fn reduced(&mut self, compression: Option<Compression>, model: Model) -> Result<Lts, Failed> {
        let process = self.semantics.added_process()?;
        let lts = self.explicit(process, model)?;
        match compression {
            Some(compression) => Ok(compression.apply(lts, model, &mut Watch::new(&*self.options.progress))?),
            None => Ok(lts),
        }
    }

    /// The failure as a diagnostic of the expression.
    pub(super) fn diagnose(&self, failed: Failed, span: Span) -> Box<Diagnostic> {
        match failed.into_checked(&self.options).verdict {
            Verdict::Error(diagnostic) => diagnostic,
            Verdict::Unknown(Reason::Unsupported, detail) => Box::new(errors::unsupported(span, &detail)),
            Verdict::Unknown(_, detail) => Box::new(errors::unfinished(span, &detail)),
            Verdict::Holds | Verdict::Fails => unreachable!("a failure is no answer"),
        }
    }
}
