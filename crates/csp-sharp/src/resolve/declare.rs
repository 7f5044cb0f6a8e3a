//! Constants, variables and channels.

use super::scope::Scope;
use super::{Global, Macro, Resolver, Symbol};
use crate::errors;
use crate::syntax::{Declaration, Expr, ExprKind, MacroBody, Name, Range, RecordItem, VariableDeclaration};
use csp_sharp_runtime::code::{
    self, Channel, Class, Definition, DefinitionId, Dynamic, DynamicId, DynamicKind, ExprId, Exprs, LOCAL, Term, Type,
    Variable, VariableId,
};
use csp_sharp_runtime::first_zone;
use csp_sharp_runtime::run::{self, range_text};
use limits::input::networks::MAX_CELLS;
use source::Span;
use std::sync::Arc;

/// Libraries with built-in functions.
const LIBRARIES: &[&str] = &[
    "PAT.Lib.Set",
    "PAT.Lib.List",
    "PAT.Lib.SerializableList",
    "PAT.Lib.Stack",
    "PAT.Lib.Queue",
    "PAT.Lib.HashTable",
    "PAT.Lib.DBM",
    "PAT.Lib.Array",
    "PAT.Math",
];

impl<'s> Resolver<'s> {
    /// Declares all global names.
    pub(super) fn declare(&mut self, declarations: &'s [Declaration]) {
        for declaration in declarations {
            match declaration {
                Declaration::Import(library) if !LIBRARIES.contains(&&*library.text) => {
                    self.report(errors::library(&library.text, library.span));
                }
                Declaration::Enum(names) => {
                    for (value, name) in names.iter().enumerate() {
                        self.add(name, Global::Constant(value as i32, Type::Number));
                    }
                }
                Declaration::Macro { name, parameters, body } => self.declare_macro(name, parameters, body),
                _ => {}
            }
        }
        let reading = self.reading;
        for declaration in declarations.iter().take_while(|_| !reading.is_stopped()) {
            match declaration {
                Declaration::Variable(variable) => self.declare_variable(variable),
                Declaration::Channel { name, count, capacity } => self.declare_channel(name, count.as_ref(), capacity),
                Declaration::Process(definition) => {
                    let id = DefinitionId(self.out.code.definitions.len() as u32);
                    let body = self.term(Term::Stop, Span::default());
                    self.code().definitions.push(Definition {
                        name: definition.name.text.clone(),
                        span: definition.name.span,
                        n_parameters: definition.parameters.len(),
                        body,
                        alphabet: None,
                        is_any_number: false,
                    });
                    self.add(&definition.name, Global::Process(id));
                }
                Declaration::Object(definition) => {
                    self.add(&definition.name, Global::Sequential(self.objects.len()));
                    self.objects.push(definition);
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, name: &Name, global: Global) {
        let kind = global.kind();
        if let Some((_, first)) = self.globals.get(&name.text) {
            let first = *first;
            self.report(errors::duplicate(&name.text, name.span, first));
            return;
        }
        if let Global::Constant(value, ty) = global {
            self.out.constants.push((name.text.clone(), value, ty));
        }
        self.out.symbols.push(Symbol { name: name.text.clone(), span: name.span, kind });
        self.globals.insert(name.text.clone(), (global, name.span));
    }

    /// Declares a macro. One whose body is a literal is a constant.
    fn declare_macro(&mut self, name: &'s Name, parameters: &'s [Name], body: &'s MacroBody) {
        if let (MacroBody::Expression(Expr { kind, .. }), []) = (body, parameters) {
            match kind {
                ExprKind::Int(value) => return self.add(name, Global::Constant(*value, Type::Number)),
                ExprKind::Bool(value) => return self.add(name, Global::Constant(i32::from(*value), Type::Boolean)),
                _ => {}
            }
        }
        self.macros.push(Macro { name, parameters, body });
        self.add(name, Global::Macro(self.macros.len() - 1));
    }

    fn declare_variable(&mut self, declared: &VariableDeclaration) {
        if let Some(class) = &declared.class {
            return self.declare_object(declared, class);
        }
        let mut dims = Vec::new();
        for dim in &declared.dims {
            dims.push(self.size(dim, "the size of an array"));
        }
        let range = declared.range.as_ref().map(|range| self.bounds(range));
        let (values, ty) = match &declared.value {
            None if declared.any.is_some() => (vec![range.map_or(0, |(low, _)| low)], Type::Number),
            Some(Expr { kind: ExprKind::Record(items), span }) => {
                let (values, ty) =
                    self.record(items, |this, item| this.first_value(item, "the first value of an array"));
                if dims.is_empty() {
                    dims = vec![values.len()];
                }
                let wanted = dims.iter().fold(1_usize, |product, &dim| product.saturating_mul(dim));
                if values.len() != wanted && wanted <= MAX_CELLS as usize {
                    self.report(errors::too_few_values(&declared.name.text, wanted, values.len(), *span));
                }
                (values, ty)
            }
            Some(value) => {
                let (value, ty) = self.first_value(value, "the first value of a variable");
                (vec![value], ty)
            }
            None => (vec![0], Type::Number),
        };
        let n_cells = dims.iter().try_fold(1_usize, |product, &dim| product.checked_mul(dim));
        let n_cells = n_cells.filter(|&n_cells| n_cells + self.out.code.n_cells <= MAX_CELLS as usize);
        let Some(n_cells) = n_cells else {
            self.report(errors::too_large(declared.name.span, "this array"));
            return;
        };
        let values: Vec<i32> = match values.as_slice() {
            [one] if n_cells != 1 => vec![*one; n_cells],
            _ => values.into_iter().chain(std::iter::repeat(0)).take(n_cells).collect(),
        };
        self.check_initial(declared, &values, range);
        let id = VariableId(self.out.code.variables.len() as u32);
        let code = self.code();
        let offset = code.n_cells;
        code.n_cells += n_cells;
        code.initial.extend(values);
        code.variables.push(Variable {
            name: declared.name.text.clone(),
            span: declared.name.span,
            offset,
            dims,
            range,
            hidden: declared.hidden,
            ty,
        });
        self.add(&declared.name, Global::Variable(id));
        if let Some(span) = declared.any {
            self.add_wildcard(id, span);
        }
    }

    /// Adds a variable for a local array of a program. Its name has a dot, unlike any declared name, and it is not
    /// displayed.
    pub(super) fn add_array(&mut self, name: &Name, dims: Vec<usize>) -> Option<VariableId> {
        let n_cells = dims.iter().try_fold(1_usize, |product, &dim| product.checked_mul(dim));
        let n_cells = n_cells.filter(|&n_cells| n_cells + self.out.code.n_cells <= MAX_CELLS as usize);
        let Some(n_cells) = n_cells else {
            self.report(errors::too_large(name.span, "this array"));
            return None;
        };
        let code = self.code();
        let (id, offset) = (VariableId(code.variables.len() as u32), code.n_cells);
        code.n_cells += n_cells;
        code.initial.extend(std::iter::repeat_n(0, n_cells));
        let (name, span) = (format!("{}{LOCAL}", name.text).into(), name.span);
        code.variables.push(Variable { name, span, offset, dims, range: None, hidden: false, ty: Type::Unknown });
        Some(id)
    }

    fn check_initial(&mut self, declared: &VariableDeclaration, values: &[i32], range: Option<(i32, i32)>) {
        let Some((low, high)) = range else { return };
        if let Some(&value) = values.iter().find(|&&value| value < low || value > high) {
            let span = declared.value.as_ref().map_or(declared.name.span, |value| value.span);
            self.report(errors::initial_range(&declared.name.text, value, &range_text(low, high), span));
        }
    }

    fn declare_object(&mut self, declared: &VariableDeclaration, class: &Name) {
        let Some(known) = Class::named(&class.text) else {
            self.report(errors::class(&class.text, class.span));
            return;
        };
        let mut initial = Vec::new();
        if let Some(Expr { kind: ExprKind::New(made, arguments), span }) = &declared.value {
            match (Class::named(&made.text), &arguments[..]) {
                (None, _) => self.report(errors::class(&made.text, made.span)),
                (Some(Class::DifferenceBounds), [ceiling]) => {
                    initial = first_zone(self.constant(ceiling, "a ceiling").0);
                }
                (Some(Class::DifferenceBounds), _) => {
                    self.report(errors::arity("class", &made.text, 1, arguments.len(), *span, made.span));
                }
                _ => {}
            }
        }
        if known == Class::DifferenceBounds && initial.is_empty() {
            initial = first_zone(0);
        }
        let id = self.add_dynamic(declared.name.text.clone(), DynamicKind::Object(known), initial);
        self.add(&declared.name, Global::Object(id, known));
    }

    fn add_dynamic(&mut self, name: Arc<str>, kind: DynamicKind, initial: Vec<i32>) -> DynamicId {
        let id = DynamicId(self.out.code.dynamics.len() as u32);
        self.code().dynamics.push(Dynamic { name, kind, initial });
        id
    }

    fn declare_channel(&mut self, name: &Name, count: Option<&Expr>, capacity: &Expr) {
        let count = count.map(|count| self.size(count, "the number of channels") as u32);
        let capacity = self.size(capacity, "the size of a channel") as u32;
        let buffer = self.out.code.dynamics.len() as u32;
        if capacity > 0 {
            match count {
                None => _ = self.add_dynamic(name.text.clone(), DynamicKind::Buffer, vec![0]),
                Some(count) => {
                    for index in 0..count {
                        self.add_dynamic(format!("{}[{index}]", name.text).into(), DynamicKind::Buffer, vec![0]);
                    }
                }
            }
        }
        let number = self.out.code.channels.len() as u32;
        self.code().channels.push(Channel { name: name.text.clone(), span: name.span, count, capacity, buffer });
        self.add(name, Global::Channel(number));
    }

    /// The bounds of a range.
    pub(super) fn bounds(&mut self, range: &Range) -> (i32, i32) {
        let low = range.low.as_ref().map_or(i32::MIN, |low| self.constant(low, "a bound").0);
        let high = range.high.as_ref().map_or(i32::MAX, |high| self.constant(high, "a bound").0);
        (low, high)
    }

    pub(super) fn size(&mut self, expr: &Expr, what: &str) -> usize {
        let (value, _) = self.constant(expr, what);
        if value as usize > MAX_CELLS as usize && value > 0 {
            self.report(errors::too_large(expr.span, what));
            return 0;
        }
        usize::try_from(value).unwrap_or_else(|_| {
            self.report(errors::negative(expr.span, what, value));
            0
        })
    }

    /// The initial value of a variable. It may depend on the initial values of variables declared earlier.
    fn first_value(&mut self, expr: &Expr, what: &str) -> (i32, Type) {
        let before = self.diagnostics.len();
        let id = self.expr(expr, &mut Scope::default());
        let code = &self.out.code;
        let depends_on_variables =
            self.diagnostics.len() == before && !code.exprs.is_static(id) && self.has_initial_value(id);
        if !depends_on_variables {
            self.diagnostics.truncate(before);
            return self.constant(expr, what);
        }
        match run::first_value(code, id) {
            Ok(value) => (value, code.exprs.ty(id)),
            Err(fault) => {
                self.report(errors::no_value(expr.span, &fault.diagnose().title));
                (0, Type::Unknown)
            }
        }
    }

    /// Whether an expression depends only on variables with a unique initial value.
    fn has_initial_value(&self, id: ExprId) -> bool {
        let exprs = &self.out.code.exprs;
        let is_plain = match exprs.get(id) {
            code::Expr::Int(_) | code::Expr::Bool(_) | code::Expr::Unary(..) | code::Expr::Binary(..) => true,
            code::Expr::Variable(variable) | code::Expr::Element(variable, _) => !self.wildcards.contains(variable),
            _ => false,
        };
        is_plain && Exprs::operands(exprs.get(id)).into_iter().all(|operand| self.has_initial_value(operand))
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, expr: &Expr, what: &str) -> (i32, Type) {
        let before = self.diagnostics.len();
        let id = self.expr(expr, &mut Scope::default());
        let exprs = &self.out.code.exprs;
        let ty = exprs.ty(id);
        match exprs.value(id) {
            Some(value) => (value, ty),
            None => {
                if self.diagnostics.len() == before {
                    let diagnostic = match exprs.is_static(id) {
                        true => errors::no_value(expr.span, "it divides by zero"),
                        false => errors::not_constant(expr.span, what),
                    };
                    self.report(diagnostic);
                }
                (0, Type::Unknown)
            }
        }
    }

    /// The values of a record whose items are constant expressions.
    pub(super) fn record(
        &mut self,
        items: &[RecordItem],
        mut value: impl FnMut(&mut Self, &Expr) -> (i32, Type),
    ) -> (Vec<i32>, Type) {
        let mut values = Vec::new();
        let mut ty = None;
        for item in items {
            let (RecordItem::One(one) | RecordItem::Repeated(one, _) | RecordItem::Range(one, _)) = item;
            let (first, found) = value(self, one);
            ty = match ty {
                None => Some(found),
                Some(known) if known == found => Some(known),
                Some(_) => Some(Type::Unknown),
            };
            let (last, count) = match item {
                RecordItem::One(_) => (first, 1),
                RecordItem::Repeated(_, count) => (first, self.size(count, "a number of values")),
                RecordItem::Range(_, last) => {
                    let (last, _) = value(self, last);
                    (last, first.abs_diff(last) as usize + 1)
                }
            };
            if values.len() + count > MAX_CELLS as usize {
                self.report(errors::too_large(one.span, "this array"));
                break;
            }
            match item {
                RecordItem::Range(..) if first <= last => values.extend(first..=last),
                RecordItem::Range(..) => values.extend((last..=first).rev()),
                RecordItem::One(_) | RecordItem::Repeated(..) => values.extend(std::iter::repeat_n(first, count)),
            }
        }
        (values, ty.unwrap_or(Type::Number))
    }

    /// The variable that represents a field of an object.
    pub(super) fn field(&mut self, object: &Name, field: &Name) -> VariableId {
        let name: Arc<str> = format!("{}${}", object.text, field.text).into();
        let code = self.code();
        if let Some(known) = code.variables.iter().position(|variable| variable.name == name) {
            return VariableId(known as u32);
        }
        let offset = code.n_cells;
        code.n_cells += 1;
        code.initial.push(0);
        code.variables.push(Variable {
            name,
            span: field.span,
            offset,
            dims: Vec::new(),
            range: None,
            hidden: false,
            ty: Type::Unknown,
        });
        VariableId(code.variables.len() as u32 - 1)
    }
}
