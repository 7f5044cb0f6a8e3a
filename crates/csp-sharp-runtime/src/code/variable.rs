//! Variables, buffers and objects.

use super::Type;
use source::Span;
use std::sync::Arc;

/// Number of a variable of fixed size.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct VariableId(pub u32);

/// Number of a buffer or an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DynamicId(pub u32);

/// The suffix of the names of local arrays of programs.
pub const LOCAL: &str = ".local";

/// A variable of fixed size.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// The span of the name.
    pub span: Span,
    /// The first cell.
    pub offset: usize,
    /// The dimensions of an array; empty for a scalar.
    pub dims: Vec<usize>,
    /// The declared range.
    pub range: Option<(i32, i32)>,
    /// Whether it is ignored in the comparison of states.
    pub hidden: bool,
    /// The type of the values.
    pub ty: Type,
}

impl Variable {
    /// The declared name, without suffix.
    pub fn written(&self) -> &str {
        self.name.strip_suffix(LOCAL).unwrap_or(&self.name)
    }

    /// Whether it is generated, for the specification of an object or a local array: declared names have no dot.
    pub fn is_made(&self) -> bool {
        self.name.contains('.')
    }

    /// The number of cells.
    pub fn n_cells(&self) -> usize {
        self.dims.iter().product()
    }
}

/// A buffer or an object, whose size varies.
#[derive(Clone, Debug)]
pub struct Dynamic {
    /// The name, with an index for a member of an array of channels.
    pub name: Arc<str>,
    /// The kind.
    pub kind: DynamicKind,
    /// The initial content.
    pub initial: Vec<i32>,
}

/// Kinds of variables of varying size.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DynamicKind {
    /// The buffer of a channel.
    Buffer,
    /// An object of a library.
    Object(Class),
}

/// Built-in classes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Class {
    Set,
    List,
    Stack,
    Queue,
    HashTable,
    DifferenceBounds,
}

impl Class {
    /// The class of a name.
    pub fn named(name: &str) -> Option<Class> {
        Some(match name {
            "Set" => Class::Set,
            "List" | "SerializableList" => Class::List,
            "Stack" => Class::Stack,
            "Queue" => Class::Queue,
            "HashTable" => Class::HashTable,
            "DBM" => Class::DifferenceBounds,
            _ => return None,
        })
    }

    /// The name.
    pub fn name(self) -> &'static str {
        match self {
            Class::Set => "Set",
            Class::List => "List",
            Class::Stack => "Stack",
            Class::Queue => "Queue",
            Class::HashTable => "HashTable",
            Class::DifferenceBounds => "DBM",
        }
    }
}

/// A channel, or an array of them.
#[derive(Clone, Debug)]
pub struct Channel {
    /// The name.
    pub name: Arc<str>,
    /// The span of the name.
    pub span: Span,
    /// The number of channels, if it is an array.
    pub count: Option<u32>,
    /// The greatest number of messages in the buffer; 0 for synchronous communication.
    pub capacity: u32,
    /// The number of the first buffer, unless the capacity is 0.
    pub buffer: u32,
}
