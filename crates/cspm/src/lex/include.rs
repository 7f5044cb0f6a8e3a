//! Inclusion of files: the tokens of all files of a script in one array.

use super::layout::line_end_separates;
use super::token::{Gap, Token, TokenKind};
use super::{errors, text};
use limits::input::includes::{MAX_DEPTH, MAX_FILES};
use logos::Logos;
use source::{Diagnostic, Files, SourceMap, Span};

/// The tokens of a script, with lexical diagnostics.
#[derive(Debug, Default)]
pub struct Tokens {
    /// The tokens in reading order, with those of included files in place, closed by an end token.
    pub tokens: Vec<Token>,
    /// The diagnostics.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a file could not be read, so that definitions may be missing.
    pub incomplete: bool,
    /// Assertions in the form of comments.
    pub pragmas: Vec<PragmaPlace>,
}

/// An assertion in the form of a comment.
#[derive(Clone, Copy, Debug)]
pub struct PragmaPlace {
    /// The comment.
    pub span: Span,
    /// The index of the following token.
    pub before: usize,
}

/// Reads `root` and everything it includes.
pub fn lex_script(files: &dyn Files, root: &str, map: &mut SourceMap) -> Tokens {
    let directory = directory_of(root).to_owned();
    let mut reader = Reader { files, map, directory, open: Vec::new(), n_files: 0, out: Tokens::default() };
    // The diagnostic for an unreadable root needs a span in some file.
    match reader.files.read(root) {
        Ok(bytes) => match text::decode(root, bytes, Span::default()) {
            Ok(text) => reader.lex_file(root.to_owned(), text, None),
            Err(diagnostic) => reader.give_up_on_root(root, *diagnostic),
        },
        Err(reason) => reader.give_up_on_root(root, errors::unreadable(root, &reason, Span::default())),
    }
    reader.finish()
}

/// The tokens of a text from the command line.
pub fn lex_fragment(name: &str, text: &str, map: &mut SourceMap) -> Tokens {
    let span = map.add(name, text).unwrap_or_default();
    lex_piece(text, span)
}

/// The tokens of a text at `span`.
pub fn lex_piece(text: &str, span: Span) -> Tokens {
    let mut out = Tokens::default();
    let mut scanner = Scanner::new(text, span.start, &mut out.diagnostics);
    while let Some(token) = scanner.next(last_kind(&out.tokens)) {
        out.tokens.push(token);
    }
    out.tokens.push(Token { kind: TokenKind::End, separated: true, span: span.at_end() });
    out
}

/// The tokens of a text without included files; the path of an `include` is a token.
pub fn lex_alone(text: &str) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut ignored = Vec::new();
    let mut scanner = Scanner::new(text, 0, &mut ignored);
    let (mut line_end, mut before) = (None, TokenKind::Boundary);
    while let Some(mut token) = scanner.next(before) {
        if line_end.is_some_and(|end| token.span.start >= end) {
            line_end = None;
            token.separated = true;
        }
        before = token.kind;
        out.push(token);
        if matches!(token.kind, TokenKind::Include | TokenKind::Print) {
            let line = line_behind(text, token.span.end as usize);
            line_end = Some(line.end as u32);
            if token.kind == TokenKind::Include {
                scanner.skip_to(line.end);
                let behind = text[line.clone()].trim();
                let start = (line.end - text[line].trim_start().len()) as u32;
                let span = Span::new(start, start + behind.len() as u32);
                if !behind.is_empty() {
                    out.push(Token { kind: TokenKind::Text, separated: false, span });
                }
                before = TokenKind::Boundary;
            }
        }
    }
    out
}

fn last_kind(tokens: &[Token]) -> TokenKind {
    tokens.last().map_or(TokenKind::Boundary, |token| token.kind)
}

struct Reader<'a> {
    files: &'a dyn Files,
    map: &'a mut SourceMap,
    directory: String,
    /// Paths of the files being read, with the span of the `include` that opened each.
    open: Vec<(String, Option<Span>)>,
    n_files: usize,
    out: Tokens,
}

