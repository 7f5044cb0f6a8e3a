//! Problems, as they come up.

use crate::place::Encoding;
use crate::scripts::Script;
use crate::server::Server;
use crate::uri::uri_of;
use serde_json::{Value, json};
use source::{Diagnostic, Severity};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// More problems of one text are not told: whoever has more begins with these.
const MOST: usize = 500;

/// Tells the problems of texts: of those that are open, and of what the scripts that they belong to read besides.
pub fn tell(server: &mut Server<'_>, dirty: &BTreeSet<String>) {
    let open: Vec<String> = server.texts.all().keys().cloned().collect();
    let concerned =
        |path: &String| dirty.contains(path) || dirty.iter().any(|one| !server.texts.all().contains_key(one));
    let concerned: Vec<String> = open.into_iter().filter(concerned).collect();
    let mut found: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    let mut told: BTreeSet<String> = dirty.clone();
    for path in &concerned {
        let scripts = server.scripts.of(&server.texts, path);
        told.extend(scripts.iter().flat_map(|script| script.paths().iter().cloned()));
    }
    // Texts that are not open are told of only while something is wrong with them.
    told.retain(|path| server.texts.get(path).is_some() || server.told.contains(path) || !concerned.is_empty());
    for path in &told {
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
        if !is_open && problems.is_empty() && !server.told.contains(&path) {
            continue;
        }
        if problems.is_empty() && !is_open {
            server.told.remove(&path);
        } else {
            server.told.insert(path.clone());
        }
        let mut params = json!({ "uri": uri_of(&path), "diagnostics": problems });
        if let Some(text) = server.texts.get(&path) {
            params["version"] = json!(text.version);
        }
        server.notify("textDocument/publishDiagnostics", params);
    }
}

/// The problems of a text in the scripts that it belongs to.
fn of(server: &Server<'_>, path: &str, scripts: &[Rc<Script>]) -> Vec<Value> {
    let mut problems: Vec<Value> = Vec::new();
    for script in scripts {
        let Some(file) = script.file(path) else { continue };
        let here = script.session.diagnostics().iter().filter(|one| script.file_of(one.primary.span) == file);
        for diagnostic in here.take(MOST) {
            let mut problem = problem(script, diagnostic, server.encoding);
            let is_known = |known: &Value| known["range"] == problem["range"] && known["code"] == problem["code"];
            if problems.iter().any(is_known) {
                continue;
            }
            if scripts.len() > 1 {
                let message = problem["message"].as_str().unwrap_or_default();
                problem["message"] = json!(format!("{message}\n(as part of {})", script.path(0)));
            }
            problems.push(problem);
        }
        problems.extend(server.verdict_problems(script, file));
    }
    problems
}

/// A problem as editors know them.
pub fn problem(script: &Script, diagnostic: &Diagnostic, encoding: Encoding) -> Value {
    let mut message = diagnostic.title.clone();
    let more = [&diagnostic.primary.text].into_iter().filter(|label| !label.is_empty());
    let help = diagnostic.help.iter().map(|help| format!("help: {help}"));
    for line in more.chain(&diagnostic.notes).cloned().chain(help) {
        message.push('\n');
        message += &line;
    }
    let related: Vec<Value> = diagnostic
        .secondary
        .iter()
        .map(|label| json!({ "location": script.location(label.span, encoding), "message": label.text }))
        .collect();
    let mut problem = json!({
        "range": script.area(diagnostic.primary.span, encoding),
        "severity": match diagnostic.severity { Severity::Error => 1, Severity::Warning => 2, Severity::Note => 4 },
        "code": diagnostic.code,
        "source": "tracehound",
        "message": message,
    });
    if !related.is_empty() {
        problem["relatedInformation"] = json!(related);
    }
    if diagnostic.code.contains("unused") {
        problem["tags"] = json!([1]);
    }
    problem
}
