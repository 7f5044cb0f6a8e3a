//! Date and time in ISO order.

use std::time::{SystemTime, UNIX_EPOCH};

/// Environment variable that fixes the date of reproducible builds.
const AGREED: &str = "SOURCE_DATE_EPOCH";

/// Current date and time, in UTC.
pub fn now() -> String {
    let agreed = std::env::var(AGREED).ok().and_then(|text| text.parse().ok());
    let passed = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |passed| passed.as_secs());
    text(agreed.unwrap_or_else(passed))
}

/// Formats a Unix time. Days are counted in eras of 400 years that begin in March: leap days come last in a year.
fn text(seconds: u64) -> String {
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, later) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let year = era * 400 + year + later;
    format!("{year:04}-{month:02}-{date:02} {:02}:{:02} UTC", seconds / 3600 % 24, seconds / 60 % 60)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(text(0), "1970-01-01 00:00 UTC");
        assert_eq!(text(951_782_399), "2000-02-28 23:59 UTC");
        assert_eq!(text(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(text(1_709_251_200), "2024-03-01 00:00 UTC");
        assert_eq!(text(4_102_444_799), "2099-12-31 23:59 UTC");
    }
}
