//! The outline of a script, for editors.

use source::Span;

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name with its modules.
    pub name: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// Where its name stands.
    pub span: Span,
}

/// Kinds of definitions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[allow(missing_docs)]
pub enum SymbolKind {
    Channel,
    Constructor,
    Datatype,
    Subtype,
    Nametype,
    Function,
    Value,
    Process,
    Variable,
    Machine,
    /// Bound where it is used: an argument, a field, a generator.
    Parameter,
    /// Built into the language.
    BuiltIn,
}

/// A name somewhere in the texts of a script.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Mention {
    /// Where it stands.
    pub span: Span,
    /// Where what it names is defined; the same place if it is defined here, nothing for what is built in.
    pub definition: Option<Span>,
    /// The definition it names.
    pub kind: SymbolKind,
}

/// A name that can be used at a place.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Visible {
    /// The name as it is to be written there.
    pub name: String,
    /// The definition it names.
    pub kind: SymbolKind,
    /// Its type in the notation of the language, if there is one.
    pub type_text: Option<String>,
}

/// The type of what stands at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeAt {
    /// The name or expression that was meant.
    pub span: Span,
    /// Its type in the notation of the language.
    pub text: String,
}
