//! Names of labels.

use lts::Label;
use model::{EventId, EventTable};

/// The name of an event, `tau` or `tick`.
pub(crate) fn label_text(events: &EventTable, label: Label) -> String {
    match label {
        Label::TAU => "tau".to_owned(),
        Label::TICK => "tick".to_owned(),
        label => events.text(EventId::of(label).expect("all other labels are events")).to_owned(),
    }
}
