//! What can be wrong before any front end is asked.

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
