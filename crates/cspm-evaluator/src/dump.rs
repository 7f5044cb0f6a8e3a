//! Processes as text.
//!
//! The notation is that of the language, bracketed where its precedences ask for it. Calls are written as calls, so
//! the text of a term is finite; terms nested beyond measure are cut.

use super::Evaluator;
use super::value::Value;
use cspm::stack;
use hashbrown::HashMap;
use model::{EventId, EventSet};
use process::{HIDDEN, Relation, Term, TermId, Unfold};
use std::fmt::Write;

/// How tightly the operators bind, loosest first.
mod level {
    pub const REPLICATED: u8 = 1;
    pub const HIDE: u8 = 3;
    pub const INTERLEAVE: u8 = 4;
    pub const PARALLEL: u8 = 5;
    pub const INTERNAL: u8 = 6;
    pub const EXTERNAL: u8 = 7;
    pub const INTERRUPT: u8 = 8;
    pub const SLIDING: u8 = 9;
    pub const SEQUENTIAL: u8 = 10;
    pub const PREFIX: u8 = 11;
    pub const RENAME: u8 = 24;
    pub const ATOM: u8 = 25;
}

/// Events with a common continuation that are written one by one.
const SPELLED_OUT: usize = 4;
/// Terms nested deeper than this are cut.
const MAX_DEPTH: usize = 1000;

/// The pairs of a renaming that also hides, and what it hides.
fn visible_ties(ties: &Relation) -> (Relation, EventSet) {
    let visible = ties.iter().copied().filter(|tie| tie.1 != HIDDEN).collect();
    let hidden = ties.iter().filter(|tie| tie.1 == HIDDEN).map(|tie| tie.0).collect();
    (visible, hidden)
}

