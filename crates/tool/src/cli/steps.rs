//! Table of the steps of a run: a row for each, a column for each component that participates in one, and then the
//! truth values of subformulas.

use super::args::{Look, StepsName};
use super::chart;
use super::temporal::{self, Truth};
use super::verdict::{INDENT, LINE_WIDTH, shortened};
use analysis::Session;
use analysis::check::{Counterexample, Part, Step, Time, TimeAtEnd};
use limits::display::steps::MAX_STEPS;
use std::fmt::Write;
use std::ops::Range;

/// Short names of columns whose headings are too long.
const LETTERS: [&str; 8] = ["p", "q", "r", "s", "t", "u", "v", "w"];

/// Prints the steps of a run, unless its trace shows them already.
pub fn write_steps(text: &mut String, session: &Session, found: &Counterexample, look: Look) {
    if look.steps == StepsName::Chart {
        for line in chart::without_words(found).text().lines() {
            let _ = writeln!(text, "{INDENT}{line}");
        }
        return;
    }
    let shown = Shown::new(found, look);
    if shown.steps.is_empty() || !look.all_steps && shown.is_in_trace && shown.truths.is_empty() {
        return;
    }
    if shown.first > 0 {
        let _ = writeln!(text, "{INDENT}  ... {} steps before; --all-steps shows them", shown.first);
    }
    let layouts = [Layout::Full, Layout::Letters, Layout::List];
    let is_better = |layout: &&Layout| **layout != Layout::Letters || !shown.truths.is_empty();
    let mut tables = layouts.iter().filter(is_better).map(|&layout| (layout, shown.table(session, layout)));
    let is_table = look.steps == StepsName::Table;
    let fits = |(layout, table): &(Layout, Table)| {
        *layout == Layout::List || is_table && table.width() <= LINE_WIDTH - INDENT.len()
    };
    let (layout, table) = tables.find(fits).expect("a list always fits");
    table.write(text, layout != Layout::List || !shown.truths.is_empty());
    if layout != Layout::Full {
        for (truth, letter) in shown.truths.iter().zip(LETTERS) {
            let _ = writeln!(text, "{INDENT}{letter:<4}  {}", truth.formula);
        }
    }
    if shown.repeats() {
        let _ = writeln!(text, "{INDENT}*  these steps repeat for ever{}", round(found));
    }
}

/// Duration of the loop.
fn round(found: &Counterexample) -> String {
    match found.time {
        Some(TimeAtEnd::Repeats(round)) if round == Time::default() => {
            ", and no time passes: the run is Zeno".to_owned()
        }
        Some(TimeAtEnd::Repeats(round)) => format!(", each round in {round} units of time"),
        _ => String::new(),
    }
}

/// Times at which the steps of a run happen.
fn times(found: &Counterexample) -> Vec<Time> {
    let mut now = Time::default();
    let after = found.steps.iter().map(|step| {
        now += step.delay.unwrap_or_default();
        now
    });
    after.collect()
}

/// Rows of steps: internal steps that `chase` follows share a row, unless all steps are requested.
fn rows(steps: &[Step], all: bool) -> Vec<Range<usize>> {
    let mut rows: Vec<Range<usize>> = Vec::new();
    for (place, step) in steps.iter().enumerate() {
        let continues = |row: &&mut Range<usize>| !all && step.is_followed && steps[row.start].is_followed;
        match rows.last_mut().filter(continues) {
            Some(row) => row.end += 1,
            None => rows.push(place..place + 1),
        }
    }
    rows
}

/// Layout for the available width.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// Every column with its heading.
    Full,
    /// Subformulas abbreviated by letters.
    Letters,
    /// Subformulas abbreviated, and the participants of a step in one column.
    List,
}

/// Part of a run that is printed.
struct Shown<'a> {
    found: &'a Counterexample,
    /// First step that is printed.
    first: usize,
    steps: &'a [Step],
    /// Contents of each row: a step, or several consecutive ones that `chase` follows.
    rows: Vec<Range<usize>>,
    movers: Vec<usize>,
    is_in_trace: bool,
    truths: Vec<Truth>,
}

