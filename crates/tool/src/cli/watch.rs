//! `tracehound check --watch`.
//!
//! The folders of the files are watched, because editors save by writing a new file and renaming it. A change also
//! cancels a running check: its result would be out of date.

use super::args::{Check, Format};
use super::{Exit, check, inputs};
use crate::disk::whole;
use crate::{limits, output};
use ::limits::intervals::clocks::QUIET;
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};

/// Checks after every change.
///
/// # Errors
/// When files cannot be watched, or output cannot be written.
pub fn run(arguments: &Check) -> Result<Exit, String> {
    if arguments.output.format != Format::Human {
        return Err("--watch is for people, and other formats are for programs".to_owned());
    }
    if arguments.files.iter().any(|file| file == crate::disk::STANDARD_INPUT) {
        return Err("standard input cannot be watched".to_owned());
    }
    let mut watched = Watched::new(arguments)?;
    loop {
        limits::set_outdated(false);
        let (exit, read) = check::run_once(arguments)?;
        if exit == Exit::Interrupted && limits::is_interrupted() {
            return Ok(exit);
        }
        watched.watch(read);
        output::say("waiting for a change; Ctrl-C ends\n");
        let changed = watched.wait();
        output::say(&format!("\n{changed} has changed\n"));
    }
}

struct Watched {
    watcher: RecommendedWatcher,
    changes: Receiver<PathBuf>,
    files: Arc<Mutex<BTreeSet<PathBuf>>>,
    folders: BTreeSet<PathBuf>,
}

impl Watched {
    fn new(arguments: &Check) -> Result<Watched, String> {
        let (changed, changes) = mpsc::channel();
        let files: Arc<Mutex<BTreeSet<PathBuf>>> = Arc::default();
        let roots: Vec<PathBuf> = arguments.files.iter().map(PathBuf::from).filter(|path| path.is_dir()).collect();
        let roots: Vec<PathBuf> = roots.iter().map(|root| whole(root)).collect();
        let (known, inside) = (files.clone(), roots.clone());
        let hear = move |event: notify::Result<Event>| {
            let Ok(event) = event else { return };
            if event.kind.is_access() {
                return;
            }
            for path in event.paths {
                let is_new = inputs::is_script(&path) && inside.iter().any(|root| path.starts_with(root));
                if is_new || known.lock().is_ok_and(|known| known.contains(&path)) {
                    limits::set_outdated(true);
                    // The receiver is gone when the program ends.
                    let _ = changed.send(path);
                }
            }
        };
        let watcher = notify::recommended_watcher(hear).map_err(|error| format!("cannot watch files: {error}"))?;
        let mut watched = Watched { watcher, changes, files, folders: BTreeSet::new() };
        for root in roots {
            watched.watch_folder(&root, RecursiveMode::Recursive);
        }
        watched.watch(arguments.files.clone());
        Ok(watched)
    }

    /// Watches files, including those that do not exist yet.
    fn watch(&mut self, files: Vec<String>) {
        for file in files {
            let path = whole(Path::new(&file));
            if let Some(folder) = path.parent() {
                self.watch_folder(folder, RecursiveMode::NonRecursive);
            }
            if let Ok(mut known) = self.files.lock() {
                known.insert(path);
            }
        }
    }

    fn watch_folder(&mut self, folder: &Path, mode: RecursiveMode) {
        if !self.folders.iter().any(|known| known == folder) {
            match self.watcher.watch(folder, mode) {
                Ok(()) => _ = self.folders.insert(folder.to_owned()),
                Err(error) => output::complain(&format!("cannot watch {}: {error}", folder.display())),
            }
        }
    }

    /// Waits for a change and for the quiet period after it; returns the file that changed.
    fn wait(&self) -> String {
        // The sender lives as long as the watcher.
        let first = self.changes.recv().unwrap_or_default();
        while self.changes.recv_timeout(QUIET).is_ok() {}
        first.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }
}
