//! Files of the served folder, reached by directory handles.
//!
//! A path is resolved once, and then each of its directories is opened relative to its parent, without following links.
//! Reading and replacing are relative to the handle of the last directory: a directory or a file that is concurrently
//! replaced by a link causes an error, never access outside of the folder.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::path::{Component, Path};

/// Directory handle, independent of later changes to its path.
#[cfg(unix)]
type Directory = std::os::fd::OwnedFd;
/// Directory path, on systems without directory handles.
#[cfg(not(unix))]
type Directory = std::path::PathBuf;

/// The served folder.
pub struct Root(Directory);

impl Root {
    /// Opens the folder.
    pub fn open(path: &Path) -> io::Result<Root> {
        system::root(path).map(Root)
    }

    /// Opens the directory of a file, by a relative path without links and dots.
    pub fn locate(&self, path: &Path) -> io::Result<Location> {
        let mut directory = system::duplicate(&self.0)?;
        let mut names = path.components().map(|component| match component {
            Component::Normal(name) => Ok(name.to_owned()),
            _ => Err(io::Error::from(ErrorKind::InvalidInput)),
        });
        let mut name = names.next().unwrap_or_else(|| Err(ErrorKind::InvalidInput.into()))?;
        for next in names {
            directory = system::enter(&directory, &name)?;
            name = next?;
        }
        Ok(Location { directory, name })
    }
}

/// File in an open directory.
pub struct Location {
    directory: Directory,
    name: OsString,
}

impl Location {
    /// Opens the file for reading. A link is an error.
    pub fn open(&self) -> io::Result<File> {
        system::open(&self.directory, &self.name)
    }

    /// Replaces the file atomically by one with these contents and the same mode.
    pub fn replace(&self, contents: &[u8], suffix: &str) -> io::Result<()> {
        let permissions = self.open()?.metadata()?.permissions();
        let mut beside = OsString::from(".");
        beside.push(&self.name);
        beside.push(format!(".{suffix}"));
        let mut file = system::create(&self.directory, &beside)?;
        let written = file
            .write_all(contents)
            .and_then(|()| file.set_permissions(permissions))
            .and_then(|()| file.sync_all())
            .and_then(|()| system::rename(&self.directory, &beside, &self.name));
        if written.is_err() {
            let _ = system::remove(&self.directory, &beside);
        }
        written
    }
}

#[cfg(unix)]
mod system {
    use super::Directory;
    use rustix::fs::{AtFlags, Mode, OFlags, fsync, open as open_path, openat, renameat, unlinkat};
    use std::ffi::OsStr;
    use std::fs::File;
    use std::io;
    use std::path::Path;

    const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    pub fn root(path: &Path) -> io::Result<Directory> {
        Ok(open_path(path, DIRECTORY, Mode::empty())?)
    }

    pub fn duplicate(directory: &Directory) -> io::Result<Directory> {
        directory.try_clone()
    }

    pub fn enter(directory: &Directory, name: &OsStr) -> io::Result<Directory> {
        Ok(openat(directory, name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?)
    }

    pub fn open(directory: &Directory, name: &OsStr) -> io::Result<File> {
        // Opening a pipe without a writer must not block.
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        Ok(openat(directory, name, flags, Mode::empty())?.into())
    }

    pub fn create(directory: &Directory, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        Ok(openat(directory, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    pub fn rename(directory: &Directory, from: &OsStr, to: &OsStr) -> io::Result<()> {
        renameat(directory, from, directory, to)?;
        // Not every file system supports this, and the new file is in place.
        let _ = fsync(directory);
        Ok(())
    }

    pub fn remove(directory: &Directory, name: &OsStr) -> io::Result<()> {
        Ok(unlinkat(directory, name, AtFlags::empty())?)
    }
}

#[cfg(not(unix))]
mod system {
    use super::Directory;
    use std::ffi::OsStr;
    use std::fs::{self, File};
    use std::io;
    use std::path::Path;

    pub fn root(path: &Path) -> io::Result<Directory> {
        Ok(path.to_owned())
    }

    pub fn duplicate(directory: &Directory) -> io::Result<Directory> {
        Ok(directory.clone())
    }

    pub fn enter(directory: &Directory, name: &OsStr) -> io::Result<Directory> {
        let path = directory.join(name);
        without_link(&path)?;
        Ok(path)
    }

    pub fn open(directory: &Directory, name: &OsStr) -> io::Result<File> {
        let path = directory.join(name);
        without_link(&path)?;
        File::open(path)
    }

    pub fn create(directory: &Directory, name: &OsStr) -> io::Result<File> {
        File::create_new(directory.join(name))
    }

    pub fn rename(directory: &Directory, from: &OsStr, to: &OsStr) -> io::Result<()> {
        fs::rename(directory.join(from), directory.join(to))
    }

    pub fn remove(directory: &Directory, name: &OsStr) -> io::Result<()> {
        fs::remove_file(directory.join(name))
    }

    fn without_link(path: &Path) -> io::Result<()> {
        let is_link = fs::symlink_metadata(path)?.is_symlink();
        if is_link { Err(io::Error::other("it is a link")) } else { Ok(()) }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::Root;
    use std::os::unix::fs::symlink;
    use std::path::Path;

    #[test]
    fn an_exchanged_directory_does_not_redirect() {
        let base = std::env::temp_dir().join(format!("tracehound-{}", crate::gate::random_hex().unwrap()));
        for folder in ["served/sub", "outside"] {
            std::fs::create_dir_all(base.join(folder)).unwrap();
            std::fs::write(base.join(folder).join("a.csp"), folder).unwrap();
        }
        let root = Root::open(&base.join("served")).unwrap();
        let held = root.locate(Path::new("sub/a.csp")).unwrap();
        std::fs::rename(base.join("served/sub"), base.join("served/moved")).unwrap();
        symlink("../outside", base.join("served/sub")).unwrap();
        held.replace(b"new", "suffix").unwrap();
        let read = |file: &str| std::fs::read_to_string(base.join(file)).unwrap();
        assert_eq!((read("served/moved/a.csp"), read("outside/a.csp")), ("new".to_owned(), "outside".to_owned()));
        assert!(root.locate(Path::new("sub/a.csp")).is_err(), "a link is no directory");
        // A file that becomes a link, and a temporary name that is taken.
        std::fs::remove_file(base.join("served/moved/a.csp")).unwrap();
        symlink("../../outside/a.csp", base.join("served/moved/a.csp")).unwrap();
        assert!(held.open().is_err() && held.replace(b"newer", "suffix").is_err());
        assert!(root.locate(Path::new("../outside/a.csp")).is_err());
        assert_eq!(read("outside/a.csp"), "outside");
        std::fs::remove_dir_all(base).unwrap();
    }
}
