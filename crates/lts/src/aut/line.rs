//! Lines of the Aldebaran format.
//!
//! A fast scanner accepts only the layout that almost every line has. A tolerant parser handles all other lines and
//! reports their errors.

use super::read::Expected;
use super::word::{leading_number, position_of_either, word_at};

/// The three parts of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Step<'a> {
    pub(super) source: u32,
    pub(super) label: &'a [u8],
    pub(super) target: u32,
}

/// The three numbers of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Header {
    pub(super) initial: u32,
    pub(super) n_transitions: u64,
    pub(super) n_states: u64,
}

/// Scans `(12,"label",34)` and a line end at the start of `text`, and returns its length. None for any other layout,
/// valid or not.
#[inline]
pub(super) fn scan_step(text: &[u8]) -> Option<(Step<'_>, usize)> {
    if *text.first()? != b'(' {
        return None;
    }
    let (source, place) = scan_number(text, 1)?;
    if *text.get(place)? != b',' || *text.get(place + 1)? != b'"' {
        return None;
    }
    let start = place + 2;
    let end = scan_label(text, start)?;
    if text[end] != b'"' || *text.get(end + 1)? != b',' {
        return None;
    }
    let (target, place) = scan_number(text, end + 2)?;
    if *text.get(place)? != b')' || *text.get(place + 1)? != b'\n' {
        return None;
    }
    Some((Step { source, label: &text[start..end], target }, place + 2))
}

/// A number of at most nine digits, which always fits.
#[inline]
fn scan_number(text: &[u8], start: usize) -> Option<(u32, usize)> {
    let (n_digits, number) = leading_number(word_at(text, start)?);
    match n_digits {
        0 => None,
        8 => scan_ninth_digit(text, start + 8, number),
        _ => Some((number, start + n_digits)),
    }
}

fn scan_ninth_digit(text: &[u8], place: usize, number: u32) -> Option<(u32, usize)> {
    let is_digit = |place: usize| text.get(place).is_some_and(u8::is_ascii_digit);
    match (is_digit(place), is_digit(place + 1)) {
        (false, _) => Some((number, place)),
        (true, false) => Some((number * 10 + u32::from(text[place] - b'0'), place + 1)),
        (true, true) => None,
    }
}

/// The end of the label that begins at `start`: the first quote or line end.
#[inline]
fn scan_label(text: &[u8], start: usize) -> Option<usize> {
    let mut end = start;
    loop {
        let position = position_of_either(word_at(text, end)?, b'"', b'\n');
        end += position;
        if position < 8 {
            return Some(end);
        }
    }
}

/// Parses a step in any of the known layouts. The line has no line end; an error has the byte position.
pub(super) fn parse_step(line: &[u8]) -> Result<Step<'_>, (usize, Expected)> {
    let mut cursor = Cursor { line, place: 0 };
    cursor.expect(b'(', Expected::Step)?;
    let source = cursor.state()?;
    cursor.expect(b',', Expected::Comma)?;
    cursor.skip_spaces();
    // The label may contain anything, so its end is found from behind: `, target )`.
    let (label_end, target) = parse_tail(line, cursor.place)?;
    let label = unquote(&line[cursor.place..label_end]).ok_or((label_end, Expected::Quote))?;
    if label.is_empty() && line[cursor.place..label_end].is_empty() {
        return Err((cursor.place, Expected::Label));
    }
    Ok(Step { source, label, target })
}

/// The end of the label, and the target state.
fn parse_tail(line: &[u8], start: usize) -> Result<(usize, u32), (usize, Expected)> {
    let end = trim_end(line, line.len());
    if end <= start || line[end - 1] != b')' {
        return Err((end, Expected::Close));
    }
    let target_end = trim_end(line, end - 1);
    let comma = line[start..target_end].iter().rposition(|&byte| byte == b',').map(|place| place + start);
    let comma = comma.ok_or((target_end, Expected::Comma))?;
    let mut cursor = Cursor { line: &line[..target_end], place: comma + 1 };
    let target = cursor.state()?;
    if cursor.place < target_end {
        return Err((cursor.place, Expected::Close));
    }
    Ok((trim_end(line, comma).max(start), target))
}

fn trim_end(line: &[u8], end: usize) -> usize {
    line[..end].iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |place| place + 1)
}

/// The label without its quotes; none if one of them is missing.
fn unquote(label: &[u8]) -> Option<&[u8]> {
    match (label.first(), label.last()) {
        (Some(b'"'), Some(b'"')) if label.len() >= 2 => Some(&label[1..label.len() - 1]),
        (Some(b'"'), _) => None,
        _ => Some(label),
    }
}

/// Parses `des (initial, transitions, states)`.
pub(super) fn parse_header(line: &[u8]) -> Result<Header, (usize, Expected)> {
    let mut cursor = Cursor { line, place: 0 };
    cursor.skip_spaces();
    if !line[cursor.place..].starts_with(b"des") {
        return Err((cursor.place, Expected::Header));
    }
    cursor.place += 3;
    cursor.expect(b'(', Expected::Open)?;
    let initial = cursor.state()?;
    cursor.expect(b',', Expected::Comma)?;
    let n_transitions = cursor.number(Expected::Number)?;
    cursor.expect(b',', Expected::Comma)?;
    let n_states = cursor.number(Expected::Number)?;
    cursor.expect(b')', Expected::Close)?;
    cursor.skip_spaces();
    if cursor.place < line.len() {
        Err((cursor.place, Expected::LineEnd))
    } else {
        Ok(Header { initial, n_transitions, n_states })
    }
}

struct Cursor<'a> {
    line: &'a [u8],
    place: usize,
}

impl Cursor<'_> {
    fn skip_spaces(&mut self) {
        while self.line.get(self.place).is_some_and(u8::is_ascii_whitespace) {
            self.place += 1;
        }
    }

    fn expect(&mut self, byte: u8, expected: Expected) -> Result<(), (usize, Expected)> {
        self.skip_spaces();
        if self.line.get(self.place) != Some(&byte) {
            return Err((self.place, expected));
        }
        self.place += 1;
        Ok(())
    }

    fn number(&mut self, expected: Expected) -> Result<u64, (usize, Expected)> {
        self.skip_spaces();
        let start = self.place;
        let mut number = 0u64;
        while let Some(digit) = self.line.get(self.place).filter(|byte| byte.is_ascii_digit()) {
            let longer = number.checked_mul(10).and_then(|number| number.checked_add(u64::from(digit - b'0')));
            number = longer.ok_or((start, Expected::SmallerNumber))?;
            self.place += 1;
        }
        if self.place == start { Err((start, expected)) } else { Ok(number) }
    }

    fn state(&mut self) -> Result<u32, (usize, Expected)> {
        self.skip_spaces();
        let start = self.place;
        let number = self.number(Expected::State)?;
        u32::try_from(number).ok().filter(|&state| state < u32::MAX).ok_or((start, Expected::SmallerNumber))
    }
}
