//! Layout rule: line ends that separate declarations.
//!
//! A line end separates unless the token before it requires a continuation, or the token after it cannot begin a
//! declaration. This depends on the two tokens alone.

use super::TokenKind::{self, *};

/// Whether a line end between two tokens separates them.
pub fn line_end_separates(before: TokenKind, after: TokenKind) -> bool {
    !continues_on_next_line(before) && !continues_previous_line(after)
}

/// Tokens at the start of a line that continue the line before.
fn continues_previous_line(kind: TokenKind) -> bool {
    !kind.is_declarator()
        && !matches!(
            kind,
            Ident
                | Less
                | EmptySeq
                | ParenOpen
                | BraceOpen
                | EnumOpen
                | MapOpen
                | Minus
                | Hash
                | ScopeColons
                | Exports
                | EndModule
                | Include
                | Unknown
                | Boundary
                | End
        )
}

/// Tokens at the end of a line that continue on the next.
fn continues_on_next_line(kind: TokenKind) -> bool {
    !matches!(
        kind,
        Ident
            | Int
            | Char
            | Text
            | True
            | False
            | Greater
            | EmptySeq
            | ParenClose
            | BraceClose
            | EnumClose
            | MapClose
            | RenameClose
            | ScopeColons
            | Exports
            | EndModule
            | Unknown
            | Boundary
            | End
    )
}
