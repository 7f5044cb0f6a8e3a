//! A script read once.

use crate::temporal::{self, Asked, ReadFormula};
use crate::{Language, errors};
use cspm::resolve::Resolved;
use cspm::syntax::Ast;
use cspm::typecheck::Types;
use source::{Diagnostic, Files, Severity, SourceMap, Span};
use std::cell::RefCell;

/// A script with all that is known about it.
#[derive(Debug)]
pub struct Session {
    path: String,
    language: Language,
    pub(crate) map: SourceMap,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) resolved: Resolved,
    pub(crate) types: Types,
    /// The formulas of its assertions.
    pub(crate) formulas: Vec<ReadFormula>,
}

impl Session {
    /// Reads the script at `path` with everything it includes. Never fails: what is wrong is in
    /// [`Session::diagnostics`]. The language is guessed when it is not given.
    pub fn open(files: &dyn Files, path: &str, language: Option<Language>) -> Session {
        Session::open_with(files, path, language, None, None)
    }

    /// The same, with formulas about a process as further assertions.
    pub fn open_asking(files: &dyn Files, path: &str, language: Option<Language>, asked: &Asked) -> Session {
        Session::open_with(files, path, language, None, Some(asked))
    }

    /// The same, with a process in the scope of the script, to be looked at by a
    /// [`Checker`](crate::check::Checker). An expression that is no process is an error of the session.
    pub fn open_with_process(files: &dyn Files, path: &str, language: Option<Language>, process: &str) -> Session {
        let mut session = Session::open_with(files, path, language, Some(process), None);
        if !session.has_errors() {
            let expr = session.last_print();
            if !session.types.is_process(expr) {
                let ty = session.types.of_expr(expr).map(|ty| session.types.display(&session.resolved, ty));
                let span = session.resolved.ast.expr_span(expr);
                session.diagnostics.push(errors::not_a_process(span, &ty.unwrap_or_default()));
            }
        }
        session
    }

    /// The same, with an expression in the scope of the script as its last `print`, or with formulas as last assertions.
    pub(crate) fn open_with(
        files: &dyn Files,
        path: &str,
        language: Option<Language>,
        expression: Option<&str>,
        asked: Option<&Asked>,
    ) -> Session {
        let mut map = SourceMap::new();
        // Looked at twice, read once: it may be a pipe.
        let root = files.read(path);
        let (language, refusal) = choose_language(path, root.as_deref().unwrap_or_default(), language, &mut map);
        let (mut ast, mut diagnostics) = match refusal {
            Some(diagnostic) => (Ast::default(), vec![diagnostic]),
            None => {
                let files = RootRead { files, path, root: RefCell::new(Some(root)) };
                cspm::parse::parse_script(&files, path, &mut map, expression)
            }
        };
        let (formulas, problems) = temporal::read_formulas(asked, &mut ast, &mut map);
        diagnostics.extend(problems);
        let (resolved, names) = cspm::resolve::resolve_names(ast);
        let (types, mistypings) = cspm::typecheck::infer_types(&resolved);
        diagnostics.extend(names);
        diagnostics.extend(mistypings);
        diagnostics.extend(temporal::check_names(&formulas, &resolved, &types));
        diagnostics.sort_by_key(|diagnostic| diagnostic.primary.span);
        Session { path: path.to_owned(), language, map, diagnostics, resolved, types, formulas }
    }

    /// The path it was opened by.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The language it was read as.
    pub fn language(&self) -> Language {
        self.language
    }

    /// Its texts: the script first, then the included files as they were met.
    pub fn source_map(&self) -> &SourceMap {
        &self.map
    }

    /// Everything found, in source order.
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// Whether something was found that prevents its use. Errors in formulas do not: only their assertions have no verdict.
    pub fn has_errors(&self) -> bool {
        self.errors().any(|error| !temporal::concerns_formula(&self.formulas, error))
    }

    /// Whether something is wrong with a formula of an assertion.
    pub fn has_faulty_formulas(&self) -> bool {
        self.errors().any(|error| temporal::concerns_formula(&self.formulas, error))
    }

    fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error)
    }
}

/// The language to read `root` as, and why that cannot be done.
fn choose_language(
    path: &str,
    root: &[u8],
    wanted: Option<Language>,
    map: &mut SourceMap,
) -> (Language, Option<Diagnostic>) {
    let text = String::from_utf8_lossy(root);
    match wanted {
        Some(Language::Cspm) => (Language::Cspm, None),
        Some(other) => {
            map.add(path, "");
            (other, Some(errors::unsupported_language(path, other)))
        }
        None => match Language::guess(path, &text) {
            (Language::Cspm, _) => (Language::Cspm, None),
            (other, evidence) => {
                map.add(path, text);
                let evidence = Span::new(evidence.start as u32, evidence.end as u32);
                (other, Some(errors::looks_like(path, other, evidence)))
            }
        },
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
