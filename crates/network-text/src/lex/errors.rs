//! Diagnostics of the lexer.

use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Lex, code, span, title)
}

pub fn unreadable(path: &str, reason: &str, span: Span) -> Diagnostic {
    error("network::unreadable-file", span, format!("cannot read `{path}`: {reason}"))
}

pub fn too_large(path: &str, limit: usize, span: Span) -> Diagnostic {
    error("network::too-large", span, format!("`{path}` is too large: a file has at most {} MB", limit >> 20))
}

pub fn utf16(path: &str, span: Span) -> Diagnostic {
    error("network::utf16", span, format!("`{path}` is encoded in UTF-16"))
        .help("save it as UTF-8 in the editor that wrote it")
}

pub fn invalid_utf8(span: Span) -> Diagnostic {
    error("network::invalid-utf8", span, "the file is not valid UTF-8 here")
        .label("bytes that are no characters")
        .help("save the file as UTF-8")
}

pub fn unclosed_text(span: Span) -> Diagnostic {
    error("network::unclosed-text", span, "this text is not closed on its line")
        .label("opened here")
        .help("close it with `\"`; a quote inside is written `\\\"`, a line end `\\n`")
}

pub fn bad_escape(span: Span) -> Diagnostic {
    error("network::bad-escape", span, "this backslash means nothing")
        .label("expected `\\\"`, `\\\\`, `\\n`, `\\r`, `\\t` or `\\u{...}`")
        .help("write `\\\\` for a backslash")
}

pub fn unknown_character(character: char, span: Span) -> Diagnostic {
    let title = match character {
        c if c.is_control() => format!("unexpected character U+{:04X}", c as u32),
        c => format!("unexpected character `{c}`"),
    };
    error("network::unknown-character", span, title)
        .label("nothing begins like this")
        .help("names with unusual characters are written in quotes: `\"é.1\"`")
}
