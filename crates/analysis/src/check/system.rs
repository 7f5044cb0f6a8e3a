//! Systems made of processes.

use super::checker::Checker;
use super::failed::Failed;
use super::walk::{Takers, Walked};
use explore::NotExplicit;
use frontend::{Effort, Fidelity, Lowered, LoweringLimits, State};
use lts::refine::{self, Ended};
use lts::{Lts, Model, Watch, bisimulation};
use std::rc::Rc;

impl Checker<'_> {
    /// The network of a process, if its structure is static enough.
    pub(super) fn network(
        &mut self,
        process: State,
        fidelity: Fidelity,
        effort: Effort,
    ) -> Result<Option<Lowered>, Failed> {
        let limits = LoweringLimits { effort, search: self.options.search_limits() };
        let progress = self.options.progress.clone();
        let network = self.semantics.network(process, fidelity, &limits, &*progress)?;
        self.last_network = network.clone().or(self.last_network.take());
        Ok(network)
    }

    /// A specification, with states merged that mean the same.
    pub(super) fn specification(&mut self, process: State, model: Model) -> Result<Rc<Lts>, Failed> {
        if let Some(known) = self.specifications.get(&(process, model)) {
            return Ok(known.clone());
        }
        let lts = self.explicit(process, model)?;
        let merged = if lts.is_deterministic() {
            lts
        } else {
            bisimulation::delay(&lts, &mut Watch::new(&*self.options.progress))?.lts
        };
        let merged = Rc::new(merged);
        self.specifications.insert((process, model), merged.clone());
        Ok(merged)
    }

    /// All that a process can reach.
    pub(super) fn explicit(&mut self, process: State, model: Model) -> Result<Lts, Failed> {
        match self.network(process, Fidelity::Model(model), Effort::Full)? {
            None => self.walk(process),
            Some(lowered) => {
                let limits = self.options.search_limits();
                match explore::to_lts(&lowered.network, &limits, &*self.options.progress) {
                    Ok(explicit) => Ok(explicit.lts),
                    Err(NotExplicit::Stopped(stop)) => Err(stop.into()),
                    Err(NotExplicit::TooWide(_)) => self.walk(process),
                    Err(NotExplicit::Failed(failure)) => {
                        Err(self.failure_error(&lowered, &failure.steps, &failure.failed))
                    }
                }
            }
        }
    }

    /// The same, state by state.
    fn walk(&mut self, process: State) -> Result<Lts, Failed> {
        let progress = self.options.progress.clone();
        let mut watch = Watch::new(&*progress).with_max_states(self.options.most_states());
        let mut walked = Walked::new(process, Takers::Ignored);
        refine::write_down(&mut walked.with(&mut *self.semantics), &mut watch).map_err(|ended| match ended {
            Ended::Failed(failure) => failure.into(),
            Ended::Stopped(stop) => stop.into(),
        })
    }
}
