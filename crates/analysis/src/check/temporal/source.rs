//! Formulas about processes, lowered by the language of the script.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::walk::{Takers, Walked};
use super::takers;
use decide::LoweredFormula;
use explore::Reduction;
use frontend::formula::{Lowered as LoweredByLanguage, Occurring, Question, Written};
use frontend::{Effort, Failure, Fidelity, Lowered, State};
use temporal::{ActionNetwork, Structure};

/// A formula about a process, with the explored states.
pub(super) struct Asking<'q> {
    pub(super) process: State,
    pub(super) question: &'q Question,
    pub(super) walked: Walked,
    /// The source locations of the parts of each lowered property.
    pub(super) written: Vec<Written>,
}

impl<'q> Asking<'q> {
    pub(super) fn new(process: State, question: &'q Question) -> Asking<'q> {
        Asking { process, question, walked: Walked::new(process, takers(question)), written: Vec::new() }
    }
}

impl Checker<'_> {
    /// Lowers a formula to properties of a system with these labels; `states` are those of an explicit system.
    pub(super) fn lower_formula(
        &mut self,
        asking: &mut Asking<'_>,
        occurring: &Occurring,
        states: &[State],
    ) -> Result<LoweredFormula, Failed> {
        let lowered = self.semantics.lower_formula(asking.question, occurring, states).map_err(Failure::Error);
        Ok(match lowered? {
            LoweredByLanguage::Linear(properties) => {
                let (properties, written) = properties.into_iter().unzip();
                asking.written = written;
                LoweredFormula::Linear(properties)
            }
            LoweredByLanguage::Branching(property) => LoweredFormula::Branching(property),
        })
    }

    /// An explicit system of about so many states, with the processes that take part in its steps. None if these are
    /// not known.
    pub(super) fn with_processes(
        &mut self,
        asking: &Asking<'_>,
        lowered: Option<&Lowered>,
        n_states: usize,
    ) -> Option<Structure> {
        let (limits, progress) = (self.options.limits, self.options.progress.clone());
        if lowered.is_none() {
            let mut walked = Walked::new(asking.process, Takers::Told);
            return walked.nearest(&mut *self.semantics, n_states, &limits, &*progress).ok();
        }
        // Fairness observes more than the formula does, so fewer compressions are allowed.
        let lowered = self.network(asking.process, Fidelity::Processes, Effort::Little).ok()??;
        let actions = ActionNetwork::new(&lowered.network, lowered.participants.as_deref());
        let actions = actions.with_conditions(lowered.conditions.to_vec());
        let limits = limits.with_budget(n_states as u64);
        actions.explore(Reduction::None, &limits, &*progress).ok().map(|explored| explored.structure)
    }
}
