//! What a CSPM script means: an evaluator, terms, and their steps.

use super::formula::{CspmMeaning, CspmVocabulary, expressions};
use super::outline::processes;
use super::script::CspmScript;
use cspm::evaluate::{Evaluator, Limits};
use cspm::syntax::{Assertion, ExprId, Property};
use frontend::formula::{self, Logic, Occurring, Question};
use frontend::{
    Asserted, Component, Effort, Failure, Fidelity, Kind, Lowered, LoweredId, LoweringLimits, Participant, Semantics,
    State, Step,
};
use lts::{Label, Model};
use model::network::{Configuration, MachineId};
use model::{EventSet, EventTable};
use process::compile::{self, CompileError, CompileLimits, Compiled, Library, Workshop};
use process::{CallId, Interpreter, StepError, StepTable, Term, TermId, Terms, Unfold};
use progress::{Interrupt, Progress, Statistics};
use source::{Diagnostic, Span};
use std::ops::ControlFlow;
use std::rc::Rc;
use std::sync::Arc;
