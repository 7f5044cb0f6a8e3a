//! The wording of what is wrong beside the text of a network itself.

use source::{Diagnostic, Phase, Span, suggest};

pub fn unknown_network<'a>(name: &str, span: Span, known: impl Iterator<Item = &'a str> + Clone) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(Phase::Names, "network::unknown-network", span, format!("there is no network `{name}`"))
            .label("a network of the file is needed here");
    match suggest::nearest(name, known.clone()) {
        Some(near) => diagnostic.did_you_mean(near),
        None => {
            let all: Vec<String> = known.take(8).map(|name| format!("`{name}`")).collect();
            diagnostic.help(format!("there are {}", all.join(", ")))
        }
    }
}

pub fn no_expressions(span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Evaluate, "network::no-expressions", span, "networks have no expressions to evaluate")
        .label("this would need a script")
        .help("`tracehound simulate` shows the values of variables step by step")
}

pub fn unreadable_set(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Names, "network::set", span, format!("`{text}` is no set of field values"))
        .label("a list is needed here")
        .help("write `{0..3}` or `{red, green}`")
}

pub fn unreadable_predicate(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(Phase::Names, "network::predicate", span, format!("`{text}` is no comparison of field values"))
        .label("only field values and variables of the formula can be compared here")
        .help("write `x == y`, `x != 0` or `x < 3`; say `[e]` and `e(e)` to speak of events")
}
