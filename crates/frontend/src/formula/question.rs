//! The question of an assertion about a formula.

use super::ground::Grounder;
use super::vocabulary::{Answer, Environment, Vocabulary};
use super::written::{self, Written};
use super::{Choices, Fair, Logic, ReadFormula, Zeno, branching, check, errors, fairness, linear};
use hashbrown::HashSet;
use ltl::syntax::{Atom, BareName, Binder, Dialect, Event, EventPattern, Field, Form, Formula, Mark, NodeId, Text};
use property::{BranchingProperty, Condition, FiniteRuns, Property, Rules, View};
use source::{Diagnostic, Severity, Span};

/// Facts that engines can distinguish.
const MAX_FACTS: usize = 61;

/// A question about a system.
#[derive(Clone, Debug)]
pub struct Question {
    /// In which logic.
    pub logic: Logic,
    /// The formula as it was written; `to_string` gives its reading with all brackets.
    pub formula: Formula,
    /// The rules for its runs.
    pub rules: Rules,
    /// The options chosen for it.
    pub choices: Choices,
    /// Remarks about it.
    pub notes: Vec<Diagnostic>,
    /// Remarks about options that do not apply to it.
    pub remarks: Vec<&'static str>,
    /// The name it has in a list of formulas.
    pub name: Option<String>,
    /// Where it stands.
    pub span: Span,
    /// The formula with names settled and named patterns replaced.
    settled: Formula,
    binders: Vec<Binder>,
}

/// The properties to decide.
#[derive(Debug)]
pub enum Lowered {
    /// The claim holds iff all of these hold. There is at least one. For each is known which parts of it were written.
    Linear(Vec<(Property, Written)>),
    /// A formula about states.
    Branching(BranchingProperty),
}

/// The meaning of the words in a formula before it is decided.
pub trait Meaning {
    /// Whether a name without brackets is that of an event, and not of something about states.
    fn is_event(&self, pattern: &EventPattern) -> bool;

    /// Names in the formula that mean nothing, where that is an error.
    fn unknown_names(&self, formula: &Formula) -> Vec<Diagnostic>;

    /// Remarks about names in the formula.
    fn notes(&self, _formula: &Formula) -> Vec<Diagnostic> {
        Vec::new()
    }

    /// Further errors in its values, fields and sets.
    fn problems(&mut self, settled: &Formula) -> Vec<Diagnostic>;
}

impl ReadFormula {
    /// Makes a question of the formula. The script must have no errors outside of its formulas.
    ///
    /// # Errors
    /// All that is wrong with the formula, at least one problem; some may be known from opening the script.
    pub fn question(&self, known: &[Diagnostic], meaning: &mut dyn Meaning) -> Result<Question, Vec<Diagnostic>> {
        let formula = self.usable(known)?;
        let settled = settle(formula, meaning).map_err(|diagnostic| vec![*diagnostic])?;
        let unknown = meaning.unknown_names(formula);
        if !unknown.is_empty() {
            return Err(unknown);
        }
        let view = check::view(&settled, self.logic, self.choices);
        let rules = match self.logic {
            Logic::Ltl => self.choices.rules(view, formula.dialect),
            Logic::Ctl => Rules::of(View::Step),
        };
        let mut problems = check::meanings(&settled, self.logic, rules);
        problems.extend(check::choices(self.logic, self.choices, self.span));
        problems.extend(meaning.problems(&settled));
        if !problems.is_empty() {
            problems.sort_by_key(|diagnostic| diagnostic.primary.span);
            problems.dedup();
            return Err(problems);
        }
        let told: Vec<Diagnostic> = self.notes.iter().filter(|note| is_about(note, rules)).cloned().collect();
        Ok(Question {
            logic: self.logic,
            formula: formula.clone(),
            rules,
            choices: self.choices,
            notes: [told, meaning.notes(formula)].concat(),
            remarks: self.remarks.clone(),
            name: self.name.clone(),
            span: self.span,
            binders: settled.binders(),
            settled,
        })
    }

