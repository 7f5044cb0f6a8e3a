//! Escapes in literals.

/// The content of a quoted literal with escapes replaced.
pub fn unescape(quoted: &str) -> String {
    let inside = &quoted[1..quoted.len() - 1];
    let mut text = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => text.push(match chars.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('r') => '\r',
                Some(other) => other,
                None => '\\',
            }),
            c => text.push(c),
        }
    }
    text
}
