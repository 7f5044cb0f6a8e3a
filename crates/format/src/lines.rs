//! Lines of a text as tokens, with their columns.

use crate::TAB;
use frontend::layout::{Piece, PieceKind};
use std::ops::Range;

/// Nonblank lines. A token of several lines belongs to the one on which it begins, and so do the tokens after it.
pub struct Lines {
    pub lines: Vec<Line>,
    /// Column of each token, from 0, in characters.
    pub columns: Vec<usize>,
    /// Line end of the text.
    pub line_end: &'static str,
}

pub struct Line {
    /// Tokens of the line.
    pub pieces: Range<usize>,
    /// Whether a blank line precedes it.
    pub follows_blank: bool,
}

impl Lines {
    pub fn new(text: &str, pieces: &[Piece]) -> Lines {
        let mut lines: Vec<Line> = Vec::new();
        let mut columns = Vec::with_capacity(pieces.len());
        let (mut end, mut column) = (0, 0);
        for (number, piece) in pieces.iter().enumerate() {
            let gap = &text[end..piece.range.start];
            let n_ends = count_line_ends(gap);
            match lines.last_mut() {
                Some(line) if n_ends == 0 => line.pieces.end = number + 1,
                last => {
                    let follows_blank = last.is_some() && n_ends > 1;
                    lines.push(Line { pieces: number..number + 1, follows_blank });
                }
            }
            column = advance(column, gap);
            columns.push(column);
            column = advance(column, &text[piece.range.clone()]);
            end = piece.range.end;
        }
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Lines { lines, columns, line_end }
    }

    /// Column of the first token of a line.
    pub fn start(&self, line: &Line) -> usize {
        self.columns[line.pieces.start]
    }
}

fn count_line_ends(gap: &str) -> usize {
    let bytes = gap.as_bytes();
    let is_end = |at: &usize| match bytes[*at] {
        b'\n' => true,
        b'\r' => bytes.get(at + 1) != Some(&b'\n'),
        _ => false,
    };
    (0..bytes.len()).filter(is_end).count()
}

/// Column after a text that begins at a column.
pub fn advance(column: usize, text: &str) -> usize {
    text.chars().fold(column, |column, c| match c {
        '\r' | '\n' => 0,
        '\t' => (column / TAB + 1) * TAB,
        _ => column + 1,
    })
}

pub fn is_comment(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment)
}
