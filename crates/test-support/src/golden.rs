//! Golden files: comparison of outputs with expected texts.
//!
//! The expected text is next to its input and also serves as documentation. With `UPDATE_EXPECTED=1` in the environment
//! a run rewrites texts that differ; the difference is then reviewed in version control.

use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Comparison of outputs with expected files; fails once at the end, so that one run shows all differences.
#[derive(Debug, Default)]
pub struct Golden {
    failures: Vec<String>,
    n_checked: usize,
}

impl Golden {
    /// Comparison without results.
    pub fn new() -> Golden {
        Golden::default()
    }

    /// Compares `actual` with the text in the file `expected`.
    ///
    /// # Panics
    /// When the file is to be rewritten and cannot be.
    pub fn check(&mut self, expected: &Path, actual: &str) {
        self.n_checked += 1;
        let stored = std::fs::read_to_string(expected).ok().map(|text| text.replace("\r\n", "\n"));
        if stored.as_deref() == Some(actual) {
            return;
        }
        if std::env::var_os("UPDATE_EXPECTED").is_some_and(|value| value != "0") {
            std::fs::write(expected, actual).unwrap_or_else(|e| panic!("cannot write {}: {e}", expected.display()));
            return;
        }
        let difference = match stored {
            Some(stored) => difference(&stored, actual),
            None => format!("there is no such file; the output is\n{actual}"),
        };
        self.failures.push(format!("{}:\n{difference}", expected.display()));
    }

    /// Ends the comparison.
    ///
    /// # Panics
    /// When something differed, or nothing was compared.
    pub fn finish(self) {
        assert!(self.n_checked > 0, "nothing was compared: the folder is empty");
        assert!(
            self.failures.is_empty(),
            "{} of {} outputs differ (UPDATE_EXPECTED=1 rewrites them)\n\n{}",
            self.failures.len(),
            self.n_checked,
            self.failures.join("\n")
        );
    }
}

/// Compares one output with one file.
///
/// # Panics
/// When they differ.
pub fn check(expected: &Path, actual: &str) {
    let mut golden = Golden::new();
    golden.check(expected, actual);
    golden.finish();
}

/// Runs `output` on each of the `inputs` and compares with the file of the same name that ends with `.extension`.
///
/// # Panics
/// When an output differs, or there are no inputs.
pub fn check_all(inputs: &[PathBuf], extension: &str, output: impl Fn(&Path) -> String) {
    let mut golden = Golden::new();
    for input in inputs {
        golden.check(&input.with_extension(extension), &output(input));
    }
    golden.finish();
}

/// Differing lines of two texts, without the common beginning and end.
fn difference(expected: &str, actual: &str) -> String {
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.lines().collect(), actual.lines().collect());
    let shorter = expected.len().min(actual.len());
    let same = |pair: &(&&str, &&str)| pair.0 == pair.1;
    let n_start = expected.iter().zip(&actual).take_while(same).count();
    let n_end = expected.iter().rev().zip(actual.iter().rev()).take(shorter - n_start).take_while(same).count();
    let mut text = format!("  from line {}:\n", n_start + 1);
    for (sign, lines) in [('-', &expected), ('+', &actual)] {
        for line in &lines[n_start..lines.len() - n_end] {
            let _ = writeln!(text, "  {sign}{line}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_show_only_what_differs() {
        assert_eq!(difference("a\nb\nc\n", "a\nx\ny\nc\n"), "  from line 2:\n  -b\n  +x\n  +y\n");
        assert_eq!(difference("a\na\n", "a\n"), "  from line 2:\n  -a\n");
    }

    #[test]
    #[should_panic(expected = "1 of 1 outputs differ")]
    fn a_missing_file_differs() {
        check(Path::new("no/such/file.txt"), "text");
    }

    #[test]
    #[should_panic(expected = "nothing was compared")]
    fn an_empty_comparison_fails() {
        Golden::new().finish();
    }
}
