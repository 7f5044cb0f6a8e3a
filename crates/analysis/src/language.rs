//! In which language a script is written.
//!
//! File names do not tell: CSPM and CSP# share `.csp`. A few line beginnings do, because one language has them
//! everywhere and the other nowhere. A wrong guess would hide every real problem of a script behind another message, so
//! anything doubtful counts as CSPM.

use std::ops::Range;

/// The languages of the tool.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// Machine-readable CSP, as FDR reads it.
    Cspm,
    /// CSP#, as PAT reads it.
    CspSharp,
    /// Classical B.
    B,
}

impl Language {
    /// Its name on the command line and in documents for programs.
    pub fn name(self) -> &'static str {
        match self {
            Language::Cspm => "cspm",
            Language::CspSharp => "csp-sharp",
            Language::B => "b",
        }
    }

    /// Its name for people.
    pub fn title(self) -> &'static str {
        match self {
            Language::Cspm => "CSPM",
            Language::CspSharp => "CSP#",
            Language::B => "B",
        }
    }

    /// The language of a script, and the part of its text that tells when it is not CSPM.
    pub(crate) fn guess(path: &str, text: &str) -> (Language, Range<usize>) {
        if [".mch", ".ref", ".imp"].iter().any(|ending| path.ends_with(ending)) {
            return (Language::B, 0..0);
        }
        for (language, words) in [(Language::CspSharp, CSP_SHARP), (Language::B, B)] {
            if let Some(range) = words.iter().filter_map(|word| find_at_line_start(text, word)).min_by_key(|r| r.start)
            {
                return (language, range);
            }
        }
        (Language::Cspm, 0..0)
    }
}

/// Lines of CSP# begin with these; lines of CSPM cannot, save inside block comments.
const CSP_SHARP: &[&str] = &["#assert", "#define", "#import", "#include", "#alphabet", "#synonym"];
/// The first words of B machines; in CSPM they would be names of processes standing alone.
const B: &[&str] = &["MACHINE", "REFINEMENT", "IMPLEMENTATION"];

/// The first place where a line begins with `word` followed by a blank and something that is not a definition.
fn find_at_line_start(text: &str, word: &str) -> Option<Range<usize>> {
    text.match_indices(word).map(|(start, _)| start..start + word.len()).find(|range| {
        let line_start = text[..range.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let rest = &text[range.end..];
        let next = rest.trim_start_matches([' ', '\t']).chars().next();
        text[line_start..range.start].trim().is_empty()
            && rest.starts_with([' ', '\t'])
            && next.is_some_and(|next| next.is_alphanumeric() || next == '"')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guess(text: &str) -> Language {
        Language::guess("x.csp", text).0
    }

    #[test]
    fn csp_sharp_has_directives() {
        assert_eq!(guess("#define N 3;\nvar x = 0;\n"), Language::CspSharp);
        assert_eq!(guess("P() = a -> Stop;\n\t#assert P() deadlockfree;"), Language::CspSharp);
        assert_eq!(Language::guess("x.csp", "\n#import \"PAT.Lib\";").1, 1..8);
    }

    #[test]
    fn b_has_machines() {
        assert_eq!(guess("MACHINE Lift\nSETS F\nEND\n"), Language::B);
        assert_eq!(Language::guess("lift.mch", "").0, Language::B);
    }

    #[test]
    fn everything_else_is_cspm() {
        for text in
            ["", "channel a\nP = a -> P\n", "-- #assert P\nx = #defined\n", "n = f(\n#define)", "MACHINE = STOP"]
        {
            assert_eq!(guess(text), Language::Cspm, "{text}");
        }
    }
}
