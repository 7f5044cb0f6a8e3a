//! Symbols of texts.

use crate::server::{Answer, InText, Server};
use analysis::SymbolKind;
use analysis::layout::{Piece, PieceKind};
use gen_lsp_types::{self as lsp, BaseSymbolInformation, DocumentSymbol, WorkspaceSymbol, WorkspaceSymbolParams};
use limits::display::diagnostics::MAX_SYMBOLS;

/// Symbol kind of the protocol.
fn kind_of(kind: SymbolKind) -> lsp::SymbolKind {
    match kind {
        SymbolKind::Channel => lsp::SymbolKind::Event,
        SymbolKind::Constructor => lsp::SymbolKind::EnumMember,
        SymbolKind::Datatype | SymbolKind::Subtype | SymbolKind::Nametype => lsp::SymbolKind::Enum,
        SymbolKind::Function | SymbolKind::BuiltIn => lsp::SymbolKind::Function,
        SymbolKind::Value => lsp::SymbolKind::Constant,
        SymbolKind::Process => lsp::SymbolKind::Class,
        SymbolKind::Variable | SymbolKind::Parameter => lsp::SymbolKind::Variable,
        SymbolKind::Machine => lsp::SymbolKind::Module,
    }
}

/// End of the declaration that starts at a byte, without the comment above the next declaration.
pub fn declaration_end(pieces: &[Piece], at: usize) -> usize {
    let behind = pieces.partition_point(|piece| piece.range.start <= at);
    let next = pieces[behind..].iter().position(|piece| piece.begins).map_or(pieces.len(), |next| behind + next);
    let is_code = |piece: &&Piece| !matches!(piece.kind, PieceKind::LineComment | PieceKind::BlockComment);
    pieces[..next].iter().rev().find(is_code).map_or(at, |piece| piece.range.end)
}

pub fn symbols(server: &mut Server<'_>, params: InText) -> Answer<Vec<DocumentSymbol>> {
    let target = server.text_target(&params.text_document);
    let (script, file) = (&target.script, target.file);
    let text = script.text(file);
    let pieces = script.session.language().pieces(&text.text);
    let found = script.session.symbols();
    let here = found.iter().filter(|symbol| script.file_of(symbol.span) == file).take(MAX_SYMBOLS);
    let symbols = here.map(|symbol| {
        let selection_range = script.range(symbol.span, server.encoding);
        let end = declaration_end(&pieces, (symbol.span.start - text.start) as usize) as u32 + text.start;
        let range = script.range(source::Span::new(symbol.span.start, end.max(symbol.span.end)), server.encoding);
        let detail = script.session.type_at(symbol.span.start).map(|known| known.text).unwrap_or_default();
        let (name, kind) = (symbol.name.clone(), kind_of(symbol.kind));
        DocumentSymbol::new(name, Some(detail), kind, None, None, range, selection_range, None)
    });
    Ok(symbols.collect())
}

pub fn workspace_symbols(server: &mut Server<'_>, params: WorkspaceSymbolParams) -> Answer<Vec<WorkspaceSymbol>> {
    let wanted = params.query.to_lowercase();
    let mut found: Vec<WorkspaceSymbol> = Vec::new();
    for script in server.scripts.all(&server.texts) {
        for symbol in script.session.symbols() {
            if found.len() >= MAX_SYMBOLS {
                return Ok(found);
            }
            if !is_meant(&wanted, &symbol.name.to_lowercase()) {
                continue;
            }
            let location = script.location(symbol.span, server.encoding);
            let named = BaseSymbolInformation {
                name: symbol.name,
                kind: kind_of(symbol.kind),
                tags: None,
                container_name: None,
            };
            let location = location.into();
            let symbol = WorkspaceSymbol { location, data: None, base_symbol_information: named };
            if !found.contains(&symbol) {
                found.push(symbol);
            }
        }
    }
    Ok(found)
}

/// Whether a word is a subsequence of a name.
fn is_meant(wanted: &str, name: &str) -> bool {
    let mut letters = name.chars();
    wanted.chars().all(|wanted| letters.any(|letter| letter == wanted))
}
