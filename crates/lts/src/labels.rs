//! Labels and their names.

use crate::interner::Interner;

/// The label of a step: a number, with a name in some [`Labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub u32);

impl Label {
    /// The silent step.
    pub const TAU: Label = Label(0);
    /// Successful termination. Its target is final: no model distinguishes the steps after it.
    pub const TICK: Label = Label(1);

    /// The index of this label in an array.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Whether the environment sees it.
    pub fn is_visible(self) -> bool {
        self != Label::TAU
    }
}

/// The names of labels, shared by systems that are compared.
#[derive(Clone, Debug)]
pub struct Labels {
    names: Interner<u8>,
}

impl Default for Labels {
    fn default() -> Labels {
        Labels::new()
    }
}

impl Labels {
    /// The table of `tau` and `✓`.
    pub fn new() -> Labels {
        let mut names = Interner::new();
        names.intern(b"tau");
        names.intern("✓".as_bytes());
        Labels { names }
    }

    /// The number of labels; they are numbered below this.
    pub fn n_labels(&self) -> usize {
        self.names.len()
    }

    /// The label of this name, a new one if there is none.
    pub fn intern(&mut self, name: &str) -> Label {
        Label(self.names.intern(name.as_bytes()))
    }

    /// The label of this name, if there is one.
    pub fn find(&self, name: &str) -> Option<Label> {
        self.find_bytes(name.as_bytes())
    }

    pub(crate) fn find_bytes(&self, name: &[u8]) -> Option<Label> {
        self.names.find(name).map(Label)
    }

    pub(crate) fn name_bytes(&self, label: Label) -> &[u8] {
        self.names.get(label.0)
    }

    /// The name of a label.
    ///
    /// # Panics
    /// When the label is not in this table.
    pub fn name(&self, label: Label) -> &str {
        std::str::from_utf8(self.name_bytes(label)).expect("names come from strings")
    }
}
