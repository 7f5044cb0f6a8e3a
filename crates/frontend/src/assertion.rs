//! Assertions before evaluation.

use crate::formula::{Logic, Reduce};
use lts::Model;
use source::Span;

/// An assertion of a script.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assertion {
    /// Its number in the script, from 1, included files in place.
    pub index: usize,
    /// Where it stands.
    pub span: Span,
    /// Its text on one line, comments and `assert` left out.
    pub text: String,
    /// Its kind.
    pub kind: Kind,
    /// The processes it speaks of.
    pub sides: Sides,
    /// Whether the property is meant to fail.
    pub negated: bool,
    /// Whether it was asked from outside of the script.
    pub is_asked: bool,
    /// The reduction it asks for.
    pub reduce: Option<Reduce>,
}

/// Kinds of assertions, with the model that they name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Kind {
    /// Damaged text, reported already.
    Damaged,
    Refinement(Model),
    /// Refinement both ways.
    Equivalence(Model),
    DeadlockFree(Option<Model>),
    DivergenceFree(Option<Model>),
    Deterministic(Option<Model>),
    HasTrace(Option<Model>),
    Reachable,
    Nonterminating,
    /// No state is stuck, which is no question of any model.
    NeverStuck,
    /// No event leads from a state to different ones, which is none either.
    Unambiguous,
    /// Histories of calls and answers are linearizable to operations of an object.
    Linearizable,
    /// Visible events of one process happen at times at which they can in another.
    TimedRefinement,
    /// No run of infinitely many silent steps takes infinite time.
    TimedDivergenceFree,
    Temporal(Logic),
}

/// The processes of an assertion, as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sides {
    /// The specification of a comparison.
    pub specification: Option<String>,
    /// The process that the assertion is about.
    pub process: String,
}

impl Kind {
    /// Its name for programs.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Damaged => "damaged",
            Kind::Refinement(_) => "refinement",
            Kind::Equivalence(_) => "equivalence",
            Kind::DeadlockFree(_) | Kind::NeverStuck => "deadlock-free",
            Kind::DivergenceFree(_) => "divergence-free",
            Kind::Deterministic(_) | Kind::Unambiguous => "deterministic",
            Kind::HasTrace(_) => "has-trace",
            Kind::Reachable => "reachable",
            Kind::Nonterminating => "nonterminating",
            Kind::Linearizable => "linearizable",
            Kind::TimedRefinement => "timed-refinement",
            Kind::TimedDivergenceFree => "timed-divergence-free",
            Kind::Temporal(Logic::Ltl) => "ltl",
            Kind::Temporal(Logic::Ctl) => "ctl",
        }
    }

    /// The model it names.
    pub fn model(self) -> Option<Model> {
        match self {
            Kind::Refinement(model) | Kind::Equivalence(model) => Some(model),
            Kind::DeadlockFree(model)
            | Kind::DivergenceFree(model)
            | Kind::Deterministic(model)
            | Kind::HasTrace(model) => model,
            _ => None,
        }
    }

    /// The model it names, or the default where none is named. None for kinds that are no question of a model.
    pub fn meant_model(self) -> Option<Model> {
        match self {
            Kind::HasTrace(None) => Some(Model::Traces),
            Kind::DeadlockFree(None) | Kind::DivergenceFree(None) | Kind::Deterministic(None) => {
                Some(Model::FailuresDivergences)
            }
            other => other.model(),
        }
    }
}
