//! Reference interpreter: states explored on the fly, by the firing rules of the operators.
//!
//! A state is a closed term with a valuation. Its steps are the moves of the term ([`moves`]), without outputs that no
//! component receives, and restricted to those inside of `atomic` if there are any.

mod alphabet;
mod alphabet_parameters;
mod compose;
mod counts;
mod data;
pub mod dense;
mod evaluate;
mod execute;
mod families;
mod fault;
mod message;
mod moves;
mod operators;
mod participants;
mod places;
mod show;
pub(crate) mod substitute;
mod timed;

pub(crate) use compose::is_first;
pub use data::DataId;
pub use fault::{Answer, Fault, FaultKind, range_text};
use limits::effort::processes::MAX_CALL_CHAIN;
pub(crate) use message::is_plain;
pub(crate) use participants::ParticipantsId;
pub use timed::{ClockGuard, Edge, Location};
pub(crate) use timed::{GuardId, Guards, active, timer_of};

use crate::code::{
    Code, DefinitionId, EventName, EventRef, Expr, ExprId, Hiding, Poll, SetId, Slot, Term, TermId, Type,
};
use alphabet::Family;
use counts::Count;
use data::Rows;
pub(crate) use evaluate::Context;
pub use evaluate::first_value;
use hashbrown::{HashMap, HashSet};
use lts::Label;
use model::participants::Marks;
use model::process::{Passing, State, Step};
use model::{EventId, EventTable};
use moves::{Found, Selection, Sort};
use participants::ParticipantsTable;
use progress::{Interrupt, Progress};
use smallvec::SmallVec;
use source::Span;
use std::fmt::Write;
use std::rc::Rc;
use std::sync::Arc;

/// The identity of an event: name and values. A bit set distinguishes truth values from numbers.
type EventKey = (u32, char, SmallVec<[i32; 6]>, u64);

/// The values of input variables.
type Inputs = SmallVec<[(Slot, ExprId); 4]>;

/// The interpreter of a script. State numbers are valid for its lifetime.
pub struct System {
    code: Code,
    rows: Rows,
    /// The part of valuations that distinguishes states, if that is not all of them.
    visible: Option<Visible>,
    events: EventTable,
    labels: HashMap<EventKey, Label>,
    states: Vec<(TermId, DataId)>,
    numbers: HashMap<(TermId, u32), State, foldhash::fast::FixedState>,
    bodies: HashMap<(DefinitionId, Arc<[ExprId]>), TermId>,
    received: HashMap<(TermId, Inputs), TermId>,
    families: HashMap<u32, Family>,
    hidden: HashMap<SetId, Rc<HashSet<Label>>>,
    participants: ParticipantsTable,
    /// For each definition, the parameters on which its alphabet depends; computed on demand.
    alphabet_parameters: Option<Vec<u64>>,
    finished: TermId,
    terminate: Label,
    initial: DataId,
    depth: u32,
    /// The depth of nested calls.
    n_calls: u32,
    /// The values of process counters in the current state.
    counts: Vec<Count>,
    scratch: Vec<i32>,
    spare: Vec<Found>,
    spare_ends: Vec<Vec<usize>>,
    found: Found,
    /// The last state whose steps were computed, with their participants and delays.
    last: Option<timed::Moves>,
    /// Cache of activated terms that do not depend on the valuation.
    settled: timed::Settled,
    guards: timed::Guards,
}

/// Projection of valuations to the variables that are not hidden.
struct Visible {
    rows: Rows,
    /// The cells of hidden variables.
    hidden: Vec<usize>,
    /// The projection of each valuation.
    keys: HashMap<DataId, u32>,
}

