//! Outgoing messages of one tab, in bounded memory.
//!
//! A tab that does not read must cost little. Events beyond [`MAX_EVENT_BYTES`] bytes are dropped, and the tab receives
//! a message that it is behind and must reload. Answers are not dropped: a tab with more than [`MAX_ANSWER_BYTES`]
//! bytes of pending answers is not served further until it reads.

use limits::input::workbench::{MAX_ANSWER_BYTES, MAX_EVENT_BYTES, MAX_EVENTS};
use serde_json::json;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

/// Queue of one tab.
pub struct Outbox {
    tab: u64,
    queue: Mutex<Queue>,
    changed: Notify,
}

#[derive(Default)]
struct Queue {
    messages: VecDeque<Outgoing>,
    event_bytes: usize,
    n_events: usize,
    answer_bytes: usize,
    /// Whether events were dropped and the tab was not notified yet.
    is_behind: bool,
}

enum Outgoing {
    Answer(String),
    Event(Arc<str>),
    Behind,
}

impl Outbox {
    /// Empty queue of the tab with this number.
    pub fn new(tab: u64) -> Outbox {
        Outbox { tab, queue: Mutex::default(), changed: Notify::new() }
    }

    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().expect("nothing panics while it holds a queue")
    }

    /// Adds an event, unless the tab caused it. One event always fits.
    pub fn event(&self, event: &Arc<str>) {
        if is_from(event, self.tab) {
            return;
        }
        self.queue().add_event(event);
        self.changed.notify_waiters();
    }

    /// Adds an answer.
    pub fn answer(&self, answer: String) {
        let mut queue = self.queue();
        queue.answer_bytes += answer.len();
        queue.messages.push_back(Outgoing::Answer(answer));
        drop(queue);
        self.changed.notify_waiters();
    }

    /// Whether enough of the tab's answers were read for another one.
    pub fn has_room(&self) -> bool {
        self.queue().answer_bytes < MAX_ANSWER_BYTES
    }

    /// Waits for room.
    pub async fn room(&self) {
        loop {
            let changed = self.changed.notified();
            if self.has_room() {
                return;
            }
            changed.await;
        }
    }

    /// Waits for the next message.
    pub async fn next(&self) -> String {
        loop {
            let changed = self.changed.notified();
            if let Some(message) = self.queue().take() {
                self.changed.notify_waiters();
                return message;
            }
            changed.await;
        }
    }
}

impl Queue {
    fn add_event(&mut self, event: &Arc<str>) {
        if self.is_behind {
            return;
        }
        let is_full = self.event_bytes + event.len() > MAX_EVENT_BYTES || self.n_events == MAX_EVENTS;
        if is_full && self.n_events > 0 {
            self.messages.retain(|message| !matches!(message, Outgoing::Event(_)));
            (self.event_bytes, self.n_events, self.is_behind) = (0, 0, true);
            self.messages.push_back(Outgoing::Behind);
            return;
        }
        self.event_bytes += event.len();
        self.n_events += 1;
        self.messages.push_back(Outgoing::Event(Arc::clone(event)));
    }

    fn take(&mut self) -> Option<String> {
        let message = self.messages.pop_front()?;
        Some(match message {
            Outgoing::Answer(text) => {
                self.answer_bytes -= text.len();
                text
            }
            Outgoing::Event(text) => {
                self.event_bytes -= text.len();
                self.n_events -= 1;
                text.to_string()
            }
            Outgoing::Behind => {
                self.is_behind = false;
                json!({ "event": "behind" }).to_string()
            }
        })
    }
}

/// Whether an event reports an action of this tab. Keys are sorted, so the number comes first.
fn is_from(event: &str, tab: u64) -> bool {
    event.starts_with(&format!("{{\"by\":{tab},"))
}
