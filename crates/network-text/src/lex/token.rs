//! The tokens of the network format.

use logos::Logos;
use source::Span;

/// A token with its span.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub kind: TokenKind,
    pub span: Span,
}

/// The kinds of tokens.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\f\v]+")]
#[logos(skip(r"--[^\r\n]*", allow_greedy = true))]
pub enum TokenKind {
    /// Kept only where a line end separates.
    #[regex(r"[\r\n]+")]
    LineEnd,

    /// Names, with dots as in events: `left.0`, `set.-1.true`.
    #[regex(r"[A-Za-z_][A-Za-z0-9_']*(\.-?[A-Za-z0-9_']+)*")]
    Name,
    #[regex("[0-9]+")]
    Number,
    /// `#7`, the number of an action or label.
    #[regex("#[0-9]+")]
    Raw,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*""#)]
    Text,
    #[regex(r#""([^"\\\r\n]|\\[^\r\n])*\\?"#)]
    UnclosedText,

    #[token("event")]
    Event,
    #[token("network")]
    Network,
    #[token("var")]
    Var,
    #[token("temporary")]
    Temporary,
    #[token("define")]
    Define,
    #[token("actions")]
    Actions,
    #[token("machine")]
    Machine,
    #[token("obstacle")]
    Inhibitor,
    #[token("mode")]
    Mode,
    #[token("start")]
    Start,
    #[token("priority")]
    Priority,
    #[token("class")]
    Class,
    #[token("assert")]
    Assert,

    #[token("like")]
    Like,
    #[token("at")]
    At,
    #[token("from")]
    From,
    #[token("by")]
    By,
    #[token("when")]
    When,
    #[token("unless")]
    Unless,
    #[token("do")]
    Do,
    #[token("goto")]
    Goto,
    #[token("reset")]
    Reset,
    #[token("yields")]
    Yields,
    #[token("tau")]
    Tau,
    #[token("tick")]
    Tick,
    #[token("and")]
    And,
    #[token("or")]
    Or,
    #[token("not")]
    Not,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("while")]
    While,

    #[token(",")]
    Comma,
    #[token(";")]
    Semicolon,
    #[token(":")]
    Colon,
    #[token(":=")]
    Assign,
    #[token("->")]
    Arrow,
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
    #[token("(")]
    ParenOpen,
    #[token(")")]
    ParenClose,
    #[token("[")]
    BracketOpen,
    #[token("]")]
    BracketClose,
    #[token("{")]
    BraceOpen,
    #[token("}")]
    BraceClose,
    #[token("..")]
    DotDot,
    #[token(".")]
    Dot,
    #[token("!")]
    Exclamation,
    #[token("?")]
    Question,
    #[token("#")]
    Hash,
    /// `:[`, the start of a property.
    #[token(":[")]
    PropertyOpen,
    /// `[T=` and the like.
    #[regex(r"\[(T|F|FD|V|VD|R|RD)=")]
    Refines,
    #[token("|=")]
    Satisfies,

    /// Characters that begin no token, reported already.
    Unknown,
    /// The end of input.
    End,
    /// The end of a file that could not be read.
    Nothing,
}

impl TokenKind {
    /// Whether it occurs only at the beginning of a declaration.
    pub fn begins_declaration(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            Event
                | Network
                | Var
                | Temporary
                | Define
                | Actions
                | Machine
                | Inhibitor
                | Mode
                | Start
                | Priority
                | Class
                | Assert
        )
    }

    /// Whether it is a name or a substitute for one.
    pub fn begins_item(self) -> bool {
        use TokenKind::*;
        matches!(self, Name | Number | Raw | Text | UnclosedText | Tau | Tick)
    }

    /// Whether it is a keyword that cannot be a name.
    pub fn is_reserved(self) -> bool {
        use TokenKind::*;
        self.begins_declaration()
            || matches!(
                self,
                Like | At
                    | From
                    | By
                    | When
                    | Unless
                    | Do
                    | Goto
                    | Reset
                    | Yields
                    | Tau
                    | Tick
                    | And
                    | Or
                    | Not
                    | True
                    | False
                    | If
                    | Then
                    | Else
                    | While
            )
    }

    /// Whether it requires a continuation, on the next line if necessary.
    pub fn requires_continuation(self) -> bool {
        use TokenKind::*;
        matches!(
            self,
            By | When
                | Unless
                | Do
                | Yields
                | And
                | Or
                | Not
                | If
                | Then
                | Else
                | While
                | Comma
                | Semicolon
                | Assign
                | Arrow
                | Equals
                | Equal
                | NotEqual
                | Less
                | LessEqual
                | Greater
                | GreaterEqual
                | Plus
                | Minus
                | Times
                | Divide
                | Modulo
        )
    }
}