impl System {
    /// The interpreter of a script.
    pub fn new(code: &Code) -> System {
        let mut code = code.clone();
        let mut rows = Rows::new();
        let initial = DataId(rows.intern(&data::initial(&code)));
        let hidden: Vec<usize> = code
            .variables
            .iter()
            .filter(|variable| variable.hidden)
            .flat_map(|variable| variable.offset..variable.offset + variable.n_cells())
            .collect();
        let visible = (!hidden.is_empty()).then(|| Visible { rows: Rows::new(), hidden, keys: HashMap::new() });
        let mut events = EventTable::default();
        let terminate = events.intern("terminate").label();
        let Code { exprs, terms, .. } = &mut code;
        let finished = terms.add(exprs, Term::Finished, Span::default());
        System {
            code,
            rows,
            visible,
            events,
            labels: HashMap::new(),
            states: Vec::new(),
            numbers: HashMap::default(),
            bodies: HashMap::new(),
            received: HashMap::new(),
            families: HashMap::new(),
            hidden: HashMap::new(),
            participants: ParticipantsTable::new(),
            alphabet_parameters: None,
            finished,
            terminate,
            initial,
            depth: 0,
            n_calls: 0,
            counts: Vec::new(),
            scratch: Vec::new(),
            spare: Vec::new(),
            spare_ends: Vec::new(),
            found: Found::default(),
            last: None,
            settled: timed::Settled::default(),
            guards: timed::Guards::new(),
        }
    }

    /// Polls `progress` while the steps of a state are computed.
    pub fn within(mut self, progress: Arc<dyn Progress>) -> System {
        self.code.poll = Poll::new(progress);
        self
    }

    /// Stops after a number of units of work.
    pub fn bounded(mut self, n_units: usize) -> System {
        self.code.poll = Poll::bounded(n_units);
        self
    }

    /// The reason of the last cancellation, if there was one.
    pub fn stopped(&self) -> Option<Interrupt> {
        self.code.poll.stopped()
    }

    /// Counts work, in units of about a hundred bytes.
    ///
    /// # Errors
    /// When a limit is reached.
    pub(crate) fn spend(&mut self, units: usize) -> Answer<()> {
        match self.code.poll.spend(units) {
            Some(why) => Err(Fault::new(Span::default(), FaultKind::Stopped(why))),
            None => Ok(()),
        }
    }

    /// The events discovered so far.
    pub fn events(&self) -> &EventTable {
        &self.events
    }

    /// The script.
    pub fn code(&self) -> &Code {
        &self.code
    }

    pub(crate) fn code_mut(&mut self) -> &mut Code {
        &mut self.code
    }

    pub(crate) fn guards_mut(&mut self) -> &mut Guards {
        &mut self.guards
    }

    pub(crate) fn participants_mut(&mut self) -> &mut ParticipantsTable {
        &mut self.participants
    }

    /// The fairness annotations of a set of participants.
    pub(crate) fn participants_marks(&self, participants: ParticipantsId) -> Marks {
        self.participants.marks(participants)
    }

    /// The positions of a set of participants.
    pub(crate) fn participants_paths(&self, participants: ParticipantsId) -> &[Vec<u32>] {
        self.participants.paths(participants)
    }

    /// The terminated process.
    pub(crate) fn finished(&self) -> TermId {
        self.finished
    }

    /// The event of visible termination.
    pub(crate) fn terminate(&self) -> Label {
        self.terminate
    }

    /// The term of an initial state.
    pub(crate) fn started(&self, state: State) -> Option<TermId> {
        let (term, data) = self.states[state.0 as usize];
        (data == self.initial).then_some(term)
    }

    /// The state of a term and the cells of a valuation.
    pub(crate) fn state_of(&mut self, term: TermId, cells: &[i32]) -> State {
        let data = DataId(self.rows.intern(cells));
        self.state(term, data)
    }

    /// The initial state of a process. As in PAT, a call of a composition is replaced by the composition; any other
    /// call is kept, or replaced by the one that its body consists of.
    pub fn start(&mut self, process: TermId) -> State {
        let process = self.begun(process);
        self.first_state(process)
    }

    /// The initial state of a term. In the timed dialect its active operators are activated; a fault in that is
    /// reported with the first steps.
    fn first_state(&mut self, process: TermId) -> State {
        let process = match self.code.is_timed {
            true => self.settle(process, self.initial).unwrap_or(process),
            false => process,
        };
        self.state(process, self.initial)
    }

    /// The initial state of a process with visible termination.
    pub fn start_watched(&mut self, process: TermId) -> State {
        let process = self.begun(process);
        let watched = self.add(Term::Watched(process), process);
        self.first_state(watched)
    }

