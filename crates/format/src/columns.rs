//! Preservation of aligned columns.
//!
//! Tokens of the same kind that are in the same column on consecutive lines, at least one of them after extra blanks,
//! count as aligned; names and values only if they follow the same kind of token. They are realigned after the longest
//! text before them.

use crate::lines::{Line, Lines, advance};
use frontend::layout::{Piece, PieceKind};

/// Whether columns are preserved.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Alignment {
    Kept,
    Ignored,
}

/// Widens gaps so that columns stay aligned; `starts` has the columns where lines will begin.
pub fn line_up(text: &str, pieces: &[Piece], lines: &Lines, starts: &[usize], gaps: &mut [usize]) {
    let mut groups = find_groups(text, pieces, lines, starts);
    groups.sort_by_key(|group| (lines.columns[group[0].1], group[0].0));
    for group in groups {
        let room = |&(_, number): &(usize, usize)| written(text, pieces, lines, number);
        // A comment keeps its distance from the code, all other tokens have the distance of their kind.
        let is_comment = pieces[group[0].1].kind == PieceKind::LineComment;
        let distance = |member: &(usize, usize)| if is_comment { room(member).max(1) } else { gaps[member.1] };
        let distance = group.iter().map(distance).min().unwrap_or(1);
        let ends: Vec<usize> = group
            .iter()
            .map(|&(line, number)| column_behind(text, pieces, &lines.lines[line], starts[line], gaps, number))
            .collect();
        let column = ends.iter().max().copied().unwrap_or(0) + distance;
        for (&(_, number), end) in group.iter().zip(ends) {
            gaps[number] = column - end;
        }
    }
}

/// Groups of aligned tokens, each with the number of its line.
fn find_groups(text: &str, pieces: &[Piece], lines: &Lines, starts: &[usize]) -> Vec<Vec<(usize, usize)>> {
    let mut groups: Vec<Vec<(usize, usize)>> = Vec::new();
    // Group of each token of the previous line, if it has one.
    let mut open: Vec<(usize, usize)> = Vec::new();
    for (number, line) in lines.lines.iter().enumerate() {
        let mut next = Vec::new();
        let above = number.checked_sub(1).map(|above| &lines.lines[above]);
        let fits = |above: &Line| {
            let is_single =
                |line: &Line| !line.pieces.clone().any(|piece| text[pieces[piece].range.clone()].contains('\n'));
            !line.follows_blank
                && lines.start(line) == lines.start(above)
                && starts[number] == starts[number - 1]
                && is_single(line)
                && is_single(above)
        };
        if let Some(above) = above.filter(|above| fits(above)) {
            for (one, other) in pairs(text, pieces, lines, above, line) {
                let known = open.iter().find(|(piece, _)| *piece == one).map(|(_, group)| *group);
                let group = known.unwrap_or_else(|| {
                    groups.push(vec![(number - 1, one)]);
                    groups.len() - 1
                });
                groups[group].push((number, other));
                next.push((other, group));
            }
        }
        open = next;
    }
    groups.retain(|group| group.iter().any(|&(_, number)| written(text, pieces, lines, number) > 1));
    groups
}

/// Tokens of two consecutive lines with the same column and kind, except for the first of a line.
fn pairs<'a>(
    text: &'a str,
    pieces: &'a [Piece],
    lines: &'a Lines,
    above: &'a Line,
    below: &'a Line,
) -> impl Iterator<Item = (usize, usize)> + 'a {
    let mut at = above.pieces.start + 1;
    let looks = |number: usize| {
        let piece = &pieces[number];
        let is_operator = piece.kind == PieceKind::Operator || piece.kind == PieceKind::Keyword;
        (piece.kind, if is_operator { &text[piece.range.clone()] } else { "" })
    };
    // Names and values are often in the same column by chance; intended alignment has the same token before it.
    let follows_alike = move |one: usize, other: usize| {
        let is_meant = !matches!(pieces[one].kind, PieceKind::Name | PieceKind::Number | PieceKind::Text);
        let before = |number: usize| match looks(number - 1) {
            (PieceKind::Keyword, _) => (PieceKind::Keyword, ""),
            looks => looks,
        };
        is_meant || before(one) == before(other)
    };
    (below.pieces.start + 1..below.pieces.end).filter_map(move |number| {
        while at < above.pieces.end && lines.columns[at] < lines.columns[number] {
            at += 1;
        }
        let is_below = at < above.pieces.end && lines.columns[at] == lines.columns[number];
        (is_below && looks(at) == looks(number) && follows_alike(at, number)).then_some((at, number))
    })
}

fn written(text: &str, pieces: &[Piece], lines: &Lines, number: usize) -> usize {
    let end = advance(lines.columns[number - 1], &text[pieces[number - 1].range.clone()]);
    lines.columns[number].saturating_sub(end)
}

/// Column after the previous token, if its line begins at a column.
fn column_behind(text: &str, pieces: &[Piece], line: &Line, start: usize, gaps: &[usize], number: usize) -> usize {
    let before = line.pieces.start..number;
    before.fold(start, |column, at| {
        let gap = if at == line.pieces.start { 0 } else { gaps[at] };
        advance(column + gap, &text[pieces[at].range.clone()])
    })
}
