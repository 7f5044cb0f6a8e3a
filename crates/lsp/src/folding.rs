//! What can be folded: declarations and comments on several lines.

use crate::server::{Answer, Server};
use analysis::layout::{Piece, PieceKind};
use serde_json::{Value, json};

pub fn folds(server: &mut Server<'_>, params: &Value) -> Answer {
    let asked = server.asked(params)?;
    let text = &asked.script.text(asked.file).text;
    let lines = asked.script.lines(asked.file);
    let pieces = asked.script.session.language().pieces(text);
    let fold = |(start, end, kind): (usize, usize, Option<&str>)| {
        let (from, to) = (lines.line_at(start), lines.line_at(end.saturating_sub(1)));
        let mut fold = json!({ "startLine": from, "endLine": to });
        if let Some(kind) = kind {
            fold["kind"] = json!(kind);
        }
        (from < to).then_some(fold)
    };
    let found = declarations(&pieces).into_iter().chain(comments(text, &pieces));
    Ok(found.filter_map(fold).collect())
}

fn is_comment(piece: &Piece) -> bool {
    matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment)
}

fn declarations(pieces: &[Piece]) -> Vec<(usize, usize, Option<&'static str>)> {
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

/// Comments in a row.
fn comments(text: &str, pieces: &[Piece]) -> Vec<(usize, usize, Option<&'static str>)> {
    let mut found: Vec<(usize, usize, Option<&'static str>)> = Vec::new();
    let mut goes_on = false;
    for piece in pieces {
        if is_comment(piece) {
            match found.last_mut() {
                Some((_, end, _)) if goes_on && text[*end..piece.range.start].matches('\n').count() < 2 => {
                    *end = piece.range.end;
                }
                _ => found.push((piece.range.start, piece.range.end, Some("comment"))),
            }
        }
        goes_on = is_comment(piece);
    }
    found
}
