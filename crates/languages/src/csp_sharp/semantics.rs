//! The meaning of a CSP# script.

use super::fields::Constants;
use super::formula::{SharpMeaning, SharpVocabulary, is_known};
use super::lowering::Networks;
use super::outline::untimed;
use super::script::SharpScript;
use csp_sharp::resolve::{Assertion, Property};
use csp_sharp::syntax::Optimum;
use csp_sharp_runtime::code::{ExprId, TermId, Type};
use csp_sharp_runtime::run::{Fault, FaultKind, System};
use frontend::formula::{self, Occurring, Question};
use frontend::{
    ActiveDomains, Asserted, Cell, Compile, Component, Copies, Data, Failure, Families, Formulas, Goal, Lift, Lifted,
    Lowered, LoweredId, LoweringLimits, Narrate, OperationEvent, Participant, Participation, Semantics, State, Step,
    Timed,
};
use limits::display::names::LONGEST_NAME;
use lts::{Label, Model, NoRun, Observation, Preserves};
use model::network::{Action, Configuration, FailedStep, MachineId};
use model::participants::Marks;
use model::{EventId, EventTable};
use progress::Progress;
use source::{Diagnostic, Span};
use std::sync::Arc;

/// The meaning of a script. Scripts without timed operators are not timed, although their processes have locations.
pub(super) struct SharpSemantics<'a, const TIMED: bool> {
    pub(super) script: &'a SharpScript,
    pub(super) system: System,
    constants: Constants,
    pub(super) networks: Networks,
}

pub(super) fn failed(fault: &Fault) -> Failure {
    match fault.kind {
        // The script is right, but needs another engine for time.
        FaultKind::Stopped(why) => Failure::Stopped(why.into()),
        FaultKind::ManyMoments | FaultKind::ManyClocks => Failure::Beyond(fault.diagnose().title),
        _ => Failure::Error(Box::new(fault.diagnose())),
    }
}

impl<'a, const TIMED: bool> SharpSemantics<'a, TIMED> {
    pub(super) fn new(script: &'a SharpScript, progress: Arc<dyn Progress>) -> SharpSemantics<'a, TIMED> {
        let constants = script.resolved.constants.iter().map(|(name, value, ty)| (name.to_string(), (*value, *ty)));
        SharpSemantics {
            script,
            system: System::new(&script.resolved.code).within(progress),
            constants: constants.collect(),
            networks: Networks::default(),
        }
    }

    fn assertion(&self, index: usize) -> &'a Assertion {
        &self.script.resolved.assertions[index - 1]
    }

    fn question(&mut self, formula_span: Span) -> Result<Question, Failure> {
        let read = self.script.formulas.iter().find(|read| read.span == formula_span);
        let read = read.expect("all formulas of a script were read");
        let mut meaning = SharpMeaning { code: self.system.code(), map: &self.script.map, constants: &self.constants };
        let question = read.question(&self.script.diagnostics, &mut meaning);
        question.map_err(|mut problems| Failure::Error(Box::new(problems.swap_remove(0))))
    }
}

impl<const TIMED: bool> Semantics for SharpSemantics<'_, TIMED>
where
    Self: Timed,
{
    fn events(&self) -> &EventTable {
        self.system.events()
    }

    fn asserted(&mut self, index: usize) -> Result<Asserted, Failure> {
        let families = self.system.families(self.assertion(index).process);
        if families.is_empty() {
            return self.asserted_of(index, &[]);
        }
        let name = |family: &TermId| self.system.term_text(*family, LONGEST_NAME);
        Ok(Asserted::AnyNumber(families.iter().map(name).collect()))
    }

    fn asserted_process(&mut self, index: usize) -> Result<State, Failure> {
        let process = self.assertion(index).process;
        Ok(self.system.start(process))
    }

    fn added_process(&mut self) -> Result<State, Failure> {
        let process = self.script.resolved.added.expect("the script was opened with a process");
        Ok(self.system.start(process))
    }

    fn print(&mut self, _number: usize) -> Result<String, Box<Diagnostic>> {
        let expr = self.script.resolved.expression.expect("the script was opened with an expression");
        let value = self.system.initial_value(expr).map_err(|fault| Box::new(fault.diagnose()))?;
        Ok(match self.script.resolved.code.exprs.ty(expr) {
            Type::Boolean => (value != 0).to_string(),
            _ => value.to_string(),
        })
    }

    fn steps(&mut self, at: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        self.system.steps(at, steps).map_err(|fault| failed(&fault))
    }
}

