//! Diagnostics of the type checker, one function each.
//!
//! Types are given as text in the notation of annotations. A title states the fact in 80 columns, the label gives the
//! reason at that place, related places are labeled, and the help is a text to type.

use limits::display::names::LONGEST_TITLE;
use source::{Diagnostic, Phase, Span};

/// A related place with its label.
pub(super) type Related = Option<(Span, String)>;

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Types, code, span, title)
}

fn also(diagnostic: Diagnostic, other: Related) -> Diagnostic {
    match other {
        Some((span, text)) if span != diagnostic.primary.span => diagnostic.also(span, text),
        _ => diagnostic,
    }
}

/// A title with two types; long types are truncated, and shown in full below.
fn title_of_two(expected: &str, found: &str) -> (String, bool) {
    let whole = format!("expected `{expected}`, found `{found}`");
    if whole.chars().count() <= LONGEST_TITLE {
        return (whole, false);
    }
    let room = (LONGEST_TITLE - "expected ``, found ``".len()) / 2;
    (format!("expected `{}`, found `{}`", cut(expected, room), cut(found, room)), true)
}

fn cut(text: &str, room: usize) -> String {
    if text.chars().count() <= room {
        return text.to_owned();
    }
    text.chars().take(room - 1).chain(['…']).collect()
}

/// Fields, each preceded by a mark, as they would be typed.
pub(super) fn fields(mark: &str, n: usize) -> String {
    let letters = ["x", "y", "z", "u", "v", "w"];
    (0..n).map(|i| letters.get(i).map_or_else(|| format!("{mark}x{i}"), |letter| format!("{mark}{letter}"))).collect()
}

fn fitting(title: String, shorter: &str) -> String {
    if title.chars().count() <= LONGEST_TITLE { title } else { shorter.to_owned() }
}

fn count(n: usize, what: &str) -> String {
    if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") }
}

pub(super) fn ordinal(n: usize) -> String {
    match n {
        1 => "first".to_owned(),
        2 => "second".to_owned(),
        3 => "third".to_owned(),
        4 => "fourth".to_owned(),
        5 => "fifth".to_owned(),
        6 => "sixth".to_owned(),
        _ => format!("{n}th"),
    }
}

/// Two different types where equal ones are required.
pub(super) fn mismatch(span: Span, expected: &str, found: &str, reason: &str, other: Related) -> Diagnostic {
    let (title, was_cut) = title_of_two(expected, found);
    let mut diagnostic = error("cspm::type-mismatch", span, title).label(reason);
    if was_cut {
        diagnostic = diagnostic.with_note(format!("expected `{expected}`")).with_note(format!("found    `{found}`"));
    }
    also(diagnostic, other)
}

/// An argument of the wrong type.
pub(super) fn argument(
    span: Span,
    (expected, found): (&str, &str),
    (function, index, argument): (&str, usize, &str),
    signature: Option<&str>,
    definition: Related,
) -> Diagnostic {
    let (title, _) = title_of_two(expected, found);
    let label = format!("the {} argument of {function} is `{}`", ordinal(index + 1), cut(argument, 50));
    let mut diagnostic = error("cspm::argument-type", span, title).label(label);
    if let Some(signature) = signature {
        diagnostic = diagnostic.with_note(format!("{function} has the type `{signature}`"));
    }
    also(diagnostic, definition)
}

/// A call with too few or too many arguments.
pub(super) fn argument_count(
    span: Span,
    function: &str,
    expected: usize,
    given: usize,
    groups: &[usize],
    definition: Related,
) -> Diagnostic {
    let verb = if given == 1 { "is" } else { "are" };
    let title = format!("{function} takes {}, but {given} {verb} given", count(expected, "argument"));
    let (label, help) = if given > expected {
        let help = match groups {
            [_, _, ..] if groups.iter().sum::<usize>() == given => {
                let calls: String = groups.iter().map(|&n| format!("({})", vec!["…"; n].join(", "))).collect();
                format!("give each group its own parentheses: `{}{calls}`", function.trim_matches('`'))
            }
            _ => "remove what is marked".to_owned(),
        };
        (format!("there is no {} argument", ordinal(expected + 1)), help)
    } else {
        let missing = expected - given;
        (format!("the {} argument is missing", ordinal(given + 1)), format!("add {}", count(missing, "argument")))
    };
    also(error("cspm::argument-count", span, title).label(label), definition).help(help)
}

