//! Scripts that a text belongs to, with a cache of analyzed scripts.
//!
//! Includes are resolved relative to the script that is checked, so an included file cannot be analyzed alone. The
//! scripts of the open folders are scanned once for their includes; a text belongs to those that reach it, or to
//! itself.

use crate::place::{Encoding, Lines};
use crate::texts::Texts;
use crate::uri::{clean, uri_of};
use analysis::{Language, Session, guess_language};
use gen_lsp_types::{Location, Range};
use limits::input::folders::{MAX_ROOTS, MAX_SCRIPTS};
use limits::input::protocol::MAX_CACHED_SCRIPTS;
use source::{Files, SourceFile, Span};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Analyzed script, with line starts for conversion of positions.
pub struct Script {
    pub session: Session,
    lines: Vec<OnceCell<Lines>>,
    paths: Vec<String>,
}

impl Script {
    fn open(files: &dyn Files, path: &str) -> Script {
        let session = Session::open(files, path, None);
        let texts = session.source_map().files();
        let lines = texts.iter().map(|_| OnceCell::new()).collect();
        let paths = texts.iter().map(|file| clean(&file.path)).collect();
        Script { session, lines, paths }
    }

    /// Number of a file among the files of the script.
    pub fn file(&self, path: &str) -> Option<usize> {
        self.paths.iter().position(|known| known == path)
    }

    pub fn text(&self, file: usize) -> &SourceFile {
        &self.session.source_map().files()[file]
    }

    pub fn path(&self, file: usize) -> &str {
        &self.paths[file]
    }

    pub fn paths(&self) -> &[String] {
        &self.paths
    }

    pub fn lines(&self, file: usize) -> &Lines {
        self.lines[file].get_or_init(|| Lines::of(&self.text(file).text))
    }

    /// Number of the file that contains a span.
    pub fn file_of(&self, span: Span) -> usize {
        let files = self.session.source_map().files();
        files.partition_point(|file| file.start <= span.start).saturating_sub(1)
    }

    /// Span as a range in its file.
    pub fn range(&self, span: Span, encoding: Encoding) -> Range {
        let file = self.file_of(span);
        let range = self.session.source_map().range_in_file(span);
        self.lines(file).range(&self.text(file).text, range, encoding)
    }

    /// Span as a location.
    pub fn location(&self, span: Span, encoding: Encoding) -> Location {
        Location { uri: uri_of(self.path(self.file_of(span))), range: self.range(span, encoding) }
    }
}

/// Cache of scripts.
#[derive(Default)]
pub struct Scripts {
    folders: Vec<String>,
    read: BTreeMap<String, Rc<Script>>,
    /// Includes of each script of the folders, by file name; `None` before the scan.
    includes: Option<BTreeMap<String, Vec<String>>>,
}

impl Scripts {
    pub fn new(folders: Vec<String>) -> Scripts {
        Scripts { folders, ..Scripts::default() }
    }

    pub fn set_folders(&mut self, added: Vec<String>, removed: &[String]) {
        self.folders.retain(|folder| !removed.contains(folder));
        self.folders.extend(added);
        self.forget();
    }

    /// Clears the cache.
    pub fn forget(&mut self) {
        self.read.clear();
        self.includes = None;
    }

    /// Invalidates the scripts that contain a changed text, and returns their paths.
    pub fn changed(&mut self, texts: &Texts<'_>, path: &str) -> BTreeSet<String> {
        let stale = |script: &Script| script.file(path).is_some();
        let affected = self.read.values().filter(|script| stale(script)).flat_map(|script| script.paths.clone());
        let affected: BTreeSet<String> = affected.chain([path.to_owned()]).collect();
        self.read.retain(|_, script| !stale(script));
        if let Some(includes) = &mut self.includes {
            let now = texts.get(path).map_or(Vec::new(), |text| names_of(path, &text.text));
            includes.insert(path.to_owned(), now);
        }
        affected
    }

