//! Formatting.

use crate::server::{Answer, InText, Refused, Server};
use crate::uri::path_of;
use analysis::Session;
use gen_lsp_types::{Position, Range, TextEdit};

pub fn format(server: &mut Server<'_>, params: InText) -> Answer<Vec<TextEdit>> {
    let path = path_of(&params.text_document.uri);
    if server.texts.get(&path).is_none() {
        return Err(Refused::because("the text is not open"));
    }
    // An included file does not determine its language by itself.
    let language = server.scripts.first(&server.texts, &path).0.session.language();
    let Some(text) = server.texts.get(&path) else { return Ok(Vec::new()) };
    let session = Session::open_alone(&path, &text.text, Some(language));
    if let Some(problem) = session.unreadable().next() {
        return Err(Refused::because(format!("it cannot be read: {}", problem.title)));
    }
    let Some(after) = format::format(session.language(), &text.text) else { return Ok(Vec::new()) };
    let is_wanted = |edit: &format::LineEdit| {
        params.range.is_none_or(|range| {
            // A range that ends at the beginning of a line does not include that line.
            let last = range.end.line as usize + usize::from(range.end.character > 0 || range.end == range.start);
            edit.start < last && edit.end.max(edit.start + 1) > range.start.line as usize
        })
    };
    let start = |line: usize| -> Position {
        // Lines are split as by the formatter, which does not treat a lone CR as a line end.
        let offset = text.text.split_inclusive('\n').take(line).map(str::len).sum();
        text.lines.position(&text.text, offset, server.encoding)
    };
    let edits = format::line_edits(&text.text, &after).into_iter().filter(is_wanted);
    let range = |edit: &format::LineEdit| Range { start: start(edit.start), end: start(edit.end) };
    Ok(edits.map(|edit| TextEdit { range: range(&edit), new_text: edit.text }).collect())
}
