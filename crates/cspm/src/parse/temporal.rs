//! Assertions of temporal formulas.
//!
//! Formulas have lexical rules of their own and are kept as text; only their quotes are parsed here. Expressions inside
//! a formula are parsed later by the reader of its dialect, see [`parse_fragment`].

use super::{Parsed, Parser, errors};
use crate::lex::{self, TokenKind::*, Tokens};
use crate::syntax::{
    Assertion, Ast, Decl, Expr, ExprId, Ident, Pat, Property, TemporalForm, TemporalLogic, TemporalOption,
};
use source::{Diagnostic, SourceMap, Span};
use std::collections::HashMap;

/// Parses the text at `span` as an expression: a function of the variables, if there are any.
pub fn parse_fragment(
    map: &SourceMap,
    span: Span,
    variables: &[(&str, Span)],
    ast: &mut Ast,
) -> Result<ExprId, Vec<Diagnostic>> {
    let tokens = lex::lex_piece(map.text(span), span);
    let mut parser = Parser::new(map, &tokens.tokens, std::mem::take(ast));
    let expr = parser.parse_all();
    let is_damaged = !tokens.diagnostics.is_empty() || !parser.diagnostics.is_empty();
    let expr = expr.ok().filter(|_| !is_damaged).map(|body| parser.function_of(variables, body, span));
    *ast = parser.ast;
    expr.ok_or_else(|| [tokens.diagnostics, parser.diagnostics].concat())
}

