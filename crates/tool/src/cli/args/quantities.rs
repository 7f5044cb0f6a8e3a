//! Numbers, seconds and sizes, as they are typed.

use std::num::NonZeroUsize;

pub(super) fn parse_number(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1".to_owned())
}

pub(super) fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0, such as 30 or 0.5".to_owned()),
    }
}

/// `500M`, `4G`, `4GiB`, `1000000`: binary multiples, the unit in any case.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as 500M or 4G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    number.checked_shl(shift).filter(|size| size >> shift == number && *size > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("1000"), Ok(1000));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("500mib"), Ok(500 << 20));
        for wrong in ["", "G", "0", "-1", "4X", "99999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
