//! Concurrent histories: a row for each thread, time to the right, and the linearizations that were possible.

use super::verdict::{INDENT, LINE_WIDTH};
use analysis::check::{Counterexample, History, Operation, Unexplained};
use std::fmt::Write;

/// Prints a history that is not linearizable.
pub fn write(text: &mut String, found: &Counterexample, history: &History) {
    draw(text, history);
    let event = found.steps.last().map_or("", |step| step.event.as_str());
    let _ = writeln!(text, "{INDENT}{}", reason(history, event));
    let order = history.order.iter().flatten();
    let order: Vec<String> = order.map(|(number, result)| done(&history.operations[*number], result)).collect();
    if !order.is_empty() {
        let _ = writeln!(text, "{INDENT}up to there: {}", order.join(", "));
    }
}

fn reason(history: &History, event: &str) -> String {
    match &history.unexplained {
        Unexplained::Answer { operation, possible } => {
            let Operation { thread, result, .. } = &history.operations[*operation];
            let call = call(&history.operations[*operation]);
            let claim = match result {
                Some(result) => format!("thread {thread} is told {result} by {call}"),
                None => format!("{call} of thread {thread} is answered"),
            };
            let possible: Vec<&str> = possible.iter().flatten().map(String::as_str).collect();
            match possible.as_slice() {
                [] => format!("{claim}, which cannot have happened yet"),
                _ => format!("{claim}; it could be told {}", possible.join(" or ")),
            }
        }
        Unexplained::SecondCall { operation } => {
            let waiting = &history.operations[*operation];
            format!("thread {} does {event}, while its {} is not answered yet", waiting.thread, call(waiting))
        }
        Unexplained::NoCall { thread } => {
            format!("thread {thread} is answered by {event} and has called nothing")
        }
        Unexplained::Unknown => format!("the object has no call and no answer {event}"),
    }
}

fn call(operation: &Operation) -> String {
    match operation.arguments.as_slice() {
        [] => operation.name.clone(),
        arguments => format!("{}({})", operation.name, arguments.join(", ")),
    }
}

fn done(operation: &Operation, result: &Option<String>) -> String {
    let result = result.as_ref().map(|result| format!(" = {result}")).unwrap_or_default();
    format!("{} by {}{result}", call(operation), operation.thread)
}

/// Text at a call or a return, with its thread.
struct Column<'h> {
    thread: &'h str,
    text: String,
}

fn columns(history: &History) -> Vec<Option<Column<'_>>> {
    let operations = &history.operations;
    let n_events = operations.iter().map(|known| known.answered_at.unwrap_or(known.called_at) + 1).max().unwrap_or(0);
    let mut columns: Vec<Option<Column<'_>>> = (0..n_events).map(|_| None).collect();
    for (number, operation) in operations.iter().enumerate() {
        let column = |text: String| Some(Column { thread: &operation.thread, text });
        columns[operation.called_at] = column(format!("|- {} --", call(operation)));
        if let Some(answered) = operation.answered_at {
            let is_wrong = matches!(history.unexplained, Unexplained::Answer { operation, .. } if operation == number);
            let mark = if is_wrong { " !" } else { "" };
            columns[answered] = column(format!("| {}{mark}   ", operation.result.as_deref().unwrap_or_default()));
        }
    }
    columns
}

/// Threads with at least one call, numbers in numeric order.
fn threads(history: &History) -> Vec<&str> {
    let mut threads: Vec<&str> = history.operations.iter().map(|operation| operation.thread.as_str()).collect();
    threads.sort_by_key(|thread| (thread.parse::<i64>().unwrap_or(i64::MAX), *thread));
    threads.dedup();
    threads
}

fn draw(text: &mut String, history: &History) {
    let (columns, threads) = (columns(history), threads(history));
    let widths: Vec<usize> =
        columns.iter().map(|column| column.as_ref().map_or(0, |column| column.text.chars().count())).collect();
    let head = threads.iter().map(|thread| thread.chars().count()).max().unwrap_or(0) + "thread   ".len();
    let mut start = 0;
    while start < columns.len() {
        let mut width = INDENT.len() + head;
        let fitting = widths[start..].iter().take_while(|column| {
            width += **column;
            width <= LINE_WIDTH
        });
        let end = start + fitting.count().max(1);
        for thread in &threads {
            let mut line = format!("{:<head$}", format!("thread {thread}"));
            for (place, column) in columns.iter().enumerate().take(end).skip(start) {
                line.push_str(&cell(history, column.as_ref(), thread, place, widths[place]));
            }
            let is_last = end == columns.len();
            let is_open = history.operations.iter().any(|known| known.thread == *thread && known.answered_at.is_none());
            if is_last && is_open {
                line.push_str("...");
            }
            let _ = writeln!(text, "{INDENT}{}", line.trim_end());
        }
        if end < columns.len() {
            let _ = writeln!(text, "{INDENT}then");
        }
        start = end;
    }
}

/// Cell of a thread at a position.
fn cell(history: &History, column: Option<&Column<'_>>, thread: &str, place: usize, width: usize) -> String {
    match column {
        Some(column) if column.thread == thread => column.text.clone(),
        _ => {
            let is_busy = history.operations.iter().any(|operation| {
                operation.thread == thread
                    && operation.called_at < place
                    && operation.answered_at.is_none_or(|answered| answered > place)
            });
            if is_busy { "-" } else { " " }.repeat(width)
        }
    }
}
