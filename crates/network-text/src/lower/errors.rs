//! Diagnostics of lowering.

use model::data::{Domain, Kind, Sort, Variable};
use source::{Diagnostic, Phase, Span};

fn names(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Names, code, span, title)
}

fn types(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Types, code, span, title)
}

/// The text of a declaration, as a suggestion.
fn declare(what: &str, text: &str) -> String {
    match what {
        "network" => format!("define it: `network {text}`"),
        "machine" => format!("define it above the modes: `machine {text}`"),
        "mode" => format!("define it: `mode {text}`"),
        "obstacle" => format!("define it above the modes: `obstacle {text}`"),
        "class" => format!("define it below `priority`: `class {text}: ...`"),
        _ => format!("declare it above the modes: `var {text} : 0..7`"),
    }
}

pub fn unknown(what: &str, text: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        names("network::unknown-name", span, format!("there is no {what} `{text}`")).label(format!("unknown {what}"));
    match near {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic.help(declare(what, text)),
    }
}

pub fn unknown_event(text: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        names("network::unknown-event", span, format!("there is no event `{text}`")).label("unknown event");
    match near {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic.help(format!("declare it: `event {text}`")),
    }
}

pub fn unknown_action(text: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        names("network::unknown-action", span, format!("there is no action `{text}`")).label("unknown action");
    match near {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic
            .help(format!("declare it: `event {text}` if others see it, `actions {text}` if only this network does")),
    }
}

pub fn unknown_state(machine: &str, text: &str, near: Option<&str>, span: Span) -> Diagnostic {
    let diagnostic =
        names("network::unknown-state", span, format!("`{machine}` has no state `{text}`")).label("unknown state");
    match near {
        Some(near) => diagnostic.did_you_mean(near),
        None => diagnostic.help(format!("define it on a line of the machine: `{text}: ...`")),
    }
}

pub fn duplicate(what: &str, text: &str, span: Span, first: Span) -> Diagnostic {
    names("network::duplicate-name", span, format!("the {what} `{text}` is defined twice"))
        .label("defined again")
        .also(first, "first defined here")
        .help("rename or remove one of them")
}

pub fn dangling_label(number: u32, n_events: u32, span: Span) -> Diagnostic {
    names("network::dangling-label", span, format!("there is no label {number}"))
        .label(format!("there are {n_events} events, so labels go up to {}", n_events + 1))
        .with_note("label 0 is `tau`, 1 is `tick`, and 2 is the first event")
        .help("write the name of an event")
}

pub fn not_an_event(span: Span) -> Diagnostic {
    names("network::not-an-event", span, "a trace has only events")
        .label("not an event")
        .help("an event of that name is written in quotes")
}

pub fn action_is_event(text: &str, span: Span, event: Span) -> Diagnostic {
    names("network::action-is-event", span, format!("`{text}` is an event, and so an action already"))
        .label("declared as an action")
        .also(event, "declared as an event")
        .help("rename or remove one of them")
}

pub fn action_number(number: i64, least: i64, span: Span) -> Diagnostic {
    names("network::action-number", span, format!("an action with a name of its own cannot have the number {number}"))
        .label(format!("such numbers reach from {least} to {}", u32::MAX))
        .with_note("the numbers below are those of `tau`, `tick` and the events")
        .help("leave out the number")
}

pub fn action_number_taken(number: u32, other: &str, span: Span) -> Diagnostic {
    names("network::action-number-taken", span, format!("{number} is the number of another action"))
        .label(format!("`{other}` has this number"))
        .help("leave out the number, or use `#` and the number without a name")
}

pub fn state_number(text: &str, number: usize, span: Span) -> Diagnostic {
    names("network::state-number", span, format!("this is state {number}, not {text}"))
        .label("numbers of states count from 0")
        .help(format!("write `{number}:`, or give the state a name"))
}

pub fn no_states(machine: &str, span: Span) -> Diagnostic {
    names("network::no-states", span, format!("`{machine}` has no states"))
        .label("a machine is always in some state")
        .help("write a line for each state, such as `idle: a -> busy, b -> idle`")
}

pub fn states_of_copy(other: &str, span: Span, like: Span) -> Diagnostic {
    names("network::states-of-copy", span, "this machine has states of its own, and those of another")
        .label("a state of its own")
        .also(like, format!("its states are those of `{other}`"))
        .help("remove the states, or what stands from `like` on")
}

pub fn like_itself(machine: &str, span: Span) -> Diagnostic {
    names("network::like-itself", span, format!("`{machine}` is like itself"))
        .label("the machine that is being defined")
        .help("name a machine above it, or write its states on the lines behind it")
}

