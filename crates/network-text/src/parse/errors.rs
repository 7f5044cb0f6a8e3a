//! Diagnostics of the parser.

use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, title)
}

pub fn missing_header(span: Span) -> Diagnostic {
    error("network::missing-header", span, "a network begins with the line `tracehound network 1`")
        .label("the first line is missing")
        .help("write `tracehound network 1` above everything else")
}

pub fn unknown_version(found: i64, known: i64, span: Span) -> Diagnostic {
    error("network::unknown-version", span, format!("there is no version {found} of this language"))
        .label(format!("this tool reads version {known}"))
        .help("write the file anew with this tool, or read it with the one that wrote it")
}

pub fn unexpected(found: &str, expected: &str, span: Span) -> Diagnostic {
    error("network::unexpected-token", span, format!("expected {expected}, found {found}")).label("not expected here")
}

pub fn reserved_word(word: &str, expected: &str, span: Span) -> Diagnostic {
    error("network::unexpected-word", span, format!("expected {expected}, found `{word}`"))
        .label("a word of the language")
        .help(format!("if this is a name, write it in quotes: `\"{word}\"`"))
}

pub fn unclosed(open: &str, close: &str, open_span: Span, found: &str, span: Span) -> Diagnostic {
    error("network::unclosed-bracket", open_span, format!("this `{open}` is never closed"))
        .label(format!("`{open}` opened here"))
        .also(span, format!("expected `{close}`, found {found}"))
        .help(format!("add `{close}`"))
}

pub fn not_a_declaration(found: &str, span: Span) -> Diagnostic {
    error("network::not-a-declaration", span, format!("a declaration cannot begin with {found}"))
        .label("expected a word such as `event`, `network`, `machine`, `mode` or `assert`")
        .help("states stand below `machine NAME`, rules below `mode NAME`")
}

pub fn outside_of_networks(word: &str, span: Span) -> Diagnostic {
    error("network::outside-of-networks", span, format!("`{word}` stands outside of every network"))
        .label("no network is open here")
        .help("open one above this line: `network NAME`")
}

pub fn class_without_priority(span: Span) -> Diagnostic {
    error("network::class-without-priority", span, "a class stands below `priority`")
        .label("no `priority` is open here")
        .help("write `priority` on a line of its own, and the classes on the lines behind it")
}

pub fn repeated(word: &str, span: Span, first: Span) -> Diagnostic {
    error("network::repeated", span, format!("`{word}` stands twice in this network"))
        .label("the second one")
        .also(first, "the first one")
        .help("remove one of them")
}

pub fn edge_without_state(found: &str, span: Span) -> Diagnostic {
    error("network::step-without-state", span, format!("expected the first state of the machine, found {found}"))
        .label("no state is open here")
        .help("write the name of the state and `:` before its steps: `idle: a -> busy`")
}

pub fn clause_order(word: &str, has_jump: bool, span: Span) -> Diagnostic {
    let diagnostic =
        error("network::clause-order", span, format!("`{word}` does not stand here")).label("out of order");
    match word {
        "reset" if !has_jump => diagnostic.help("machines are reset by a change of mode: `goto MODE reset P, Q at 2`"),
        _ => diagnostic.help(
            "a rule is written `EVENT by P, Q when CONDITION unless OBSTACLE do STATEMENTS goto MODE from \"...\"`",
        ),
    }
}

pub fn unknown_type(word: &str, span: Span) -> Diagnostic {
    error("network::unknown-type", span, format!("`{word}` is not a type"))
        .label("expected a type")
        .help("types are `bool`, ranges such as `0..7`, `array[3] of 0..7` and `queue[3] of (0..7, bool)`")
}

pub fn number_too_large(least: i64, greatest: i64, span: Span) -> Diagnostic {
    error("network::number-too-large", span, "this number is too large")
        .label(format!("numbers here reach from {least} to {greatest}"))
}

pub fn too_deep(limit: u32, span: Span) -> Diagnostic {
    error("network::nested-too-deeply", span, "this is nested too deeply")
        .label(format!("more than {limit} levels"))
        .help("give parts of it names: `define NAME = EXPRESSION`")
}

pub fn single_equals(span: Span) -> Diagnostic {
    error("network::single-equals", span, "unexpected `=`")
        .label("`=` does not compare")
        .help("write `==` to compare two values, `:=` to change a variable")
}

pub fn chained_comparison(operator: &str, span: Span, first: Span) -> Diagnostic {
    error("network::chained-comparison", span, format!("`{operator}` needs parentheses here"))
        .label("a second comparison")
        .also(first, "after this one")
        .help("compare two values at a time: `0 < x and x < 5`")
}

pub fn not_as_operand(span: Span) -> Diagnostic {
    error("network::not-as-operand", span, "`not` needs parentheses here")
        .label("it reaches further than the operator before it")
        .help("write `(not ...)`")
}

pub fn unknown_function(name: &str, span: Span) -> Diagnostic {
    error("network::unknown-function", span, format!("there is no function `{name}`"))
        .label("unknown function")
        .help("write `head(q)` for the first message of a queue, `#q` for its length, `a[i]` for an element")
}

pub fn incomplete_assertion(found: &str, span: Span) -> Diagnostic {
    error("network::incomplete-assertion", span, format!("expected what to assert, found {found}"))
        .label("a refinement or a property should follow")
        .help("write `assert P [T= Q`, or `assert P :[deadlock free]`")
}

pub fn unknown_property(found: &str, span: Span) -> Diagnostic {
    error("network::unknown-property", span, format!("`{found}` is not a property"))
        .label("unknown property")
        .help("the properties are `deadlock free`, `divergence free`, `deterministic` and `has trace`")
}

pub fn unknown_model(found: &str, span: Span) -> Diagnostic {
    error("network::unknown-model", span, format!("`{found}` is not a semantic model"))
        .label("expected a model")
        .help("the models are `T` for traces, `F` for failures, `V` for revivals, `R` for refusal testing, or the last three with divergences: `FD`, `VD`, `RD`")
}

pub fn unknown_logic(found: &str, span: Span) -> Diagnostic {
    error("network::unknown-logic", span, format!("`{found}` is not a temporal logic"))
        .label("expected a logic")
        .help("write `|= LTL: \"...\"` or `|= CTL: \"...\"`")
}

pub fn empty_trace(span: Span) -> Diagnostic {
    error("network::empty-trace", span, "the trace is empty")
        .label("every network has the empty trace")
        .help("list at least one event, such as `<a, b>`")
}