    /// The formula, unless something was wrong with it when the script was opened.
    fn usable(&self, known: &[Diagnostic]) -> Result<&Formula, Vec<Diagnostic>> {
        let is_inside = |span: Span| self.place.start <= span.start && span.end <= self.place.end;
        let is_wrong = |found: &&Diagnostic| {
            let mut labels = std::iter::once(&found.primary).chain(&found.secondary);
            found.severity == Severity::Error && labels.any(|label| is_inside(label.span))
        };
        let problems: Vec<Diagnostic> = known.iter().filter(is_wrong).cloned().collect();
        match &self.formula {
            Some(formula) if problems.is_empty() => Ok(formula),
            None if problems.is_empty() => Err(vec![errors::unreadable(self.span)]),
            _ => Err(problems),
        }
    }
}

/// Whether a note about a formula is true by these rules: what is said about runs that end is said of them as they are.
fn is_about(note: &Diagnostic, rules: Rules) -> bool {
    note.code != "ltl::finite-run" || rules.finite_runs == FiniteRuns::Maximal
}

/// Says what names without brackets mean, and replaces named patterns.
fn settle(formula: &Formula, meaning: &dyn Meaning) -> Result<Formula, Box<Diagnostic>> {
    let named = formula.resolve_names(|pattern| match (meaning.is_event(pattern), formula.dialect) {
        (false, _) => BareName::State,
        (true, Dialect::Pat) => BareName::LastStep,
        (true, _) => BareName::NextStep,
    });
    named.expand()
}

impl Question {
    /// The events it speaks of that do not occur in a system with these labels. All labels must be known.
    pub fn absent<V: Vocabulary>(&self, vocabulary: &mut V) -> Vec<String> {
        let pieces = self.settled.pieces().into_iter();
        let open: HashSet<Span> =
            pieces.filter(|piece| !piece.variables.is_empty()).map(|piece| piece.text.span).collect();
        let mut absent: Vec<String> = Vec::new();
        let patterns = self.settled.nodes.iter().flat_map(|node| node.form.patterns());
        for event in patterns.flat_map(EventPattern::events) {
            let matches = vocabulary.matches(&without_variables(event, &open), &[], &Environment::default());
            let text = EventPattern::Event(event.clone()).to_string();
            if matches.is_ok_and(|matches| matches.is_empty()) && !absent.contains(&text) {
                absent.push(text);
            }
        }
        absent
    }

    /// The names without brackets in the formula, in the order in which they are written, each with the question
    /// whether it is true where one is.
    pub fn names(&self) -> Vec<(EventPattern, Question)> {
        let names = self.formula.nodes.iter().filter_map(|node| match &node.form {
            Form::Atom(Atom::Bare(pattern)) => Some((pattern.clone(), node.span)),
            _ => None,
        });
        let alone = |(pattern, span): (EventPattern, Span)| {
            let is_meant =
                |&id: &NodeId| self.settled.node(id).span == span && matches!(self.settled.form(id), Form::Atom(_));
            let body = self.settled.ids().find(is_meant)?;
            let settled = Formula { body, premise: None, ..self.settled.clone() };
            Some((pattern, Question { settled, binders: Vec::new(), ..self.clone() }))
        };
        names.filter_map(alone).collect()
    }

    /// The properties to decide for a system with the labels that the vocabulary knows. If they are not all, what is
    /// decided without looking at open states is so whatever the others are.
    ///
    /// # Errors
    /// When an expression of the formula has no value, or there are too many instances.
    pub fn lower<V: Vocabulary>(&self, vocabulary: &mut V) -> Answer<Lowered> {
        let time_passes = (self.choices.zeno == Some(Zeno::Excluded)).then_some(Condition::TimePasses);
        let chosen = self.choices.fairness.and_then(Fair::condition).into_iter().chain(time_passes).collect();
        let fairness = fairness::fairness(&self.settled, chosen, vocabulary)?;
        let written = written::nodes(&self.formula, &self.settled);
        let mut grounder = Grounder::new(&self.settled, &self.binders, written, vocabulary);
        let root = grounder.body()?;
        let Grounder { nodes, places, .. } = grounder;
        if self.logic == Logic::Ctl {
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

/// The pattern as far as it depends on no variable of the formula: fields at its end may be left out.
fn without_variables(event: &Event, open: &HashSet<Span>) -> Event {
    let is_closed = |field: &&Field| {
        let value: Option<&Text> = field.value.text().filter(|_| field.mark != Mark::Input);
        value.into_iter().chain(&field.within).all(|text| !open.contains(&text.span))
    };
    Event { fields: event.fields.iter().take_while(is_closed).cloned().collect(), ..event.clone() }
}
