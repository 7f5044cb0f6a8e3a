//! A resolved script: expressions, programs and process terms over numbered variables.
//!
//! Expressions and terms are hash-consed. A definition is a term with parameters, and a process is a closed term,
//! obtained by substitution. So two processes are equal terms iff they have the same text, which is PAT's equality of
//! states.

pub mod arithmetic;
mod expression;
mod interner;
mod object;
mod operators;
mod origins;
mod poll;
mod program;
mod scale;
mod term;
mod timer;
mod variable;

pub use expression::{Expr, ExprId, Exprs, Library, Query, Type};
pub use interner::Interner;
pub use object::{Field, SequentialObject, SequentialOperation, Shape};
pub use operators::{Binary, Bound, Expiry, IfKind, Operator, Unary};
pub use poll::Poll;
pub use program::pure;
pub use program::{Object, Operation, Place, Program, ProgramId, Statement};
pub use scale::Parts;
pub use term::{
    Binder, BinderValues, ChannelRef, Code as AttachedCode, EventPattern, EventRef, Hiding, Pattern, SetId, Slot, Term,
    TermId, Terms,
};
pub(crate) use term::{MANY, OPEN_FAMILY, UNEXPANDED, binders_free, pattern_free};
pub use timer::{ClockId, Timer};
pub use variable::LOCAL;
pub use variable::{Channel, Class, Dynamic, DynamicId, DynamicKind, Variable, VariableId};

use hashbrown::HashMap;
use source::Span;
use std::sync::Arc;

/// Number of a process definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct DefinitionId(pub u32);

/// Number of the name of an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct EventName(pub u32);

/// A process definition.
#[derive(Clone, Debug)]
pub struct Definition {
    /// Its name.
    pub name: Arc<str>,
    /// The span of the name.
    pub span: Span,
    /// The number of parameters; they occupy the first slots.
    pub n_parameters: usize,
    /// The body.
    pub body: TermId,
    /// The declared alphabet, if there is one.
    pub alphabet: Option<SetId>,
    /// Whether it begins with a parameterized family.
    pub is_any_number: bool,
}

/// A named proposition on states.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name.
    pub name: Arc<str>,
    /// The condition.
    pub condition: ExprId,
    /// The span of the definition.
    pub span: Span,
}

/// A script before execution.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// All expressions.
    pub exprs: Exprs,
    /// All terms.
    pub terms: Terms,
    /// All programs.
    pub programs: Vec<Program>,
    /// All definitions.
    pub definitions: Vec<Definition>,
    /// Variables of fixed size.
    pub variables: Vec<Variable>,
    /// Buffers and objects.
    pub dynamics: Vec<Dynamic>,
    /// The channels.
    pub channels: Vec<Channel>,
    /// Names of events and channels.
    pub names: Vec<Arc<str>>,
    name_numbers: HashMap<Arc<str>, u32>,
    /// Named conditions.
    pub propositions: Vec<Proposition>,
    /// Processes whose copies an expression counts.
    pub counted: Vec<TermId>,
    /// Sequential objects.
    pub objects: Vec<SequentialObject>,
    /// The number of cells of variables of fixed size.
    pub n_cells: usize,
    /// The initial values of these cells.
    pub initial: Vec<i32>,
    /// Whether an event has a fairness annotation.
    pub has_marks: bool,
    /// Whether the script is in the timed dialect.
    pub is_timed: bool,
    /// The scale of times: the number of parts in a unit.
    pub parts: Parts,
    /// Polls for cancellation while terms are constructed.
    pub poll: Poll,
}

impl Code {
    /// The number of the name of an event.
    pub fn event_name(&mut self, name: &str) -> EventName {
        if let Some(&known) = self.name_numbers.get(name) {
            return EventName(known);
        }
        let (number, name) = (self.names.len() as u32, Arc::<str>::from(name));
        self.names.push(name.clone());
        self.name_numbers.insert(name, number);
        EventName(number)
    }
}
