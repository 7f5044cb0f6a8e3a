//! Everything the evaluator complains about.

use super::Interrupt;
use cspm::syntax::BinaryOp;
use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Evaluate, code, span, title)
}

/// `x / 0`.
pub fn division_by_zero(span: Span, op: BinaryOp, left: i64) -> Diagnostic {
    let sign = if op == BinaryOp::Divide { "/" } else { "%" };
    error("cspm::division-by-zero", span, format!("division by zero: `{left} {sign} 0` has no value"))
        .label("the divisor is 0 here")
        .help("test the divisor first: `if d == 0 then ... else n / d`")
}

/// A number outside of 64 bits.
pub fn overflow(span: Span) -> Diagnostic {
    error("cspm::overflow", span, "the result does not fit into a 64-bit number")
        .label("too large, positive or negative")
        .help("keep numbers small, for example with `% 1000`")
}

/// Something behind the greatest number in `<from..>`.
pub fn beyond_numbers(span: Span) -> Diagnostic {
    error("cspm::overflow", span, "there is no number behind 9223372036854775807")
        .label("the numbers from here on are used up")
        .help("give the range an end, as in `<1..10>`, or ask for fewer of its elements")
}

/// `head(<>)`.
pub fn head_of_empty(span: Span) -> Diagnostic {
    error("cspm::head-of-empty", span, "`head` of the empty sequence")
        .label("the sequence is `<>` here")
        .help("test first: `if null(s) then ... else head(s)`, or match with `<x>^xs`")
}

/// `tail(<>)`.
pub fn tail_of_empty(span: Span) -> Diagnostic {
    error("cspm::tail-of-empty", span, "`tail` of the empty sequence")
        .label("the sequence is `<>` here")
        .help("test first: `if null(s) then ... else tail(s)`, or match with `<x>^xs`")
}

/// `error("...")`.
pub fn raised(span: Span, message: &str) -> Diagnostic {
    error("cspm::error-called", span, format!("error: {message}")).label("the script calls `error` here")
}

/// `mapLookup` of a missing key.
pub fn missing_key(span: Span, key: &str) -> Diagnostic {
    error("cspm::missing-key", span, format!("the map has no key `{key}`"))
        .label("looked up here")
        .help("test first: `if mapMember(m, k) then mapLookup(m, k) else ...`")
}

/// No equation of a function, or not the pattern of a lambda.
pub fn no_equation(span: Span, name: &str, n_equations: usize, args: &str) -> Diagnostic {
    if name.is_empty() {
        return error("cspm::no-match", span, format!("the patterns of this function do not match `({args})`"))
            .label("defined here")
            .help("write patterns that match every argument, such as `x` or `_`");
    }
    let label = match n_equations {
        1 => "its only equation does not match".to_string(),
        n => format!("none of its {n} equations matches"),
    };
    error("cspm::no-match", span, format!("no equation of `{name}` matches `{name}({args})`"))
        .label(label)
        .help("add an equation for the missing case, for example with `_` as pattern")
}

/// A pattern on the left of a definition.
pub fn binding_does_not_match(span: Span, value: &str) -> Diagnostic {
    error("cspm::binding-mismatch", span, format!("the value `{value}` does not match this pattern"))
        .label("defined by this pattern")
        .help("define the whole with a name, and take it apart with a function that has an equation for each case")
}

/// A delayed value that is needed for itself.
pub fn needs_itself(span: Span) -> Diagnostic {
    error("cspm::needs-itself", span, "this value depends on itself")
        .label("computing it needs its own result")
        .help("break the circle: let one of the definitions involved stand on its own")
}

/// A constant that is needed for itself.
pub fn constant_needs_itself(span: Span, name: &str, defined: Span) -> Diagnostic {
    error("cspm::needs-itself", span, format!("the value of `{name}` depends on itself"))
        .label("needed here while it is being computed")
        .also(defined, "defined here")
        .help("break the circle: let one of the definitions involved stand on its own")
}

/// The fields of a channel or constructor that are needed for themselves.
pub fn fields_need_themselves(span: Span, name: &str) -> Diagnostic {
    error("cspm::fields-need-themselves", span, format!("the fields of `{name}` depend on the values of `{name}`"))
        .label("declared here")
        .help("declare the fields by sets that can be computed without the values of this type")
}

