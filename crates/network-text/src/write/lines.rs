//! Line breaking.

use limits::display::names::LINE_WIDTH;
use std::fmt::Display;

/// A list after a keyword, broken after commas into indented lines.
pub fn listed(head: &str, items: impl Iterator<Item = impl Display>, indentation: usize) -> String {
    separated(head, ",", items, indentation)
}

/// A list with another separator.
pub fn separated(head: &str, separator: &str, items: impl Iterator<Item = impl Display>, indentation: usize) -> String {
    let mut text = head.to_owned();
    let mut column = head.chars().count();
    for (number, item) in items.enumerate() {
        let item = item.to_string();
        let length = item.chars().count();
        if number > 0 && column + 2 + length > LINE_WIDTH {
            text.push_str(separator);
            text.push('\n');
            text.push_str(&" ".repeat(indentation));
            column = indentation;
        } else if number > 0 {
            text.push_str(separator);
            text.push(' ');
            column += 2;
        }
        text.push_str(&item);
        column += length;
    }
    text
}

/// Pieces on one line if they fit, otherwise each on an indented line.
pub fn joined(pieces: &[String], indentation: usize) -> String {
    let length = |piece: &String| piece.chars().count() + 1;
    let fits =
        pieces.iter().map(length).sum::<usize>() <= LINE_WIDTH && !pieces.iter().any(|piece| piece.contains('\n'));
    let separator = if fits { " ".to_owned() } else { format!("\n{}", " ".repeat(indentation)) };
    pieces.join(&separator)
}
