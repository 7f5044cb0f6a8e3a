//! Sources of the scripts, with an anchor for each line.

use super::Checked;
use super::page::{Page, escape};
use source::Span;

/// Writes the sources of a session: the script that was checked, and its includes.
pub fn write(page: &mut Page, checked: &Checked<'_>, number: usize) {
    for (place, file) in checked.session.source_map().files().iter().enumerate() {
        page.line(&format!("<h2>{}</h2>\n<pre>", escape(&file.path)));
        for (line, text) in (1..).zip(file.text.lines()) {
            let name = anchor(number, place, line);
            page.line(&format!(
                "<span class=\"line\" id=\"{name}\"><a href=\"#{name}\">{line}</a>{}</span>",
                escape(text.trim_end_matches('\r'))
            ));
        }
        page.line("</pre>");
    }
}

/// Link to the line of a span.
pub fn link(checked: &Checked<'_>, number: usize, span: Span) -> String {
    let map = checked.session.source_map();
    let (path, line) = (&map.file_of(span).path, map.position(span).line);
    let place = map.files().iter().position(|file| file.path == *path).unwrap_or(0);
    format!("<a href=\"#{}\">{}:{line}</a>", anchor(number, place, line), escape(path))
}

/// HTML anchor of a line.
fn anchor(number: usize, file: usize, line: u32) -> String {
    format!("s{}f{}l{line}", number + 1, file + 1)
}
