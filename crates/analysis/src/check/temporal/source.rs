//! What the engines for formulas ask of the language of a script.

use super::super::checker::{Checker, reductions};
use super::super::walk::{Takers, Walked};
use super::takers;
use explore::Reduction;
use frontend::formula::{Lowered as LoweredFormula, Occurring, Question, Written};
use frontend::{Effort, Failure, Fidelity, Lowered, State};
use progress::Progress;
use temporal::decide::{Asked, Setting, Source, Walk, nearest};
use temporal::{ActionNetwork, Structure};

/// A formula about a process, and what was learned of both.
pub(super) struct Asking<'q> {
    pub(super) process: State,
    pub(super) question: &'q Question,
    pub(super) walked: Walked,
    /// Where the parts of each property are written, as they were made last.
    pub(super) written: Vec<Written>,
}

impl<'q> Asking<'q> {
    pub(super) fn new(process: State, question: &'q Question) -> Asking<'q> {
        Asking { process, question, walked: Walked::new(process, takers(question)), written: Vec::new() }
    }
}

/// The same, with the language that tells more.
pub(super) struct Reader<'c, 'a, 'q> {
    pub(super) checker: &'c mut Checker<'a>,
    pub(super) asking: &'c mut Asking<'q>,
    /// The network of the process, if it is not walked.
    pub(super) lowered: Option<&'c Lowered>,
}

impl Source for Reader<'_, '_, '_> {
    type Error = Failure;

    fn asked(&mut self, occurring: &Occurring) -> Result<Asked, Failure> {
        let Asking { question, walked, .. } = &*self.asking;
        let states = if self.lowered.is_none() { walked.states() } else { &[] };
        let lowered = self.checker.semantics.lower_formula(question, occurring, states);
        Ok(match lowered.map_err(Failure::Error)? {
            LoweredFormula::Linear(properties) => {
                let (properties, written) = properties.into_iter().unzip();
                self.asking.written = written;
                Asked::Linear(properties)
            }
            LoweredFormula::Branching(property) => Asked::Branching(property),
        })
    }

    fn walk(&mut self) -> impl Walk<Error = Failure> {
        self.asking.walked.with(&mut *self.checker.semantics)
    }

    fn with_processes(&mut self, n_states: usize) -> Option<Structure> {
        let process = self.asking.process;
        let progress = self.checker.options.progress.clone();
        let setting = self.checker.setting(self.asking.question, &*progress);
        if self.lowered.is_none() {
            let mut walked = Walked::new(process, Takers::Told);
            return nearest(&mut walked.with(&mut *self.checker.semantics), n_states, &setting).ok();
        }
        // Fairness sees more than the formula does, so fewer compressions are allowed.
        let lowered = self.checker.network(process, Fidelity::Processes, Effort::Little).ok()??;
        let actions = ActionNetwork::new(&lowered.network, lowered.participants.as_deref());
        let actions = actions.with_conditions(lowered.conditions.to_vec());
        let limits = setting.limits.with_budget(n_states as u64);
        actions.explore(Reduction::None, &limits, &*progress).ok().map(|explored| explored.structure)
    }
}

impl Checker<'_> {
    /// How a formula is decided.
    pub(super) fn setting<'s>(&self, question: &'s Question, progress: &'s dyn Progress) -> Setting<'s> {
        Setting {
            rules: &question.rules,
            finder: None,
            reduction: question.choices.reduce.and_then(|reduce| reduce.kind()),
            tries_orders: reductions(question.choices.reduce) == decide::Reduce::Auto,
            limits: self.options.limits,
            progress,
        }
    }
}
