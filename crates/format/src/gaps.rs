//! Blanks between two tokens of a line.

use crate::lines::{Lines, advance, is_comment};
use frontend::Language;
use frontend::layout::{Blank, Piece, PieceKind};

/// Number of blanks before each token on its line; that of the first on a line is unused.
pub fn gaps(language: &dyn Language, text: &str, pieces: &[Piece], lines: &Lines) -> Vec<usize> {
    let found = Found { text, pieces, is_first: first_on_line(pieces, lines), lines };
    let gap = |number| if found.is_first[number] { 0 } else { found.gap(language, number) };
    (0..pieces.len()).map(gap).collect()
}

fn first_on_line(pieces: &[Piece], lines: &Lines) -> Vec<bool> {
    let mut is_first = vec![false; pieces.len()];
    for line in &lines.lines {
        is_first[line.pieces.start] = true;
    }
    is_first
}

struct Found<'a> {
    text: &'a str,
    pieces: &'a [Piece],
    is_first: Vec<bool>,
    lines: &'a Lines,
}

impl Found<'_> {
    /// Number of blanks before a token in the source.
    fn written(&self, number: usize) -> usize {
        let end = advance(self.lines.columns[number - 1], &self.text[self.pieces[number - 1].range.clone()]);
        self.lines.columns[number].saturating_sub(end)
    }

    /// Whether a token is surrounded by blanks.
    fn is_apart(&self, number: usize) -> bool {
        let is_blank_before = |number: usize| {
            number >= self.pieces.len() || number == 0 || self.is_first[number] || self.written(number) > 0
        };
        is_blank_before(number) || is_blank_before(number + 1)
    }

    fn gap(&self, language: &dyn Language, number: usize) -> usize {
        let (before, piece) = (&self.pieces[number - 1], &self.pieces[number]);
        let written = self.written(number);
        if piece.kind == PieceKind::LineComment {
            return written.max(1);
        }
        let wanted = match before.after.min(piece.before) {
            Blank::Verbatim => written,
            Blank::None if is_comment(before) || is_comment(piece) => written.min(1),
            Blank::None => 0,
            Blank::One => 1,
            Blank::Same => {
                let asks = if before.after == Blank::Same { number - 1 } else { number };
                usize::from(self.is_apart(asks))
            }
            Blank::Kept => written.min(1),
        };
        if wanted == 0 && written > 0 && !self.stays_apart(language, before, piece) { 1 } else { wanted }
    }

    /// Whether two tokens remain separate without a blank between them.
    fn stays_apart(&self, language: &dyn Language, before: &Piece, piece: &Piece) -> bool {
        let (one, other) = (&self.text[before.range.clone()], &self.text[piece.range.clone()]);
        let glued = language.pieces(&format!("{one}{other}"));
        let ranges: Vec<_> = glued.iter().map(|piece| piece.range.clone()).collect();
        ranges == [0..one.len(), one.len()..one.len() + other.len()]
    }
}