    /// Scripts that a text belongs to, the nearest first.
    pub fn of(&mut self, texts: &Texts<'_>, path: &str) -> Vec<Rc<Script>> {
        let roots = self.roots(texts, path);
        let mut found: Vec<Rc<Script>> = Vec::new();
        for root in roots {
            let script = self.script(texts, &root);
            if script.file(path).is_some() {
                found.push(script);
            }
        }
        if found.is_empty() {
            found.push(self.script(texts, path));
        }
        found
    }

    /// Script that answers queries about a text.
    pub fn first(&mut self, texts: &Texts<'_>, path: &str) -> (Rc<Script>, usize) {
        let script = self.of(texts, path).swap_remove(0);
        let file = script.file(path).unwrap_or(0);
        (script, file)
    }

    fn script(&mut self, texts: &Texts<'_>, path: &str) -> Rc<Script> {
        if let Some(script) = self.read.get(path) {
            return Rc::clone(script);
        }
        if self.read.len() >= MAX_CACHED_SCRIPTS + texts.all().len() {
            self.read.clear();
        }
        let script = Rc::new(Script::open(texts, path));
        self.read.insert(path.to_owned(), Rc::clone(&script));
        script
    }

    /// Scripts that reach a text by includes and are not included themselves; those in the same folder first.
    fn roots(&mut self, texts: &Texts<'_>, path: &str) -> Vec<String> {
        let includes = self.includes(texts);
        let mut reached: BTreeSet<&str> = BTreeSet::from([last_part(path)]);
        let mut reaching: BTreeSet<&str> = BTreeSet::new();
        loop {
            let more: Vec<&str> = includes
                .iter()
                .filter(|(root, names)| {
                    !reaching.contains(root.as_str()) && names.iter().any(|name| reached.contains(name.as_str()))
                })
                .map(|(root, _)| root.as_str())
                .collect();
            if more.is_empty() {
                break;
            }
            reached.extend(more.iter().map(|root| last_part(root)));
            reaching.extend(more);
        }
        let is_included = |root: &str| {
            let name = last_part(root);
            reaching.iter().any(|other| *other != root && includes[*other].iter().any(|included| included == name))
        };
        let mut roots: Vec<String> = reaching
            .iter()
            .filter(|root| **root != path && !is_included(root))
            .map(|root| (*root).to_owned())
            .collect();
        let folder = |path: &str| path.len() - last_part(path).len();
        roots.sort_by_key(|root| root[..folder(root)] != path[..folder(path)]);
        roots.truncate(MAX_ROOTS);
        roots
    }

    fn includes(&mut self, texts: &Texts<'_>) -> &BTreeMap<String, Vec<String>> {
        let folders = &self.folders;
        self.includes.get_or_insert_with(|| {
            let found = folders.iter().flat_map(|folder| texts.world().scripts(folder)).take(MAX_SCRIPTS);
            let paths: BTreeSet<String> = found.chain(texts.all().keys().cloned()).collect();
            let names = |path: String| {
                let text = texts.read(&path).unwrap_or_default();
                let names = names_of(&path, &String::from_utf8_lossy(&text));
                (path, names)
            };
            paths.into_iter().map(names).collect()
        })
    }

    /// All scripts of the folders, up to the capacity of the cache.
    pub fn all(&mut self, texts: &Texts<'_>) -> Vec<Rc<Script>> {
        let paths: Vec<String> = self.includes(texts).keys().take(MAX_CACHED_SCRIPTS).cloned().collect();
        paths.iter().map(|path| self.script(texts, path)).collect()
    }
}

/// Language of a text.
pub fn language_of(path: &str, text: &str) -> &'static dyn Language {
    guess_language(path, text).0
}

/// File names in the includes of a text.
fn names_of(path: &str, text: &str) -> Vec<String> {
    if !text.contains("include") {
        return Vec::new();
    }
    let included = language_of(path, text).includes(text);
    included.iter().map(|name| last_part(name).to_owned()).collect()
}

fn last_part(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}
