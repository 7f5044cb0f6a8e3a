//! Code actions from the fixes of diagnostics.

use crate::problems::problem;
use crate::scripts::Script;
use crate::server::{Answer, InText, Server};
use crate::uri::uri_of;
use gen_lsp_types::{CodeAction, CodeActionKind, Range, TextEdit, Uri, WorkspaceEdit};
use source::{Edit, Fix};
use std::collections::HashMap;

pub fn actions(server: &mut Server<'_>, params: InText) -> Answer<Vec<CodeAction>> {
    let target = server.text_target(&params.text_document);
    let Some(wanted) = params.range else { return Ok(Vec::new()) };
    let script = &target.script;
    let mut actions = Vec::new();
    for diagnostic in script.session.diagnostics() {
        if script.file_of(diagnostic.primary.span) != target.file || diagnostic.fixes.is_empty() {
            continue;
        }
        let range = script.range(diagnostic.primary.span, server.encoding);
        if range.end < wanted.start || wanted.end < range.start {
            continue;
        }
        for fix in &diagnostic.fixes {
            let changes = Some(changes(server, script, fix));
            actions.push(CodeAction {
                title: fix.title.clone(),
                kind: Some(CodeActionKind::QuickFix),
                diagnostics: Some(vec![problem(script, diagnostic, server.encoding)]),
                is_preferred: Some(diagnostic.fixes.len() == 1),
                edit: Some(WorkspaceEdit { changes, ..WorkspaceEdit::default() }),
                ..CodeAction::default()
            });
        }
    }
    Ok(actions)
}

/// Edits of a fix, by file.
fn changes(server: &Server<'_>, script: &Script, fix: &Fix) -> HashMap<Uri, Vec<TextEdit>> {
    let mut changes: HashMap<Uri, Vec<TextEdit>> = HashMap::new();
    for Edit { span, text, is_first_line } in &fix.edits {
        let file = script.file_of(*span);
        let edit = if *is_first_line {
            let line_end = if script.text(file).text.contains("\r\n") { "\r\n" } else { "\n" };
            TextEdit { range: Range::default(), new_text: format!("{text}{line_end}") }
        } else {
            TextEdit { range: script.range(*span, server.encoding), new_text: text.clone() }
        };
        changes.entry(uri_of(script.path(file))).or_default().push(edit);
    }
    changes
}