    /// The initial state of a process in which only events with some names are visible.
    pub fn start_showing(&mut self, process: TermId, names: &Arc<[EventName]>) -> State {
        let process = self.begun(process);
        let watched = self.add(Term::Watched(process), process);
        let shown = self.add(Term::Hide(Hiding::AllBut(names.clone()), watched), process);
        self.first_state(shown)
    }

    fn begun(&mut self, process: TermId) -> TermId {
        let process = substitute::term(&mut self.code, process, &[]);
        let cells = self.rows.get(self.initial.0).into_owned();
        self.opened(process, Some(&cells), MAX_CALL_CHAIN).unwrap_or_else(|| self.named(process, &cells))
    }

    /// Follows definitions whose body is another call.
    fn named(&mut self, mut process: TermId, cells: &[i32]) -> TermId {
        for _ in 0..MAX_CALL_CHAIN {
            let Term::Call(definition, arguments) = self.code.terms.get(process).clone() else { break };
            let Ok(arguments) = substitute::arguments(&mut self.code, &arguments, cells, &[]) else { break };
            let body = self.body(definition, &arguments);
            if self.code.is_timed || !matches!(self.code.terms.get(body), Term::Call(..)) {
                break;
            }
            process = body;
        }
        process
    }

    /// The composition behind calls, hiding and interrupts, with nested compositions expanded likewise; `None` if there
    /// is none. Without `cells`, calls whose arguments depend on variables are not expanded: another component may
    /// change these first.
    fn opened(&mut self, process: TermId, cells: Option<&[i32]>, most: usize) -> Option<TermId> {
        let most = most.checked_sub(1)?;
        let term = match self.code.terms.get(process).clone() {
            Term::Call(definition, arguments) => {
                let are_fixed = arguments.iter().all(|&argument| self.code.exprs.value(argument).is_some());
                let cells_now = if are_fixed { &[][..] } else { cells? };
                // A fault in an argument is reported with the first steps.
                let arguments = substitute::arguments(&mut self.code, &arguments, cells_now, &[]).ok()?;
                let body = self.body(definition, &arguments);
                return self.opened(body, cells, most);
            }
            Term::Hide(hiding, next) => Term::Hide(hiding, self.opened(next, cells, most)?),
            Term::Interleave(all) => Term::Interleave(self.opened_members(&all, most)),
            Term::Parallel(family, all) => Term::Parallel(family, self.opened_members(&all, most)),
            Term::Interrupt(left, right) => {
                let (first, second) = (self.opened(left, None, most), self.opened(right, None, most));
                if first.is_none() && second.is_none() {
                    return None;
                }
                Term::Interrupt(first.unwrap_or(left), second.unwrap_or(right))
            }
            Term::Group(_) | Term::Crowd(..) => return Some(process),
            _ => return None,
        };
        Some(self.add(term, process))
    }

    /// Expands the components of a composition that are compositions.
    fn opened_members(&mut self, members: &[TermId], most: usize) -> Arc<[TermId]> {
        members.iter().map(|&member| self.opened(member, None, most).unwrap_or(member)).collect()
    }

    /// Whether the process has terminated in a state.
    pub fn has_finished(&self, state: State) -> bool {
        self.states[state.0 as usize].0 == self.finished
    }

    fn state(&mut self, term: TermId, data: DataId) -> State {
        let rows = &self.rows;
        let key = match &mut self.visible {
            None => data.0,
            Some(Visible { rows: visible, hidden, keys }) => *keys.entry(data).or_insert_with(|| {
                let mut cells = rows.get(data.0).into_owned();
                hidden.iter().for_each(|&cell| cells[cell] = 0);
                visible.intern(&cells)
            }),
        };
        let System { states, numbers, .. } = self;
        *numbers.entry((term, key)).or_insert_with(|| {
            states.push((term, data));
            State(states.len() as u32 - 1)
        })
    }

