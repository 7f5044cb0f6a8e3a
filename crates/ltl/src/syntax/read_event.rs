//! Reading patterns of events.

use super::cursor::{Cursor, Read, closing, split_at_commas};
use super::errors;
use super::event::{Event, EventPattern, Field, Mark, Value};
use super::tree::Text;

/// Reads the pattern between `start` and `end`, all of it.
pub(crate) fn enclosed_pattern(cursor: &Cursor, start: usize, end: usize) -> Read<EventPattern> {
    let piece = cursor.piece(start, end);
    if piece.text.is_empty() {
        return Err(errors::missing_event(cursor.place(start, end)).into());
    }
    let start = start + cursor.text()[start..end].find(|c: char| !c.is_whitespace()).unwrap_or(0);
    let mut reader = Reader { cursor, offset: start, end, blanks: true };
    let pattern = reader.pattern()?;
    reader.skip_blanks();
    if reader.offset < end {
        return Err(errors::behind_event(cursor.piece(reader.offset, end).span).into());
    }
    Ok(pattern)
}

/// Reads a list of patterns between `start` and `end`.
pub(crate) fn pattern_list(cursor: &Cursor, start: usize, end: usize) -> Read<Vec<EventPattern>> {
    let parts = split_at_commas(cursor.text(), start, end);
    parts.into_iter().map(|(start, end)| enclosed_pattern(cursor, start, end)).collect()
}

/// Reads the pattern that begins at the cursor and stands without brackets; the signs of fields must follow without
/// blanks.
pub(crate) fn bare_pattern(cursor: &mut Cursor) -> Read<EventPattern> {
    let copy = cursor.clone();
    let mut reader = Reader { cursor: &copy, offset: copy.start(), end: copy.text().len(), blanks: false };
    let pattern = reader.pattern()?;
    cursor.go_to(reader.offset);
    Ok(pattern)
}

struct Reader<'a, 'b> {
    cursor: &'a Cursor<'b>,
    offset: usize,
    end: usize,
    /// Whether blanks may stand between the parts.
    blanks: bool,
}

impl Reader<'_, '_> {
    fn pattern(&mut self) -> Read<EventPattern> {
        if self.rest().starts_with('{') {
            return self.set();
        }
        let event = self.event()?;
        Ok(match event.name.text.as_str() {
            "tau" if event.fields.is_empty() => EventPattern::Tau,
            "tick" if event.fields.is_empty() => EventPattern::Tick,
            _ => EventPattern::Event(event),
        })
    }

    /// `{|c, d|}` or `{c.1, d}`.
    fn set(&mut self) -> Read<EventPattern> {
        let open = self.offset;
        let Some(close) = closing(self.cursor.text(), open).filter(|&close| close < self.end) else {
            return Err(errors::unclosed("{", self.cursor.place(open, open + 1)).into());
        };
        self.offset = close + 1;
        let inside = &self.cursor.text()[open + 1..close];
        let is_production = inside.len() >= 2 && inside.starts_with('|') && inside.ends_with('|');
        let (start, end) = if is_production { (open + 2, close - 1) } else { (open + 1, close) };
        let parts = split_at_commas(self.cursor.text(), start, end);
        let events = parts.into_iter().map(|(start, end)| match enclosed_pattern(self.cursor, start, end)? {
            EventPattern::Event(event) => Ok(event),
            _ => Err(errors::not_in_set(self.cursor.piece(start, end).span).into()),
        });
        events.collect::<Read<Vec<Event>>>().map(EventPattern::Set)
    }

    /// `r <-- op(x)`, `op(x) --> r`, `c.1?x`.
    fn event(&mut self) -> Read<Event> {
        let mut results = Vec::new();
        if let Some(arrow) = self.find_arrow("<--") {
            results = self.values(self.offset, arrow)?;
            self.offset = arrow + 3;
            self.skip_blanks();
        }
        let name_start = self.offset;
        self.offset += name_length(self.rest());
        if self.offset == name_start {
            return Err(errors::not_an_event(self.next_character()).into());
        }
        // Names inside modules.
        while self.rest().starts_with("::") && name_length(&self.rest()[2..]) > 0 {
            self.offset += 2;
            self.offset += name_length(self.rest());
        }
        let name = self.cursor.piece(name_start, self.offset);
        let mut fields = self.fields()?;
        fields.extend(self.arguments()?);
        self.skip_blanks();
        if self.blanks && self.rest().starts_with("-->") {
            results = self.values(self.offset + 3, self.end)?;
            self.offset = self.end;
        }
        Ok(Event { name, fields, results })
    }

