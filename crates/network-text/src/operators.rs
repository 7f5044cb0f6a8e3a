//! Notation of operators: one table for reading and writing.

use crate::lex::TokenKind;
use model::data::{BinaryOperator, UnaryOperator};

/// Precedence levels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Level {
    Anything,
    Or,
    And,
    Not,
    Compare,
    Add,
    Multiply,
    Sign,
    Name,
}

impl Level {
    /// The next level, for the right operand of an operator of this level.
    pub fn tighter(self) -> Level {
        match self {
            Level::Anything => Level::Or,
            Level::Or => Level::And,
            Level::And => Level::Not,
            Level::Not => Level::Compare,
            Level::Compare => Level::Add,
            Level::Add => Level::Multiply,
            Level::Multiply | Level::Sign => Level::Sign,
            Level::Name => Level::Name,
        }
    }
}

/// The notation of a binary operator.
#[derive(Clone, Copy, Debug)]
pub struct Binary {
    pub token: TokenKind,
    pub text: &'static str,
    pub level: Level,
    pub meaning: BinaryOperator,
    /// Whether the operands are exchanged: `x > y` is `y < x`.
    pub is_turned: bool,
}

const fn binary(token: TokenKind, text: &'static str, level: Level, meaning: BinaryOperator) -> Binary {
    Binary { token, text, level, meaning, is_turned: false }
}

const fn turned(token: TokenKind, text: &'static str, meaning: BinaryOperator) -> Binary {
    Binary { token, text, level: Level::Compare, meaning, is_turned: true }
}

/// The table of binary operators.
const BINARY: [Binary; 13] = [
    binary(TokenKind::Or, "or", Level::Or, BinaryOperator::Or),
    binary(TokenKind::And, "and", Level::And, BinaryOperator::And),
    binary(TokenKind::Equal, "==", Level::Compare, BinaryOperator::Equal),
    binary(TokenKind::NotEqual, "!=", Level::Compare, BinaryOperator::NotEqual),
    binary(TokenKind::Less, "<", Level::Compare, BinaryOperator::Less),
    binary(TokenKind::LessEqual, "<=", Level::Compare, BinaryOperator::LessOrEqual),
    turned(TokenKind::Greater, ">", BinaryOperator::Less),
    turned(TokenKind::GreaterEqual, ">=", BinaryOperator::LessOrEqual),
    binary(TokenKind::Plus, "+", Level::Add, BinaryOperator::Add),
    binary(TokenKind::Minus, "-", Level::Add, BinaryOperator::Subtract),
    binary(TokenKind::Times, "*", Level::Multiply, BinaryOperator::Multiply),
    binary(TokenKind::Divide, "/", Level::Multiply, BinaryOperator::Divide),
    binary(TokenKind::Modulo, "%", Level::Multiply, BinaryOperator::Remainder),
];

/// The binary operator of a token.
pub fn read(token: TokenKind) -> Option<&'static Binary> {
    BINARY.iter().find(|binary| binary.token == token)
}

/// The notation of a binary operator.
pub fn written(meaning: BinaryOperator) -> &'static Binary {
    let found = BINARY.iter().find(|binary| binary.meaning == meaning && !binary.is_turned);
    found.expect("every operator has a text")
}

/// The notation of a unary operator, and its level.
pub fn prefix(meaning: UnaryOperator) -> (&'static str, Level) {
    match meaning {
        UnaryOperator::Not => ("not", Level::Not),
        UnaryOperator::Negate => ("-", Level::Sign),
    }
}
