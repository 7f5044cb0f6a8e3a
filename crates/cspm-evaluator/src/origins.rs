//! Where prefixes are written.
//!
//! Equal terms are one, wherever they are written; so a prefix may come from several places, and only who knows how it
//! was come by can tell which one is meant.

use super::Evaluator;
use cspm::syntax::{Expr, ExprId, Field};
use hashbrown::HashMap;
use process::TermId;
use source::Span;

/// No expression.
const NONE: u32 = u32::MAX;

/// The expressions that made prefixes, by term.
#[derive(Debug, Default)]
pub(super) struct Origins {
    /// The first one of each term.
    first: Vec<u32>,
    /// All others, of the few terms that have them.
    others: HashMap<TermId, Vec<ExprId>>,
}

impl Origins {
    pub(super) fn add(&mut self, term: TermId, site: ExprId) {
        if self.first.len() <= term.index() {
            self.first.resize(term.index() + 1, NONE);
        }
        let first = &mut self.first[term.index()];
        if *first == NONE {
            *first = site.0;
        } else if *first != site.0 {
            let others = self.others.entry(term).or_default();
            if !others.contains(&site) {
                others.push(site);
            }
        }
    }

    fn of(&self, term: TermId) -> impl Iterator<Item = ExprId> {
        let first = self.first.get(term.index()).copied().filter(|&first| first != NONE).map(ExprId);
        first.into_iter().chain(self.others.get(&term).into_iter().flatten().copied())
    }
}

impl Evaluator<'_> {
    /// Where a prefix may be written: its event with the fields, in source order.
    pub fn prefix_spans(&self, term: TermId) -> Vec<Span> {
        let mut spans: Vec<Span> = self.origins.of(term).filter_map(|site| self.event_span(site)).collect();
        spans.sort_unstable();
        spans
    }

    /// The event of a prefix with its fields.
    fn event_span(&self, site: ExprId) -> Option<Span> {
        let ast = &self.resolved().ast;
        let Expr::Prefix { event, fields, .. } = ast.expr(site) else { return None };
        let end = |field: &Field| match *field {
            Field::Output(value) | Field::Input(_, Some(value)) | Field::NondetInput(_, Some(value)) => {
                ast.expr_span(value)
            }
            Field::Input(pattern, None) | Field::NondetInput(pattern, None) => ast.pat_span(pattern),
        };
        let start = ast.expr_span(*event);
        Some(fields.last().map_or(start, |field| start.to(end(field))))
    }
}
