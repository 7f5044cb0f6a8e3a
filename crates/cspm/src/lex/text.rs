//! Bytes of a file to text.

use super::errors;
use source::{Diagnostic, Span};

/// Texts beyond this size are not scripts; the tree of one takes many times as much.
pub const MAX_BYTES: usize = 64 << 20;

/// Decodes the bytes of a script. What is not UTF-8 becomes U+FFFD, which is harmless in comments (old scripts have
/// Latin-1 there) and reported anywhere else. `place` is where to report what is wrong with the file as a whole.
pub fn decode(path: &str, bytes: Vec<u8>, place: Span) -> Result<String, Box<Diagnostic>> {
    if bytes.len() > MAX_BYTES {
        return Err(errors::too_large(path, MAX_BYTES, place).into());
    }
    if bytes.starts_with(b"{\\rtf") {
        return Err(errors::rich_text(path, place).into());
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(errors::utf16(path, place).into());
    }
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    Ok(match text.strip_prefix('\u{feff}') {
        Some(rest) => rest.to_owned(),
        None => text,
    })
}
