//! Semantic tokens: what each word is.

use crate::place::{Area, Position};
use crate::server::{Answer, Server};
use analysis::SymbolKind;
use analysis::layout::PieceKind;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::ops::Range;

const TYPES: &[&str] = &[
    "keyword",
    "comment",
    "string",
    "number",
    "operator",
    "function",
    "variable",
    "parameter",
    "type",
    "enumMember",
    "event",
    "class",
];
const MODIFIERS: &[&str] = &["definition", "readonly", "defaultLibrary"];

pub fn legend() -> Value {
    json!({ "tokenTypes": TYPES, "tokenModifiers": MODIFIERS })
}

fn number_of(name: &str) -> u32 {
    TYPES.iter().position(|known| *known == name).unwrap_or(0) as u32
}

/// What a name is, and its modifiers.
fn of_name(kind: SymbolKind) -> (&'static str, u32) {
    match kind {
        SymbolKind::Channel => ("event", 0),
        SymbolKind::Constructor => ("enumMember", 0),
        SymbolKind::Datatype | SymbolKind::Subtype | SymbolKind::Nametype => ("type", 0),
        SymbolKind::Function => ("function", 0),
        SymbolKind::Value => ("variable", 0b10),
        SymbolKind::Process | SymbolKind::Machine => ("class", 0),
        SymbolKind::Variable => ("variable", 0),
        SymbolKind::Parameter => ("parameter", 0),
        SymbolKind::BuiltIn => ("function", 0b100),
    }
}

pub fn tokens(server: &mut Server<'_>, params: &Value, in_range: bool) -> Answer {
    let asked = server.asked(params)?;
    let (script, file) = (&asked.script, asked.file);
    let (text, lines) = (script.text(file), script.lines(file));
    let wanted = match serde_json::from_value::<Area>(params["range"].clone()) {
        Ok(area) if in_range => {
            let offset = |at: Position| lines.offset(&text.text, at, server.encoding);
            offset(area.start)..offset(area.end)
        }
        _ => 0..text.text.len(),
    };
    let mentions = script.session.mentions();
    let local = |span: source::Span| (span.start.wrapping_sub(text.start)) as usize;
    let here = mentions.iter().filter(|mention| script.file_of(mention.span) == file);
    let names: HashMap<usize, (SymbolKind, bool)> = here
        .map(|mention| {
            // Of a qualified name, what stands last is meant.
            let end = local(mention.span) + (mention.span.end - mention.span.start) as usize;
            let word = text.text[..end.min(text.text.len())].rsplit(':').next().map_or(0, str::len);
            let start = local(mention.span).max(end.saturating_sub(word));
            (start, (mention.kind, mention.definition == Some(mention.span)))
        })
        .collect();
    let mut writer = Writer { data: Vec::new(), last: Position { line: 0, character: 0 } };
    for piece in script.session.language().pieces(&text.text) {
        if piece.range.end <= wanted.start || wanted.end <= piece.range.start {
            continue;
        }
        let (kind, modifiers) = match piece.kind {
            PieceKind::LineComment | PieceKind::BlockComment => ("comment", 0),
            PieceKind::Keyword => ("keyword", 0),
            PieceKind::Number => ("number", 0),
            PieceKind::Text => ("string", 0),
            PieceKind::Operator => ("operator", 0),
            PieceKind::Stray => continue,
            PieceKind::Name => match names.get(&piece.range.start) {
                Some(&(kind, is_definition)) => {
                    let (name, modifiers) = of_name(kind);
                    (name, modifiers | u32::from(is_definition))
                }
                None => continue,
            },
        };
        for range in by_lines(&text.text, piece.range) {
            writer.put(lines.area(&text.text, range, server.encoding), number_of(kind), modifiers);
        }
    }
    Ok(json!({ "data": writer.data }))
}

/// The parts of a range on each of its lines.
fn by_lines(text: &str, range: Range<usize>) -> Vec<Range<usize>> {
    let mut start = range.start;
    let parts = text[range].split_inclusive(['\n', '\r']).map(|line| {
        let part = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        part
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Five numbers for each token, its place as seen from the one before.
struct Writer {
    data: Vec<u32>,
    last: Position,
}

impl Writer {
    fn put(&mut self, area: Area, kind: u32, modifiers: u32) {
        let Position { line, character } = area.start;
        let column = if line == self.last.line { character - self.last.character } else { character };
        let length = area.end.character.saturating_sub(character);
        self.data.extend([line - self.last.line, column, length, kind, modifiers]);
        self.last = area.start;
    }
}
