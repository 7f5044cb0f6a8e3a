//! Lexer.
//!
//! [`token`] defines the tokens, [`layout`] the line ends that separate, and [`text`] the contents of quotes. The
//! result is one array that ends in [`TokenKind::End`].

mod errors;
mod layout;
mod text;
mod token;

use limits::input::text::MAX_BYTES;
pub use text::unquote;
pub use token::{Token, TokenKind};

use layout::Layout;
use logos::Logos;
use source::{Decoded, Diagnostic, Files, NotText, SourceMap, Span};

/// The tokens of a file, with lexical diagnostics.
pub struct Tokens {
    pub tokens: Vec<Token>,
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads and lexes a file.
pub fn lex(files: &dyn Files, path: &str, map: &mut SourceMap) -> Tokens {
    let decoded = match files.read(path) {
        Ok(bytes) => source::decode(bytes, MAX_BYTES).map_err(|reason| match reason {
            NotText::TooLarge => errors::too_large(path, MAX_BYTES, Span::default()),
            NotText::Utf16 => errors::utf16(path, Span::default()),
        }),
        Err(reason) => Err(errors::unreadable(path, &reason, Span::default())),
    };
    match decoded {
        Ok(Decoded { text, damage }) => match map.add(path, text) {
            Some(span) => lex_text(map.text(span), span, damage),
            None => give_up(path, map, errors::too_large(path, MAX_BYTES, Span::default())),
        },
        Err(diagnostic) => give_up(path, map, diagnostic),
    }
}

/// The tokens of an unreadable file, which needs a span for the diagnostic.
fn give_up(path: &str, map: &mut SourceMap, mut diagnostic: Diagnostic) -> Tokens {
    let place = map.add(path, "").unwrap_or_default();
    diagnostic.primary.span = place;
    Tokens { tokens: vec![Token { kind: TokenKind::Nothing, span: place }], diagnostics: vec![diagnostic] }
}

/// The spans of the tokens of a text, whether each is a keyword, and whether a line end separates it from its
/// predecessor.
pub fn lex_alone(text: &str) -> Vec<(std::ops::Range<usize>, bool, bool)> {
    let mut separated = false;
    let mut out = Vec::new();
    for token in lex_text(text, Span::new(0, text.len() as u32), None).tokens {
        match token.kind {
            TokenKind::LineEnd => separated = true,
            TokenKind::End | TokenKind::Nothing => {}
            kind => {
                let range = token.span.start as usize..token.span.end as usize;
                out.push((range, kind.is_reserved(), std::mem::take(&mut separated)));
            }
        }
    }
    out
}

fn lex_text(text: &str, span: Span, damage: Option<usize>) -> Tokens {
    let at = |range: std::ops::Range<usize>| Span::new(span.start + range.start as u32, span.start + range.end as u32);
    let mut diagnostics: Vec<Diagnostic> = Vec::new();
    diagnostics
        .extend(damage.map(|offset| errors::invalid_utf8(at(offset..offset + char::REPLACEMENT_CHARACTER.len_utf8()))));
    let mut tokens: Vec<Token> = Vec::new();
    let mut layout = Layout::default();
    for (kind, range) in TokenKind::lexer(text).spanned() {
        let kind = kind.unwrap_or(TokenKind::Unknown);
        if kind == TokenKind::LineEnd {
            layout.line_ended();
            continue;
        }
        // One message about invalid encoding is enough.
        let is_damage = damage.is_some() && text[range.clone()].starts_with(char::REPLACEMENT_CHARACTER);
        if !is_damage
            && let Some(diagnostic) = token_error(kind, &text[range.clone()], at(range.clone()), tokens.last())
            && diagnostics.len() < crate::MAX_DIAGNOSTICS
        {
            diagnostics.push(diagnostic);
        }
        if layout.separates(kind) {
            let end = tokens.last().map_or(span.at_start(), |last: &Token| last.span.at_end());
            tokens.push(Token { kind: TokenKind::LineEnd, span: end });
        }
        tokens.push(Token { kind, span: at(range) });
    }
    let end = tokens.last().map_or(span.at_end(), |last| last.span.at_end());
    tokens.push(Token { kind: TokenKind::End, span: end });
    Tokens { tokens, diagnostics }
}

/// The diagnostic of a quoted name; formulas have other rules.
pub fn check_quoted(text: &str, span: Span) -> Option<Diagnostic> {
    let offset = |at: usize| span.start + at as u32;
    text::bad_escape(text).map(|range| errors::bad_escape(Span::new(offset(range.start), offset(range.end))))
}

/// The diagnostic of a single token.
fn token_error(kind: TokenKind, text: &str, span: Span, last: Option<&Token>) -> Option<Diagnostic> {
    match kind {
        TokenKind::UnclosedText => Some(errors::unclosed_text(span)),
        // Only the first of adjacent unknown characters is reported.
        TokenKind::Unknown if last.is_some_and(|last| last.kind == kind && last.span.end == span.start) => None,
        TokenKind::Unknown => Some(errors::unknown_character(text.chars().next().unwrap_or(' '), span)),
        _ => None,
    }
}
