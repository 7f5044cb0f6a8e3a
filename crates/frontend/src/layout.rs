//! A text as the pieces it is written in, whether or not it can be read: what layout and colors need to know.

use std::ops::Range;

/// A token or a comment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// Where it stands in the text.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: PieceKind,
    /// Its role in the structure around it.
    pub role: Role,
    /// The blank before it on its line.
    pub before: Blank,
    /// The blank behind it on its line.
    pub after: Blank,
    /// Whether the line end before it separates it from what stands before.
    pub is_separated: bool,
    /// Whether a declaration begins with it, unless it stands in brackets.
    pub begins: bool,
}

/// Kinds of pieces.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum PieceKind {
    /// To the end of the line.
    LineComment,
    /// From one mark to another, perhaps on several lines.
    BlockComment,
    Keyword,
    Name,
    Number,
    Text,
    Operator,
    /// Characters that mean nothing.
    Stray,
}

/// Roles of pieces in the structure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// None.
    Plain,
    /// A bracket opens: no declaration begins before it closes, unless in a block.
    Open,
    /// A bracket closes.
    Close,
    /// Declarations follow.
    BlockOpen,
    /// Other declarations of the same block follow.
    BlockMiddle,
    /// There are no more.
    BlockClose,
}

/// How many blanks stand beside a piece. Where two pieces want different things, the first of these wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Blank {
    /// As its author wrote it, even several: what stands beside it is not understood.
    Verbatim,
    /// None.
    None,
    /// One.
    One,
    /// None if there is none on the other side of it either, or else one.
    Same,
    /// None or one, as its author liked.
    Kept,
}

/// A word that means something in every script of a language.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word {
    /// How it is written.
    pub name: &'static str,
    /// Whether it is part of the syntax.
    pub is_keyword: bool,
    /// Its type, if it has one.
    pub signature: &'static str,
    /// Its purpose, in a sentence.
    pub about: &'static str,
    /// The piece that it stands behind, if it has a meaning only there.
    pub behind: Option<&'static str>,
    /// The declaration that a script needs to use it, such as `transparent normal`.
    pub import: Option<String>,
}
