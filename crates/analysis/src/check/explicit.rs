//! The transition system of a process.

use super::checker::{Checker, Failed};
use super::system::Asking;
use super::{Checked, Verdict};
use crate::{TransitionSystem, errors};
use explore::{Progress as _, Statistics};
use lts::{Lts, Model, Watch, bisimulation, compress, draw, normal};
use process::Compression;
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
        let expr = self.session.last_print();
        let span = self.session.resolved.ast.expr_span(expr);
        let term = self.evaluator.process(&mut self.terms, expr).map_err(Failed::from);
        let lts = term.and_then(|term| self.explicit(term, model));
        let lts = lts.and_then(|lts| match compression {
            Some(compression) => self.compressed(lts, compression, model),
            None => Ok(lts),
        });
        let lts = lts.map_err(|failed| diagnose(failed, span))?;
        Ok(TransitionSystem::new(&lts, self.evaluator.events()))
    }

    fn compressed(&self, lts: Lts, compression: Compression, model: Model) -> Result<Lts, Failed> {
        let asking = Asking::new(&self.options);
        let mut report = |_| asking.tick(&Statistics::default());
        let watch = &mut Watch::new(&mut report);
        let reduced = match compression {
            Compression::SBisim => bisimulation::strong(&lts, watch).map(|reduced| reduced.lts),
            Compression::DBisim => bisimulation::delay(&lts, watch).map(|reduced| reduced.lts),
            Compression::WBisim => bisimulation::weak(&lts, watch).map(|reduced| reduced.lts),
            Compression::TauLoopFactor => compress::tau_loop_factor(&lts, watch).map(|reduced| reduced.lts),
            Compression::Diamond => compress::diamond(&lts, watch).map(|reduced| reduced.lts),
            Compression::Chase | Compression::ChaseNoCache => compress::chase(&lts, watch).map(|reduced| reduced.lts),
            Compression::Deter => compress::deter(&lts, watch).map(|reduced| reduced.lts),
            Compression::Normal | Compression::LazyNorm => normal::normal(&lts, model, watch),
            Compression::ModelCompress => compress::model_compress(&lts, model, watch),
            Compression::Explicate | Compression::LazyEnumerate => return Ok(lts),
        };
        let drawn = reduced.and_then(|reduced| draw(&reduced, watch));
        drawn.map_err(|_| Failed::Stopped(asking.why()))
    }
}

/// Why there is no system, as a problem of the expression.
fn diagnose(failed: Failed, span: Span) -> Box<Diagnostic> {
    match Checked::without_answer(failed).verdict {
        Verdict::Error(diagnostic) => diagnostic,
        Verdict::Unknown(_, detail) => Box::new(errors::unfinished(span, &detail)),
        Verdict::Holds | Verdict::Fails => unreachable!("a failure is no answer"),
    }
}
