//! A position in the token array.

use crate::lex::{Token, TokenKind};
use source::{SourceMap, Span};

/// A token stream with lookahead. After the last token there are end tokens only.
pub struct Cursor<'a> {
    map: &'a SourceMap,
    tokens: &'a [Token],
    at: usize,
    end: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(map: &'a SourceMap, tokens: &'a [Token]) -> Cursor<'a> {
        Cursor { map, tokens, at: 0, end: tokens.len() - 1 }
    }

    pub fn index(&self) -> usize {
        self.at
    }

    pub fn rewind(&mut self, index: usize) {
        self.at = index;
    }

    pub fn peek(&self) -> TokenKind {
        self.kind_at(0)
    }

    /// The kind of the `n`th token after the current one.
    pub fn kind_at(&self, n: usize) -> TokenKind {
        let index = self.at + n;
        if index < self.end { self.tokens[index].kind } else { TokenKind::End }
    }

    /// Whether a line end separates the current token from the previous one.
    pub fn separated(&self) -> bool {
        self.separated_at(0)
    }

    /// Whether a line end separates the `n`th token after the current one from its predecessor.
    pub fn separated_at(&self, n: usize) -> bool {
        self.at + n >= self.end || self.tokens[self.at + n].separated
    }

    pub fn span(&self) -> Span {
        if self.at < self.end { self.tokens[self.at].span } else { self.tokens[self.end].span.at_start() }
    }

    /// The span of the previous token.
    pub fn previous_span(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// The span of the token with an index.
    pub fn span_of(&self, index: usize) -> Span {
        self.tokens[index].span
    }

    pub fn bump(&mut self) -> Span {
        let span = self.span();
        if self.at < self.end {
            self.at += 1;
        }
        span
    }

    pub fn text(&self, span: Span) -> &'a str {
        self.map.text(span)
    }

    /// Whether only white space precedes the current token on its line.
    pub fn begins_line(&self) -> bool {
        let span = self.span();
        let indentation = self.map.indentation(span);
        self.map.text(Span::new(span.start - indentation, span.start)).trim_start().is_empty()
    }

    /// The indentation of the current token.
    pub fn indentation(&self) -> u32 {
        self.map.indentation(self.span())
    }
}
