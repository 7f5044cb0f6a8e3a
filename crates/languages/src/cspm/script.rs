//! A CSPM script read once.

use super::formula::{names, read_formulas};
use super::semantics::CspmSemantics;
use cspm::resolve::Resolved;
use cspm::syntax::{Decl, DeclId, ExprId};
use cspm::typecheck::Types;
use frontend::formula::{ReadFormula, explain_unknown};
use frontend::{
    Addition, Assertion, Mention, Opening, PrintText, Script, Semantics, Symbol, Tester, TypeAt, Visible,
    WatchdogToWrite,
};
use progress::Progress;
use source::{Diagnostic, Phase, Severity, SourceMap, Span};
use std::sync::Arc;

/// A script with all that is known about it.
#[derive(Debug)]
pub(super) struct CspmScript {
    pub(super) map: SourceMap,
    pub(super) diagnostics: Vec<Diagnostic>,
    pub(super) resolved: Resolved,
    pub(super) types: Types,
    /// The formulas of its assertions.
    pub(super) formulas: Vec<ReadFormula>,
}

impl CspmScript {
    pub(super) fn open(opening: &Opening<'_>) -> CspmScript {
        let (expression, asked) = match opening.addition {
            Addition::Nothing => (None, None),
            Addition::Expression(text) | Addition::Process(text) => (Some(text), None),
            Addition::Formulas(asked) => (None, Some(asked)),
        };
        let mut map = SourceMap::new();
        let (mut ast, mut diagnostics) = cspm::parse::parse_script(opening.files, opening.path, &mut map, expression);
        let (formulas, problems) = read_formulas(asked, &mut ast, &mut map);
        diagnostics.extend(problems);
        let (resolved, unknown) = cspm::resolve::resolve_names(ast);
        let (types, mistypings) = cspm::typecheck::infer_types(&resolved, opening.progress);
        diagnostics.extend(unknown);
        diagnostics.extend(mistypings);
        diagnostics.extend(names(&formulas, &resolved, &types));
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        for diagnostic in &mut diagnostics {
            let (file, place) = (map.file_of(diagnostic.primary.span), diagnostic.primary.span.start);
            let before = file.text.get(..(place - file.start) as usize).unwrap_or_default();
            explain_unknown(&formulas, before, diagnostic);
        }
        let mut script = CspmScript { map, diagnostics, resolved, types, formulas };
        if matches!(opening.addition, Addition::Process(_)) {
            script.expect_process();
        }
        script
    }

    /// A name that no name in the script or in what it includes begins with.
    pub(super) fn fresh(&self, word: &str) -> String {
        let is_between = |letter: char| !letter.is_alphanumeric() && letter != '_';
        let mut fresh = word.to_owned();
        let is_used = |fresh: &str| {
            let mut texts = self.map.files().iter().map(|file| &file.text);
            texts.any(|text| text.split(is_between).any(|name| name.starts_with(fresh)))
        };
        while is_used(&fresh) {
            fresh.push('_');
        }
        fresh
    }

    /// Complains if the added expression is no process.
    fn expect_process(&mut self) {
        let is_error = |diagnostic: &Diagnostic| diagnostic.severity == Severity::Error;
        let Some(expr) = self.print_expressions().pop().map(|(expr, _)| expr) else { return };
        if self.types.is_process(expr) || self.diagnostics.iter().any(is_error) {
            return;
        }
        let ty = self.types.of_expr(expr).map(|ty| self.types.display(&self.resolved, ty)).unwrap_or_default();
        self.diagnostics.push(not_a_process(self.resolved.ast.expr_span(expr), &ty));
    }

    /// The declarations of the program, those in timed sections included, in source order.
    pub(super) fn declarations(&self) -> Vec<DeclId> {
        let mut found = Vec::new();
        let mut pending: Vec<DeclId> = self.resolved.program.iter().rev().copied().collect();
        while let Some(decl) = pending.pop() {
            found.push(decl);
            if let Decl::Timed { declarations, .. } = self.resolved.ast.decl(decl) {
                pending.extend(declarations.iter().rev());
            }
        }
        found
    }

    /// Its assertions, in source order.
    pub(super) fn asserted(&self) -> impl Iterator<Item = &cspm::syntax::Assertion> {
        self.declarations().into_iter().filter_map(|decl| match self.resolved.ast.decl(decl) {
            Decl::Assert(assertion) => Some(assertion),
            _ => None,
        })
    }

    pub(super) fn print_expressions(&self) -> Vec<(ExprId, String)> {
        let print = |decl| match self.resolved.ast.decl(decl) {
            Decl::Print(expr, text) => Some((*expr, text.trim().to_owned())),
            _ => None,
        };
        self.declarations().into_iter().filter_map(print).collect()
    }
}

impl Script for CspmScript {
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
        self.find_processes()
    }

    fn assertions(&self) -> Vec<Assertion> {
        self.asserted().enumerate().map(|(place, assertion)| self.describe(place + 1, assertion)).collect()
    }

    fn prints(&self) -> Vec<PrintText> {
        let print = |(expr, text)| PrintText { span: self.resolved.ast.expr_span(expr), text };
        self.print_expressions().into_iter().map(print).collect()
    }

    fn definition_at(&self, offset: u32) -> Option<Span> {
        self.find_definition(offset)
    }

    fn uses_at(&self, offset: u32) -> Vec<Span> {
        self.find_uses(offset)
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

    fn field_values(&self, name: &str, field: usize) -> Vec<Visible> {
        self.find_field_values(name, field)
    }

    fn tester(&self, tester: &Tester<'_>) -> Option<String> {
        Some(super::tester::script(tester, |word| self.fresh(word)))
    }

    fn watchdogs(&self, include: &str, watchdogs: &[WatchdogToWrite<'_>]) -> Result<String, String> {
        super::watchdog::script(self, include, watchdogs)
    }

    fn semantics(&self, progress: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        Box::new(CspmSemantics::new(self, progress))
    }
}

fn not_a_process(span: Span, type_text: &str) -> Diagnostic {
    let title = format!("this is of type `{type_text}`, not a process");
    Diagnostic::error(Phase::Types, "tracehound::not-a-process", span, title)
        .label("a process is needed here")
        .help("`tracehound eval` prints values of other types")
}
