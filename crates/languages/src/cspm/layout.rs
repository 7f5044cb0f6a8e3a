//! CSPM as pieces: what stands beside what, and where declarations begin.

use crate::pieces::{COMMA, Form, KEYWORD, PREFIX, STRAY, between, close, comments, line_comment, open, word};
use cspm::lex::{TokenKind, lex_alone};
use frontend::layout::{Blank, Piece, PieceKind, Role};

pub(super) fn pieces(text: &str) -> Vec<Piece> {
    let tokens = lex_alone(text);
    let mut pieces = Vec::with_capacity(tokens.len());
    let mut end = 0;
    let mut around = Around::default();
    for token in &tokens {
        let range = token.span.start as usize..token.span.end as usize;
        let begins_line = text[end..range.start].contains(['\r', '\n']);
        pieces.extend(comments(&text[end..range.start], end, comment));
        end = range.end;
        // Nothing stands before the first.
        let is_separated = token.separated || around.before.is_none();
        let ends_block = matches!(token.kind, TokenKind::Exports | TokenKind::EndModule);
        let begins =
            is_separated && !ends_block || around.begins_block() || begins_line && around.may_end_before(token.kind);
        if begins {
            around.property = 0;
        }
        let piece = around.form(token.kind).at(range);
        pieces.push(Piece { is_separated, begins, ..piece });
    }
    pieces.extend(comments(&text[end..], end, comment));
    pieces
}

/// How long the comment is that a text begins with.
fn comment(text: &str) -> Option<(PieceKind, usize)> {
    if text.starts_with("--") {
        return Some(line_comment(text));
    }
    text.starts_with("{-").then(|| {
        let (bytes, mut depth, mut at) = (text.as_bytes(), 0, 0);
        while at < bytes.len() {
            match &bytes[at..bytes.len().min(at + 2)] {
                b"{-" => depth += 1,
                b"-}" => depth -= 1,
                _ => {
                    at += 1;
                    continue;
                }
            }
            at += 2;
            if depth == 0 {
                break;
            }
        }
        (PieceKind::BlockComment, at)
    })
}

/// The context of a token.
#[derive(Default)]
struct Around {
    before: Option<TokenKind>,
    /// Whether each open brace opened a section of declarations.
    braces: Vec<bool>,
    /// How many parentheses are open since a `Timed` whose section is to begin.
    section: Option<u32>,
    /// How many brackets are open since a property began.
    property: u32,
    /// Whether the last bracket closed a property.
    ended_property: bool,
}

impl Around {
    /// Whether a line that begins with a token is another declaration, although the token before could be followed by
    /// more.
    fn may_end_before(&self, kind: TokenKind) -> bool {
        use TokenKind::*;
        let ends_property = self.before == Some(BracketClose) && self.ended_property && kind == Ident;
        ends_property || kind.is_declarator() || kind == Include
    }

    /// Whether declarations begin right behind the token before.
    fn begins_block(&self) -> bool {
        match self.before {
            Some(TokenKind::Let) => true,
            Some(TokenKind::BraceOpen) => self.braces.last() == Some(&true),
            _ => false,
        }
    }

    fn form(&mut self, kind: TokenKind) -> Form {
        let mut form = form(kind, self.before.replace(kind));
        match kind {
            TokenKind::Timed => self.section = Some(0),
            TokenKind::ParenOpen => self.section = self.section.map(|n| n + 1),
            TokenKind::ParenClose => self.section = self.section.and_then(|n| n.checked_sub(1)),
            TokenKind::BraceOpen => {
                let is_section = self.section.take() == Some(0);
                self.braces.push(is_section);
                if is_section {
                    form = Form(PieceKind::Operator, Role::BlockOpen, Blank::One, Blank::Kept);
                }
            }
            TokenKind::BraceClose if self.braces.pop() == Some(true) => form.1 = Role::BlockClose,
            // The brackets of a property are balanced by nothing: the last two of `:[deadlock free [F]]` are one token.
            TokenKind::PropertyOpen => {
                self.property = 1;
                form.1 = Role::Plain;
            }
            TokenKind::BracketOpen | TokenKind::BracketClose | TokenKind::RenameClose if self.property > 0 => {
                let (opens, closes) = match kind {
                    TokenKind::BracketOpen => (1, 0),
                    TokenKind::BracketClose => (0, 1),
                    _ => (0, 2),
                };
                self.property = (self.property + opens).saturating_sub(closes);
                self.ended_property = self.property == 0;
                (form.1, form.3) = (Role::Plain, Blank::Kept);
            }
            TokenKind::BracketClose => self.ended_property = false,
            _ if self.section == Some(0) => self.section = None,
            _ => {}
        }
        form
    }
}

