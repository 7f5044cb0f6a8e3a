//! Definitions and uses of names, for navigation.

use source::Span;

/// Number of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefinitionId(pub u32);

/// Kinds of definitions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum NameKind {
    Event,
    Network,
    Variable,
    /// A named expression.
    Expression,
    Action,
    Machine,
    State,
    Inhibitor,
    Mode,
    Class,
}

/// A definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// The kind.
    pub kind: NameKind,
    /// The span of the name, with quotes.
    pub name: Span,
    /// The span of the whole definition.
    pub span: Span,
    /// The enclosing definition: a machine for states, and a network for all else.
    pub inside: Option<DefinitionId>,
}

/// A use of a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The span.
    pub span: Span,
    /// The referent.
    pub definition: DefinitionId,
}

/// All definitions and uses.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    definitions: Vec<Definition>,
    /// Sorted by span.
    uses: Vec<Use>,
}

impl Names {
    pub(crate) fn define(&mut self, definition: Definition) -> DefinitionId {
        self.definitions.push(definition);
        DefinitionId(self.definitions.len() as u32 - 1)
    }

    pub(crate) fn refer(&mut self, span: Span, definition: DefinitionId) {
        self.uses.push(Use { span, definition });
    }

    pub(crate) fn sort(&mut self) {
        self.uses.sort_by_key(|found| found.span);
    }

    /// All definitions in preorder: those of a network after it, those of a machine after that.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// The definition of the name at an offset, at a use or a definition.
    pub fn at(&self, offset: u32) -> Option<DefinitionId> {
        let behind = self.uses.partition_point(|found| found.span.start <= offset);
        let used = behind.checked_sub(1).map(|last| self.uses[last]).filter(|found| found.span.touches(offset));
        used.map(|found| found.definition).or_else(|| {
            let defined = self.definitions.iter().position(|definition| definition.name.touches(offset));
            defined.map(|number| DefinitionId(number as u32))
        })
    }

    /// The spans of the uses of a name, in order.
    pub fn uses_of(&self, id: DefinitionId) -> impl Iterator<Item = Span> + '_ {
        self.uses.iter().filter(move |found| found.definition == id).map(|found| found.span)
    }
}
