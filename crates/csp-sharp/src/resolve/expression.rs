//! Expressions.

use super::scope::{Binding, Scope};
use super::{Global, Resolver};
use crate::errors;
use crate::syntax::{self, Binary, ExprKind, MacroBody, Name, RecordItem, Unary, Values};
use csp_sharp_runtime::code::{
    Binder, BinderValues, Class, Expr, ExprId, Exprs, Library, Query, Slot, Type, VariableId, pure,
};
use limits::input::csp_sharp::{MAX_MACRO_NODES, MAX_OPERANDS, MAX_RECURSIVE_MACROS};
use source::Span;
use std::sync::Arc;

impl Resolver<'_> {
    fn exprs(&mut self) -> &mut Exprs {
        &mut self.out.code.exprs
    }

    pub(super) fn add_expr(&mut self, expr: Expr, span: Span, ty: Type) -> ExprId {
        self.exprs().add(expr, span, ty)
    }

    fn damaged(&mut self, span: Span) -> ExprId {
        self.add_expr(Expr::Opaque, span, Type::Unknown)
    }

    /// A condition.
    pub(super) fn condition(&mut self, expr: &syntax::Expr, scope: &mut Scope) -> ExprId {
        let id = self.expr(expr, scope);
        if self.out.code.exprs.ty(id) == Type::Number {
            self.report(errors::not_boolean(expr.span, "a condition"));
        }
        id
    }

    /// A number.
    pub(super) fn number(&mut self, expr: &syntax::Expr, scope: &mut Scope) -> ExprId {
        self.expr(expr, scope)
    }

    /// An expression without side effects.
    pub(super) fn expr(&mut self, expr: &syntax::Expr, scope: &mut Scope) -> ExprId {
        if self.reading.is_stopped() {
            return self.code().exprs.bool(false);
        }
        stacker::maybe_grow(128 * 1024, 1024 * 1024, || self.expr_inside(expr, scope))
    }

    fn expr_inside(&mut self, expr: &syntax::Expr, scope: &mut Scope) -> ExprId {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Error => self.damaged(span),
            ExprKind::Int(value) => self.add_expr(Expr::Int(*value), span, Type::Number),
            ExprKind::Bool(value) => self.add_expr(Expr::Bool(*value), span, Type::Boolean),
            ExprKind::Name(name) => self.name(name, scope),
            ExprKind::Index(name, indices) => self.element(name, indices, scope, span),
            ExprKind::Unary(operator, operand) => {
                let operand = match operator {
                    Unary::Not => self.condition(operand, scope),
                    Unary::Minus => self.operand(operand, "-", scope),
                };
                self.add_expr(Expr::Unary(*operator, operand), span, Type::Unknown)
            }
            ExprKind::Binary(operator, left, right) => {
                let (left, right) = match operator {
                    Binary::And | Binary::Or | Binary::Xor => {
                        (self.condition(left, scope), self.condition(right, scope))
                    }
                    Binary::Equal | Binary::Unequal | Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                        (self.expr(left, scope), self.expr(right, scope))
                    }
                    _ => (self.operand(left, operator.sign(), scope), self.operand(right, operator.sign(), scope)),
                };
                self.add_expr(Expr::Binary(*operator, left, right), span, Type::Unknown)
            }
            ExprKind::Indexed(operator, binders, body) => self.indexed(*operator, binders, body, scope, span),
            ExprKind::Assign(..) => {
                self.report(errors::assignment_in_expression(span));
                self.damaged(span)
            }
            ExprKind::Call(function, arguments) => self.call(function, arguments, scope, span),
            ExprKind::Method(object, method, arguments) => self.object_query(object, method, arguments, scope, span),
            ExprKind::Field(object, field) => {
                if self.object(object).is_none() {
                    return self.damaged(span);
                }
                let variable = self.field(object, field);
                self.add_expr(Expr::Variable(variable), span, Type::Unknown)
            }
            ExprKind::New(..) => {
                self.report(errors::object_value(span));
                self.damaged(span)
            }
            ExprKind::Record(_) => {
                self.report(errors::whole_array("[...]", span));
                self.damaged(span)
            }
        }
    }

    /// An operand of an arithmetic operator.
    fn operand(&mut self, expr: &syntax::Expr, sign: &str, scope: &mut Scope) -> ExprId {
        let id = self.expr(expr, scope);
        if self.out.code.exprs.ty(id) == Type::Boolean {
            self.report(errors::not_number(expr.span, sign));
        }
        id
    }

    fn name(&mut self, name: &Name, scope: &mut Scope) -> ExprId {
        if let Some((binding, declared)) = scope.get(&name.text) {
            self.out.uses.push((name.span, declared));
            return match binding {
                Binding::Value(value) => value,
                Binding::Local(local, ty) => self.add_expr(Expr::Local(local), name.span, ty),
                Binding::Array(_) => {
                    self.report(errors::whole_array(&name.text, name.span));
                    self.damaged(name.span)
                }
                Binding::Slot(slot, _) => {
                    let parameter = self.add_expr(Expr::Parameter(slot), name.span, Type::Unknown);
                    self.captured(parameter, name.text.clone(), name.span, scope)
                }
            };
        }
        let declared = self.declared(name);
        match self.global(name) {
            Some(Global::Constant(value, Type::Boolean)) => {
                self.add_expr(Expr::Bool(value != 0), name.span, Type::Boolean)
            }
            Some(Global::Constant(value, _)) => self.add_expr(Expr::Int(value), name.span, Type::Number),
            Some(Global::Macro(number)) => self.expand(number, name, &[], scope),
            Some(Global::Variable(id)) => {
                let variable = &self.out.code.variables[id.0 as usize];
                let ty = variable.ty;
                if !variable.dims.is_empty() {
                    self.report(errors::whole_array(&name.text, name.span));
                }
                self.add_expr(Expr::Variable(id), name.span, ty)
            }
            Some(Global::Object(..)) => {
                self.report(errors::object_value(name.span));
                self.damaged(name.span)
            }
            Some(other) => {
                let kind = other.kind().text();
                self.report(errors::wrong_kind(&name.text, kind, "a value", name.span, declared));
                self.damaged(name.span)
            }
            None => {
                self.unknown("variable or constant", name, scope);
                self.damaged(name.span)
            }
        }
    }

    fn element(&mut self, name: &Name, indices: &[syntax::Expr], scope: &mut Scope, span: Span) -> ExprId {
        let indices: Vec<ExprId> = indices.iter().map(|index| self.operand(index, "[ ]", scope)).collect();
        let declared = self.declared(name);
        if let Some((binding, declared)) = scope.get(&name.text) {
            if let Binding::Array(id) = binding {
                self.out.uses.push((name.span, declared));
                return self.element_of(id, name, indices, declared, span);
            }
            if let (Binding::Slot(slot, _), [index]) = (binding, &indices[..]) {
                self.out.uses.push((name.span, declared));
                return self.received_element(slot, name, *index, scope, span);
            }
            self.report(errors::not_an_array(&name.text, span, declared));
            return self.damaged(span);
        }
        match self.global(name) {
            Some(Global::Variable(id)) => self.element_of(id, name, indices, declared, span),
            Some(other) => {
                let kind = other.kind().text();
                self.report(errors::wrong_kind(&name.text, kind, "an array", name.span, declared));
                self.damaged(span)
            }
            None => {
                self.unknown("array", name, scope);
                self.damaged(span)
            }
        }
    }

    fn element_of(&mut self, id: VariableId, name: &Name, indices: Vec<ExprId>, declared: Span, span: Span) -> ExprId {
        let variable = &self.out.code.variables[id.0 as usize];
        let (n_dims, ty) = (variable.dims.len(), variable.ty);
        if n_dims == 0 {
            self.report(errors::not_an_array(&name.text, span, declared));
        } else if indices.len() != n_dims && indices.len() != 1 {
            self.report(errors::dimensions(&name.text, n_dims, indices.len(), span, declared));
        }
        self.add_expr(Expr::Element(id, indices.into()), span, ty)
    }

    /// The value of a parameter at its use: programs capture it.
    fn captured(&mut self, value: ExprId, text: Arc<str>, span: Span, scope: &mut Scope) -> ExprId {
        match scope.capture(value, text) {
            Some(local) => self.add_expr(Expr::Local(local), span, Type::Unknown),
            None => value,
        }
    }

    /// An element of an array that is an input or a parameter. A program captures single elements, so its index must be
    /// constant there.
    fn received_element(&mut self, slot: Slot, name: &Name, index: ExprId, scope: &mut Scope, span: Span) -> ExprId {
        let array = self.add_expr(Expr::Parameter(slot), name.span, Type::Unknown);
        let element = self.add_expr(Expr::At(array, index), span, Type::Unknown);
        match (scope.frame.is_some(), self.out.code.exprs.value(index)) {
            (false, _) => element,
            (true, Some(number)) => self.captured(element, format!("{}[{number}]", name.text).into(), span, scope),
            (true, None) => {
                self.report(errors::received_index(&name.text, span));
                self.damaged(span)
            }
        }
    }

    /// An argument of a message or a process: a value, or a whole array.
    pub(super) fn argument(&mut self, expr: &syntax::Expr, scope: &mut Scope) -> ExprId {
        match &expr.kind {
            ExprKind::Name(name) if scope.get(&name.text).is_none() => match self.globals.get(&name.text) {
                Some((Global::Variable(id), _)) if !self.out.code.variables[id.0 as usize].dims.is_empty() => {
                    let id = *id;
                    self.global(name);
                    self.add_expr(Expr::Contents(id), expr.span, Type::Unknown)
                }
                _ => self.expr(expr, scope),
            },
            ExprKind::Record(items) if items.iter().all(|item| matches!(item, RecordItem::One(_))) => {
                let ones =
                    items.iter().filter_map(|item| if let RecordItem::One(one) = item { Some(one) } else { None });
                let items: Vec<ExprId> = ones.map(|one| self.expr(one, scope)).collect();
                self.add_expr(Expr::Record(items.into()), expr.span, Type::Unknown)
            }
            ExprKind::Record(items) => {
                let (values, _) = self.record(items, |this, item| this.constant(item, "an array that is handed on"));
                self.add_expr(Expr::Array(values.into()), expr.span, Type::Unknown)
            }
            _ => self.expr(expr, scope),
        }
    }

    /// Expands a macro.
    pub(super) fn expand(&mut self, number: usize, name: &Name, arguments: &[ExprId], scope: &mut Scope) -> ExprId {
        let (declared, parameters, body) =
            (self.macros[number].name.span, self.macros[number].parameters, self.macros[number].body);
        if self.open_macros.numbers.contains(&number) {
            self.open_macros.n_recursive += 1;
            self.report(errors::recursive_macro(&name.text, name.span));
            return self.damaged(name.span);
        }
        if parameters.len() != arguments.len() {
            self.report(errors::arity("macro", &name.text, parameters.len(), arguments.len(), name.span, declared));
            return self.damaged(name.span);
        }
        let body = match body {
            MacroBody::Expression(body) => body,
            MacroBody::Block(_) => {
                self.report(errors::block_in_expression(&name.text, name.span, declared));
                return self.damaged(name.span);
            }
            MacroBody::Counter(process, arguments) => return self.counter(process, arguments),
        };
        if let Some(&known) = self.expansions.get(&(number, arguments.to_vec())) {
            return known;
        }
        let outer = scope.hide_names();
        for (parameter, &argument) in parameters.iter().zip(arguments) {
            scope.bind_value(parameter, argument);
        }
        let value = self.expand_body(number, body, arguments, scope);
        scope.restore(outer);
        value
    }

    /// Expands the body of a macro whose parameters are bound. The result depends only on these, so it is cached.
    pub(super) fn expand_body(
        &mut self,
        number: usize,
        body: &syntax::Expr,
        arguments: &[ExprId],
        scope: &mut Scope,
    ) -> ExprId {
        let n_recursive = self.open_macros.n_recursive;
        self.open_macros.numbers.insert(number);
        let mut value = self.expr(body, scope);
        self.open_macros.numbers.remove(&number);
        if self.out.code.exprs.tree_size(value) > MAX_MACRO_NODES {
            let name = self.macros[number].name;
            self.report(errors::too_large(name.span, "what this macro stands for"));
            value = self.damaged(name.span);
        }
        // The macro at which a recursion is reported depends on the start of the expansion, so recursive
        // expansions are cached only once enough of these errors are reported.
        let is_recursive = self.open_macros.n_recursive > n_recursive;
        if !is_recursive || n_recursive >= MAX_RECURSIVE_MACROS {
            self.expansions.insert((number, arguments.to_vec()), value);
        }
        value
    }

    /// The number of copies of a process whose arguments are constant.
    pub(super) fn counter(&mut self, name: &Name, arguments: &[syntax::Expr]) -> ExprId {
        for argument in arguments {
            self.constant(argument, "an argument of a process that is counted");
        }
        let process = self.reference(name, arguments, &mut Scope::default(), name.span);
        let counted = &mut self.out.code.counted;
        let number = counted.iter().position(|&known| known == process).unwrap_or_else(|| {
            counted.push(process);
            counted.len() - 1
        });
        self.add_expr(Expr::Counter(number as u32), name.span, Type::Number)
    }

    fn indexed(
        &mut self,
        operator: Binary,
        binders: &[syntax::Binder],
        body: &syntax::Expr,
        scope: &mut Scope,
        span: Span,
    ) -> ExprId {
        let Some((first, rest)) = binders.split_first() else { return self.condition(body, scope) };
        let Some(values) = self.fixed_values(first, scope, span) else { return self.damaged(span) };
        let mut found: Option<ExprId> = None;
        for value in values {
            let mark = scope.mark();
            let value = self.exprs().int(value);
            scope.bind_value(&first.name, value);
            let one = self.indexed(operator, rest, body, scope, span);
            scope.reset(mark);
            found = Some(match found {
                None => one,
                Some(before) => self.add_expr(Expr::Binary(operator, before, one), span, Type::Boolean),
            });
        }
        found.unwrap_or_else(|| self.exprs().bool(operator == Binary::And))
    }

    /// The values of an index, which must be constant here; `None` if there are too many.
    pub(super) fn fixed_values(&mut self, binder: &syntax::Binder, scope: &mut Scope, span: Span) -> Option<Vec<i32>> {
        match &binder.values {
            Values::Range(low, high) => {
                let low = self.value(low, scope);
                let high = self.value(high, scope);
                if i64::from(high) - i64::from(low) > MAX_OPERANDS as i64 {
                    self.report(errors::too_large(span, "this range"));
                    return None;
                }
                Some((low..=high).collect())
            }
            Values::List(all) => Some(all.iter().map(|value| self.value(value, scope)).collect()),
        }
    }

    /// The value of a bound, which must be constant here.
    fn value(&mut self, expr: &syntax::Expr, scope: &mut Scope) -> i32 {
        let id = self.expr(expr, scope);
        let value = self.out.code.exprs.value(id);
        value.unwrap_or_else(|| {
            self.report(errors::not_constant(expr.span, "the bounds of this index"));
            0
        })
    }

    /// Binders of indexed processes and event sets.
    pub(super) fn binders(&mut self, binders: &[syntax::Binder], scope: &mut Scope) -> Arc<[Binder]> {
        let mut all = Vec::new();
        for binder in binders {
            let values = match &binder.values {
                Values::Range(low, high) => {
                    BinderValues::Range(self.operand(low, "..", scope), self.operand(high, "..", scope))
                }
                Values::List(values) => {
                    BinderValues::List(values.iter().map(|value| self.expr(value, scope)).collect())
                }
            };
            let slot = self.bind(scope, &binder.name, super::scope::SlotKind::Index);
            all.push(Binder { slot, values });
        }
        all.into()
    }

    /// `call(f, a, b)`.
    fn call(&mut self, function: &Name, arguments: &[syntax::Expr], scope: &mut Scope, span: Span) -> ExprId {
        if let Some(query) = query(&function.text) {
            return self.query(query, arguments, scope, span);
        }
        if let Some(Global::Macro(number)) = self.globals.get(&function.text).map(|(global, _)| global.clone()) {
            self.global(function);
            let arguments: Vec<ExprId> = arguments.iter().map(|argument| self.expr(argument, scope)).collect();
            return self.expand(number, function, &arguments, scope);
        }
        let whole = match &*function.text {
            "ArrayLength" => Some(Library::ArrayLength),
            "IsArrayEmpty" => Some(Library::IsArrayEmpty),
            "ArrayMax" => Some(Library::ArrayMax),
            "ArrayMin" => Some(Library::ArrayMin),
            _ => None,
        };
        if let (Some(library), [syntax::Expr { kind: ExprKind::Name(array), .. }]) = (whole, arguments)
            && let Some(Global::Variable(id)) = self.global(array)
        {
            return self.add_expr(Expr::Whole(library, id), span, Type::Unknown);
        }
        let library = match (&*function.text, arguments.len()) {
            ("Pow", 2) => Library::Power,
            ("Abs", 1) => Library::Absolute,
            ("Min", 2) => Library::Least,
            ("Max", 2) => Library::Greatest,
            _ => {
                self.report(errors::external_call(&function.text, function.span));
                return self.damaged(span);
            }
        };
        let arguments: Arc<[ExprId]> =
            arguments.iter().map(|argument| self.operand(argument, &function.text, scope)).collect();
        self.add_expr(Expr::Function(library, arguments), span, Type::Number)
    }

    fn query(&mut self, query: Query, arguments: &[syntax::Expr], scope: &mut Scope, span: Span) -> ExprId {
        let (name, index) = match arguments {
            [syntax::Expr { kind: ExprKind::Name(name), .. }] => (name, None),
            [syntax::Expr { kind: ExprKind::Index(name, indices), .. }] if indices.len() == 1 => {
                (name, Some(self.operand(&indices[0], "[ ]", scope)))
            }
            _ => {
                let diagnostic = errors::unknown("channel", "", span, std::iter::empty());
                self.report(diagnostic);
                return self.damaged(span);
            }
        };
        match self.channel(name, index.is_some(), scope) {
            Some(channel) => self.add_expr(Expr::Query(query, channel, index), span, Type::Unknown),
            None => self.damaged(span),
        }
    }

    /// Looks up a channel, with or without an index.
    pub(super) fn channel(&mut self, name: &Name, has_index: bool, scope: &Scope) -> Option<u32> {
        let declared = self.declared(name);
        match self.global(name) {
            Some(Global::Channel(number)) => {
                let is_array = self.out.code.channels[number as usize].count.is_some();
                if is_array != has_index {
                    self.report(errors::dimensions(
                        &name.text,
                        usize::from(is_array),
                        usize::from(has_index),
                        name.span,
                        declared,
                    ));
                    return None;
                }
                Some(number)
            }
            Some(other) => {
                let kind = other.kind().text();
                self.report(errors::wrong_kind(&name.text, kind, "a channel", name.span, declared));
                None
            }
            None => {
                self.unknown("channel", name, scope);
                None
            }
        }
    }

    /// Looks up an object.
    pub(super) fn object(&mut self, name: &Name) -> Option<(csp_sharp_runtime::code::DynamicId, Class)> {
        let declared = self.declared(name);
        match self.global(name) {
            Some(Global::Object(id, class)) => Some((id, class)),
            Some(_) => {
                self.report(errors::object(&name.text, name.span, declared));
                None
            }
            None => {
                self.unknown("object", name, &Scope::default());
                None
            }
        }
    }

    /// A query method of an object.
    fn object_query(
        &mut self,
        object: &Name,
        method: &Name,
        arguments: &[syntax::Expr],
        scope: &mut Scope,
        span: Span,
    ) -> ExprId {
        let Some((id, class)) = self.object(object) else { return self.damaged(span) };
        let compares = match &*method.text {
            "IsDisjoint" => Some(Library::IsDisjoint),
            "IsOverlapping" => Some(Library::IsOverlapping),
            _ => None,
        };
        if let (Some(library), [syntax::Expr { kind: ExprKind::Name(other), .. }]) = (compares, arguments) {
            let Some((other, _)) = self.object(other) else { return self.damaged(span) };
            return self.add_expr(Expr::Compare(library, id, other), span, Type::Boolean);
        }
        match pure(&method.text).filter(|library| knows(class, *library)) {
            Some(library) => {
                let arguments: Arc<[ExprId]> = arguments.iter().map(|argument| self.expr(argument, scope)).collect();
                let wanted = usize::from(!is_nullary(library));
                if arguments.len() != wanted {
                    self.report(errors::arity("method", &method.text, wanted, arguments.len(), span, object.span));
                    return self.damaged(span);
                }
                self.add_expr(Expr::Ask(library, id, arguments), span, Type::Unknown)
            }
            None => {
                let is_change = super::program::operation(class, &method.text).is_some();
                let diagnostic = match is_change {
                    true => errors::assignment_in_expression(span),
                    false => errors::method(class.name(), &method.text, method.span, methods(class)),
                };
                self.report(diagnostic);
                self.damaged(span)
            }
        }
    }
}