impl Reader<'_> {
    fn give_up_on_root(&mut self, root: &str, diagnostic: Diagnostic) {
        self.map.add(root, "");
        self.out.diagnostics.push(diagnostic);
        self.out.incomplete = true;
    }

    fn finish(mut self) -> Tokens {
        let end = self.out.tokens.last().map_or(Span::default(), |token| token.span.at_end());
        self.out.tokens.push(Token { kind: TokenKind::End, separated: true, span: end });
        self.out
    }

    fn lex_file(&mut self, path: String, text: String, included_at: Option<Span>) {
        let n_bytes = self.map.files().last().map_or(0, |last| last.span().end as usize) + text.len();
        let fits = n_bytes <= text::MAX_BYTES;
        let Some(span) = fits.then(|| self.map.add(path.clone(), text.as_str())).flatten() else {
            let place = included_at.unwrap_or_default();
            self.out.diagnostics.push(errors::too_large(&path, text::MAX_BYTES, place));
            self.out.incomplete = true;
            return;
        };
        self.n_files += 1;
        self.open.push((path, included_at));
        self.boundary(span.at_start());
        self.lex_text(&text, span.start);
        self.boundary(span.at_end());
        self.open.pop();
    }

    fn boundary(&mut self, span: Span) {
        self.out.tokens.push(Token { kind: TokenKind::Boundary, separated: true, span });
    }

    fn lex_text(&mut self, text: &str, start: u32) {
        let mut found = Vec::new();
        let mut scanner = Scanner::new(text, start, &mut found);
        // The end of the line of the current `print`, if there is one.
        let mut print_end = None;
        while let Some(mut token) = scanner.next(last_kind(&self.out.tokens)) {
            self.add_pragmas(&mut scanner, start);
            if print_end.is_some_and(|end| token.span.start >= end) {
                print_end = None;
                self.out.tokens.push(Token { kind: TokenKind::Boundary, separated: true, span: token.span.at_start() });
                token.separated = true;
            }
            match token.kind {
                TokenKind::Include => {
                    let line = line_behind(text, (token.span.end - start) as usize);
                    scanner.skip_to(line.end);
                    self.include(&text[line.start..line.end], start + line.start as u32, token.span);
                }
                TokenKind::Print => {
                    let line = line_behind(text, (token.span.end - start) as usize);
                    print_end = Some(start + line.end as u32);
                    self.out.tokens.push(token);
                }
                _ => self.out.tokens.push(token),
            }
        }
        self.add_pragmas(&mut scanner, start);
        if let Some(end) = print_end {
            self.boundary(Span::new(end, end));
        }
        self.out.diagnostics.append(&mut found);
    }

    /// Stores the pragmas since the last token.
    fn add_pragmas(&mut self, scanner: &mut Scanner<'_, '_>, start: u32) {
        for range in scanner.lexer.extras.pragmas.drain(..) {
            let span = Span::new(start + range.start as u32, start + range.end as u32);
            self.out.pragmas.push(PragmaPlace { span, before: self.out.tokens.len() });
        }
    }

    /// Reads the file that an `include` line names.
    fn include(&mut self, rest: &str, rest_start: u32, keyword: Span) {
        let Some((name, offset)) = quoted(rest) else {
            self.out.diagnostics.push(errors::malformed_include(keyword, rest.trim_end()));
            self.out.incomplete = true;
            return;
        };
        let place_start = rest_start + offset as u32;
        let place = Span::new(place_start, place_start + name.len() as u32 + 2);
        match self.read_included(name, place) {
            Ok((path, text)) => self.lex_file(path, text, Some(place)),
            Err(diagnostic) => {
                self.out.diagnostics.push(*diagnostic);
                self.out.incomplete = true;
            }
        }
    }

    /// The text of an included file: relative to the root's folder as in FDR, else to the including file's.
    fn read_included(&self, name: &str, place: Span) -> Result<(String, String), Box<Diagnostic>> {
        let here = directory_of(&self.open.last().expect("an include stands in a file").0);
        let mut candidates = vec![join(&self.directory, name)];
        if here != self.directory {
            candidates.push(join(here, name));
        }
        let mut first_reason = None;
        for path in candidates {
            match self.files.read(&path) {
                Ok(bytes) => {
                    self.check_nesting(&path, place)?;
                    let text = text::decode(&path, bytes, place)?;
                    return Ok((path, text));
                }
                Err(reason) => _ = first_reason.get_or_insert(reason),
            }
        }
        Err(errors::missing_include(name, &first_reason.unwrap_or_default(), place).into())
    }

    fn check_nesting(&self, path: &str, place: Span) -> Result<(), Box<Diagnostic>> {
        if let Some(first) = self.open.iter().position(|(open, _)| open == path) {
            let chain: Vec<&str> = self.open[first..].iter().map(|(open, _)| open.as_str()).collect();
            return Err(errors::cyclic_include(path, &chain, place).into());
        }
        if self.open.len() >= MAX_DEPTH || self.n_files >= MAX_FILES {
            return Err(errors::too_many_includes(MAX_DEPTH, MAX_FILES, place).into());
        }
        Ok(())
    }
}

/// The folder part of a path, with its slash; empty for a bare file name.
fn directory_of(path: &str) -> &str {
    path.rfind(['/', '\\']).map_or("", |slash| &path[..=slash])
}

fn join(directory: &str, name: &str) -> String {
    let name = name.replace('\\', "/");
    let name = name.strip_prefix("./").unwrap_or(&name);
    if name.starts_with('/') { name.to_owned() } else { format!("{directory}{name}") }
}

