//! Scripts on the disk.
//!
//! Reading terminates for every path: devices and named pipes are refused, sizes are bounded, and a file that
//! changes during reading is reported instead of half-read.

use limits::input::text::MAX_BYTES;
use source::Files;
use std::collections::BTreeMap;
use std::fs::{File, FileType, Metadata};
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use wire::Overlay;

/// Root folder of all reads, if reads are confined.
static FENCE: OnceLock<PathBuf> = OnceLock::new();

/// Confines all later reads to this folder, after resolving paths and links.
///
/// # Errors
/// When the folder does not exist.
pub fn stay_within(folder: &Path) -> Result<(), String> {
    let whole = folder.canonicalize().map_err(|error| format!("cannot open {}: {error}", folder.display()))?;
    let _ = FENCE.set(whole);
    Ok(())
}

/// Path that denotes standard input.
pub const STANDARD_INPUT: &str = "-";

/// File system of the machine.
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        if path == STANDARD_INPUT {
            let mut bytes = Vec::new();
            std::io::stdin().lock().take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(reason)?;
            return Ok(bytes);
        }
        read_bounded(path)
    }
}

/// File system with some contents replaced.
pub struct Overlaid<'a> {
    files: &'a dyn Files,
    texts: BTreeMap<PathBuf, String>,
}

impl<'a> Overlaid<'a> {
    /// File system with an overlay.
    ///
    /// # Errors
    /// When two texts replace one file.
    pub fn new(files: &'a dyn Files, overlay: Overlay) -> Result<Overlaid<'a>, String> {
        let mut texts = BTreeMap::new();
        for (path, text) in overlay.0 {
            if texts.insert(whole(Path::new(&path)), text).is_some() {
                return Err(format!("the overlay has two texts for the file `{path}`"));
            }
        }
        Ok(Overlaid { files, texts })
    }
}

impl Files for Overlaid<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let text = if self.texts.is_empty() { None } else { self.texts.get(&whole(Path::new(path))) };
        text.map_or_else(|| self.files.read(path), |text| Ok(text.clone().into_bytes()))
    }
}

/// Reads an overlay.
///
/// # Errors
/// When it cannot be read, or is too long; the message completes "cannot read PATH: ...".
pub fn read_overlay(path: &str) -> Result<Vec<u8>, String> {
    let json = Disk.read(path)?;
    if json.len() as u64 > MAX_BYTES as u64 {
        return Err(format!("it is larger than {} MiB", MAX_BYTES as u64 >> 20));
    }
    Ok(json)
}

/// Opens a file of any size for reading.
///
/// # Errors
/// When it cannot be opened; the message completes "cannot read PATH: ...".
pub fn open(path: &str) -> Result<File, String> {
    // The type is checked before opening: opening a named pipe blocks until there is a writer.
    let metadata = std::fs::metadata(path).map_err(reason)?;
    if let Some(fence) = FENCE.get()
        && !Path::new(path).canonicalize().map_err(reason)?.starts_with(fence)
    {
        return Err("it is outside of the folder that is served: serve one that has both, with --root".to_owned());
    }
    refuse_unreadable(path, &metadata)?;
    File::open(path).map_err(reason)
}

fn read_bounded(path: &str) -> Result<Vec<u8>, String> {
    let file = open(path)?;
    let size = file.metadata().map_err(reason)?.len();
    let mut bytes = Vec::with_capacity(size.min(MAX_BYTES as u64) as usize);
    (&file).take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes).map_err(reason)?;
    if file.metadata().map_err(reason)?.len() != size {
        return Err("it changed while it was being read".to_owned());
    }
    Ok(bytes)
}

fn refuse_unreadable(path: &str, metadata: &Metadata) -> Result<(), String> {
    let kind = metadata.file_type();
    if kind.is_file() || is_open_already(path) && !is_device(kind) {
        return Ok(());
    }
    let what = match kind {
        kind if kind.is_dir() => "it is a directory",
        kind if is_device(kind) => "it is a device, not a file",
        _ => "it is a pipe or a socket, not a file",
    };
    Err(what.to_owned())
}

/// Whether a path is a pipe opened by the shell, as in `tracehound check <(generate)`.
fn is_open_already(path: &str) -> bool {
    path == "/dev/stdin" || path.starts_with("/dev/fd/") || path.starts_with("/proc/self/fd/")
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

/// Completes "cannot read PATH: ...".
fn reason(error: std::io::Error) -> String {
    match error.kind() {
        ErrorKind::NotFound => "there is no such file".to_owned(),
        ErrorKind::PermissionDenied => "you may not read it".to_owned(),
        ErrorKind::IsADirectory => "it is a directory".to_owned(),
        ErrorKind::NotADirectory => "a part of the path is not a directory".to_owned(),
        ErrorKind::InvalidInput => "this is not a valid path".to_owned(),
        _ => error.to_string(),
    }
}

/// Canonical path; of a file that does not exist, with a canonical folder.
pub fn whole(path: &Path) -> PathBuf {
    if let Ok(whole) = path.canonicalize() {
        return whole;
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_owned(),
    }
}
