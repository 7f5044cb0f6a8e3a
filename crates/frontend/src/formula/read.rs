//! Formulas in and about a script, read when it is opened.

use super::{Choices, Reduce, Setting};
use ltl::syntax::{Dialect, Formula, parse_ctl, parse_ltl};
use source::{Diagnostic, Severity, Span};

/// A logic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Logic {
    /// Of runs.
    Ltl,
    /// Of the tree of all runs.
    Ctl,
}

/// A formula as it stands in a script.
#[derive(Clone, Debug)]
pub struct FormulaText<'a> {
    /// In which logic.
    pub logic: Logic,
    /// The text.
    pub text: &'a str,
    /// Where it stands.
    pub span: Span,
    /// Problems here are those of the formula, and the script is usable without it.
    pub place: Span,
    /// Whose rules it is read by, unless something else is chosen.
    pub dialect: Dialect,
    /// The options chosen with it.
    pub settings: &'a [Setting],
    /// How the script wants the system to be made smaller.
    pub reduce: Option<Reduce>,
    /// Its name in a list of formulas.
    pub name: Option<String>,
}

/// A formula of a script.
#[derive(Debug)]
pub struct ReadFormula {
    /// In which logic.
    pub logic: Logic,
    /// Where the formula stands.
    pub span: Span,
    /// Problems here are those of the formula, and the script is usable without it.
    pub place: Span,
    /// Its name in a list of formulas.
    pub name: Option<String>,
    /// The options chosen for it.
    pub choices: Choices,
    /// The formula, unless it has errors.
    pub formula: Option<Formula>,
    /// Remarks about it.
    pub notes: Vec<Diagnostic>,
    /// Remarks about options of all formulas that do not apply to this one.
    pub remarks: Vec<&'static str>,
}

/// Reads a formula. Some choices may be made from outside, whatever the script says.
pub fn read(text: &FormulaText<'_>, forced: Choices) -> (ReadFormula, Vec<Diagnostic>) {
    let (forced, remarks) = match text.logic {
        Logic::Ltl => (forced, Vec::new()),
        Logic::Ctl => forced.for_branching(),
    };
    let mut place = text.place;
    let (choices, mut diagnostics) = match Choices::of_options(text.settings) {
        Ok(choices) => (forced.or(choices).or(Choices { reduce: text.reduce, ..Choices::default() }), Vec::new()),
        Err(wrong) => {
            place = text.settings.iter().fold(place, |place, setting| place.to(setting.name.1));
            (forced, wrong)
        }
    };
    let parse = if text.logic == Logic::Ltl { parse_ltl } else { parse_ctl };
    let parsed = parse(text.text, text.span.start, choices.dialect.unwrap_or(text.dialect));
    let (notes, problems): (_, Vec<Diagnostic>) =
        parsed.diagnostics.into_iter().partition(|found| found.severity == Severity::Note);
    diagnostics.extend(problems);
    let (logic, span, name) = (text.logic, text.span, text.name.clone());
    (ReadFormula { logic, span, place, name, choices, formula: parsed.formula, notes, remarks }, diagnostics)
}

/// Whether a problem concerns a formula only.
pub fn concerns_formula(formulas: &[ReadFormula], diagnostic: &Diagnostic) -> bool {
    let is_inside =
        |span: Span| formulas.iter().any(|formula| formula.place.start <= span.start && span.end <= formula.place.end);
    is_inside(diagnostic.primary.span)
        // A name that means nothing may be used elsewhere, too.
        && (!diagnostic.code.ends_with("::unknown-name") || diagnostic.secondary.iter().all(|label| is_inside(label.span)))
}

/// Adds to what is said of an unknown name in a formula how a formula gives names a value. `before` is the text before
/// it.
pub fn explain_unknown(formulas: &[ReadFormula], before: &str, diagnostic: &mut Diagnostic) {
    if !diagnostic.code.ends_with("::unknown-name") || !concerns_formula(formulas, diagnostic) {
        return;
    }
    let Some(mark) = before.chars().next_back().filter(|mark| ['.', '!'].contains(mark)) else { return };
    let Some(name) = diagnostic.title.split('`').nth(1).map(str::to_owned) else { return };
    let help = format!(
        "to bind it in the formula, write `?{name}` for `{mark}{name}` where the event gives it a value, or `forall {name}:T @ ...` around all"
    );
    diagnostic.help.insert(0, help);
}
