//! Renamings and links: pairs of events, completed in all ways.

use super::active_domains::Origin;
use super::code::{Replicated, TiesOp};
use super::dots::Check;
use super::runtime_error::Eval;
use super::set::{self, Elements, Set};
use super::value::Value;
use super::{Evaluator, errors};
use cspm::syntax::ExprId;
use hashbrown::HashSet;
use limits::input::cspm::MAX_LINKED_EVENTS;
use model::EventId;
use process::{Relation, Term, TermId};
use std::rc::Rc;

impl Evaluator<'_> {
    /// The pairs of a renaming or a link. A pair of channels stands for the pairs of events with the same fields.
    pub(super) fn ties(&mut self, ties: &TiesOp, base: usize) -> Eval<Relation> {
        let mut pairs: Vec<(EventId, EventId)> = Vec::new();
        self.rounds(&ties.steps, base, &mut |this| {
            for (from, to, site) in &ties.pairs {
                let from = this.eval(from, base)?;
                let to = this.eval(to, base)?;
                this.extend_tie(&from, &to, *site, &mut pairs)?;
            }
            Ok(())
        })?;
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs.into())
    }

    fn extend_tie(&mut self, from: &Value, to: &Value, site: ExprId, pairs: &mut Vec<(EventId, EventId)>) -> Eval<()> {
        if let Some(seen) = self.seen_in_both(from, to, site)? {
            for extension in seen {
                let from = self.combine(from, &extension, Check::Nothing, site)?;
                let to = self.combine(to, &extension, Check::Nothing, site)?;
                let from = self.event_seen(&from, Origin::ActiveDomain, site)?;
                pairs.push((from, self.event_seen(&to, Origin::ActiveDomain, site)?));
            }
            return Ok(());
        }
        let extensions = self.extensions(from, site)?;
        let listed = self.listed_extensions(&extensions, site);
        self.active_domains.are_wanted |= listed.is_err();
        for extension in listed? {
            let from = self.combine(from, &extension, Check::Nothing, site)?;
            let to = self.combine(to, &extension, Check::Fields, site)?;
            pairs.push((self.event_id(&from, site)?, self.event_id(&to, site)?));
        }
        Ok(())
    }

    fn listed_extensions(&mut self, extensions: &Rc<Set>, site: ExprId) -> Eval<Elements> {
        self.prepare(extensions)?;
        let n_pairs = set::cardinality(extensions, &self.watch);
        let n_pairs = self.about_sets(n_pairs, site)?;
        if n_pairs > MAX_LINKED_EVENTS {
            return Err(self.fail(errors::set_too_large(self.span(site), n_pairs)));
        }
        self.elements(extensions, site)
    }

    /// The pairs of a link, in which no event may have two partners.
    pub(super) fn link_ties(&mut self, ties: &TiesOp, base: usize) -> Eval<Relation> {
        let pairs = self.ties(ties, base)?;
        let (mut left, mut right) = (HashSet::new(), HashSet::new());
        for &(a, b) in pairs.iter() {
            let twice = if !left.insert(a) {
                Some(a)
            } else if !right.insert(b) {
                Some(b)
            } else {
                None
            };
            if let Some(event) = twice {
                return Err(self.fail(errors::linked_twice(self.span(ties.site), self.events.text(event))));
            }
        }
        Ok(pairs)
    }

    /// `[a <-> b] x:s @ P`: a chain in which each process is linked to the next.
    pub(super) fn replicated_link(&mut self, ties: &TiesOp, replicated: &Replicated, base: usize) -> Eval {
        let mut links: Vec<(Relation, TermId)> = Vec::new();
        self.rounds(&replicated.steps, base, &mut |this| {
            let pairs = this.link_ties(ties, base)?;
            links.push((pairs, this.operand(&replicated.process, base)?));
            Ok(())
        })?;
        let Some((_, last)) = links.pop() else {
            return Err(self.fail(errors::empty_link(self.span(replicated.site))));
        };
        let chain = links
            .into_iter()
            .rev()
            .fold(last, |rest, (pairs, process)| self.terms.intern(Term::Link(process, pairs, rest)));
        Ok(Value::process(chain))
    }
}
