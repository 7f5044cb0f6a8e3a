//! A script, read and checked once.

use frontend::formula::{self, Asked};
use frontend::{Addition, Assertion, Language, Mention, Opening, Script, Semantics, Symbol, TypeAt, Visible};
use progress::{NoProgress, Progress};
use source::{Diagnostic, Files, Phase, Severity, SourceMap, Span};
use std::cell::RefCell;
use std::sync::Arc;

/// A script with its diagnostics, outline and assertions; cheap to clone.
#[derive(Clone, Debug)]
pub struct Session {
    path: String,
    language: &'static dyn Language,
    pub(crate) script: Arc<dyn Script>,
    /// The described assertions, computed once for callers that decide thousands of them.
    assertions: Arc<[Assertion]>,
}

impl Session {
    /// Reads a script and its includes. Errors of the script are in [`Session::diagnostics`]. The language is
    /// recognized if it is not given.
    pub fn open(files: &dyn Files, path: &str, language: Option<&'static dyn Language>) -> Session {
        Session::open_with(files, path, language, Addition::Nothing, &NoProgress)
    }

    /// Reads a script, with formulas about a process as further assertions.
    pub fn open_asking(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        asked: &Asked<'_>,
    ) -> Session {
        Session::open_asking_within(files, path, language, asked, &NoProgress)
    }

    /// Reads a script with further assertions, within limits of time and memory. Exceeding them is an error of the
    /// script.
    pub fn open_asking_within(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        asked: &Asked<'_>,
        progress: &dyn Progress,
    ) -> Session {
        Session::open_with(files, path, language, Addition::Formulas(asked), progress)
    }

    /// Reads a script with a process expression in its scope, for a [`Checker`](crate::check::Checker). An expression
    /// that is no process is an error of the session.
    pub fn open_with_process(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        process: &str,
    ) -> Session {
        Session::open_with_process_within(files, path, language, process, &NoProgress)
    }

    /// Reads a script with a process expression, within limits of time and memory. Exceeding them is an error of the
    /// script.
    pub fn open_with_process_within(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        process: &str,
        progress: &dyn Progress,
    ) -> Session {
        Session::open_with(files, path, language, Addition::Process(process), progress)
    }

    /// Reads a text without its includes, which count as empty, so that syntax errors are its own.
    pub fn open_alone(path: &str, text: &str, language: Option<&'static dyn Language>) -> Session {
        Session::open(&Alone { path, text }, path, language)
    }

    pub(crate) fn open_with(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        addition: Addition<'_>,
        progress: &dyn Progress,
    ) -> Session {
        // The root is read once, as it may be a pipe.
        let root = files.read(path);
        let guess = || languages::guess(path, &String::from_utf8_lossy(root.as_deref().unwrap_or_default())).0;
        let language = language.unwrap_or_else(guess);
        let files = RootRead { files, path, root: RefCell::new(Some(root)) };
        let script = language.open(&Opening { files: &files, path, addition, progress });
        let assertions = script.assertions().into();
        Session { path: path.to_owned(), language, script: script.into(), assertions }
    }

    /// The path of the script.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The language of the script.
    pub fn language(&self) -> &'static dyn Language {
        self.language
    }

    /// The texts: the script, then its includes in the order of reading.
    pub fn source_map(&self) -> &SourceMap {
        self.script.source_map()
    }

    /// All diagnostics, in source order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.script.diagnostics()
    }

    /// Whether there are errors. Errors in formulas are not counted: only their assertions have no verdict.
    pub fn has_errors(&self) -> bool {
        self.errors().any(|error| !formula::concerns_formula(self.script.formulas(), error))
    }

    /// Whether a formula of an assertion has errors.
    pub fn has_faulty_formulas(&self) -> bool {
        self.errors().any(|error| formula::concerns_formula(self.script.formulas(), error))
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// The diagnostics that prevent reading the script.
    pub fn unreadable(&self) -> impl Iterator<Item = &Diagnostic> {
        self.errors().filter(|error| matches!(error.phase, Phase::Lex | Phase::Parse))
    }

    /// The definitions, in source order.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.script.symbols()
    }

    /// The names of processes without parameters, in source order.
    pub fn processes(&self) -> Vec<String> {
        self.script.processes()
    }

    /// The assertions, in source order, further ones last.
    pub fn assertions(&self) -> Vec<Assertion> {
        self.assertions.to_vec()
    }

    /// The assertion with this number, from 1.
    pub fn assertion(&self, index: usize) -> Option<&Assertion> {
        self.assertions.get(index.checked_sub(1)?)
    }

    /// The assertions that are not in the script.
    pub fn asked_assertions(&self) -> Vec<Assertion> {
        self.assertions.iter().filter(|assertion| assertion.is_asked).cloned().collect()
    }

    /// The definition of the name at `offset`. None for built-in names and elsewhere.
    pub fn definition_at(&self, offset: u32) -> Option<Span> {
        self.script.definition_at(offset)
    }

    /// All occurrences of the name at `offset`, its definition included, in source order.
    pub fn uses_at(&self, offset: u32) -> Vec<Span> {
        self.script.uses_at(offset)
    }

    /// The type of the name at `offset`, or of the smallest expression around it.
    pub fn type_at(&self, offset: u32) -> Option<TypeAt> {
        self.script.type_at(offset)
    }

    /// All occurrences of names, in source order.
    pub fn mentions(&self) -> Vec<Mention> {
        self.script.mentions()
    }

    /// The names in scope at `offset` besides built-in ones, by name.
    pub fn visible_at(&self, offset: u32) -> Vec<Visible> {
        self.script.visible_at(offset)
    }

    /// The values of a field of a channel or constructor, where they are few.
    pub fn field_values(&self, name: &str, field: usize) -> Vec<Visible> {
        self.script.field_values(name, field)
    }

    /// The semantics of the script.
    pub fn semantics(&self, progress: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        self.script.semantics(progress)
    }
}

/// Files, of which the root was read already.
struct RootRead<'a> {
    files: &'a dyn Files,
    path: &'a str,
    root: RefCell<Option<Result<Vec<u8>, String>>>,
}

impl Files for RootRead<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        let root = if path == self.path { self.root.borrow_mut().take() } else { None };
        root.unwrap_or_else(|| self.files.read(path))
    }
}

/// A single text; all other files are empty.
struct Alone<'a> {
    path: &'a str,
    text: &'a str,
}

impl Files for Alone<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Ok(if path == self.path { self.text.as_bytes().to_vec() } else { Vec::new() })
    }
}