    /// The steps of a state, in a deterministic order.
    ///
    /// # Errors
    /// If a step faults.
    pub fn steps(&mut self, state: State, steps: &mut Vec<Step>) -> Answer<()> {
        if self.code.is_timed {
            return self.timed_steps(state, steps);
        }
        let (term, data) = self.states[state.0 as usize];
        let mut found = std::mem::take(&mut self.found);
        found.moves.clear();
        found.offers.clear();
        (self.depth, self.n_calls) = (0, 0);
        self.counts = self.counts_in(term);
        let outcome = self.moves(term, data, Selection::Moves, &mut found);
        if outcome.is_ok() {
            found.moves.retain(|next| !matches!(next.sort, Sort::Offer(_)));
            if found.moves.iter().any(|next| next.is_atomic) {
                found.moves.retain(|next| next.is_atomic);
            }
            for next in &found.moves {
                if let Err(fault) = self.spend(1) {
                    self.found = found;
                    return Err(fault);
                }
                let target = self.state(next.target, next.data);
                steps.push(Step { label: next.label, target });
            }
            let mut participants = self.last.take().map(|moves| moves.participants).unwrap_or_default();
            participants.clear();
            participants.extend(found.moves.iter().map(|next| next.participants));
            self.last = Some(timed::Moves { state, participants, delays: Vec::new(), passing: Passing::Until(0) });
        }
        self.found = found;
        outcome
    }

    /// The participants of a step of a state, by its index: positions in nested compositions, outermost first. Empty
    /// without a composition.
    pub fn takers(&mut self, state: State, step: usize) -> &[Vec<u32>] {
        let participants = self.participants_of(state, step);
        self.participants.paths(participants)
    }

    /// The fairness annotations of a step of a state, by its index.
    pub fn marks(&mut self, state: State, step: usize) -> Marks {
        let participants = self.participants_of(state, step);
        self.participants.marks(participants)
    }

    /// The set of participants of a step of a state, by its index.
    fn participants_of(&mut self, state: State, step: usize) -> ParticipantsId {
        if !self.knows(state) && self.steps(state, &mut Vec::new()).is_err() {
            return ParticipantsId::WHOLE;
        }
        let participants = self.last.as_ref().and_then(|moves| moves.participants.get(step));
        participants.copied().unwrap_or(ParticipantsId::WHOLE)
    }

    /// The event of a step of a state, by its index, before it is hidden by the outermost operators.
    pub fn own_label(&mut self, state: State, step: usize) -> Option<Label> {
        let (mut term, data) = self.states[state.0 as usize];
        while let Term::Hide(_, inside) | Term::Watched(inside) = self.code.terms.get(term) {
            term = *inside;
        }
        let inside = self.state(term, data);
        let mut steps = Vec::new();
        self.steps(inside, &mut steps).ok()?;
        // None of these operators adds or removes steps.
        steps.get(step).map(|step| if step.label == Label::TICK { self.terminate } else { step.label })
    }

    /// Whether a condition holds in a state.
    ///
    /// # Errors
    /// If it faults.
    pub fn is_true(&self, state: State, condition: ExprId) -> Answer<bool> {
        self.value(state, condition).map(|value| value != 0)
    }

    /// The value of an expression in a state.
    ///
    /// # Errors
    /// If it faults.
    pub fn value(&self, state: State, expr: ExprId) -> Answer<i32> {
        let (term, data) = self.states[state.0 as usize];
        let counts = self.counts_in(term);
        Context { code: &self.code, cells: self.rows.get(data.0), locals: &[], counts: &counts }.value(expr)
    }

    /// The value of an expression under the initial valuation.
    ///
    /// # Errors
    /// If it faults.
    pub fn initial_value(&self, expr: ExprId) -> Answer<i32> {
        Context { counts: &[], ..self.context(self.initial) }.value(expr)
    }

    /// The body of a definition with arguments substituted.
    pub(crate) fn body(&mut self, definition: DefinitionId, arguments: &Arc<[ExprId]>) -> TermId {
        if let Some(&known) = self.bodies.get(&(definition, arguments.clone())) {
            return known;
        }
        let body = self.code.definitions[definition.0 as usize].body;
        let environment: Vec<(Slot, ExprId)> = (0_u8..).map(Slot).zip(arguments.iter().copied()).collect();
        let made = substitute::term(&mut self.code, body, &environment);
        if self.code.poll.stopped().is_none() {
            self.bodies.insert((definition, arguments.clone()), made);
        }
        made
    }

    /// Whether an operator hides a step.
    pub(crate) fn hides(&mut self, hiding: &Hiding, label: Label, at: TermId) -> Answer<bool> {
        match hiding {
            Hiding::Events(set) => Ok(self.hidden(*set, at)?.contains(&label)),
            Hiding::AllBut(names) => Ok(!self.is_named(label, names)),
        }
    }

