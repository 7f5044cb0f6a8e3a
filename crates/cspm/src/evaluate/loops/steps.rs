//! What rounds are made of.

/// How many registers there are.
pub const N_REGISTERS: usize = 64;
/// How many sequences a loop may go along.
pub const N_CURSORS: usize = 2;
/// How many maps it may use.
pub const N_MAPS: usize = 2;

/// A register.
pub type Register = u8;
/// Which of the sequences.
pub type Place = u8;
/// Which of the maps.
pub type Store = u8;
/// A step to go on with.
pub type Target = u16;

/// A step of a round. Where a register, a sequence or a map does not have what a step needs, the round is left to the closures.
#[derive(Clone, Copy, Debug)]
#[repr(align(8))]
pub enum Step {
    /// The first register becomes the sum of the others.
    Add(Register, Register, Register),
    /// It becomes their difference.
    Subtract(Register, Register, Register),
    /// It becomes their product.
    Multiply(Register, Register, Register),
    /// It becomes their quotient.
    Divide(Register, Register, Register),
    /// It becomes the remainder.
    Modulo(Register, Register, Register),
    /// The first register becomes the second.
    Copy(Register, Register),
    /// Goes elsewhere unless the numbers are equal.
    UnlessEqual(Register, Register, Target),
    /// Goes elsewhere unless they differ.
    UnlessDifferent(Register, Register, Target),
    /// Goes elsewhere unless the first is less.
    UnlessLess(Register, Register, Target),
    /// Goes elsewhere unless the first is no more than the second.
    UnlessAtMost(Register, Register, Target),
    /// Goes elsewhere.
    Jump(Target),
    /// Goes elsewhere at the end of a sequence.
    UnlessMore(Place, Target),
    /// Goes elsewhere unless a sequence has ended.
    UnlessEnd(Place, Target),
    /// Takes a look at the number in front of a sequence, or goes elsewhere at its end.
    First(Place, Register, Target),
    /// Goes elsewhere with the number in front of a sequence, unless it has ended.
    Peek(Place, Register, Target),
    /// An item of the tuple there.
    Item(Place, u8, Register),
    /// Goes elsewhere unless a map has a key.
    UnlessMember(Store, Register, Target),
    /// The number that a map has for a key.
    Lookup(Store, Register, Register),
    /// Adds an element to the piece. From here on a round is certain to come to its end.
    Push(Register),
    /// Lets a map have a number for a key.
    Update(Store, Register, Register),
    /// The same with one of the constants.
    UpdateConstant(Store, Register, u8),
    /// Writes one of the constants behind the text.
    Write(u8),
    /// Writes a number there.
    WriteNumber(Register),
    /// What was changed is not taken back any more: from here on the round is certain to come to its end.
    Settle,
    /// Goes past an element.
    Skip(Place),
    /// Starts over.
    Again,
    /// Goes past an element and starts over.
    SkipAgain(Place),
    /// The first register becomes the sum of the others, and the round starts over.
    AddAgain(Register, Register, Register),
    /// The same with their difference.
    SubtractAgain(Register, Register, Register),
    /// The first register becomes the sum of the others; goes past an element and starts over.
    AddSkipAgain(Register, Register, Register, Place),
    /// Goes past an element and starts over, behind an element of the piece.
    PushSkipAgain(Register, Place),
    /// `Peek` of one sequence, and where it goes on `Peek` of the other: two registers, and two targets.
    PeekBoth(Place, Register, Register, Target, Target),
    /// Goes elsewhere if the first number is more than the second; otherwise pushes it, goes past an element and starts over.
    PushUnlessMore(Register, Register, Place, Target),
    /// The function yields a number.
    YieldNumber(Register),
    /// It yields one of the constants.
    YieldConstant(u8),
    /// It yields what is left of a sequence.
    YieldSequence(Place),
    /// It yields what follows the first element, which is there.
    YieldRest(Place),
    /// It yields the text.
    YieldText,
    /// A round for the closures.
    Give,
}