/// A call of a value that is not a function.
pub(super) fn not_a_function(span: Span, subject: &str, found: &str, definition: Related) -> Diagnostic {
    let title = fitting(format!("{subject} is called, but it is `{found}`"), "this is called, but it is no function");
    let diagnostic = error("cspm::not-a-function", span, title).label("not a function, so it takes no arguments");
    also(diagnostic, definition).help("remove the arguments, or put an operator before the parenthesis")
}

/// A function where its result is required.
pub(super) fn missing_arguments(
    span: Span,
    subject: &str,
    n_arguments: usize,
    expected: &str,
    reason: &str,
    definition: Related,
) -> Diagnostic {
    let title = format!("{subject} is a function, but `{}` is needed here", cut(expected, 30));
    let call = match subject.strip_suffix('`') {
        Some(name) if subject.starts_with('`') => {
            let holes = vec!["…"; n_arguments].join(", ");
            format!("give it its {}: {name}({holes})`", count(n_arguments, "argument"))
        }
        _ => format!("give it its {}", count(n_arguments, "argument")),
    };
    also(error("cspm::missing-arguments", span, title).label(reason), definition).help(call)
}

/// The declared fields of a channel or constructor.
pub(super) struct Declared<'a> {
    pub name: &'a str,
    /// `channel` or `constructor`.
    pub kind: &'static str,
    pub n_fields: usize,
    pub span: Option<Span>,
    /// The text of the declaration, up to the last field.
    pub line: String,
}

impl Declared<'_> {
    fn verb(&self) -> &'static str {
        if self.kind == "channel" { "carries" } else { "takes" }
    }

    fn place(&self) -> Related {
        self.span.map(|span| (span, format!("declared with {}", count_or_none(self.n_fields))))
    }
}

fn count_or_none(n: usize) -> String {
    if n == 0 { "no fields".to_owned() } else { count(n, "field") }
}

/// More fields than declared.
pub(super) fn too_many_fields(span: Span, declared: &Declared, given: usize) -> Diagnostic {
    let verb = if given == 1 { "is" } else { "are" };
    let fields = count_or_none(declared.n_fields);
    let title = format!("`{}` {} {fields}, but {given} {verb} given", declared.name, declared.verb());
    let label = match declared.n_fields {
        0 => format!("`{}` is complete without it", declared.name),
        n => format!("there is no {} field", ordinal(n + 1)),
    };
    let diagnostic = error("cspm::channel-arity", span, title).label(label);
    also(diagnostic, declared.place()).help(format!("remove it, or declare `{}`", declared.line))
}

/// Fewer fields than declared.
pub(super) fn too_few_fields(span: Span, declared: &Declared, given: usize, example: &str) -> Diagnostic {
    let fields = count(declared.n_fields, "field");
    let given_text = match given {
        0 => "none is given".to_owned(),
        1 => "only 1 is given".to_owned(),
        n => format!("only {n} are given"),
    };
    let title = format!("`{}` {} {fields}, but {given_text}", declared.name, declared.verb());
    let diagnostic =
        error("cspm::channel-arity", span, title).label(format!("the {} field is missing", ordinal(given + 1)));
    also(diagnostic, declared.place()).help(format!("write for example `{example}`"))
}

/// A field of the wrong type.
pub(super) fn field_type(span: Span, declared: &Declared, position: usize, expected: &str, found: &str) -> Diagnostic {
    let (title, _) = title_of_two(expected, found);
    let label = format!("the {} field of `{}` is `{}`", ordinal(position + 1), declared.name, cut(expected, 40));
    let place = declared.span.map(|span| (span, "declared here".to_owned()));
    also(error("cspm::field-type", span, title).label(label), place)
}

/// Fields after a value that is not a channel.
pub(super) fn not_a_channel(span: Span, subject: &str, found: &str, definition: Related) -> Diagnostic {
    let title =
        fitting(format!("{subject} is `{found}`, not a channel"), "fields after something that is not a channel");
    let diagnostic = error("cspm::not-a-channel", span, title).label("`?`, `!` and `$` follow a channel");
    also(diagnostic, definition).help("start the prefix with a channel: `c?x -> P`")
}

/// An event or channel where a process is required.
pub(super) fn event_as_process(
    span: Span,
    subject: &str,
    n_missing: usize,
    reason: &str,
    definition: Related,
) -> Diagnostic {
    let what = if n_missing == 0 { "an event" } else { "a channel" };
    let title = format!("{subject} is {what}, but a process is needed here");
    let name = if subject.starts_with('`') { subject.trim_matches('`') } else { "…" };
    let name = format!("{name}{}", fields("?", n_missing));
    also(error("cspm::event-as-process", span, title).label(reason), definition)
        .help(format!("say what happens after the event: `{name} -> SKIP`"))
}

