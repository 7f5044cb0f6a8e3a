//! Characters to tokens, across all files of a script.
//!
//! [`token`] lists the tokens, [`layout`] says which line ends separate declarations, [`mod@include`] walks the files and
//! splices their tokens in place. The result is one flat array that ends in [`TokenKind::End`]; the parser decides by
//! itself whether a `>` closes a sequence, because only it knows which sequences are open.

mod errors;
mod include;
mod layout;
mod text;
mod token;

pub use include::{Tokens, lex_alone, lex_fragment, lex_piece, lex_script};
pub use token::{Token, TokenKind};
