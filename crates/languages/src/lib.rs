//! The languages of the tool, one folder each, and the table of them.

mod absent;
mod cspm;
mod guess;

use frontend::Language;
use std::ops::Range;

/// All languages. What none of the others recognizes is in the first.
pub const ALL: &[&dyn Language] = &[&cspm::Cspm, &absent::CSP_SHARP, &absent::B];

/// The language with this name.
pub fn named(name: &str) -> Option<&'static dyn Language> {
    ALL.iter().copied().find(|language| language.name() == name)
}

/// The language of a script, and the part of its text that tells.
pub fn guess(path: &str, text: &str) -> (&'static dyn Language, Range<usize>) {
    let recognized = ALL.iter().find_map(|&language| Some((language, language.recognize(path, text)?)));
    recognized.unwrap_or((ALL[0], 0..0))
}