impl<const TIMED: bool> ActiveDomains for SharpSemantics<'_, TIMED> {}

impl<const TIMED: bool> Compile for SharpSemantics<'_, TIMED> {
    fn network(
        &mut self,
        process: State,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        self.make_network(process, preserves, limits.effort, progress)
    }
}

impl<const TIMED: bool> Lift for SharpSemantics<'_, TIMED> {
    fn lift(
        &mut self,
        lowered: LoweredId,
        steps: &[(Label, Configuration)],
        end: Observation,
        _max_states: u64,
        _progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NoRun> {
        let states = steps.iter().map(|(_, configuration)| self.state_behind(lowered, configuration)).collect();
        let loop_start = match end {
            Observation::Divergence(start) => Some(start),
            Observation::Trace | Observation::Refusal => None,
        };
        Ok(Some(Lifted { labels: steps.iter().map(|(label, _)| *label).collect(), loop_start, states }))
    }

    fn state_of(&mut self, lowered: LoweredId, configuration: &Configuration) -> Option<State> {
        Some(self.state_behind(lowered, configuration))
    }

    fn failed_step(
        &mut self,
        lowered: LoweredId,
        at: Option<&Configuration>,
        _failed: &FailedStep,
    ) -> Option<Box<Diagnostic>> {
        let at = self.state_behind(lowered, at?);
        self.system.steps(at, &mut Vec::new()).err().map(|fault| Box::new(fault.diagnose()))
    }

    fn machine(&mut self, lowered: LoweredId, machine: MachineId) -> Option<Component> {
        Some(self.machine_of(lowered, machine))
    }

    fn action_label(&mut self, _lowered: LoweredId, _action: Action) -> Label {
        Label::TAU
    }
}

impl<const TIMED: bool> Narrate for SharpSemantics<'_, TIMED> {
    fn text(&mut self, at: State, longest: usize) -> String {
        self.system.text(at, longest)
    }

    fn components(&mut self, at: State, most: usize) -> Vec<Component> {
        self.system.components(at, most)
    }

    fn operators(&mut self, at: State, most: usize) -> Vec<frontend::Operator> {
        self.system.operators(at, most)
    }

    fn component_at(&mut self, at: State, wanted: &[u32]) -> Option<Component> {
        let all = self.system.components(at, usize::MAX);
        all.into_iter().find(|found| found.path == wanted)
    }

    fn participants(&mut self, at: State, step: usize, most: usize) -> Vec<Participant> {
        let mut steps = Vec::new();
        if self.system.steps(at, &mut steps).is_err() {
            return Vec::new();
        }
        let Some(seen) = steps.get(step).map(|step| step.label) else { return Vec::new() };
        let label = if seen == Label::TAU { self.system.own_label(at, step).unwrap_or(seen) } else { seen };
        let takers = self.paths_of_takers(at, step);
        let participant = |path: Vec<u32>| {
            let written = self.system.written(at, &path, label);
            Participant { path, label, process: None, place: None, written }
        };
        takers.into_iter().take(most).map(participant).collect()
    }

    fn operation_event(&self, index: usize, event: Label) -> Option<OperationEvent> {
        let Property::Linearizable(claim) = &self.assertion(index).property else { return None };
        self.script.resolved.code.objects[claim.object].event(self.system.events().text(EventId::of(event)?))
    }
}

impl<const TIMED: bool> Participation for SharpSemantics<'_, TIMED> {
    fn takers(&mut self, at: State, step: usize) -> Result<Vec<Vec<u32>>, Failure> {
        Ok(self.paths_of_takers(at, step))
    }

    fn marks(&mut self, at: State, step: usize) -> Marks {
        self.system.marks(at, step)
    }

    fn has_marks(&self) -> bool {
        self.system.code().has_marks
    }
}

