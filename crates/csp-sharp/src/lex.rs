//! Lexer, with inclusion of files.

use crate::errors;
use crate::reading::Reading;
use limits::input::includes::{MAX_DEPTH, MAX_FILES};
use logos::Logos;
use source::{Diagnostic, Files, SourceMap, Span};

/// Kinds of tokens.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip(r"[ \t\r\n\f\u{feff}\u{a0}]+"))]
pub(crate) enum TokenKind {
    // A skipped comment would cost a nested call in the generated lexer of unoptimized builds, so comments are tokens.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Word,
    #[regex(r"[0-9]+")]
    Number,
    #[regex("\"[^\"\n]*\"")]
    Text,
    #[token("#")]
    Hash,
    #[token("|||")]
    Interleave,
    #[token("||")]
    Bars,
    #[token("|=")]
    Models,
    #[token("|")]
    Bar,
    #[token("[]")]
    Box,
    #[token("[*]")]
    External,
    #[token("<>")]
    Diamond,
    #[token("->")]
    Arrow,
    #[token("->>")]
    UrgentArrow,
    #[token("<->")]
    BothArrow,
    #[token("..")]
    Dots,
    #[token(".")]
    Dot,
    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token("@")]
    At,
    #[token("!")]
    Bang,
    #[token("?")]
    Question,
    #[token("$")]
    Dollar,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("==")]
    Equal,
    #[token("!=")]
    Unequal,
    #[token("<=")]
    AtMost,
    #[token(">=")]
    AtLeast,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("=")]
    Becomes,
    #[token("&&")]
    And,
    #[token("&")]
    Ampersand,
    #[token("^")]
    Caret,
    #[token("++")]
    Increment,
    #[token("--")]
    Decrement,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("\\")]
    Backslash,
    /// Characters that begin no token.
    Stray,
    /// End of input.
    End,
}

/// A token with its span.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// Reserved words.
const RESERVED: &[&str] = &[
    "import",
    "include",
    "define",
    "enum",
    "var",
    "hvar",
    "channel",
    "alphabet",
    "assert",
    "if",
    "ifa",
    "ifb",
    "else",
    "case",
    "default",
    "while",
    "true",
    "false",
    "call",
    "new",
    "tau",
    "init",
    "interrupt",
    "atomic",
    "Skip",
    "Stop",
    "wl",
    "sl",
    "wf",
    "sf",
    "cfull",
    "cempty",
    "ccount",
    "csize",
    "cpeek",
    "xor",
];

/// Whether a word is reserved, and so cannot be declared.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Lexes a script with everything it includes.
pub(crate) fn lex_script(
    files: &dyn Files,
    root: &str,
    map: &mut SourceMap,
    reading: &Reading<'_>,
) -> (Vec<Token>, Vec<Diagnostic>) {
    let (tokens, diagnostics, seen) = (Vec::new(), Vec::new(), Vec::new());
    let mut reader = Reader { files, map, tokens, diagnostics, seen, depth: 0, reading };
    reader.file(root, None);
    let end = reader.map.files().first().map_or(Span::default(), |file| file.span().at_end());
    let Reader { mut tokens, diagnostics, .. } = reader;
    tokens.push(Token { kind: TokenKind::End, span: end });
    (tokens, diagnostics)
}

/// The tokens of a text that is registered at a position of the map.
pub(crate) fn lex_text(text: &str, start: u32, diagnostics: &mut Vec<Diagnostic>) -> Vec<Token> {
    lex_within(text, start, diagnostics, &Reading::default())
}

fn lex_within(text: &str, start: u32, diagnostics: &mut Vec<Diagnostic>, reading: &Reading<'_>) -> Vec<Token> {
    let mut tokens = Vec::new();
    for (kind, range) in TokenKind::lexer(text).spanned() {
        if reading.is_stopped() {
            break;
        }
        let span = Span::new(start + range.start as u32, start + range.end as u32);
        match kind {
            Ok(TokenKind::Comment) => {}
            Ok(kind) => tokens.push(Token { kind, span }),
            Err(()) => {
                diagnostics.push(errors::stray(&text[range], span));
                tokens.push(Token { kind: TokenKind::Stray, span });
            }
        }
    }
    tokens
}

struct Reader<'a> {
    files: &'a dyn Files,
    map: &'a mut SourceMap,
    tokens: Vec<Token>,
    diagnostics: Vec<Diagnostic>,
    /// Files that were read; each is included at most once.
    seen: Vec<String>,
    depth: usize,
    reading: &'a Reading<'a>,
}

impl Reader<'_> {
    fn file(&mut self, path: &str, from: Option<Span>) {
        let read = self.files.read(path);
        let text = match read {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(why) => {
                let span = from.unwrap_or_else(|| self.map.add(path, "").unwrap_or_default());
                self.diagnostics.push(errors::unreadable(path, &why, span));
                return;
            }
        };
        let Some(span) = self.map.add(path, text.as_str()) else { return };
        self.seen.push(path.to_owned());
        let tokens = lex_within(&text, span.start, &mut self.diagnostics, self.reading);
        self.splice(path, &text, span, &tokens);
    }

    /// Copies tokens, and replaces `#include "file";` by the tokens of the file.
    fn splice(&mut self, path: &str, text: &str, span: Span, tokens: &[Token]) {
        let word =
            |token: &Token| &text[(token.span.start - span.start) as usize..(token.span.end - span.start) as usize];
        let mut next = 0;
        while next < tokens.len() {
            let rest = &tokens[next..];
            match rest {
                [hash, include, file, ..]
                    if hash.kind == TokenKind::Hash
                        && include.kind == TokenKind::Word
                        && word(include) == "include"
                        && file.kind == TokenKind::Text =>
                {
                    let name = word(file).trim_matches('"');
                    let has_end = rest.get(3).is_some_and(|token| token.kind == TokenKind::Semicolon);
                    next += 3 + usize::from(has_end);
                    self.include(path, name, file.span);
                }
                _ => {
                    self.tokens.push(tokens[next]);
                    next += 1;
                }
            }
        }
    }

    fn include(&mut self, from: &str, name: &str, span: Span) {
        let path = resolve_path(from, name);
        if self.seen.contains(&path) {
            return;
        }
        if self.depth >= MAX_DEPTH || self.seen.len() >= MAX_FILES {
            self.diagnostics.push(errors::too_many_files(span));
            return;
        }
        self.depth += 1;
        self.file(&path, Some(span));
        self.depth -= 1;
    }
}

/// Resolves a path relative to the including file. Of a path with a drive, only the file name is used.
fn resolve_path(from: &str, name: &str) -> String {
    let is_foreign = name.contains('\\') || name.contains(':');
    let name = if is_foreign { name.rsplit(['\\', '/']).next().unwrap_or(name) } else { name };
    match from.rsplit_once('/') {
        Some((folder, _)) if !name.starts_with('/') => format!("{folder}/{name}"),
        _ => name.to_owned(),
    }
}

/// The spans of the tokens of a text, without included files. Comments are not tokens.
pub fn lex_alone(text: &str) -> Vec<std::ops::Range<usize>> {
    let tokens = lex_text(text, 0, &mut Vec::new());
    tokens.into_iter().map(|token| token.span.start as usize..token.span.end as usize).collect()
}

/// The reserved words.
pub fn reserved_words() -> &'static [&'static str] {
    RESERVED
}
