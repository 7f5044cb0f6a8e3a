//! Scripts laid out.
//!
//! A text is taken as the pieces its language says it consists of; what changes is only what stands between them. Lines stay as their
//! author broke them. Blanks within a line follow from the two pieces beside them ([`gaps`]), columns that were lined up stay lined up
//! ([`columns`]), declarations begin at the margin of their block, and lines that continue one move with what they were lined up with, or
//! else with the declaration ([`place`]). So nothing is ever lost, also from a damaged text, and what is laid out already stays as it is.

mod columns;
mod edits;
mod gaps;
mod lines;
mod place;

pub use edits::{LineEdit, line_edits};
use limits::effort::layout::FORMAT_ROUNDS;

use frontend::Language;
use frontend::layout::{Piece, PieceKind};

/// Where tabs lead.
const TAB: usize = 4;
/// How far a line that continues a declaration is indented at least.
const INDENT: usize = 2;

/// Lays out a text. Nothing if its language is not laid out, or if it would not be the same afterwards.
pub fn format(language: &dyn Language, text: &str) -> Option<String> {
    let (mark, body) = match text.strip_prefix('\u{feff}') {
        Some(body) => ("\u{feff}", body),
        None => ("", text),
    };
    let settled = settle(language, body, columns::Alignment::Kept)
        .or_else(|| settle(language, body, columns::Alignment::Ignored))?;
    Some(format!("{mark}{settled}")).filter(|settled| is_same(language, text, settled))
}

/// Lays out a text until it stays as it is.
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

/// Whether two texts consist of the same pieces, save for blanks at the ends of comments.
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