impl<const TIMED: bool> Data for SharpSemantics<'_, TIMED> {
    fn variables(&mut self, at: State) -> Vec<Cell> {
        self.system.variables(at).into_iter().map(|(name, value)| Cell { name, value }).collect()
    }

    fn is_true_in(&mut self, at: State, proposition: u32) -> Result<bool, Failure> {
        self.system.is_true(at, ExprId(proposition)).map_err(|fault| failed(&fault))
    }

    fn measure(&mut self, at: State, measure: u32) -> Result<i64, Failure> {
        self.system.value(at, ExprId(measure)).map(i64::from).map_err(|fault| failed(&fault))
    }
}

impl<const TIMED: bool> Formulas for SharpSemantics<'_, TIMED> {
    fn lower_formula(
        &mut self,
        question: &Question,
        occurring: &Occurring,
        states: &[State],
    ) -> formula::Answer<formula::Lowered> {
        question.lower(&mut SharpVocabulary::new(&self.system, &self.script.map, &self.constants, occurring, states))
    }

    fn absent_events(&mut self, question: &Question, occurring: &Occurring) -> Vec<String> {
        let mut vocabulary = SharpVocabulary::new(&self.system, &self.script.map, &self.constants, occurring, &[]);
        let absent = question.absent(&mut vocabulary);
        // Names that the script does not have were reported before.
        absent.into_iter().filter(|event| is_known(self.system.code(), event)).collect()
    }
}

impl<const TIMED: bool> Families for SharpSemantics<'_, TIMED> {
    fn asserted_of(&mut self, index: usize, copies: &[Copies]) -> Result<Asserted, Failure> {
        let assertion = self.assertion(index);
        let process = self.system.with_copies(assertion.process, copies);
        let avoids = |process: State, goal: Goal| Asserted::Reaches { process, goal, is_wanted: false };
        Ok(match &assertion.property {
            Property::DeadlockFree => avoids(self.system.start(process), Goal::Deadlock),
            Property::Nonterminating => avoids(self.system.start(process), Goal::End),
            Property::Deterministic => avoids(self.system.start(process), Goal::Ambiguity),
            Property::DivergenceFree => Asserted::DivergenceFree(self.system.start(process)),
            Property::Reaches(condition, optimum) => {
                let goal = match optimum {
                    None => Goal::Proposition(condition.0),
                    Some((optimum, measure)) => Goal::Optimum {
                        proposition: condition.0,
                        measure: measure.0,
                        is_greatest: *optimum == Optimum::Greatest,
                    },
                };
                Asserted::Reaches { process: self.system.start(process), goal, is_wanted: true }
            }
            Property::TimedDivergenceFree => Asserted::DivergenceFreeInTime(self.system.start_watched(process)),
            // Termination is an event like others there.
            Property::Refines(model, specification, _) => {
                let specification = self.system.start_watched(*specification);
                let implementation = self.system.start_watched(process);
                match untimed(*model) {
                    Some(model) => Asserted::Refines { specification, implementation, model },
                    None => Asserted::RefinesInTime { specification, implementation },
                }
            }
            Property::Equals(model, other, _) => Asserted::Equals {
                process: self.system.start_watched(process),
                other: self.system.start_watched(*other),
                model: untimed(*model).unwrap_or(Model::Traces),
            },
            Property::Linearizable(claim) => {
                let object = &self.script.resolved.code.objects[claim.object];
                let system = &mut self.system;
                Asserted::Linearizable {
                    specification: system.start(object.explanation),
                    implementation: system.start_showing(assertion.process, &object.shown),
                    points: claim.points.as_ref().map(|points| {
                        let explanation = system.start(points.explanation);
                        (explanation, system.start_showing(assertion.process, &points.shown))
                    }),
                }
            }
            Property::Temporal(span) => {
                let question = self.question(*span)?;
                Asserted::Satisfies(self.system.start_watched(process), Box::new(question))
            }
        })
    }
}
