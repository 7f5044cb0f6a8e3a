//! A position in the token array.

use crate::lex::{Token, TokenKind};
use source::{SourceMap, Span};

/// A token stream with lookahead. After the last token there are end tokens only.
pub struct Cursor<'a> {
    text: &'a str,
    start: u32,
    tokens: &'a [Token],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// The tokens of a file, with at least an end token.
    pub fn new(map: &'a SourceMap, tokens: &'a [Token]) -> Cursor<'a> {
        let file = tokens.first().filter(|_| !map.files().is_empty()).map(|first| map.file_of(first.span));
        Cursor { text: file.map_or("", |file| &file.text), start: file.map_or(0, |file| file.start), tokens, at: 0 }
    }

    pub fn peek(&self) -> TokenKind {
        self.kind_at(0)
    }

    /// The kind of the `n`th token after the current one.
    pub fn kind_at(&self, n: usize) -> TokenKind {
        self.token_at(n).kind
    }

    /// The span of the current token. At the end of a line or the file, it is the end of the previous token.
    pub fn span(&self) -> Span {
        self.token_at(0).span
    }

    /// The span of the previous token.
    pub fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        span
    }

    pub fn text(&self, span: Span) -> &'a str {
        self.text.get((span.start - self.start) as usize..(span.end - self.start) as usize).unwrap_or("")
    }

    fn token_at(&self, n: usize) -> Token {
        self.tokens[(self.at + n).min(self.tokens.len() - 1)]
    }
}
