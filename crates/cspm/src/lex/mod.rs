//! Lexer, across all files of a script.
//!
//! [`token`] defines the tokens, [`layout`] the line ends that separate declarations, and [`mod@include`] splices the
//! tokens of included files in place. The result is one array that ends in [`TokenKind::End`]. Whether a `>` closes a
//! sequence is left to the parser, which knows the open sequences.

mod errors;
mod include;
mod layout;
mod text;
mod token;

pub use include::{Tokens, lex_alone, lex_fragment, lex_piece, lex_script};
pub use token::{Token, TokenKind};
