//! What an assertion about a formula asks.

use super::ground::Grounder;
use super::pattern::{Alphabet, Occurring};
use super::values::{Environment, Expressions, Values, expressions, name_at};
use super::written::{self, Written};
use super::{Choices, ReadFormula, branching, check, errors, fairness, linear};
use crate::Session;
use cspm::evaluate::Evaluator;
use cspm::resolve::{NameKind, Resolved};
use cspm::syntax::{Property as Asserted, TemporalLogic};
use ltl::syntax::{BareName, Binder, Dialect, Event, EventPattern, Field, Formula, Mark};
use process::Terms;
use source::{Diagnostic, Severity, Span};
use temporal::{FiniteRuns, Property, Rules, View, ctl};

/// Engines tell so many facts apart.
const MAX_FACTS: usize = 61;

/// What is asked of a system.
#[derive(Debug)]
pub struct Question {
    /// In which logic.
    pub logic: TemporalLogic,
    /// The formula as it was written; `to_string` gives its reading with all brackets.
    pub formula: Formula,
    /// The rules for its runs.
    pub rules: Rules,
    /// What was chosen for it.
    pub choices: Choices,
    /// What is worth knowing about it.
    pub notes: Vec<Diagnostic>,
    /// What was chosen and does not count for it.
    pub remarks: Vec<&'static str>,
    /// The name it has in a list of formulas.
    pub name: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// The formula with names settled and named patterns replaced.
    settled: Formula,
    binders: Vec<Binder>,
    expressions: Expressions,
}

/// What there is to decide.
#[derive(Debug)]
pub enum Lowered {
    /// The claim holds iff all of these hold. There is at least one. For each is known which parts of it were written.
    Linear(Vec<(Property, Written)>),
    /// A formula about states.
    Branching(ctl::Property),
}

/// Makes a question of an assertion about a formula. The script must have no errors outside of its formulas.
///
/// # Errors
/// All that is wrong with the formula, at least one problem, at its places in the source map of the session.
///
/// # Panics
/// When the assertion is about something else than a formula, or of another session.
pub fn read<'a>(
    session: &'a Session,
    evaluator: &mut Evaluator<'a>,
    terms: &mut Terms,
    asserted: &Asserted,
) -> Result<Question, Vec<Diagnostic>> {
    let Asserted::Temporal { logic, formula_span, fragments, .. } = asserted else {
        panic!("the assertion is about no formula");
    };
    let read = session.formulas.iter().find(|formula| formula.span == *formula_span);
    let read = read.expect("all formulas of a session were read");
    let formula = usable(session, read)?;
    let expressions = expressions(formula, fragments);
    let settled = settle(formula, &expressions, &session.resolved);
    let settled = settled.map_err(|diagnostic| vec![*diagnostic])?;
    let unknown = check::unknown_names(formula, &expressions, &session.resolved);
    if !unknown.is_empty() {
        return Err(unknown);
    }
    let view = check::view(&settled, *logic, read.choices);
    let rules = match logic {
        TemporalLogic::Ltl => read.choices.rules(view, formula.dialect),
        TemporalLogic::Ctl => Rules::of(View::Step),
    };
    let mut values = Values::new(&expressions, evaluator, terms);
    let mut problems = check::meanings(&settled, *logic, rules);
    problems.extend(check::choices(*logic, read.choices, read.span));
    problems.extend(check::fields(&settled, &mut values, &session.resolved));
    problems.extend(check::domains(&settled, &mut values));
    if !problems.is_empty() {
        problems.sort_by_key(|diagnostic| diagnostic.primary.span);
        problems.dedup();
        return Err(problems);
    }
    Ok(Question {
        logic: *logic,
        formula: formula.clone(),
        rules,
        choices: read.choices,
        notes: read.notes.iter().filter(|note| is_about(note, rules)).cloned().collect(),
        remarks: read.remarks.clone(),
        name: read.name.clone(),
        span: read.span,
        binders: settled.binders(),
        settled,
        expressions,
    })
}

/// Whether a note about a formula is true by these rules: what is said about runs that end is said of them as they are.
fn is_about(note: &Diagnostic, rules: Rules) -> bool {
    note.code != "ltl::finite-run" || rules.finite_runs == FiniteRuns::Maximal
}

