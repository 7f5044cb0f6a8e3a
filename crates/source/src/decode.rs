//! Decoding of files.

/// A decoded text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The text without its byte order mark. Invalid UTF-8 is replaced by U+FFFD.
    pub text: String,
    /// The offset of the first invalid byte.
    pub damage: Option<usize>,
}

/// The reason why bytes are no text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotText {
    /// They exceed the limit.
    TooLarge,
    /// They are UTF-16.
    Utf16,
}

/// Decodes bytes, at most so many.
///
/// # Errors
/// If there are more, or if they are UTF-16.
pub fn decode(bytes: Vec<u8>, max_bytes: usize) -> Result<Decoded, NotText> {
    const MARK: char = '\u{feff}';
    if bytes.len() > max_bytes {
        return Err(NotText::TooLarge);
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Err(NotText::Utf16);
    }
    let (text, damage) = match String::from_utf8(bytes) {
        Ok(text) => (text, None),
        Err(error) => {
            let damage = error.utf8_error().valid_up_to();
            (String::from_utf8_lossy(error.as_bytes()).into_owned(), Some(damage))
        }
    };
    Ok(match text.strip_prefix(MARK) {
        Some(rest) => Decoded { text: rest.to_owned(), damage: damage.map(|offset| offset - MARK.len_utf8()) },
        None => Decoded { text, damage },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_no_characters_have_a_place() {
        let decoded = |bytes: &[u8]| decode(bytes.to_vec(), 10);
        let text = |text: &str, damage: Option<usize>| Ok(Decoded { text: text.to_owned(), damage });
        assert_eq!(decoded(b"ab"), text("ab", None));
        assert_eq!(decoded(b"a\xffb"), text("a\u{fffd}b", Some(1)));
        assert_eq!(decoded(b"\xef\xbb\xbfa\xff"), text("a\u{fffd}", Some(1)));
        assert_eq!(decoded(b"\xff\xfea\0"), Err(NotText::Utf16));
        assert_eq!(decoded(b"12345678901"), Err(NotText::TooLarge));
    }
}
