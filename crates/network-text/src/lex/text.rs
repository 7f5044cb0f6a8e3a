//! Contents of quotes.

use std::borrow::Cow;
use std::ops::Range;

/// The text between quotes, with escapes replaced.
pub fn unquote(quoted: &str) -> Cow<'_, str> {
    let inner = quoted.strip_prefix('"').unwrap_or(quoted);
    let inner = inner.strip_suffix('"').unwrap_or(inner);
    if !inner.contains('\\') {
        return Cow::Borrowed(inner);
    }
    let mut text = String::with_capacity(inner.len());
    for piece in Pieces(inner) {
        match piece {
            Piece::Plain(plain) => text.push_str(plain),
            Piece::Escape(Some(character), _) => text.push(character),
            Piece::Escape(None, written) => text.push_str(written),
        }
    }
    Cow::Owned(text)
}

/// The range of an invalid escape in a quoted text.
pub fn bad_escape(quoted: &str) -> Option<Range<usize>> {
    let inner = &quoted[1..quoted.len() - 1];
    let mut at = 1;
    for piece in Pieces(inner) {
        let (is_bad, length) = match piece {
            Piece::Plain(plain) => (false, plain.len()),
            Piece::Escape(meaning, written) => (meaning.is_none(), written.len()),
        };
        if is_bad {
            return Some(at..at + length);
        }
        at += length;
    }
    None
}

enum Piece<'a> {
    Plain(&'a str),
    /// An escape: the character, if it is valid, and the text.
    Escape(Option<char>, &'a str),
}

/// The pieces of a quoted text.
struct Pieces<'a>(&'a str);

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        let text = self.0;
        if text.is_empty() {
            return None;
        }
        let (length, meaning) = match text.find('\\') {
            Some(0) => read_escape(text),
            Some(start) => (start, None),
            None => (text.len(), None),
        };
        let (piece, rest) = text.split_at(length);
        self.0 = rest;
        Some(if piece.starts_with('\\') { Piece::Escape(meaning, piece) } else { Piece::Plain(piece) })
    }
}

/// The length and the character of an escape.
fn read_escape(text: &str) -> (usize, Option<char>) {
    let Some(next) = text[1..].chars().next() else { return (1, None) };
    let meaning = match next {
        '"' | '\\' => Some(next),
        'n' => Some('\n'),
        'r' => Some('\r'),
        't' => Some('\t'),
        'u' => return read_code_point(text).unwrap_or((2, None)),
        _ => None,
    };
    (1 + next.len_utf8(), meaning)
}

/// `\u{1f600}`
fn read_code_point(text: &str) -> Option<(usize, Option<char>)> {
    let digits = text.strip_prefix("\\u{")?;
    let length = digits.find('}').filter(|&length| length <= 6)?;
    let meaning = u32::from_str_radix(&digits[..length], 16).ok().and_then(char::from_u32);
    Some(("\\u{".len() + length + 1, meaning))
}
