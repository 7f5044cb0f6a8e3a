//! Formulas from outside of a script.

use super::{Choices, Logic};
use ltl::syntax::parse_list;
use source::{Diagnostic, SourceMap, Span};

/// Formulas from outside of a script, each to become an assertion behind those of the script.
#[derive(Clone, Copy, Debug)]
pub struct Asked<'a> {
    /// The process they are about, an expression of the script.
    pub process: &'a str,
    /// The formulas.
    pub texts: &'a [AskedText<'a>],
    /// Options for these formulas and for those of the script, which override those of the script.
    pub choices: Choices,
}

/// A text with formulas.
#[derive(Clone, Copy, Debug)]
pub struct AskedText<'a> {
    /// Its name in messages.
    pub path: &'a str,
    /// The text.
    pub text: &'a str,
    /// In which logic.
    pub logic: Logic,
    /// Whether it has a formula on each line, perhaps with names, rather than being one.
    pub is_list: bool,
}

/// One formula of such a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedFormula {
    /// In which logic.
    pub logic: Logic,
    /// The formula.
    pub text: String,
    /// Where it stands.
    pub span: Span,
    /// Its name in a list of formulas.
    pub name: Option<String>,
}

impl Asked<'_> {
    /// The single formulas, whose texts are added to those of the script.
    pub fn formulas(&self, map: &mut SourceMap) -> (Vec<AskedFormula>, Vec<Diagnostic>) {
        let (mut formulas, mut diagnostics) = (Vec::new(), Vec::new());
        for text in self.texts {
            let span = map.add(text.path, text.text).unwrap_or_default();
            if !text.is_list {
                formulas.push(AskedFormula { logic: text.logic, text: text.text.to_owned(), span, name: None });
                continue;
            }
            let (entries, wrong) = parse_list(text.text, span.start);
            diagnostics.extend(wrong);
            formulas.extend(entries.into_iter().map(|entry| AskedFormula {
                logic: if entry.is_branching { Logic::Ctl } else { text.logic },
                text: entry.formula.text,
                span: entry.formula.span,
                name: entry.name.map(|name| name.text),
            }));
        }
        (formulas, diagnostics)
    }
}
