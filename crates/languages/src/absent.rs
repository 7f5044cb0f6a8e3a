//! Languages that are recognized and not read yet, so that their scripts are not read as another language.

use crate::guess::find_at_line_start;
use frontend::{Assertion, Language, Opening, Script, Semantics};
use progress::Progress;
use source::{Diagnostic, Phase, SourceMap, Span};
use std::ops::Range;
use std::sync::Arc;

/// A language that is not read yet.
#[derive(Debug)]
pub(crate) struct Absent {
    name: &'static str,
    title: &'static str,
    about: &'static str,
    /// File names that end like this are in it.
    endings: &'static [&'static str],
    /// Lines of it begin with these; lines of others cannot, save inside comments.
    words: &'static [&'static str],
}

/// Classical B. In CSPM its first words would be names of processes standing alone.
pub(crate) const B: Absent = Absent {
    name: "b",
    title: "B",
    about: "Classical B (not read yet)",
    endings: &[".mch", ".ref", ".imp"],
    words: &["MACHINE", "REFINEMENT", "IMPLEMENTATION"],
};

impl Language for Absent {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    /// Scripts in a language that is not read are not searched for.
    fn endings(&self) -> &'static [&'static str] {
        &[]
    }

    fn recognize(&self, path: &str, text: &str) -> Option<Range<usize>> {
        if self.endings.iter().any(|ending| path.ends_with(ending)) {
            return Some(0..0);
        }
        find_at_line_start(text, self.words)
    }

    fn open(&self, opening: &Opening<'_>) -> Box<dyn Script> {
        let bytes = opening.files.read(opening.path).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let evidence = self.recognize(opening.path, &text);
        let mut map = SourceMap::new();
        // Without evidence, there is nothing to show.
        map.add(opening.path, if evidence.is_some() { &*text } else { "" });
        let diagnostics = vec![self.refuse(opening.path, evidence)];
        Box::new(Refused { map, diagnostics })
    }
}

impl Absent {
    fn refuse(&self, path: &str, evidence: Option<Range<usize>>) -> Diagnostic {
        let title = self.title;
        let verb = if evidence.is_some() { "looks like" } else { "is to be read as" };
        let span = evidence.clone().map_or(Span::default(), |range| Span::new(range.start as u32, range.end as u32));
        let text = format!("`{path}` {verb} {title}, which is not supported yet");
        let diagnostic = Diagnostic::error(Phase::Lex, "tracehound::unsupported-language", span, text)
            .help("only CSPM, CSP# and networks are read so far; `--language cspm` reads this one as CSPM");
        match evidence {
            Some(range) if range.is_empty() => diagnostic.label(format!("only {title} is named like this")),
            Some(_) => diagnostic.label(format!("only {title} is written like this")),
            None => diagnostic,
        }
    }
}

/// A script that was not read.
#[derive(Debug)]
struct Refused {
    map: SourceMap,
    diagnostics: Vec<Diagnostic>,
}

impl Script for Refused {
    fn source_map(&self) -> &SourceMap {
        &self.map
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    fn assertions(&self) -> Vec<Assertion> {
        Vec::new()
    }

    fn semantics(&self, _: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        unreachable!("a script with errors has no meaning")
    }
}
