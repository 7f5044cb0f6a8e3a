//! Names of labels.

use lts::Label;
use model::{EventId, EventTable};

/// The name of an event, `tau` or `tick`.
pub(crate) fn label_text(events: &EventTable, label: Label) -> String {
    match label {
        Label::TAU => "tau".to_owned(),
        Label::TICK => "tick".to_owned(),
        Label(number) => events.text(EventId(number - 2)).to_owned(),
    }
}

/// The event of a label, if it is one.
pub(crate) fn event_of(label: Label) -> Option<EventId> {
    label.0.checked_sub(2).map(EventId)
}
