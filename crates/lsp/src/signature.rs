//! Signature help.

use crate::hover::words;
use crate::server::{Answer, Server};
use analysis::layout::{Piece, PieceKind, Role};
use gen_lsp_types::{ParameterInformation, SignatureHelp, SignatureInformation, TextDocumentPositionParams};
use std::ops::Range;

pub fn help(server: &mut Server<'_>, params: TextDocumentPositionParams) -> Answer<Option<SignatureHelp>> {
    let target = server.target(&params);
    let text = target.script.text(target.file);
    let pieces = target.script.session.language().pieces(&text.text);
    let Some((name, argument)) = call_around(&text.text, &pieces, target.local) else { return Ok(None) };
    let called = &text.text[name.clone()];
    let known = target.script.session.type_at(text.start + name.start as u32).map(|known| known.text);
    let word = || words(&target).into_iter().find(|word| word.name == called).map(|word| word.signature.to_owned());
    let visible = || {
        let names = target.script.session.visible_at(target.offset);
        names.into_iter().find(|visible| visible.name == called).and_then(|visible| visible.type_text)
    };
    let Some(type_text) = known.filter(|text| text.contains('(')).or_else(visible).or_else(word) else {
        return Ok(None);
    };
    let label = format!("{called} :: {type_text}");
    let parameter = |part: Range<usize>| ParameterInformation::new(label[part].to_owned().into(), None);
    let parameters = Some(parameters(&label).into_iter().map(parameter).collect());
    let signature = SignatureInformation { parameters, label, ..SignatureInformation::default() };
    Ok(Some(SignatureHelp {
        signatures: vec![signature],
        active_signature: Some(0),
        active_parameter: Some((argument as u32).into()),
    }))
}

/// Name of the function whose arguments contain a position, and the index of the argument.
fn call_around(text: &str, pieces: &[Piece], at: usize) -> Option<(Range<usize>, usize)> {
    let before = pieces.partition_point(|piece| piece.range.end <= at);
    let (mut depth, mut n_commas) = (0, 0);
    for number in (0..before).rev() {
        let piece = &pieces[number];
        match piece.role {
            Role::Close => depth += 1,
            Role::Open if depth > 0 => depth -= 1,
            Role::Open => {
                let name = number.checked_sub(1).map(|name| &pieces[name])?;
                let is_call = &text[piece.range.clone()] == "(" && name.kind == PieceKind::Name;
                return (is_call && name.range.end == piece.range.start).then(|| (name.range.clone(), n_commas));
            }
            _ if piece.begins => return None,
            _ if depth == 0 && &text[piece.range.clone()] == "," => n_commas += 1,
            _ => {}
        }
    }
    None
}

/// Parameters in the first pair of brackets of a type.
fn parameters(label: &str) -> Vec<Range<usize>> {
    let behind = label.find("=> (").map_or(0, |at| at + 3);
    let Some(open) = label[behind..].find('(').map(|at| at + behind) else { return Vec::new() };
    let (mut depth, mut start, mut parts) = (0_i32, open + 1, Vec::new());
    for (at, c) in label.char_indices().skip_while(|(at, _)| *at < open) {
        match c {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 1 => {
                parts.push(start..at);
                start = at + 1;
            }
            _ => {}
        }
        if depth == 0 {
            parts.push(start..at);
            break;
        }
    }
    let trim = |part: Range<usize>| {
        let text = &label[part.clone()];
        part.start + (text.len() - text.trim_start().len())..part.end
    };
    parts.into_iter().map(trim).filter(|part| !part.is_empty()).collect()
}
