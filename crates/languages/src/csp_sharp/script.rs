//! A CSP# script read once.

use super::formula::numbers;
use super::semantics::SharpSemantics;
use csp_sharp::first_faults;
use csp_sharp::resolve::{self, Outside, Property, Resolved};
use csp_sharp::syntax;
use csp_sharp::{Reading, parse};
use frontend::formula::{self, AskedFormula, Choices, FormulaText, ReadFormula};
use frontend::{Addition, Assertion, Mention, Opening, PrintText, Script, Semantics, Symbol, TypeAt, Visible};
use ltl::syntax::Dialect;
use progress::Progress;
use source::{Diagnostic, Phase, Severity, SourceMap, Span};
use std::sync::Arc;

/// A script with all that is known about it.
#[derive(Debug)]
pub(super) struct SharpScript {
    pub(super) map: SourceMap,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) resolved: Resolved,
    pub(super) formulas: Vec<ReadFormula>,
    /// How many assertions stand in the script; the others were asked from outside.
    pub(super) n_written: usize,
    /// The expression that was added, as it is written.
    expression: Option<(Span, String)>,
}

/// The addition to a script, read.
#[derive(Default)]
struct Added {
    process: Option<syntax::Process>,
    expression: Option<syntax::Expr>,
    temporal: Vec<syntax::Assertion>,
    asked: Vec<AskedFormula>,
    choices: Choices,
    shown: Option<(Span, String)>,
}

impl SharpScript {
    pub(super) fn open(opening: &Opening<'_>) -> SharpScript {
        let mut map = SourceMap::new();
        let reading = Reading::new(opening.progress);
        let (mut read, mut diagnostics) = parse::parse_script(opening.files, opening.path, &mut map, &reading);
        let added = read_addition(opening.addition, &mut map, &mut diagnostics);
        let outside = Outside {
            process: added.process.as_ref(),
            expression: added.expression.as_ref(),
            temporal: &added.temporal,
        };
        read.is_timed |= added.process.as_ref().is_some_and(|process| parse::uses_time(&map, process.span));
        let (resolved, wrong) = resolve::resolve(&read, outside, &reading);
        diagnostics.extend(wrong);
        if diagnostics.iter().all(|found| found.severity != Severity::Error) {
            diagnostics.extend(first_faults(&resolved));
        }
        note_other_language(&map, &mut diagnostics);
        let n_written = resolved.assertions.len() - added.temporal.len();
        let mut script =
            SharpScript { map, diagnostics, resolved, formulas: Vec::new(), n_written, expression: added.shown };
        script.read_formulas(added.choices, &added.asked);
        script.diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        script
    }

    fn read_formulas(&mut self, forced: Choices, asked: &[AskedFormula]) {
        for assertion in &self.resolved.assertions {
            let Property::Temporal(span) = assertion.property else { continue };
            let asked = asked.iter().find(|asked| asked.span == span);
            let text = FormulaText {
                logic: asked.map_or(formula::Logic::Ltl, |asked| asked.logic),
                text: self.map.text(span),
                span,
                place: span,
                dialect: Dialect::Pat,
                settings: &[],
                reduce: None,
                name: asked.and_then(|asked| asked.name.clone()),
            };
            let (read, wrong) = formula::read(&text, forced);
            self.diagnostics.extend(wrong);
            self.diagnostics.extend(read.formula.iter().flat_map(|formula| numbers(&self.resolved, formula)));
            self.formulas.push(read);
        }
    }
}