impl Parser<'_> {
    /// `\ variables @ body`
    fn function_of(&mut self, variables: &[(&str, Span)], body: ExprId, span: Span) -> ExprId {
        if variables.is_empty() {
            return body;
        }
        let mut parameter = |&(text, span): &(&str, Span)| {
            let symbol = self.ast.symbols.intern(text);
            self.ast.add_pat(Pat::Name(Box::new([Ident { symbol, span }])), span)
        };
        let parameters = variables.iter().map(&mut parameter).collect();
        self.ast.add_expr(Expr::Lambda(parameters, body), span)
    }

    /// `|= LTL: "formula"`.
    pub(super) fn parse_temporal(&mut self, process: ExprId) -> Parsed<Property> {
        self.cursor.bump();
        let name = self.parse_ident("`LTL` or `CTL`")?;
        let logic = match self.ast.symbols.text(name.symbol) {
            "LTL" => TemporalLogic::Ltl,
            "CTL" => TemporalLogic::Ctl,
            other => {
                let diagnostic = errors::unknown_logic(other, name.span);
                return Err(self.report(diagnostic));
            }
        };
        self.expect(Colon, "`:` and a formula in quotes")?;
        self.parse_formula(process, logic, TemporalForm::Satisfies, Box::default())
    }

    /// The logic after `:[`, if there is one.
    pub(super) fn logic_in_brackets(&self) -> Option<TemporalLogic> {
        if self.cursor.kind_at(1) != Ident {
            return None;
        }
        match self.cursor.text(self.cursor.span_of(self.cursor.index() + 1)) {
            "ltl" | "LTL" => Some(TemporalLogic::Ltl),
            "ctl" | "CTL" => Some(TemporalLogic::Ctl),
            _ => None,
        }
    }

    /// `:[ltl view=step]: "formula"`.
    pub(super) fn parse_bracketed_temporal(&mut self, process: ExprId, logic: TemporalLogic) -> Parsed<Property> {
        self.cursor.bump();
        self.cursor.bump();
        let mut options = Vec::new();
        while self.cursor.peek() != BracketClose {
            let name = self.parse_dashed("an option such as `view=step`, or `]`")?;
            self.expect(Equals, "`=` and a value")?;
            let value = self.parse_dashed("a value")?;
            options.push(TemporalOption { name, value });
        }
        self.cursor.bump();
        self.expect(Colon, "`:` and a formula in quotes")?;
        self.parse_formula(process, logic, TemporalForm::Bracketed, options.into())
    }

    /// `finite-runs`: names joined by dashes.
    fn parse_dashed(&mut self, what: &str) -> Parsed<(Box<str>, Span)> {
        let mut span = self.expect(Ident, what)?;
        while self.cursor.peek() == Minus {
            self.cursor.bump();
            span = span.to(self.expect(Ident, what)?);
        }
        Ok((self.cursor.text(span).into(), span))
    }

    fn parse_formula(
        &mut self,
        process: ExprId,
        logic: TemporalLogic,
        form: TemporalForm,
        options: Box<[TemporalOption]>,
    ) -> Parsed<Property> {
        let quoted = self.expect(Text, "a formula in quotes")?;
        let formula_span = Span::new(quoted.start + 1, quoted.end - 1);
        let formula = self.cursor.text(formula_span).into();
        Ok(Property::Temporal { process, logic, formula, formula_span, form, options, fragments: Box::default() })
    }

    /// Adds the assertions in pragmas, each before the declaration that follows it, across files.
    pub(super) fn add_pragmas(&mut self, map: &SourceMap, tokens: &Tokens) {
        if tokens.pragmas.is_empty() {
            return;
        }
        let is_text = |token: &lex::Token| !matches!(token.kind, Boundary | End);
        let numbered = tokens.tokens.iter().enumerate().filter(|(_, token)| is_text(token));
        let by_start: HashMap<u32, usize> = numbered.map(|(index, token)| (token.span.start, index)).collect();
        let first_token = |start: u32| by_start.get(&start).copied().unwrap_or(usize::MAX);
        let mut places: Vec<usize> =
            self.ast.top.iter().map(|decl| first_token(self.ast.decl_span(*decl).start)).collect();
        for pragma in &tokens.pragmas {
            match self.pragma(map, pragma.span) {
                Some(assertion) => {
                    // Consecutive pragmas precede the same token and keep their order.
                    let place = places.iter().position(|&first| first >= pragma.before).unwrap_or(places.len());
                    let decl = self.ast.add_decl(Decl::Assert(assertion), pragma.span);
                    self.ast.top.insert(place, decl);
                    places.insert(place, pragma.before.saturating_sub(1));
                }
                None => _ = self.report(errors::malformed_pragma(pragma.span)),
            }
        }
    }

    /// `{-# assert_ltl "formula" "comment" #-}`
    fn pragma(&mut self, map: &SourceMap, span: Span) -> Option<Assertion> {
        let text = map.text(span).strip_suffix("-}")?.trim_end().strip_suffix('#')?;
        let word = text.find("assert_")?;
        let logic = match text.get(word..word + "assert_ltl".len())? {
            "assert_ltl" => TemporalLogic::Ltl,
            _ => TemporalLogic::Ctl,
        };
        let (formula, behind) = quoted(text, word + "assert_ltl".len())?;
        let is_closed = text[behind..].trim().is_empty()
            || quoted(text, behind).is_some_and(|(_, behind)| text[behind..].trim().is_empty());
        if !is_closed {
            return None;
        }
        let place = |start: usize, end: usize| Span::new(span.start + start as u32, span.start + end as u32);
        let symbol = self.ast.symbols.intern("MAIN");
        let process_span = place(word, word + "assert_ltl".len());
        let process = Expr::Name(Box::new([crate::syntax::Ident { symbol, span: process_span }]));
        let property = Property::Temporal {
            process: self.ast.add_expr(process, process_span),
            logic,
            formula: text[formula.clone()].into(),
            formula_span: place(formula.start, formula.end),
            form: TemporalForm::Pragma,
            options: Box::default(),
            fragments: Box::default(),
        };
        Some(Assertion { negated: false, property, tau_priority: None, partial_order: None, span })
    }
}

/// The text in quotes after `from`, and its end.
fn quoted(text: &str, from: usize) -> Option<(std::ops::Range<usize>, usize)> {
    let blanks = text[from..].len() - text[from..].trim_start().len();
    let open = from + blanks;
    text[open..].strip_prefix('"')?;
    let mut bytes = text.bytes().enumerate().skip(open + 1);
    while let Some((offset, byte)) = bytes.next() {
        match byte {
            b'"' => return Some((open + 1..offset, offset + 1)),
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
    None
}
