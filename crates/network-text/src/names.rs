//! Where the names of a text are defined and used, for everything that jumps around in it.

use source::Span;

/// Number of a definition in its text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DefinitionId(pub u32);

/// What a name stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum NameKind {
    Event,
    Network,
    Variable,
    /// An expression with a name.
    Expression,
    Action,
    Machine,
    State,
    Obstacle,
    Mode,
    Class,
}

/// A name with what it stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Definition {
    /// What it stands for.
    pub kind: NameKind,
    /// The name, with its quotes if it has any.
    pub name: Span,
    /// All that belongs to it.
    pub span: Span,
    /// What it is a part of: states of machines, and all else of networks.
    pub inside: Option<DefinitionId>,
}

/// A name where it is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Use {
    /// The place.
    pub span: Span,
    /// What is meant.
    pub definition: DefinitionId,
}

/// All definitions of a text, and all uses of them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Names {
    definitions: Vec<Definition>,
    /// By place.
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

    /// All definitions: those of a network behind it, those of a machine behind that.
    pub fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    /// A definition.
    pub fn definition(&self, id: DefinitionId) -> &Definition {
        &self.definitions[id.0 as usize]
    }

    /// What the name at an offset stands for, whether it is used there or defined.
    pub fn at(&self, offset: u32) -> Option<DefinitionId> {
        let behind = self.uses.partition_point(|found| found.span.start <= offset);
        let used = behind.checked_sub(1).map(|last| self.uses[last]).filter(|found| found.span.touches(offset));
        used.map(|found| found.definition).or_else(|| {
            let defined = self.definitions.iter().position(|definition| definition.name.touches(offset));
            defined.map(|number| DefinitionId(number as u32))
        })
    }

    /// Where a name is used, by place.
    pub fn uses_of(&self, id: DefinitionId) -> impl Iterator<Item = Span> + '_ {
        self.uses.iter().filter(move |found| found.definition == id).map(|found| found.span)
    }
}