/// A process where an event is required.
pub(super) fn process_as_event(span: Span, subject: &str, reason: &str, definition: Related) -> Diagnostic {
    let title = format!("{subject} is a process, but an event is needed here");
    let name = if subject.starts_with('`') { subject.trim_matches('`') } else { "P" };
    also(error("cspm::process-as-event", span, title).label(reason), definition)
        .help(format!("to run one process after another, write `{name} ; Q`"))
}

/// A channel or event where a set of events is required.
pub(super) fn channel_as_set(span: Span, subject: &str, reason: &str, is_event: bool) -> Diagnostic {
    let what = if is_event { "an event" } else { "a channel" };
    let title = format!("{subject} is {what}, but a set of events is needed here");
    let name = if subject.starts_with('`') { subject.trim_matches('`') } else { "c" };
    let help = if is_event {
        format!("write `{{{name}}}`")
    } else {
        format!("write `{{| {name} |}}` for all events of the channel")
    };
    error("cspm::channel-as-set", span, title).label(reason).help(help)
}

/// `{c}` where `{| c |}` is required.
pub(super) fn channel_in_set(span: Span, subject: &str, reason: &str) -> Diagnostic {
    let title = format!("{subject} is a channel, not an event");
    let name = if subject.starts_with('`') { subject.trim_matches('`') } else { "c" };
    error("cspm::channel-in-set", span, title)
        .label(format!("it still misses fields; {reason}"))
        .help(format!("write `{{| {name} |}}` for all events of the channel"))
}

/// A sequence where a set is required.
pub(super) fn sequence_for_set(span: Span, expected: &str, found: &str, reason: &str, other: Related) -> Diagnostic {
    let (title, _) = title_of_two(expected, found);
    also(error("cspm::sequence-for-set", span, title).label(reason), other)
        .with_note("`<…>` is a sequence and `{…}` is a set")
        .help("make a set of it: `set(…)`")
}

/// A set where a sequence is required.
pub(super) fn set_for_sequence(span: Span, expected: &str, found: &str, reason: &str, other: Related) -> Diagnostic {
    let (title, _) = title_of_two(expected, found);
    also(error("cspm::set-for-sequence", span, title).label(reason), other)
        .with_note("`{…}` is a set and `<…>` is a sequence")
        .help("make a sequence of it: `seq(…)`")
}

/// A comparison as an operand of a dot.
pub(super) fn dot_comparison(span: Span, operator: &str) -> Diagnostic {
    error("cspm::dot-comparison", span, format!("`{operator}` is part of a dotted value here"))
        .label(format!("`.` binds looser than `{operator}`, so this is compared first"))
        .help(format!("write parentheses: `(a.b) {operator} (c.d)`"))
}

/// Equality of processes.
pub(super) fn compare_processes(span: Span, whole: &str, reason: &str, other: Related) -> Diagnostic {
    let mut diagnostic =
        error("cspm::compare-processes", span, "processes cannot be compared for equality").label(reason);
    if whole != "Proc" {
        diagnostic = diagnostic.with_note(format!("`{whole}` contains processes"));
    }
    also(diagnostic, other).help("compare behavior by an assertion: `assert P [FD= Q`")
}

/// Equality of other incomparable values.
pub(super) fn not_comparable(span: Span, found: &str, reason: &str, other: Related) -> Diagnostic {
    let title = format!("`{}` cannot be compared for equality", cut(found, 45));
    let diagnostic = error("cspm::not-comparable", span, title).label(reason);
    let diagnostic = if found.contains("->") {
        diagnostic.with_note("functions have no equality")
    } else {
        diagnostic.with_note(format!("`{found}` has fields that cannot be compared, such as processes"))
    };
    also(diagnostic, other)
}

/// Order of unordered values.
pub(super) fn not_ordered(span: Span, found: &str, reason: &str, other: Related) -> Diagnostic {
    let title = format!("`{}` has no order", cut(found, 60));
    also(error("cspm::not-ordered", span, title).label(reason), other)
        .with_note(
            "ordered are `Int`, `Char`, sequences (by prefix), sets (by inclusion), and tuples and maps of those",
        )
        .help("use `==` or `!=`, or compare something ordered")
}

/// An item that cannot be an element of a set.
pub(super) fn not_in_sets(span: Span, found: &str, reason: &str, other: Related) -> Diagnostic {
    let title = format!("`{}` cannot be an element of a set", cut(found, 45));
    also(error("cspm::not-in-sets", span, title).label(reason), other)
        .with_note("a set must tell its elements apart, and functions have no equality")
        .help("use a sequence: `<…>`")
}

