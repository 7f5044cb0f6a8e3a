//! Programs.

use super::scope::{Binding, Frame, Scope};
use super::{Global, Resolver};
use crate::errors;
use crate::syntax::{self, Block, ExprKind, MacroBody, Name, RecordItem};
use csp_sharp_runtime::code::{
    AttachedCode, Class, DynamicId, Expr, ExprId, Object, Operation, Place, Program, ProgramId, Statement, VariableId,
};
use limits::input::csp_sharp::MAX_STATEMENTS;
use source::Span;
use std::sync::Arc;

/// The operation of an update method, with its number of arguments.
pub(super) fn operation(class: Class, method: &str) -> Option<(Operation, usize)> {
    Some(match (class, method) {
        (Class::Set | Class::List, "Add") => (Operation::Add, 1),
        (Class::Set | Class::List | Class::HashTable, "Remove") => (Operation::Remove, 1),
        (Class::List, "RemoveAt") => (Operation::RemoveAt, 1),
        (Class::Stack, "Push") => (Operation::Push, 1),
        (Class::Stack, "Pop") => (Operation::Pop, 0),
        (Class::Queue, "Enqueue") => (Operation::Enqueue, 1),
        (Class::Queue, "Dequeue") => (Operation::Dequeue, 0),
        (Class::HashTable, "Add") => (Operation::Put, 2),
        (Class::DifferenceBounds, "AddTimer") => (Operation::AddTimer, 1),
        (Class::DifferenceBounds, "ResetTimer") => (Operation::ResetTimer, 1),
        (Class::DifferenceBounds, "AddConstraint") => (Operation::Constrain, 3),
        (Class::DifferenceBounds, "Delay") => (Operation::Delay, 0),
        (Class::DifferenceBounds, "IsConstraintNotSatisfied") => (Operation::Unsatisfiable, 0),
        (Class::DifferenceBounds, "Clone") => (Operation::Clone, 0),
        (Class::DifferenceBounds, _) => return None,
        (_, "Clear") => (Operation::Clear, 0),
        _ => return None,
    })
}