/// The language of a script may have been recognized wrongly.
fn note_other_language(map: &SourceMap, diagnostics: &mut [Diagnostic]) {
    let Some(file) = map.files().first() else { return };
    let is_wrong = |found: &&mut Diagnostic| found.severity == Severity::Error && found.phase == Phase::Parse;
    if let Some(first) = diagnostics.iter_mut().find(is_wrong)
        && crate::guess::find_at_line_start(&file.text, super::WORDS).is_none()
    {
        let help = match crate::guess::final_semicolon(&file.text) {
            Some(_) => "the script ends with `;`, as only CSP# does: if this is CSPM, say `--language cspm`",
            None => "no line begins with `#define` or `#assert`: if this is CSPM, leave `--language csp-sharp` out",
        };
        first.help.push(help.to_owned());
    }
}

fn read_addition(addition: Addition<'_>, map: &mut SourceMap, diagnostics: &mut Vec<Diagnostic>) -> Added {
    let mut added = Added::default();
    match addition {
        Addition::Nothing => {}
        Addition::Expression(text) => {
            let span = map.add("<expression>", text).unwrap_or_default();
            added.shown = Some((span, text.trim().to_owned()));
            match parse::parse_expression(map, span) {
                Ok(expression) => added.expression = Some(expression),
                Err(problem) => diagnostics.push(*problem),
            }
        }
        Addition::Process(text) => {
            let span = map.add("<process>", text).unwrap_or_default();
            match parse::parse_process(map, span) {
                Ok(process) => added.process = Some(process),
                Err(problem) => diagnostics.push(*problem),
            }
        }
        Addition::Formulas(given) => {
            added.choices = given.choices;
            if given.texts.is_empty() {
                return added;
            }
            let process_span = map.add("<process>", given.process).unwrap_or_default();
            let (formulas, wrong) = given.formulas(map);
            diagnostics.extend(wrong);
            match parse::parse_reference(map, process_span) {
                Ok(process) => {
                    added.temporal = formulas
                        .iter()
                        .map(|asked| syntax::Assertion {
                            process: process.clone(),
                            property: syntax::Property::Temporal(asked.span),
                            span: asked.span,
                            process_span,
                        })
                        .collect();
                    added.asked = formulas;
                }
                Err(problem) => diagnostics.push(*problem),
            }
        }
    }
    added
}

impl Script for SharpScript {
    fn source_map(&self) -> &SourceMap {
        &self.map
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn formulas(&self) -> &[ReadFormula] {
        &self.formulas
    }

    fn symbols(&self) -> Vec<Symbol> {
        self.find_symbols()
    }

    fn processes(&self) -> Vec<String> {
        let definitions = self.resolved.code.definitions.iter();
        definitions.filter(|definition| definition.n_parameters == 0).map(|found| format!("{}()", found.name)).collect()
    }

    fn assertions(&self) -> Vec<Assertion> {
        (0..self.resolved.assertions.len()).map(|number| self.describe(number)).collect()
    }

    fn prints(&self) -> Vec<PrintText> {
        let print = |(span, text): &(Span, String)| PrintText { span: *span, text: text.clone() };
        self.expression.iter().map(print).collect()
    }

    fn definition_at(&self, offset: u32) -> Option<Span> {
        self.name_at(offset).map(|(_, declared)| declared)
    }

    fn uses_at(&self, offset: u32) -> Vec<Span> {
        let Some((_, wanted)) = self.name_at(offset) else { return Vec::new() };
        let uses = self.resolved.uses.iter().filter(|(_, declared)| *declared == wanted).map(|(span, _)| *span);
        let mut spans: Vec<Span> = uses.chain([wanted]).collect();
        spans.sort();
        spans.dedup();
        spans
    }

    fn type_at(&self, offset: u32) -> Option<TypeAt> {
        self.find_type(offset)
    }

    fn mentions(&self) -> Vec<Mention> {
        self.find_mentions()
    }

    fn visible_at(&self, offset: u32) -> Vec<Visible> {
        self.find_visible(offset)
    }

    fn semantics(&self, progress: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        match self.resolved.code.is_timed {
            true => Box::new(SharpSemantics::<true>::new(self, progress)),
            false => Box::new(SharpSemantics::<false>::new(self, progress)),
        }
    }
}