fn query(name: &str) -> Option<Query> {
    Some(match name {
        "cfull" => Query::Full,
        "cempty" => Query::Empty,
        "ccount" => Query::Count,
        "csize" => Query::Size,
        "cpeek" => Query::Peek,
        _ => return None,
    })
}

fn knows(class: Class, library: Library) -> bool {
    match library {
        Library::Count => class != Class::DifferenceBounds,
        Library::Contains => !matches!(class, Class::HashTable | Class::DifferenceBounds),
        Library::Get => matches!(class, Class::Set | Class::List),
        Library::Peek => class == Class::Stack,
        Library::First | Library::Last => class == Class::Queue,
        Library::ContainsKey | Library::GetValue => class == Class::HashTable,
        Library::NewTimer | Library::TimerCount | Library::IsBounded => class == Class::DifferenceBounds,
        _ => false,
    }
}

/// Whether a query method takes no arguments.
fn is_nullary(library: Library) -> bool {
    use Library::{Count, First, Last, NewTimer, Peek, TimerCount};
    matches!(library, Count | Peek | First | Last | NewTimer | TimerCount)
}

/// The methods of a class.
pub(super) fn methods(class: Class) -> &'static [&'static str] {
    match class {
        Class::Set => &[
            "Add",
            "Remove",
            "Contains",
            "Count",
            "Get",
            "Clear",
            "Union",
            "Intersect",
            "Substract",
            "IsDisjoint",
            "IsOverlapping",
            "GetSubsetByIndex",
        ],
        Class::List => &["Add", "Remove", "RemoveAt", "Get", "Contains", "Count", "Clear", "Concat"],
        Class::Stack => &["Push", "Pop", "Peek", "Contains", "Clear", "Count"],
        Class::Queue => &["Enqueue", "Dequeue", "First", "Last", "Contains", "Clear", "Count", "Concat"],
        Class::HashTable => &["Add", "ContainsKey", "GetValue", "Remove", "Count", "Clear"],
        Class::DifferenceBounds => &[
            "AddTimer",
            "ResetTimer",
            "KeepTimers",
            "GetNewTimerID",
            "GetTimerCount",
            "Delay",
            "AddConstraint",
            "IsConstraintNotSatisfied",
            "IsTimersBounded",
            "Clone",
        ],
    }
}
