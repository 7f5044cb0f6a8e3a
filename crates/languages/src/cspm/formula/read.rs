//! Formulas in and about a script, read when it is opened.

use crate::cspm::outline::logic_of;
use cspm::parse::parse_fragment;
use cspm::syntax::{
    Assertion, Ast, Decl, DeclId, ExprId, Fragment, FragmentKind, Property, TemporalForm, TemporalLogic,
};
use frontend::formula::{self, Asked, AskedFormula, Choices, FormulaText, Logic, ReadFormula, Reduce, Setting};
use ltl::syntax::{Dialect, Formula, Piece, PieceKind};
use source::{Diagnostic, SourceMap, Span};

/// Reads all formulas of a script and those from outside, which become assertions.
pub(crate) fn read_formulas(
    asked: Option<&Asked>,
    ast: &mut Ast,
    map: &mut SourceMap,
) -> (Vec<ReadFormula>, Vec<Diagnostic>) {
    let Some(asked) = asked else { return read_all(ast, map, Choices::default(), &[]) };
    let (added, mut diagnostics) = add_asked(asked, ast, map);
    let (formulas, wrong) = read_all(ast, map, asked.choices, &added);
    diagnostics.extend(wrong);
    (formulas, diagnostics)
}

/// Adds assertions for formulas from outside.
fn add_asked(asked: &Asked, ast: &mut Ast, map: &mut SourceMap) -> (Vec<AskedFormula>, Vec<Diagnostic>) {
    if asked.texts.is_empty() {
        return (Vec::new(), Vec::new());
    }
    let place = map.add("<process>", asked.process).unwrap_or_default();
    let process = match parse_fragment(map, place, &[], ast) {
        Ok(process) => process,
        Err(diagnostics) => return (Vec::new(), diagnostics),
    };
    let (formulas, diagnostics) = asked.formulas(map);
    formulas.iter().for_each(|formula| add_assertion(ast, process, formula));
    (formulas, diagnostics)
}

fn add_assertion(ast: &mut Ast, process: ExprId, asked: &AskedFormula) {
    let property = Property::Temporal {
        process,
        logic: match asked.logic {
            Logic::Ltl => TemporalLogic::Ltl,
            Logic::Ctl => TemporalLogic::Ctl,
        },
        formula: asked.text.as_str().into(),
        formula_span: asked.span,
        form: TemporalForm::Outside,
        options: Box::default(),
        fragments: Box::default(),
    };
    let assertion = Assertion { negated: false, property, tau_priority: None, partial_order: None, span: asked.span };
    let decl = ast.add_decl(Decl::Assert(assertion), asked.span);
    ast.top.push(decl);
}

/// Reads all formulas of a script, and the expressions in them.
fn read_all(
    ast: &mut Ast,
    map: &SourceMap,
    forced: Choices,
    asked: &[AskedFormula],
) -> (Vec<ReadFormula>, Vec<Diagnostic>) {
    let (mut formulas, mut diagnostics) = (Vec::new(), Vec::new());
    for index in 0..ast.n_decls() {
        let decl = DeclId(index as u32);
        let Decl::Assert(assertion) = ast.decl(decl) else { continue };
        let Some((read, wrong)) = read_one(assertion, forced, asked) else { continue };
        diagnostics.extend(wrong);
        if let Some(formula) = &read.formula {
            let fragments = read_fragments(formula, ast, map, &mut diagnostics);
            set_fragments(ast, decl, fragments);
        }
        formulas.push(read);
    }
    (formulas, diagnostics)
}

fn read_one(assertion: &Assertion, forced: Choices, asked: &[AskedFormula]) -> Option<(ReadFormula, Vec<Diagnostic>)> {
    let Property::Temporal { logic, formula: text, formula_span, form, options, .. } = &assertion.property else {
        return None;
    };
    let owned = |(text, span): &(Box<str>, Span)| (text.to_string(), *span);
    let settings: Vec<Setting> =
        options.iter().map(|option| Setting { name: owned(&option.name), value: owned(&option.value) }).collect();
    let text = FormulaText {
        logic: logic_of(*logic),
        text,
        span: *formula_span,
        place: if *form == TemporalForm::Pragma { assertion.span } else { *formula_span },
        dialect: match form {
            TemporalForm::Satisfies | TemporalForm::Pragma => Dialect::ProB,
            TemporalForm::Bracketed | TemporalForm::Outside => Dialect::Csp,
        },
        settings: &settings,
        reduce: assertion.partial_order.map(|_| Reduce::PartialOrder),
        name: asked.iter().find(|asked| asked.span == *formula_span).and_then(|asked| asked.name.clone()),
    };
    Some(formula::read(&text, forced))
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
