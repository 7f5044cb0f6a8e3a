//! In which language a script is written.
//!
//! File names do not tell: CSPM and CSP# share `.csp`. A few line beginnings do, because one language has them
//! everywhere and the other nowhere. A wrong guess would hide every real problem of a script behind another message, so
//! anything doubtful counts as CSPM.

use std::ops::Range;

/// The first place where a line begins with one of some words, followed by a blank and something that is not a definition.
pub(crate) fn find_at_line_start(text: &str, words: &[&str]) -> Option<Range<usize>> {
    words.iter().filter_map(|word| find_word(text, word)).min_by_key(|range| range.start)
}

fn find_word(text: &str, word: &str) -> Option<Range<usize>> {
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
    use crate::guess;

    fn name(text: &str) -> &'static str {
        guess("x.csp", text).0.name()
    }

    #[test]
    fn csp_sharp_has_directives() {
        assert_eq!(name("#define N 3;\nvar x = 0;\n"), "csp-sharp");
        assert_eq!(name("P() = a -> Stop;\n\t#assert P() deadlockfree;"), "csp-sharp");
        assert_eq!(guess("x.csp", "\n#import \"PAT.Lib\";").1, 1..8);
    }

    #[test]
    fn b_has_machines() {
        assert_eq!(name("MACHINE Lift\nSETS F\nEND\n"), "b");
        assert_eq!(guess("lift.mch", "").0.name(), "b");
    }

    #[test]
    fn everything_else_is_cspm() {
        for text in
            ["", "channel a\nP = a -> P\n", "-- #assert P\nx = #defined\n", "n = f(\n#define)", "MACHINE = STOP"]
        {
            assert_eq!(name(text), "cspm", "{text}");
        }
    }
}
