//! In which language a script is written.
//!
//! File names do not tell: CSPM and CSP# share `.csp`. A few line beginnings do, because one language has them
//! everywhere and the other nowhere. A wrong guess would hide every real problem of a script behind another message, so
//! anything doubtful counts as CSPM.

use std::ops::Range;

/// Words with which an operand cannot begin in CSPM, so that `#` in front of one is no length.
const KEYWORDS: &[&str] = &["#assert", "#include"];

/// The first place where a line begins with one of some words, followed by something that is not a definition.
pub(crate) fn find_at_line_start(text: &str, words: &[&str]) -> Option<Range<usize>> {
    words.iter().filter_map(|word| find_word(text, word)).min_by_key(|range| range.start)
}

fn find_word(text: &str, word: &str) -> Option<Range<usize>> {
    text.match_indices(word).map(|(start, _)| start..start + word.len()).find(|range| {
        let line_start = text[..range.start].rfind(['\n', '\r']).map_or(0, |end| end + 1);
        let rest = &text[range.end..];
        let next = rest.trim_start_matches([' ', '\t']).chars().next();
        is_blank(&text[line_start..range.start])
            && rest.starts_with([' ', '\t', '"'])
            && next.is_some_and(|next| {
                next.is_alphanumeric() || matches!(next, '_' | '"') || KEYWORDS.contains(&word) && next == '('
            })
    })
}

/// Some editors begin a file with a mark of its encoding.
fn is_blank(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').trim().is_empty()
}

/// Beginnings of lines of CSPM that no lines of CSP# have.
const CSPM_LINES: &[&str] =
    &["--", "{-", "assert ", "datatype ", "nametype ", "include ", "print ", "transparent ", "external "];

/// The sign that ends the text, comments of CSP# aside, if that is a `;`. In CSPM another process follows there, so
/// only a slip of the finger could be meant: then other lines tell.
pub(crate) fn final_semicolon(text: &str) -> Option<Range<usize>> {
    let is_cspm = |line: &str| {
        CSPM_LINES.iter().any(|word| line.starts_with(word)) || line.starts_with("channel ") && !line.contains(';')
    };
    if text.lines().any(|line| is_cspm(line.trim_start())) {
        return None;
    }
    let mut end = text.len();
    loop {
        let read = text[..end].trim_end();
        let line_start = read.rfind(['\n', '\r']).map_or(0, |end| end + 1);
        if read.ends_with(';') && !read[line_start..].contains("--") && !read[line_start..].contains("//") {
            return Some(read.len() - 1..read.len());
        }
        end = match (read.strip_suffix("*/"), read[line_start..].find("//")) {
            (_, Some(comment)) => line_start + comment,
            (Some(comment), None) => comment.rfind("/*")?,
            (None, None) => return None,
        };
    }
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
        assert_eq!(name("#import\"PAT.Lib\";"), "csp-sharp");
        assert_eq!(name("\u{feff}#include \"a.csp\";\nP() = Q(); // as there\n\n"), "csp-sharp");
        assert_eq!(name("#define _N 3;\n"), "csp-sharp");
        assert_eq!(name("P() = a -> P();\n#assert (P()) deadlockfree;\nx"), "csp-sharp");
    }

    #[test]
    fn csp_sharp_ends_with_semicolons() {
        for text in [
            "P() = a -> P();",
            "var x = 0;\nP() = a{x = 1} -> P(); // again; and again\n/* the end; */\n\n",
            "P() = a -> P();\n//\n// nothing\n",
        ] {
            assert_eq!(name(text), "csp-sharp", "{text}");
        }
        for text in [
            "channel a, b\nP = a -> P;\nQ = b -> Q;\n",
            "P = STOP;\nassert P [T= P;",
            "P = a -> SKIP ;\n Q",
            "P = SKIP -- done;",
            "-- x;\n",
            "P = Q /* R */",
            "*/",
            "/* ; */",
            "//",
        ] {
            assert_eq!(name(text), "cspm", "{text}");
        }
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
