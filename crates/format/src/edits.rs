//! Line edits between two texts.

/// Replacement of lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LineEdit {
    /// First line, from 0.
    pub start: usize,
    /// One past the last line.
    pub end: usize,
    /// New lines, with their line ends.
    pub text: String,
}

/// Edits between two texts that differ only in blank lines and in blanks within lines.
pub fn line_edits(before: &str, after: &str) -> Vec<LineEdit> {
    let (old, new) = (lines(before), lines(after));
    let mut edits = Vec::new();
    let (mut at, mut to) = (0, 0);
    while at < old.len() || to < new.len() {
        if old.get(at).is_some() && old.get(at) == new.get(to) {
            at += 1;
            to += 1;
            continue;
        }
        let (start, from) = (at, to);
        at = skip_blank(&old, at);
        to = skip_blank(&new, to);
        if at == start && to == from {
            at = (at + 1).min(old.len());
            to = (to + 1).min(new.len());
        }
        edits.push(LineEdit { start, end: at, text: new[from..to].concat() });
    }
    edits
}

fn skip_blank(lines: &[&str], mut at: usize) -> usize {
    while lines.get(at).is_some_and(|line| line.trim().is_empty()) {
        at += 1;
    }
    at
}

fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn apply(before: &str, edits: &[LineEdit]) -> String {
        let mut lines: Vec<&str> = lines(before);
        for edit in edits.iter().rev() {
            lines.splice(edit.start..edit.end, [edit.text.as_str()]);
        }
        lines.concat()
    }

    #[test]
    fn edits_turn_one_text_into_the_other() {
        for (before, after) in [
            ("a\nb\n", "a\nb\n"),
            ("a=1\n\n\n\nb\n", "a = 1\n\nb\n"),
            ("\n\na", "a\n"),
            ("a  \n\n\n", "a\n"),
            ("a\n  \nb", "a\n\nb\n"),
            ("", ""),
        ] {
            let edits = line_edits(before, after);
            assert_eq!(apply(before, &edits), after, "{edits:?}");
        }
    }
}
