//! What a CSP# script means.

use super::fields::Constants;
use super::formula::{SharpMeaning, SharpVocabulary, is_known};
use super::lowering::Networks;
use super::outline::untimed;
use super::script::SharpScript;
use csp_sharp::resolve::{Assertion, Property};
use csp_sharp::syntax::Optimum;
use csp_sharp_runtime::code::{self, ExprId, TermId, Type};
use csp_sharp_runtime::run::{self, Fault, FaultKind, StateId, System};
use frontend::formula::{self, Occurring, Question};
use frontend::{
    Asserted, Cell, Compile, Component, Copies, Data, Failure, Families, Formulas, Goal, Lift, Lifted, Lowered,
    LoweredId, LoweringLimits, Moment, Narrate, Participant, Participation, Semantics, State, Step, Timed,
};
use lts::{Label, Model, NoRun, Observation, Preserves};
use model::network::{Action, Configuration, FailedStep, MachineId};
use model::participants::Marks;
use model::{EventId, EventTable};
use progress::Progress;
use source::{Diagnostic, Span};
use std::sync::Arc;

/// Where the name of what there are copies of is cut.
const LONGEST_NAME: usize = 60;

/// The meaning of a script.
pub(super) struct SharpSemantics<'a> {
    pub(super) script: &'a SharpScript,
    pub(super) system: System,
    constants: Constants,
    /// A buffer.
    pub(super) steps: Vec<csp_sharp_runtime::run::Step>,
    pub(super) networks: Networks,
}

pub(super) fn state(id: StateId) -> State {
    State(id.0)
}

pub(super) fn id(state: State) -> StateId {
    StateId(state.0)
}

pub(super) fn failed(fault: &Fault) -> Failure {
    match fault.kind {
        // There is no mistake in it, but it takes a better way to look at time.
        FaultKind::Stopped(why) => Failure::Stopped(why.into()),
        FaultKind::ManyMoments | FaultKind::ManyClocks => Failure::Beyond(fault.diagnose().title),
        _ => Failure::Error(Box::new(fault.diagnose())),
    }
}

impl<'a> SharpSemantics<'a> {
    pub(super) fn new(script: &'a SharpScript, progress: Arc<dyn Progress>) -> SharpSemantics<'a> {
        let constants = script.resolved.constants.iter().map(|(name, value, ty)| (name.to_string(), (*value, *ty)));
        SharpSemantics {
            script,
            system: System::new(&script.resolved.code).within(progress),
            constants: constants.collect(),
            steps: Vec::new(),
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

    fn component(found: csp_sharp_runtime::run::Component) -> Component {
        Component { path: found.path, name: found.text, place: found.span, state: None }
    }
}

impl Semantics for SharpSemantics<'_> {
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
        Ok(state(self.system.start(process)))
    }

    fn added_process(&mut self) -> Result<State, Failure> {
        let process = self.script.resolved.added.expect("the script was opened with a process");
        Ok(state(self.system.start(process)))
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
        let mut found = std::mem::take(&mut self.steps);
        found.clear();
        let outcome = self.system.steps(id(at), &mut found);
        steps.extend(found.iter().map(|step| Step { label: step.label, target: state(step.target) }));
        self.steps = found;
        outcome.map_err(|fault| failed(&fault))
    }

    fn compiler(&mut self) -> Option<&mut dyn Compile> {
        Some(self)
    }

    fn narrator(&mut self) -> Option<&mut dyn Narrate> {
        Some(self)
    }

    fn participation(&mut self) -> Option<&mut dyn Participation> {
        Some(self)
    }

    fn formulas(&mut self) -> Option<&mut dyn Formulas> {
        Some(self)
    }

    fn data(&mut self) -> Option<&mut dyn Data> {
        Some(self)
    }

    /// Scripts without timed operators are not timed, although their processes have locations.
    fn time(&mut self) -> Option<&mut dyn Timed> {
        if self.system.code().is_timed { Some(self) } else { None }
    }

    fn families(&mut self) -> Option<&mut dyn Families> {
        Some(self)
    }
}

impl Compile for SharpSemantics<'_> {
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

impl Lift for SharpSemantics<'_> {
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
        self.system.steps(id(at), &mut Vec::new()).err().map(|fault| Box::new(fault.diagnose()))
    }

    fn machine(&mut self, lowered: LoweredId, machine: MachineId) -> Option<Component> {
        Some(self.machine_of(lowered, machine))
    }

    fn action_label(&mut self, _lowered: LoweredId, _action: Action) -> Label {
        Label::TAU
    }
}

