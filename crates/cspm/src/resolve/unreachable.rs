//! Unreachable equations, whose arguments are matched by earlier ones.
//!
//! An equation is unreachable after one with more general patterns, or after two that cover the cases of a truth value
//! or of a sequence. The usual cause is a name in a pattern that was intended as a constant, but is a new variable.

use super::{NameId, NameKind, PatName, Resolver, errors};
use crate::stack;
use crate::syntax::{Decl, DeclId, Equation, Pat, PatId};
use hashbrown::HashMap;
use limits::effort::cspm_checks::MAX_EQUATIONS;
use source::Severity;

impl Resolver {
    /// Warns of unreachable equations. It is skipped for scripts with errors: without its datatype, a constructor looks
    /// like a variable.
    pub(super) fn report_unreachable(&mut self) {
        if self.out.ast.incomplete || self.diagnostics.iter().any(|found| found.severity == Severity::Error) {
            return;
        }
        let constants = self.constants_at_the_top();
        let mut found = Vec::new();
        for index in 0..self.out.ast.n_decls() {
            let Decl::Function { name, equations } = self.out.ast.decl(DeclId(index as u32)) else { continue };
            let equations = &equations[..equations.len().min(MAX_EQUATIONS)];
            let text = self.symbol_text(name.symbol);
            for (at, equation) in equations.iter().enumerate().skip(1) {
                let Some(cause) = self.hidden_by(&equations[..at], equation) else { continue };
                let meant = self.meant_as_constant(cause, &constants);
                let meant = meant.map(|(name, defined)| (self.out.text(name), defined));
                found.push(errors::unreachable_equation(text, equation.span, cause.span, meant));
                break;
            }
        }
        self.diagnostics.append(&mut found);
    }

    /// Global constants by name, to suggest the intended pattern.
    fn constants_at_the_top(&self) -> HashMap<crate::syntax::Symbol, NameId> {
        let names = (0..).map(NameId).zip(&self.out.names);
        let is_constant = |kind: NameKind| matches!(kind, NameKind::Value(_) | NameKind::Nametype(_));
        let constants = names.filter(|(_, name)| is_constant(name.kind) && !name.qualified.contains("::"));
        constants.map(|(id, name)| (name.symbol, id)).collect()
    }

    fn meant_as_constant(
        &self,
        cause: &Equation,
        constants: &HashMap<crate::syntax::Symbol, NameId>,
    ) -> Option<(NameId, source::Span)> {
        let bound = cause.groups.iter().flatten().filter_map(|&pat| match self.out.pat_name(pat) {
            Some(PatName::Binds(name)) => Some(name),
            _ => None,
        });
        let meant = bound.filter_map(|name| constants.get(&self.out.name(name).symbol).copied());
        meant.map(|name| (name, self.out.name(name).span)).next()
    }

    /// The last of the earlier equations that make `later` unreachable.
    fn hidden_by<'e>(&self, earlier: &'e [Equation], later: &Equation) -> Option<&'e Equation> {
        let row = |equation: &Equation| equation.groups.iter().flatten().copied().collect::<Vec<PatId>>();
        let later = row(later);
        let rows: Vec<Vec<PatId>> = earlier.iter().map(row).collect();
        let covers = |row: &[PatId], except: Option<usize>| {
            row.len() == later.len()
                && row.iter().zip(&later).enumerate().all(|(at, (&p, &q))| Some(at) == except || self.covers(p, q))
        };
        if let Some(at) = rows.iter().position(|row| covers(row, None)) {
            return Some(&earlier[at]);
        }
        for column in 0..later.len() {
            let (mut seen, mut last) = (Cases::default(), None);
            for (row, equation) in rows.iter().zip(earlier).filter(|(row, _)| covers(row, Some(column))) {
                if self.note_case(row[column], &mut seen) {
                    last = Some(equation);
                }
            }
            if seen.is_complete() {
                return last;
            }
        }
        None
    }

    /// Records which of two complementary cases a pattern matches, if any.
    fn note_case(&self, pat: PatId, seen: &mut Cases) -> bool {
        let case = match self.out.ast.pat(pat) {
            Pat::Paren(inner) => return self.note_case(*inner, seen),
            Pat::Bool(truth) => &mut seen.truths[usize::from(*truth)],
            Pat::Seq(parts) if parts.is_empty() => &mut seen.sequences[0],
            Pat::Concat(front, back) => match self.out.ast.pat(*front) {
                Pat::Seq(parts) if parts.len() == 1 && self.takes_all(parts[0]) && self.takes_all(*back) => {
                    &mut seen.sequences[1]
                }
                _ => return false,
            },
            _ => return false,
        };
        !std::mem::replace(case, true)
    }

    /// Whether a pattern is irrefutable.
    fn takes_all(&self, pat: PatId) -> bool {
        match self.out.ast.pat(pat) {
            Pat::Wildcard => true,
            Pat::Name(_) => matches!(self.out.pat_name(pat), Some(PatName::Binds(_))),
            Pat::Paren(inner) => stack::grow(|| self.takes_all(*inner)),
            Pat::Tuple(parts) => stack::grow(|| parts.iter().all(|&part| self.takes_all(part))),
            _ => false,
        }
    }

    /// Whether `general` matches every value that `special` matches. It may err on the side of `false`.
    fn covers(&self, general: PatId, special: PatId) -> bool {
        if self.takes_all(general) {
            return true;
        }
        let all = |general: &[PatId], special: &[PatId]| {
            general.len() == special.len() && general.iter().zip(special).all(|(&p, &q)| self.covers(p, q))
        };
        stack::grow(|| match (self.out.ast.pat(general), self.out.ast.pat(special)) {
            (Pat::Paren(inner), _) => self.covers(*inner, special),
            (_, Pat::Paren(inner)) => self.covers(general, *inner),
            (Pat::Name(_), Pat::Name(_)) => match (self.out.pat_name(general), self.out.pat_name(special)) {
                (Some(PatName::Matches(a)), Some(PatName::Matches(b))) => a == b,
                _ => false,
            },
            (Pat::Int(a), Pat::Int(b)) => a == b,
            (Pat::Bool(a), Pat::Bool(b)) => a == b,
            (Pat::Char(a), Pat::Char(b)) => a == b,
            (Pat::String(a), Pat::String(b)) => a == b,
            (Pat::Tuple(a), Pat::Tuple(b)) | (Pat::Seq(a), Pat::Seq(b)) | (Pat::Set(a), Pat::Set(b)) => all(a, b),
            (Pat::Concat(a, b), Pat::Concat(c, d)) | (Pat::Dot(a, b), Pat::Dot(c, d)) => all(&[*a, *b], &[*c, *d]),
            (Pat::Concat(front, back), Pat::Seq(special)) => match self.out.ast.pat(*front) {
                Pat::Seq(front) if front.len() <= special.len() => {
                    self.takes_all(*back) && all(front, &special[..front.len()])
                }
                _ => false,
            },
            _ => false,
        })
    }
}

/// The covered ones of two complementary cases.
#[derive(Default)]
struct Cases {
    truths: [bool; 2],
    sequences: [bool; 2],
}

impl Cases {
    fn is_complete(&self) -> bool {
        self.truths == [true; 2] || self.sequences == [true; 2]
    }
}
