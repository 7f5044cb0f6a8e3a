//! A script with its names resolved: expressions, programs and process terms over numbered variables.
//!
//! Expressions and terms are shared: what is built alike is the same number. A definition is a term with parameters, and a process is
//! a term without: values are put in where parameters stood, so that two processes are the same term if they read the same, which is
//! how PAT tells states apart.

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
    /// Where that stands.
    pub span: Span,
    /// How many parameters it has; they are the first slots.
    pub n_parameters: usize,
    /// What it is.
    pub body: TermId,
    /// The events it takes part in, if that is declared.
    pub alphabet: Option<SetId>,
    /// Whether it begins with any number of copies of something.
    pub is_any_number: bool,
}

/// A proposition about states.
#[derive(Clone, Debug)]
pub struct Proposition {
    /// Its name.
    pub name: Arc<str>,
    /// What it says.
    pub condition: ExprId,
    /// Where it is defined.
    pub span: Span,
}

/// Everything that is known of a script before it runs.
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
    /// Channels.
    pub channels: Vec<Channel>,
    /// Names of events and channels.
    pub names: Vec<Arc<str>>,
    name_numbers: HashMap<Arc<str>, u32>,
    /// Named conditions.
    pub propositions: Vec<Proposition>,
    /// Processes whose copies are counted.
    pub counted: Vec<TermId>,
    /// Sequential objects.
    pub objects: Vec<SequentialObject>,
    /// How many cells variables of fixed size take.
    pub n_cells: usize,
    /// What they hold at first.
    pub initial: Vec<i32>,
    /// Whether an event is marked for fairness.
    pub has_marks: bool,
    /// Whether time passes in it.
    pub is_timed: bool,
    /// In which parts of units times are told.
    pub parts: Parts,
    /// Asked for cancellation while terms are made.
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