impl<'a> Shown<'a> {
    fn new(found: &'a Counterexample, look: Look) -> Shown<'a> {
        let end = found.steps.len();
        let mut rows = rows(&found.steps, look.all_steps);
        if !look.all_steps {
            rows.drain(..rows.len().saturating_sub(MAX_STEPS));
        }
        let first = rows.first().map_or(end, |row| row.start);
        let steps = &found.steps[first..];
        let mut movers: Vec<usize> = steps.iter().flat_map(|step| &step.parts).map(|part| part.component).collect();
        movers.sort_unstable();
        movers.dedup();
        let is_timed = steps.iter().any(|step| step.delay.is_some());
        let is_in_trace = movers.len() < 2 && steps.iter().all(|step| step.is_visible) && !is_timed;
        let mut truths = temporal::truths(found);
        if temporal::is_prefix(found) {
            // In a truncated run, a subformula that is never true is of no interest.
            let is_true = |value: Option<bool>| value == Some(true);
            truths.retain(|truth| {
                first == 0 && is_true(truth.at_start()) || (first..=end).any(|place| is_true(truth.at(place)))
            });
        }
        Shown { found, first, steps, rows, movers, is_in_trace, truths }
    }

    fn repeats(&self) -> bool {
        self.found.repeated_from().is_some_and(|start| start < self.first + self.steps.len())
    }

    /// Number of a step from 1, with a mark if it repeats.
    fn number(&self, row: &Range<usize>) -> String {
        let repeats = self.found.repeated_from().is_some_and(|start| row.start >= start);
        let last = if row.len() > 1 { format!("-{}", row.end) } else { String::new() };
        format!("{}{last}{}", row.start + 1, if repeats { " *" } else { "" })
    }

    /// Cell for each row; several steps in one row are summarized. The initial row has none.
    fn cells(&self, one: impl Fn(&Step) -> String, several: impl Fn(usize) -> String) -> Vec<String> {
        let start = self.has_start().then(String::new);
        let cell = |row: &Range<usize>| match row.len() {
            1 => one(&self.found.steps[row.start]),
            n_steps => several(n_steps),
        };
        start.into_iter().chain(self.rows.iter().map(cell)).collect()
    }

    /// Whether a formula has a value at the initial position, which no step leads to.
    fn has_start(&self) -> bool {
        self.first == 0 && self.truths.iter().any(|truth| truth.at_start().is_some())
    }

    /// Whether a formula has a value at the final position.
    fn has_end(&self) -> bool {
        let end = self.found.steps.len();
        self.first + self.steps.len() == end && self.truths.iter().any(|truth| truth.at(end).is_some())
    }

    fn table(&self, session: &Session, layout: Layout) -> Table {
        let is_list = layout == Layout::List;
        let mut table = Table { columns: Vec::new() };
        let places = self.first..self.first + self.steps.len();
        let start = self.has_start().then(|| "start".to_owned());
        let end = self.has_end().then(|| "end".to_owned());
        let numbers = self.rows.iter().map(|row| self.number(row));
        table.add("step", start.into_iter().chain(numbers).chain(end).collect());
        if self.steps.iter().any(|step| step.delay.is_some()) {
            let times = times(self.found);
            let start = self.has_start().then(String::new).into_iter();
            table.add("time", start.chain(self.rows.iter().map(|row| times[row.start].to_string())).collect());
            let delay = |step: &Step| match step.delay {
                Some(delay) if delay > Time::default() => format!("+{delay}"),
                _ => String::new(),
            };
            table.add("", self.cells(delay, |_| String::new()));
        }
        let event = |step: &Step| if is_list { what(step) } else { step.event.clone() };
        table.add("event", self.cells(event, |n_steps| format!("{n_steps} tau, chased")));
        for &mover in self.movers.iter().filter(|_| !is_list && !self.is_in_trace) {
            let component = &self.found.components[mover];
            let line = component.place.map(|place| format!("line {}", session.source_map().position(place).line));
            table.add(&shortened(&component.name, 24), self.cells(|step| by(step, mover), |_| String::new()));
            table.columns.last_mut().expect("it was added").heads[1] = line.unwrap_or_default();
        }
        for (truth, letter) in self.truths.iter().zip(LETTERS) {
            let head = if layout == Layout::Full { truth.formula.as_str() } else { letter };
            let cell = |value: Option<bool>| value.map_or("", |value| if value { "T" } else { "." }).to_owned();
            let start = self.has_start().then(|| truth.at_start());
            // Of several steps in one row, the last one determines the value.
            let values = self.rows.iter().map(|row| row.clone().filter_map(|place| truth.at(place)).next());
            table.add(head, start.into_iter().chain(values).chain([truth.at(places.end)]).map(cell).collect());
        }
        if is_list {
            table.add("", self.cells(|step| participants(self.found, step), |_| String::new()));
        }
        table
    }
}

struct Table {
    columns: Vec<Column>,
}

struct Column {
    heads: [String; 2],
    cells: Vec<String>,
}

impl Column {
    fn width(&self) -> usize {
        self.heads.iter().chain(&self.cells).map(|cell| cell.chars().count()).max().unwrap_or(0)
    }
}

impl Table {
    fn add(&mut self, head: &str, cells: Vec<String>) {
        self.columns.push(Column { heads: [head.to_owned(), String::new()], cells });
    }

    fn width(&self) -> usize {
        self.columns.iter().map(|column| column.width() + 2).sum()
    }

    fn write(&self, text: &mut String, has_heads: bool) {
        if has_heads {
            self.write_line(text, |column| &column.heads[0]);
            if self.columns.iter().any(|column| !column.heads[1].is_empty()) {
                self.write_line(text, |column| &column.heads[1]);
            }
        }
        for row in 0..self.columns[0].cells.len() {
            self.write_line(text, |column| column.cells.get(row).map_or("", String::as_str));
        }
    }

    fn write_line<'t>(&'t self, text: &mut String, cell: impl Fn(&'t Column) -> &'t str) {
        let mut line = String::from(INDENT);
        for column in &self.columns {
            let _ = write!(line, "{:<width$}  ", cell(column), width = column.width().min(LINE_WIDTH / 2));
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

/// Action of a component in a step.
fn by(step: &Step, mover: usize) -> String {
    let parts = step.parts.iter().filter(|part| part.component == mover);
    parts.map(|part| part.event.as_str()).collect::<Vec<_>>().join(" ")
}

/// Event of a step; for a hidden one, with its name.
fn what(step: &Step) -> String {
    match step.parts.as_slice() {
        [first, ..] if !step.is_visible && first.event != step.event => format!("tau ({})", first.event),
        _ => step.event.clone(),
    }
}

fn participants(found: &Counterexample, step: &Step) -> String {
    let hidden = step.parts.first().map_or("", |part| part.event.as_str());
    let part = |part: &Part| {
        let name = shortened(&found.components[part.component].name, 30);
        let is_implied = part.event == step.event || !step.is_visible && part.event == hidden;
        if is_implied { name.into_owned() } else { format!("{name} by {}", part.event) }
    };
    step.parts.iter().map(part).collect::<Vec<_>>().join(", ")
}
