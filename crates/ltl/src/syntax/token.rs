//! Tokens, and the words and signs of operators.
//!
//! Tokens are made on demand: what stands between brackets belongs to the model's language, and only the parser knows
//! which brackets those are.

use super::tree::{Binary, Change, Named, StateWord, Strength, Unary};
use logos::Logos;

/// The kinds of tokens.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\v\u{a0}]+")]
pub(crate) enum Token {
    // Skipped by the lexer, each comment would cost a call inside the one before in builds without optimization.
    #[regex(r"//[^\r\n]*", allow_greedy = true)]
    #[regex(r"/\*([^*]|\*+[^*/])*\*+/")]
    Comment,
    #[regex("[A-Za-z_][A-Za-z0-9_]*'*")]
    Word,
    #[regex("[0-9]+")]
    Number,
    #[token("!")]
    #[token("¬")]
    Not,
    /// Nothing but blanks between the brackets: otherwise they hold an event.
    #[regex(r"\[[ \t\r\n]*\]")]
    #[token("□")]
    Box,
    #[token("<>")]
    #[token("⋄")]
    #[token("◇")]
    Diamond,
    #[token("○")]
    Circle,
    #[regex(r"\([ \t\r\n]*\)")]
    Unit,
    #[token("&")]
    #[token("&&")]
    #[token("/\\")]
    #[token("∧")]
    And,
    #[token("|")]
    #[token("||")]
    #[token("\\/")]
    #[token("∨")]
    Or,
    #[token("=>")]
    #[token("->")]
    #[token("⇒")]
    #[token("→")]
    Implies,
    #[token("<=>")]
    #[token("<->")]
    #[token("⇔")]
    #[token("↔")]
    Equivalent,
    #[token("~>")]
    #[token("⇝")]
    LeadsTo,
    #[token("(")]
    Open,
    #[token(")")]
    Close,
    #[token("[")]
    BracketOpen,
    #[token("{")]
    BraceOpen,
    #[token(",")]
    Comma,
    #[token(".")]
    Dot,
    #[token(":")]
    Colon,
    #[token("@")]
    At,
    #[token("#")]
    #[token("∃")]
    Hash,
    #[token("∀")]
    ForAll,
    #[regex("==|!=|/=|<=|>=|=|<|>")]
    Compare,
    #[token("*")]
    Star,
    #[regex("[+/%-]")]
    Arithmetic,
    /// No token begins like this.
    Unknown,
    End,
}

impl Token {
    /// The operator before an operand that a sign stands for.
    pub fn unary(self) -> Option<Unary> {
        Some(match self {
            Token::Not => Unary::Not,
            Token::Box => Unary::Globally,
            Token::Diamond => Unary::Finally,
            Token::Circle | Token::Unit => Unary::Next,
            _ => return None,
        })
    }

    /// The operator between operands that a sign stands for.
    pub fn binary(self) -> Option<Binary> {
        Some(match self {
            Token::And => Binary::And,
            Token::Or => Binary::Or,
            Token::Implies => Binary::Implies,
            Token::Equivalent => Binary::Equivalent,
            Token::LeadsTo => Binary::LeadsTo,
            _ => return None,
        })
    }
}

/// The operator before an operand that a word stands for.
pub(crate) fn unary_word(word: &str) -> Option<Unary> {
    Some(match word {
        "not" => Unary::Not,
        "X" | "next" => Unary::Next,
        "Xw" => Unary::WeakNext,
        "F" | "finally" | "eventually" => Unary::Finally,
        "G" | "globally" | "always" => Unary::Globally,
        "Y" | "yesterday" => Unary::Yesterday,
        "Yw" => Unary::WeakYesterday,
        "O" | "once" => Unary::Once,
        "H" | "historically" => Unary::Historically,
        _ => return None,
    })
}

/// The operator between operands that a word stands for.
pub(crate) fn binary_word(word: &str) -> Option<Binary> {
    Some(match word {
        "and" => Binary::And,
        "or" => Binary::Or,
        "implies" => Binary::Implies,
        "equivalent" => Binary::Equivalent,
        "leadsto" => Binary::LeadsTo,
        "U" | "until" | "stronguntil" => Binary::Until,
        "W" | "weakuntil" => Binary::WeakUntil,
        "R" | "V" | "release" => Binary::Release,
        "M" => Binary::StrongRelease,
        "S" | "since" => Binary::Since,
        "B" => Binary::WeakSince,
        "T" | "trigger" => Binary::Trigger,
        _ => return None,
    })
}

/// A word for a property of states.
pub(crate) fn state_word(word: &str) -> Option<StateWord> {
    Some(match word {
        "deadlock" => StateWord::Deadlock,
        "sink" => StateWord::Sink,
        "goal" => StateWord::Goal,
        "error" => StateWord::Error,
        "det_output" => StateWord::DetOutput,
        "non_det" => StateWord::NonDet,
        "current" => StateWord::Current,
        "terminated" => StateWord::Terminated,
        _ => return None,
    })
}

/// A word that compares the states before and after a step.
pub(crate) fn change_word(word: &str) -> Option<Change> {
    Some(match word {
        "BA" | "before_after" => Change::BeforeAfter,
        "unchanged" | "UNCHANGED" => Change::Unchanged,
        "changed" => Change::Changed,
        "increasing" => Change::Increasing,
        "decreasing" => Change::Decreasing,
        _ => return None,
    })
}

/// A fairness condition on some events.
pub(crate) fn fairness_word(word: &str) -> Option<Strength> {
    match word {
        "WF" | "wf" => Some(Strength::Weak),
        "SF" | "sf" => Some(Strength::Strong),
        "UF" | "uf" => Some(Strength::Unconditional),
        _ => None,
    }
}

/// A fairness condition on every event.
pub(crate) fn every_fairness_word(word: &str) -> Option<Strength> {
    match word {
        "WEF" | "wef" => Some(Strength::Weak),
        "SEF" | "sef" => Some(Strength::Strong),
        _ => None,
    }
}

/// The name of a pattern.
pub(crate) fn named_word(word: &str) -> Option<Named> {
    Some(match word {
        "absence" => Named::Absence,
        "universality" => Named::Universality,
        "existence" => Named::Existence,
        "response" => Named::Response,
        "precedence" => Named::Precedence,
        "before" => Named::Before,
        "after" => Named::After,
        "between" => Named::Between,
        "after_until" => Named::AfterUntil,
        "seq" => Named::Seq,
        _ => return None,
    })
}

/// Operators that are written without blanks between them, such as `GF` or `XXtrue`.
pub(crate) struct Glued<'a> {
    /// The letters of the operators.
    pub operators: &'a str,
    /// Whether the word ends with something other than an operator.
    pub has_operand: bool,
}

/// Takes a word apart; `None` if it is not made of operators.
pub(crate) fn glued(word: &str) -> Option<Glued<'_>> {
    let rest = word.trim_start_matches(['G', 'F', 'X', 'Y', 'O', 'H']);
    let is_glued = word.len() > 1 && rest.len() < word.len() && (rest.is_empty() || is_keyword(rest));
    is_glued.then(|| Glued { operators: &word[..word.len() - rest.len()], has_operand: !rest.is_empty() })
}

/// Whether an operand or operator begins with this word.
fn is_keyword(word: &str) -> bool {
    matches!(word, "true" | "false" | "not" | "e" | "enabled" | "Av" | "available" | "deterministic" | "controller")
        || state_word(word).is_some()
        || change_word(word).is_some()
}
