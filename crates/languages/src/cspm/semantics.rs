//! The meaning of a CSPM script: processes are terms, and their steps follow from the firing rules of the operators.

use super::formula::{CspmMeaning, CspmVocabulary, Expressions, expressions};
use super::growth;
use super::lowering::Networks;
use super::outline::processes;
use super::script::CspmScript;
use cspm::syntax::{Assertion, ExprId, Property};
use cspm_evaluator::{Evaluator, Limits};
use frontend::formula::{self, Occurring, Question};
use frontend::{
    ActiveDomains, Asserted, Compile, Component, CompressionReport, Data, Failure, Families, Formulas, Lift, Lifted,
    Lowered, LoweredId, LoweringLimits, Narrate, Participant, Participation, Semantics, State, Step, Timed, Waiting,
};
use limits::display::names::LONGEST_COMPONENT;
use limits::intervals::polling::EVALUATOR_WORK_PER_POLL;
use lts::{Label, Model, NoRun, Observation, Preserves};
use model::network::{Action, Configuration, MachineId, Occupied};
use model::{EventSet, EventTable};
use process::{CallId, Interpreter, StepError, StepTable, Term, TermId, Terms, Unfold};
use progress::{Interrupt, Progress, Statistics};
use source::{Diagnostic, Span};
use std::ops::ControlFlow;
use std::sync::Arc;

/// The meaning of a script.
pub(super) struct CspmSemantics<'a> {
    script: &'a CspmScript,
    pub(super) evaluator: Evaluator<'a>,
    pub(super) terms: Terms,
    pub(super) table: StepTable,
    pub(super) networks: Networks,
    /// How many terms there were when an assertion was last asked for.
    n_terms_before: usize,
    /// Whether that is one about a formula.
    is_about_formula: bool,
    progress: Arc<dyn Progress>,
}

pub(super) fn state(term: TermId) -> State {
    State(term.0)
}

pub(super) fn term(state: State) -> TermId {
    TermId(state.0)
}

impl<'a> CspmSemantics<'a> {
    pub(super) fn new(script: &'a CspmScript, progress: Arc<dyn Progress>) -> CspmSemantics<'a> {
        CspmSemantics {
            script,
            evaluator: evaluator(script, progress.clone()),
            terms: Terms::default(),
            table: StepTable::new(),
            networks: Networks::default(),
            n_terms_before: 0,
            is_about_formula: false,
            progress,
        }
    }

    /// Fails if values occur that were not seen where they should have been: then it has to begin anew.
    fn is_up_to_date(&self) -> Result<(), Failure> {
        if self.evaluator.has_grown() { Err(Failure::Stopped(Interrupt::Restart.into())) } else { Ok(()) }
    }

    /// Forgets everything.
    fn begin_anew(&mut self) {
        *self = CspmSemantics::new(self.script, self.progress.clone());
    }

    fn assertion(&self, index: usize) -> &'a Assertion {
        self.script.asserted().nth(index - 1).expect("assertions are numbered from 1")
    }

    fn process(&mut self, expr: ExprId) -> Result<TermId, Failure> {
        self.evaluator.process(&mut self.terms, expr).map_err(|error| self.failure(error))
    }

    /// A process of an assertion, with the priority that the assertion asks for.
    fn prioritized(&mut self, expr: ExprId, priority: Option<&EventSet>) -> Result<State, Failure> {
        let term = self.process(expr)?;
        Ok(state(match priority {
            // Both sides are compared with the internal event before the events of the set.
            Some(events) => {
                let levels = [EventSet::from([]), events.clone()].into();
                self.terms.intern(Term::Prioritise(term, levels))
            }
            None => term,
        }))
    }

    /// The question of a formula, or all its errors.
    pub(super) fn try_question(&mut self, property: &Property) -> Result<Question, Vec<Diagnostic>> {
        let expressions = self.expressions(property);
        let Property::Temporal { formula_span, .. } = property else { unreachable!("it is about a formula") };
        let read = self.script.formulas.iter().find(|read| read.span == *formula_span);
        let read = read.expect("all formulas of a script were read");
        let mut meaning = CspmMeaning::new(&expressions, &mut self.evaluator, &mut self.terms, &self.script.resolved);
        read.question(&self.script.diagnostics, &mut meaning)
    }

