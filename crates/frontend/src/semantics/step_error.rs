//! Errors of data while a network runs, as diagnostics.

use model::data::{Data, Domain, ErrorKind, Kind, VariableId};
use model::network::FailedStep;
use source::{Diagnostic, Phase};

/// The diagnostic of a failing step, at its place in the source.
pub fn step_error(data: &Data, failed: &FailedStep) -> Diagnostic {
    let name = |variable: VariableId| data.variable(variable).name.to_string();
    let (code, title, label) = match failed.error.kind {
        ErrorKind::Index { array, index } => (
            "data::index",
            format!("`{}` has no element {index}", name(array)),
            format!("its elements are 0 to {}", length(data, array).saturating_sub(1)),
        ),
        ErrorKind::Range { variable, value } => {
            ("data::range", format!("`{}` cannot be {value}", name(variable)), range(data, variable))
        }
        ErrorKind::DivisionByZero => {
            ("data::division", "division by zero".to_owned(), "the divisor is 0 here".to_owned())
        }
        ErrorKind::Overflow => {
            ("data::overflow", "the number is too large".to_owned(), "this leaves 64 bits".to_owned())
        }
        ErrorKind::EmptyQueue(queue) => {
            ("data::empty-queue", format!("`{}` is empty", name(queue)), "there is no first message".to_owned())
        }
        ErrorKind::FullQueue(queue) => (
            "data::full-queue",
            format!("`{}` is full", name(queue)),
            format!("it holds {} messages", length(data, queue)),
        ),
        ErrorKind::Endless => {
            ("data::endless", "the loop does not end".to_owned(), "it was given up after many rounds".to_owned())
        }
    };
    Diagnostic::error(Phase::Evaluate, code, failed.error.origin, title)
        .label(label)
        .help("a guard that keeps the step from being taken here would help")
}

fn length(data: &Data, variable: VariableId) -> u32 {
    match &data.variable(variable).kind {
        Kind::Scalar(_) => 1,
        Kind::Array { length, .. } => *length,
        Kind::Queue { capacity, .. } => *capacity,
    }
}

fn range(data: &Data, variable: VariableId) -> String {
    let domain = match &data.variable(variable).kind {
        Kind::Scalar(domain) | Kind::Array { element: domain, .. } => *domain,
        Kind::Queue { .. } => return "a field of its messages cannot have this value".to_owned(),
    };
    match domain {
        Domain::Boolean => "it is true or false".to_owned(),
        Domain::Integers { low, high } => format!("its values are {low} to {high}"),
    }
}
