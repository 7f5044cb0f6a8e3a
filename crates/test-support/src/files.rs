//! File systems of tests.

use source::Files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// File system in memory.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: BTreeMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Empty file system.
    pub fn new() -> MemoryFiles {
        MemoryFiles::default()
    }

    /// File system with one file.
    pub fn of(path: &str, bytes: impl Into<Vec<u8>>) -> MemoryFiles {
        MemoryFiles::new().with(path, bytes)
    }

    /// Adds a file.
    pub fn with(mut self, path: &str, bytes: impl Into<Vec<u8>>) -> MemoryFiles {
        self.files.insert(path.to_owned(), bytes.into());
        self
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.files.get(path).cloned().ok_or_else(|| "there is no such file".to_owned())
    }
}

/// Files below a folder, with paths relative to it, so that messages do not depend on the machine.
#[derive(Clone, Debug)]
pub struct FolderFiles {
    folder: PathBuf,
}

impl FolderFiles {
    /// Files below `folder`.
    pub fn new(folder: impl Into<PathBuf>) -> FolderFiles {
        FolderFiles { folder: folder.into() }
    }
}

impl Files for FolderFiles {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        std::fs::read(self.folder.join(path)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => "there is no such file".to_owned(),
            _ => error.to_string(),
        })
    }
}

/// All files below `folder` whose name ends with `.extension`, in the order of their paths.
///
/// # Panics
/// When the folder cannot be read.
pub fn files_below(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    collect(folder, extension, &mut found);
    found.sort();
    found
}

fn collect(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).unwrap_or_else(|error| panic!("cannot read {}: {error}", folder.display()));
    for path in entries.map(|entry| entry.expect("a folder can be listed").path()) {
        if path.is_dir() {
            collect(&path, extension, found);
        } else if path.extension().is_some_and(|found| found == extension) {
            found.push(path);
        }
    }
}
