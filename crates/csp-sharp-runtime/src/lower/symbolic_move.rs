//! Symbolic moves: steps of a term under any valuation, with conditions and effects as expressions.

use crate::code::{AttachedCode, ExprId, ProgramId, TermId};
use crate::run::{GuardId, ParticipantsId};
use lts::Label;
use std::sync::Arc;

/// A condition of a move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Condition {
    True(ExprId),
    False(ExprId),
    /// An expression has this value.
    Is(ExprId, i32),
    /// A buffer is not full.
    Room(u32),
    /// The first message of a buffer is this one.
    First(u32, u32),
    /// A condition that faults.
    Wrong,
    /// A condition that is always false.
    Never,
}

/// An effect of a move on variables and buffers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Effect {
    /// Executes a program.
    Run(ProgramId, Arc<[ExprId]>),
    /// Appends a message to a buffer.
    Put(u32, u32),
    /// Removes the first message of a buffer.
    Take(u32),
}

/// The kind of a move, as far as surrounding operators depend on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sort {
    /// Independent of other components.
    Own,
    /// An event without a program, on which components synchronize.
    Plain,
    /// Termination.
    Tick,
    /// The output of a message on a synchronous channel, by channel and message.
    Offer(u32, u32),
    /// The input of a message on a synchronous channel, by channel and message.
    Input(u32, u32),
    /// A fault.
    Fault,
}

/// A symbolic move. Its target is a term, or the joint action of machines.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Move<T> {
    pub(super) conditions: Vec<Condition>,
    pub(super) effects: Vec<Effect>,
    pub(super) label: Label,
    pub(super) sort: Sort,
    pub(super) participants: ParticipantsId,
    pub(super) is_atomic: bool,
    /// The clock guard.
    pub(super) guard: GuardId,
    /// Whether time stops once it is enabled.
    pub(super) is_urgent: bool,
    pub(super) change: T,
}

/// Whether a move does not resolve a choice.
pub(super) fn is_silent(next: &Move<TermId>) -> bool {
    next.sort == Sort::Own && next.label == Label::TAU
}

pub(super) fn step(label: Label, sort: Sort, change: TermId) -> Move<TermId> {
    Move {
        conditions: Vec::new(),
        effects: Vec::new(),
        label,
        sort,
        participants: ParticipantsId::WHOLE,
        is_atomic: false,
        guard: GuardId::NONE,
        is_urgent: false,
        change,
    }
}

pub(super) fn fault(conditions: Vec<Condition>, at: TermId) -> Move<TermId> {
    Move { conditions, ..step(Label::TAU, Sort::Fault, at) }
}

pub(super) fn program(code: Option<&AttachedCode>) -> Vec<Effect> {
    code.map(|code| Effect::Run(code.program, code.arguments.clone())).into_iter().collect()
}
