//! The number of words of a state, chosen at run time among sizes known at compile time.

use model::data::{MAX_VALUES, VariableId};
use progress::Interrupt;
use std::fmt;

/// States that need more bits than the widest search supports.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TooWide {
    /// The whole state.
    State {
        /// The number of 64-bit words that it needs.
        n_words: usize,
    },
    /// A single value of a variable.
    Variable(VariableId),
}

/// The largest number of words of a state.
pub const MAX_WORDS: usize = 64;

impl fmt::Display for TooWide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooWide::State { n_words } => {
                let (n_bits, max_bits) = (n_words * 64, MAX_WORDS * 64);
                write!(f, "a state takes {n_bits} bits, and at most {max_bits} are supported")
            }
            TooWide::Variable(variable) => {
                write!(f, "variable {} has more than {MAX_VALUES} values, which is not supported", variable.0)
            }
        }
    }
}

impl std::error::Error for TooWide {}

/// The reason why a network was not compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum NotCompiled {
    /// Its states need too many bits.
    TooWide(TooWide),
    /// It was cancelled.
    Interrupted(Interrupt),
}

impl From<TooWide> for NotCompiled {
    fn from(why: TooWide) -> NotCompiled {
        NotCompiled::TooWide(why)
    }
}

impl From<Interrupt> for NotCompiled {
    fn from(why: Interrupt) -> NotCompiled {
        NotCompiled::Interrupted(why)
    }
}

/// `with_width!(n, W => body)`: the body with the constant `W` as the next size that holds `n` words.
macro_rules! with_width {
    ($n_words:expr, $W:ident => $body:expr) => {
        $crate::width::with_sizes!($n_words, $W => $body)
    };
    (@sizes $n_words:expr, $W:ident, $body:expr, $($size:literal)*) => {
        match $n_words {
            $(n if n <= $size => { const $W: usize = $size; Ok($body) })*
            n_words => Err($crate::width::TooWide::State { n_words }),
        }
    };
}
pub(crate) use with_width;

// Each size is compiled separately, so debug builds have fewer.
#[cfg(not(debug_assertions))]
macro_rules! with_sizes {
    ($n_words:expr, $W:ident => $body:expr) => {
        $crate::width::with_width!(@sizes $n_words, $W, $body, 1 2 3 4 6 8 16 64)
    };
}
#[cfg(debug_assertions)]
macro_rules! with_sizes {
    ($n_words:expr, $W:ident => $body:expr) => {
        $crate::width::with_width!(@sizes $n_words, $W, $body, 1 2 4 16 64)
    };
}
pub(crate) use with_sizes;
