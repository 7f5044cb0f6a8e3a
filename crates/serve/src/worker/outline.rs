//! Outline of a script: declarations and assertions, without verdicts.

use super::{Environment, Question, document};
use analysis::{Assertion, Session, Symbol, SymbolKind};
use limits::display::diagnostics::{MAX_DIAGNOSTICS, MAX_SYMBOLS};
use serde::Serialize;
use serde_json::{Value, json};
use source::Span;

#[derive(Serialize)]
struct Outline<'a> {
    language: &'static str,
    has_errors: bool,
    diagnostics: Vec<wire::Diagnostic<'a>>,
    more_diagnostics: usize,
    assertions: Vec<Asserted<'a>>,
    processes: Vec<String>,
    symbols: Vec<Named<'a>>,
    /// The script and its includes.
    files: Vec<&'a str>,
}

/// Assertion with its subject.
#[derive(Serialize)]
struct Asserted<'a> {
    #[serde(flatten)]
    head: wire::Head<'a>,
    process: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    specification: Option<&'a str>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    kind: &'static str,
    file: &'a str,
    line: u32,
    column: u32,
}

pub fn outline(environment: &dyn Environment, question: &Question) -> Result<Value, String> {
    let session = question.open(environment, None)?;
    let (assertions, symbols) = (session.assertions(), session.symbols());
    let problems = session.diagnostics();
    document(&Outline {
        language: session.language().name(),
        has_errors: session.has_errors(),
        diagnostics: problems.iter().take(MAX_DIAGNOSTICS).map(|one| wire::Diagnostic::new(&session, one)).collect(),
        more_diagnostics: problems.len().saturating_sub(MAX_DIAGNOSTICS),
        assertions: assertions.iter().map(|assertion| Asserted::new(&session, assertion)).collect(),
        processes: if session.has_errors() { Vec::new() } else { session.processes() },
        symbols: symbols.iter().take(MAX_SYMBOLS).map(|symbol| Named::new(&session, symbol)).collect(),
        files: session.source_map().files().iter().map(|file| file.path.as_str()).collect(),
    })
}

impl<'a> Asserted<'a> {
    fn new(session: &'a Session, assertion: &'a Assertion) -> Asserted<'a> {
        Asserted {
            head: wire::Head::new(session, assertion),
            process: &assertion.sides.process,
            specification: assertion.sides.specification.as_deref(),
        }
    }
}

impl<'a> Named<'a> {
    fn new(session: &'a Session, symbol: &'a Symbol) -> Named<'a> {
        let map = session.source_map();
        let at = map.position(symbol.span);
        let file = &map.file_of(symbol.span).path;
        Named { name: &symbol.name, kind: kind_name(symbol.kind), file, line: at.line, column: at.column }
    }
}

fn kind_name(kind: SymbolKind) -> &'static str {
    match kind {
        SymbolKind::Channel => "channel",
        SymbolKind::Constructor => "constructor",
        SymbolKind::Datatype => "datatype",
        SymbolKind::Subtype => "subtype",
        SymbolKind::Nametype => "nametype",
        SymbolKind::Function => "function",
        SymbolKind::Value => "value",
        SymbolKind::Process => "process",
        SymbolKind::Variable => "variable",
        SymbolKind::Machine => "machine",
        SymbolKind::Parameter => "parameter",
        SymbolKind::BuiltIn => "built-in",
    }
}

/// Definition and type of the name at a line and a column of a file.
pub fn definition(environment: &dyn Environment, question: &Question) -> Result<Value, String> {
    let session = question.open(environment, None)?;
    let (at, line, column) = (question.text("at"), question.number("line"), question.number("column"));
    let (Some(at), Some(line), Some(column)) = (at, line, column) else { return Err("where?".to_owned()) };
    let map = session.source_map();
    let Some(offset) = map.offset(at, line, column) else { return Ok(json!({ "place": null })) };
    let place = |span: Span| {
        let start = map.position(span);
        json!({ "file": map.file_of(span).path, "line": start.line, "column": start.column })
    };
    let kind = session.type_at(offset).map(|known| known.text);
    let definition = session.definition_at(offset).map(place);
    Ok(json!({ "built_in": kind.is_some() && definition.is_none(), "place": definition, "type": kind }))
}
