//! Layout rule: line ends that separate.
//!
//! A declaration, a state, or a rule ends at the end of its line. It continues on the next line after a comma, an
//! operator and the like, inside brackets, and where the next line begins with a token that begins nothing, such as
//! `when`. A keyword such as `machine` at the beginning of a line always begins a declaration, so an unclosed bracket
//! does not extend to the rest of the file.

use super::TokenKind::{self, *};

/// The state of the layout rule.
#[derive(Default)]
pub struct Layout {
    last: Option<TokenKind>,
    line_ended: bool,
    n_open: u32,
}

impl Layout {
    pub fn line_ended(&mut self) {
        self.line_ended = true;
    }

    /// Whether a line end before the next token separates.
    pub fn separates(&mut self, next: TokenKind) -> bool {
        let after_line_end = std::mem::take(&mut self.line_ended);
        let last = self.last.replace(next);
        let separates = after_line_end
            && last.is_some_and(|last| {
                next.begins_declaration() || self.n_open == 0 && next.begins_item() && !last.requires_continuation()
            });
        if separates {
            self.n_open = 0;
        }
        match next {
            ParenOpen | BracketOpen | BraceOpen => self.n_open += 1,
            ParenClose | BracketClose | BraceClose => self.n_open = self.n_open.saturating_sub(1),
            _ => {}
        }
        separates
    }
}
