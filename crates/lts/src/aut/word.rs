//! Eight bytes of text in one word.
//!
//! A large file spends most of its time on digits and on the ends of labels. A word of eight bytes decodes both in a
//! few operations without a branch for each byte. Its lowest byte is the first of the text.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;

/// The eight bytes from `start`, if there are as many.
#[inline]
pub(super) fn word_at(text: &[u8], start: usize) -> Option<u64> {
    Some(u64::from_le_bytes(*text.get(start..)?.first_chunk()?))
}

/// The number of leading digits, and their value.
#[inline]
pub(super) fn leading_number(word: u64) -> (usize, u32) {
    // Digits become 0 to 9. Only these stay below the high bit; a carry affects later bytes only, which are ignored
    // then.
    let digits = word ^ (ONES * u64::from(b'0'));
    let others = (digits.wrapping_add(ONES * 0x76) | digits) & HIGHS;
    let n_digits = (others.trailing_zeros() / 8) as usize;
    if n_digits == 0 {
        return (0, 0);
    }
    // Shifts zeros in before the first digit, so that always eight digits are added: first in pairs, then all pairs.
    let eight = digits << (64 - 8 * n_digits);
    let pairs = eight.wrapping_mul(10).wrapping_add(eight >> 8);
    let low = (pairs & 0x0000_00FF_0000_00FF).wrapping_mul(100 + (1_000_000 << 32));
    let high = ((pairs >> 16) & 0x0000_00FF_0000_00FF).wrapping_mul(1 + (10_000 << 32));
    (n_digits, (low.wrapping_add(high) >> 32) as u32)
}

/// The number of bytes before the first that is one of the two, 8 if none is.
#[inline]
pub(super) fn position_of_either(word: u64, one: u8, other: u8) -> usize {
    let found = zeros(word ^ (ONES * u64::from(one))) | zeros(word ^ (ONES * u64::from(other)));
    (found.trailing_zeros() / 8) as usize
}

/// The high bit of the first byte that is zero, and possibly of some after it.
#[inline]
fn zeros(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &[u8; 8]) -> u64 {
        u64::from_le_bytes(*text)
    }

    #[test]
    fn numbers_are_read_up_to_the_first_other_byte() {
        for n_digits in 1..=8 {
            for number in [0, 1, 9, 10, 12_345, 99_999, 1_234_567, 90_807_060, 99_999_999_u32] {
                let digits = format!("{number:08}");
                let digits = &digits[8 - n_digits..];
                for other in [0, b'/', b':', b',', b')', 0x7f, 0x80, 0xb0, 0xff] {
                    let mut text = [other; 8];
                    text[..n_digits].copy_from_slice(digits.as_bytes());
                    assert_eq!(leading_number(word(&text)), (n_digits, digits.parse().unwrap()), "{text:?}");
                }
            }
        }
        assert_eq!(leading_number(word(b",1234567")).0, 0);
    }

    #[test]
    fn the_first_of_two_bytes_is_found() {
        assert_eq!(position_of_either(word(b"abcdefgh"), b'"', b'\n'), 8);
        for place in 0..8 {
            for later in place..8 {
                // Bytes that differ from a wanted one only in the lowest or the highest bit.
                let mut text = *b"#\x0b\xa2\x8a#\x0b\xa2\x8a";
                text[later] = b'\n';
                text[place] = b'"';
                assert_eq!(position_of_either(word(&text), b'"', b'\n'), place);
                assert_eq!(position_of_either(word(&text), b'\n', b'"'), place);
            }
        }
    }
}
