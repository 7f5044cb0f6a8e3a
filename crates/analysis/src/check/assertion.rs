//! From assertions to claims about terms.

use super::checker::Checker;
use crate::temporal::{self, Question};
use cspm::syntax::{Assertion, ExprId, Property, SemanticModel};
use lts::Model;
use model::{EventId, EventSet};
use process::{Term, TermId};
use source::Diagnostic;

/// What an assertion says, evaluated.
pub(super) enum Claimed {
    Refines {
        spec: TermId,
        model: Model,
        implementation: TermId,
    },
    DeadlockFree(TermId, Model),
    DivergenceFree(TermId),
    Deterministic(TermId, Model),
    HasTrace(TermId, Vec<EventId>, Model),
    Temporal(TermId, Box<Question>),
    /// Nothing decides this.
    Unsupported(String),
}

impl Checker<'_> {
    /// Evaluates the processes of an assertion.
    pub(super) fn claimed(&mut self, assertion: &Assertion) -> Result<Claimed, Box<Diagnostic>> {
        let priority = match assertion.tau_priority {
            Some(events) => Some(self.evaluator.event_set_of(&mut self.terms, events)?),
            None => None,
        };
        let (property, priority) = (&assertion.property, priority.as_ref());
        let written = match property {
            Property::Refinement { model, .. } => Some(*model),
            Property::DeadlockFree(_, model)
            | Property::DivergenceFree(_, model)
            | Property::Deterministic(_, model)
            | Property::HasTrace { model, .. } => *model,
            Property::Error | Property::Temporal { .. } => None,
        };
        let model = match written.map(seen_by) {
            Some(Err(name)) => return Ok(Claimed::Unsupported(format!("the model {name} is not supported"))),
            Some(Ok(model)) => Some(model),
            None => None,
        };
        Ok(match property {
            Property::Refinement { specification, implementation, .. } => Claimed::Refines {
                spec: self.process(*specification, priority)?,
                model: model.unwrap_or(Model::Traces),
                implementation: self.process(*implementation, priority)?,
            },
            Property::DeadlockFree(process, _) => {
                Claimed::DeadlockFree(self.process(*process, priority)?, model.unwrap_or(Model::FailuresDivergences))
            }
            Property::DivergenceFree(process, _) => Claimed::DivergenceFree(self.process(*process, priority)?),
            Property::Deterministic(process, _) => {
                Claimed::Deterministic(self.process(*process, priority)?, model.unwrap_or(Model::FailuresDivergences))
            }
            Property::HasTrace { process, trace, .. } => {
                let process = self.process(*process, priority)?;
                let trace = trace.iter().map(|&event| self.evaluator.event(&mut self.terms, event));
                Claimed::HasTrace(process, trace.collect::<Result<_, _>>()?, model.unwrap_or(Model::Traces))
            }
            Property::Temporal { process, .. } => {
                // The process of a pragma is not written anywhere, so what is wrong with it is a problem of the formula.
                let question = temporal::read(self.session, &mut self.evaluator, &mut self.terms, property);
                let first = |mut problems: Vec<Diagnostic>| Box::new(problems.swap_remove(0));
                let question = question.map_err(first)?;
                Claimed::Temporal(self.process(*process, priority)?, Box::new(question))
            }
            Property::Error => Claimed::Unsupported("the assertion is damaged".to_owned()),
        })
    }

    fn process(&mut self, expr: ExprId, priority: Option<&EventSet>) -> Result<TermId, Box<Diagnostic>> {
        let term = self.evaluator.process(&mut self.terms, expr)?;
        Ok(match priority {
            // Both sides are compared with the internal event before the events of the set.
            Some(events) => {
                let levels = [EventSet::from([]), events.clone()].into();
                self.terms.intern(Term::Prioritise(term, levels))
            }
            None => term,
        })
    }
}

fn seen_by(model: SemanticModel) -> Result<Model, &'static str> {
    match model {
        SemanticModel::T => Ok(Model::Traces),
        SemanticModel::F => Ok(Model::Failures),
        SemanticModel::FD => Ok(Model::FailuresDivergences),
        SemanticModel::V => Err("V"),
        SemanticModel::VD => Err("VD"),
        SemanticModel::R => Err("R"),
        SemanticModel::RD => Err("RD"),
    }
}
