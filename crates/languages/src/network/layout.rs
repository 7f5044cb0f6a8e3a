//! Networks as pieces.

use crate::pieces::{COMMA, Form, KEYWORD, PREFIX, STRAY, between, close, comments, keyword, line_comment, open, word};
use frontend::layout::{Blank, Piece, PieceKind, Word};

pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut end, mut before) = (0, "");
    for (range, is_word, is_separated) in network_text::lex_alone(text) {
        pieces.extend(comments(&text[end..range.start], end, comment));
        end = range.end;
        let token = &text[range.clone()];
        let begins = is_separated && matches!(token, "event" | "network" | "assert") || before.is_empty();
        let form = form(token, is_word, before);
        before = token;
        pieces.push(Piece { is_separated, begins, ..form.at(range) });
    }
    pieces.extend(comments(&text[end..], end, comment));
    pieces
}

fn comment(text: &str) -> Option<(PieceKind, usize)> {
    text.starts_with("--").then(|| line_comment(text))
}

fn form(text: &str, is_word: bool, before: &str) -> Form {
    let follows_operand = before.ends_with(|last: char| last.is_alphanumeric() || "_)]\"'".contains(last));
    match text {
        "true" | "false" | "tau" | "tick" | "not" => word(PieceKind::Keyword),
        _ if is_word => KEYWORD,
        "," => COMMA,
        ";" => COMMA,
        "->" | ":=" | "=" | "==" | "!=" | "<=" | ">=" | "|=" => between(Blank::One),
        _ if text.starts_with('[') && text.ends_with('=') => between(Blank::One),
        "-" if !follows_operand => PREFIX,
        "+" | "-" | "*" | "/" | "%" => between(Blank::Same),
        ".." | "." => between(Blank::None),
        // They compare, or stand around a trace.
        "<" | ">" => between(Blank::Kept),
        ":" | "!" | "?" | "#" => between(Blank::Kept),
        "(" => open(Blank::Kept, Blank::None),
        ")" => close(Blank::None, Blank::Kept),
        "[" | "{" | ":[" => open(Blank::Kept, Blank::Kept),
        "]" | "}" => close(Blank::Kept, Blank::Kept),
        _ if text.starts_with('"') => word(PieceKind::Text),
        _ if text.starts_with(|first: char| first.is_ascii_digit()) => word(PieceKind::Number),
        _ if text.starts_with(|first: char| first.is_ascii_alphabetic() || "_#".contains(first)) => {
            word(PieceKind::Name)
        }
        _ => STRAY,
    }
}

const KEYWORDS: &[(&str, &str)] = &[
    ("event", "declares events"),
    ("network", "a network of machines: what follows belongs to it"),
    ("var", "a variable with its range and first value"),
    ("temporary", "a variable that only lives during a step"),
    ("define", "an expression with a name"),
    ("actions", "what machines do, and rules join"),
    ("machine", "states and their actions"),
    ("obstacle", "keeps rules from being taken"),
    ("mode", "rules that hold for a while"),
    ("start", "the mode at the start"),
    ("priority", "which rules come first"),
    ("class", "rules of the same priority"),
    ("assert", "a claim to be decided"),
    ("when", "a condition"),
    ("unless", "a condition that must not hold"),
    ("do", "assignments"),
    ("goto", "the mode that follows"),
    ("tau", "a step that nobody sees"),
    ("tick", "termination"),
];

pub(super) fn words() -> Vec<Word> {
    KEYWORDS.iter().map(keyword).collect()
}
