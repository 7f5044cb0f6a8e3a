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

/// What the names of arrays inside of programs end with.
pub const LOCAL: &str = ".local";

/// A variable of fixed size.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Arc<str>,
    /// Where that stands.
    pub span: Span,
    /// Its first cell.
    pub offset: usize,
    /// Sizes of an array; none for a single value.
    pub dims: Vec<usize>,
    /// What it may be.
    pub range: Option<(i32, i32)>,
    /// Whether it is no part of what tells states apart.
    pub hidden: bool,
    /// What its values are.
    pub ty: Type,
}

impl Variable {
    /// Its name as it is written.
    pub fn written(&self) -> &str {
        self.name.strip_suffix(LOCAL).unwrap_or(&self.name)
    }

    /// Whether it belongs to the explanation of an object, or to a program: no name of a script has a dot.
    pub fn is_made(&self) -> bool {
        self.name.contains('.')
    }

    /// How many cells it takes.
    pub fn n_cells(&self) -> usize {
        self.dims.iter().product()
    }
}

/// Something whose size changes.
#[derive(Clone, Debug)]
pub struct Dynamic {
    /// Its name, with an index for one of an array of channels.
    pub name: Arc<str>,
    /// What it is.
    pub kind: DynamicKind,
    /// What it holds at first.
    pub initial: Vec<i32>,
}

/// Kinds of things whose size changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DynamicKind {
    /// The messages in a channel.
    Buffer,
    /// An object of a library.
    Object(Class),
}

/// Classes that are built in.
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
    /// The class with a name.
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

    /// Its name.
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
    /// Its name.
    pub name: Arc<str>,
    /// Where that stands.
    pub span: Span,
    /// How many there are, if it is an array.
    pub count: Option<u32>,
    /// How many messages each holds; with 0 sender and receiver meet.
    pub capacity: u32,
    /// The first buffer, unless the capacity is 0.
    pub buffer: u32,
}
