//! Operators that scripts and what runs of them have in common.

/// Operators before an operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Unary {
    Minus,
    Not,
}

/// Operators between operands.
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
    /// Whether its value is a truth, whatever its operands are.
    pub fn is_condition(self) -> bool {
        use Binary::{And, AtLeast, AtMost, Equal, Greater, Less, Or, Unequal, Xor};
        matches!(self, Or | And | Xor | Equal | Unequal | Less | AtMost | Greater | AtLeast)
    }

    /// The comparison that says the same with its operands exchanged; nothing for other operators.
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

    /// How it is written.
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

/// Operators by which another process takes over when time is up.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Expiry {
    /// Unless something visible happens before.
    Timeout,
    /// Whatever happens.
    Interrupt,
}

impl Expiry {
    /// How it is written.
    pub fn word(self) -> &'static str {
        match self {
            Expiry::Timeout => "timeout",
            Expiry::Interrupt => "interrupt",
        }
    }
}

/// Operators that bound when a process does something.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Bound {
    /// When its first visible event comes.
    Within,
    /// By when it has terminated.
    Deadline,
    /// From when on it may terminate.
    WaitUntil,
}

impl Bound {
    /// How it is written.
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
    /// One silent step picks a branch.
    Step,
    /// The condition is part of the first step of the branch.
    Atomic,
    /// Waits until the condition holds.
    Blocking,
}

/// Operators between processes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Operator {
    Interleave,
    Parallel,
    Choice,
    Internal,
    External,
}
