//! Whether a formula has a meaning for the events of a script.

use super::values::{Expressions, Values, expressions, name_at};
use cspm::resolve::{NameId, NameKind, PatName, Resolved};
use cspm::syntax::{Decl, Expr, Fragment, Property as Asserted};
use cspm::typecheck::{TypeShape, Types};
use cspm_evaluator::{Evaluator, Value};
use frontend::formula::{Environment, Meaning, ReadFormula, errors};
use ltl::syntax::{Atom, Event, EventPattern, Form, Formula, Mark, Text};
use process::Terms;
use source::{Diagnostic, Span};
use std::collections::VecDeque;

/// Whether the names of events are names of channels, in all formulas of a script.
pub(crate) fn names(formulas: &[ReadFormula], resolved: &Resolved, types: &Types) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    for index in 0..resolved.ast.n_decls() {
        let Decl::Assert(assertion) = resolved.ast.decl(cspm::syntax::DeclId(index as u32)) else { continue };
        let Asserted::Temporal { formula_span, fragments, .. } = &assertion.property else { continue };
        let read = formulas.iter().find(|formula| formula.span == *formula_span);
        let Some(formula) = read.and_then(|read| read.formula.as_ref()) else { continue };
        let expressions = expressions(formula, fragments);
        diagnostics.extend(fragments.iter().filter_map(|fragment| variables(fragment, resolved)));
        for node in &formula.nodes {
            for event in node.form.patterns().iter().flat_map(EventPattern::events) {
                let may_be_state = matches!(node.form, Form::Atom(Atom::Bare(_))) && event.fields.is_empty();
                diagnostics.extend(name(event, may_be_state, &expressions, resolved, types));
            }
        }
    }
    diagnostics
}

/// The meaning of the words in a formula of a script.
pub(crate) struct CspmMeaning<'q, 'e, 'a> {
    values: Values<'q, 'e, 'a>,
    resolved: &'a Resolved,
}

impl<'q, 'e, 'a> CspmMeaning<'q, 'e, 'a> {
    pub(crate) fn new(
        expressions: &'q Expressions,
        evaluator: &'e mut Evaluator<'a>,
        terms: &'e mut Terms,
        resolved: &'a Resolved,
    ) -> CspmMeaning<'q, 'e, 'a> {
        CspmMeaning { values: Values::new(expressions, evaluator, terms), resolved }
    }
}

impl Meaning for CspmMeaning<'_, '_, '_> {
    fn is_event(&self, pattern: &EventPattern) -> bool {
        let EventPattern::Event(event) = pattern else { return true };
        let name = name_at(self.values.expressions, self.resolved, &event.name);
        name.is_some_and(|name| matches!(self.resolved.name(name).kind, NameKind::Channel(_)))
    }

    fn unknown_names(&self, formula: &Formula) -> Vec<Diagnostic> {
        unknown_names(formula, self.values.expressions, self.resolved)
    }

    fn problems(&mut self, settled: &Formula) -> Vec<Diagnostic> {
        let mut problems = fields(settled, &mut self.values, self.resolved);
        problems.extend(domains(settled, &mut self.values));
        problems
    }
}

/// Variables in an expression that would be taken for a channel or constructor of the same name.
fn variables(fragment: &Fragment, resolved: &Resolved) -> Option<Diagnostic> {
    let Expr::Lambda(parameters, _) = resolved.ast.expr(fragment.expr) else { return None };
    parameters.iter().take(fragment.n_variables).find_map(|&parameter| match resolved.pat_name(parameter) {
        Some(PatName::Matches(name)) => {
            let (text, defined) = (resolved.text(name), resolved.name(name).span);
            Some(errors::variable_is_name(text, defined, resolved.ast.pat_span(parameter), fragment.span))
        }
        _ => None,
    })
}

fn name(
    event: &Event,
    may_be_state: bool,
    expressions: &Expressions,
    resolved: &Resolved,
    types: &Types,
) -> Option<Diagnostic> {
    // What cannot be read was reported, and so were names that mean nothing.
    let expr = expressions.get(&event.name.span)?.expr?;
    let Expr::Name(_) = resolved.ast.expr(expr) else { return Some(errors::not_a_name(&event.name)) };
    let id = resolved.expr_name(expr)?;
    let defined = resolved.name(id);
    let ty = types.of_name(id);
    let is_truth = ty.is_some_and(|ty| matches!(types.shape(ty), TypeShape::Bool));
    let what = match defined.kind {
        NameKind::Channel(_) => return None,
        _ if may_be_state && is_truth => return None,
        NameKind::Constructor(_) => "a constructor",
        NameKind::Datatype(_) | NameKind::Subtype(_) | NameKind::Nametype(_) => "a type",
        _ => match ty.map(|ty| types.shape(ty)) {
            Some(TypeShape::Proc) => "a process",
            Some(TypeShape::Function(..)) => "a function",
            _ => "a value",
        },
    };
    let place = Some(defined.span).filter(|_| !matches!(defined.kind, NameKind::Builtin(_)));
    Some(errors::not_a_channel(&event.name.text, what, place, event.name.span))
}

