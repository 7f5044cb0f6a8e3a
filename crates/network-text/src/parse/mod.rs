//! Recursive-descent parser with error recovery.
//!
//! A syntax error is reported once, and parsing resumes at the next line. Expressions are parsed by precedence climbing
//! ([`expression`]).

mod assertion;
mod cursor;
mod declaration;
mod errors;
mod expression;
mod machine;
mod obstacle;
mod rule;
mod statement;
mod variable;

use crate::lex::{self, Token, TokenKind::*};
use crate::symbols::{Ident, Symbols};
use crate::syntax::{File, LabelKind, LabelSyntax, NetworkSyntax, Number};
use cursor::Cursor;
use limits::input::networks::MAX_NESTING;
use source::{Diagnostic, SourceMap, Span};

/// An error that was reported; the rest of the line is skipped.
struct Damage;

type Parsed<T> = Result<T, Damage>;

/// The version of the format.
const VERSION: i64 = 1;

struct Parser<'a> {
    cursor: Cursor<'a>,
    symbols: &'a mut Symbols,
    file: File,
    /// The current network, to which declarations belong.
    network: Option<NetworkSyntax>,
    diagnostics: Vec<Diagnostic>,
    nesting: u32,
}

/// Parses the tokens of a file.
pub fn parse_file(map: &SourceMap, tokens: &[Token], symbols: &mut Symbols) -> (File, Vec<Diagnostic>) {
    let cursor = Cursor::new(map, tokens);
    let mut parser =
        Parser { cursor, symbols, file: File::default(), network: None, diagnostics: Vec::new(), nesting: 0 };
    parser.file.end = tokens.last().map_or(Span::default(), |last| last.span);
    if parser.header().is_ok() {
        parser.declarations();
    }
    parser.close_network();
    (parser.file, parser.diagnostics)
}

impl<'a> Parser<'a> {
    fn report(&mut self, diagnostic: Diagnostic) -> Damage {
        // A second error at the same place is a consequence of the first.
        let is_echo = self.diagnostics.last().is_some_and(|last| last.primary.span == diagnostic.primary.span);
        if self.diagnostics.len() < crate::MAX_DIAGNOSTICS && !is_echo {
            self.diagnostics.push(diagnostic);
        }
        if let Some(network) = &mut self.network {
            network.is_damaged = true;
        }
        Damage
    }

    /// Reports that `what` was expected here.
    fn unexpected(&mut self, what: &str) -> Damage {
        let (found, span) = (self.found(), self.cursor.span());
        match self.cursor.peek() {
            // The lexer reported it.
            Unknown | UnclosedText | Nothing => {
                if let Some(network) = &mut self.network {
                    network.is_damaged = true;
                }
                Damage
            }
            kind if kind.is_reserved() => {
                let word = self.cursor.text(span);
                self.report(errors::reserved_word(word, what, span))
            }
            _ => self.report(errors::unexpected(&found, what, span)),
        }
    }

    /// The token at the cursor, for messages.
    fn found(&self) -> String {
        match self.cursor.peek() {
            End | Nothing => "the end of the file".to_owned(),
            LineEnd => "the end of the line".to_owned(),
            _ => {
                let text = self.cursor.text(self.cursor.span());
                let short: String = text.chars().take(30).collect();
                if short.len() < text.len() { format!("`{short}…`") } else { format!("`{short}`") }
            }
        }
    }

    fn expect(&mut self, kind: lex::TokenKind, what: &str) -> Parsed<Span> {
        if self.cursor.peek() == kind { Ok(self.cursor.bump()) } else { Err(self.unexpected(what)) }
    }

    /// Consumes a token of a kind, if it is next.
    fn take(&mut self, kind: lex::TokenKind) -> Option<Span> {
        (self.cursor.peek() == kind).then(|| self.cursor.bump())
    }