    /// The expressions in a formula of the script.
    fn expressions(&self, property: &Property) -> Expressions {
        let Property::Temporal { formula_span, fragments, .. } = property else { return Expressions::default() };
        let read = self.script.formulas.iter().find(|read| read.span == *formula_span);
        let formula = read.and_then(|read| read.formula.as_ref());
        formula.map_or_else(Expressions::default, |formula| expressions(formula, fragments))
    }

    /// The expressions in the formula of a question.
    fn expressions_of(&self, question: &Question) -> Expressions {
        let is_meant = |assertion: &&Assertion| matches!(&assertion.property, Property::Temporal { formula_span, .. } if *formula_span == question.span);
        let asserted = self.script.asserted().find(is_meant);
        asserted.map_or_else(Expressions::default, |assertion| self.expressions(&assertion.property))
    }

    fn interpreter(&mut self) -> Interpreter<'_> {
        Interpreter { table: &mut self.table, terms: &mut self.terms, unfold: &mut self.evaluator }
    }

    pub(super) fn failed_step(&mut self, error: &StepError) -> Failure {
        let diagnostic = Box::new(error.diagnose(&mut self.evaluator, Span::default()));
        match error {
            StepError::Evaluation(_) => self.failure(diagnostic),
            _ => Failure::Error(diagnostic),
        }
    }

    /// The failure of an evaluation. An interrupt is no error of the script.
    fn failure(&mut self, diagnostic: Box<Diagnostic>) -> Failure {
        self.evaluator.take_interrupt().map_or(Failure::Error(diagnostic), |why| Failure::Stopped(why.into()))
    }

    fn call_name(&mut self, call: CallId) -> String {
        self.evaluator.call_name(&mut self.terms, call, LONGEST_COMPONENT)
    }

    /// A component by the shortest name it has.
    pub(super) fn component(&mut self, found: process::Component) -> Component {
        let mut named: Vec<(String, Option<Span>)> = Vec::new();
        for &call in &found.calls {
            let name = self.call_name(call);
            named.push((name, Some(self.evaluator.call_span(call))));
        }
        let shortest = named.into_iter().min_by_key(|(name, _)| name.len());
        let (name, place) = shortest.unwrap_or_else(|| {
            let place = match self.terms.get(found.term) {
                Term::Call(call) => Some(self.evaluator.call_span(*call)),
                _ => None,
            };
            let name = match self.terms.get(found.term).clone() {
                Term::Rename(process, relation) if relation.iter().all(|pair| pair.1 != process::HIDDEN) => {
                    self.renamed_text(process, &relation, LONGEST_COMPONENT)
                }
                _ => self.evaluator.term_text(&mut self.terms, found.term, LONGEST_COMPONENT),
            };
            (name, place)
        });
        Component { path: found.path, name, place, state: Some(state(found.term)) }
    }
}

fn evaluator(script: &CspmScript, progress: Arc<dyn Progress>) -> Evaluator<'_> {
    let interrupt = move || match progress.tick(&Statistics::of_work(EVALUATOR_WORK_PER_POLL)) {
        ControlFlow::Continue(()) => None,
        ControlFlow::Break(why) => Some(why),
    };
    let limits = Limits { interrupt: Box::new(interrupt), ..Limits::generous() };
    Evaluator::new(&script.resolved, &script.types, limits)
}

