//! Models with constants that can be changed, and tables of what is known of them.

use super::Bench;
use super::measure::Usage;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// For one run.
pub const LIMITS: [&str; 4] = ["--time-limit", "60", "--memory-limit", "2G"];
/// All of them hold, or some fail, or some are not decided.
pub const EXIT_CODES: &[i32] = &[0, 1, 2, 3];

/// How the value of a constant is written.
pub struct Notation {
    /// Around its name, at the beginning of a line.
    pub before: &'static str,
    pub behind: &'static str,
    /// What follows its value, if the text does not end.
    pub end: char,
}

/// The models of a group.
pub struct Models<'b> {
    bench: &'b Bench,
    /// Where they are.
    source: PathBuf,
    /// Where those with other constants are put.
    folder: PathBuf,
    notation: Notation,
}

impl<'b> Models<'b> {
    /// Those of the group with this name.
    pub fn new(bench: &'b Bench, group: &str, notation: Notation) -> Result<Models<'b>, String> {
        let (source, folder) = (bench.root.join("bench").join(group), bench.tool.with_file_name(group));
        std::fs::create_dir_all(&folder).map_err(|error| format!("cannot make {}: {error}", folder.display()))?;
        Ok(Models { bench, source, folder, notation })
    }

    /// The table of what is known, without its head.
    pub fn table(&self) -> Result<String, String> {
        let text = read(&self.source.join("expected.tsv"))?;
        Ok(text.split_once('\n').map_or(String::new(), |(_, rows)| rows.to_owned()))
    }

    /// Whether a model with these constants is asked for.
    pub fn wants(&self, file: &str, constants: &str) -> bool {
        self.bench.wants(&name(file, constants))
    }

    /// A model with other values for some of its constants.
    pub fn instance(&self, file: &str, constants: &str) -> Result<String, String> {
        let mut text = read(&self.source.join(file))?;
        for constant in constants.split_whitespace() {
            let (name, value) = constant.split_once('=').ok_or_else(|| format!("{file}: `{constant}` has no value"))?;
            self.set(&mut text, name, value).ok_or_else(|| format!("{file} has no constant {name}"))?;
        }
        let script = self.folder.join(Path::new(file).file_name().unwrap_or_default());
        std::fs::write(&script, text).map_err(|error| format!("cannot write {}: {error}", script.display()))?;
        Ok(script.display().to_string())
    }

    fn set(&self, text: &mut String, name: &str, value: &str) -> Option<()> {
        let head = format!("{}{name}{}", self.notation.before, self.notation.behind);
        let start = if text.starts_with(&head) { 0 } else { text.find(&format!("\n{head}"))? + 1 } + head.len();
        let end = text[start..].find(self.notation.end).map_or(text.len(), |length| start + length);
        text.replace_range(start..end, value);
        Some(())
    }
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("cannot read {}: {error}", path.display()))
}

/// The fields of a row.
pub fn fields<const N: usize>(row: &str) -> Result<[&str; N], String> {
    let fields: Vec<&str> = row.split('\t').collect();
    fields.try_into().map_err(|fields: Vec<&str>| format!("expected.tsv: a line has {} fields: {row}", fields.len()))
}

/// What a model with some constants is called.
pub fn name(file: &str, constants: &str) -> String {
    format!("{} {constants}", file.trim_start_matches("../").trim_end_matches(".csp")).trim().to_owned()
}

/// The verdict on an assertion, and how many states were looked at.
pub fn answer(run: &Usage, assertion: &str) -> Option<(String, u64)> {
    let answer: Value = serde_json::from_str(&run.output).ok()?;
    let index: u64 = assertion.parse().ok()?;
    let found = answer["assertions"].as_array()?.iter().find(|known| known["index"].as_u64() == Some(index))?;
    Some((found["verdict"].as_str()?.to_owned(), found["stats"]["states"].as_u64().unwrap_or(0)))
}
