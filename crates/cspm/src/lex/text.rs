//! Decoding of files.

use super::errors;
pub use limits::input::text::MAX_BYTES;
use source::{Diagnostic, NotText, Span};

/// Decodes the bytes of a script. Invalid UTF-8 becomes U+FFFD, which is harmless in comments (old scripts have
/// Latin-1 there) and reported anywhere else. `place` is the span for errors about the file as a whole.
pub fn decode(path: &str, bytes: Vec<u8>, place: Span) -> Result<String, Box<Diagnostic>> {
    if bytes.starts_with(b"{\\rtf") {
        return Err(errors::rich_text(path, place).into());
    }
    let decoded = source::decode(bytes, MAX_BYTES).map_err(|reason| match reason {
        NotText::TooLarge => errors::too_large(path, MAX_BYTES, place),
        NotText::Utf16 => errors::utf16(path, place),
    })?;
    Ok(decoded.text)
}