impl Semantics for CspmSemantics<'_> {
    fn events(&self) -> &EventTable {
        self.evaluator.events()
    }

    fn asserted(&mut self, index: usize) -> Result<Asserted, Failure> {
        self.n_terms_before = self.terms.len();
        self.evaluator.take_interrupt();
        let assertion = self.assertion(index);
        self.is_about_formula = matches!(assertion.property, Property::Temporal { .. });
        let priority = match assertion.tau_priority {
            Some(events) => {
                let events = self.evaluator.event_set_of(&mut self.terms, events);
                Some(events.map_err(|error| self.failure(error))?)
            }
            None => None,
        };
        let priority = priority.as_ref();
        let model = super::outline::kind(&assertion.property).model();
        Ok(match &assertion.property {
            Property::Refinement { specification, implementation, .. } => Asserted::Refines {
                specification: self.prioritized(*specification, priority)?,
                implementation: self.prioritized(*implementation, priority)?,
                model: model.unwrap_or(Model::Traces),
            },
            Property::DeadlockFree(process, _) => Asserted::DeadlockFree(
                self.prioritized(*process, priority)?,
                model.unwrap_or(Model::FailuresDivergences),
            ),
            Property::DivergenceFree(process, _) => Asserted::DivergenceFree(self.prioritized(*process, priority)?),
            Property::Deterministic(process, _) => Asserted::Deterministic(
                self.prioritized(*process, priority)?,
                model.unwrap_or(Model::FailuresDivergences),
            ),
            Property::HasTrace { process, trace, .. } => {
                let process = self.prioritized(*process, priority)?;
                let mut labels = Vec::with_capacity(trace.len());
                for &event in trace {
                    let event = self.evaluator.event(&mut self.terms, event).map_err(|error| self.failure(error))?;
                    labels.push(event.label());
                }
                Asserted::HasTrace(process, labels, model.unwrap_or(Model::Traces))
            }
            property @ Property::Temporal { process, .. } => {
                // The process of a pragma is not written anywhere, so what is wrong with it is a problem of the
                // formula.
                let question = self.try_question(property);
                let question = question.map_err(|mut problems| self.failure(Box::new(problems.swap_remove(0))))?;
                Asserted::Satisfies(self.prioritized(*process, priority)?, Box::new(question))
            }
            Property::Error => Asserted::Unsupported("the assertion is damaged".to_owned()),
        })
    }

    fn asserted_process(&mut self, index: usize) -> Result<State, Failure> {
        let (_, process) = processes(&self.assertion(index).property);
        let process = process.expect("only what was decided is looked at");
        self.process(process).map(state)
    }

    fn added_process(&mut self) -> Result<State, Failure> {
        let (process, _) = self.script.print_expressions().pop().expect("the script was opened with a process");
        self.process(process).map(state)
    }

    fn print(&mut self, number: usize) -> Result<String, Box<Diagnostic>> {
        let (expr, _) = self.script.print_expressions()[number];
        let value = self.evaluator.value(&mut self.terms, expr)?;
        self.evaluator.show(&mut self.terms, &value)
    }

    fn steps(&mut self, at: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        self.is_up_to_date()?;
        match self.table.steps(&mut self.terms, &mut self.evaluator, term(at)) {
            Ok(found) => {
                steps.extend(found.iter().map(|step| Step { label: step.label, target: state(step.target) }));
                Ok(())
            }
            Err(error) => Err(self.failed_step(&error)),
        }
    }

    fn is_same(&mut self, left: State, right: State) -> bool {
        self.interpreter().is_same(term(left), term(right))
    }
}

impl Data for CspmSemantics<'_> {}
impl Timed for CspmSemantics<'_> {}
impl Families for CspmSemantics<'_> {}

impl ActiveDomains for CspmSemantics<'_> {
    fn narrow(&mut self, is_decided: bool) -> bool {
        let evaluator = &self.evaluator;
        let is_needed = match evaluator.has_active_domains() {
            true => evaluator.has_grown(),
            // Formulas tell values from each other that occur nowhere else.
            false => evaluator.wants_active_domains() && !is_decided && !self.is_about_formula,
        };
        if is_needed {
            let occurring = self.evaluator.take_occurring();
            self.begin_anew();
            self.evaluator.use_active_domains(occurring);
        }
        is_needed
    }

    fn widen(&mut self) -> bool {
        let is_narrow = self.evaluator.has_active_domains();
        if is_narrow {
            self.begin_anew();
        }
        is_narrow
    }
}

impl Compile for CspmSemantics<'_> {
    fn network(
        &mut self,
        process: State,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        let network = self.make_network(term(process), preserves, limits, progress)?;
        self.is_up_to_date().map(|()| network)
    }

    fn grow(
        &mut self,
        lowered: LoweredId,
        preserves: Preserves,
        occupied: &[Occupied],
        progress: &dyn Progress,
    ) -> Result<bool, Failure> {
        let has_grown = self.grow_network(lowered, preserves, occupied, progress)?;
        self.is_up_to_date().map(|()| has_grown)
    }

    fn compressions(&mut self) -> Vec<CompressionReport> {
        self.find_compressions()
    }
}