fn form(kind: TokenKind, before: Option<TokenKind>) -> Form {
    use TokenKind::*;
    match kind {
        LineEnd | LineComment | BlockComment | Boundary | End | Unknown => STRAY,
        Ident | Wildcard => word(PieceKind::Name),
        Int => word(PieceKind::Number),
        Char | Text => word(PieceKind::Text),
        True | False => word(PieceKind::Keyword),
        Let => Form(PieceKind::Keyword, Role::BlockOpen, Blank::One, Blank::One),
        Within | EndModule => Form(PieceKind::Keyword, Role::BlockClose, Blank::One, Blank::One),
        Module => Form(PieceKind::Keyword, Role::BlockOpen, Blank::One, Blank::One),
        Exports => Form(PieceKind::Keyword, Role::BlockMiddle, Blank::One, Blank::One),
        Not => Form(PieceKind::Keyword, Role::Plain, Blank::Kept, Blank::Kept),
        And | Or | If | Then | Else | Channel | Assert | Datatype | Subtype | Nametype | External | Transparent
        | Instance | Print | Include => KEYWORD,
        Timed => Form(PieceKind::Keyword, Role::Plain, Blank::One, Blank::Kept),
        Arrow | ExternalChoice | InternalChoice | Interleave | SlidingChoice | Interrupt | Guard | LeftArrow | Tie
        | Equals | Equal | NotEqual | LessEqual | GreaterEqual | At | FatArrow | FatArrowStar | TypeColons
        | Refines | Satisfies | Project | Backslash | DoubleBar | DoubleAt => between(Blank::One),
        Semicolon => between(Blank::Kept),
        Plus | Times | Divide | Modulo | Concat | Bar => between(Blank::Same),
        Minus if before.is_none_or(|before| !ends_operand(before)) => PREFIX,
        Minus => between(Blank::Same),
        Hash => PREFIX,
        // Only the parser knows whether they compare or stand around a sequence.
        Less | Greater | EmptySeq => between(Blank::Kept),
        Colon => between(Blank::Kept),
        Dot | DotDot | ScopeColons => between(Blank::None),
        Question | Exclamation | Dollar => between(Blank::None),
        Comma => COMMA,
        ParenOpen => open(Blank::Kept, Blank::None),
        ParenClose => close(Blank::None, Blank::Kept),
        BraceOpen | EnumOpen | RenameOpen => open(Blank::Kept, Blank::Kept),
        BraceClose | EnumClose | RenameClose => close(Blank::Kept, Blank::Kept),
        ParallelOpen | BracketOpen | SyncChoiceOpen | SyncInterruptOpen => open(Blank::One, Blank::Kept),
        ParallelClose | ExceptionClose | BracketClose | SyncChoiceClose | SyncInterruptClose => {
            close(Blank::Kept, Blank::One)
        }
        PropertyOpen => open(Blank::One, Blank::Kept),
        MapOpen => open(Blank::Kept, Blank::One),
        MapClose => close(Blank::One, Blank::Kept),
    }
}

/// Whether an operator behind a token stands between two things.
fn ends_operand(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(
        kind,
        Ident
            | Int
            | Char
            | Text
            | True
            | False
            | Wildcard
            | ParenClose
            | BraceClose
            | EnumClose
            | MapClose
            | RenameClose
            | Greater
            | EmptySeq
    )
}