/// Names of events that mean nothing. They were reported, but such a message does not show all places.
fn unknown_names(formula: &Formula, expressions: &Expressions, resolved: &Resolved) -> Vec<Diagnostic> {
    let patterns = formula.nodes.iter().flat_map(|node| node.form.patterns());
    let names = patterns.flat_map(EventPattern::events).map(|event| &event.name);
    names.filter(|name| name_at(expressions, resolved, name).is_none()).map(errors::unknown_event).collect()
}

/// Whether all values fit the fields they stand for.
fn fields(formula: &Formula, values: &mut Values, resolved: &Resolved) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for node in &formula.nodes {
        for event in node.form.patterns().iter().flat_map(EventPattern::events) {
            let Some(channel) = name_at(values.expressions, resolved, &event.name) else { continue };
            if let Err(diagnostic) = event_fields(event, channel, values, resolved) {
                found.push(*diagnostic);
            }
        }
    }
    found
}

fn event_fields(
    event: &Event,
    channel: NameId,
    values: &mut Values,
    resolved: &Resolved,
) -> Result<(), Box<Diagnostic>> {
    let declared = resolved.name(channel);
    let sets = values.evaluator.fields_of(values.terms, channel)?;
    let n_fields = sets.len();
    // The sets of the fields to come; nothing where a field is part of a value.
    let mut rest: VecDeque<Option<Value>> = sets.into_iter().map(Some).collect();
    for field in &event.fields {
        let text = field.value.text();
        let Some(set) = rest.pop_front() else {
            let span = text.map_or(event.name.span, |text| text.span);
            return Err(errors::too_many_fields(&event.name.text, n_fields, declared.span, span).into());
        };
        let Some(text) = text.filter(|text| field.mark != Mark::Input && values.known(text).variables.is_empty())
        else {
            continue;
        };
        let value = values.value(text, &Environment::default())?;
        check_field(&value, text, set, &mut rest, values)
            .map_err(|set| field_error(event, &value, text, set, declared.span, values))?;
    }
    Ok(())
}

/// Whether a value is in the set of its field; otherwise the set. What it misses comes next.
fn check_field(
    value: &Value,
    text: &Text,
    set: Option<Value>,
    rest: &mut VecDeque<Option<Value>>,
    values: &mut Values,
) -> Result<(), Option<Value>> {
    let expr = values.known(text).expr.expect("it is no variable");
    let n_missing = values.evaluator.n_missing(values.terms, value, expr).unwrap_or(0);
    if n_missing > 0 {
        (0..n_missing).for_each(|_| rest.push_front(None));
        return Ok(());
    }
    if value.head().is_none() && !value.fields().is_empty() {
        // Several fields in one value.
        for _ in 1..value.fields().len() {
            rest.pop_front();
        }
        return Ok(());
    }
    match set {
        Some(set) if !set.has_element(value) => Err(Some(set)),
        _ => Ok(()),
    }
}

fn field_error(
    event: &Event,
    value: &Value,
    text: &Text,
    set: Option<Value>,
    declared: Span,
    values: &mut Values,
) -> Box<Diagnostic> {
    let value = values.evaluator.brief_text(values.terms, value);
    let set = set.map(|set| values.evaluator.brief_text(values.terms, &set)).unwrap_or_default();
    errors::not_in_field(&event.name.text, &value, &set, declared, text.span).into()
}

/// Whether the variables of quantifiers have finitely many values.
fn domains(formula: &Formula, values: &mut Values) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for node in &formula.nodes {
        let Form::Quantified { variables, domain, .. } = &node.form else { continue };
        let conjuncts = domain.conjuncts(variables);
        for variable in variables {
            let ranges = conjuncts.iter().filter(|conjunct| conjunct.variable.as_ref() == Some(&variable.text));
            if ranges.count() == 0 {
                found.push(errors::no_values(&variable.text, variable.span));
            }
        }
        for conjunct in conjuncts.iter().filter(|conjunct| conjunct.variable.is_some()) {
            if !values.known(&conjunct.text).variables.is_empty() {
                continue;
            }
            if let Err(diagnostic) = values.elements(&conjunct.text, &Environment::default()).map(drop) {
                found.push(*diagnostic);
            }
        }
    }
    found
}