/// The text between the first pair of quotes, which must come first, and the offset of the opening quote.
fn quoted(rest: &str) -> Option<(&str, usize)> {
    let offset = rest.len() - rest.trim_start().len();
    let inside = rest[offset..].strip_prefix('"')?;
    let end = inside.find('"')?;
    (end > 0).then(|| (&inside[..end], offset))
}

/// The range from `from` to the end of its line.
fn line_behind(text: &str, from: usize) -> std::ops::Range<usize> {
    let length = text[from..].find(['\r', '\n']).unwrap_or(text.len() - from);
    from..from + length
}

/// Scans one text, and resolves the context-dependent tokens.
struct Scanner<'t, 'd> {
    lexer: logos::Lexer<'t, TokenKind>,
    text: &'t str,
    start: u32,
    diagnostics: &'d mut Vec<Diagnostic>,
}

impl<'t, 'd> Scanner<'t, 'd> {
    fn new(text: &'t str, start: u32, diagnostics: &'d mut Vec<Diagnostic>) -> Scanner<'t, 'd> {
        Scanner { lexer: TokenKind::lexer(text), text, start, diagnostics }
    }

    fn skip_to(&mut self, offset: usize) {
        let at = self.lexer.span().end;
        if offset > at {
            self.lexer.bump(offset - at);
        }
    }

    fn next(&mut self, before: TokenKind) -> Option<Token> {
        self.lexer.extras.newline = false;
        self.report_long_arrow();
        let result = self.lexer.by_ref().find(|result| !result.is_ok_and(TokenKind::is_gap));
        if let Some(comment) = self.report_unclosed_comment() {
            // The comment hides unknown text, so the parser must not report errors around it.
            return Some(Token { kind: TokenKind::Unknown, separated: false, span: comment });
        }
        let result = result?;
        let Gap { newline, .. } = self.lexer.extras;
        let range = self.lexer.span();
        let mut span = Span::new(self.start + range.start as u32, self.start + range.end as u32);
        let kind = match result {
            Ok(TokenKind::TypeColons) if self.is_tight(&range) => TokenKind::ScopeColons,
            Ok(TokenKind::Text | TokenKind::Char) if self.text[range.clone()].contains('\u{fffd}') => {
                self.diagnostics.push(errors::invalid_utf8(span));
                result.unwrap_or(TokenKind::Unknown)
            }
            Ok(TokenKind::MapOpen) => {
                // The space after it does not belong to the token.
                span.end = span.start + 2;
                TokenKind::MapOpen
            }
            Ok(TokenKind::Backslash) if range.len() == 2 => {
                self.diagnostics.push(errors::double_backslash(span));
                TokenKind::Backslash
            }
            Ok(kind) => kind,
            Err(()) => {
                span = self.unknown(span);
                TokenKind::Unknown
            }
        };
        Some(Token { kind, separated: newline && line_end_separates(before, kind), span })
    }

    /// Warns that `a --> P` is `a` followed by a comment.
    fn report_long_arrow(&mut self) {
        let end = self.lexer.span().end;
        let behind = self.text[end..].trim_start_matches([' ', '\t']);
        let offset = (self.text.len() - behind.len()) as u32;
        if end > 0 && behind.starts_with("-->") && !behind.starts_with("-->-") {
            let start = self.start + offset;
            self.diagnostics.push(errors::arrow_in_comment(Span::new(start, start + 3)));
        }
    }

    fn is_tight(&self, range: &std::ops::Range<usize>) -> bool {
        let blank = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let bytes = self.text.as_bytes();
        !blank(range.start.checked_sub(1).and_then(|i| bytes.get(i))) && !blank(bytes.get(range.end))
    }

    fn report_unclosed_comment(&mut self) -> Option<Span> {
        let offset = self.lexer.extras.unclosed_comment.take()?;
        let start = self.start + offset as u32;
        let span = Span::new(start, start + 2);
        let negative = self.text[offset + 2..].starts_with(|c: char| c.is_ascii_digit());
        self.diagnostics.push(errors::unclosed_comment(negative, span));
        Some(span)
    }

    /// Reports characters that begin no token, once for each sequence of them.
    fn unknown(&mut self, span: Span) -> Span {
        let from = (span.start - self.start) as usize;
        let text = &self.text[from..];
        let first = text.chars().next().unwrap_or(' ');
        let length = match first {
            '"' | '\'' => line_behind(self.text, from).len(),
            _ => text.find(|c: char| c.is_ascii() && !c.is_ascii_control()).unwrap_or(text.len()),
        };
        let length = length.max(first.len_utf8());
        self.skip_to(from + length);
        let span = Span::new(span.start, span.start + length as u32);
        self.diagnostics.push(match first {
            '"' => errors::unclosed_string(span),
            '\'' => errors::bad_char(span),
            '\u{fffd}' => errors::invalid_utf8(span),
            _ => errors::unknown_character(first, span),
        });
        span
    }
}