    /// Where the results before an operation end; names without brackets have none.
    fn find_arrow(&self, arrow: &str) -> Option<usize> {
        if !self.blanks {
            return None;
        }
        self.rest().find(arrow).map(|offset| self.offset + offset)
    }

    fn fields(&mut self) -> Read<Vec<Field>> {
        let mut fields = Vec::new();
        loop {
            let before = self.offset;
            self.skip_blanks();
            let mark = match self.rest().bytes().next() {
                Some(b'.') => Mark::Dot,
                Some(b'?') => Mark::Input,
                Some(b'!') if !self.rest().starts_with("!=") => Mark::Output,
                _ => {
                    self.offset = before;
                    return Ok(fields);
                }
            };
            self.offset += 1;
            self.skip_blanks();
            let value = self.field_value(mark)?;
            let within = if mark == Mark::Input { self.restriction()? } else { None };
            fields.push(Field { mark, value, within });
        }
    }

    /// `:S` behind a variable.
    fn restriction(&mut self) -> Read<Option<Text>> {
        let before = self.offset;
        self.skip_blanks();
        if !self.rest().starts_with(':') {
            self.offset = before;
            return Ok(None);
        }
        self.offset += 1;
        self.skip_blanks();
        match self.field_value(Mark::Dot)? {
            Value::Text(text) => Ok(Some(text)),
            Value::Any => Err(errors::missing_field(self.next_character()).into()),
        }
    }

    /// A name or number, which may be applied, or something in brackets.
    fn field_value(&mut self, mark: Mark) -> Read<Value> {
        let start = self.offset;
        if mark != Mark::Input && self.rest().starts_with('-') {
            self.offset += 1;
        }
        self.offset += name_length(self.rest());
        let is_closed_here = |byte: u8| matches!(byte, b'(' | b'{' | b'"');
        if mark != Mark::Input && self.rest().bytes().next().is_some_and(is_closed_here) {
            self.offset = self.end_of_brackets()?;
        }
        let text = self.cursor.piece(start, self.offset);
        match text.text.as_str() {
            "" | "-" => Err(errors::missing_field(self.next_character()).into()),
            "_" => Ok(Value::Any),
            word if mark == Mark::Input && word.starts_with(|c: char| c.is_ascii_digit()) => {
                Err(errors::input_of_value(&text).into())
            }
            _ => Ok(Value::Text(text)),
        }
    }

    fn end_of_brackets(&self) -> Read<usize> {
        let open = self.offset;
        if self.rest().starts_with('"') {
            let behind = self.rest()[1..].find('"').map(|quote| open + quote + 2);
            return behind.ok_or_else(|| errors::unclosed("\"", self.cursor.place(open, open + 1)).into());
        }
        let close = closing(self.cursor.text(), open).filter(|&close| close < self.end);
        let open_text = &self.cursor.text()[open..open + 1];
        close
            .map(|close| close + 1)
            .ok_or_else(|| errors::unclosed(open_text, self.cursor.place(open, open + 1)).into())
    }

    /// `(a, _)`
    fn arguments(&mut self) -> Read<Vec<Field>> {
        let before = self.offset;
        self.skip_blanks();
        if !self.rest().starts_with('(') {
            self.offset = before;
            return Ok(Vec::new());
        }
        let open = self.offset;
        self.offset = self.end_of_brackets()?;
        if self.cursor.piece(open + 1, self.offset - 1).text.is_empty() {
            return Ok(Vec::new());
        }
        let values = self.values(open + 1, self.offset - 1)?;
        Ok(values.into_iter().map(|value| Field { mark: Mark::Argument, value, within: None }).collect())
    }

    fn values(&self, start: usize, end: usize) -> Read<Vec<Value>> {
        let parts = split_at_commas(self.cursor.text(), start, end);
        let values = parts.into_iter().map(|(start, end)| {
            let text = self.cursor.piece(start, end);
            match text.text.as_str() {
                "" => Err(errors::missing_field(self.cursor.place(start, end)).into()),
                "_" => Ok(Value::Any),
                _ => Ok(Value::Text(text)),
            }
        });
        values.collect()
    }

    fn rest(&self) -> &str {
        &self.cursor.text()[self.offset..self.end]
    }

    fn skip_blanks(&mut self) {
        if self.blanks {
            self.offset += self.rest().len() - self.rest().trim_start().len();
        }
    }

    fn next_character(&self) -> source::Span {
        let length = self.rest().chars().next().map_or(0, char::len_utf8);
        self.cursor.place(self.offset, self.offset + length)
    }
}

/// The length of the name or number that a text begins with.
fn name_length(text: &str) -> usize {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'' || c == '$';
    text.find(|c: char| !is_part(c)).unwrap_or(text.len())
}
