//! Terms, their store, and the way back into the front end.

use crate::digest::digest;
use crate::laws::{Relabelings, Simplified};
use hashbrown::HashTable;
use lts::Compression;
use model::{EventId, EventSet};
use source::{Diagnostic, Span};
use std::sync::Arc;

/// Number of a term in [`Terms`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct TermId(pub u32);

impl TermId {
    /// The number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Number of a call: a definition with the values of its arguments and of the variables it captured.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct CallId(pub u32);

/// Number of a failed evaluation, kept by the front end: it matters only if the process gets there.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct FailureId(pub u32);

/// A relation between events, sorted, without duplicates.
pub type Relation = Arc<[(EventId, EventId)]>;

/// One application of an operator.
///
/// The n-ary forms hold their operands in order, duplicates included.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)]
pub enum Term {
    Stop,
    Skip,
    Div,
    /// The state after successful termination: nothing happens any more.
    Omega,
    /// May refuse or accept anything in the set, for ever.
    Chaos(EventSet),
    /// Accepts everything in the set, for ever.
    Run(EventSet),
    /// A definition not opened yet.
    Call(CallId),
    /// Evaluating this process failed.
    Failed(FailureId),
    /// `event -> process`.
    Prefix(EventId, TermId),
    /// An external choice of prefixes with one continuation: `?e:events -> process`.
    PrefixAny(EventSet, TermId),
    ExternalChoice(Arc<[TermId]>),
    InternalChoice(Arc<[TermId]>),
    SlidingChoice(TermId, TermId),
    Sequential(TermId, TermId),
    Interrupt(TermId, TermId),
    /// `left [| events |> right`.
    Exception(TermId, EventSet, TermId),
    Interleave(Arc<[TermId]>),
    /// All operands take the events of the set together.
    Parallel(Arc<[TermId]>, EventSet),
    /// Each operand with its alphabet.
    AlphaParallel(Arc<[(TermId, EventSet)]>),
    /// `left [a <-> b] right`.
    Link(TermId, Relation, TermId),
    Hide(TermId, EventSet),
    Project(TermId, EventSet),
    /// Events outside the domain stay as they are. Those related to [`crate::HIDDEN`] are not seen.
    Rename(TermId, Relation),
    SyncChoice(Arc<[TermId]>, EventSet),
    SyncInterrupt(TermId, EventSet, TermId),
    /// Sets from the highest priority down; the internal event and termination go with the first.
    Prioritise(TermId, Arc<[EventSet]>),
    PrioritiseBy(TermId, Arc<PriorityOrder>),
    /// A first-in first-out buffer: capacity, input and output events.
    Buffer(u32, Relation),
    /// As `Buffer`, with an event for an input into a full buffer.
    WeakBuffer(u32, EventId, Relation),
    /// As `WeakBuffer`, with an event that signals emptiness: capacity, full, empty, input and output.
    SignalBuffer(u32, EventId, EventId, Relation),
    /// A buffer with the outputs it still owes, oldest first. An overflow to be signaled stands last, as its event.
    Holding(TermId, Arc<[EventId]>),
    /// `P ; P ; ...`.
    Loop(TermId),
    Compressed(Compression, TermId),
    /// Specification, alphabet, the event of alarm.
    TraceWatchdog(TermId, EventSet, EventId),
    FailureWatchdog(TermId, EventSet, EventId),
}

/// The order of `prioritisepo`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct PriorityOrder {
    /// Events that take part.
    pub events: EventSet,
    /// `(a, b)`: a has priority over b.
    pub above: Relation,
    /// Events that are not below the internal event and termination.
    pub maximal: EventSet,
}

/// Opens calls. Implemented by the front end that made them.
pub trait Unfold {
    /// The body of the call, itself possibly a call.
    fn unfold(&mut self, terms: &mut Terms, call: CallId) -> Result<TermId, Box<Diagnostic>>;

    /// The call as the user would write it, such as `P(1,{2})`.
    fn call_text(&mut self, call: CallId) -> String;

    /// Where the called definition stands.
    fn call_span(&self, call: CallId) -> Span;

    /// The error in a [`Term::Failed`].
    fn failure(&self, failure: FailureId) -> &Diagnostic;

    /// Whether there is time and memory left. Asked often while the steps of large terms are computed, which can take
    /// long for a single state.
    ///
    /// # Errors
    /// When it is cancelled; the diagnostic says why.
    fn may_go_on(&mut self) -> Result<(), Box<Diagnostic>> {
        Ok(())
    }
}

/// Every term of a run, each stored once.
#[derive(Debug, Default)]
pub struct Terms {
    terms: Vec<Term>,
    /// For each term.
    may_terminate: Vec<bool>,
    by_term: HashTable<TermId>,
    hasher: hashbrown::DefaultHashBuilder,
    pub(crate) relabelings: Relabelings,
    keeps_everything: bool,
}

impl Terms {
    /// Terms that are stored as they are made: no law is applied to them.
    pub fn as_written() -> Terms {
        Terms { keeps_everything: true, ..Terms::default() }
    }

    /// The number of `term`, new or known; or of one with the same steps and fewer operators.
    pub fn intern(&mut self, term: Term) -> TermId {
        if self.keeps_everything {
            return self.store(term);
        }
        match self.simplified(term) {
            Simplified::Known(known) => known,
            Simplified::Final(term) => self.store(term),
        }
    }

    pub(crate) fn store(&mut self, term: Term) -> TermId {
        let Terms { terms, by_term, hasher, .. } = self;
        let hash = digest(&term, hasher);
        if let Some(&known) = by_term.find(hash, |&known| terms[known.index()] == term) {
            return known;
        }
        let may_terminate = self.may_terminate_once_made(&term);
        let Terms { terms, by_term, hasher, .. } = self;
        let new = TermId(terms.len() as u32);
        terms.push(term);
        self.may_terminate.push(may_terminate);
        by_term.insert_unique(hash, new, |&known| digest(&terms[known.index()], hasher));
        new
    }

    /// The term behind a number.
    pub fn get(&self, id: TermId) -> &Term {
        &self.terms[id.index()]
    }

    /// Whether a term may terminate sooner or later, as far as is known without opening it.
    pub(crate) fn may_terminate(&self, id: TermId) -> bool {
        self.may_terminate[id.index()]
    }

    /// How many different terms there are.
    pub fn len(&self) -> usize {
        self.terms.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.terms.is_empty()
    }
}
