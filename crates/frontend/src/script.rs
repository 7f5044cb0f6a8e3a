//! Scripts as they are read: what is known of them before anything is evaluated.

use crate::formula::{Asked, ReadFormula};
use crate::layout::{Piece, PieceKind, Word};
use crate::{Assertion, Mention, Semantics, Symbol, TypeAt, Visible};
use ltl::tester::DeltaAutomaton;
use lts::{Label, Lts};
use progress::Progress;
use source::{Diagnostic, Files, SourceMap, Span};
use std::fmt::Debug;
use std::ops::Range;
use std::sync::Arc;

/// A language of the tool.
pub trait Language: Sync + Debug {
    /// Its name on the command line and in documents for programs.
    fn name(&self) -> &'static str;

    /// A description in a few words.
    fn about(&self) -> &'static str {
        ""
    }

    /// How the names of its scripts end, without the dot: what else there is in a folder is not meant.
    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    /// The evidence in a text that it is in this language; empty if its path is evidence enough.
    fn recognize(&self, path: &str, text: &str) -> Option<Range<usize>> {
        let _ = (path, text);
        None
    }

    /// Reads a script with everything it includes. Never fails: what is wrong is among its diagnostics.
    fn open(&self, opening: &Opening<'_>) -> Box<dyn Script>;

    /// A text alone as the pieces it is written in, comments too, whether or not it can be read. What stands between
    /// them is blank. None for a language that is not laid out.
    fn pieces(&self, text: &str) -> Vec<Piece> {
        let _ = text;
        Vec::new()
    }

    /// The files that a text names to be included, as it names them.
    fn includes(&self, text: &str) -> Vec<String> {
        let pieces = self.pieces(text);
        let included = |pair: &[Piece]| {
            let is_asked = pair[0].kind == PieceKind::Keyword && &text[pair[0].range.clone()] == "include";
            let named = is_asked && pair[1].kind == PieceKind::Text;
            named.then(|| text[pair[1].range.clone()].split('"').nth(1).unwrap_or_default().to_owned())
        };
        pieces.windows(2).filter_map(included).collect()
    }

    /// Words that mean something in every script.
    fn words(&self) -> Vec<Word> {
        Vec::new()
    }
}

/// The script to open.
#[derive(Clone, Copy)]
pub struct Opening<'a> {
    /// Where files come from.
    pub files: &'a dyn Files,
    /// The script.
    pub path: &'a str,
    /// The addition to its text.
    pub addition: Addition<'a>,
    /// Asked whether there is memory left.
    pub progress: &'a dyn Progress,
}

/// Something in the scope of a script that does not stand in it.
#[derive(Clone, Copy, Debug)]
pub enum Addition<'a> {
    /// Nothing.
    Nothing,
    /// An expression, as its last print.
    Expression(&'a str),
    /// A process.
    Process(&'a str),
    /// Formulas, as its last assertions.
    Formulas(&'a Asked<'a>),
}

/// Something that a script wants to have printed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PrintText {
    /// Where the expression stands.
    pub span: Span,
    /// The expression as written.
    pub text: String,
}

/// A formula about a process, to be written as processes that run beside it.
#[derive(Debug)]
pub struct Tester<'a> {
    /// The formula as it was written.
    pub formula: &'a str,
    /// The path by which the script is included.
    pub include: &'a str,
    /// The process as it was written.
    pub process: &'a str,
    /// The events of the process, as the script writes them.
    pub events: &'a [String],
    /// Automata for the negations of the parts of the formula: it holds iff the process has no trace that one of them
    /// accepts.
    pub automata: &'a [DeltaAutomaton],
}

/// A watchdog of a specification, to be written as processes that run beside the implementation.
#[derive(Debug)]
pub struct WatchdogToWrite<'a> {
    /// The number of the assertion.
    pub index: usize,
    /// The watchdog; it has no annotations.
    pub system: &'a Lts,
    /// The labels of the implementation in ascending order, with their names in the script.
    pub events: &'a [(Label, String)],
    /// The alarm: the event of the watchdog after a violation.
    pub alarm: Label,
    /// Whether it also keeps others from refusing too much.
    pub watches_refusals: bool,
}

/// A script read once. It does not change: after an edit, open a new one.
pub trait Script: Debug + Send + Sync {
    /// Its texts: the script first, then the included files as they were met.
    fn source_map(&self) -> &SourceMap;

    /// Everything found, in source order.
    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    /// The formulas of its assertions.
    fn formulas(&self) -> &[ReadFormula] {
        &[]
    }

    /// Its definitions, in source order.
    fn symbols(&self) -> Vec<Symbol> {
        Vec::new()
    }

    /// The names of the processes that need no arguments, in source order.
    fn processes(&self) -> Vec<String> {
        Vec::new()
    }

    /// Its assertions, in source order, those from outside last.
    fn assertions(&self) -> Vec<Assertion>;

    /// The expressions to print, in source order; an expression that was added comes last.
    fn prints(&self) -> Vec<PrintText> {
        Vec::new()
    }

    /// Where the name at `offset` is defined; `None` for what is built in and where no name stands.
    fn definition_at(&self, offset: u32) -> Option<Span> {
        let _ = offset;
        None
    }

    /// Every place where the name at `offset` stands, its definition included, in source order.
    fn uses_at(&self, offset: u32) -> Vec<Span> {
        let _ = offset;
        Vec::new()
    }

    /// The type of the name at `offset`, or else of the smallest expression around it.
    fn type_at(&self, offset: u32) -> Option<TypeAt> {
        let _ = offset;
        None
    }

    /// Every place of every name, in source order, each once. It may say nothing of names that its meaning does not
    /// depend on.
    fn mentions(&self) -> Vec<Mention> {
        Vec::new()
    }

    /// The names that can be used at `offset` besides those that every script has, by name.
    fn visible_at(&self, offset: u32) -> Vec<Visible> {
        let _ = offset;
        Vec::new()
    }

    /// The values of a field of the named channel or constructor, where they are few; fields count from 0.
    fn field_values(&self, name: &str, field: usize) -> Vec<Visible> {
        let _ = (name, field);
        Vec::new()
    }

    /// A script of the same language with processes and assertions that decide a formula about a process of this one,
    /// if the language has a way to say that.
    fn tester(&self, tester: &Tester<'_>) -> Option<String> {
        let _ = tester;
        None
    }

    /// A script of the same language that includes this one by the given path, with watchdogs of refinements and the
    /// assertions that these turn into.
    ///
    /// # Errors
    /// Why there is none.
    fn watchdogs(&self, include: &str, watchdogs: &[WatchdogToWrite<'_>]) -> Result<String, String> {
        let _ = (include, watchdogs);
        Err("there are no watchdogs in the language of this script".to_owned())
    }

    /// The meaning of the script, which must have no errors outside of its formulas.
    fn semantics(&self, progress: Arc<dyn Progress>) -> Box<dyn Semantics + '_>;
}
