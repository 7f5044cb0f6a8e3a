//! Bytes of a file to text.

/// A text, and where in it the first bytes stood that are no characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Decoded {
    /// The text, without the mark that some editors put at the beginning. What is not UTF-8 became U+FFFD.
    pub text: String,
    /// The offset of the first of these.
    pub damage: Option<usize>,
}

/// Why bytes are not taken for a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NotText {
    /// There are more than allowed.
    TooLarge,
    /// They are UTF-16.
    Utf16,
}

/// Decodes at most so many bytes.
///
/// # Errors
/// If there are more, or if they are encoded in a way that would not be readable.
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
