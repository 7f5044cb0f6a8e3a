//! Bytes of a file to text, and what stands in quotes.

use super::{MAX_BYTES, errors};
use source::{Diagnostic, Span};
use std::borrow::Cow;
use std::ops::Range;

/// A text, and where in it the first bytes stood that are no characters.
pub struct Decoded {
    pub text: String,
    pub damage: Option<usize>,
}

/// Decodes the bytes of a file. What is not UTF-8 becomes U+FFFD.
pub fn decode(path: &str, bytes: Vec<u8>) -> Result<Decoded, Box<Diagnostic>> {
    if bytes.len() > MAX_BYTES {
        return Err(errors::too_large(path, MAX_BYTES, Span::default()).into());
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(errors::utf16(path, Span::default()).into());
    }
    let (text, damage) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let damage = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(damage))
        }
    };
    const MARK: char = '\u{feff}';
    Ok(match text.strip_prefix(MARK) {
        Some(rest) => Decoded { text: rest.to_owned(), damage: damage.map(|offset| offset - MARK.len_utf8()) },
        None => Decoded { text, damage },
    })
}

/// The text between quotes, with what is behind backslashes replaced.
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

/// Where a quoted text has a backslash that means nothing.
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
    /// What it means, if anything, and how it is written.
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

/// The length and the meaning of what begins with a backslash.
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
