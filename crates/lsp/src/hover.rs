//! Hover texts.

use crate::navigate::mention_at;
use crate::scripts::{Script, language_of};
use crate::server::{Answer, Server, Target};
use analysis::Word;
use analysis::layout::{Piece, PieceKind};
use gen_lsp_types::{Hover, MarkupContent, MarkupKind, TextDocumentPositionParams};
use limits::display::diagnostics::MAX_HOVER_LINES;
use source::Span;

pub fn hover(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Option<Hover>> {
    let target = server.target(&params);
    let (said, span) = match mention_at(&target) {
        Some(mention) => {
            let known = target.script.session.type_at(mention.span.start).map(|known| known.text);
            let name = target.script.session.source_map().text(mention.span).to_owned();
            let said = match mention.definition {
                Some(definition) => of_definition(&target.script, &name, known, definition),
                None => of_word(&target, &name).unwrap_or_else(|| code(&signature(&name, known))),
            };
            (said, mention.span)
        }
        None => match word_at(&target) {
            Some(found) => found,
            None => return Ok(None),
        },
    };
    let range = target.script.range(span, server.encoding);
    let contents = MarkupContent { kind: MarkupKind::Markdown, value: said };
    Ok(Some(Hover { contents: contents.into(), range: Some(range) }))
}

fn code(text: &str) -> String {
    format!("```csp\n{text}\n```")
}

fn signature(name: &str, type_text: Option<String>) -> String {
    type_text.map_or_else(|| name.to_owned(), |type_text| format!("{name} :: {type_text}"))
}

/// Keywords of the script's language.
pub fn words(target: &Target) -> Vec<Word> {
    target.script.session.language().words()
}

fn of_word(target: &Target, name: &str) -> Option<String> {
    let word = words(target).into_iter().find(|word| word.name == name)?;
    let shown = if word.signature.is_empty() { word.name.to_owned() } else { format!("{name} :: {}", word.signature) };
    let import = word.import.map_or(String::new(), |import| format!("\n\nneeds `{import}`"));
    Some(format!("{}\n\n{}{import}", code(&shown), word.about))
}

/// Keyword at a position.
fn word_at(target: &Target) -> Option<(String, Span)> {
    let text = target.script.text(target.file);
    let pieces = language_of(&target.path, &text.text).pieces(&text.text);
    let piece = pieces.into_iter().find(|piece| piece.range.start <= target.local && target.local < piece.range.end)?;
    if !matches!(piece.kind, PieceKind::Keyword | PieceKind::Name) {
        return None;
    }
    let said = of_word(target, &text.text[piece.range.clone()])?;
    Some((said, Span::new(text.start + piece.range.start as u32, text.start + piece.range.end as u32)))
}

/// Name with its type, the comment above its definition, and the definition.
fn of_definition(script: &Script, name: &str, type_text: Option<String>, definition: Span) -> String {
    let file = script.file_of(definition);
    let text = script.text(file);
    let at = (definition.start - text.start) as usize;
    let pieces = script.session.language().pieces(&text.text);
    let mut said = code(&signature(name, type_text));
    if let Some((comment, declaration)) = declaration_around(&text.text, &pieces, at) {
        let lines: Vec<&str> = declaration.lines().collect();
        let mut shown = lines[..lines.len().min(MAX_HOVER_LINES)].join("\n");
        if lines.len() > MAX_HOVER_LINES {
            shown += "\n...";
        }
        said = format!("{said}\n\n{}", code(&shown));
        if !comment.is_empty() {
            said = format!("{said}\n\n{comment}");
        }
    }
    said
}

/// Comment directly above the declaration at a position, and the declaration.
fn declaration_around<'t>(text: &'t str, pieces: &[Piece], at: usize) -> Option<(String, &'t str)> {
    let begins = |piece: &Piece| piece.begins;
    let behind = pieces.partition_point(|piece| piece.range.start <= at);
    let first = pieces[..behind].iter().rposition(begins)?;
    let next = pieces[first + 1..].iter().position(begins).map_or(pieces.len(), |next| first + 1 + next);
    let is_comment = |piece: &Piece| matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment);
    let last = pieces[first..next].iter().rposition(|piece| !is_comment(piece))? + first;
    let mut comments = Vec::new();
    let mut below = pieces[first].range.start;
    for piece in pieces[..first].iter().rev() {
        let between = &text[piece.range.end..below];
        let stands_alone =
            text[..piece.range.start].rsplit(['\n', '\r']).next().is_none_or(|line| line.trim().is_empty());
        if !is_comment(piece) || between.matches('\n').count() > 1 || !stands_alone {
            break;
        }
        comments.push(text[piece.range.clone()].trim_matches(|c: char| "-/*{}".contains(c) || c.is_whitespace()));
        below = piece.range.start;
    }
    comments.reverse();
    Some((comments.join("  \n"), &text[pieces[first].range.start..pieces[last].range.end]))
}
