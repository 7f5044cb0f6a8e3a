//! Functions that yield processes.

use super::super::Evaluator;
use super::super::errors;
use super::super::runtime_error::Eval;
use super::super::seq::Walk;
use super::super::value::Value;
use super::super::variables::Args;
use cspm::builtins::Builtin;
use cspm::syntax::ExprId;
use hashbrown::{HashMap, HashSet};
use model::{EventId, EventSet};
use process::{Compression, PriorityOrder, Relation, Term, TermId};
use std::sync::Arc;

impl Evaluator<'_> {
    pub(super) fn process_builtin(&mut self, builtin: Builtin, mut args: Args, site: ExprId) -> Eval {
        use Builtin as B;
        args.reverse();
        let mut next = || args.pop().unwrap_or(Value::Hole);
        let compression = match builtin {
            B::Normal | B::EarlyNormal => Some(Compression::Normal),
            B::LazyNorm => Some(Compression::LazyNorm),
            B::Explicate => Some(Compression::Explicate),
            B::LazyEnumerate => Some(Compression::LazyEnumerate),
            B::Diamond => Some(Compression::Diamond),
            B::SBisim => Some(Compression::SBisim),
            B::WBisim => Some(Compression::WBisim),
            B::DBisim => Some(Compression::DBisim),
            B::TauLoopFactor => Some(Compression::TauLoopFactor),
            B::ModelCompress => Some(Compression::ModelCompress),
            B::Chase => Some(Compression::Chase),
            B::ChaseNoCache => Some(Compression::ChaseNoCache),
            B::Deter => Some(Compression::Deter),
            _ => None,
        };
        if let Some(compression) = compression {
            let process = self.expect_process(next())?;
            return Ok(self.term(Term::Compressed(compression, process)));
        }
        let term = match builtin {
            B::Div => Term::Div,
            B::Chaos => Term::Chaos(self.events_of(next(), site)?),
            B::Run => match self.events_of(next(), site)? {
                none if none.is_empty() => Term::Stop,
                events => Term::Run(events),
            },
            B::Loop => Term::Loop(self.expect_process(next())?),
            B::Prioritise | B::PrioritiseNoCache => {
                let process = self.expect_process(next())?;
                let levels = self.priority_levels(next(), site)?;
                Term::Prioritise(process, levels)
            }
            B::PrioritisePo => {
                let process = self.expect_process(next())?;
                let events = self.events_of(next(), site)?;
                let above = self.event_pairs(next(), site)?;
                let maximal = self.events_of(next(), site)?;
                let order = PriorityOrder { events, above, maximal };
                self.check_order(&order, site)?;
                Term::PrioritiseBy(process, Arc::new(order))
            }
            B::TraceWatchdog | B::FailureWatchdog => {
                let process = self.expect_process(next())?;
                let alphabet = self.events_of(next(), site)?;
                let alarm = self.event_of(next(), site)?;
                match builtin {
                    B::TraceWatchdog => Term::TraceWatchdog(process, alphabet, alarm),
                    _ => Term::FailureWatchdog(process, alphabet, alarm),
                }
            }
            B::Buffer => {
                let capacity = self.capacity(next(), site)?;
                let pairs = self.buffer_pairs(next(), &[], site)?;
                Term::Buffer(capacity, pairs)
            }
            B::WeakBuffer => {
                let capacity = self.capacity(next(), site)?;
                let full = self.event_of(next(), site)?;
                let pairs = self.buffer_pairs(next(), &[full], site)?;
                Term::WeakBuffer(capacity, full, pairs)
            }
            B::SignalBuffer => {
                let capacity = self.capacity(next(), site)?;
                let full = self.event_of(next(), site)?;
                let empty = self.event_of(next(), site)?;
                let pairs = self.buffer_pairs(next(), &[full, empty], site)?;
                Term::SignalBuffer(capacity, full, empty, pairs)
            }
            other => {
                let what = format!("`{}` cannot be used here", other.name());
                return Err(self.inconsistent(self.span(site), what));
            }
        };
        Ok(self.term(term))
    }

    /// A process, as the types promise.
    pub(in super::super) fn expect_process(&mut self, value: Value) -> Eval<TermId> {
        match self.whnf(value)? {
            Value::Proc(term) => Ok(term.get()),
            other => Err(self.confused("a process", &other)),
        }
    }

    pub(crate) fn events_of(&mut self, value: Value, site: ExprId) -> Eval<EventSet> {
        let set = self.expect_set(value)?;
        self.event_set(&set, site)
    }

    pub(crate) fn event_of(&mut self, value: Value, site: ExprId) -> Eval<EventId> {
        let value = self.deep(value, site)?;
        self.event_id(&value, site)
    }

    fn event_pairs(&mut self, value: Value, site: ExprId) -> Eval<Relation> {
        let set = self.expect_set(value)?;
        let elements = self.listed(&set, site)?;
        let mut pairs = Vec::with_capacity(elements.len());
        for element in elements {
            match &element {
                Value::Tuple(node) if node.items.len() == 2 => {
                    pairs.push((self.event_id(&node.items[0], site)?, self.event_id(&node.items[1], site)?));
                }
                other => return Err(self.confused("a pair of events", other)),
            }
        }
        pairs.sort_unstable();
        pairs.dedup();
        Ok(pairs.into())
    }

    fn priority_levels(&mut self, value: Value, site: ExprId) -> Eval<Arc<[EventSet]>> {
        let mut levels = Vec::new();
        let mut walk = Walk::new(value);
        while let Some(level) = self.next_element(&mut walk)? {
            levels.push(self.events_of(level, site)?);
        }
        match levels.is_empty() {
            true => Err(self.fail(errors::no_priorities(self.span(site)))),
            false => Ok(levels.into()),
        }
    }

    fn capacity(&mut self, value: Value, site: ExprId) -> Eval<u32> {
        match self.whnf(value)? {
            Value::Int(capacity) => match u32::try_from(capacity) {
                Ok(capacity) if capacity >= 1 => Ok(capacity),
                _ => Err(self.fail(errors::buffer_capacity(self.span(site), capacity))),
            },
            other => Err(self.confused("a number", &other)),
        }
    }

    /// Inputs and outputs of a buffer; no event may play two parts.
    fn buffer_pairs(&mut self, value: Value, signals: &[EventId], site: ExprId) -> Eval<Relation> {
        let pairs = self.event_pairs(value, site)?;
        let mut seen: HashSet<EventId> = HashSet::new();
        let all = signals.iter().copied().chain(pairs.iter().flat_map(|&(input, output)| [input, output]));
        for event in all {
            if !seen.insert(event) {
                return Err(self.fail(errors::buffer_event_twice(self.span(site), self.events.text(event))));
            }
        }
        Ok(pairs)
    }

    /// `prioritisepo` wants its events declared, no cycle, and nothing above a maximal event.
    fn check_order(&mut self, order: &PriorityOrder, site: ExprId) -> Eval<()> {
        let span = self.span(site);
        let mentioned = order.above.iter().flat_map(|&(a, b)| [a, b]).chain(order.maximal.iter().copied());
        for event in mentioned {
            if order.events.binary_search(&event).is_err() {
                return Err(self.fail(errors::event_without_priority(span, self.events.text(event))));
            }
        }
        if let Some(&(above, below)) = order.above.iter().find(|(_, below)| order.maximal.binary_search(below).is_ok())
        {
            let (above, below) = (self.events.text(above), self.events.text(below));
            return Err(self.fail(errors::maximal_event_below(span, above, below)));
        }
        if let Some(event) = cycle(&order.above) {
            return Err(self.fail(errors::cyclic_priorities(span, self.events.text(event))));
        }
        Ok(())
    }
}

/// An event that is above itself. Events without anything above them are taken away until nothing changes.
fn cycle(above: &[(EventId, EventId)]) -> Option<EventId> {
    let mut n_above: HashMap<EventId, usize> = HashMap::new();
    let mut below: HashMap<EventId, Vec<EventId>> = HashMap::new();
    for &(high, low) in above {
        n_above.entry(high).or_default();
        *n_above.entry(low).or_default() += 1;
        below.entry(high).or_default().push(low);
    }
    let mut free: Vec<EventId> = n_above.iter().filter(|(_, count)| **count == 0).map(|(event, _)| *event).collect();
    while let Some(event) = free.pop() {
        n_above.remove(&event);
        for low in below.get(&event).into_iter().flatten() {
            if let Some(count) = n_above.get_mut(low) {
                *count -= 1;
                if *count == 0 {
                    free.push(*low);
                }
            }
        }
    }
    n_above.into_keys().min()
}
