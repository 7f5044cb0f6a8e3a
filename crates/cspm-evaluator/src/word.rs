//! Small things in a full machine word.
//!
//! A value is a tag and one word. As long as every variant holds exactly one word, functions hand values to each other
//! in two registers; a single variant with a smaller payload would send all of them through memory.

use cspm::builtins::Builtin;
use cspm::resolve::NameId;
use process::TermId;
use std::marker::PhantomData;

/// A `T` widened to a word.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Word<T> {
    bits: u64,
    kind: PhantomData<T>,
}

/// Types that fit into a word.
pub trait Small: Copy {
    /// The thing as a number.
    fn pack(self) -> u64;
    /// The thing behind a number that came from [`Small::pack`].
    fn unpack(bits: u64) -> Self;
}

impl<T: Small> Word<T> {
    /// Widens `value`.
    pub fn new(value: T) -> Word<T> {
        Word { bits: value.pack(), kind: PhantomData }
    }

    /// The thing itself.
    pub fn get(self) -> T {
        T::unpack(self.bits)
    }
}

impl Small for bool {
    fn pack(self) -> u64 {
        self.into()
    }
    fn unpack(bits: u64) -> bool {
        bits != 0
    }
}

impl Small for char {
    fn pack(self) -> u64 {
        self.into()
    }
    fn unpack(bits: u64) -> char {
        u32::try_from(bits).ok().and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER)
    }
}

impl Small for NameId {
    fn pack(self) -> u64 {
        self.0.into()
    }
    fn unpack(bits: u64) -> NameId {
        NameId(bits as u32)
    }
}

impl Small for TermId {
    fn pack(self) -> u64 {
        self.0.into()
    }
    fn unpack(bits: u64) -> TermId {
        TermId(bits as u32)
    }
}

impl Small for Builtin {
    fn pack(self) -> u64 {
        self as u64
    }
    fn unpack(bits: u64) -> Builtin {
        Builtin::ALL[bits as usize]
    }
}
