//! Values of the expressions in a formula.

use cspm::resolve::{NameId, Resolved};
use cspm::syntax::{Expr, ExprId, Fragment};
use cspm_evaluator::{Evaluator, Value};
use frontend::formula::{Answer, Environment, errors};
use hashbrown::HashMap;
use ltl::syntax::{Formula, Text};
use process::Terms;
use source::Span;

/// An expression inside a formula.
#[derive(Clone, Debug)]
pub(crate) struct Known {
    /// The expression; nothing for a variable of the formula.
    pub expr: Option<ExprId>,
    /// The variables of the formula in it; the expression is a function of these.
    pub variables: Vec<String>,
}

/// The expressions of a formula, by their places.
pub(crate) type Expressions = HashMap<Span, Known>;

/// The expressions at the places of a formula's pieces.
pub(crate) fn expressions(formula: &Formula, fragments: &[Fragment]) -> Expressions {
    let by_place: HashMap<Span, ExprId> = fragments.iter().map(|fragment| (fragment.span, fragment.expr)).collect();
    let known = formula.pieces().into_iter().filter_map(|piece| {
        let expr = by_place.get(&piece.text.span).copied();
        if expr.is_none() && !piece.is_variable() {
            return None;
        }
        let variables = piece.variables.into_iter().map(|variable| variable.text).collect();
        Some((piece.text.span, Known { expr, variables }))
    });
    known.collect()
}

/// The definition of the name at a place.
pub(crate) fn name_at(expressions: &Expressions, resolved: &Resolved, text: &Text) -> Option<NameId> {
    let expr = expressions.get(&text.span)?.expr?;
    matches!(resolved.ast.expr(expr), Expr::Name(_)).then(|| resolved.expr_name(expr)).flatten()
}

/// The evaluator.
pub(crate) struct Values<'q, 'e, 'a> {
    pub expressions: &'q Expressions,
    pub evaluator: &'e mut Evaluator<'a>,
    pub terms: &'e mut Terms,
    /// Expressions without variables that were evaluated before.
    constants: HashMap<Span, Value>,
}

impl<'q, 'e, 'a> Values<'q, 'e, 'a> {
    pub fn new(
        expressions: &'q Expressions,
        evaluator: &'e mut Evaluator<'a>,
        terms: &'e mut Terms,
    ) -> Values<'q, 'e, 'a> {
        Values { expressions, evaluator, terms, constants: HashMap::new() }
    }

    pub fn known(&self, text: &Text) -> &'q Known {
        self.expressions.get(&text.span).expect("every piece of a formula without errors was read")
    }

    /// The value of a piece of the formula.
    pub fn value(&mut self, text: &Text, environment: &Environment<Value>) -> Answer<Value> {
        let Known { expr, variables } = self.known(text);
        if let Some(value) = self.constants.get(&text.span) {
            return Ok(value.clone());
        }
        let mut arguments = Vec::with_capacity(variables.len());
        for variable in variables {
            match environment.get(variable) {
                Some(value) => arguments.push(value.clone()),
                None => return Err(errors::without_value(variable, text.span).into()),
            }
        }
        let Some(expr) = expr else { return Ok(arguments.swap_remove(0)) };
        let value = self.evaluator.applied(self.terms, *expr, &arguments)?;
        if variables.is_empty() {
            self.constants.insert(text.span, value.clone());
        }
        Ok(value)
    }

    /// Whether a predicate is true.
    pub fn is_true(&mut self, text: &Text, environment: &Environment<Value>) -> Answer<bool> {
        let value = self.value(text, environment)?;
        Ok(matches!(value, Value::Bool(truth) if truth.get()))
    }

    /// The elements of a set, one by one.
    pub fn elements(
        &mut self,
        text: &Text,
        environment: &Environment<Value>,
    ) -> Answer<impl Iterator<Item = Value> + use<>> {
        let set = self.value(text, environment)?;
        let site = self.known(text).expr.expect("a set is not taken for a variable");
        self.evaluator.elements_of(self.terms, &set, site)
    }
}