impl Lift for CspmSemantics<'_> {
    fn lift(
        &mut self,
        lowered: LoweredId,
        steps: &[(Label, Configuration)],
        end: Observation,
        max_states: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NoRun> {
        self.lift_run(lowered, steps, end, max_states, progress)
    }

    fn state_of(&mut self, lowered: LoweredId, configuration: &Configuration) -> Option<State> {
        let compiled = self.networks.get(lowered).clone();
        compiled.term(&mut self.terms, configuration).map(state)
    }

    fn machine(&mut self, lowered: LoweredId, machine: MachineId) -> Option<Component> {
        let term = self.networks.get(lowered).machine_term(machine)?;
        Some(self.component(process::Component { path: Vec::new(), term, calls: Vec::new() }))
    }

    fn action_label(&mut self, lowered: LoweredId, action: Action) -> Label {
        self.networks.get(lowered).action_label(action)
    }
}

impl Narrate for CspmSemantics<'_> {
    fn text(&mut self, at: State, longest: usize) -> String {
        self.evaluator.term_text(&mut self.terms, term(at), longest)
    }

    fn components(&mut self, at: State, most: usize) -> Vec<Component> {
        let found = self.table.components(&self.terms, term(at), most);
        found.into_iter().map(|component| self.component(component)).collect()
    }

    fn operators(&mut self, at: State, most: usize) -> Vec<frontend::Operator> {
        self.find_operators(at, most)
    }

    fn component_at(&mut self, at: State, path: &[u32]) -> Option<Component> {
        let found = self.table.component_at(&self.terms, term(at), path)?;
        Some(self.component(found))
    }

    fn participants(&mut self, at: State, step: usize, most: usize) -> Vec<Participant> {
        let shares = self.table.shares(&self.terms, term(at), step, most);
        let participant = |share: process::Share| Participant {
            path: share.path,
            label: share.label,
            process: share.calls.last().map(|&call| self.call_name(call)),
            place: share.calls.last().map(|&call| self.evaluator.call_span(call)),
            written: self.evaluator.prefix_spans(share.term),
        };
        shares.into_iter().map(participant).collect()
    }

    fn waiting(&mut self, at: State) -> Vec<Waiting> {
        self.find_waiting(at)
    }

    fn is_followed(&mut self, at: State, step: usize) -> bool {
        self.is_chased(at, step)
    }

    fn fold_events(&mut self, labels: &[Label]) -> Option<Vec<String>> {
        self.folded(labels)
    }

    /// Signs of an infinite process: a definition that was called with ever new arguments, operators that pile up.
    fn growth(&mut self) -> Option<String> {
        growth::arguments(&mut self.evaluator, &self.terms, self.n_terms_before)
            .or_else(|| growth::operators(&self.terms, self.n_terms_before))
    }
}

impl Participation for CspmSemantics<'_> {
    fn takers(&mut self, at: State, step: usize) -> Result<Vec<Vec<u32>>, Failure> {
        let steps = self.table.steps(&mut self.terms, &mut self.evaluator, term(at));
        let Some(team) = steps.ok().and_then(|steps| steps.get(step)).map(|step| step.team) else {
            return Ok(Vec::new());
        };
        let too_many = || Failure::Beyond("too many components take a step at once to be told apart".to_owned());
        self.table.teams().paths(team).ok_or_else(too_many)
    }
}

impl Formulas for CspmSemantics<'_> {
    fn lower_formula(
        &mut self,
        question: &Question,
        occurring: &Occurring,
        _states: &[State],
    ) -> formula::Answer<formula::Lowered> {
        let expressions = self.expressions_of(question);
        let resolved = &self.script.resolved;
        let mut vocabulary =
            CspmVocabulary::new(occurring, &expressions, &mut self.evaluator, &mut self.terms, resolved);
        question.lower(&mut vocabulary)
    }

    fn absent_events(&mut self, question: &Question, occurring: &Occurring) -> Vec<String> {
        let expressions = self.expressions_of(question);
        let resolved = &self.script.resolved;
        let mut vocabulary =
            CspmVocabulary::new(occurring, &expressions, &mut self.evaluator, &mut self.terms, resolved);
        question.absent(&mut vocabulary)
    }
}