/// A value with missing fields where a complete one is required.
pub(super) fn incomplete(span: Span, found: &str, reason: &str, other: Related) -> Diagnostic {
    let title = format!("`{}` still misses fields", cut(found, 55));
    also(error("cspm::incomplete-value", span, title).label(reason), other)
}

/// A declared field that cannot be communicated.
pub(super) fn bad_field(span: Span, found: &str, whose: &str, why: &str) -> Diagnostic {
    let role = if whose == "a nametype" { "value" } else { "field" };
    let title = format!("`{}` cannot be a {role} of {whose}", cut(found, 45));
    error("cspm::field-not-allowed", span, title).label(why)
}

/// `{| |}`, `productions` or `extensions` of a value that is not dotted.
pub(super) fn not_productive(span: Span, found: &str, reason: &str, other: Related) -> Diagnostic {
    let title = format!("`{}` is not made by a channel or constructor", cut(found, 40));
    let diagnostic = also(error("cspm::not-productive", span, title).label(reason), other);
    if reason.starts_with("`{|") { diagnostic.help("for a plain set write `{…}`") } else { diagnostic }
}

/// An annotation that lacks a constraint.
pub(super) fn missing_constraint(
    span: Span,
    constraint: &str,
    variable: &str,
    reason: &str,
    annotation: Span,
) -> Diagnostic {
    let title = format!("the annotation does not say that `{variable}` is `{constraint}`");
    error("cspm::missing-constraint", span, title)
        .label(reason)
        .also(annotation, format!("`{variable}` may be any type"))
        .help(format!("annotate `{constraint} {variable} => …`"))
}

/// A constraint on a variable that does not occur.
pub(super) fn unused_constraint(span: Span, constraint: &str, variable: &str) -> Diagnostic {
    error("cspm::unused-constraint", span, format!("`{variable}` does not occur in the annotated type"))
        .label(format!("`{constraint} {variable}` is about nothing"))
        .help(format!("remove `{constraint} {variable}`, or correct the name"))
}

/// A constraint on a variable of an enclosing annotation without it.
pub(super) fn constraint_on_outer(span: Span, constraint: &str, variable: &str, outer: Span) -> Diagnostic {
    let title = format!("`{variable}` is bound by the annotation around this one");
    error("cspm::constraint-on-outer", span, title)
        .label(format!("`{constraint} {variable}` cannot be added here"))
        .also(outer, "bound here")
        .help(format!("add `{constraint} {variable}` to the outer annotation, or use another letter here"))
}

/// An annotation that is more general than the definition.
pub(super) fn annotation_too_general(
    span: Span,
    variable: &str,
    found: &str,
    reason: &str,
    annotation: Span,
) -> Diagnostic {
    let title = format!("the annotation is too general: `{variable}` must be `{}`", cut(found, 30));
    error("cspm::annotation-too-general", span, title)
        .label(reason)
        .also(annotation, format!("says that `{variable}` may be any type"))
        .help(format!("write `{}` instead of `{variable}` in the annotation", cut(found, 40)))
}

/// An annotation of a different structure than the definition.
pub(super) fn annotation_shape(
    span: Span,
    name: &str,
    annotated: &str,
    n_arguments: usize,
    n_groups: usize,
    equation: Span,
) -> Diagnostic {
    let takes = match n_groups {
        1 => count(n_arguments, "argument"),
        n => format!("{n} groups of arguments"),
    };
    error("cspm::annotation-shape", span, format!("the annotation of `{name}` does not fit its definition"))
        .label(format!("annotated as `{}`", cut(annotated, 50)))
        .also(equation, format!("defined with {takes}"))
        .help("write the arguments in parentheses: `f :: (Int, Bool) -> Proc`")
}

/// `=>*` after a type that is not a variable.
pub(super) fn extendable_without_variable(span: Span) -> Diagnostic {
    error("cspm::extendable-without-variable", span, "only a type variable can stand before `=>*`")
        .label("this is a type, but the fields before `=>*` are unknown")
        .help("write `a =>* Event`, or `=>` if the field is known")
}

/// Equations of one function with different numbers of arguments.
pub(super) fn equation_arity(span: Span, name: &str, expected: &[usize], given: &[usize], first: Span) -> Diagnostic {
    let shape = |groups: &[usize]| match groups {
        [single] => count(*single, "argument"),
        several => format!("{} argument groups", several.len()),
    };
    error("cspm::equation-arity", span, format!("the equations of `{name}` take different arguments"))
        .label(format!("takes {} here", shape(given)))
        .also(first, format!("takes {} here", shape(expected)))
        .help("give every equation the same number of arguments, or another name")
}

