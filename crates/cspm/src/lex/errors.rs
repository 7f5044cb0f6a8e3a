//! Diagnostics of the lexer.

use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Lex, code, span, title)
}

pub fn unreadable(path: &str, reason: &str, span: Span) -> Diagnostic {
    error("cspm::unreadable-file", span, format!("cannot read `{path}`: {reason}"))
}

pub fn missing_include(name: &str, reason: &str, span: Span) -> Diagnostic {
    error("cspm::missing-include", span, format!("cannot read the included file `{name}`"))
        .label(reason)
        .help("paths are relative to the folder of the script that is checked, not of the file that includes")
}

pub fn cyclic_include(path: &str, chain: &[&str], span: Span) -> Diagnostic {
    let title = format!("`{path}` includes itself");
    let walk = chain.iter().chain([&path]).map(|path| format!("`{path}`")).collect::<Vec<_>>().join(" includes ");
    error("cspm::cyclic-include", span, title)
        .label("this file is being read already")
        .with_note(walk)
        .help("remove this `include`")
}

pub fn too_many_includes(depth: usize, files: usize, span: Span) -> Diagnostic {
    error("cspm::too-many-includes", span, "too many included files")
        .label(format!("more than {depth} files deep, or more than {files} in all"))
        .help("include every file once, from the script that is checked")
}

pub fn malformed_include(keyword: Span, rest: &str) -> Diagnostic {
    let bare = rest.trim().trim_matches('"');
    let bare = bare.split("--").next().unwrap_or("").trim();
    let name = if bare.is_empty() { "other.csp" } else { bare };
    error("cspm::malformed-include", keyword, "`include` needs a file name in quotes")
        .label("expected a quoted file name on this line")
        .help(format!("write `include \"{name}\"`"))
}

pub fn rich_text(path: &str, span: Span) -> Diagnostic {
    error("cspm::rich-text", span, format!("`{path}` is a Rich Text document, not a plain text script"))
        .help("save it as plain text in the editor that wrote it")
}

pub fn utf16(path: &str, span: Span) -> Diagnostic {
    error("cspm::utf16", span, format!("`{path}` is encoded in UTF-16"))
        .help("save it as UTF-8 in the editor that wrote it")
}

pub fn too_large(path: &str, limit: usize, span: Span) -> Diagnostic {
    let title = format!("`{path}` is too large: a script has at most {} MB, with all it includes", limit >> 20);
    error("cspm::too-large", span, title)
}

pub fn unclosed_comment(before_number: bool, span: Span) -> Diagnostic {
    let diagnostic = error("cspm::unclosed-comment", span, "this comment is never closed")
        .label("opened here; everything behind it is comment");
    if before_number {
        diagnostic.help("put a blank between `{` and `-` to write a set with a negative number")
    } else {
        diagnostic.help("close it with `-}` (comments nest: each `{-` needs its own)")
    }
}

pub fn unclosed_string(span: Span) -> Diagnostic {
    error("cspm::unclosed-string", span, "this string is not closed on its line")
        .label("opened here")
        .help("close it with `\"`; a quote inside a string is written `\\\"`, a line end `\\n`")
}

pub fn bad_char(span: Span) -> Diagnostic {
    error("cspm::bad-char", span, "this is not a character")
        .label("expected one character between `'` and `'`")
        .help("write `'c'`, or `\"text\"` for several characters")
}

pub fn invalid_utf8(span: Span) -> Diagnostic {
    error("cspm::invalid-utf8", span, "the file is not valid UTF-8 here")
        .label("bytes that are no characters")
        .help("save the file as UTF-8; only comments may hold other bytes")
}

pub fn arrow_in_comment(span: Span) -> Diagnostic {
    Diagnostic::warning(Phase::Lex, "cspm::arrow-in-comment", span, "`-->` begins a comment")
        .label("nothing from here to the end of the line is read")
        .help("write `->`; if a comment is meant, put a blank behind `--`")
}

pub fn double_backslash(span: Span) -> Diagnostic {
    Diagnostic::warning(Phase::Lex, "cspm::double-backslash", span, "`\\\\` is read as `\\`")
        .label("hiding is written with one backslash")
        .help("write `\\`: FDR does not accept two")
}

pub fn unknown_character(character: char, span: Span) -> Diagnostic {
    let title = match character {
        c if c.is_control() => format!("unexpected character U+{:04X}", c as u32),
        c => format!("unexpected character `{c}`"),
    };
    let diagnostic = error("cspm::unknown-character", span, title).label("no part of CSPM begins like this");
    match ascii_for(character) {
        Some(ascii) => diagnostic.help(format!("write `{ascii}`")),
        None => diagnostic,
    }
}

/// The ASCII notation for characters that word processors and papers use.
fn ascii_for(character: char) -> Option<&'static str> {
    Some(match character {
        '“' | '”' => "\"",
        '‘' | '’' => "'",
        '–' | '—' | '−' => "-",
        '→' | '⟶' | '⭢' | '➔' | '➜' | '⇾' => "->",
        '⇒' | '⟹' | '↦' => "->",
        '□' | '☐' | '◻' | '▯' | '⊔' => "[]",
        '⊓' | '⨅' | '∏' => "|~|",
        '∥' | '‖' => "P [| {|a, b|} |] Q` with the events of both sides, or `P ||| Q",
        '⫴' | '⦀' | '⫼' => "|||",
        '∖' | '⧵' | '﹨' => "\\",
        '▷' | '⊳' | '⊵' => "[>",
        '△' | '▵' | '∆' => "/\\",
        'Θ' | 'θ' => "P [| {|a|} |> Q",
        '⊑' | '⊒' => "[T=` for traces, `[F=` for failures, or `[FD=",
        '⟦' => "[[",
        '⟧' => "]]",
        'μ' | 'µ' => "X = ...` as a definition that calls itself, such as `X = a -> X",
        'Σ' => "Events",
        '✓' | '✔' => "SKIP",
        '⟨' | '〈' => "<",
        '⟩' | '〉' => ">",
        '⌢' | '⁀' | '⧺' => "^",
        '≤' => "<=",
        '≥' => ">=",
        '≠' => "!=",
        '≙' | '≜' | '≔' => "=",
        '∧' => "and",
        '∨' => "or",
        '¬' => "not",
        '×' => "*",
        '÷' => "/",
        '·' | '∙' | '•' => ".",
        '…' => "..",
        '∪' => "union(A, B)",
        '∩' => "inter(A, B)",
        '∈' => "member(x, S)",
        '∉' => "not member(x, S)",
        '∅' => "{}",
        '←' => "<-",
        '↔' => "<->",
        '\u{a0}' => " ",
        '~' => "|~|",
        '`' => "'",
        _ => return None,
    })
}
