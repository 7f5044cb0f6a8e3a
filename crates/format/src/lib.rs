//! Formatter of scripts.
//!
//! A text is the sequence of tokens of its language; only the whitespace between them changes. Line breaks are kept.
//! Blanks within a line depend on the two adjacent tokens ([`gaps`]), aligned columns stay aligned ([`columns`]),
//! declarations begin at the margin of their block, and continuation lines move with what they were aligned with, or
//! with the declaration ([`place`]). So no token is ever lost, even in a malformed text, and formatting is idempotent.

mod columns;
mod edits;
mod gaps;
mod lines;
mod place;

pub use edits::{LineEdit, line_edits};
use limits::effort::layout::FORMAT_ROUNDS;

use frontend::Language;
use frontend::layout::{Piece, PieceKind};

/// Distance of tab stops.
const TAB: usize = 4;
/// Minimal indentation of continuation lines.
const INDENT: usize = 2;

/// Formats a text. `None` if its language has no formatter, or if its tokens would change.
pub fn format(language: &dyn Language, text: &str) -> Option<String> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let settled = settle(language, body, columns::Alignment::Kept)
        .or_else(|| settle(language, body, columns::Alignment::Ignored))?;
    Some(format!("{mark}{settled}")).filter(|settled| is_same(language, text, settled))
}

/// Formats a text repeatedly, up to a fixed point.
fn settle(language: &dyn Language, text: &str, alignment: columns::Alignment) -> Option<String> {
    let mut text = text.to_owned();
    for _ in 0..FORMAT_ROUNDS {
        let next = round(language, &text, alignment)?;
        if next == text {
            return Some(text);
        }
        text = next;
    }
    None
}

fn round(language: &dyn Language, text: &str, alignment: columns::Alignment) -> Option<String> {
    let pieces = language.pieces(text);
    if pieces.is_empty() && !text.trim().is_empty() {
        return None;
    }
    let lines = lines::Lines::new(text, &pieces);
    let mut gaps = gaps::gaps(language, text, &pieces, &lines);
    if alignment == columns::Alignment::Kept {
        let starts = place::place(text, &pieces, &lines, &gaps).starts;
        columns::line_up(text, &pieces, &lines, &starts, &mut gaps);
    }
    Some(place::place(text, &pieces, &lines, &gaps).write(text, &pieces, &lines, &gaps))
}

/// Whether two texts have the same tokens, except for blanks at the ends of comments.
pub fn is_same(language: &dyn Language, one: &str, other: &str) -> bool {
    let (ones, others) = (language.pieces(one), language.pieces(other));
    let content = |text: &str, piece: &Piece| -> String {
        let text = &text[piece.range.clone()];
        let is_comment = matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment);
        if is_comment { text.trim_end().to_owned() } else { text.to_owned() }
    };
    let is_same = |(a, b): (&Piece, &Piece)| {
        (a.kind, a.role, a.is_separated, a.begins) == (b.kind, b.role, b.is_separated, b.begins)
            && content(one, a) == content(other, b)
    };
    ones.len() == others.len() && ones.iter().zip(&others).all(is_same)
}
