//! Channels and constructors with the sets of their fields.
//!
//! The field sets are computed when a value of the channel or constructor is first looked into. A set of dotted values
//! must be a product of sets, one for each component, because the rest of the evaluator completes values field by
//! field.

use super::runtime_error::{Eval, Failed};
use super::set::{self, Datatype, Form, Set, Shape};
use super::value::Value;
use super::{Evaluator, errors};
use cspm::resolve::{NameId, NameKind};
use cspm::syntax::{Clause, Decl, DeclId, Expr, ExprId};
use smallvec::SmallVec;
use std::rc::Rc;

/// Properties of a channel or constructor.
#[derive(Clone, Debug, Default)]
pub enum Head {
    /// Nothing yet.
    #[default]
    Unknown,
    /// Its fields are being computed.
    Running,
    /// The sets of its fields.
    Known(Rc<[Rc<Set>]>),
}

impl Evaluator<'_> {
    /// The sets that the fields of a channel or constructor range over.
    pub(super) fn field_sets(&mut self, head: NameId) -> Eval<Rc<[Rc<Set>]>> {
        match &self.heads[head.index()] {
            Head::Known(sets) => return Ok(sets.clone()),
            Head::Running => {
                let name = self.resolved().name(head);
                return Err(self.fail(errors::fields_need_themselves(name.span, self.resolved().text(head))));
            }
            Head::Unknown => {}
        }
        self.heads[head.index()] = Head::Running;
        let outcome = self.with_room(|this| this.compute_field_sets(head));
        self.heads[head.index()] = match &outcome {
            Ok(sets) => Head::Known(sets.clone()),
            Err(_) => Head::Unknown,
        };
        outcome
    }

    fn compute_field_sets(&mut self, head: NameId) -> Eval<Rc<[Rc<Set>]>> {
        let resolved = self.resolved();
        let fields = match resolved.name(head).kind {
            NameKind::Channel(decl) => match resolved.ast.decl(decl) {
                Decl::Channel { fields, .. } => *fields,
                _ => None,
            },
            NameKind::Constructor(decl) => self.clause_fields(decl, head),
            _ => None,
        };
        match fields {
            Some(fields) => Ok(self.field_expression(fields, head)?.into()),
            None => Ok(Rc::default()),
        }
    }

    fn clause_fields(&self, decl: DeclId, constructor: NameId) -> Option<ExprId> {
        let Decl::Datatype { clauses, .. } = self.resolved().ast.decl(decl) else { return None };
        let position = self.resolved().decl_names(decl).iter().skip(1).position(|&name| name == constructor)?;
        clauses.get(position)?.fields
    }

    /// The sets of an expression that declares fields: a set, a tuple of such, or several of them dotted.
    fn field_expression(&mut self, expr: ExprId, owner: NameId) -> Eval<Vec<Rc<Set>>> {
        match self.resolved().ast.expr(expr) {
            Expr::Paren(inner) => self.field_expression(*inner, owner),
            Expr::Dot(left, right) => {
                let (left, right) = (*left, *right);
                let mut sets = self.with_room(|this| this.field_expression(left, owner))?;
                sets.extend(self.with_room(|this| this.field_expression(right, owner))?);
                Ok(sets)
            }
            _ => {
                let set = self.type_expression(expr)?;
                self.split_fields(&set, owner, expr)
            }
        }
    }

    /// The set that a type expression stands for; tuples and dots of sets are products.
    fn type_expression(&mut self, expr: ExprId) -> Eval<Rc<Set>> {
        match self.resolved().ast.expr(expr) {
            Expr::Paren(inner) => self.type_expression(*inner),
            Expr::Tuple(parts) => {
                let mut sets = Vec::with_capacity(parts.len());
                for &part in parts.clone().iter() {
                    sets.push(self.type_expression(part)?);
                }
                Ok(Rc::new(Set::new(Form::Product(Shape::Tuple, sets.into()))))
            }
            _ => {
                let value = self.at_top(expr, None)?;
                self.as_type(value)
            }
        }
    }

    /// The set behind the value of a type expression that computes tuples or dots of sets.
    fn as_type(&mut self, value: Value) -> Eval<Rc<Set>> {
        match self.whnf(value)? {
            Value::Set(set) => Ok(set),
            Value::Tuple(node) => self.product_type(Shape::Tuple, &node.items),
            Value::Dot(node) if node.head.is_none() => self.product_type(Shape::Dot, &node.items),
            other => Err(self.confused("a set", &other)),
        }
    }

    fn product_type(&mut self, shape: Shape, items: &[Value]) -> Eval<Rc<Set>> {
        let parts = items.iter().map(|item| self.as_type(item.clone())).collect::<Eval<Vec<_>>>()?;
        Ok(Rc::new(Set::new(Form::Product(shape, parts.into()))))
    }

    /// Takes a set of dotted values apart into one set for each component.
    fn split_fields(&mut self, set: &Rc<Set>, owner: NameId, site: ExprId) -> Eval<Vec<Rc<Set>>> {
        match &set.form {
            Form::Product(Shape::Dot, parts) => {
                let mut sets = Vec::with_capacity(parts.len());
                for part in parts {
                    sets.extend(self.split_fields(part, owner, site)?);
                }
                Ok(sets)
            }
            Form::Sorted(_) | Form::Tree(_) => self.split_listed(set, owner, site),
            Form::Union(parts) if parts.iter().any(|part| has_plain_dots(part)) => {
                self.prepare(set)?;
                let listed = set::explicit(set, &self.watch);
                let listed = self.about_sets(listed, site)?;
                self.split_listed(&listed, owner, site)
            }
            _ => Ok(vec![set.clone()]),
        }
    }

    fn split_listed(&mut self, set: &Rc<Set>, owner: NameId, site: ExprId) -> Eval<Vec<Rc<Set>>> {
        let elements = self.listed(set, site)?;
        let width = match elements.first() {
            Some(Value::Dot(node)) if node.head.is_none() => node.items.len(),
            _ => return Ok(vec![set.clone()]),
        };
        let same_width =
            |value: &Value| matches!(value, Value::Dot(node) if node.head.is_none() && node.items.len() == width);
        let mut columns: Vec<Vec<Value>> = vec![Vec::new(); width];
        if elements.iter().all(same_width) {
            for element in &elements {
                columns.iter_mut().zip(element.fields()).for_each(|(column, item)| column.push(item.clone()));
            }
            let sets: Vec<Rc<Set>> = columns.into_iter().map(|column| Rc::new(Set::from_elements(column))).collect();
            let product = Rc::new(Set::new(Form::Product(Shape::Dot, sets.clone().into())));
            if set::cardinality(&product, &self.watch).is_ok_and(|count| count == elements.len() as u128) {
                return Ok(sets);
            }
            let missing = set::difference(&product, set, &self.watch);
            let missing = self.about_sets(missing, site)?;
            let missing = self.brief(&Value::Set(missing));
            return Err(self.not_rectangular(owner, site, Some(missing)));
        }
        Err(self.not_rectangular(owner, site, None))
    }

    fn not_rectangular(&mut self, owner: NameId, site: ExprId, missing: Option<String>) -> Failed {
        self.fail(errors::not_rectangular(self.span(site), self.resolved().text(owner), missing.as_deref()))
    }

    /// The union of the values of all constructors.
    pub(super) fn expand_datatype(&mut self, datatype: &Datatype) -> Eval<Rc<Set>> {
        let mut parts = Vec::with_capacity(datatype.constructors.len());
        for &constructor in &datatype.constructors {
            parts.push(self.all_of(constructor)?);
        }
        Ok(Rc::new(Set::new(Form::Union(parts.into()))))
    }

    /// Every complete value of a channel or constructor.
    pub(super) fn all_of(&mut self, head: NameId) -> Eval<Rc<Set>> {
        let fields = self.field_sets(head)?;
        Ok(Rc::new(match fields.is_empty() {
            true => Set::sorted(vec![Value::bare(head)]),
            false => Set::new(Form::Product(Shape::Headed(head), fields.iter().cloned().collect())),
        }))
    }

    pub(super) fn subtype(&mut self, decl: DeclId) -> Eval<Rc<Set>> {
        let resolved = self.resolved();
        let Decl::Subtype { clauses, .. } = resolved.ast.decl(decl) else {
            unreachable!("called for subtypes only");
        };
        let constructors: Vec<NameId> = resolved.decl_names(decl)[1..].to_vec();
        let clauses: Vec<Clause> = clauses.to_vec();
        let mut parts = Vec::new();
        for (clause, constructor) in clauses.iter().zip(constructors) {
            let all = self.field_sets(constructor)?;
            let mut fields = match clause.fields {
                Some(fields) => self.field_expression(fields, constructor)?,
                None => Vec::new(),
            };
            fields.extend(all.iter().skip(fields.len()).cloned());
            parts.push(Rc::new(match fields.is_empty() {
                true => Set::sorted(vec![Value::bare(constructor)]),
                false => Set::new(Form::Product(Shape::Headed(constructor), fields.into())),
            }));
        }
        Ok(Rc::new(Set::new(Form::Union(parts.into()))))
    }

    pub(super) fn nametype(&mut self, name: NameId, decl: DeclId) -> Eval<Rc<Set>> {
        let Decl::Nametype(_, expr) = self.resolved().ast.decl(decl) else {
            unreachable!("called for nametypes only");
        };
        let mut sets = self.field_expression(*expr, name)?;
        Ok(match sets.len() {
            1 => sets.remove(0),
            _ => Rc::new(Set::new(Form::Product(Shape::Dot, sets.into()))),
        })
    }

    /// `Events`: all events of all channels.
    pub(super) fn all_events(&mut self) -> Eval<Rc<Set>> {
        if let Some(known) = &self.events_set {
            return Ok(known.clone());
        }
        let mut parts = Vec::new();
        for channel in self.program.channels() {
            parts.push(self.all_of(channel)?);
        }
        let events = Rc::new(Set::new(Form::Union(parts.into())));
        self.events_set = Some(events.clone());
        Ok(events)
    }

    /// Whether a value needs no more fields.
    pub(super) fn is_complete(&mut self, value: &Value) -> Eval<bool> {
        let Some(head) = value.head() else { return Ok(true) };
        let arity = self.field_sets(head)?.len();
        match value.fields() {
            fields if fields.len() != arity => Ok(false),
            [] => Ok(true),
            fields => self.is_complete(&fields[fields.len() - 1]),
        }
    }
}

fn has_plain_dots(set: &Set) -> bool {
    match &set.form {
        Form::Product(Shape::Dot, _) => true,
        Form::Sorted(elements) => matches!(elements.first(), Some(Value::Dot(node)) if node.head.is_none()),
        Form::Union(parts) => parts.iter().any(|part| has_plain_dots(part)),
        _ => false,
    }
}

/// Fields as they are handed around.
pub(super) type Fields = SmallVec<[Value; 2]>;
