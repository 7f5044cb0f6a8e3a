//! Process expressions on the way to code.

use super::code::{Op, Pattern, Step};
use cspm::resolve::NameId;
use cspm::syntax::{ExprId, ProcessOp as Infix, SetOp};
use source::Span;

/// A process expression.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum ProcessOp {
    Stop,
    Skip,
    Prefix(Prefix),
    ExternalChoice(Box<[Op]>),
    /// Any but the one before.
    Infix(Infix, Op, Op),
    Hide(Op, EventsOp),
    Project(Op, EventsOp),
    WithSet(SetOp, Op, EventsOp, Op),
    AlphaParallel(Op, EventsOp, EventsOp, Op),
    Link(Op, TiesOp, Op),
    Rename(Op, TiesOp),
    Replicated(Replicated),
    /// `count` tocks, then the process.
    Delayed {
        tock: NameId,
        count: Op,
        process: Op,
        site: ExprId,
    },
}

/// A set of events, to which a timed section adds its `tock`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct EventsOp {
    pub set: Op,
    pub tock: Option<NameId>,
    pub site: ExprId,
}

/// `event fields -> process`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Prefix {
    pub event: Op,
    pub fields: Box<[Field]>,
    pub process: Op,
    /// Whether the process is the same whatever the fields bind.
    pub is_uniform: bool,
    /// Whether a field needs what one before it binds.
    pub has_dependent_fields: bool,
    pub timing: Option<Timing>,
    pub site: ExprId,
}

/// In a timed section: how long each event takes.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Timing {
    pub tock: NameId,
    pub duration: Option<Op>,
}

/// A field of a prefix.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum Field {
    Output(Op, ExprId),
    /// `?pattern:set`.
    From(Choice, Pattern, Op, ExprId),
    /// `?pattern`, part by part.
    Any(Choice, Box<[FieldPart]>, Span),
}

/// Kinds of fields, by the side that chooses the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    /// The environment.
    External,
    /// The process.
    Internal,
}

/// A part of an input pattern.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum FieldPart {
    Head(NameId),
    Pattern(Pattern),
}

/// `op steps @ process`.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct Replicated {
    pub op: ReplicatedOp,
    pub steps: Box<[Step]>,
    pub process: Op,
    /// The `tock` of a timed section.
    pub tock: Option<NameId>,
    /// The process without operands, in a timed section.
    pub empty: Option<Op>,
    pub site: ExprId,
}

/// The operator of a replicated process.
#[derive(Debug)]
#[allow(missing_docs)]
pub enum ReplicatedOp {
    ExternalChoice,
    InternalChoice,
    Interleave,
    Sequential,
    AlphaParallel(EventsOp),
    Parallel(EventsOp),
    SyncChoice(EventsOp),
    Link(TiesOp),
}

/// Pairs of events with the steps that range over them.
#[derive(Debug)]
#[allow(missing_docs)]
pub struct TiesOp {
    pub steps: Box<[Step]>,
    pub pairs: Box<[(Op, Op, ExprId)]>,
    pub site: ExprId,
}
