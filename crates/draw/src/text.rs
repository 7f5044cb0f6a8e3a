//! Words that pictures share.

/// `1 state`, `2 states`.
pub(crate) fn count(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// A line that is cut if it is longer than this.
pub(crate) fn cut(line: &str, width: usize) -> String {
    crate::svg::shortened(line, width)
}
