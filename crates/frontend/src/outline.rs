//! What a script consists of, for editors.

use source::Span;

/// A definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    /// Its name with its modules.
    pub name: String,
    /// What it is.
    pub kind: SymbolKind,
    /// Where its name stands.
    pub span: Span,
}

/// What a definition defines.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
}

/// The type of what stands at a place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TypeAt {
    /// The name or expression that was meant.
    pub span: Span,
    /// Its type in the notation of the language.
    pub text: String,
}