/// The formula, unless something was wrong with it when the session was opened.
fn usable<'s>(session: &'s Session, read: &'s ReadFormula) -> Result<&'s Formula, Vec<Diagnostic>> {
    let is_inside = |span: Span| read.place.start <= span.start && span.end <= read.place.end;
    let is_wrong = |found: &&Diagnostic| {
        let mut labels = std::iter::once(&found.primary).chain(&found.secondary);
        found.severity == Severity::Error && labels.any(|label| is_inside(label.span))
    };
    let problems: Vec<Diagnostic> = session.diagnostics.iter().filter(is_wrong).cloned().collect();
    match &read.formula {
        Some(formula) if problems.is_empty() => Ok(formula),
        None if problems.is_empty() => Err(vec![errors::unreadable(read.span)]),
        _ => Err(problems),
    }
}

/// Says what names without brackets mean, and replaces named patterns.
fn settle(formula: &Formula, expressions: &Expressions, resolved: &Resolved) -> Result<Formula, Box<Diagnostic>> {
    let is_channel = |pattern: &EventPattern| match pattern {
        EventPattern::Event(event) => {
            let name = name_at(expressions, resolved, &event.name);
            name.is_some_and(|name| matches!(resolved.name(name).kind, NameKind::Channel(_)))
        }
        _ => true,
    };
    let named = formula.resolve_names(|pattern| match (is_channel(pattern), formula.dialect) {
        (false, _) => BareName::State,
        (true, Dialect::Pat) => BareName::LastStep,
        (true, _) => BareName::NextStep,
    });
    named.expand()
}

/// The pattern as far as it depends on nothing: fields at its end may be left out.
fn without_variables(event: &Event, values: &Values) -> Event {
    let is_closed = |field: &&Field| {
        let value = field.value.text().filter(|_| field.mark != Mark::Input);
        value.into_iter().chain(&field.within).all(|text| values.known(text).variables.is_empty())
    };
    Event { fields: event.fields.iter().take_while(is_closed).cloned().collect(), ..event.clone() }
}

impl Question {
    /// The events it speaks of that do not occur in a system with these labels, as far as that is known.
    pub fn absent<'a>(
        &self,
        session: &'a Session,
        evaluator: &mut Evaluator<'a>,
        terms: &mut Terms,
        occurring: &Occurring,
    ) -> Vec<String> {
        if !occurring.are_all {
            return Vec::new();
        }
        let mut values = Values::new(&self.expressions, evaluator, terms);
        let alphabet = Alphabet::new(occurring, &values);
        let mut absent: Vec<String> = Vec::new();
        let patterns = self.settled.nodes.iter().flat_map(|node| node.form.patterns());
        for event in patterns.flat_map(EventPattern::events) {
            let closed = without_variables(event, &values);
            let matches = alphabet.matches(&closed, &[], &Environment::default(), &mut values, &session.resolved);
            let text = EventPattern::Event(event.clone()).to_string();
            if matches.is_ok_and(|matches| matches.is_empty()) && !absent.contains(&text) {
                absent.push(text);
            }
        }
        absent
    }

    /// What there is to decide for a system with these labels. If they are not all, what is decided without looking at open states is
    /// so whatever the others are.
    ///
    /// # Errors
    /// When an expression of the formula has no value, or there are too many instances.
    pub fn lower<'a>(
        &self,
        session: &'a Session,
        evaluator: &mut Evaluator<'a>,
        terms: &mut Terms,
        occurring: &Occurring,
    ) -> Result<Lowered, Box<Diagnostic>> {
        let resolved = &session.resolved;
        let mut values = Values::new(&self.expressions, evaluator, terms);
        let mut alphabet = Alphabet::new(occurring, &values);
        let chosen = self.choices.fairness.and_then(super::Fair::condition);
        let fairness = fairness::fairness(&self.settled, chosen, &mut alphabet, &mut values, resolved)?;
        let written = written::nodes(&self.formula, &self.settled);
        let mut grounder = Grounder::new(&self.settled, &self.binders, written, &mut values, &mut alphabet, resolved);
        let root = grounder.body()?;
        let Grounder { nodes, places, .. } = grounder;
        if self.logic == TemporalLogic::Ctl {
            return Ok(Lowered::Branching(branching::property(&nodes, root)));
        }
        let properties = linear::properties(&nodes, &places, root, &fairness);
        let most = properties.iter().map(|(property, _)| property.facts.len()).max().unwrap_or(0);
        if most > MAX_FACTS {
            return Err(errors::too_many_facts(MAX_FACTS, most, self.span).into());
        }
        Ok(Lowered::Linear(properties))
    }
}