/// An infinite type.
pub(super) fn infinite_type(span: Span, variable: &str, found: &str, reason: &str) -> Diagnostic {
    let title = format!("this would need the infinite type `{variable} = {}`", cut(found, 30));
    error("cspm::infinite-type", span, title)
        .label(reason)
        .with_note("a value cannot contain something of its own type, such as a sequence that is its own element")
}

/// A type that exceeds the size limit.
pub(super) fn type_too_large(span: Span) -> Diagnostic {
    error("cspm::type-too-large", span, "the type of this is too large to work with")
        .label("for example, nested pairs of pairs double the type each time")
        .help("annotate the functions involved, or build smaller values")
}

/// A pattern that decomposes a value of unknown constructor.
pub(super) fn split_value(span: Span, found: &str, other: Related) -> Diagnostic {
    let title = format!("a dotted pattern cannot take apart `{}`", cut(found, 40));
    also(error("cspm::split-value", span, title).label("nothing says which constructor or channel comes first"), other)
        .help("begin the pattern with a constructor or channel: `c.x`")
}

/// Fields of a declaration that are not sets.
pub(super) fn not_a_set_of_values(span: Span, found: &str, whose: &str) -> Diagnostic {
    let title = format!("the fields of {whose} are given by sets, not by `{}`", cut(found, 20));
    let title = if whose == "a nametype" { format!("a nametype names a set, not `{}`", cut(found, 40)) } else { title };
    error("cspm::not-a-set", span, title).label(format!("this is `{}`", cut(found, 50))).help(match found {
        "Int" => "write a set such as `{0..3}`",
        _ => "write a set such as `{0..3}`, `Bool`, or the name of a datatype",
    })
}

/// A channel or constructor with undetermined fields.
pub(super) fn ambiguous(span: Span, kind: &str, name: &str, found: &str) -> Diagnostic {
    let title = format!("the fields of {kind} `{name}` are not decided");
    error("cspm::ambiguous-fields", span, title)
        .label(format!("it would be `{}` for any type", cut(found, 45)))
        .with_note("an empty set says nothing about the type of its elements")
        .help("annotate the set, such as `X :: {Int}`")
}

/// A subtype clause with more fields than its constructor.
pub(super) fn subtype_fields(span: Span, name: &str, declared: usize, given: usize, place: Span) -> Diagnostic {
    let verb = if given == 1 { "is" } else { "are" };
    let title = format!("`{name}` takes {}, but {given} {verb} given", count_or_none(declared));
    error("cspm::subtype-fields", span, title)
        .label("a subtype restricts the fields that are there")
        .also(place, format!("declared with {}", count_or_none(declared)))
        .help("remove the extra fields")
}

/// A subtype that mixes datatypes.
pub(super) fn subtype_of_another(span: Span, name: &str, datatype: &str, parent: &str, place: Span) -> Diagnostic {
    let title = format!("`{name}` belongs to `{datatype}`, not to `{parent}`");
    error("cspm::subtype-mixed", span, fitting(title, "the constructors belong to different datatypes"))
        .label(format!("the constructors before it make this a subtype of `{parent}`"))
        .also(place, format!("a constructor of `{datatype}`"))
        .help("declare one subtype for each datatype")
}

/// `tock` with fields, or of a type other than event.
pub(super) fn tock_type(span: Span, found: &str, section: Span) -> Diagnostic {
    error("cspm::tock-type", span, format!("`tock` must be a plain event, but it is `{}`", cut(found, 30)))
        .label("declared with another type")
        .also(section, "timed sections count time by `tock`")
        .help("declare `channel tock`")
}

/// A renaming or link of events of different types.
pub(super) fn tie_mismatch(span: Span, left: &str, right: &str, other: Span) -> Diagnostic {
    error("cspm::tie-mismatch", span, "the two sides miss different fields")
        .label(format!("this is `{}`", cut(right, 50)))
        .also(other, format!("this is `{}`", cut(left, 50)))
        .help("give the side that carries more fields the extra ones: `c.x <- d`")
}

/// Arguments of different types in two instances.
pub(super) fn parameter_of_two_types(name: &str, span: Span, found: &str, other: Span, expected: &str) -> Diagnostic {
    let reason = format!("the parameter `{name}` has one type in all instances");
    let diagnostic = mismatch(span, expected, found, &reason, Some((other, format!("`{name}` is `{expected}` here"))));
    Diagnostic { code: "cspm::parameter-types", ..diagnostic }
}
