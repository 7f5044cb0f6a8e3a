//! Source spans of the steps of a component.

use super::moves::{Found, Selection, Sort};
use super::{DataId, State, System, substitute};
use crate::code::IfKind;
use crate::code::{Term, TermId};
use limits::effort::processes::MAX_NESTING;
use lts::Label;
use model::EventId;
use source::Span;

impl System {
    /// The possible spans of a step of a component, in source order, given its position and the label. Empty if they
    /// are not known.
    pub fn written(&mut self, state: State, path: &[u32], label: Label) -> Vec<Span> {
        let Some(component) = self.term_at(state, path) else { return Vec::new() };
        let at = self.states[state.0 as usize].1;
        let mut prefixes = Vec::new();
        self.prefixes(component, at, 0, &mut prefixes);
        prefixes.retain(|&prefix| self.does(prefix, at, label));
        let mut spans: Vec<Span> = prefixes.into_iter().flat_map(|prefix| self.code.terms.written(prefix)).collect();
        spans.sort_unstable();
        spans.dedup();
        spans
    }

    /// The subterm at a path in nested compositions.
    fn term_at(&self, state: State, path: &[u32]) -> Option<TermId> {
        let mut term = self.states[state.0 as usize].0;
        for &place in path {
            term = match self.composition(term)? {
                Term::Interleave(all) | Term::Parallel(_, all) => *all.get(place as usize)?,
                Term::Group(members) | Term::Crowd(_, members) => {
                    members.iter().map(|(member, _)| *member).find(|member| member.0 == place)?
                }
                _ => return None,
            };
        }
        Some(term)
    }

    /// The enabled prefixes of a term under a valuation.
    fn prefixes(&mut self, id: TermId, at: DataId, depth: usize, found: &mut Vec<TermId>) {
        if depth > MAX_NESTING {
            return;
        }
        let next: Vec<TermId> = match self.code.terms.get(id).clone() {
            Term::Event(..) | Term::Silent(..) | Term::Send(..) | Term::Receive(..) => return found.push(id),
            Term::Guard(condition, next) => {
                self.holds(condition, at).unwrap_or(false).then_some(next).into_iter().collect()
            }
            Term::If(IfKind::Atomic, condition, then, otherwise) => match self.holds(condition, at) {
                Ok(holds) => vec![if holds { then } else { otherwise }],
                Err(_) => return,
            },
            Term::Choice(all) | Term::External(all) => all.to_vec(),
            Term::Interrupt(left, right) => vec![left, right],
            Term::Sequence(inside, _)
            | Term::Hide(_, inside)
            | Term::Atomic(inside)
            | Term::Active(inside)
            | Term::Watched(inside)
            | Term::Marked(_, inside)
            | Term::Expiring(_, _, inside, _)
            | Term::Bounded(_, _, inside) => vec![inside],
            Term::Call(definition, arguments) => self.called(definition, &arguments, at).into_iter().collect(),
            Term::Indexed(..) | Term::Copies(..) => {
                let expanded = substitute::term(&mut self.code, id, &[]);
                if expanded == id { Vec::new() } else { vec![expanded] }
            }
            _ => return,
        };
        for inside in next {
            self.prefixes(inside, at, depth + 1, found);
        }
    }

    /// Whether a prefix can have a label.
    fn does(&mut self, prefix: TermId, at: DataId, label: Label) -> bool {
        if let &Term::Receive(from, ..) = self.code.terms.get(prefix)
            && self.code.channels[from.channel as usize].capacity == 0
        {
            // An input accepts any message that matches, so only the channel is compared.
            return self.is_message_of(from.channel, label);
        }
        let mut found = Found::default();
        if self.moves(prefix, at, Selection::Moves, &mut found).is_err() {
            return false;
        }
        found.moves.iter().any(|next| match next.sort {
            Sort::Offer(number) => {
                let offer = &found.offers[number as usize];
                self.channel_label(offer.channel, offer.index, '.', &offer.values) == label
            }
            _ => next.label == label,
        })
    }

    fn is_message_of(&self, channel: u32, label: Label) -> bool {
        let Some(event) = EventId::of(label) else { return false };
        let text = self.events().text(event);
        let rest = text.strip_prefix(&*self.code.channels[channel as usize].name);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric() || next == '_'))
    }
}
