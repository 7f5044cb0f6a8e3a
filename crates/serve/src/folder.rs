//! Served files: those of one folder, and none that a link or a path reaches outside of it.

use crate::Settings;
use crate::gate::random_hex;
use crate::location::{Location, Root};
use limits::display::folders::MAX_LISTED;
use limits::input::folders::{MAX_DEPTH, MAX_ENTRIES};
pub use limits::input::text::MAX_PAGE_BYTES;
use serde::Serialize;
use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::path::{Component, Path, PathBuf};

/// Served folder.
pub struct Folder {
    root: PathBuf,
    handle: Root,
    endings: Vec<&'static str>,
}

/// Listed file.
#[derive(Serialize)]
pub struct Entry {
    path: String,
    bytes: u64,
}

/// Listing of a folder.
#[derive(Serialize)]
pub struct Listing {
    files: Vec<Entry>,
    /// Lower bound on the number of files that are not listed.
    more: usize,
}

impl Folder {
    /// Folder given by settings.
    ///
    /// # Errors
    /// When it does not exist.
    pub fn new(settings: &Settings) -> Result<Folder, String> {
        let failed = |error| format!("cannot read the folder {}: {error}", settings.folder.display());
        let root = std::fs::canonicalize(&settings.folder).map_err(failed)?;
        let handle = Root::open(&root).map_err(failed)?;
        Ok(Folder { root, handle, endings: settings.endings.clone() })
    }

    /// Path of the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Name of the folder.
    pub fn name(&self) -> String {
        self.root.file_name().map_or_else(|| "/".to_owned(), |name| name.to_string_lossy().into_owned())
    }

    /// Scripts of the folder, by name, those near the root first.
    pub fn list(&self) -> Listing {
        let (mut files, mut more, mut n_looked_at) = (Vec::new(), 0, 0);
        let mut open = VecDeque::from([(self.root.clone(), 0)]);
        while let Some((folder, depth)) = open.pop_front() {
            let Ok(entries) = std::fs::read_dir(&folder) else { continue };
            for entry in entries.flatten() {
                n_looked_at += 1;
                if n_looked_at > MAX_ENTRIES {
                    more += 1;
                    open.clear();
                    break;
                }
                let (path, Ok(kind)) = (entry.path(), entry.file_type()) else { continue };
                let name = entry.file_name();
                let is_ours = !name.to_string_lossy().starts_with('.') && name != "target" && name != "node_modules";
                if kind.is_dir() && is_ours && depth < MAX_DEPTH {
                    open.push_back((path, depth + 1));
                } else if is_ours && self.is_script(&path) && self.is_inside(&path, kind.is_symlink()) {
                    if files.len() < MAX_LISTED {
                        files.push(self.entry(&path));
                    } else {
                        more += 1;
                    }
                }
            }
        }
        files.sort_by(|a, b| (a.path.matches('/').count(), &a.path).cmp(&(b.path.matches('/').count(), &b.path)));
        Listing { files, more }
    }

    fn entry(&self, path: &Path) -> Entry {
        let bytes = std::fs::metadata(path).map_or(0, |metadata| metadata.len());
        Entry { path: self.relative(path), bytes }
    }

    /// Whether a file name is that of a script.
    pub fn is_script(&self, path: &Path) -> bool {
        path.extension().is_some_and(|ending| self.endings.iter().any(|known| ending.eq_ignore_ascii_case(known)))
    }

    fn is_inside(&self, path: &Path, is_link: bool) -> bool {
        !is_link || std::fs::canonicalize(path).is_ok_and(|target| target.starts_with(&self.root) && target.is_file())
    }

    fn relative(&self, path: &Path) -> String {
        let parts = path.strip_prefix(&self.root).unwrap_or(path).components();
        let names = parts.map(|part| part.as_os_str().to_string_lossy().into_owned());
        names.collect::<Vec<_>>().join("/")
    }

    /// Canonical path of a file, and its unique name: links and dots are resolved, and must not lead out of the folder.
    ///
    /// # Errors
    /// When the file does not exist, or is outside.
    pub fn find(&self, file: &str) -> Result<(PathBuf, String), String> {
        let outside = || format!("{file} is outside of the folder that is served");
        let path = Path::new(file);
        if file.contains('\0')
            || !path
                .components()
                .all(|part| matches!(part, Component::Normal(_) | Component::CurDir | Component::ParentDir))
        {
            return Err(outside());
        }
        let whole = std::fs::canonicalize(self.root.join(path)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => format!("there is no file {file}"),
            ErrorKind::PermissionDenied => format!("you may not read {file}"),
            _ => format!("cannot read {file}: {error}"),
        })?;
        if !whole.starts_with(&self.root) {
            return Err(outside());
        }
        let name = self.relative(&whole);
        Ok((whole, name))
    }

    /// Opens the directory of a file returned by [`Folder::find`].
    ///
    /// # Errors
    /// When a part of its path has become a link, or was removed.
    pub fn locate(&self, path: &Path, name: &str) -> Result<Location, String> {
        let relative = path.strip_prefix(&self.root).map_err(|error| error.to_string())?;
        self.handle.locate(relative).map_err(|error| cannot("read", name, &error))
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// When it is not text, or too large to be edited in a page.
    pub fn read(&self, location: &Location, name: &str) -> Result<String, String> {
        let failed = |error: std::io::Error| cannot("read", name, &error);
        let file = location.open().map_err(failed)?;
        let metadata = file.metadata().map_err(failed)?;
        if !metadata.is_file() {
            return Err(format!("{name} is not a file"));
        }
        if metadata.len() > MAX_PAGE_BYTES {
            let (large, most) = (metadata.len() >> 20, MAX_PAGE_BYTES >> 20);
            return Err(format!(
                "{name} has {large} MB, and the workbench shows at most {most}: decide it with `tracehound check`"
            ));
        }
        let mut bytes = Vec::new();
        file.take(MAX_PAGE_BYTES + 1).read_to_end(&mut bytes).map_err(failed)?;
        let text = String::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
        text.ok_or_else(|| format!("{name} is not a text: it has bytes that are no UTF-8"))
    }

    /// Writes a file atomically.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write(&self, location: &Location, name: &str, text: &str) -> Result<(), String> {
        if !self.is_script(Path::new(name)) {
            return Err(format!("{name} is not a script by its name, so it is not written"));
        }
        // The name of the temporary file is unpredictable, so it cannot be created beforehand by an attacker.
        location.replace(text.as_bytes(), &random_hex()?).map_err(|error| cannot("write", name, &error))
    }
}

fn cannot(verb: &str, name: &str, error: &std::io::Error) -> String {
    format!("cannot {verb} {name}: {error}")
}
