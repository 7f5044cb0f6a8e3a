//! Labels of transitions with participants and fairness marks.

use crate::Strength;
use lts::Label;
use model::network::ProcessId;
use model::participants::Marks;

/// A transition without its source and target.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Action {
    /// The event, tau or tick.
    pub label: Label,
    /// The processes that take part, in ascending order; empty if they are unknown.
    pub parts: Box<[ProcessId]>,
    /// Fairness marks of the script.
    pub marks: Marks,
    /// Whether time may pass before it.
    pub takes_time: bool,
}

impl Action {
    /// The label of the end of a run, which no transition has.
    const END_LABEL: Label = Label(u32::MAX);

    /// An action of which only the label is known.
    pub fn of(label: Label) -> Action {
        Action { label, parts: Box::new([]), marks: Marks::NONE, takes_time: false }
    }

    /// The pseudo-action by which a maximal finite run ends. It is no transition of the system.
    pub fn end() -> Action {
        Action::of(Action::END_LABEL)
    }

    /// Whether this is the pseudo-action [`Action::end`].
    pub fn is_end(&self) -> bool {
        self.label == Action::END_LABEL
    }

    /// Whether a mark of this strength demands fairness for the event. Tau is no event.
    pub fn is_marked(&self, strength: Strength) -> bool {
        self.label != Label::TAU
            && match strength {
                Strength::Weak => self.marks.weak,
                Strength::Strong => self.marks.strong,
                Strength::Unconditional => false,
            }
    }
}
