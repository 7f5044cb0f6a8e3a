//! What texts define.

use crate::server::{Answer, Server};
use analysis::SymbolKind;
use analysis::layout::{Piece, PieceKind};
use serde_json::{Value, json};

/// More names are not told at once.
const MOST: usize = 5000;

/// What editors call a kind.
fn number_of(kind: SymbolKind) -> u32 {
    match kind {
        SymbolKind::Channel => 24,
        SymbolKind::Constructor => 22,
        SymbolKind::Datatype | SymbolKind::Subtype | SymbolKind::Nametype => 10,
        SymbolKind::Function | SymbolKind::BuiltIn => 12,
        SymbolKind::Value => 14,
        SymbolKind::Process => 5,
        SymbolKind::Variable | SymbolKind::Parameter => 13,
        SymbolKind::Machine => 2,
    }
}

/// From the beginning of the declaration that a byte is in to its end, without what is said above the next.
pub fn declaration_end(pieces: &[Piece], at: usize) -> usize {
    let behind = pieces.partition_point(|piece| piece.range.start <= at);
    let next = pieces[behind..].iter().position(|piece| piece.begins).map_or(pieces.len(), |next| behind + next);
    let is_code = |piece: &&Piece| !matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment);
    pieces[..next].iter().rev().find(is_code).map_or(at, |piece| piece.range.end)
}

pub fn symbols(server: &mut Server<'_>, params: &Value) -> Answer {
    let asked = server.asked(params)?;
    let (script, file) = (&asked.script, asked.file);
    let text = script.text(file);
    let pieces = script.session.language().pieces(&text.text);
    let found = script.session.symbols();
    let here = found.iter().filter(|symbol| script.file_of(symbol.span) == file).take(MOST);
    let told = here.map(|symbol| {
        let area = script.area(symbol.span, server.encoding);
        let end = declaration_end(&pieces, (symbol.span.start - text.start) as usize) as u32 + text.start;
        let whole = script.area(source::Span::new(symbol.span.start, end.max(symbol.span.end)), server.encoding);
        let detail = script.session.type_at(symbol.span.start).map(|known| known.text).unwrap_or_default();
        json!({
            "name": symbol.name, "detail": detail, "kind": number_of(symbol.kind), "range": whole, "selectionRange": area,
        })
    });
    Ok(told.collect())
}

pub fn workspace_symbols(server: &mut Server<'_>, params: &Value) -> Value {
    let wanted = params["query"].as_str().unwrap_or_default().to_lowercase();
    let mut found: Vec<Value> = Vec::new();
    for script in server.scripts.all(&server.texts) {
        for symbol in script.session.symbols() {
            if found.len() >= MOST {
                return json!(found);
            }
            if !is_meant(&wanted, &symbol.name.to_lowercase()) {
                continue;
            }
            let location = script.location(symbol.span, server.encoding);
            let told = json!({ "name": symbol.name, "kind": number_of(symbol.kind), "location": location });
            if !found.contains(&told) {
                found.push(told);
            }
        }
    }
    json!(found)
}

/// Whether the letters of one word come in another, in order.
fn is_meant(wanted: &str, name: &str) -> bool {
    let mut letters = name.chars();
    wanted.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
