//! What an assertion is about, before anything is evaluated.

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
    /// What it is about.
    pub kind: Kind,
    /// The processes it speaks of.
    pub sides: Sides,
    /// Whether the property is meant to fail.
    pub negated: bool,
    /// Whether it was asked from outside of the script.
    pub is_asked: bool,
    /// What it says itself about what may be left out.
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
    /// What is called and answered could be operations of an object that happen at once.
    Linearizable,
    /// Visible events of one process happen at times at which they can in another.
    TimedRefinement,
    /// No run with silent steps for ever takes forever.
    TimedDivergenceFree,
    Temporal(Logic),
}

/// The processes of an assertion, as they are written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sides {
    /// What is allowed, if something is compared with it.
    pub specification: Option<String>,
    /// What the assertion is about.
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
            Kind::Damaged
            | Kind::Reachable
            | Kind::Nonterminating
            | Kind::NeverStuck
            | Kind::Unambiguous
            | Kind::Linearizable
            | Kind::TimedRefinement
            | Kind::TimedDivergenceFree
            | Kind::Temporal(_) => None,
        }
    }
}

impl Kind {
    /// The model it names, or the one that is meant where none is named.
    pub fn meant_model(self) -> Option<Model> {
        match self {
            Kind::Damaged
            | Kind::Temporal(_)
            | Kind::Reachable
            | Kind::Nonterminating
            | Kind::NeverStuck
            | Kind::Unambiguous
            | Kind::Linearizable
            | Kind::TimedRefinement
            | Kind::TimedDivergenceFree => None,
            Kind::HasTrace(None) => Some(Model::Traces),
            _ => Some(self.model().unwrap_or(Model::FailuresDivergences)),
        }
    }
}