impl Resolver<'_> {
    /// A program at an event, with its captures from the surrounding definition.
    pub(super) fn attached(&mut self, block: &Block, scope: &mut Scope, text: String) -> AttachedCode {
        self.attach(block.span, scope, text, |this, scope| this.block(block, scope))
    }

    /// Adds a program inside of a definition. Programs with equal text are shared.
    pub(super) fn attach(
        &mut self,
        span: Span,
        scope: &mut Scope,
        text: String,
        find: impl FnOnce(&mut Self, &mut Scope) -> Vec<Statement>,
    ) -> AttachedCode {
        scope.frame = Some(Frame::default());
        let mark = scope.mark();
        let mut statements = find(self, scope);
        scope.reset(mark);
        let Frame { captured, n_locals, arrays } = scope.frame.take().expect("it was put there");
        statements.extend(arrays.into_iter().map(|array| self.cleared(array, span)));
        let arguments: Vec<ExprId> = captured.iter().map(|(value, ..)| *value).collect();
        let names: Vec<Arc<str>> = captured.iter().map(|(_, name, _)| name.clone()).collect();
        let inputs: Vec<u32> = captured.iter().map(|(_, _, local)| *local).collect();
        let next = ProgramId(self.out.code.programs.len() as u32);
        let program = *self.programs.entry((text, names)).or_insert(next);
        if program == next {
            let program = Program { statements, n_locals: n_locals as usize, inputs, span };
            self.code().programs.push(program);
        }
        AttachedCode { program, arguments: arguments.into() }
    }

    fn block(&mut self, block: &Block, scope: &mut Scope) -> Vec<Statement> {
        let mark = scope.mark();
        let mut all = Vec::new();
        for statement in &block.statements {
            self.statement(statement, scope, &mut all);
        }
        scope.reset(mark);
        all
    }

    fn inner(&mut self, statement: &syntax::Statement, scope: &mut Scope) -> Vec<Statement> {
        let mark = scope.mark();
        let mut all = Vec::new();
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.statement(statement, scope, &mut all));
        scope.reset(mark);
        all
    }

    fn statement(&mut self, statement: &syntax::Statement, scope: &mut Scope, all: &mut Vec<Statement>) {
        match statement {
            syntax::Statement::Empty => {}
            syntax::Statement::Block(block) => all.extend(self.block(block, scope)),
            syntax::Statement::If(condition, then, otherwise) => {
                let condition = self.condition(condition, scope);
                let then = self.inner(then, scope);
                let otherwise = otherwise.as_ref().map_or(Vec::new(), |otherwise| self.inner(otherwise, scope));
                all.push(Statement::If(condition, then, otherwise));
            }
            syntax::Statement::While(condition, body) => {
                let span = condition.span;
                let condition = self.condition(condition, scope);
                let body = self.inner(body, scope);
                all.push(Statement::While(condition, body, span));
            }
            syntax::Statement::Local { name, dims, value } if !dims.is_empty() || is_record(value.as_ref()) => {
                self.local_array(name, dims, value.as_ref(), scope, all);
            }
            syntax::Statement::Local { name, value, .. } => {
                let span = value.as_ref().map_or(name.span, |value| value.span);
                let value = match value {
                    Some(value) => self.expr(value, scope),
                    None => self.out.code.exprs.int(0),
                };
                let ty = self.out.code.exprs.ty(value);
                let local = scope.bind_local(name, ty);
                all.push(Statement::Assign(Place::Local(local), value, span));
            }
            syntax::Statement::Expression(expr) => self.effect(expr, scope, all),
        }
    }

    /// A local array of a program: a variable that is initialized here, and reset to zeros at the end.
    fn local_array(
        &mut self,
        name: &Name,
        dims: &[syntax::Expr],
        value: Option<&syntax::Expr>,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) {
        let dims: Vec<usize> = match (dims, value.map(|value| &value.kind)) {
            ([], Some(ExprKind::Record(items))) => vec![self.n_values(items)],
            _ => dims.iter().map(|dim| self.size(dim, "the size of an array")).collect(),
        };
        let Some(array) = self.add_array(name, dims) else { return };
        all.push(self.cleared(array, name.span));
        if let Some(value) = value {
            self.assign_array(array, value, value.span, scope, all);
        }
        scope.bind_array(name, array);
    }

    /// The number of values of a record.
    fn n_values(&mut self, items: &[RecordItem]) -> usize {
        let mut n_values = |item: &RecordItem| match item {
            RecordItem::One(_) => 1,
            RecordItem::Repeated(_, count) => self.size(count, "a number of values"),
            RecordItem::Range(first, last) => {
                let (first, last) = (self.constant(first, "a bound").0, self.constant(last, "a bound").0);
                first.abs_diff(last) as usize + 1
            }
        };
        items.iter().fold(0, |sum: usize, item| sum.saturating_add(n_values(item)))
    }

    /// A statement that fills an array with zeros.
    fn cleared(&mut self, array: VariableId, span: Span) -> Statement {
        let n_cells = self.out.code.variables[array.0 as usize].n_cells();
        let zero = self.out.code.exprs.int(0);
        Statement::Fill(array, vec![zero; n_cells], span)
    }

    /// An expression as a statement.
    fn effect(&mut self, expr: &syntax::Expr, scope: &mut Scope, all: &mut Vec<Statement>) {
        match &expr.kind {
            ExprKind::Assign(target, value) => self.assign(target, value, expr.span, scope, all),
            ExprKind::Name(name) if scope.get(&name.text).is_none() && self.is_block(name) => {
                self.global(name);
                self.expand_block(name, &[], scope, all);
            }
            ExprKind::Call(name, arguments) if self.is_block(name) => {
                self.global(name);
                let arguments: Vec<ExprId> = arguments.iter().map(|argument| self.expr(argument, scope)).collect();
                self.expand_block(name, &arguments, scope, all);
            }
            ExprKind::Method(object, method, arguments) => {
                let is_change = |(_, class): (_, Class)| operation(class, &method.text).is_some();
                let known = self.globals.get(&object.text).and_then(|(global, _)| match global {
                    Global::Object(id, class) => Some((*id, *class)),
                    _ => None,
                });
                if known.is_some_and(is_change) {
                    self.change(object, method, arguments, None, expr.span, scope, all);
                } else if self.subset(expr, scope, all).is_none() {
                    let value = self.expr(expr, scope);
                    all.push(Statement::Evaluate(value));
                }
            }
            _ => {
                let value = self.expr(expr, scope);
                all.push(Statement::Evaluate(value));
            }
        }
    }

    fn is_block(&self, name: &Name) -> bool {
        match self.globals.get(&name.text) {
            Some((Global::Macro(number), _)) => matches!(self.macros[*number].body, MacroBody::Block(_)),
            _ => false,
        }
    }

    fn expand_block(&mut self, name: &Name, arguments: &[ExprId], scope: &mut Scope, all: &mut Vec<Statement>) {
        let expanded = self.in_macro(name, arguments, scope, |this, body, scope| this.block(body, scope));
        all.extend(expanded.unwrap_or_default());
    }

    /// Whether one more expansion is allowed in the outermost macro; reports the first that exceeds the limit.
    fn may_expand_block(&mut self, name: &Name) -> bool {
        if self.open_macros.numbers.is_empty() {
            self.open_macros.n_nested = 0;
        }
        self.open_macros.n_nested += 1;
        if self.open_macros.n_nested == MAX_STATEMENTS + 1 {
            self.report(errors::too_large(name.span, "the program that this macro stands for"));
        }
        self.open_macros.n_nested <= MAX_STATEMENTS
    }

    /// Resolves the program of a macro with its parameters bound.
    fn in_macro<T>(
        &mut self,
        name: &Name,
        arguments: &[ExprId],
        scope: &mut Scope,
        look: impl FnOnce(&mut Self, &Block, &mut Scope) -> T,
    ) -> Option<T> {
        let Some((Global::Macro(number), declared)) = self.globals.get(&name.text).cloned() else { return None };
        let (parameters, body) = (self.macros[number].parameters, self.macros[number].body);
        let MacroBody::Block(body) = body else { return None };
        if self.open_macros.numbers.contains(&number) {
            self.open_macros.n_recursive += 1;
            self.report(errors::recursive_macro(&name.text, name.span));
            return None;
        }
        if parameters.len() != arguments.len() {
            self.report(errors::arity("macro", &name.text, parameters.len(), arguments.len(), name.span, declared));
            return None;
        }
        if !self.may_expand_block(name) {
            return None;
        }
        let outer = scope.hide_names();
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            scope.bind_value(parameter, argument);
        }
        self.open_macros.numbers.insert(number);
        let found = stacker::maybe_grow(128 * 1024, 1024 * 1024, || look(self, body, scope));
        self.open_macros.numbers.remove(&number);
        scope.restore(outer);
        Some(found)
    }

    /// The statements of a program, with the value of the last one, if it has one.
    pub(super) fn valued_block(
        &mut self,
        block: &Block,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) -> Option<ExprId> {
        let mark = scope.mark();
        let (last, first) = block.statements.split_last()?;
        for statement in first {
            self.statement(statement, scope, all);
        }
        let value = match last {
            syntax::Statement::Expression(expr) => self.valued(expr, scope, all),
            other => {
                self.statement(other, scope, all);
                None
            }
        };
        scope.reset(mark);
        value
    }

    /// An expression as a statement, with its value, if it has one.
    pub(super) fn valued(
        &mut self,
        expr: &syntax::Expr,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) -> Option<ExprId> {
        let (name, arguments) = match &expr.kind {
            ExprKind::Name(name) if scope.get(&name.text).is_none() && self.is_block(name) => (name, &[][..]),
            ExprKind::Call(name, arguments) if self.is_block(name) => (name, &arguments[..]),
            ExprKind::Assign(..) | ExprKind::Method(..) => {
                self.effect(expr, scope, all);
                return None;
            }
            _ => return Some(self.expr(expr, scope)),
        };
        self.global(name);
        let arguments: Vec<ExprId> = arguments.iter().map(|argument| self.expr(argument, scope)).collect();
        self.in_macro(name, &arguments, scope, |this, body, scope| this.valued_block(body, scope, all)).flatten()
    }

    fn assign(
        &mut self,
        target: &syntax::Expr,
        value: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) {
        // `x = y = 1` is right-associative.
        if let ExprKind::Assign(inner, last) = &value.kind {
            self.assign(inner, last, value.span, scope, all);
            return self.assign(target, inner, span, scope, all);
        }
        if let ExprKind::Name(name) = &target.kind
            && let Some((Binding::Array(array), declared)) = scope.get(&name.text)
        {
            self.out.uses.push((name.span, declared));
            return self.assign_array(array, value, span, scope, all);
        }
        if let ExprKind::Name(name) = &target.kind
            && scope.get(&name.text).is_none()
        {
            match self.globals.get(&name.text).map(|(global, _)| global.clone()) {
                Some(Global::Object(id, class)) => {
                    self.global(name);
                    if let Some(object) = self.object_value(value, class, scope, all) {
                        all.push(Statement::Replace(id, object, span));
                    }
                    return;
                }
                Some(Global::Variable(id)) if !self.out.code.variables[id.0 as usize].dims.is_empty() => {
                    self.global(name);
                    return self.assign_array(id, value, span, scope, all);
                }
                _ => {}
            }
        }
        if let ExprKind::Name(name) = &target.kind
            && let Some((Binding::Slot(_, kind), declared)) = scope.get(&name.text)
        {
            // The error is not fatal: whether the assignment is executed depends on the run.
            self.report(errors::assigned_input(&name.text, kind.text(), target.span, declared));
            let value = self.expr(value, scope);
            all.push(Statement::Evaluate(value));
            all.push(Statement::Forbidden(name.text.clone(), kind.text(), span));
            return;
        }
        let Some(place) = self.place(target, scope) else { return };
        if let ExprKind::Method(object, method, arguments) = &value.kind
            && let Some((Global::Object(_, class), _)) = self.globals.get(&object.text)
            && operation(*class, &method.text).is_some()
        {
            return self.change(object, method, arguments, Some(place), span, scope, all);
        }
        let value = self.expr(value, scope);
        all.push(Statement::Assign(place, value, span));
    }

    fn assign_array(
        &mut self,
        array: VariableId,
        value: &syntax::Expr,
        span: Span,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) {
        let wanted = self.out.code.variables[array.0 as usize].n_cells();
        match &value.kind {
            ExprKind::Record(items) => {
                let mut values = Vec::new();
                for item in items {
                    match item {
                        RecordItem::One(one) => values.push(self.expr(one, scope)),
                        RecordItem::Repeated(one, count) => {
                            let one = self.expr(one, scope);
                            let (count, _) = self.constant(count, "a number of values");
                            let count = usize::try_from(count).unwrap_or(0).min(wanted + 1);
                            values.extend(std::iter::repeat_n(one, count));
                        }
                        RecordItem::Range(first, last) => {
                            let (first, _) = self.constant(first, "a bound");
                            let (last, _) = self.constant(last, "a bound");
                            let all: Vec<i32> = match first <= last {
                                true => (first..=last).take(wanted + 1).collect(),
                                false => (last..=first).rev().take(wanted + 1).collect(),
                            };
                            values.extend(all.into_iter().map(|value| self.out.code.exprs.int(value)));
                        }
                    }
                }
                if values.len() != wanted {
                    let name = self.out.code.variables[array.0 as usize].written().to_owned();
                    self.report(errors::too_few_values(&name, wanted, values.len(), value.span));
                    return;
                }
                all.push(Statement::Fill(array, values, span));
            }
            ExprKind::Name(name) if scope.get(&name.text).is_none() => match self.global(name) {
                Some(Global::Variable(from)) if self.out.code.variables[from.0 as usize].n_cells() == wanted => {
                    all.push(self.copied(array, from, span));
                }
                Some(Global::Variable(_) | Global::Constant(..)) => self.report_size(array, name),
                _ => self.report(errors::whole_array(&name.text, value.span)),
            },
            _ => {
                let name = self.out.code.variables[array.0 as usize].written().to_owned();
                self.report(errors::whole_array(&name, span));
            }
        }
    }

    /// Reports that the sizes of an array and of a value assigned to it differ.
    fn report_size(&mut self, array: VariableId, name: &Name) {
        let variables = &self.out.code.variables;
        let (to, wanted) = (variables[array.0 as usize].written(), variables[array.0 as usize].n_cells());
        let size = match self.globals.get(&name.text) {
            Some((Global::Variable(from), _)) => Some(&variables[from.0 as usize]),
            _ => None,
        };
        let problem = match size.filter(|from| !from.dims.is_empty()) {
            Some(from) => {
                errors::array_sizes((to, wanted), (&name.text, from.n_cells()), name.span, self.declared(name))
            }
            None => errors::value_for_array(to, wanted, &name.text, name.span),
        };
        self.report(problem);
    }

    /// A statement that copies an array; elementwise if the values must be checked against a range.
    fn copied(&mut self, to: VariableId, from: VariableId, span: Span) -> Statement {
        if self.out.code.variables[to.0 as usize].range.is_none() {
            return Statement::CopyArray(to, from);
        }
        let dims = self.out.code.variables[from.0 as usize].dims.clone();
        let n_cells: usize = dims.iter().product();
        let mut values = Vec::with_capacity(n_cells);
        for cell in 0..n_cells {
            let mut rest = cell;
            let mut indices: Vec<ExprId> = Vec::with_capacity(dims.len());
            for &dim in dims.iter().rev() {
                indices.push(self.out.code.exprs.int((rest % dim) as i32));
                rest /= dim;
            }
            indices.reverse();
            let ty = self.out.code.variables[from.0 as usize].ty;
            values.push(self.out.code.exprs.add(Expr::Element(from, indices.into()), span, ty));
        }
        Statement::Fill(to, values, span)
    }

    fn place(&mut self, target: &syntax::Expr, scope: &mut Scope) -> Option<Place> {
        match &target.kind {
            ExprKind::Name(name) => match scope.get(&name.text) {
                Some((Binding::Local(local, _), declared)) => {
                    self.out.uses.push((name.span, declared));
                    Some(Place::Local(local))
                }
                Some((Binding::Slot(_, kind), declared)) => {
                    self.report(errors::assigned(&name.text, kind.text(), name.span, declared));
                    None
                }
                Some((Binding::Value(value), _)) => self.place_of(value, target.span),
                Some((Binding::Array(_), _)) => {
                    self.report(errors::whole_array(&name.text, name.span));
                    None
                }
                None => {
                    let declared = self.declared(name);
                    match self.global(name) {
                        Some(Global::Variable(id)) => Some(Place::Variable(id)),
                        Some(other) => {
                            let kind = other.kind().text();
                            self.report(errors::assigned(&name.text, kind, name.span, declared));
                            None
                        }
                        None => {
                            self.unknown("variable", name, scope);
                            None
                        }
                    }
                }
            },
            ExprKind::Index(..) | ExprKind::Field(..) => {
                let element = self.expr(target, scope);
                self.place_of(element, target.span)
            }
            _ => {
                self.report(errors::not_assignable(target.span));
                None
            }
        }
    }

    /// The place that an expression reads, as the target of an assignment.
    fn place_of(&mut self, expr: ExprId, span: Span) -> Option<Place> {
        match self.out.code.exprs.get(expr) {
            Expr::Local(local) => Some(Place::Local(*local)),
            Expr::Variable(id) => Some(Place::Variable(*id)),
            Expr::Element(id, indices) => Some(Place::Element(*id, indices.to_vec())),
            Expr::Opaque => None,
            _ => {
                self.report(errors::not_assignable(span));
                None
            }
        }
    }

    #[allow(clippy::too_many_arguments)] // They are the parts of one statement.
    fn change(
        &mut self,
        object: &Name,
        method: &Name,
        arguments: &[syntax::Expr],
        place: Option<Place>,
        span: Span,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) {
        let Some((id, class)) = self.object(object) else { return };
        let Some((operation, wanted)) = operation(class, &method.text) else { return };
        let arguments: Vec<ExprId> = arguments.iter().map(|argument| self.expr(argument, scope)).collect();
        if arguments.len() != wanted {
            self.report(errors::arity("method", &method.text, wanted, arguments.len(), span, object.span));
            return;
        }
        all.push(Statement::Change(operation, id, arguments, place, span));
    }

    /// The value of an assignment to an object; statements to be executed before it are appended to `all`.
    fn object_value(
        &mut self,
        value: &syntax::Expr,
        class: Class,
        scope: &mut Scope,
        all: &mut Vec<Statement>,
    ) -> Option<Object> {
        match &value.kind {
            ExprKind::New(made, arguments) => match (Class::named(&made.text), &arguments[..]) {
                (None, _) => {
                    self.report(errors::class(&made.text, made.span));
                    None
                }
                (Some(Class::DifferenceBounds), [ceiling]) => Some(Object::Unconstrained(self.expr(ceiling, scope))),
                (Some(Class::DifferenceBounds), _) => {
                    let n_given = arguments.len();
                    self.report(errors::arity("class", &made.text, 1, n_given, value.span, made.span));
                    None
                }
                (Some(_), _) => Some(Object::Empty),
            },
            ExprKind::Name(name) => self.object(name).map(|(id, _)| Object::Copy(id)),
            ExprKind::Method(object, method, arguments) => {
                let (own, _) = self.object(object)?;
                let names: Vec<&Name> = arguments
                    .iter()
                    .filter_map(|argument| match &argument.kind {
                        ExprKind::Name(name) => Some(name),
                        _ => None,
                    })
                    .collect();
                if let Some(subset) = self.subset(value, scope, all) {
                    return Some(Object::Copy(subset));
                }
                if let ("KeepTimers", [timers]) = (&*method.text, &arguments[..]) {
                    let timers = match &timers.kind {
                        ExprKind::Name(name) => self.object(name)?.0,
                        _ => self.subset(timers, scope, all)?,
                    };
                    return Some(Object::Timers(own, timers));
                }
                let combine = match &*method.text {
                    "Union" => Object::Union,
                    "Intersect" => Object::Intersection,
                    "Substract" => Object::Difference,
                    "Concat" => Object::Concatenation,
                    _ => {
                        let known = super::expression::methods(class);
                        self.report(errors::method(class.name(), &method.text, method.span, known));
                        return None;
                    }
                };
                match names[..] {
                    [left, right] if arguments.len() == 2 => {
                        let (left, _) = self.object(left)?;
                        let (right, _) = self.object(right)?;
                        Some(combine(left, right))
                    }
                    [other] if arguments.len() == 1 => {
                        let (other, _) = self.object(other)?;
                        Some(combine(own, other))
                    }
                    _ => {
                        let span = value.span;
                        self.report(errors::arity("method", &method.text, 2, arguments.len(), span, object.span));
                        None
                    }
                }
            }
            _ => {
                self.report(errors::object_value(value.span));
                None
            }
        }
    }

    /// The set on which `GetSubsetByIndex` is called: PAT's method removes the elements whose bits are not set.
    fn subset(&mut self, value: &syntax::Expr, scope: &mut Scope, all: &mut Vec<Statement>) -> Option<DynamicId> {
        let ExprKind::Method(object, method, arguments) = &value.kind else { return None };
        let ("GetSubsetByIndex", [bits]) = (&*method.text, &arguments[..]) else { return None };
        let (set, class) = self.object(object)?;
        if class != Class::Set {
            self.report(errors::method(class.name(), &method.text, method.span, super::expression::methods(class)));
            return None;
        }
        let bits = self.expr(bits, scope);
        all.push(Statement::Replace(set, Object::Subset(set, bits), value.span));
        Some(set)
    }
}

fn is_record(value: Option<&syntax::Expr>) -> bool {
    value.is_some_and(|value| matches!(value.kind, ExprKind::Record(_)))
}
