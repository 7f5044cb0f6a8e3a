//! Operators common to the syntax tree and to terms.

/// Unary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Minus,
    Not,
}

/// Binary operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Binary {
    Or,
    And,
    Xor,
    BitAnd,
    BitOr,
    BitXor,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
}

impl Binary {
    /// Whether the value is a truth value for all operands.
    pub fn is_condition(self) -> bool {
        use Binary::{And, AtLeast, AtMost, Equal, Greater, Less, Or, Unequal, Xor};
        matches!(self, Or | And | Xor | Equal | Unequal | Less | AtMost | Greater | AtLeast)
    }

    /// The converse of a comparison, for exchanged operands; `None` for other operators.
    pub fn reversed(self) -> Option<Binary> {
        use Binary::{AtLeast, AtMost, Equal, Greater, Less, Unequal};
        Some(match self {
            Equal | Unequal => self,
            Less => Greater,
            Greater => Less,
            AtMost => AtLeast,
            AtLeast => AtMost,
            _ => return None,
        })
    }

    /// The notation.
    pub fn sign(self) -> &'static str {
        match self {
            Binary::Or => "||",
            Binary::And => "&&",
            Binary::Xor => "xor",
            Binary::BitAnd => "&",
            Binary::BitOr => "|",
            Binary::BitXor => "^",
            Binary::Equal => "==",
            Binary::Unequal => "!=",
            Binary::Less => "<",
            Binary::AtMost => "<=",
            Binary::Greater => ">",
            Binary::AtLeast => ">=",
            Binary::Add => "+",
            Binary::Subtract => "-",
            Binary::Multiply => "*",
            Binary::Divide => "/",
            Binary::Modulo => "%",
        }
    }
}

/// Timed operators that pass control to a second process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expiry {
    /// Unless a visible event happens before.
    Timeout,
    /// Unconditionally.
    Interrupt,
}

impl Expiry {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            Expiry::Timeout => "timeout",
            Expiry::Interrupt => "interrupt",
        }
    }
}

/// Timed operators with time bounds on a process.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// Bounds the time of the first visible event.
    Within,
    /// Bounds the time of termination from above.
    Deadline,
    /// Bounds the time of termination from below.
    WaitUntil,
}

impl Bound {
    /// The keyword.
    pub fn word(self) -> &'static str {
        match self {
            Bound::Within => "within",
            Bound::Deadline => "deadline",
            Bound::WaitUntil => "waituntil",
        }
    }
}

/// Kinds of conditional processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum IfKind {
    /// A silent step selects a branch.
    Step,
    /// The first step of the branch evaluates the condition.
    Atomic,
    /// Blocks until the condition holds.
    Blocking,
}

/// Process operators.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Interleave,
    Parallel,
    Choice,
    Internal,
    External,
}
