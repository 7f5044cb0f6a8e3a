//! Folding ranges: declarations and comments of several lines.

use crate::server::{Answer, InText, Server};
use analysis::layout::{Piece, PieceKind};
use gen_lsp_types::{FoldingRange, FoldingRangeKind};

pub fn folds(server: &mut Server<'_>, params: InText) -> Answer<Vec<FoldingRange>> {
    let target = server.text_target(&params.text_document);
    let text = &target.script.text(target.file).text;
    let lines = target.script.lines(target.file);
    let pieces = target.script.session.language().pieces(text);
    let fold = |(start, end, kind): (usize, usize, Option<FoldingRangeKind>)| {
        let (from, to) = (lines.line_at(start), lines.line_at(end.saturating_sub(1)));
        let (start_line, end_line) = (from as u32, to as u32);
        (from < to).then(|| FoldingRange { start_line, end_line, kind, ..FoldingRange::default() })
    };
    let found = declarations(&pieces).into_iter().chain(comments(text, &pieces));
    Ok(found.filter_map(fold).collect())
}

fn is_comment(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment)
}

fn declarations(pieces: &[Piece]) -> Vec<(usize, usize, Option<FoldingRangeKind>)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for piece in pieces {
        if piece.begins {
            found.extend(open.take());
            open = Some((piece.range.start, piece.range.end));
        } else if let Some((_, end)) = &mut open
            && !is_comment(piece)
        {
            *end = piece.range.end;
        }
    }
    found.extend(open);
    found.into_iter().map(|(start, end)| (start, end, None)).collect()
}

/// Blocks of consecutive comments.
fn comments(text: &str, pieces: &[Piece]) -> Vec<(usize, usize, Option<FoldingRangeKind>)> {
    let mut found: Vec<(usize, usize, Option<FoldingRangeKind>)> = Vec::new();
    let mut continues = false;
    for piece in pieces {
        if is_comment(piece) {
            match found.last_mut() {
                Some((_, end, _)) if continues && text[*end..piece.range.start].matches('\n').count() < 2 => {
                    *end = piece.range.end;
                }
                _ => found.push((piece.range.start, piece.range.end, Some(FoldingRangeKind::Comment))),
            }
        }
        continues = is_comment(piece);
    }
    found
}
