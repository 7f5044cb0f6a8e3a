//! Formulas in and about a script, read when it is opened.
//!
//! A formula is read before names are settled, because it holds expressions of the script: names of channels, values of fields,
//! sets. These become parts of the assertion, so that names and types in them are checked with everything else, and what is
//! wrong is told at its place in the formula.

use super::{Choices, Reduce};
use cspm::parse::parse_fragment;
use cspm::syntax::{
    Assertion, Ast, Decl, DeclId, ExprId, Fragment, FragmentKind, Property, TemporalForm, TemporalLogic,
};
use ltl::syntax::{Formula, Piece, PieceKind, parse_ctl, parse_list, parse_ltl};
use source::{Diagnostic, Severity, SourceMap, Span};

/// Formulas from outside of a script, each to become an assertion behind those of the script.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The process they are about, an expression of the script.
    pub process: &'a str,
    /// The formulas.
    pub texts: &'a [AskedText<'a>],
    /// What is chosen for these formulas and for those of the script, whatever the script says.
    pub choices: Choices,
}

/// A text with formulas.
#[derive(Clone, Copy, Debug)]
pub struct AskedText<'a> {
    /// What messages call it.
    pub path: &'a str,
    /// The text.
    pub text: &'a str,
    /// In which logic.
    pub logic: TemporalLogic,
    /// Whether it has a formula on each line, perhaps with names, rather than being one.
    pub is_list: bool,
}

/// A formula of a session.
#[derive(Debug)]
pub(crate) struct ReadFormula {
    /// Where the formula stands.
    pub span: Span,
    /// Problems here are those of the formula, and the script is usable without it.
    pub place: Span,
    /// Its name in a list of formulas.
    pub name: Option<String>,
    /// What was chosen for it.
    pub choices: Choices,
    /// The formula, unless it has errors.
    pub formula: Option<Formula>,
    /// What is worth knowing about it.
    pub notes: Vec<Diagnostic>,
    /// What was chosen for all formulas and does not count for this one.
    pub remarks: Vec<&'static str>,
}

/// Reads all formulas of a script and those from outside, which become assertions.
pub(crate) fn read_formulas(
    asked: Option<&Asked>,
    ast: &mut Ast,
    map: &mut SourceMap,
) -> (Vec<ReadFormula>, Vec<Diagnostic>) {
    let Some(asked) = asked else { return read_all(ast, map, Choices::default(), Vec::new()) };
    let (names, mut diagnostics) = add_asked(asked, ast, map);
    let (formulas, wrong) = read_all(ast, map, asked.choices, names);
    diagnostics.extend(wrong);
    (formulas, diagnostics)
}

/// Adds assertions for formulas from outside.
fn add_asked(asked: &Asked, ast: &mut Ast, map: &mut SourceMap) -> (Vec<Named>, Vec<Diagnostic>) {
    let mut names = Vec::new();
    if asked.texts.is_empty() {
        return (names, Vec::new());
    }
    let place = map.add("<process>", asked.process).unwrap_or_default();
    let process = match parse_fragment(map, place, &[], ast) {
        Ok(process) => process,
        Err(diagnostics) => return (names, diagnostics),
    };
    let mut diagnostics = Vec::new();
    for text in asked.texts {
        let whole = map.add(text.path, text.text).unwrap_or_default();
        if !text.is_list {
            add_assertion(ast, process, text.logic, text.text, whole);
            continue;
        }
        let (entries, wrong) = parse_list(text.text, whole.start);
        diagnostics.extend(wrong);
        for entry in entries {
            let logic = if entry.is_branching { TemporalLogic::Ctl } else { text.logic };
            add_assertion(ast, process, logic, &entry.formula.text, entry.formula.span);
            names.extend(entry.name.map(|name| Named { span: entry.formula.span, name: name.text }));
        }
    }
    (names, diagnostics)
}

/// The name of the formula at a place.
struct Named {
    span: Span,
    name: String,
}

fn add_assertion(ast: &mut Ast, process: ExprId, logic: TemporalLogic, formula: &str, span: Span) {
    let property = Property::Temporal {
        process,
        logic,
        formula: formula.into(),
        formula_span: span,
        form: TemporalForm::Outside,
        options: Box::default(),
        fragments: Box::default(),
    };
    let assertion = Assertion { negated: false, property, tau_priority: None, partial_order: None, span };
    let decl = ast.add_decl(Decl::Assert(assertion), span);
    ast.top.push(decl);
}