impl Narrate for SharpSemantics<'_> {
    fn text(&mut self, at: State, longest: usize) -> String {
        self.system.text(id(at), longest)
    }

    fn components(&mut self, at: State, most: usize) -> Vec<Component> {
        self.system.components(id(at), most).into_iter().map(Self::component).collect()
    }

    fn operators(&mut self, at: State, most: usize) -> Vec<frontend::Operator> {
        let operator = |one: csp_sharp_runtime::run::Operator| frontend::Operator {
            depth: one.depth,
            path: one.path,
            symbol: one.symbol,
            n_events: None,
            name: one.name,
            place: one.span,
        };
        self.system.operators(id(at), most).into_iter().map(operator).collect()
    }

    fn component_at(&mut self, at: State, wanted: &[u32]) -> Option<Component> {
        let all = self.system.components(id(at), usize::MAX);
        all.into_iter().find(|found| found.path == wanted).map(Self::component)
    }

    fn participants(&mut self, at: State, step: usize, most: usize) -> Vec<Participant> {
        let mut steps = Vec::new();
        if self.steps(at, &mut steps).is_err() {
            return Vec::new();
        }
        let Some(seen) = steps.get(step).map(|step| step.label) else { return Vec::new() };
        let label = if seen == Label::TAU { self.system.own_label(id(at), step).unwrap_or(seen) } else { seen };
        let takers = self.paths_of_takers(at, step);
        let participant = |path: Vec<u32>| {
            let written = self.system.written(id(at), &path, label);
            Participant { path, label, process: None, place: None, written }
        };
        takers.into_iter().take(most).map(participant).collect()
    }

    fn moment(&self, index: usize, event: Label) -> Option<Moment> {
        let Property::Linearizable(claim) = &self.assertion(index).property else { return None };
        let text = self.system.events().text(EventId::of(event)?);
        let owned = |texts: Vec<&str>| texts.into_iter().map(str::to_owned).collect();
        Some(match self.script.resolved.code.objects[claim.object].moment(text)? {
            code::Moment::Call { thread, operation, arguments } => {
                Moment::Call { thread: thread.to_owned(), operation, arguments: owned(arguments) }
            }
            code::Moment::Answer { thread, result } => {
                Moment::Answer { thread: thread.to_owned(), result: result.map(str::to_owned) }
            }
        })
    }
}

impl Participation for SharpSemantics<'_> {
    fn takers(&mut self, at: State, step: usize) -> Result<Vec<Vec<u32>>, Failure> {
        Ok(self.paths_of_takers(at, step))
    }

    fn marks(&mut self, at: State, step: usize) -> Marks {
        self.system.marks(id(at), step)
    }

    fn has_marks(&self) -> bool {
        self.system.code().has_marks
    }
}

impl Data for SharpSemantics<'_> {
    fn variables(&mut self, at: State) -> Vec<Cell> {
        self.system.variables(id(at)).into_iter().map(|(name, value)| Cell { name, value }).collect()
    }

    fn is_true_in(&mut self, at: State, proposition: u32) -> Result<bool, Failure> {
        self.system.is_true(id(at), ExprId(proposition)).map_err(|fault| failed(&fault))
    }

    fn measure(&mut self, at: State, measure: u32) -> Result<i64, Failure> {
        self.system.value(id(at), ExprId(measure)).map(i64::from).map_err(|fault| failed(&fault))
    }
}

impl Formulas for SharpSemantics<'_> {
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
        // Of names that the script does not have, this was told already.
        absent.into_iter().filter(|event| is_known(self.system.code(), event)).collect()
    }
}

impl Families for SharpSemantics<'_> {
    fn asserted_of(&mut self, index: usize, copies: &[Copies]) -> Result<Asserted, Failure> {
        let assertion = self.assertion(index);
        let copies: Vec<run::Copies> = copies
            .iter()
            .map(|copies| match copies {
                Copies::Exactly(count) => run::Copies::Exactly(*count),
                Copies::MoreThan(most) => run::Copies::MoreThan(*most),
            })
            .collect();
        let process = self.system.with_copies(assertion.process, &copies);
        let avoids = |process: State, goal: Goal| Asserted::Reaches { process, goal, is_wanted: false };
        Ok(match &assertion.property {
            Property::DeadlockFree => avoids(state(self.system.start(process)), Goal::Deadlock),
            Property::Nonterminating => avoids(state(self.system.start(process)), Goal::End),
            Property::Deterministic => avoids(state(self.system.start(process)), Goal::Ambiguity),
            Property::DivergenceFree => Asserted::DivergenceFree(state(self.system.start(process))),
            Property::Reaches(condition, optimum) => {
                let goal = match optimum {
                    None => Goal::Proposition(condition.0),
                    Some((optimum, measure)) => Goal::Optimum {
                        proposition: condition.0,
                        measure: measure.0,
                        is_greatest: *optimum == Optimum::Greatest,
                    },
                };
                Asserted::Reaches { process: state(self.system.start(process)), goal, is_wanted: true }
            }
            Property::TimedDivergenceFree => Asserted::DivergenceFreeInTime(state(self.system.start_watched(process))),
            // Termination is an event like others there.
            Property::Refines(model, specification, _) => {
                let specification = state(self.system.start_watched(*specification));
                let implementation = state(self.system.start_watched(process));
                match untimed(*model) {
                    Some(model) => Asserted::Refines { specification, implementation, model },
                    None => Asserted::RefinesInTime { specification, implementation },
                }
            }
            Property::Equals(model, other, _) => Asserted::Equals {
                process: state(self.system.start_watched(process)),
                other: state(self.system.start_watched(*other)),
                model: untimed(*model).unwrap_or(Model::Traces),
            },
            Property::Linearizable(claim) => {
                let object = &self.script.resolved.code.objects[claim.object];
                let system = &mut self.system;
                Asserted::Linearizable {
                    specification: state(system.start(object.explanation)),
                    implementation: state(system.start_showing(assertion.process, &object.shown)),
                    points: claim.points.as_ref().map(|points| {
                        let explanation = state(system.start(points.explanation));
                        (explanation, state(system.start_showing(assertion.process, &points.shown)))
                    }),
                }
            }
            Property::Temporal(span) => {
                let question = self.question(*span)?;
                Asserted::Satisfies(state(self.system.start_watched(process)), Box::new(question))
            }
        })
    }
}