pub fn too_many_machines(limit: usize, span: Span) -> Diagnostic {
    names("network::too-many-machines", span, "this network has too many machines")
        .label(format!("the first one beyond {limit}"))
}

pub fn no_modes(network: &str, span: Span) -> Diagnostic {
    names("network::no-modes", span, format!("`{network}` has no mode"))
        .label("rules stand in modes")
        .help("write `mode main` above its rules")
}

pub fn no_participants(span: Span) -> Diagnostic {
    names("network::nobody-takes-part", span, "nobody takes part in this rule")
        .label("neither machines nor variables")
        .help("name machines behind `by`, or write `when true` for a step that is always possible")
}

pub fn machine_twice(machine: &str, what: &str, span: Span, first: Span) -> Diagnostic {
    names("network::machine-twice", span, format!("`{machine}` {what} twice"))
        .label("the second time")
        .also(first, "the first time")
        .help("a machine does one thing at a time; remove one of them")
}

pub fn idle_part(machine: &str, consequence: &str, span: Span) -> Diagnostic {
    let title = format!("no state of `{machine}` does this, so {consequence}");
    Diagnostic::warning(Phase::Names, "network::idle-rule", span, title).label("not an action of the machine").help(
        format!("write `{machine}:ACTION` with an action of the machine, if it does something else than what is seen"),
    )
}

pub fn obstacle_below(name: &str, span: Span, owner: Span) -> Diagnostic {
    names("network::obstacle-order", span, format!("`{name}` does not stand above this obstacle"))
        .label("it must be known whether this one is present before the other is looked at")
        .also(owner, "the obstacle that depends on it")
        .help(format!("define `obstacle {name}` further up; obstacles cannot depend on each other in a circle"))
}

pub fn class_twice(span: Span, first: Span) -> Diagnostic {
    names("network::class-twice", span, "this is in a class already")
        .label("the second time")
        .also(first, "the first time")
        .help("remove one of them")
}

pub fn too_many_classified(span: Span) -> Diagnostic {
    names("network::too-many-priorities", span, "too many networks of this file have priorities")
        .label("the first one that has no room for them")
        .help("put the networks into several files, or declare fewer events")
}

fn plural(n: usize, word: &str) -> String {
    match n {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        n => format!("{n} {word}s"),
    }
}

fn sort_text(sort: Sort) -> &'static str {
    match sort {
        Sort::Boolean => "a boolean",
        Sort::Integer => "a number",
    }
}

fn domain_text(domain: Domain) -> String {
    match domain {
        Domain::Boolean => "bool".to_owned(),
        Domain::Integers { low, high } => format!("{low}..{high}"),
    }
}

fn kind_text(kind: &Kind) -> &'static str {
    match kind {
        Kind::Scalar(_) => "a single value",
        Kind::Array { .. } => "an array",
        Kind::Queue { .. } => "a queue",
    }
}

pub fn wrong_sort(found: Sort, wanted: Sort, reason: &str, span: Span) -> Diagnostic {
    let title = format!("expected {}, found {}", sort_text(wanted), sort_text(found));
    let diagnostic =
        types("network::wrong-sort", span, title).label(format!("{} is needed {reason}", sort_text(wanted)));
    match wanted {
        Sort::Boolean => diagnostic.help("compare it with something: `x == 1`"),
        Sort::Integer => diagnostic.help("choose a number by it: `if b then 1 else 0`"),
    }
}

pub fn different_sorts(operator: &str, span: Span, left: (Span, Sort), right: (Span, Sort)) -> Diagnostic {
    types("network::different-sorts", span, format!("`{operator}` needs two values of the same kind"))
        .label("compares different things")
        .also(left.0, sort_text(left.1))
        .also(right.0, sort_text(right.1))
        .help("compare numbers with numbers, and booleans with booleans")
}

pub fn wrong_kind(variable: &Variable, wanted: &str, span: Span) -> Diagnostic {
    let found = kind_text(&variable.kind);
    let diagnostic = types("network::wrong-kind", span, format!("`{}` is {found}, not {wanted}", variable.name))
        .label(format!("expected {wanted}"));
    let name = &variable.name;
    match variable.kind {
        Kind::Scalar(_) => diagnostic.help(format!("write `{name}` for its value, `{name} := ...` to change it")),
        Kind::Array { .. } => {
            diagnostic.help(format!("write `{name}[i]` for an element, `{name}[i] := ...` to change it"))
        }
        Kind::Queue { .. } => diagnostic.help(format!(
            "write `head({name})` for the first message, `#{name}` for the length, `{name} ! ...` to put a message in, \
             `{name} ?` to take the first out"
        )),
    }
}

