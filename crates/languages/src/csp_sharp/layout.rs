//! CSP# as pieces. Line ends mean nothing; a declaration ends with a semicolon.

use super::words;
use crate::pieces::{COMMA, Form, KEYWORD, PREFIX, STRAY, between, close, comments, open, word};
use frontend::layout::{Blank, Piece, PieceKind, Role};

pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let (mut end, mut around) = (0, Around::default());
    for range in csp_sharp::lex_alone(text) {
        pieces.extend(comments(&text[end..range.start], end, comment));
        end = range.end;
        let (begins, form) = around.form(&text[range.clone()]);
        pieces.push(Piece { begins, ..form.at(range) });
    }
    pieces.extend(comments(&text[end..], end, comment));
    pieces
}

/// How long the comment is that a text begins with.
fn comment(text: &str) -> Option<(PieceKind, usize)> {
    if text.starts_with("//") {
        return Some((PieceKind::LineComment, text.find('\n').unwrap_or(text.len())));
    }
    let behind = text.strip_prefix("/*")?;
    Some((PieceKind::BlockComment, behind.find("*/").map_or(text.len(), |end| end + 4)))
}

/// The context of a token.
#[derive(Default)]
struct Around {
    before: String,
    depth: u32,
    /// Whether a formula goes on, in which blanks are left alone: it has rules of its own.
    in_formula: bool,
}

impl Around {
    /// Whether a declaration begins with a token, and its form.
    fn form(&mut self, text: &str) -> (bool, Form) {
        let is_declarator = matches!(text, "#" | "var" | "hvar" | "channel" | "enum");
        let begins = self.depth == 0 && (matches!(&*self.before, "" | ";") || is_declarator && self.before != "#");
        let mut form = self.plain(text);
        if self.in_formula && text != ";" {
            (form.2, form.3) = (Blank::Verbatim, Blank::Kept);
        }
        match text {
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            "|=" => self.in_formula = true,
            ";" => self.in_formula = false,
            _ => {}
        }
        text.clone_into(&mut self.before);
        (begins, form)
    }

    fn plain(&self, text: &str) -> Form {
        let follows_operand =
            self.before.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | ')' | ']' | '"'));
        match text {
            "true" | "false" | "Skip" | "Stop" | "tau" | "call" | "new" | "init" => word(PieceKind::Keyword),
            "if" | "ifa" | "ifb" | "while" | "atomic" | "case" | "default" | "interrupt" | "alphabet" => {
                word(PieceKind::Keyword)
            }
            _ if words::is_keyword(text) && self.before == "#" => word(PieceKind::Keyword),
            "else" | "xor" | "var" | "hvar" | "enum" | "channel" => KEYWORD,
            _ if words::is_keyword(text) => word(PieceKind::Keyword),
            "#" => PREFIX,
            "->" | "->>" | "<>" | "<->" | "=" | "==" | "!=" | "<=" | ">=" | "&&" | "\\" | "|=" => between(Blank::One),
            "," => COMMA,
            ";" => Form(PieceKind::Operator, Role::Plain, Blank::None, Blank::Kept),
            "!" if !follows_operand => PREFIX,
            "-" if !follows_operand => PREFIX,
            "." | ".." | "?" | "!" | "$" => between(Blank::None),
            "||" | "|||" | "[]" | "[*]" | "+" | "-" | "*" | "/" | "%" | "&" | "^" => between(Blank::Same),
            "(" => open(Blank::Kept, Blank::None),
            ")" => close(Blank::None, Blank::Kept),
            "[" | "{" => open(Blank::Kept, Blank::Kept),
            "]" | "}" => close(Blank::Kept, Blank::Kept),
            "<" | ">" | ":" | "@" | "|" | "++" | "--" => between(Blank::Kept),
            _ if text.starts_with('"') => word(PieceKind::Text),
            _ if text.starts_with(|first: char| first.is_ascii_digit()) => word(PieceKind::Number),
            _ if text.starts_with(|first: char| first.is_ascii_alphabetic() || first == '_') => word(PieceKind::Name),
            _ => STRAY,
        }
    }
}