/// Reads all formulas of a script, and the expressions in them.
fn read_all(ast: &mut Ast, map: &SourceMap, forced: Choices, names: Vec<Named>) -> (Vec<ReadFormula>, Vec<Diagnostic>) {
    let (mut formulas, mut diagnostics) = (Vec::new(), Vec::new());
    for index in 0..ast.n_decls() {
        let decl = DeclId(index as u32);
        let Decl::Assert(Assertion { property, span, partial_order, .. }) = ast.decl(decl) else { continue };
        let Property::Temporal { logic, formula, formula_span, form, options, .. } = property else { continue };
        let place = if *form == TemporalForm::Pragma { *span } else { *formula_span };
        let name = names.iter().find(|named| named.span == *formula_span).map(|named| named.name.clone());
        let (forced, remarks) = match logic {
            TemporalLogic::Ltl => (forced, Vec::new()),
            TemporalLogic::Ctl => forced.for_branching(),
        };
        let mut read = ReadFormula {
            span: *formula_span,
            place,
            name,
            choices: forced,
            formula: None,
            notes: Vec::new(),
            remarks,
        };
        match Choices::of_options(options) {
            Ok(choices) => {
                let reduce = partial_order.map(|_| Reduce::PartialOrder);
                read.choices = forced.or(choices).or(Choices { reduce, ..Choices::default() });
            }
            Err(wrong) => {
                read.place = options.iter().fold(read.place, |place, option| place.to(option.name.1));
                diagnostics.extend(wrong);
            }
        }
        let dialect = read.choices.dialect_for(*form);
        let parse = if *logic == TemporalLogic::Ltl { parse_ltl } else { parse_ctl };
        let parsed = parse(formula, formula_span.start, dialect);
        let (notes, problems) = parsed.diagnostics.into_iter().partition(|found| found.severity == Severity::Note);
        read.notes = notes;
        diagnostics.extend::<Vec<Diagnostic>>(problems);
        if let Some(formula) = parsed.formula {
            let fragments = read_fragments(&formula, ast, map, &mut diagnostics);
            set_fragments(ast, decl, fragments);
            read.formula = Some(formula);
        }
        formulas.push(read);
    }
    (formulas, diagnostics)
}

fn read_fragments(
    formula: &Formula,
    ast: &mut Ast,
    map: &SourceMap,
    diagnostics: &mut Vec<Diagnostic>,
) -> Vec<Fragment> {
    let mut fragments: Vec<Fragment> = Vec::new();
    let pieces = formula.pieces().into_iter().filter(|piece| !piece.is_variable());
    for Piece { text, kind, variables } in pieces {
        let names: Vec<(&str, Span)> =
            variables.iter().map(|variable| (variable.text.as_str(), variable.span)).collect();
        match parse_fragment(map, text.span, &names, ast) {
            Ok(expr) => {
                let kind = match kind {
                    PieceKind::Name | PieceKind::Value => FragmentKind::Value,
                    PieceKind::Predicate => FragmentKind::Predicate,
                    PieceKind::Set => FragmentKind::Set,
                };
                fragments.push(Fragment { span: text.span, expr, n_variables: names.len(), kind });
            }
            Err(wrong) => diagnostics.extend(wrong),
        }
    }
    fragments
}

fn set_fragments(ast: &mut Ast, decl: DeclId, found: Vec<Fragment>) {
    if let Decl::Assert(Assertion { property: Property::Temporal { fragments, .. }, .. }) = ast.decl_mut(decl) {
        *fragments = found.into();
    }
}

/// Whether a problem concerns a formula only.
pub(crate) fn concerns_formula(formulas: &[ReadFormula], diagnostic: &Diagnostic) -> bool {
    let is_inside =
        |span: Span| formulas.iter().any(|formula| formula.place.start <= span.start && span.end <= formula.place.end);
    // An unknown name may be used elsewhere, too.
    let is_name = diagnostic.code == "cspm::unknown-name";
    is_inside(diagnostic.primary.span) && (!is_name || diagnostic.secondary.iter().all(|label| is_inside(label.span)))
}