pub fn not_a_variable(name: &str, span: Span) -> Diagnostic {
    types("network::not-a-variable", span, format!("`{name}` is the name of an expression"))
        .label("expected a variable")
        .help("only variables change, have elements, or hold messages")
}

pub fn unknown_field(queue: &str, n_fields: usize, is_given: bool, span: Span) -> Diagnostic {
    let fields = plural(n_fields, "field");
    let diagnostic = types("network::unknown-field", span, format!("messages in `{queue}` have {fields}"));
    let diagnostic = diagnostic.label(if is_given { "there is no such field" } else { "which of them is meant?" });
    match n_fields {
        0 => diagnostic.help(format!("write `#{queue}` for how many messages there are")),
        n => diagnostic.help(format!("fields are counted from 0: `head({queue}).{}` is the last one", n - 1)),
    }
}

pub fn message_arity(found: usize, wanted: usize, span: Span, queue: Option<&str>) -> Diagnostic {
    let whose = queue.map_or("in this queue".to_owned(), |queue| format!("in `{queue}`"));
    types("network::message-arity", span, format!("messages {whose} have {}", plural(wanted, "field")))
        .label(format!("this one has {}", plural(found, "field")))
        .help(match queue {
            Some(_) => "separate the fields by commas: `q ! 1, true`",
            None => "write messages of several fields in parentheses: `<(1, true), (2, false)>`",
        })
}

pub fn expression_too_large(max_depth: u32, max_size: u32, span: Span) -> Diagnostic {
    types("network::expression-too-large", span, "this expression is too large")
        .label(format!("more than {max_depth} levels deep, or more than {max_size} parts, with its names written out"))
        .help("compute parts of it before, into variables that are `temporary`")
}

pub fn empty_range(low: i64, high: i64, span: Span) -> Diagnostic {
    types("network::empty-range", span, format!("there is nothing between {low} and {high}"))
        .label("an empty range")
        .help(format!("write the smaller number first: `{high}..{low}`"))
}

pub fn large_range(span: Span) -> Diagnostic {
    types("network::large-range", span, "this range has more than 2^32 values")
        .label("too many for a variable")
        .help("choose the bounds as tight as the model allows: states become smaller, and searches faster")
}

pub fn bad_size(size: i64, span: Span) -> Diagnostic {
    types("network::bad-size", span, format!("{size} is not a size"))
        .label(format!("sizes reach from 0 to {}", u32::MAX))
        .help("write how many elements or messages there can be")
}

pub fn too_many_cells(limit: u64, span: Span) -> Diagnostic {
    types("network::too-many-values", span, "the variables of this file hold too many values")
        .label(format!("more than {limit} with this one"))
        .help("make arrays and queues smaller")
}

pub fn initial_out_of_range(value: i64, domain: Domain, span: Span) -> Diagnostic {
    types("network::initial-out-of-range", span, format!("{value} is not in {}", domain_text(domain)))
        .label("cannot be the initial value")
        .help("choose another value, or a larger range")
}

pub fn wrong_value(domain: Domain, span: Span) -> Diagnostic {
    let title = match domain {
        Domain::Boolean => "expected `true` or `false`, found a number".to_owned(),
        Domain::Integers { .. } => "expected a number, found a boolean".to_owned(),
    };
    types("network::wrong-value", span, title).label(format!("a value of `{}` is needed here", domain_text(domain)))
}

pub fn wrong_initial(kind: &Kind, span: Span) -> Diagnostic {
    let title = match kind {
        Kind::Scalar(_) => "this is not a single value".to_owned(),
        kind => format!("this is not the value of {}", kind_text(kind)),
    };
    let diagnostic = types("network::wrong-initial", span, title).label("cannot be the initial value");
    match kind {
        Kind::Scalar(_) => diagnostic.help("write one value: `= 0`"),
        Kind::Array { .. } => diagnostic.help("write all elements, `= [1, 2, 3]`, or one value for all of them, `= 0`"),
        Kind::Queue { .. } => {
            diagnostic.help("write the messages, the first one first: `= <1, 2>`, or `= <(1, true)>`")
        }
    }
}

pub fn wrong_length(found: usize, wanted: u32, span: Span) -> Diagnostic {
    types("network::wrong-length", span, format!("the array has {}", plural(wanted as usize, "element")))
        .label(format!("these are {}", plural(found, "value")))
        .help("write a value for each element, or one value for all of them: `= 0`")
}

pub fn queue_overfull(found: usize, capacity: u32, span: Span) -> Diagnostic {
    types("network::queue-overfull", span, format!("the queue holds {}", plural(capacity as usize, "message")))
        .label(format!("these are {}", plural(found, "message")))
        .help("write fewer messages, or make the queue larger")
}
