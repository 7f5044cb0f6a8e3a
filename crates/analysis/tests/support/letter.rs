//! Verdicts as letters, so that many can be compared at once.

use analysis::check::{Checked, Verdict};

/// `+` if it holds, `-` if it fails, `?` if nobody knows, `!` if the script is wrong.
pub fn letter(checked: &Checked) -> char {
    match checked.verdict {
        Verdict::Holds => '+',
        Verdict::Fails => '-',
        Verdict::Unknown(..) => '?',
        Verdict::Error(_) => '!',
    }
}