impl Evaluator<'_> {
    /// A term inside a value: a call by its name, anything else in full.
    pub(super) fn term_name(&mut self, term: TermId) -> String {
        let mut text = String::new();
        self.write_term(term, 0, 0, &mut text);
        text
    }

    fn write_term(&mut self, id: TermId, around: u8, depth: usize, out: &mut String) {
        // Who asks for the name of a call may have the terms elsewhere.
        let is_elsewhere = id.index() >= self.terms.len();
        if depth > MAX_DEPTH || out.len() > self.longest_text || is_elsewhere {
            out.push_str("...");
            return;
        }
        let term = self.terms.get(id).clone();
        let own = match &term {
            Term::PrefixAny(events, _) if self.whole_channel(events).is_none() => match events.len() {
                0..=SPELLED_OUT => level::EXTERNAL,
                _ => level::REPLICATED,
            },
            term => level_of(term),
        };
        let bracketed = own < around;
        if bracketed {
            out.push('(');
        }
        stack::grow(|| self.write_bare(&term, own, depth + 1, out));
        if bracketed {
            out.push(')');
        }
    }

    fn write_bare(&mut self, term: &Term, own: u8, depth: usize, out: &mut String) {
        match term {
            Term::Stop => out.push_str("STOP"),
            Term::Skip => out.push_str("SKIP"),
            Term::Div => out.push_str("DIV"),
            Term::Chaos(events) => self.write_call("CHAOS", &[Part::Events(events)], depth, out),
            Term::Run(events) => self.write_call("RUN", &[Part::Events(events)], depth, out),
            Term::Call(call) => {
                let text = self.call_text(*call);
                out.push_str(&text);
            }
            Term::Failed(failure) => {
                let title = self.failure(*failure).title.replace('"', "'");
                out.push_str(&format!("error(\"{title}\")"));
            }
            Term::Prefix(event, process) => {
                out.push_str(self.events.text(*event));
                out.push_str(" -> ");
                self.write_term(*process, own, depth, out);
            }
            Term::PrefixAny(events, process) => self.write_offer(events, *process, depth, out),
            // A choice inside a choice is part of it.
            Term::ExternalChoice(operands) => self.write_chain(operands, "[]", own - 1, depth, out),
            Term::InternalChoice(operands) => self.write_chain(operands, "|~|", own, depth, out),
            Term::SlidingChoice(left, right) => self.write_chain(&[*left, *right], "[>", own, depth, out),
            Term::Sequential(left, right) => self.write_chain(&[*left, *right], ";", own, depth, out),
            Term::Interrupt(left, right) => self.write_chain(&[*left, *right], "/\\", own, depth, out),
            Term::Exception(left, events, right) => {
                let op = format!("[|{}|>", self.event_set_text(events));
                self.write_chain(&[*left, *right], &op, own, depth, out);
            }
            Term::Interleave(operands) => self.write_chain(operands, "|||", own, depth, out),
            Term::Parallel(operands, events) => {
                let op = format!("[|{}|]", self.event_set_text(events));
                self.write_chain(operands, &op, own, depth, out);
            }
            Term::AlphaParallel(operands) => self.write_alphabetized(operands, own, depth, out),
            Term::Link(left, ties, right) => {
                let op = format!("[{}]", self.ties_text(ties, "<->"));
                self.write_chain(&[*left, *right], &op, own, depth, out);
            }
            Term::Hide(process, events) => self.write_with_set(*process, "\\", events, own, depth, out),
            Term::Project(process, events) => self.write_with_set(*process, "|\\", events, own, depth, out),
            Term::Rename(process, ties) => {
                let (ties, hidden) = visible_ties(ties);
                if hidden.is_empty() {
                    self.write_term(*process, own, depth, out);
                } else {
                    out.push('(');
                    self.write_with_set(*process, "\\", &hidden, level::HIDE, depth, out);
                    out.push(')');
                }
                if !ties.is_empty() {
                    let text = format!("[[{}]]", self.ties_text(&ties, "<-"));
                    out.push_str(&text);
                }
            }
            Term::SyncChoice(operands, events) => {
                let op = format!("[+{}+]", self.event_set_text(events));
                self.write_chain(operands, &op, own, depth, out);
            }
            Term::SyncInterrupt(left, events, right) => {
                let op = format!("/+{}+\\", self.event_set_text(events));
                self.write_chain(&[*left, *right], &op, own, depth, out);
            }
            _ => self.write_function(term, depth, out),
        }
    }

    /// Terms that are written as calls of predefined functions.
    fn write_function(&mut self, term: &Term, depth: usize, out: &mut String) {
        match term {
            Term::Prioritise(process, levels) => {
                self.write_call("prioritise", &[Part::Term(*process), Part::Levels(levels)], depth, out);
            }
            Term::PrioritiseBy(process, order) => {
                let parts = [
                    Part::Term(*process),
                    Part::Events(&order.events),
                    Part::Pairs(&order.above),
                    Part::Events(&order.maximal),
                ];
                self.write_call("prioritisepo", &parts, depth, out);
            }
            Term::Buffer(capacity, pairs) => {
                self.write_call("BUFFER", &[Part::Number(*capacity), Part::Pairs(pairs)], depth, out);
            }
            Term::WeakBuffer(capacity, full, pairs) => {
                let parts = [Part::Number(*capacity), Part::Event(*full), Part::Pairs(pairs)];
                self.write_call("WEAK_BUFFER", &parts, depth, out);
            }
            Term::SignalBuffer(capacity, full, empty, pairs) => {
                let parts = [Part::Number(*capacity), Part::Event(*full), Part::Event(*empty), Part::Pairs(pairs)];
                self.write_call("SIGNAL_BUFFER", &parts, depth, out);
            }
            Term::Loop(process) => self.write_call("loop", &[Part::Term(*process)], depth, out),
            Term::Compressed(compression, process) => {
                self.write_call(compression.name(), &[Part::Term(*process)], depth, out);
            }
            Term::TraceWatchdog(process, events, alarm) => {
                let parts = [Part::Term(*process), Part::Events(events), Part::Event(*alarm)];
                self.write_call("trace_watchdog", &parts, depth, out);
            }
            Term::FailureWatchdog(process, events, alarm) => {
                let parts = [Part::Term(*process), Part::Events(events), Part::Event(*alarm)];
                self.write_call("failure_watchdog", &parts, depth, out);
            }
            // What a running process has become, which no expression spells.
            _ => out.push_str("..."),
        }
    }

    fn write_call(&mut self, name: &str, parts: &[Part], depth: usize, out: &mut String) {
        out.push_str(name);
        out.push('(');
        for (index, part) in parts.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { ", " });
            match part {
                Part::Term(term) => self.write_term(*term, 0, depth, out),
                Part::Events(events) => out.push_str(&self.event_set_text(events)),
                Part::Event(event) => out.push_str(self.events.text(*event)),
                Part::Number(number) => drop(write!(out, "{number}")),
                Part::Levels(levels) => {
                    let levels: Vec<String> = levels.iter().map(|level| self.event_set_text(level)).collect();
                    out.push_str(&format!("<{}>", levels.join(",")));
                }
                Part::Pairs(pairs) => {
                    let pair =
                        |&(a, b): &(EventId, EventId)| format!("({},{})", self.events.text(a), self.events.text(b));
                    let pairs: Vec<String> = pairs.iter().map(pair).collect();
                    out.push_str(&format!("{{{}}}", pairs.join(",")));
                }
            }
        }
        out.push(')');
    }

    fn write_chain(&mut self, operands: &[TermId], op: &str, own: u8, depth: usize, out: &mut String) {
        if operands.is_empty() {
            // Only parallel operators can be without operands.
            out.push_str(op);
            out.push_str(" _:{} @ STOP");
            return;
        }
        for (index, &operand) in operands.iter().enumerate() {
            if index > 0 {
                out.push(' ');
                out.push_str(op);
                out.push(' ');
            }
            self.write_term(operand, own + 1, depth, out);
        }
    }

    fn write_with_set(&mut self, term: TermId, op: &str, events: &EventSet, own: u8, depth: usize, out: &mut String) {
        self.write_term(term, own, depth, out);
        let events = self.event_set_text(events);
        out.push_str(&format!(" {op} {events}"));
    }

    fn write_alphabetized(&mut self, operands: &[(TermId, EventSet)], own: u8, depth: usize, out: &mut String) {
        if let [(left, a), (right, b)] = operands {
            let op = format!("[{} || {}]", self.event_set_text(a), self.event_set_text(b));
            self.write_chain(&[*left, *right], &op, own, depth, out);
            return;
        }
        out.push_str("|| (a,p):{");
        for (index, (process, alphabet)) in operands.iter().enumerate() {
            out.push_str(if index == 0 { "(" } else { ", (" });
            out.push_str(&self.event_set_text(alphabet));
            out.push_str(", ");
            self.write_term(*process, 0, depth, out);
            out.push(')');
        }
        out.push_str("} @ [a] p");
    }

    fn ties_text(&self, ties: &Relation, arrow: &str) -> String {
        let tie = |&(a, b): &(EventId, EventId)| format!("{} {arrow} {}", self.events.text(a), self.events.text(b));
        ties.iter().map(tie).collect::<Vec<_>>().join(", ")
    }

    /// A set of events; channels of which all events are there are written once.
    fn event_set_text(&mut self, events: &EventSet) -> String {
        let parts = self.event_set_parts(events);
        let whole = parts.iter().any(|(_, is_whole)| *is_whole);
        let texts: Vec<&str> = parts.iter().map(|(text, _)| text.as_str()).collect();
        if whole { format!("{{|{}|}}", texts.join(",")) } else { format!("{{{}}}", texts.join(",")) }
    }

    /// An offer of several events with a common continuation: as an input where they are all events of one channel, as
    /// a choice where they are few.
    fn write_offer(&mut self, events: &EventSet, process: TermId, depth: usize, out: &mut String) {
        let starts = match self.whole_channel(events) {
            Some(channel) => vec![format!("{channel}?_")],
            None if events.len() <= SPELLED_OUT => {
                events.iter().map(|&event| self.events.text(event).to_owned()).collect()
            }
            None => vec![format!("[] e:{} @ e", self.event_set_text(events))],
        };
        for (index, start) in starts.iter().enumerate() {
            out.push_str(if index == 0 { "" } else { " [] " });
            out.push_str(start);
            out.push_str(" -> ");
            self.write_term(process, level::PREFIX, depth, out);
        }
    }

    /// The channel whose events these are, all of them.
    fn whole_channel(&mut self, events: &EventSet) -> Option<String> {
        match &self.event_set_parts(events)[..] {
            [(channel, true)] => Some(channel.clone()),
            _ => None,
        }
    }

    fn event_set_parts(&mut self, events: &EventSet) -> Vec<(String, bool)> {
        let mut by_channel: HashMap<Option<cspm::resolve::NameId>, usize> = HashMap::new();
        let values: Vec<Option<Value>> = events.iter().map(|&event| self.event_numbers.value(event).cloned()).collect();
        for value in values.iter().flatten() {
            *by_channel.entry(value.head()).or_default() += 1;
        }
        let mut parts = Vec::new();
        for (event, value) in events.iter().zip(&values) {
            let head = value.as_ref().and_then(Value::head);
            let count = by_channel.get(&head).copied().unwrap_or(0);
            if count == usize::MAX {
                continue;
            }
            match head {
                Some(channel)
                    if value.as_ref().is_some_and(|value| !value.fields().is_empty())
                        && self.is_whole_channel(channel, count) =>
                {
                    by_channel.insert(head, usize::MAX);
                    parts.push((self.resolved().name(channel).qualified.to_string(), true));
                }
                _ => parts.push((self.events.text(*event).to_string(), false)),
            }
        }
        parts
    }

    fn is_whole_channel(&mut self, channel: cspm::resolve::NameId, count: usize) -> bool {
        let Ok(all) = self.all_of(channel) else { return false };
        self.prepare(&all).is_ok() && super::set::cardinality(&all, &self.watch).is_ok_and(|all| all == count as u128)
    }
}

/// An argument of a function on processes.
enum Part<'t> {
    Term(TermId),
    Events(&'t EventSet),
    Event(EventId),
    Number(u32),
    Levels(&'t [EventSet]),
    Pairs(&'t Relation),
}

fn level_of(term: &Term) -> u8 {
    match term {
        Term::Hide(..) | Term::Project(..) => level::HIDE,
        Term::Interleave(_) => level::INTERLEAVE,
        Term::Parallel(..) | Term::AlphaParallel(_) | Term::Link(..) | Term::Exception(..) => level::PARALLEL,
        Term::InternalChoice(_) => level::INTERNAL,
        Term::ExternalChoice(_) | Term::SyncChoice(..) => level::EXTERNAL,
        Term::Interrupt(..) | Term::SyncInterrupt(..) => level::INTERRUPT,
        Term::SlidingChoice(..) => level::SLIDING,
        Term::Sequential(..) => level::SEQUENTIAL,
        Term::Prefix(..) | Term::PrefixAny(..) => level::PREFIX,
        Term::Rename(..) => level::RENAME,
        _ => level::ATOM,
    }
}
