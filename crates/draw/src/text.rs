//! Text helpers.

/// `1 state`, `2 states`.
pub(crate) fn count(n: usize, word: &str) -> String {
    if n == 1 { format!("1 {word}") } else { format!("{n} {word}s") }
}

/// Line truncated to a width.
pub(crate) fn cut(line: &str, width: usize) -> String {
    crate::svg::shortened(line, width)
}
