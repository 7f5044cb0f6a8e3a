//! The languages of the tool.

mod cspm;

use frontend::Language;

/// All of them. What none of the others recognizes is in the first.
pub const ALL: &[&dyn Language] = &[&cspm::Cspm];
