//! Completion.

use crate::hover::words;
use crate::server::{Answer, Server, Target};
use analysis::layout::{Piece, PieceKind, Role};
use analysis::{SymbolKind, Visible, Word};
use gen_lsp_types::{CompletionItem, CompletionItemKind, Range, TextDocumentPositionParams, TextEdit};

pub fn complete(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Vec<CompletionItem>> {
    let target = server.target(&params);
    let text = &target.script.text(target.file).text;
    let pieces = target.script.session.language().pieces(text);
    // The word at the cursor is not part of its own context.
    let mut before = pieces.partition_point(|piece| piece.range.start < target.local);
    let is_word = |piece: &Piece| matches!(piece.kind, PieceKind::Name | PieceKind::Keyword | PieceKind::Number);
    let last = before.checked_sub(1).map(|last| &pieces[last]);
    let is_inside = |last: &Piece| match last.kind {
        PieceKind::LineComment => !text[last.range.end.min(target.local)..target.local].contains(['\r', '\n']),
        _ => target.local < last.range.end && !is_word(last),
    };
    if last.is_some_and(is_inside) {
        // In a comment or a string.
        return Ok(Vec::new());
    }
    if last.is_some_and(|last| is_word(last) && target.local <= last.range.end) {
        before -= 1;
    }
    let in_field = field_before(text, &pieces[..before]);
    if let Some((name, field)) = in_field {
        let values = target.script.session.field_values(name, field);
        if !values.is_empty() {
            return Ok(values.iter().map(|value| item(value, "0")).collect());
        }
    }
    let behind = before.checked_sub(1).map(|last| &text[pieces[last].range.clone()]);
    let all = words(&target);
    if all.iter().any(|word| word.behind.is_some() && word.behind == behind) {
        let here = all.iter().filter(|word| word.behind == behind);
        return Ok(here.map(|word| word_item(&target, text, &pieces, word)).collect());
    }
    let names = target.script.session.visible_at(target.offset);
    let named =
        names.iter().map(|visible| item(visible, if visible.kind == SymbolKind::Parameter { "0" } else { "1" }));
    let is_new = |word: &&Word| word.behind.is_none() && names.iter().all(|visible| visible.name != word.name);
    let words = all.iter().filter(is_new).map(|word| word_item(&target, text, &pieces, word));
    Ok(named.chain(words).collect())
}

fn item(visible: &Visible, order: &str) -> CompletionItem {
    let kind = match visible.kind {
        SymbolKind::Channel => CompletionItemKind::Event,
        SymbolKind::Constructor => CompletionItemKind::EnumMember,
        SymbolKind::Datatype | SymbolKind::Subtype | SymbolKind::Nametype => CompletionItemKind::Enum,
        SymbolKind::Function | SymbolKind::BuiltIn => CompletionItemKind::Function,
        SymbolKind::Process | SymbolKind::Machine => CompletionItemKind::Class,
        SymbolKind::Value => CompletionItemKind::Constant,
        SymbolKind::Variable | SymbolKind::Parameter => CompletionItemKind::Variable,
    };
    CompletionItem {
        label: visible.name.clone(),
        kind: Some(kind),
        detail: visible.type_text.clone(),
        sort_text: Some(format!("{order}{}", visible.name)),
        ..CompletionItem::default()
    }
}

fn word_item(target: &Target, text: &str, pieces: &[Piece], word: &Word) -> CompletionItem {
    let mut item = CompletionItem {
        label: word.name.to_owned(),
        kind: Some(if word.is_keyword { CompletionItemKind::Keyword } else { CompletionItemKind::Function }),
        detail: (!word.signature.is_empty()).then(|| word.signature.to_owned()),
        documentation: Some(word.about.to_owned().into()),
        sort_text: Some(format!("2{}", word.name)),
        ..CompletionItem::default()
    };
    if let Some(import) = &word.import
        && !is_imported(target, text, pieces, import)
    {
        let line_end = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let edit = TextEdit { range: Range::default(), new_text: format!("{import}{line_end}") };
        item.additional_text_edits = Some(vec![edit]);
    }
    item
}

/// Whether a text of the script already has a declaration such as `transparent normal`.
fn is_imported(target: &Target, text: &str, pieces: &[Piece], import: &str) -> bool {
    let Some((keyword, name)) = import.split_once(' ') else { return true };
    let has = |text: &str, pieces: &[Piece]| {
        let mut is_inside = false;
        pieces.iter().any(|piece| {
            let word = &text[piece.range.clone()];
            if piece.begins {
                is_inside = word == keyword;
            }
            is_inside && word == name
        })
    };
    if has(text, pieces) {
        return true;
    }
    let language = target.script.session.language();
    let others = target.script.session.source_map().files().iter().enumerate().filter(|(file, _)| *file != target.file);
    others.into_iter().any(|(_, other)| has(&other.text, &language.pieces(&other.text)))
}

/// Channel and index of the field at the cursor: for `c.1?x!`, the third of `c`.
fn field_before<'t>(text: &'t str, pieces: &[Piece]) -> Option<(&'t str, usize)> {
    let is_separator = |piece: &Piece| matches!(&text[piece.range.clone()], "." | "?" | "!");
    if !pieces.last().is_some_and(is_separator) {
        return None;
    }
    let (mut at, mut field) = (pieces.len() - 1, 0);
    loop {
        // A word or a bracketed expression precedes a separator.
        let mut operand = at.checked_sub(1)?;
        let mut depth = u32::from(pieces[operand].role == Role::Close);
        while depth > 0 {
            operand = operand.checked_sub(1)?;
            match pieces[operand].role {
                Role::Close => depth += 1,
                Role::Open => depth -= 1,
                _ => {}
            }
        }
        let separator = operand.checked_sub(1).filter(|&before| is_separator(&pieces[before]));
        match separator {
            Some(before) => {
                at = before;
                field += 1;
            }
            None => {
                let name = &pieces[operand];
                return (name.kind == PieceKind::Name).then(|| (&text[name.range.clone()], field));
            }
        }
    }
}