    /// Consumes a closing bracket, or reports that the opening one is not closed.
    fn close(&mut self, kind: lex::TokenKind, close: &str, open: (&str, Span)) -> Parsed<Span> {
        match self.cursor.peek() {
            found if found == kind => Ok(self.cursor.bump()),
            Unknown | UnclosedText | Nothing => Err(self.unexpected(close)),
            _ => {
                let (found, span) = (self.found(), self.cursor.span());
                Err(self.report(errors::unclosed(open.0, close, open.1, &found, span)))
            }
        }
    }

    fn end_of_line(&mut self) -> Parsed<()> {
        match self.cursor.peek() {
            End | LineEnd => Ok(()),
            _ => Err(self.unexpected("the end of the line")),
        }
    }

    /// Skips the rest of a malformed line.
    fn skip_line(&mut self) {
        while !matches!(self.cursor.peek(), End | Nothing | LineEnd) {
            self.cursor.bump();
        }
    }

    fn ident(&mut self, what: &str) -> Parsed<Ident> {
        match self.cursor.peek() {
            Name => Ok(self.bump_word()),
            Text => self.quoted(),
            _ => Err(self.unexpected(what)),
        }
    }

    /// The name or number of a state.
    fn state(&mut self, what: &str) -> Parsed<Ident> {
        if self.cursor.peek() == Number { Ok(self.bump_word()) } else { self.ident(what) }
    }

    fn bump_word(&mut self) -> Ident {
        let span = self.cursor.bump();
        Ident { symbol: self.symbols.intern(self.cursor.text(span)), span }
    }

    fn quoted(&mut self) -> Parsed<Ident> {
        let span = self.expect(Text, "a text in quotes")?;
        let text = self.cursor.text(span);
        if let Some(diagnostic) = lex::check_quoted(text, span) {
            self.report(diagnostic);
        }
        Ok(Ident { symbol: self.symbols.intern(&lex::unquote(text)), span })
    }

    /// `from "..."`, optional.
    fn place(&mut self) -> Parsed<Option<Ident>> {
        match self.take(From) {
            Some(_) => self.quoted().map(Some),
            None => Ok(None),
        }
    }

    fn label(&mut self, what: &str) -> Parsed<LabelSyntax> {
        let span = self.cursor.span();
        let kind = match self.cursor.peek() {
            Tau => LabelKind::Tau,
            Tick => LabelKind::Tick,
            Raw => LabelKind::Raw(self.raw(span)?),
            _ => return Ok(LabelSyntax { kind: LabelKind::Named(self.ident(what)?.symbol), span }),
        };
        self.cursor.bump();
        Ok(LabelSyntax { kind, span })
    }

    /// `#7`
    fn raw(&mut self, span: Span) -> Parsed<u32> {
        let digits = &self.cursor.text(span)[1..];
        digits.parse().map_err(|_| self.report(errors::number_too_large(0, i64::from(u32::MAX), span)))
    }

    /// A number with an optional sign.
    fn integer(&mut self, what: &str) -> Parsed<Number> {
        let sign = self.take(Minus);
        let digits = self.expect(Number, what)?;
        let span = sign.map_or(digits, |sign| sign.to(digits));
        let value = self.cursor.text(digits).parse::<u64>().ok().and_then(|value| match sign {
            Some(_) => 0i64.checked_sub_unsigned(value),
            None => i64::try_from(value).ok(),
        });
        match value {
            Some(value) => Ok(Number { value, span }),
            None => Err(self.report(errors::number_too_large(i64::MIN, i64::MAX, span))),
        }
    }

    /// One or more items, separated by commas.
    fn list<T>(&mut self, mut item: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut items = vec![item(self)?];
        while self.take(Comma).is_some() {
            items.push(item(self)?);
        }
        Ok(items)
    }

    /// Parses a nested construct; refuses excessive depth.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting == MAX_NESTING {
            let span = self.cursor.span();
            return Err(self.report(errors::too_deep(MAX_NESTING, span)));
        }
        self.nesting += 1;
        let result = inner(self);
        self.nesting -= 1;
        result
    }
}
