//! A place in the text, and the token there.

use super::errors;
use super::token::Token;
use super::tree::Text;
use logos::Logos;
use source::{Diagnostic, Span};

/// The result of parsing a part: the part, or the reason why it is no formula.
pub(crate) type Read<T> = Result<T, Box<Diagnostic>>;

/// A place in the text, and the token there.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a> {
    text: &'a str,
    /// Where the text begins in the common offsets.
    base: u32,
    token: Token,
    start: usize,
    end: usize,
    /// Where the token before ended.
    previous_end: usize,
}

impl<'a> Cursor<'a> {
    pub fn new(text: &'a str, base: u32) -> Cursor<'a> {
        let mut cursor = Cursor { text, base, token: Token::End, start: 0, end: 0, previous_end: 0 };
        cursor.go_to(0);
        cursor
    }

    /// Makes the token at `offset` or behind it the current one.
    pub fn go_to(&mut self, offset: usize) {
        self.previous_end = offset;
        let mut lexer = Token::lexer(&self.text[offset..]);
        self.token = match lexer.find(|token| *token != Ok(Token::Comment)) {
            Some(token) => token.unwrap_or(Token::Unknown),
            None => Token::End,
        };
        let range = if self.token == Token::End { 0..0 } else { lexer.span() };
        (self.start, self.end) = match self.token {
            Token::End => (self.text.len(), self.text.len()),
            _ => (offset + range.start, offset + range.end),
        };
    }

    /// Steps over the token.
    pub fn bump(&mut self) -> Span {
        let span = self.span();
        self.go_to(self.end);
        span
    }

    pub fn token(&self) -> Token {
        self.token
    }

    /// The token as it is written.
    pub fn word(&self) -> &'a str {
        &self.text[self.start..self.end]
    }

    pub fn span(&self) -> Span {
        self.place(self.start, self.end)
    }

    pub fn start(&self) -> usize {
        self.start
    }

    pub fn end(&self) -> usize {
        self.end
    }

    /// Just behind the token before, where something is missing.
    pub fn gap(&self) -> Span {
        self.place(self.previous_end, self.previous_end)
    }

    /// Where the token before ended.
    pub fn previous_end(&self) -> usize {
        self.previous_end
    }

    /// The token behind this one.
    pub fn second(&self) -> Token {
        self.ahead().token
    }

    /// The cursor one token further.
    pub fn ahead(&self) -> Cursor<'a> {
        let mut ahead = self.clone();
        ahead.bump();
        ahead
    }

    pub fn place(&self, start: usize, end: usize) -> Span {
        // Texts of more than 4 GiB are cut before they get here.
        Span::new(self.base.saturating_add(start as u32), self.base.saturating_add(end as u32))
    }

    /// The whole text.
    pub fn text(&self) -> &'a str {
        self.text
    }

    /// A piece of the text without the blanks around it.
    pub fn piece(&self, start: usize, end: usize) -> Text {
        let piece = &self.text[start..end];
        let start = start + (piece.len() - piece.trim_start().len());
        let piece = piece.trim();
        Text { text: piece.to_owned(), span: self.place(start, start + piece.len()) }
    }

    /// Steps over brackets, the opening one of which is the current token (or its first byte), and returns what they
    /// enclose.
    pub fn enclosed(&mut self) -> Read<(usize, usize)> {
        let open = self.start;
        match closing(self.text, open) {
            Some(close) => {
                self.go_to(close + 1);
                Ok((open + 1, close))
            }
            None => Err(errors::unclosed(&self.text[open..open + 1], self.place(open, open + 1)).into()),
        }
    }
}

/// Where the bracket that opens at `open` is closed. Brackets nest; those inside strings do not count.
pub(crate) fn closing(text: &str, open: usize) -> Option<usize> {
    let mut expected = Vec::new();
    let mut bytes = text.bytes().enumerate().skip(open);
    while let Some((offset, byte)) = bytes.next() {
        match byte {
            b'(' => expected.push(b')'),
            b'[' => expected.push(b']'),
            b'{' => expected.push(b'}'),
            b'"' => skip_string(&mut bytes),
            b')' | b']' | b'}' => {
                if expected.pop() != Some(byte) {
                    return None;
                }
                if expected.is_empty() {
                    return Some(offset);
                }
            }
            _ => {}
        }
    }
    None
}

fn skip_string(bytes: &mut impl Iterator<Item = (usize, u8)>) {
    while let Some((_, byte)) = bytes.next() {
        match byte {
            b'"' => return,
            b'\\' => _ = bytes.next(),
            _ => {}
        }
    }
}

/// The parts of `text[start..end]` between commas that no brackets enclose; behind a bracket that is not closed there
/// are none.
pub(crate) fn split_at_commas(text: &str, start: usize, end: usize) -> Vec<(usize, usize)> {
    let mut parts = Vec::new();
    let (mut part, mut offset) = (start, start);
    while offset < end {
        match text.as_bytes()[offset] {
            b',' => {
                parts.push((part, offset));
                part = offset + 1;
            }
            b'(' | b'[' | b'{' => offset = closing(text, offset).filter(|&close| close < end).unwrap_or(end),
            b'"' => {
                let mut bytes = text.bytes().enumerate().skip(offset + 1);
                skip_string(&mut bytes);
                offset = bytes.next().map_or(end, |(next, _)| next) - 1;
            }
            _ => {}
        }
        offset += 1;
    }
    parts.push((part, end));
    parts
}
