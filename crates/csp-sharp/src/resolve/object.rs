//! Sequential objects, and their linearizable specifications.
//!
//! Linearizability (M. Herlihy and J. Wing, 1990) is decided as trace refinement of a specification process. Each
//! thread repeats a call, one silent step in which the operation takes effect atomically, and a response (an "answer")
//! with its result. The result is kept in a variable that no script can name. For a visible linearization point the
//! silent step is followed immediately by its event, because the result is not known before.
//! `docs/semantics/linearizability.md` gives the proof.

use super::scope::{Scope, SlotKind};
use super::{Linearizable, Points, Resolver};
use crate::errors;
use crate::syntax::{
    self, Action, Declaration, Event, ExprKind, Name, ObjectDefinition, OperationDefinition, Operator, Point,
};
use csp_sharp_runtime::code::{
    AttachedCode, BinderValues, Definition, DefinitionId, EventName, EventRef, Expr, ExprId, Field, Place, Program,
    ProgramId, SequentialObject, SequentialOperation, Shape, Slot, Statement, Term, TermId, Type, Variable, VariableId,
};
use source::Span;
use std::sync::Arc;

/// The specification of an object under construction.
struct SpecificationContext<'o> {
    definition: &'o ObjectDefinition,
    points: &'o [Point],
    n_threads: usize,
    /// The parameter that holds the position of a thread among all.
    place: (Slot, Name),
    /// The recursive call of the process of a thread.
    restart: TermId,
}

/// The program of an outcome, and the variable of its result.
struct Effect {
    code: AttachedCode,
    result: Option<VariableId>,
}

