//! Scripts named by the arguments.

use crate::disk::STANDARD_INPUT;
use analysis::{Language, Session, script_endings};
use limits::input::folders::{MAX_DEPTH, MAX_ENTRIES};
use source::Files;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Scripts to check, in the order of the arguments; those of a folder by name. A script of a folder that another one
/// there includes is omitted: it is checked as part of that one.
///
/// # Errors
/// When a folder cannot be read or has no scripts.
pub fn scripts(
    files: &dyn Files,
    arguments: &[String],
    language: Option<&'static dyn Language>,
) -> Result<Vec<String>, String> {
    expand(arguments, |found| without_included(files, found, language))
}

/// All scripts named by the arguments, including those that other scripts include.
///
/// # Errors
/// When a folder cannot be read or has no scripts.
pub fn every_script(arguments: &[String]) -> Result<Vec<String>, String> {
    expand(arguments, |found| found.iter().map(|path| path.display().to_string()).collect())
}

/// Scripts in a folder, as far as it is readable; of a very large folder, the first entries.
pub fn in_folder(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    // Unreadable folders count as empty.
    let _ = find(folder, 0, &mut { MAX_ENTRIES }, &mut found);
    found
}

fn expand(arguments: &[String], choose: impl Fn(BTreeSet<PathBuf>) -> Vec<String>) -> Result<Vec<String>, String> {
    let mut scripts = Vec::new();
    for argument in arguments {
        if argument == STANDARD_INPUT || !Path::new(argument).is_dir() {
            scripts.push(argument.clone());
            continue;
        }
        let mut found = BTreeSet::new();
        find(Path::new(argument), 0, &mut { usize::MAX }, &mut found)
            .map_err(|error| format!("cannot read the folder {argument}: {error}"))?;
        if found.is_empty() {
            let endings: Vec<String> = script_endings().iter().map(|ending| format!(".{ending}")).collect();
            let endings = endings.join(", ");
            return Err(format!("there are no scripts in the folder {argument}: their names end in {endings}"));
        }
        scripts.extend(choose(found));
    }
    Ok(scripts)
}

/// Whether the output is a sequence of documents, independent of the current content of a folder.
pub fn are_several(arguments: &[String]) -> bool {
    arguments.len() > 1 || arguments.iter().any(|argument| Path::new(argument).is_dir())
}

/// Collects scripts recursively, within a budget of entries.
fn find(folder: &Path, depth: usize, left: &mut usize, found: &mut BTreeSet<PathBuf>) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let Some(fewer) = left.checked_sub(1) else { break };
        *left = fewer;
        let entry = entry?;
        let path = entry.path();
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        // Symbolic links to folders are not followed: they may form cycles.
        if entry.file_type()?.is_dir() {
            if !is_hidden && depth < MAX_DEPTH {
                find(&path, depth + 1, left, found)?;
            }
        } else if is_script(&path) && !is_hidden {
            found.insert(path);
        }
    }
    Ok(())
}

/// Whether a file name is that of a script.
pub fn is_script(path: &Path) -> bool {
    path.extension().is_some_and(|ending| script_endings().iter().any(|known| ending.eq_ignore_ascii_case(known)))
}

fn without_included(
    files: &dyn Files,
    found: BTreeSet<PathBuf>,
    language: Option<&'static dyn Language>,
) -> Vec<String> {
    let paths: Vec<String> = found.iter().map(|path| path.display().to_string()).collect();
    let mut included = BTreeSet::new();
    for path in &paths {
        let session = Session::open(files, path, language);
        included.extend(session.source_map().files().iter().skip(1).filter_map(|file| whole_path(&file.path)));
    }
    paths.into_iter().filter(|path| whole_path(path).is_none_or(|whole| !included.contains(&whole))).collect()
}

fn whole_path(path: &str) -> Option<PathBuf> {
    std::fs::canonicalize(path).ok()
}
