//! Published diagnostics.

use crate::place::Encoding;
use crate::scripts::Script;
use crate::server::Server;
use crate::uri::uri_of;
use gen_lsp_types::{
    self as lsp, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Message, PublishDiagnosticsParams,
};
use limits::display::diagnostics::MAX_DIAGNOSTICS;
use source::{Diagnostic, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Publishes the diagnostics of texts: of the open ones, and of the other files that their scripts include.
pub fn publish(server: &mut Server<'_>, dirty: &BTreeSet<String>) {
    let open: Vec<String> = server.texts.all().keys().cloned().collect();
    let concerned =
        |path: &String| dirty.contains(path) || dirty.iter().any(|one| !server.texts.all().contains_key(one));
    let concerned: Vec<String> = open.into_iter().filter(concerned).collect();
    let mut found: BTreeMap<String, Vec<lsp::Diagnostic>> = BTreeMap::new();
    let mut affected: BTreeSet<String> = dirty.clone();
    for path in &concerned {
        let scripts = server.scripts.of(&server.texts, path);
        affected.extend(scripts.iter().flat_map(|script| script.paths().iter().cloned()));
    }
    // For files that are not open, only nonempty lists are published, and an empty one to clear them.
    affected
        .retain(|path| server.texts.get(path).is_some() || server.published.contains(path) || !concerned.is_empty());
    for path in &affected {
        let scripts: Vec<Rc<Script>> = match server.texts.get(path) {
            Some(_) => server.scripts.of(&server.texts, path),
            None => {
                let open: Vec<String> = server.texts.all().keys().cloned().collect();
                let all = open.iter().flat_map(|open| server.scripts.of(&server.texts, open)).collect::<Vec<_>>();
                all.into_iter().filter(|script| script.file(path).is_some()).take(1).collect()
            }
        };
        found.insert(path.clone(), of(server, path, &scripts));
    }
    for (path, problems) in found {
        let is_open = server.texts.get(&path).is_some();
        if !is_open && problems.is_empty() && !server.published.contains(&path) {
            continue;
        }
        if problems.is_empty() && !is_open {
            server.published.remove(&path);
        } else {
            server.published.insert(path.clone());
        }
        let version = server.texts.get(&path).map(|text| text.version);
        let params = PublishDiagnosticsParams { uri: uri_of(&path), version, diagnostics: problems };
        server.notify("textDocument/publishDiagnostics", params);
    }
}

/// Diagnostics of a text in the scripts that it belongs to.
fn of(server: &Server<'_>, path: &str, scripts: &[Rc<Script>]) -> Vec<lsp::Diagnostic> {
    let mut problems: Vec<lsp::Diagnostic> = Vec::new();
    for script in scripts {
        let Some(file) = script.file(path) else { continue };
        let here = script.session.diagnostics().iter().filter(|one| script.file_of(one.primary.span) == file);
        for diagnostic in here.take(MAX_DIAGNOSTICS) {
            let mut problem = problem(script, diagnostic, server.encoding);
            let is_known = |known: &lsp::Diagnostic| known.range == problem.range && known.code == problem.code;
            if problems.iter().any(is_known) {
                continue;
            }
            if let (2.., Message::String(message)) = (scripts.len(), &mut problem.message) {
                *message += &format!("\n(as part of {})", script.path(0));
            }
            problems.push(problem);
        }
        problems.extend(server.verdict_problems(script, file));
    }
    problems
}

/// Diagnostic of the protocol.
pub fn problem(script: &Script, diagnostic: &Diagnostic, encoding: Encoding) -> lsp::Diagnostic {
    let mut message = diagnostic.title.clone();
    let more = [&diagnostic.primary.text].into_iter().filter(|label| !label.is_empty());
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    for line in more.chain(&diagnostic.notes).cloned().chain(help) {
        message.push('\n');
        message += &line;
    }
    let related = diagnostic.secondary.iter().map(|label| DiagnosticRelatedInformation {
        location: script.location(label.span, encoding),
        message: label.text.clone(),
    });
    lsp::Diagnostic {
        range: script.range(diagnostic.primary.span, encoding),
        severity: Some(match diagnostic.severity {
            Severity::Error => DiagnosticSeverity::Error,
            Severity::Warning => DiagnosticSeverity::Warning,
            Severity::Note => DiagnosticSeverity::Hint,
        }),
        code: Some(diagnostic.code.to_owned().into()),
        source: Some("tracehound".to_owned()),
        message: message.into(),
        tags: diagnostic.code.contains("unused").then(|| vec![DiagnosticTag::Unnecessary]),
        related_information: (!diagnostic.secondary.is_empty()).then(|| related.collect()),
        ..lsp::Diagnostic::default()
    }
}
