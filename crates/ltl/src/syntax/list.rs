//! Files with several formulas.
//!
//! One formula a line, perhaps with a name: `mutex: G not ([enter.1] & [enter.2])`. What follows a tab belongs to
//! others. Lines that are empty or begin with `#` or `//` say nothing. Spin's `ltl name { formula }` may go over
//! several lines; so may our `ctl name { formula }`.

use super::cursor::closing;
use super::errors;
use super::tree::Text;
use source::{Diagnostic, Span};

/// A formula of a list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its name.
    pub name: Option<Text>,
    /// Its text.
    pub formula: Text,
    /// Whether it says that it is of branching time.
    pub is_branching: bool,
}

/// Takes a list apart; its text begins at the offset `base`.
pub fn parse_list(text: &str, base: u32) -> (Vec<Entry>, Vec<Diagnostic>) {
    let (mut entries, mut diagnostics) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < text.len() {
        let end = text[start..].find(['\n', '\r']).map_or(text.len(), |length| start + length);
        let line = piece(text, start, end, base);
        let offset = (line.span.start - base) as usize;
        start = end + 1;
        if line.text.is_empty()
            || line.text.starts_with('#') && !opens_quantifier(&line.text)
            || line.text.starts_with("//")
        {
            continue;
        }
        match block(text, offset, base) {
            Some(Ok((entry, behind))) => {
                start = behind;
                entries.push(entry);
            }
            Some(Err(open)) => {
                diagnostics.push(errors::unclosed("{", Span::new(base + open as u32, base + open as u32 + 1)));
                break;
            }
            None => entries.push(entry_on_line(text, offset, end, base)),
        }
    }
    (entries, diagnostics)
}

/// Whether `#` begins a formula, `#x.(..)`, and no comment.
fn opens_quantifier(line: &str) -> bool {
    let behind = line[1..].trim_start_matches(|c: char| c.is_alphanumeric() || c == '_' || c == ',');
    behind.len() + 1 < line.len() && behind.starts_with('.') && behind[1..].trim_start().starts_with('(')
}

/// `ltl name { formula }` that begins at `offset`: the formula and where the text goes on, or the bracket that is never
/// closed.
fn block(text: &str, offset: usize, base: u32) -> Option<Result<(Entry, usize), usize>> {
    let word = text.get(offset..offset + 3).filter(|word| matches!(*word, "ltl" | "ctl"))?;
    let rest = &text[offset + 3..];
    let open = offset + 3 + rest.find('{')?;
    let name = piece(text, offset + 3, open, base);
    let is_name = name.text.chars().all(|c| c.is_alphanumeric() || c == '_');
    if !is_name || !rest.starts_with(|c: char| c.is_whitespace() || c == '{') {
        return None;
    }
    let Some(close) = closing(text, open) else { return Some(Err(open)) };
    let name = Some(name).filter(|name| !name.text.is_empty());
    let entry = Entry { name, formula: piece(text, open + 1, close, base), is_branching: word == "ctl" };
    Some(Ok((entry, close + 1)))
}

/// `name: formula` or `formula`.
fn entry_on_line(text: &str, start: usize, end: usize, base: u32) -> Entry {
    let end = text[start..end].find('\t').map_or(end, |tab| start + tab);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '\'');
    let length = text[start..end].find(|c| !is_part(c)).unwrap_or(0);
    let behind = text[start + length..end].trim_start();
    let has_name = length > 0 && behind.starts_with(':') && !behind.starts_with("::");
    let formula_start = if has_name { end - behind.len() + 1 } else { start };
    Entry {
        name: has_name.then(|| piece(text, start, start + length, base)),
        formula: piece(text, formula_start, end, base),
        is_branching: false,
    }
}

fn piece(text: &str, start: usize, end: usize, base: u32) -> Text {
    let piece = &text[start..end];
    let start = start + piece.len() - piece.trim_start().len();
    let piece = piece.trim();
    let place = |offset: usize| base.saturating_add(offset as u32);
    Text { text: piece.to_owned(), span: Span::new(place(start), place(start + piece.len())) }
}
