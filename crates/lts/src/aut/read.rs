//! Parser of the Aldebaran format, for complete texts and for streams.

use super::line::{Header, Step, parse_header, parse_step, scan_step};
use super::recent::Recent;
use crate::{Builder, Label, Labels, Lts, StateId};
use std::fmt;

/// Reads a whole text. Labels are added to `labels`, so that several systems can share them.
pub fn read(text: &[u8], labels: &mut Labels) -> Result<Lts, ReadError> {
    let mut reader = Reader::new(labels);
    reader.feed(text)?;
    reader.finish()
}

/// A syntax error.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, counted from 1.
    pub line: usize,
    /// The byte in that line, counted from 1.
    pub column: usize,
    /// The expected token.
    pub expected: Expected,
}

/// An expected token or property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// The first line, `des (initial, transitions, states)`.
    Header,
    /// A line `(source, label, target)`.
    Step,
    /// `(`.
    Open,
    /// `)` at the end of the line.
    Close,
    /// `,`.
    Comma,
    /// A label.
    Label,
    /// `"` at the end of a label that begins with one.
    Quote,
    /// A count.
    Number,
    /// The number of a state.
    State,
    /// A number within the supported range.
    SmallerNumber,
    /// A state below the number of states in the header.
    StateBelow(u64),
    /// As many steps as the header says, where the text has the second number of them.
    Transitions(u64, u64),
    /// States with steps: only few of the states that the header announces have any.
    ConnectedStates,
    /// Text in UTF-8.
    Utf8,
    /// The end of the line.
    LineEnd,
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::Header => f.write_str("expected the header `des (initial, transitions, states)`"),
            Expected::Step => f.write_str("expected a step `(source, \"label\", target)`"),
            Expected::Open => f.write_str("expected `(`"),
            Expected::Close => f.write_str("expected `)` at the end of the line"),
            Expected::Comma => f.write_str("expected `,`"),
            Expected::Label => f.write_str("expected a label"),
            Expected::Quote => f.write_str("expected `\"` at the end of the label"),
            Expected::Number => f.write_str("expected a number"),
            Expected::State => f.write_str("expected the number of a state"),
            Expected::SmallerNumber => f.write_str("expected a smaller number"),
            Expected::StateBelow(n_states) => write!(f, "expected a state below {n_states}, as the header says"),
            Expected::Transitions(announced, found) => {
                write!(f, "expected {announced} steps, as the header says, but there are {found}")
            }
            Expected::ConnectedStates => f.write_str("expected steps for most of the states that the header announces"),
            Expected::Utf8 => f.write_str("expected a label in UTF-8"),
            Expected::LineEnd => f.write_str("expected the end of the line"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: {}", self.line, self.column, self.expected)
    }
}

impl std::error::Error for ReadError {}

/// A parser of a stream of text, which is never in memory as a whole.
#[derive(Debug)]
pub struct Reader<'l> {
    labels: &'l mut Labels,
    recent: Recent,
    builder: Builder,
    header: Option<Header>,
    n_lines: usize,
    n_transitions: u64,
    /// The beginning of a line that continues in the next piece.
    unfinished: Vec<u8>,
}

impl<'l> Reader<'l> {
    /// A parser at the start of a text, which will add labels to `labels`.
    pub fn new(labels: &'l mut Labels) -> Reader<'l> {
        let builder = Builder::new();
        Reader {
            labels,
            recent: Recent::new(),
            builder,
            header: None,
            n_lines: 0,
            n_transitions: 0,
            unfinished: Vec::new(),
        }
    }

    /// Takes the next piece of the text; it may end anywhere.
    pub fn feed(&mut self, mut piece: &[u8]) -> Result<(), ReadError> {
        if !self.unfinished.is_empty() {
            let Some(end) = piece.iter().position(|&byte| byte == b'\n') else {
                self.unfinished.extend_from_slice(piece);
                return Ok(());
            };
            let mut line = std::mem::take(&mut self.unfinished);
            line.extend_from_slice(&piece[..end]);
            self.take_line(&line)?;
            piece = &piece[end + 1..];
        }
        let end = piece.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
        self.take_lines(&piece[..end])?;
        self.unfinished.extend_from_slice(&piece[end..]);
        Ok(())
    }

    /// The system, if the text was complete.
    pub fn finish(mut self) -> Result<Lts, ReadError> {
        if !self.unfinished.is_empty() {
            let line = std::mem::take(&mut self.unfinished);
            self.take_line(&line)?;
        }
        let at_end = |expected| ReadError { line: self.n_lines + 1, column: 1, expected };
        let header = self.header.ok_or(at_end(Expected::Header))?;
        if header.n_transitions != self.n_transitions {
            return Err(at_end(Expected::Transitions(header.n_transitions, self.n_transitions)));
        }
        // A system may have isolated states, but a few bytes of text must not cost gigabytes of memory.
        let n_states = header.n_states.max(1);
        if n_states > (1 << 20) && n_states / 16 > self.n_transitions {
            return Err(ReadError { line: 1, column: 1, expected: Expected::ConnectedStates });
        }
        self.builder.add_state(StateId((n_states - 1) as u32));
        Ok(self.builder.finish(StateId(header.initial)))
    }

    /// Parses complete lines.
    fn take_lines(&mut self, mut text: &[u8]) -> Result<(), ReadError> {
        while !text.is_empty() {
            let scanned = if self.header.is_some() { scan_step(text) } else { None };
            if let Some((step, length)) = scanned {
                self.n_lines += 1;
                self.add(step)?;
                text = &text[length..];
            } else {
                let end = text.iter().position(|&byte| byte == b'\n').unwrap_or(text.len());
                self.take_line(&text[..end])?;
                text = text.get(end + 1..).unwrap_or_default();
            }
        }
        Ok(())
    }

    fn take_line(&mut self, line: &[u8]) -> Result<(), ReadError> {
        self.n_lines += 1;
        if line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        let here = self.n_lines;
        let locate = |(place, expected)| ReadError { line: here, column: place + 1, expected };
        if self.header.is_none() {
            let header = parse_header(line).map_err(locate)?;
            if u64::from(header.initial) >= header.n_states.max(1) {
                return Err(locate((0, Expected::StateBelow(header.n_states))));
            }
            if header.n_states > u64::from(u32::MAX) || header.n_transitions > u64::from(u32::MAX) {
                return Err(locate((0, Expected::SmallerNumber)));
            }
            self.builder.reserve((header.n_transitions as usize).min(1 << 24));
            self.header = Some(header);
            return Ok(());
        }
        let step = parse_step(line).map_err(locate)?;
        self.add(step)
    }

    fn add(&mut self, step: Step<'_>) -> Result<(), ReadError> {
        let fail = |expected| ReadError { line: self.n_lines, column: 1, expected };
        let n_states = self.header.map_or(0, |header| header.n_states);
        if u64::from(step.source.max(step.target)) >= n_states {
            return Err(fail(Expected::StateBelow(n_states)));
        }
        self.n_transitions += 1;
        if self.n_transitions > u64::from(u32::MAX) {
            return Err(fail(Expected::SmallerNumber));
        }
        let label = match self.recent.find(step.label, self.labels) {
            _ if step.label == b"i" => Label::TAU,
            _ if step.label == b"tick" => Label::TICK,
            Some(label) => label,
            None => {
                let name = std::str::from_utf8(step.label).map_err(|_| fail(Expected::Utf8))?;
                self.labels.intern(name)
            }
        };
        self.builder.add(StateId(step.source), label, StateId(step.target));
        Ok(())
    }
}
