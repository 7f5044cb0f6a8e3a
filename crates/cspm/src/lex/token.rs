//! The tokens of CSPM.

use logos::{Lexer, Logos};
use source::Span;
use std::ops::Range;

/// A token with its span.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// The kind.
    pub kind: TokenKind,
    /// Whether a line end before it separates it from the previous token, by the layout rule.
    pub separated: bool,
    /// The span.
    pub span: Span,
}

/// State of the lexer about the gap before the next token.
#[derive(Default, Debug)]
pub struct Gap {
    /// A line ended since the last token.
    pub newline: bool,
    /// The start of an unterminated block comment.
    pub unclosed_comment: Option<usize>,
    /// Pragmas: block comments of the form `{-# assert_ltl .. #-}`.
    pub pragmas: Vec<Range<usize>>,
}

/// The kinds of tokens.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(extras = Gap)]
#[logos(skip r"[ \t\f\v]+")]
#[allow(missing_docs)]
pub enum TokenKind {
    // Line ends and comments are tokens for the scanner only. A skipped one would cost a nested call in the generated
    // lexer of unoptimized builds, and a script may begin with a million lines of comment.
    #[regex(r"[\r\n]", line_end)]
    LineEnd,
    #[regex(r"--[^\r\n]*", allow_greedy = true)]
    LineComment,
    #[token("{-", block_comment)]
    BlockComment,

    #[regex("[A-Za-z][A-Za-z0-9_]*'*")]
    Ident,
    #[regex("[0-9]+")]
    Int,
    #[regex(r"'(\\[^\r\n]|[^\\'\r\n])'")]
    Char,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text,
    #[token("_")]
    Wildcard,

    #[token("and")]
    And,
    #[token("or")]
    Or,
    #[token("not")]
    Not,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("let")]
    Let,
    #[token("within")]
    Within,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("channel")]
    Channel,
    #[token("assert")]
    Assert,
    #[token("datatype")]
    Datatype,
    #[token("subtype")]
    Subtype,
    #[token("nametype")]
    Nametype,
    #[token("external")]
    External,
    #[token("transparent")]
    Transparent,
    #[token("module")]
    Module,
    #[token("exports")]
    Exports,
    #[token("endmodule")]
    EndModule,
    #[token("instance")]
    Instance,
    #[token("Timed")]
    Timed,
    #[token("print")]
    Print,
    #[token("include")]
    Include,

    #[token("->")]
    Arrow,
    #[token("[]")]
    ExternalChoice,
    #[token("|~|")]
    InternalChoice,
    #[token("|||")]
    Interleave,
    #[token("||")]
    DoubleBar,
    #[token(r"|\")]
    Project,
    #[token("|>")]
    ExceptionClose,
    #[token("[>")]
    SlidingChoice,
    #[token(r"/\")]
    Interrupt,
    #[token(";")]
    Semicolon,
    #[token("&")]
    Guard,
    /// Also `\\`, the notation of other tools.
    #[token(r"\")]
    #[token(r"\\")]
    Backslash,
    #[token("[[")]
    RenameOpen,
    #[token("]]")]
    RenameClose,
    #[token("[|")]
    ParallelOpen,
    #[token("|]")]
    ParallelClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("[+")]
    SyncChoiceOpen,
    #[token("+]")]
    SyncChoiceClose,
    #[token("/+")]
    SyncInterruptOpen,
    #[token(r"+\")]
    SyncInterruptClose,
    #[token("<-")]
    LeftArrow,
    #[token("<->")]
    Tie,
    #[token("=")]
    Equals,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    /// `<` and `>` without a token between them.
    #[regex(r"<[ \t\f\v\r\n]*>")]
    EmptySeq,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Times,
    #[token("/")]
    Divide,
    #[token("%")]
    Modulo,
    #[token("^")]
    Concat,
    #[token("#")]
    Hash,
    #[token(".")]
    Dot,
    #[token("..")]
    DotDot,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    /// `::` with a blank on at least one side: a type annotation.
    #[token("::")]
    TypeColons,
    /// `::` without spaces: a name inside a module.
    ScopeColons,
    #[token("?")]
    Question,
    #[token("!")]
    Exclamation,
    #[token("$")]
    Dollar,
    #[token("@")]
    At,
    #[token("@@")]
    DoubleAt,
    #[token("|")]
    Bar,
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("{|")]
    EnumOpen,
    #[token("|}")]
    EnumClose,
    /// Only if a space follows.
    #[regex(r"\(\|[ \t\f\v\r\n]")]
    MapOpen,
    #[token("|)")]
    MapClose,
    #[token("=>")]
    FatArrow,
    #[token("=>*")]
    FatArrowStar,
    /// `:[`, the start of a property or an option.
    #[token(":[")]
    PropertyOpen,
    /// `[T=` and the like.
    #[regex(r"\[(T|F|FD|V|VD|R|RD)=")]
    Refines,
    #[token("|=")]
    Satisfies,

    /// Characters that begin no token, reported already.
    Unknown,
    /// The end of a file or of a `print` line, which no construct may cross.
    Boundary,
    /// The end of input.
    End,
}

fn line_end(lexer: &mut Lexer<TokenKind>) {
    lexer.extras.newline = true;
}

/// Reads to the end of a block comment, including nested comments. Line ends inside do not separate.
fn block_comment(lexer: &mut Lexer<TokenKind>) {
    let rest = lexer.remainder().as_bytes();
    let mut depth = 1;
    let mut at = 0;
    while at < rest.len() {
        match &rest[at..rest.len().min(at + 2)] {
            b"{-" => {
                depth += 1;
                at += 2;
            }
            b"-}" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    lexer.bump(at);
                    if is_pragma(lexer.slice()) {
                        let place = lexer.span();
                        lexer.extras.pragmas.push(place);
                    }
                    return;
                }
            }
            _ => at += 1,
        }
    }
    lexer.extras.unclosed_comment = Some(lexer.span().start);
    lexer.bump(rest.len());
}

impl TokenKind {
    /// Whether it is white space or a comment.
    pub fn is_gap(self) -> bool {
        matches!(self, TokenKind::LineEnd | TokenKind::LineComment | TokenKind::BlockComment)
    }

    /// Whether it is a keyword that occurs only at the beginning of a declaration.
    pub fn is_declarator(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Channel
                | Datatype
                | Subtype
                | Nametype
                | External
                | Transparent
                | Assert
                | Module
                | Instance
                | Timed
                | Print
        )
    }
}

/// Whether a block comment is a pragma.
fn is_pragma(comment: &str) -> bool {
    let word = comment.strip_prefix("{-#").map(str::trim_start);
    word.is_some_and(|word| word.starts_with("assert_ltl") || word.starts_with("assert_ctl"))
}
