//! Files of the user, replaced as a whole.
//!
//! The new text goes into a temporary file in the folder of the target, reaches the disk, and is renamed over the
//! target. An error at any point, such as a full disk, leaves the old file as it was. Links are followed first, so a
//! link stays a link. A file with several names (hard links) gets its new text under the given name only.
//!
//! Devices, named pipes and the streams of the process cannot be renamed over: they are written directly.

use limits::input::folders::{MAX_LINKS, MAX_TEMPORARY_NAMES};
use std::collections::hash_map::RandomState;
use std::fs::{self, File, Metadata, OpenOptions};
use std::hash::BuildHasher;
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The temporary file that is being written.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Writes a file atomically.
///
/// # Errors
/// When the file cannot be written; the message names it and the reason.
pub fn save(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), String> {
    let written = match target(path) {
        Ok(Target::Stdout) => match write_buffered(io::stdout().lock(), write) {
            // The reader has closed the pipe: it has read enough.
            Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            written => written.map(drop),
        },
        Ok(Target::Direct(path)) => {
            // Append mode never truncates, in case a descriptor leads to a file after all.
            OpenOptions::new().append(true).open(path).and_then(|file| write_buffered(file, write).map(drop))
        }
        Ok(Target::File(path, old)) => replace(&path, old.as_ref(), write),
        Err(error) => Err(error),
    };
    written.map_err(|error| format!("cannot write `{}`: {error}", path.display()))
}

/// Removes the temporary file, for an immediate exit of the process.
pub fn remove_temporary() {
    if let Some(path) = TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).take() {
        let _ = fs::remove_file(path);
    }
}

/// Turns exceeding the shell's file size limit (`ulimit -f`) into an error instead of a fatal signal.
#[cfg(unix)]
pub fn report_file_size_limit() {
    use signal_hook::{consts::SIGXFSZ, flag};
    use std::sync::{Arc, atomic::AtomicBool};
    // The flag is not read: with any handler the system call returns an error.
    let _ = flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)));
}

/// No signal marks the file size limit on this system.
#[cfg(not(unix))]
pub fn report_file_size_limit() {}

/// Destination of the text.
#[derive(Debug)]
enum Target {
    Stdout,
    /// Device, named pipe or similar.
    Direct(PathBuf),
    /// Regular file, with the metadata of the one that it replaces.
    File(PathBuf, Option<Metadata>),
}

/// Destination after following links.
fn target(path: &Path) -> io::Result<Target> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        if ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].iter().any(|stdout| path == Path::new(stdout)) {
            return Ok(Target::Stdout);
        }
        // Descriptors look like links to files, but renaming over the link's target does not reach them.
        if path.starts_with("/dev") || path.starts_with("/proc") {
            return Ok(Target::Direct(path));
        }
        match fs::symlink_metadata(&path) {
            Ok(found) if found.is_symlink() => path = folder(&path).join(fs::read_link(&path)?),
            Ok(found) if found.is_file() => return Ok(Target::File(path, Some(found))),
            Ok(_) => return Ok(Target::Direct(path)),
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Target::File(path, None)),
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::other("too many links lead to each other"))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn replace(
    path: &Path,
    old: Option<&Metadata>,
    write: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> io::Result<()> {
    if old.is_some() {
        // A read-only file must not be replaced either.
        OpenOptions::new().write(true).open(path)?;
    }
    let (temporary, file) = Temporary::new(folder(path))?;
    let file = write_buffered(file, write)?;
    if let Some(old) = old {
        keep_owner(&file, old);
        file.set_permissions(old.permissions())?;
    }
    file.sync_all()?;
    drop(file);
    fs::rename(&temporary.path, path)?;
    sync_folder(folder(path));
    Ok(())
}

fn write_buffered<W: Write>(out: W, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<W> {
    let mut out = BufWriter::new(out);
    let written = write(&mut out).and_then(|()| out.flush());
    let (out, _) = out.into_parts();
    written.map(|()| out)
}

/// New file that is removed unless it was renamed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    fn new(folder: &Path) -> io::Result<(Temporary, File)> {
        let mut result = Err(io::Error::from(ErrorKind::AlreadyExists));
        for _ in 0..MAX_TEMPORARY_NAMES {
            let path = folder.join(format!(".tracehound-{:016x}.tmp", RandomState::new().hash_one(0)));
            // Recorded before the file exists, so that an interrupt at any moment removes it.
            *TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner) = Some(path.clone());
            result = OpenOptions::new().write(true).create_new(true).open(&path).map(|file| (Temporary { path }, file));
            if !matches!(&result, Err(error) if error.kind() == ErrorKind::AlreadyExists) {
                break;
            }
        }
        result.map_err(|error| {
            TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner).take();
            match error.kind() {
                // The folder of the target is missing, as the name shows.
                ErrorKind::NotFound => error,
                kind => io::Error::new(kind, format!("no temporary file can be made in its folder: {error}")),
            }
        })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        remove_temporary();
    }
}

/// Preserves the owner of the replaced file, if permitted.
#[cfg(unix)]
fn keep_owner(file: &File, old: &Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let owner = |metadata: &Metadata| (metadata.uid(), metadata.gid());
    if file.metadata().is_ok_and(|new| owner(&new) != owner(old)) {
        let _ = fchown(file, Some(old.uid()), Some(old.gid()));
    }
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

/// Makes the rename durable. The file is complete whether or not the system supports this.
#[cfg(unix)]
fn sync_folder(folder: &Path) {
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) {}
