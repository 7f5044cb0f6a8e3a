//! Texts laid out.

use crate::place::{Area, Position};
use crate::server::{Answer, Refused, Server};
use crate::uri::path_of;
use analysis::Session;
use serde_json::{Value, json};

pub fn format(server: &mut Server<'_>, params: &Value, in_range: bool) -> Answer {
    let path = path_of(params["textDocument"]["uri"].as_str().unwrap_or_default());
    if server.texts.get(&path).is_none() {
        return Err(Refused::because("the text is not open"));
    }
    // A part of a script does not tell its language by itself.
    let language = server.scripts.first(&server.texts, &path).0.session.language();
    let Some(text) = server.texts.get(&path) else { return Ok(json!([])) };
    let session = Session::open_alone(&path, &text.text, Some(language));
    if let Some(problem) = session.unreadable().next() {
        return Err(Refused::because(format!("it cannot be read: {}", problem.title)));
    }
    let Some(after) = format::format(session.language(), &text.text) else { return Ok(json!([])) };
    let wanted = serde_json::from_value::<Area>(params["range"].clone()).ok().filter(|_| in_range);
    let is_wanted = |edit: &format::LineEdit| {
        wanted.is_none_or(|area| {
            // A range that ends at the beginning of a line does not mean that line.
            let last = area.end.line as usize + usize::from(area.end.character > 0 || area.end == area.start);
            edit.start < last && edit.end.max(edit.start + 1) > area.start.line as usize
        })
    };
    let start = |line: usize| -> Position {
        // Lines are counted as texts are split for layout; those with a lone CR are no layout's business.
        let offset = text.text.split_inclusive('\n').take(line).map(str::len).sum();
        text.lines.position(&text.text, offset, server.encoding)
    };
    let edits = format::line_edits(&text.text, &after).into_iter().filter(is_wanted);
    let told = edits
        .map(|edit| json!({ "range": { "start": start(edit.start), "end": start(edit.end) }, "newText": edit.text }));
    Ok(told.collect())
}
