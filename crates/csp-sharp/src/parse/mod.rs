//! Recursive-descent parser.
//!
//! It recovers from errors at the end of the declaration, so that later errors are reported, too. It refuses nesting
//! that is too deep for the recursion of later phases.

mod assertion;
mod declaration;
mod expression;
mod object;
mod process;
mod program;
mod timed;

use crate::errors;
use crate::lex::{Token, TokenKind, is_reserved, lex_script, lex_text};
use crate::reading::Reading;
use crate::syntax::{Expr, Name, Process, Script};
use limits::input::csp_sharp::MAX_NESTING;
use source::{Diagnostic, Files, Phase, SourceMap, Span};

/// The result of a production. On an error, the rest of the declaration is skipped.
type Read<T> = Result<T, Box<Diagnostic>>;

/// Parses a script with everything it includes.
pub fn parse_script(
    files: &dyn Files,
    path: &str,
    map: &mut SourceMap,
    reading: &Reading<'_>,
) -> (Script, Vec<Diagnostic>) {
    let (tokens, mut diagnostics) = lex_script(files, path, map, reading);
    // Scripts of PAT's real-time module have an extension of their own.
    let is_timed = path.ends_with(".rts") || timed::is_timed(&tokens, map);
    let mut parser =
        Parser { tokens, map, next: 0, depth: 0, is_timed, diagnostics: Vec::new(), reading: Some(reading) };
    let declarations = parser.script();
    diagnostics.append(&mut parser.diagnostics);
    (Script { declarations, is_timed }, reading.end(Phase::Parse, diagnostics))
}

/// Parses a reference to a process, such as `P(1)`, at a span of the map.
///
/// # Errors
/// A syntax error.
pub fn parse_reference(map: &SourceMap, span: Span) -> Read<(Name, Vec<Expr>)> {
    alone(map, span, Parser::reference)
}

/// Parses an expression at a span of the map.
///
/// # Errors
/// A syntax error.
pub fn parse_expression(map: &SourceMap, span: Span) -> Read<Expr> {
    alone(map, span, Parser::expression)
}

/// Parses a process at a span of the map.
///
/// # Errors
/// A syntax error.
pub fn parse_process(map: &SourceMap, span: Span) -> Read<Process> {
    alone(map, span, Parser::process)
}

/// Whether the text at a span of the map uses timed operators.
pub fn uses_time(map: &SourceMap, span: Span) -> bool {
    timed::is_timed(&lex_text(map.text(span), span.start, &mut Vec::new()), map)
}

fn alone<'a, T>(map: &'a SourceMap, span: Span, read: impl Fn(&mut Parser<'a>) -> Read<T>) -> Read<T> {
    let mut stray = Vec::new();
    let mut tokens = lex_text(map.text(span), span.start, &mut stray);
    if let Some(first) = stray.into_iter().next() {
        return Err(first.into());
    }
    tokens.push(Token { kind: TokenKind::End, span: span.at_end() });
    let is_timed = timed::is_timed(&tokens, map);
    let mut parser = Parser { tokens, map, next: 0, depth: 0, is_timed, diagnostics: Vec::new(), reading: None };
    let found = read(&mut parser)?;
    match parser.kind() {
        TokenKind::End => Ok(found),
        _ => Err(parser.unexpected("the end")),
    }
}

struct Parser<'a> {
    tokens: Vec<Token>,
    map: &'a SourceMap,
    next: usize,
    depth: usize,
    /// Whether the script is in the timed dialect.
    is_timed: bool,
    diagnostics: Vec<Diagnostic>,
    reading: Option<&'a Reading<'a>>,
}

impl<'a> Parser<'a> {
    fn token(&self, ahead: usize) -> Token {
        self.tokens[(self.next + ahead).min(self.tokens.len() - 1)]
    }

    fn kind(&self) -> TokenKind {
        self.token(0).kind
    }

    fn span(&self) -> Span {
        self.token(0).span
    }

    /// The span of the previous token.
    fn last_span(&self) -> Span {
        if self.next == 0 { self.span() } else { self.tokens[self.next - 1].span }
    }

    fn text_at(&self, ahead: usize) -> &'a str {
        self.map.text(self.token(ahead).span)
    }

    fn text(&self) -> &'a str {
        self.text_at(0)
    }

    fn bump(&mut self) -> Token {
        let token = self.token(0);
        // After cancellation the rest of the input is dropped.
        let last = self.tokens.len() - 1;
        self.next = if self.reading.is_some_and(Reading::is_stopped) { last } else { (self.next + 1).min(last) };
        token
    }

    fn is(&self, kind: TokenKind) -> bool {
        self.kind() == kind
    }

    fn is_word(&self, word: &str) -> bool {
        self.is(TokenKind::Word) && self.text() == word
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.is(kind);
        if found {
            self.bump();
        }
        found
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind, what: &str) -> Read<Span> {
        if self.is(kind) { Ok(self.bump().span) } else { Err(self.unexpected(what)) }
    }

    fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        errors::unexpected(self.found(), wanted, self.span(), self.last_span()).into()
    }

    /// The current token, for messages.
    fn found(&self) -> &str {
        if self.is(TokenKind::End) { "the end of the script" } else { self.text() }
    }

    /// An identifier that is not reserved.
    fn name(&mut self, what: &str) -> Read<Name> {
        if !self.is(TokenKind::Word) {
            return Err(self.unexpected(what));
        }
        if is_reserved(self.text()) || self.is_timed && timed::is_reserved(self.text()) {
            return Err(errors::reserved(self.text(), what, self.span()).into());
        }
        Ok(self.any_word())
    }

    /// A word, reserved or not.
    fn any_word(&mut self) -> Name {
        let name = Name { text: self.text().into(), span: self.span() };
        self.bump();
        name
    }

    /// Parses a nested construct; refuses excessive depth, and grows the stack if needed.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_NESTING {
            return Err(errors::too_deep(self.span()).into());
        }
        self.depth += 1;
        let found = stacker::maybe_grow(128 * 1024, 1024 * 1024, || read(self));
        self.depth -= 1;
        found
    }

    /// One or more items, separated by commas.
    fn separated<T>(&mut self, separator: TokenKind, mut read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut all = vec![read(self)?];
        while self.eat(separator) {
            all.push(read(self)?);
        }
        Ok(all)
    }

    /// An optional list in parentheses, separated by commas.
    fn arguments(&mut self) -> Read<Vec<Expr>> {
        if !self.eat(TokenKind::Open) {
            return Ok(Vec::new());
        }
        if self.eat(TokenKind::Close) {
            return Ok(Vec::new());
        }
        let all = self.separated(TokenKind::Comma, Self::expression)?;
        self.expect(TokenKind::Close, "`,` or `)`")?;
        Ok(all)
    }

    /// A reference to a process, with arguments.
    fn reference(&mut self) -> Read<(Name, Vec<Expr>)> {
        let name = self.name("the name of a process")?;
        Ok((name, self.arguments()?))
    }
}
