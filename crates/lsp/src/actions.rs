//! Changes that problems propose.

use crate::place::Area;
use crate::problems::problem;
use crate::scripts::Script;
use crate::server::{Answer, Server};
use crate::uri::uri_of;
use serde_json::{Map, Value, json};
use source::{Edit, Fix};

pub fn actions(server: &mut Server<'_>, params: &Value) -> Answer {
    let asked = server.asked(params)?;
    let Ok(wanted) = serde_json::from_value::<Area>(params["range"].clone()) else { return Ok(json!([])) };
    let script = &asked.script;
    let mut actions = Vec::new();
    for diagnostic in script.session.diagnostics() {
        if script.file_of(diagnostic.primary.span) != asked.file || diagnostic.fixes.is_empty() {
            continue;
        }
        let area = script.area(diagnostic.primary.span, server.encoding);
        if area.end < wanted.start || wanted.end < area.start {
            continue;
        }
        for fix in &diagnostic.fixes {
            actions.push(json!({
                "title": fix.title,
                "kind": "quickfix",
                "diagnostics": [problem(script, diagnostic, server.encoding)],
                "isPreferred": diagnostic.fixes.len() == 1,
                "edit": { "changes": changes(server, script, fix) },
            }));
        }
    }
    Ok(json!(actions))
}

/// The edits of a fix, by file.
fn changes(server: &Server<'_>, script: &Script, fix: &Fix) -> Value {
    let mut changes = Map::new();
    for Edit { span, text, is_first_line } in &fix.edits {
        let file = script.file_of(*span);
        let edit = if *is_first_line {
            let line_end = if script.text(file).text.contains("\r\n") { "\r\n" } else { "\n" };
            let start = json!({ "line": 0, "character": 0 });
            json!({ "range": { "start": start, "end": start }, "newText": format!("{text}{line_end}") })
        } else {
            json!({ "range": script.area(*span, server.encoding), "newText": text })
        };
        let edits = changes.entry(uri_of(script.path(file))).or_insert_with(|| json!([]));
        if let Some(edits) = edits.as_array_mut() {
            edits.push(edit);
        }
    }
    Value::Object(changes)
}