impl Resolver<'_> {
    /// Constructs the specification of an object.
    pub(super) fn define_object(&mut self, definition: &ObjectDefinition) {
        let mut operations = Vec::new();
        let mut has_results = Vec::new();
        let explanation = self.build_specification(definition, &[], &mut has_results);
        for (operation, has_result) in definition.operations.iter().zip(has_results) {
            self.check_events(definition, operation);
            let call = self.shape(definition, operation, &operation.call);
            let answer = self.shape(definition, operation, &operation.answer);
            operations.push(SequentialOperation { call, answer, has_result });
        }
        let shown = self.shown(definition, &[]);
        let name = definition.name.text.clone();
        self.code().objects.push(SequentialObject { name, operations, explanation, shown });
    }

    /// The names of the visible events of an object.
    fn shown(&mut self, definition: &ObjectDefinition, points: &[Point]) -> Arc<[EventName]> {
        let events = definition.operations.iter().flat_map(|operation| [&operation.call, &operation.answer]);
        let names = events.chain(points.iter().map(|point| &point.event)).filter_map(|event| event.name.as_ref());
        let mut shown: Vec<EventName> = names.map(|name| self.out.code.event_name(&name.text)).collect();
        shown.sort_unstable();
        shown.dedup();
        shown.into()
    }

    /// Checks that calls and responses identify the thread, and have different names.
    fn check_events(&mut self, definition: &ObjectDefinition, operation: &OperationDefinition) {
        let thread = &definition.thread.name;
        for (event, what) in [(&operation.call, "call"), (&operation.answer, "answer")] {
            if !event.fields.iter().any(|field| is_name(field, thread)) {
                self.report(errors::object_thread(what, &thread.text, event.span, thread.span));
            }
        }
        let others = definition.operations.iter();
        if let Some(other) = others.map(|other| &other.call).find(|call| same_name(call, &operation.answer)) {
            self.report(errors::object_event("a call and an answer", operation.answer.span, other.span));
        }
    }

    fn shape(&mut self, object: &ObjectDefinition, operation: &OperationDefinition, event: &Event) -> Shape {
        let fields = event.fields.iter().map(|field| match &field.kind {
            ExprKind::Name(name) if name.text == object.thread.name.text => Field::Thread,
            ExprKind::Name(name) if operation.arguments.iter().any(|argument| argument.name.text == name.text) => {
                Field::Argument
            }
            // Errors were reported when the specification was constructed.
            _ => match self.without_diagnostics(|this| this.expr(field, &mut Scope::default())) {
                Some(value) => match self.out.code.exprs.get(value) {
                    Expr::Int(value) => Field::Fixed(value.to_string()),
                    Expr::Bool(value) => Field::Fixed(value.to_string()),
                    _ => Field::Other,
                },
                None => Field::Other,
            },
        });
        let fields = fields.collect();
        Shape { name: event.name.as_ref().map_or_else(|| "".into(), |name| name.text.clone()), fields }
    }

    /// Discards the diagnostics of a lookup; `None` if there are any.
    fn without_diagnostics<T>(&mut self, find: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let n_before = self.diagnostics.len();
        let found = find(self);
        let is_right = self.diagnostics.len() == n_before;
        self.diagnostics.truncate(n_before);
        is_right.then_some(found)
    }

    /// The interleaving of the threads of an object. `has_results` receives, for each operation, whether it has a
    /// result.
    fn build_specification(
        &mut self,
        definition: &ObjectDefinition,
        points: &[Point],
        has_results: &mut Vec<bool>,
    ) -> TermId {
        let span = definition.name.span;
        let mut scope = Scope::default();
        let mut threads = self.fixed_values(&definition.thread, &mut scope, span).unwrap_or_default();
        threads.sort_unstable();
        threads.dedup();
        let id = DefinitionId(self.out.code.definitions.len() as u32);
        let body = self.term(Term::Stop, span);
        let name = definition.name.text.clone();
        self.code().definitions.push(Definition {
            name,
            span,
            n_parameters: 2,
            body,
            alphabet: None,
            is_any_number: false,
        });
        let thread = self.bind(&mut scope, &definition.thread.name, SlotKind::Parameter);
        let place_name = Name { text: "".into(), span };
        let place = self.bind(&mut scope, &place_name, SlotKind::Parameter);
        let parameters = [thread, place].map(|slot| self.add_expr(Expr::Parameter(slot), span, Type::Number));
        let restart = self.term(Term::Call(id, parameters.into()), span);
        let context =
            SpecificationContext { definition, points, n_threads: threads.len(), place: (place, place_name), restart };
        let mut operations = Vec::new();
        for operation in &definition.operations {
            let (term, has_result) = self.operation_process(&context, operation, &mut scope);
            operations.push(term);
            has_results.push(has_result);
        }
        let body = self.choice(operations, span);
        self.code().definitions[id.0 as usize].body = body;
        let mut members = Vec::new();
        for (place, thread) in threads.into_iter().enumerate() {
            let arguments = [thread, place as i32].map(|value| self.out.code.exprs.int(value));
            members.push(self.term(Term::Call(id, arguments.into()), span));
        }
        match members[..] {
            [] => self.term(Term::Stop, span),
            [one] => one,
            _ => self.term(Term::Interleave(members.into()), span),
        }
    }

    fn choice(&mut self, mut all: Vec<TermId>, span: Span) -> TermId {
        match all.len() {
            1 => all.remove(0),
            _ => self.term(Term::Choice(all.into()), span),
        }
    }

    /// The process of an operation from its call on, and whether it has a result.
    fn operation_process(
        &mut self,
        context: &SpecificationContext<'_>,
        operation: &OperationDefinition,
        scope: &mut Scope,
    ) -> (TermId, bool) {
        let span = operation.call.span;
        let mark = scope.mark();
        let binders = self.binders(&operation.arguments, scope);
        for (binder, written) in binders.iter().zip(&operation.arguments) {
            let bounds = match &binder.values {
                BinderValues::Range(low, high) => vec![*low, *high],
                BinderValues::List(all) => all.to_vec(),
            };
            if !bounds.iter().all(|&bound| self.out.code.exprs.is_static(bound)) {
                self.report(errors::not_constant(written.name.span, "the values of an argument"));
            }
        }
        let mut outcomes = Vec::new();
        let mut has_result = None;
        for outcome in &operation.outcomes {
            let guard = outcome.guard.as_ref().map(|guard| self.condition(guard, scope));
            let effect = self.effect_of(context, outcome, scope);
            if *has_result.get_or_insert(effect.result.is_some()) != effect.result.is_some() {
                self.report(errors::object_result(outcome.span, operation.outcomes[0].span));
            }
            let mut term = self.outcome_process(context, operation, effect, scope);
            if let Some(guard) = guard {
                term = self.term(Term::Guard(guard, term), outcome.span);
            }
            outcomes.push(term);
        }
        let outcomes = self.choice(outcomes, span);
        let mut term = outcomes;
        if let Some(call) = self.event(&operation.call, scope) {
            term = self.term(Term::Event(call, None, outcomes), span);
        }
        if !binders.is_empty() {
            term = self.term(Term::Indexed(Operator::Choice, binders, term), span);
        }
        scope.reset(mark);
        (term, has_result.unwrap_or(false))
    }

    /// The program of an outcome, which stores the result.
    fn effect_of(
        &mut self,
        context: &SpecificationContext<'_>,
        outcome: &syntax::Outcome,
        scope: &mut Scope,
    ) -> Effect {
        let mut result = None;
        let span = outcome.span;
        let text = format!("{} {}", context.definition.name.text, span.start);
        let code = self.attach(span, scope, text, |this, scope| {
            let mut statements = Vec::new();
            let value = match &outcome.action {
                Action::Program(block) => this.valued_block(block, scope, &mut statements),
                Action::Value(expr) => this.valued(expr, scope, &mut statements),
            };
            if let Some(value) = value {
                let variable = this.result_variable(context, this.out.code.exprs.ty(value));
                let (place, name) = &context.place;
                let place = this.add_expr(Expr::Parameter(*place), span, Type::Number);
                let local = scope.capture(place, name.text.clone()).expect("this is a program");
                let index = this.add_expr(Expr::Local(local), span, Type::Number);
                statements.push(Statement::Assign(Place::Element(variable, vec![index]), value, span));
                result = Some(variable);
            }
            statements
        });
        Effect { code, result }
    }

    /// The variable that stores results of an object. Truth values and numbers have different variables.
    fn result_variable(&mut self, context: &SpecificationContext<'_>, ty: Type) -> VariableId {
        let ty = if ty == Type::Boolean { Type::Boolean } else { Type::Number };
        let kind = if ty == Type::Boolean { "truth" } else { "result" };
        let name: Arc<str> = format!("{}.{kind}", context.definition.name.text).into();
        let code = self.code();
        if let Some(known) = code.variables.iter().position(|variable| variable.name == name) {
            return VariableId(known as u32);
        }
        let (offset, n_threads) = (code.n_cells, context.n_threads);
        code.n_cells += n_threads;
        code.initial.extend(std::iter::repeat_n(0, n_threads));
        let span = context.definition.name.span;
        code.variables.push(Variable { name, span, offset, dims: vec![n_threads], range: None, hidden: false, ty });
        VariableId(code.variables.len() as u32 - 1)
    }

    /// The process of an outcome: its effect, its visible linearization point if one is given, and its response.
    fn outcome_process(
        &mut self,
        context: &SpecificationContext<'_>,
        operation: &OperationDefinition,
        effect: Effect,
        scope: &mut Scope,
    ) -> TermId {
        let span = operation.answer.span;
        let result = effect.result.map(|variable| {
            let place = self.add_expr(Expr::Parameter(context.place.0), span, Type::Number);
            let ty = self.out.code.variables[variable.0 as usize].ty;
            self.add_expr(Expr::Element(variable, [place].into()), span, ty)
        });
        let Some(EventRef { name, fields }) = self.event(&operation.answer, scope) else { return context.restart };
        let fields = fields.iter().copied().chain(result).collect();
        let reset_result = effect.result.map(|variable| self.reset_result(context, variable));
        let answer = self.term(Term::Event(EventRef { name, fields }, reset_result, context.restart), span);
        let mut points = Vec::new();
        for point in context.points {
            if self.is_answer(&point.answer, operation, scope) {
                points.extend(self.point(point, result, scope));
            }
        }
        if points.is_empty() {
            return self.term(Term::Silent(Some(effect.code), answer), span);
        }
        // The first step must not be atomic: an atomic one would have priority over all others once enabled.
        let seen = self.choice(points, span);
        let effect_step = self.term(Term::Silent(Some(effect.code), seen), span);
        let atomic = self.term(Term::Atomic(effect_step), span);
        let answered = self.term(Term::Sequence(atomic, answer), span);
        self.term(Term::Silent(None, answered), span)
    }

    /// Resets the variable of a result.
    fn reset_result(&mut self, context: &SpecificationContext<'_>, variable: VariableId) -> AttachedCode {
        let (place, span) = (context.place.0, context.definition.name.span);
        let index = self.add_expr(Expr::Local(0), span, Type::Number);
        let zero = self.out.code.exprs.int(0);
        let statements = vec![Statement::Assign(Place::Element(variable, vec![index]), zero, span)];
        let argument = self.add_expr(Expr::Parameter(place), span, Type::Number);
        let next = ProgramId(self.out.code.programs.len() as u32);
        let text = format!("{} forgets {}", context.definition.name.text, variable.0);
        let program = *self.programs.entry((text, Vec::new())).or_insert(next);
        if program == next {
            self.code().programs.push(Program { statements, n_locals: 1, inputs: vec![0], span });
        }
        AttachedCode { program, arguments: [argument].into() }
    }

    /// Whether an event is the response of an operation, by its name and by the given fields.
    fn is_answer(&mut self, event: &Event, operation: &OperationDefinition, scope: &mut Scope) -> bool {
        if !same_name(event, &operation.answer) || event.fields.is_empty() {
            return same_name(event, &operation.answer);
        }
        let (given, wanted) = (self.event(event, scope), self.event(&operation.answer, scope));
        given == wanted
    }

    /// The event of a linearization point. An undeclared name in its fields denotes the result.
    fn point(&mut self, point: &Point, result: Option<ExprId>, scope: &mut Scope) -> Option<TermId> {
        let mark = scope.mark();
        for field in &point.event.fields {
            if let (ExprKind::Name(name), Some(result)) = (&field.kind, result)
                && scope.get(&name.text).is_none()
                && !self.globals.contains_key(&name.text)
            {
                scope.bind_value(name, result);
            }
        }
        let event = self.event(&point.event, scope);
        scope.reset(mark);
        let end = self.term(Term::Skip, point.event.span);
        Some(self.term(Term::Event(event?, None, end), point.event.span))
    }

    /// Resolves an assertion of linearizability.
    pub(super) fn linearizable(
        &mut self,
        name: &Name,
        points: &[Point],
        process: (&Name, TermId),
        declarations: &[Declaration],
    ) -> Option<Linearizable> {
        let declared = self.declared(name);
        let object = match self.global(name) {
            Some(super::Global::Sequential(number)) => number,
            Some(other) => {
                let kind = other.kind().text();
                self.report(errors::wrong_kind(&name.text, kind, "an object", name.span, declared));
                return None;
            }
            None => {
                self.unknown("object", name, &Scope::default());
                return None;
            }
        };
        let definition = self.objects[object];
        self.check_sharing(definition, process, declarations);
        for point in points {
            self.check_point(definition, point);
        }
        let points = (!points.is_empty()).then(|| Points {
            explanation: self.build_specification(definition, points, &mut Vec::new()),
            shown: self.shown(definition, points),
        });
        Some(Linearizable { object, object_span: name.span, points })
    }

    fn check_point(&mut self, definition: &ObjectDefinition, point: &Point) {
        let operations = &definition.operations;
        if !operations.iter().any(|operation| same_name(&operation.answer, &point.answer)) {
            let answers = operations.iter().filter_map(|operation| operation.answer.name.as_ref());
            let known: Vec<&str> = answers.map(|name| &*name.text).collect();
            self.report(errors::object_answer(point.answer.span, &definition.name.text, &known));
        }
        let events = operations.iter().flat_map(|operation| [&operation.call, &operation.answer]);
        if let Some(event) = events.into_iter().find(|event| same_name(event, &point.event)) {
            self.report(errors::object_event("a step and a call or an answer", point.event.span, event.span));
        }
    }
}

fn same_name(left: &Event, right: &Event) -> bool {
    let text = |event: &Event| event.name.as_ref().map(|name| name.text.clone());
    text(left) == text(right)
}

fn is_name(field: &syntax::Expr, wanted: &Name) -> bool {
    matches!(&field.kind, ExprKind::Name(name) if name.text == wanted.text)
}
