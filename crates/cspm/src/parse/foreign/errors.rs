//! Diagnostics of foreign notation.

use source::{Diagnostic, Phase, Span};

fn error(code: &'static str, span: Span, title: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Phase::Parse, code, span, title)
}

pub fn bare_parallel(left: Option<&str>, right: Option<&str>, span: Span) -> Diagnostic {
    let (left, right) = (left.unwrap_or("P"), right.unwrap_or("Q"));
    error("cspm::bare-parallel", span, "`||` does not say which events both sides take together")
        .label("expected an operator that names them")
        .help(format!(
            "write `{left} [| {{|a, b|}} |] {right}` with the events of both, or `{left} ||| {right}` for none"
        ))
        .help(format!(
            "`{left} [A || B] {right}` has all events of each side, and both take those in A and in B together"
        ))
}

pub fn bar_as_choice(span: Span) -> Diagnostic {
    error("cspm::bar-as-choice", span, "`|` is no operator between processes")
        .label("expected an operator")
        .help("write `a -> P [] b -> Q`: the environment chooses; `P |~| Q`: the process does")
}

pub fn bar_and_bracket(events: &str, span: Span) -> Diagnostic {
    error("cspm::bar-and-bracket", span, "`|[` is written `[|`")
        .label("the bracket comes first")
        .help(format!("write `P [| {events} |] Q`"))
}

pub fn listed_events(set: &str, span: Span) -> Diagnostic {
    error("cspm::listed-events", span, "the events that both sides take together are one set")
        .label("expected a set, found a list")
        .help(format!("write `[| {set} |]`"))
}

pub fn foreign_renaming(old: &str, new: &str, span: Span) -> Diagnostic {
    error("cspm::foreign-renaming", span, "a renaming is written with `<-`")
        .label("expected the old event, `<-`, and the new one")
        .help(format!("write `[[{old} <- {new}]]`: `{old}` becomes `{new}`"))
}

pub fn single_brackets(old: &str, new: &str, span: Span) -> Diagnostic {
    error("cspm::foreign-renaming", span, "a renaming has double brackets")
        .label("single brackets hold alphabets, `[A || B]`, or links, `[a <-> b]`")
        .help(format!("write `P[[{old} <- {new}]]`: `{old}` becomes `{new}`"))
}

pub fn split_operator(operator: &str, span: Span) -> Diagnostic {
    error("cspm::split-operator", span, format!("`{operator}` is written without a blank"))
        .label("this is read as two signs")
        .help(format!("write `{operator}`"))
}

pub fn fat_arrow(span: Span) -> Diagnostic {
    error("cspm::fat-arrow", span, "`=>` stands in maps only")
        .label("expected another sign")
        .help("write `a -> P` for an event and what follows; for a condition, `not b or c`, or `b & P`")
}

pub fn refinement_without_model(span: Span, implementation: Option<&str>) -> Diagnostic {
    let implementation = implementation.unwrap_or("Q");
    error("cspm::refinement-without-model", span, "a refinement names its model")
        .label("in which model?")
        .help(format!(
            "write `[T= {implementation}` for traces, `[F= {implementation}` for failures, `[FD= {implementation}` for failures and divergences"
        ))
}

pub fn property_without_colon(words: &str, span: Span) -> Diagnostic {
    error("cspm::property-without-colon", span, "a property has a colon before its bracket")
        .label("read as alphabets of a parallel operator")
        .help(format!("write `:[{words}]`"))
}

pub fn assignment(span: Span) -> Diagnostic {
    error("cspm::foreign-definition", span, "`:=` is written `=`")
        .label("a definition has one sign")
        .help("write `NAME = ...`; a process changes its values by calling itself with new ones: `P(x) = a -> P(x+1)`")
}

pub fn double_equals(name: &str, span: Span) -> Diagnostic {
    error("cspm::foreign-definition", span, "`==` compares; it does not define")
        .label("expected `=`")
        .help(format!("write `{name} = ...`"))
}

pub fn not_an_operator(text: &str, span: Span) -> Diagnostic {
    error("cspm::not-an-operator", span, format!("`{text}` is no operator")).label("read as two signs").help(match text
    {
        "&&" => "write `and` between conditions",
        _ => "write `or` between conditions, `union(A, B)` for sets, `[]` or `|~|` between processes",
    })
}

pub fn foreign_operator(text: &str, here: &str, span: Span) -> Diagnostic {
    error("cspm::foreign-operator", span, format!("`{text}` is no operator between values"))
        .label("an operator is expected here")
        .help(format!("write `{here}`"))
}

pub fn foreign_comment(span: Span) -> Diagnostic {
    error("cspm::foreign-comment", span, "`//` begins no comment")
        .label("read as two signs")
        .help("write `-- ...` for a line, `{- ... -}` for more")
}

pub fn channel_equals(name: &str, span: Span) -> Diagnostic {
    error("cspm::channel-equals", span, format!("what `{name}` carries stands behind a colon"))
        .label("expected `:`")
        .help(format!("write `channel {name} : {{0..3}}`"))
}

pub fn let_in(span: Span) -> Diagnostic {
    error("cspm::let-in", span, "expected `within`, found `in`")
        .label("the definitions of a `let` end with `within`")
        .help("write `let ... within EXPRESSION`")
}

pub fn fixed_point(name: &str, span: Span) -> Diagnostic {
    error("cspm::fixed-point", span, "processes call themselves by their names")
        .label("there is no operator for recursion")
        .help(format!("write `{name} = ...` as a definition of its own, or `let {name} = ... within {name}`"))
}

pub fn choice_from_set(name: &str, span: Span) -> Diagnostic {
    error("cspm::choice-from-set", span, "expected `)`, found `:`")
        .label("a choice of an event from a set is written otherwise")
        .help(format!("write `[] {name}:SET @ {name} -> P({name})`, or `c?{name}:SET -> P({name})` for a channel `c`"))
}

pub fn unknown_keyword(word: &str, keyword: Option<&str>, next: &str, span: Span) -> Diagnostic {
    let diagnostic = error("cspm::unknown-keyword", span, format!("`{word}` is not a keyword"));
    match keyword {
        Some(keyword) => {
            diagnostic.label("no declaration begins like this").help(format!("write `{keyword} {next} ...`"))
        }
        None => diagnostic.label("a definition needs no word before it").help(format!("write `{next} = ...`")),
    }
}
