//! What can be wrong besides the script.

use crate::Language;
use source::{Diagnostic, Phase, Span};

pub fn unsupported_language(path: &str, language: Language) -> Diagnostic {
    let title = format!("`{path}` is to be read as {}, which is not supported yet", language.title());
    Diagnostic::error(Phase::Lex, "tracehound::unsupported-language", Span::default(), title)
        .help("only CSPM scripts are read so far; `--language cspm` reads this one as such")
}

pub fn looks_like(path: &str, language: Language, evidence: Span) -> Diagnostic {
    let title = format!("`{path}` looks like {}, which is not supported yet", language.title());
    let why = if evidence.start == evidence.end { "named" } else { "written" };
    Diagnostic::error(Phase::Lex, "tracehound::unsupported-language", evidence, title)
        .label(format!("only {} is {why} like this", language.title()))
        .help("only CSPM scripts are read so far; `--language cspm` reads this one as such")
}

pub fn not_a_process(span: Span, type_text: &str) -> Diagnostic {
    let title = format!("this is of type `{type_text}`, not a process");
    Diagnostic::error(Phase::Types, "tracehound::not-a-process", span, title)
        .label("a process is needed here")
        .help("`tracehound eval` prints values of other types")
}

/// A limit that was reached before there was a result.
pub fn unfinished(span: Span, detail: &str) -> Diagnostic {
    Diagnostic::error(Phase::Compile, "tracehound::unfinished", span, detail)
        .label("this was not finished")
        .help("`--time-limit`, `--memory-limit` and `--max-states` set the limits")
}
