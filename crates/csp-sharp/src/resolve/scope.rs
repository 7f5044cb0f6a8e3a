//! Scopes of definitions and programs.

use crate::syntax::Name;
use csp_sharp_runtime::code::{ExprId, Slot, Type, VariableId};
use source::Span;
use std::sync::Arc;

/// Kinds of slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum SlotKind {
    Parameter,
    Index,
    Input,
}

impl SlotKind {
    pub(super) fn text(self) -> &'static str {
        match self {
            SlotKind::Parameter => "a parameter",
            SlotKind::Index => "an index",
            SlotKind::Input => "a received value",
        }
    }
}

/// The meaning of a local name.
#[derive(Clone, Copy, Debug)]
pub(super) enum Binding {
    Slot(Slot, SlotKind),
    Local(u32, Type),
    /// A local array of the current program.
    Array(VariableId),
    /// An argument of a macro.
    Value(ExprId),
}

/// Captures of a program from the surrounding definition.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// Parameters and elements of them, their text, and the local variables that hold their values.
    pub(super) captured: Vec<(ExprId, Arc<str>, u32)>,
    pub(super) n_locals: u32,
    /// Local arrays: variables that are all zeros between steps.
    pub(super) arrays: Vec<VariableId>,
}

/// The visible local names.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    names: Vec<(Arc<str>, Binding, Span)>,
    n_slots: usize,
    /// The captures of the current program, if there is one.
    pub(super) frame: Option<Frame>,
}

impl Scope {
    pub(super) fn get(&self, name: &str) -> Option<(Binding, Span)> {
        self.names.iter().rev().find(|(known, ..)| &**known == name).map(|(_, binding, span)| (*binding, *span))
    }

    pub(super) fn names(&self) -> impl Iterator<Item = Arc<str>> + '_ {
        self.names.iter().map(|(name, ..)| name.clone())
    }

    /// Binds a name to a new slot; `None` if there are too many.
    pub(super) fn bind(&mut self, name: &Name, kind: SlotKind) -> Option<Slot> {
        if self.n_slots >= Slot::MAX {
            return None;
        }
        let slot = Slot(self.n_slots as u8);
        self.n_slots += 1;
        self.names.push((name.text.clone(), Binding::Slot(slot, kind), name.span));
        Some(slot)
    }

    pub(super) fn bind_value(&mut self, name: &Name, value: ExprId) {
        self.names.push((name.text.clone(), Binding::Value(value), name.span));
    }

    /// The local variable of the current program that captures a parameter, or an element of one.
    pub(super) fn capture(&mut self, value: ExprId, text: Arc<str>) -> Option<u32> {
        let frame = self.frame.as_mut()?;
        if let Some((_, _, local)) = frame.captured.iter().find(|(known, ..)| *known == value) {
            return Some(*local);
        }
        let local = frame.n_locals;
        frame.n_locals += 1;
        frame.captured.push((value, text, local));
        Some(local)
    }

    pub(super) fn bind_local(&mut self, name: &Name, ty: Type) -> u32 {
        let frame = self.frame.as_mut().expect("local variables are those of programs");
        let local = frame.n_locals;
        frame.n_locals += 1;
        self.names.push((name.text.clone(), Binding::Local(local, ty), name.span));
        local
    }

    pub(super) fn bind_array(&mut self, name: &Name, array: VariableId) {
        let frame = self.frame.as_mut().expect("local arrays are those of programs");
        frame.arrays.push(array);
        self.names.push((name.text.clone(), Binding::Array(array), name.span));
    }

    pub(super) fn mark(&self) -> usize {
        self.names.len()
    }

    /// Removes the names that were bound since `mark`.
    pub(super) fn reset(&mut self, mark: usize) {
        self.names.truncate(mark);
    }

    /// Hides all names but keeps the slots, for the body of a macro.
    pub(super) fn hide_names(&mut self) -> Vec<(Arc<str>, Binding, Span)> {
        std::mem::take(&mut self.names)
    }

    pub(super) fn restore(&mut self, names: Vec<(Arc<str>, Binding, Span)>) {
        self.names = names;
    }
}
