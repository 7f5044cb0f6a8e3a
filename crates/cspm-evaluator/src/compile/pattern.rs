//! Patterns.

use super::super::code::{DotPart, FieldPart, Pattern};
use super::{Compiler, Var};
use cspm::resolve::{NameId, PatName};
use cspm::stack;
use cspm::syntax::{Pat, PatId};

/// The parts of a sequence pattern: elements, perhaps a part of any length, elements.
struct Affixes {
    prefix: Vec<Pattern>,
    middle: Option<Pattern>,
    suffix: Vec<Pattern>,
}

impl Compiler<'_, '_> {
    /// A pattern whose names get slots in the current frame.
    pub(super) fn pattern(&mut self, pat: PatId) -> Pattern {
        stack::grow(|| self.pattern_here(pat))
    }

    fn patterns(&mut self, pats: &[PatId]) -> Box<[Pattern]> {
        pats.iter().map(|&pat| self.pattern(pat)).collect()
    }

    fn pattern_here(&mut self, pat: PatId) -> Pattern {
        match self.resolved.ast.pat(pat) {
            Pat::Error => Pattern::Damaged,
            Pat::Name(_) => match self.resolved.pat_name(pat) {
                Some(PatName::Binds(name)) => Pattern::Bind(self.bind(Var::Name(name))),
                Some(PatName::Matches(head)) => Pattern::Head(head),
                None => Pattern::Damaged,
            },
            Pat::Wildcard => Pattern::Any,
            Pat::Int(number) => Pattern::Int(*number),
            Pat::Bool(truth) => Pattern::Bool(*truth),
            Pat::Char(char) => Pattern::Char(*char),
            Pat::Paren(inner) => self.pattern(*inner),
            Pat::Tuple(parts) => Pattern::Tuple(self.patterns(parts)),
            Pat::String(_) | Pat::Seq(_) | Pat::Concat(..) => self.sequence(pat),
            Pat::Set(parts) => match **parts {
                [] => Pattern::EmptySet,
                [only] => Pattern::Singleton(Box::new(self.pattern(only))),
                _ => Pattern::Damaged,
            },
            Pat::Dot(..) => self.dots_pattern(pat),
            Pat::Both(left, right) => Pattern::Both(Box::new((self.pattern(*left), self.pattern(*right)))),
        }
    }

    fn sequence(&mut self, pat: PatId) -> Pattern {
        match self.affixes(pat) {
            Some(Affixes { prefix, middle: None, .. }) => Pattern::Seq(prefix.into()),
            Some(Affixes { prefix, middle: Some(middle), suffix }) => {
                let (prefix, middle, suffix) = (prefix.into(), Box::new(middle), suffix.into());
                Pattern::Affixes { prefix, middle, suffix }
            }
            None => Pattern::Damaged,
        }
    }

    /// Flattens a sequence pattern; there is nothing to return when two parts have no fixed length.
    fn affixes(&mut self, pat: PatId) -> Option<Affixes> {
        let fixed = |prefix| Some(Affixes { prefix, middle: None, suffix: Vec::new() });
        match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.affixes(*inner),
            Pat::String(text) => fixed(text.chars().map(Pattern::Char).collect()),
            Pat::Seq(parts) => fixed(self.patterns(parts).into_vec()),
            Pat::Concat(left, right) => {
                let (left, right) = stack::grow(|| Some((self.affixes(*left)?, self.affixes(*right)?)))?;
                join_affixes(left, right)
            }
            _ => Some(Affixes { prefix: Vec::new(), middle: Some(self.pattern(pat)), suffix: Vec::new() }),
        }
    }

    fn dots_pattern(&mut self, pat: PatId) -> Pattern {
        let mut parts = Vec::new();
        self.flatten_dots(pat, &mut parts);
        Pattern::Dots(parts.iter().map(|&part| self.dot_part(part)).collect())
    }

    fn dot_part(&mut self, pat: PatId) -> DotPart {
        match self.head_pattern(pat) {
            Some(head) => DotPart::Head(head),
            None => DotPart::Fields(self.pattern(pat), self.width(pat)),
        }
    }

    fn flatten_dots(&self, pat: PatId, parts: &mut Vec<PatId>) {
        stack::grow(|| match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.flatten_dots(*inner, parts),
            Pat::Dot(left, right) => {
                self.flatten_dots(*left, parts);
                self.flatten_dots(*right, parts);
            }
            _ => parts.push(pat),
        });
    }

    fn head_pattern(&self, pat: PatId) -> Option<NameId> {
        match (self.resolved.ast.pat(pat), self.resolved.pat_name(pat)) {
            (Pat::Name(_), Some(PatName::Matches(head))) => Some(head),
            _ => None,
        }
    }

    /// How many components of a dotted value a pattern takes when more patterns follow.
    fn width(&self, pat: PatId) -> usize {
        match self.resolved.ast.pat(pat) {
            Pat::Paren(inner) => self.width(*inner),
            Pat::Both(left, right) => self.width(*left).max(self.width(*right)),
            Pat::Dot(..) => {
                let mut parts = Vec::new();
                self.flatten_dots(pat, &mut parts);
                // A constructor takes its fields along.
                let headed = parts.first().is_some_and(|&first| self.head_pattern(first).is_some());
                if headed { 1 } else { parts.iter().map(|&part| self.width(part)).sum() }
            }
            _ => 1,
        }
    }

    /// The parts of an input pattern, each of which takes a field of its own.
    pub(super) fn field_parts(&mut self, pat: PatId) -> Box<[FieldPart]> {
        let mut parts = Vec::new();
        self.flatten_dots(pat, &mut parts);
        let part = |&part: &PatId| match self.head_pattern(part) {
            Some(head) => FieldPart::Head(head),
            None => FieldPart::Pattern(self.pattern(part)),
        };
        parts.iter().map(part).collect()
    }
}

fn join_affixes(left: Affixes, right: Affixes) -> Option<Affixes> {
    let Affixes { mut prefix, middle, mut suffix } = left;
    match (middle, right.middle) {
        (None, middle) => {
            prefix.extend(right.prefix);
            Some(Affixes { prefix, middle, suffix: right.suffix })
        }
        (Some(middle), None) => {
            suffix.extend(right.prefix);
            Some(Affixes { prefix, middle: Some(middle), suffix })
        }
        (Some(_), Some(_)) => None,
    }
}
