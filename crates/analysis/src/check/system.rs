//! Networks and specifications of processes.

use super::checker::Checker;
use super::failed::Failed;
use super::walk::{Takers, Walked};
use decide::{MAX_EXPLORED_FIRST, Specification};
use explore::NotExplicit;
use frontend::{Effort, Fidelity, Lowered, LoweringLimits, State};
use lts::walk::to_lts;
use lts::{Lts, Model, Watch};
use progress::{Activity, Stop};
use std::sync::Arc;

impl Checker<'_> {
    /// The network of a process. None if its structure is not static enough.
    pub(super) fn network(
        &mut self,
        process: State,
        fidelity: Fidelity,
        effort: Effort,
    ) -> Result<Option<Lowered>, Failed> {
        let limits = LoweringLimits { effort, search: self.options.limits };
        let progress = self.options.progress.clone();
        progress.enter(Activity::Compiling);
        let network = self.semantics.network(process, fidelity, &limits, &*progress)?;
        progress.enter(Activity::Searching);
        self.last_network = network.clone().or(self.last_network.take());
        Ok(network)
    }

    /// The specification of a process, kept for further assertions.
    pub(super) fn specification(&mut self, process: State, model: Model) -> Result<Arc<Specification>, Failed> {
        if let Some(known) = self.specifications.get(&(process, model)) {
            return Ok(known.clone());
        }
        let lts = self.explicit(process, model)?;
        self.prepared(process, lts, model)
    }

    /// The specification of a process, if it has at most so many states.
    pub(super) fn small_specification(
        &mut self,
        process: State,
        model: Model,
        max_states: u64,
    ) -> Result<Option<Arc<Specification>>, Failed> {
        if let Some(known) = self.specifications.get(&(process, model)) {
            return Ok(Some(known.clone()));
        }
        self.options.progress.enter(Activity::Compiling);
        let written = match self.network(process, Fidelity::Model(model), Effort::Little)? {
            None => self.walk(process, max_states.min(MAX_EXPLORED_FIRST)),
            Some(lowered) => self.write_down(process, &lowered, max_states),
        };
        match written {
            Ok(lts) => self.prepared(process, lts, model).map(Some),
            // The limit on states binds each search; on the fly, fewer states of the specification may suffice.
            Err(Failed::Stopped(Stop::Budget | Stop::MaxStates)) => Ok(None),
            Err(failed) => Err(failed),
        }
    }

    fn prepared(&mut self, process: State, lts: Lts, model: Model) -> Result<Arc<Specification>, Failed> {
        let specification = Arc::new(Specification::new(lts, model, &mut Watch::new(&*self.options.progress))?);
        self.specifications.insert((process, model), specification.clone());
        Ok(specification)
    }

    /// The reachable transition system of a process.
    pub(super) fn explicit(&mut self, process: State, model: Model) -> Result<Lts, Failed> {
        match self.network(process, Fidelity::Model(model), Effort::Full)? {
            None => self.walk(process, u64::MAX),
            Some(lowered) => self.write_down(process, &lowered, u64::MAX),
        }
    }

    /// The reachable transition system of a network, with at most so many states.
    fn write_down(&mut self, process: State, lowered: &Lowered, max_states: u64) -> Result<Lts, Failed> {
        let limits = self.options.limits.with_budget(max_states);
        match explore::to_lts(&lowered.network, &limits, &*self.options.progress) {
            Ok(explicit) => Ok(explicit.lts),
            Err(NotExplicit::Stopped(stop)) => Err(stop.into()),
            Err(NotExplicit::TooWide(_)) => self.walk(process, max_states),
            Err(NotExplicit::Failed(failure)) => match self.failure_error(lowered, &failure.steps, &failure.failed) {
                Failed::Unlike => self.walk(process, max_states),
                error => Err(error),
            },
        }
    }

    /// The reachable transition system of a process, on the fly.
    fn walk(&mut self, process: State, max_states: u64) -> Result<Lts, Failed> {
        let progress = self.options.progress.clone();
        let mut watch = Watch::new(&*progress).within(self.options.limits.with_budget(max_states));
        let mut walked = Walked::new(process, Takers::Ignored);
        Ok(to_lts(&mut walked.with(&mut *self.semantics), &mut watch)?)
    }
}