/// Something outside of what was declared for a field.
pub struct FieldPlace<'t> {
    /// `channel` or `constructor`.
    pub kind: &'static str,
    /// Its name.
    pub owner: &'t str,
    /// Where it is declared.
    pub declared: Span,
    /// Which field, from 0.
    pub index: usize,
}

/// A field with a value outside of its set.
pub fn field_outside_set(span: Span, value: &str, allowed: &str, place: &FieldPlace) -> Diagnostic {
    let FieldPlace { kind, owner, declared, index } = place;
    let nth = ordinal(index + 1);
    error(
        "cspm::field-outside-set",
        span,
        format!("value `{value}` is not a member of `{allowed}`, the {nth} field of {kind} `{owner}`"),
    )
    .label(format!("the {nth} field is `{value}` here"))
    .also(*declared, "declared here")
    .help(format!("use a value of `{allowed}`, or declare `{owner}` with a larger set"))
}

fn ordinal(number: usize) -> String {
    let ending = match (number % 10, number % 100) {
        (1, n) if n != 11 => "st",
        (2, n) if n != 12 => "nd",
        (3, n) if n != 13 => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

/// A set of dotted values that is not a product.
pub fn not_rectangular(span: Span, owner: &str, missing: Option<&str>) -> Diagnostic {
    let diagnostic = error("cspm::not-rectangular", span, format!("the fields of `{owner}` are not a product of sets"))
        .label("every value of one field must go with every value of the others");
    let diagnostic = match missing {
        Some(missing) => diagnostic.with_note(format!("missing: {missing}")),
        None => diagnostic.with_note("its values have different numbers of components"),
    };
    diagnostic.help("declare the fields as dotted sets, such as `{0,1}.{0,1}`, or add the missing values")
}

/// A set without end that would have to be listed.
pub fn infinite_set(span: Span, set: &str) -> Diagnostic {
    error("cspm::infinite-set", span, format!("the set `{set}` is infinite, its elements cannot be listed"))
        .label("all its elements are needed here")
        .help("use a finite set, such as `{0..9}` instead of `Int`")
}

/// A sequence without end that would have to be listed.
pub fn infinite_sequence(span: Span) -> Diagnostic {
    error("cspm::infinite-sequence", span, "the sequence has no end, or too many elements to list")
        .label("all its elements are needed here")
        .help("use a finite sequence, such as `<0..9>` instead of `<0..>`")
}

/// A set with too many elements.
pub fn set_too_large(span: Span, size: u128) -> Diagnostic {
    let size = if size == u128::MAX { "far more than can be counted".to_string() } else { format!("{size}") };
    error("cspm::set-too-large", span, format!("the set has {size} elements, too many to list"))
        .label("all its elements are needed here")
        .help("use a smaller set")
}

/// A value with a text beyond measure.
pub fn text_too_long(span: Span, longest: usize) -> Diagnostic {
    let title = format!("the text of this value is longer than {} MB, too long to write", longest >> 20);
    error("cspm::text-too-long", span, title)
        .label("its text is needed here")
        .help("write a part of the value, or something about it such as `card(S)` or `#s`")
}

/// A difference that has no simple form.
pub fn difference_unknown(span: Span, left: &str, right: &str) -> Diagnostic {
    error("cspm::difference-unknown", span, format!("cannot compute `diff({left}, {right})`"))
        .label("the first set is infinite")
        .help("take away a block at the start only, as in `diff({1..}, {1,2})`, or use a finite set")
}

/// Two infinite sets without a known relation.
pub fn sets_not_comparable(span: Span, left: &str, right: &str) -> Diagnostic {
    error("cspm::sets-not-comparable", span, format!("cannot compare the infinite sets `{left}` and `{right}`"))
        .label("compared here")
        .help("compare finite sets")
}

/// Recursion without end, or nearly so.
pub fn recursion_too_deep(span: Span, name: &str) -> Diagnostic {
    let title = match name {
        "" => "recursion too deep".to_owned(),
        name => format!("recursion too deep in `{name}`"),
    };
    error("cspm::recursion-too-deep", span, title)
        .label("calls nested in each other have used up the memory set aside for them")
        .help("check that the recursion ends, or pass the result along as an argument: `f(n, acc) = f(n - 1, acc + n)`")
}

/// Stopped from outside.
pub fn interrupted(span: Span, interrupt: Interrupt) -> Diagnostic {
    let (code, title) = match interrupt {
        Interrupt::Time => ("cspm::time-limit", "the evaluation took longer than the time limit"),
        Interrupt::Memory => ("cspm::memory-limit", "the evaluation needed more than the memory limit"),
        Interrupt::Cancelled | Interrupt::LostRace | Interrupt::GaveUp | Interrupt::Restart => {
            ("cspm::interrupted", "the evaluation was interrupted")
        }
    };
    error(code, span, title).label("while evaluating this").help("check that it ends, or raise the limit")
}

/// `|~| x:{} @ P`.
pub fn empty_internal_choice(span: Span) -> Diagnostic {
    error("cspm::empty-internal-choice", span, "an internal choice over nothing is not a process")
        .label("its generators yield no value")
        .help("make sure that the set is not empty: `if empty(S) then STOP else |~| x:S @ P`")
}

/// `c$x:{} -> P`.
pub fn no_internal_value(span: Span) -> Diagnostic {
    error("cspm::no-internal-value", span, "this `$` field has no value to choose")
        .label("nothing matches here")
        .help("give it a set with at least one element that matches")
}

/// `[a <-> b] x:<> @ P`.
pub fn empty_link(span: Span) -> Diagnostic {
    error("cspm::empty-link", span, "a linked parallel over the empty sequence is not a process")
        .label("its generators yield no value")
        .help("make sure that the sequence is not empty")
}

/// An event with two partners in a link.
pub fn linked_twice(span: Span, event: &str) -> Diagnostic {
    error("cspm::linked-twice", span, format!("the event `{event}` is linked more than once"))
        .label("each event may have one partner only")
        .help("rename the event to different ones first")
}

/// A negative number of tocks, or an absurd one.
pub fn bad_delay(span: Span, count: i64) -> Diagnostic {
    error("cspm::bad-delay", span, format!("a delay of {count} tocks is not possible"))
        .label("the number of tocks must be between 0 and 1000000")
        .help("check the function given to `Timed`, or the argument of `WAIT`")
}

/// `prioritise(P, <>)`.
pub fn no_priorities(span: Span) -> Diagnostic {
    error("cspm::no-priorities", span, "`prioritise` needs at least one set of events")
        .label("the sequence is empty")
        .help("give the sets from the highest priority down: `prioritise(P, <{}, {tock}>)`")
}

/// An event in the order or among the maximal ones that does not take part.
pub fn event_without_priority(span: Span, event: &str) -> Diagnostic {
    error("cspm::event-without-priority", span, format!("the event `{event}` is not in the set of prioritised events"))
        .label("it occurs in the order or among the maximal events")
        .help(format!("add `{event}` to the second argument"))
}

/// An event above itself.
pub fn cyclic_priorities(span: Span, event: &str) -> Diagnostic {
    error("cspm::cyclic-priorities", span, format!("the event `{event}` would have priority over itself"))
        .label("the order has a cycle")
        .help("remove one of the pairs of the cycle")
}

/// A maximal event with something above it.
pub fn maximal_event_below(span: Span, above: &str, below: &str) -> Diagnostic {
    error("cspm::maximal-event-below", span, format!("the event `{below}` is not maximal: `{above}` is above it"))
        .label("the order and the set of maximal events disagree")
        .help(format!("remove `({above},{below})` from the order or `{below}` from the last argument"))
}

/// `BUFFER(0, ...)`.
pub fn buffer_capacity(span: Span, capacity: i64) -> Diagnostic {
    error("cspm::buffer-capacity", span, format!("a buffer cannot have capacity {capacity}"))
        .label("the capacity must be at least 1")
        .help("use a capacity of 1 or more")
}

/// A buffer event with two roles.
pub fn buffer_event_twice(span: Span, event: &str) -> Diagnostic {
    error("cspm::buffer-event-twice", span, format!("the event `{event}` has two roles in this buffer"))
        .label("each event may be one input, one output or one signal")
        .help("use different events")
}