    /// Whether the name of an event is in a list.
    fn is_named(&self, label: Label, names: &[EventName]) -> bool {
        let Some(event) = EventId::of(label) else { return false };
        let text = self.events.text(event);
        let name = text.split_once('.').map_or(text, |(name, _)| name);
        names.iter().any(|known| &*self.code.names[known.0 as usize] == name)
    }

    /// The events that an operator hides.
    fn hidden(&mut self, set: SetId, at: TermId) -> Answer<Rc<HashSet<Label>>> {
        if let Some(known) = self.hidden.get(&set) {
            return Ok(known.clone());
        }
        let expanded = substitute::events(&mut self.code, set, &[]);
        let span = self.code.terms.span(at);
        let events = Rc::new(self.static_events(expanded, span)?);
        self.hidden.insert(set, events.clone());
        Ok(events)
    }

    fn event_label_at(&mut self, event: &EventRef, at: DataId) -> Answer<Label> {
        if event.fields.is_empty() {
            return Ok(self.named_label(event.name.0, ' ', &[], 0));
        }
        let mut values: SmallVec<[i32; 6]> = SmallVec::new();
        for &field in event.fields.iter() {
            values.push(self.context(at).value(field)?);
        }
        Ok(self.label_of_values(event, &values))
    }

    /// The label of an event with these values of its fields.
    pub(crate) fn label_of_values(&mut self, event: &EventRef, values: &[i32]) -> Label {
        let is_truth = |field: &ExprId| self.code.exprs.ty(*field) == Type::Boolean;
        let truths = event.fields.iter().zip(0_u32..).filter(|(field, _)| is_truth(field));
        let truths = truths.fold(0, |truths, (_, place)| truths | 1_u64.checked_shl(place).unwrap_or(0));
        self.named_label(event.name.0, ' ', values, truths)
    }

    /// The label of an event whose fields are evaluated.
    fn event_label(&mut self, event: &EventRef, cells: &[i32]) -> Answer<Label> {
        let mut values: SmallVec<[i32; 6]> = SmallVec::new();
        let mut truths = 0;
        for (place, &field) in event.fields.iter().enumerate() {
            values.push(Context { code: &self.code, cells: cells.into(), locals: &[], counts: &[] }.value(field)?);
            if matches!(self.code.exprs.get(field), Expr::Bool(_)) {
                truths |= 1_u64.checked_shl(place as u32).unwrap_or(0);
            }
        }
        Ok(self.named_label(event.name.0, ' ', &values, truths))
    }

    /// The label of an output, an input or a synchronous communication.
    pub(crate) fn channel_label(&mut self, channel: u32, index: u32, sign: char, values: &[i32]) -> Label {
        let declared = &self.code.channels[channel as usize];
        let mut all: SmallVec<[i32; 6]> = SmallVec::new();
        if declared.count.is_some() {
            all.push(index as i32);
        }
        all.extend_from_slice(values);
        // The numbers of channels are distinct from those of events.
        self.named_label(u32::MAX - channel, sign, &all, 0)
    }

    fn named_label(&mut self, name: u32, sign: char, values: &[i32], truths: u64) -> Label {
        let key: EventKey = (name, sign, SmallVec::from_slice(values), truths);
        if let Some(&known) = self.labels.get(&key) {
            return known;
        }
        let channel = self.code.channels.get((u32::MAX - name) as usize);
        let (mut text, rest) = match channel {
            Some(channel) if channel.count.is_some() => (format!("{}[{}]", channel.name, values[0]), &values[1..]),
            Some(channel) => (channel.name.to_string(), values),
            None => (self.code.names[name as usize].to_string(), values),
        };
        if channel.is_some() {
            for (place, field) in message::fields(rest).enumerate() {
                write!(text, "{}{field}", if place == 0 { sign } else { '.' }).expect("a text can be written");
            }
        } else {
            for (place, value) in rest.iter().enumerate() {
                match truths >> place & 1 {
                    1 => write!(text, ".{}", *value != 0),
                    _ => write!(text, ".{value}"),
                }
                .expect("a text can be written");
            }
        }
        let made = self.events.intern(&text).label();
        self.labels.insert(key, made);
        made
    }
}
