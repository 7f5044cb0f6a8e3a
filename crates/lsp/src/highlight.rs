//! Semantic tokens.

use crate::server::{Answer, InText, Server};
use analysis::SymbolKind;
use analysis::layout::PieceKind;
use gen_lsp_types::{Position, Range, SemanticToken, SemanticTokens, SemanticTokensLegend};
use std::collections::HashMap;

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

pub fn legend() -> SemanticTokensLegend {
    let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
    SemanticTokensLegend { token_types: owned(TYPES), token_modifiers: owned(MODIFIERS) }
}

fn number_of(name: &str) -> u32 {
    TYPES.iter().position(|known| *known == name).unwrap_or(0) as u32
}

/// Token type of a name, with its modifiers.
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

pub fn tokens(server: &mut Server<'_>, params: InText) -> Answer<SemanticTokens> {
    let target = server.text_target(&params.text_document);
    let (script, file) = (&target.script, target.file);
    let (text, lines) = (script.text(file), script.lines(file));
    let offset = |at: Position| lines.offset(&text.text, at, server.encoding);
    let wanted = params.range.map_or(0..text.text.len(), |range| offset(range.start)..offset(range.end));
    let mentions = script.session.mentions();
    let local = |span: source::Span| (span.start.wrapping_sub(text.start)) as usize;
    let here = mentions.iter().filter(|mention| script.file_of(mention.span) == file);
    let names: HashMap<usize, (SymbolKind, bool)> = here
        .map(|mention| {
            // A mention of a qualified name denotes its last part.
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
            writer.put(lines.range(&text.text, range, server.encoding), number_of(kind), modifiers);
        }
    }
    Ok(SemanticTokens { result_id: None, data: writer.data })
}

/// Parts of a range on each of its lines.
fn by_lines(text: &str, range: std::ops::Range<usize>) -> Vec<std::ops::Range<usize>> {
    let mut start = range.start;
    let parts = text[range].split_inclusive(['\n', '\r']).map(|line| {
        let part = start..start + line.trim_end_matches(['\n', '\r']).len();
        start += line.len();
        part
    });
    parts.filter(|part| !part.is_empty()).collect()
}

/// Encoder of tokens: each position is relative to the previous one.
struct Writer {
    data: Vec<SemanticToken>,
    last: Position,
}

impl Writer {
    fn put(&mut self, range: Range, token_type: u32, token_modifiers_bitset: u32) {
        let Position { line, character } = range.start;
        let delta_start = if line == self.last.line { character - self.last.character } else { character };
        let length = range.end.character.saturating_sub(character);
        let delta_line = line - self.last.line;
        self.data.push(SemanticToken { delta_line, delta_start, length, token_type, token_modifiers_bitset });
        self.last = range.start;
    }
}
