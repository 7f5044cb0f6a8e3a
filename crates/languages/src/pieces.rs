//! Pieces from tokens: what the languages have in common.

use frontend::layout::{Blank, Piece, PieceKind, Role, Word};
use std::ops::Range;

/// The kind and role of a piece, and the blanks around it.
#[derive(Clone, Copy)]
pub(crate) struct Form(pub PieceKind, pub Role, pub Blank, pub Blank);

impl Form {
    /// The piece of this form at a place.
    pub fn at(self, range: Range<usize>) -> Piece {
        let Form(kind, role, before, after) = self;
        Piece { range, kind, role, before, after, is_separated: false, begins: false }
    }
}

/// A word, or something else that others stand beside.
pub(crate) const fn word(kind: PieceKind) -> Form {
    Form(kind, Role::Plain, Blank::Kept, Blank::Kept)
}

/// A word with blanks around it.
pub(crate) const KEYWORD: Form = Form(PieceKind::Keyword, Role::Plain, Blank::One, Blank::One);

/// An operator between two things.
pub(crate) const fn between(blank: Blank) -> Form {
    Form(PieceKind::Operator, Role::Plain, blank, blank)
}

/// A comma, and whatever else ends something.
pub(crate) const COMMA: Form = Form(PieceKind::Operator, Role::Plain, Blank::None, Blank::One);

/// An operator in front of something.
pub(crate) const PREFIX: Form = Form(PieceKind::Operator, Role::Plain, Blank::Kept, Blank::None);

/// A bracket that opens.
pub(crate) const fn open(before: Blank, inside: Blank) -> Form {
    Form(PieceKind::Operator, Role::Open, before, inside)
}

/// A bracket that closes.
pub(crate) const fn close(inside: Blank, behind: Blank) -> Form {
    Form(PieceKind::Operator, Role::Close, inside, behind)
}

/// Characters that mean nothing, and what cannot be understood alone.
pub(crate) const STRAY: Form = Form(PieceKind::Stray, Role::Plain, Blank::Verbatim, Blank::Verbatim);

/// The comments in a text that consists of blanks and comments, at their places from `start` on. `end` is how long the
/// comment is that a text begins with, if it begins with one.
pub(crate) fn comments<'t>(
    gap: &'t str,
    start: usize,
    end: impl Fn(&str) -> Option<(PieceKind, usize)> + 't,
) -> impl Iterator<Item = Piece> + 't {
    let mut at = 0;
    std::iter::from_fn(move || {
        while at < gap.len() {
            let rest = &gap[at..];
            if let Some((kind, length)) = end(rest) {
                let from = at;
                at += length;
                let length = rest[..length].trim_end().len();
                return Some(word(kind).at(start + from..start + from + length));
            }
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
        None
    })
}

/// How long a comment is that goes to the end of its line.
pub(crate) fn line_comment(text: &str) -> (PieceKind, usize) {
    (PieceKind::LineComment, text.find(['\r', '\n']).unwrap_or(text.len()))
}

/// A word of the syntax, with what it is for.
pub(crate) fn keyword(&(name, about): &(&'static str, &'static str)) -> Word {
    Word { name, is_keyword: true, signature: "", about, behind: None, import: None }
}
