//! Moves whose conditions and effects are expressions: steps of a term under any valuation.

use crate::code::{AttachedCode, ExprId, ProgramId, TermId};
use crate::run::{GuardId, TeamId};
use lts::Label;
use std::sync::Arc;

/// What is asked before a move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Condition {
    True(ExprId),
    False(ExprId),
    /// An expression has a value.
    Is(ExprId, i32),
    /// There is room in a buffer.
    Room(u32),
    /// This message is the first in a buffer.
    First(u32, u32),
    /// Nothing that has a value.
    Wrong,
    /// Nothing that is ever true.
    Never,
}

/// What a move does to variables and buffers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum Effect {
    /// A program runs.
    Run(ProgramId, Arc<[ExprId]>),
    /// A message is put into a buffer.
    Put(u32, u32),
    /// The first message is taken out of a buffer.
    Take(u32),
}

/// What a move is to the operators around it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Sort {
    /// It concerns nobody else.
    Own,
    /// An event without a program.
    Plain,
    /// Termination.
    Tick,
    /// A message, by its channel and its number, that somebody has to take.
    Offer(u32, u32),
    /// The other side of it.
    Taker(u32, u32),
    /// A step that goes wrong.
    Fault,
}

/// Something that can happen. What it makes of a process is a term, or what machines do together.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Move<T> {
    pub(super) conditions: Vec<Condition>,
    pub(super) effects: Vec<Effect>,
    pub(super) label: Label,
    pub(super) sort: Sort,
    pub(super) team: TeamId,
    pub(super) is_atomic: bool,
    /// What clocks have to show before.
    pub(super) guard: GuardId,
    /// Whether no time passes once it is possible.
    pub(super) is_urgent: bool,
    pub(super) change: T,
}

/// Whether a move leaves a choice open.
pub(super) fn is_silent(next: &Move<TermId>) -> bool {
    next.sort == Sort::Own && next.label == Label::TAU
}

pub(super) fn step(label: Label, sort: Sort, change: TermId) -> Move<TermId> {
    Move {
        conditions: Vec::new(),
        effects: Vec::new(),
        label,
        sort,
        team: TeamId::WHOLE,
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
