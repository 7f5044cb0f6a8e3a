//! A script read once.

use frontend::formula::{self, Asked};
use frontend::{Addition, Assertion, Language, Mention, Opening, Script, Semantics, Symbol, TypeAt, Visible};
use progress::{Nobody, Progress};
use source::{Diagnostic, Files, Phase, Severity, SourceMap, Span};
use std::cell::RefCell;
use std::sync::Arc;

/// A script with all that is known about it; cheap to clone.
#[derive(Clone, Debug)]
pub struct Session {
    path: String,
    language: &'static dyn Language,
    pub(crate) script: Arc<dyn Script>,
    /// Its assertions, described once: whoever decides thousands of them asks for each.
    assertions: Arc<[Assertion]>,
}

impl Session {
    /// Reads the script at `path` with everything it includes. Never fails: what is wrong is in
    /// [`Session::diagnostics`]. The language is guessed when it is not given.
    pub fn open(files: &dyn Files, path: &str, language: Option<&'static dyn Language>) -> Session {
        Session::open_with(files, path, language, Addition::Nothing, &Nobody)
    }

    /// The same, with formulas about a process as further assertions.
    pub fn open_asking(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        asked: &Asked<'_>,
    ) -> Session {
        Session::open_asking_within(files, path, language, asked, &Nobody)
    }

    /// The same within limits of time and memory. A script that needs more has an error.
    pub fn open_asking_within(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        asked: &Asked<'_>,
        progress: &dyn Progress,
    ) -> Session {
        Session::open_with(files, path, language, Addition::Formulas(asked), progress)
    }

    /// The same, with a process in the scope of the script, to be looked at by a
    /// [`Checker`](crate::check::Checker). An expression that is no process is an error of the session.
    pub fn open_with_process(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        process: &str,
    ) -> Session {
        Session::open_with_process_within(files, path, language, process, &Nobody)
    }

    /// The same within limits of time and memory. A script that needs more has an error.
    pub fn open_with_process_within(
        files: &dyn Files,
        path: &str,
        language: Option<&'static dyn Language>,
        process: &str,
        progress: &dyn Progress,
    ) -> Session {
        Session::open_with(files, path, language, Addition::Process(process), progress)
    }

    /// Reads a text by itself: what it includes counts as empty. So problems of its syntax are its own.
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
        // Looked at twice, read once: it may be a pipe.
        let root = files.read(path);
        let guess = || languages::guess(path, &String::from_utf8_lossy(root.as_deref().unwrap_or_default())).0;
        let language = language.unwrap_or_else(guess);
        let files = RootRead { files, path, root: RefCell::new(Some(root)) };
        let script = language.open(&Opening { files: &files, path, addition, progress });
        let assertions = script.assertions().into();
        Session { path: path.to_owned(), language, script: script.into(), assertions }
    }

    /// The path it was opened by.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The language it was read as.
    pub fn language(&self) -> &'static dyn Language {
        self.language
    }

    /// Its texts: the script first, then the included files as they were met.
    pub fn source_map(&self) -> &SourceMap {
        self.script.source_map()
    }

    /// Everything found, in source order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        self.script.diagnostics()
    }

    /// Whether something was found that prevents its use. Errors in formulas do not: only their assertions have no verdict.
    pub fn has_errors(&self) -> bool {
        self.errors().any(|error| !formula::concerns_formula(self.script.formulas(), error))
    }

    /// Whether something is wrong with a formula of an assertion.
    pub fn has_faulty_formulas(&self) -> bool {
        self.errors().any(|error| formula::concerns_formula(self.script.formulas(), error))
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics().iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }

    /// What keeps it from being read, whatever it means.
    pub fn unreadable(&self) -> impl Iterator<Item = &Diagnostic> {
        self.errors().filter(|error| matches!(error.phase, Phase::Lex | Phase::Parse))
    }

    /// Its definitions, in source order.
    pub fn symbols(&self) -> Vec<Symbol> {
        self.script.symbols()
    }

    /// The names of the processes that need no arguments, in source order.
    pub fn processes(&self) -> Vec<String> {
        self.script.processes()
    }

    /// Its assertions, in source order, those from outside last.
    pub fn assertions(&self) -> Vec<Assertion> {
        self.assertions.to_vec()
    }

    /// The assertion with this number, from 1.
    pub fn assertion(&self, index: usize) -> Option<&Assertion> {
        self.assertions.get(index.checked_sub(1)?)
    }

    /// Its assertions from outside of the script.
    pub fn asked_assertions(&self) -> Vec<Assertion> {
        self.assertions.iter().filter(|assertion| assertion.is_asked).cloned().collect()
    }

    /// Where the name at `offset` is defined; `None` for what is built in and where no name stands.
    pub fn definition_at(&self, offset: u32) -> Option<Span> {
        self.script.definition_at(offset)
    }

    /// Every place where the name at `offset` stands, its definition included, in source order.
    pub fn uses_at(&self, offset: u32) -> Vec<Span> {
        self.script.uses_at(offset)
    }

    /// The type of the name at `offset`, or else of the smallest expression around it.
    pub fn type_at(&self, offset: u32) -> Option<TypeAt> {
        self.script.type_at(offset)
    }

    /// Every place of every name, in source order, each once.
    pub fn mentions(&self) -> Vec<Mention> {
        self.script.mentions()
    }

    /// The names that can be used at `offset` besides those that every script has, by name.
    pub fn visible_at(&self, offset: u32) -> Vec<Visible> {
        self.script.visible_at(offset)
    }

    /// What can stand in a field of the channel or constructor that is named, where few things can.
    pub fn field_values(&self, name: &str, field: usize) -> Vec<Visible> {
        self.script.field_values(name, field)
    }

    /// Its meaning: states, steps and what its assertions claim.
    pub fn semantics(&self, progress: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        self.script.semantics(progress)
    }
}

/// Files of which one has been read already.
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

/// One text, and nothing in all other files.
struct Alone<'a> {
    path: &'a str,
    text: &'a str,
}

impl Files for Alone<'_> {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        Ok(if path == self.path { self.text.as_bytes().to_vec() } else { Vec::new() })
    }
}
