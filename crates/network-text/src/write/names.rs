//! Text of names.

use crate::lex::TokenKind;
use hashbrown::{HashMap, HashSet};
use logos::Logos;
use std::fmt::Write;

/// A name, in quotes unless it is lexed as one.
pub fn quoted(name: &str) -> String {
    if is_simple(name) { name.to_owned() } else { in_quotes(name) }
}

/// Whether a text is lexed as one name.
fn is_simple(name: &str) -> bool {
    let mut lexer = TokenKind::lexer(name);
    lexer.next() == Some(Ok(TokenKind::Name)) && lexer.span() == (0..name.len())
}

/// A text in quotes.
pub fn in_quotes(text: &str) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    result.push('"');
    for character in text.chars() {
        match character {
            '"' => result.push_str("\\\""),
            '\\' => result.push_str("\\\\"),
            '\n' => result.push_str("\\n"),
            '\r' => result.push_str("\\r"),
            '\t' => result.push_str("\\t"),
            c if c.is_control() || c == '\u{feff}' => _ = write!(result, "\\u{{{:x}}}", c as u32),
            c => result.push(c),
        }
    }
    result.push('"');
    result
}

/// The text of a formula, escaped only if it cannot be quoted on one line.
pub fn on_one_line(formula: &str) -> String {
    let mut result = String::with_capacity(formula.len());
    let mut characters = formula.chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => result.push_str("\\\""),
            '\n' | '\r' => result.push(' '),
            '\\' => {
                result.push('\\');
                match characters.next() {
                    Some(next) if !matches!(next, '\n' | '\r') => result.push(next),
                    _ => result.push('\\'),
                }
            }
            c => result.push(c),
        }
    }
    result
}

/// Unique names, in quotes where needed; missing ones are generated from `letter` and a number.
pub fn unique<'a>(names: impl Iterator<Item = Option<&'a str>>, letter: &str) -> Vec<String> {
    let names: Vec<Option<&str>> = names.collect();
    let mut taken: HashSet<String> = names.iter().flatten().map(|&name| name.to_owned()).collect();
    let mut used: HashSet<&str> = HashSet::new();
    let mut next: HashMap<String, usize> = HashMap::new();
    let mut fresh = |stem: String, first: usize| {
        let number = next.entry(stem.clone()).or_insert(first);
        loop {
            let name = format!("{stem}{number}");
            *number += 1;
            if taken.insert(name.clone()) {
                return name;
            }
        }
    };
    let name_of = |name: &Option<&'a str>| match name {
        Some(name) if used.insert(name) => quoted(name),
        Some(name) => quoted(&fresh(format!("{name}_"), 2)),
        None => fresh(letter.to_owned(), 0),
    };
    names.iter().map(name_of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_unusual_names_are_quoted() {
        for simple in ["a", "left.0", "set.-1.true", "x'", "_", "a.b.c", "reseting"] {
            assert_eq!(quoted(simple), simple);
        }
        for unusual in ["", "tau", "machine", "PHIL(0)", "a.", ".a", "1", "a b", "a--b", "é", "a\n"] {
            assert!(quoted(unusual).starts_with('"'), "{unusual}");
        }
        assert_eq!(in_quotes("a\"\\\n\u{1}"), "\"a\\\"\\\\\\n\\u{1}\"");
    }

    #[test]
    fn names_become_unique() {
        let names = [Some("P"), None, Some("P"), Some("P_2"), Some("P"), None, Some("N1")];
        assert_eq!(unique(names.into_iter(), "N"), ["P", "N0", "P_3", "P_2", "P_4", "N2", "N1"]);
    }
}
