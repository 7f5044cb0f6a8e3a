//! Operands that are made explicit, and smaller where they may be, before they take part in a network.
//!
//! The operand is compiled to a network of its own, made explicit, and reduced or restricted; the result becomes a
//! machine. Reductions may forget what the model at hand does not see, except below a priority, which looks at each
//! state: there only strong bisimulation is applied. An operand too large to be written down takes part as it is
//! instead: that means the same. Results are kept in a [`Library`], because a term that occurs often, as it does when a
//! system is built by doubling, must be reduced once only.

use super::layout::Layouts;
use super::leaf::Origin;
use super::{CompileContext, CompileError, Compiled, OpenLeaves, compile};
use crate::{Compression, Label, Takers, Term, TermId};
use explore::NotExplicit;
use hashbrown::HashMap;
use limits::effort::machines::{FUTILE_DIVISOR, LARGE_OPERAND, MAX_ELEMENTS_PER_STATE, MAX_NODES_PER_STATE, MIN_NODES};
use lts::normal::{Room, normal_within};
use lts::{Lts, Model, Preserves, Watch};
use lts::{bisimulation, draw, watchdog};
use model::network::{Action, Edge, LocalState};
use model::{EventId, EventSet};
use progress::{Activity, Stop};
use std::sync::Arc;

/// Compressions done so far, shared by all networks.
#[derive(Debug, Default)]
pub struct Library {
    known: HashMap<(TermId, Preserved), Outcome>,
    /// In the order in which it was done.
    done: Vec<Arc<CompressedOperand>>,
    /// The terms being compiled, each a part of the one before.
    pub(super) open: Vec<TermId>,
    /// Machines that are made while they are needed.
    pub(super) open_leaves: OpenLeaves,
    /// How networks with such machines were made, so that they are made again with the same numbers.
    pub(super) layouts: Layouts,
}

impl Library {
    /// All compressions, in the order in which they were done.
    pub fn done(&self) -> &[Arc<CompressedOperand>] {
        &self.done
    }
}

#[derive(Clone, Debug)]
enum Outcome {
    Done(Arc<CompressedOperand>),
    /// Given up because it has more states than this.
    Large(u64),
}

/// An operand made smaller.
#[derive(Debug)]
pub struct CompressedOperand {
    /// The compression with its operand.
    pub term: TermId,
    /// States of the operand.
    pub n_states_before: usize,
    /// Steps of the operand.
    pub n_transitions_before: usize,
    /// The compressed system, without annotations.
    pub lts: Lts,
    /// The operand.
    pub operand: Compiled,
    /// The relation of the system to the operand.
    pub(super) stands: Stands,
}

/// The relation of a machine that was made from the whole of an operand to that operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Stands {
    /// It behaves like the operand.
    ForOperand,
    /// It watches others, which are to behave like the operand.
    ForItself,
}

/// Behavior that the machine of a term must preserve.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Preserved {
    behavior: Preserves,
    /// Below a priority every step counts up to strong bisimulation, and the operands of parallel operators terminate
    /// together.
    is_below_priority: bool,
}

impl From<Preserves> for Preserved {
    fn from(behavior: Preserves) -> Preserved {
        Preserved { behavior, is_below_priority: false }
    }
}

impl Preserved {
    /// The behavior to preserve below a priority.
    pub(super) fn below_priority(self) -> Preserved {
        let behavior = match self.behavior {
            Preserves::Model(_) | Preserves::Steps => Preserves::Steps,
            Preserves::Processes => Preserves::Processes,
        };
        Preserved { behavior, is_below_priority: true }
    }

    pub(super) fn is_below_priority(self) -> bool {
        self.is_below_priority
    }

    /// Whether the participants of a step are distinguished.
    pub(super) fn takers(self) -> Takers {
        match self.behavior {
            Preserves::Model(_) | Preserves::Steps => Takers::Ignored,
            Preserves::Processes => Takers::Distinguished,
        }
    }

    /// Whether bisimilar states must stay apart: a step to one of them is no step to the other.
    fn keeps_states(self) -> bool {
        match self.behavior {
            Preserves::Model(_) => false,
            Preserves::Steps => !self.is_below_priority,
            Preserves::Processes => true,
        }
    }
}

impl CompileContext<'_> {
    /// Whether a term stands for its operand as it is.
    pub(super) fn is_transparent(&self, term: TermId) -> bool {
        let Term::Compressed(compression, _) = self.terms.get(term) else { return false };
        match compression {
            Compression::LazyNorm | Compression::LazyEnumerate => true,
            _ if self.is_given_up(term) => true,
            Compression::SBisim | Compression::Explicate => self.preserved.keeps_states(),
            // Normal forms and the like keep no more than failures and divergences.
            compression => match self.preserved.behavior {
                Preserves::Model(model) => model.sees_revivals() && !compression.selects(),
                _ => !compression.selects(),
            },
        }
    }

    /// Whether a compression was tried and found too much work.
    pub(super) fn is_given_up(&self, term: TermId) -> bool {
        let most = self.limits.max_compressed_states;
        matches!(self.library.known.get(&(term, self.preserved)), Some(Outcome::Large(tried)) if *tried >= most)
    }

    /// The machine of a term that is made from the whole of its operand; nothing for other terms, and where a
    /// compression is given up.
    pub(super) fn compressed(&mut self, term: TermId) -> Result<Option<Arc<CompressedOperand>>, CompileError> {
        let operator = self.terms.get(term).clone();
        let operand = match &operator {
            Term::Compressed(compression, operand) if !compression.selects() => *operand,
            Term::TraceWatchdog(operand, ..) | Term::FailureWatchdog(operand, ..) => *operand,
            _ => return Ok(None),
        };
        if let Some(Outcome::Done(known)) = self.library.known.get(&(term, self.preserved)) {
            return Ok(Some(known.clone()));
        }
        if self.is_given_up(term) {
            return Ok(None);
        }
        let preserved = self.preserved;
        self.preserved = match operator {
            Term::TraceWatchdog(..) => Preserves::Model(Model::Traces).into(),
            Term::FailureWatchdog(..) => Preserves::Model(Model::Failures).into(),
            _ => preserved,
        };
        let compiled = compile(self, operand);
        self.preserved = preserved;
        let operand = compiled?;
        self.progress.enter(Activity::Compressing(self.library.done.len() + 1));
        let Some(lts) = self.written_down(term, &operand)? else {
            self.library.known.insert((term, self.preserved), Outcome::Large(self.limits.max_compressed_states));
            return Ok(None);
        };
        let (n_states_before, n_transitions_before) = (lts.n_states(), lts.n_transitions());
        let lts = match &operator {
            Term::Compressed(compression, _) => self.reduce(*compression, lts),
            Term::TraceWatchdog(_, events, alarm) => self.guard(watchdog::trace_watchdog, &lts, events, *alarm),
            Term::FailureWatchdog(_, events, alarm) => self.guard(watchdog::failure_watchdog, &lts, events, *alarm),
            _ => Ok(lts),
        };
        let lts = lts.map_err(|stop| CompileError::Stopped(term, stop))?;
        let stands = match operator {
            Term::TraceWatchdog(..) | Term::FailureWatchdog(..) => Stands::ForItself,
            _ => Stands::ForOperand,
        };
        let compressed =
            Arc::new(CompressedOperand { term, n_states_before, n_transitions_before, lts, operand, stands });
        self.library.known.insert((term, self.preserved), Outcome::Done(compressed.clone()));
        self.library.done.push(compressed.clone());
        self.progress.enter(Activity::Compiling);
        Ok(Some(compressed))
    }

    /// The system of an operand. Nothing if it is large and may as well take part as it is; then so may everything
    /// that it is a part of.
    fn written_down(&self, term: TermId, operand: &Compiled) -> Result<Option<Lts>, CompileError> {
        let is_optional = matches!(self.terms.get(term), Term::Compressed(..));
        if is_optional && operand.has_given_up {
            return Ok(None);
        }
        let mut limits = self.limits.search;
        if is_optional {
            let most = self.limits.max_compressed_states;
            let most = if operand.was_compressed_in_vain() { most / FUTILE_DIVISOR } else { most };
            limits = limits.with_budget(most);
        }
        match explore::to_lts(&operand.network, &limits, self.progress) {
            Ok(explicit) => Ok(Some(explicit.lts)),
            Err(NotExplicit::TooWide(_) | NotExplicit::Stopped(Stop::MaxStates | Stop::Budget | Stop::Capacity))
                if is_optional =>
            {
                Ok(None)
            }
            Err(NotExplicit::TooWide(_)) => Err(CompileError::TooWide(term)),
            Err(NotExplicit::Stopped(stop)) => Err(CompileError::Stopped(term, stop)),
            Err(NotExplicit::Failed(_)) => unreachable!("processes have no variables"),
        }
    }

    fn reduce(&self, compression: Compression, lts: Lts) -> Result<Lts, Stop> {
        match compression {
            Compression::Normal => self.normalize(&lts),
            // It is normalized where that is needed.
            Compression::LazyNorm => Ok(lts),
            Compression::ModelCompress => self.for_model(|model| self.apply(compression, lts, model)),
            _ => self.apply(compression, lts, Model::FailuresDivergences),
        }
    }

    fn apply(&self, compression: Compression, lts: Lts, model: Model) -> Result<Lts, Stop> {
        compression.apply(lts, model, &mut Watch::new(self.progress))
    }

    fn for_model<T>(&self, work: impl FnOnce(Model) -> Result<T, Stop>) -> Result<T, Stop> {
        match self.preserved.behavior {
            Preserves::Model(model) => work(model),
            _ => unreachable!("where steps matter this is transparent"),
        }
    }

    fn guard(
        &self,
        watchdog: impl FnOnce(&Lts, &[Label], Label, &mut Watch<'_>) -> Result<Lts, Stop>,
        spec: &Lts,
        events: &EventSet,
        alarm: EventId,
    ) -> Result<Lts, Stop> {
        let alphabet: Vec<Label> = events.iter().map(|&event| event.label()).collect();
        watchdog(spec, &alphabet, alarm.label(), &mut Watch::new(self.progress))
    }

    /// The normal form, or the quotient by bisimulation if that is smaller: both mean the same.
    fn normalize(&self, lts: &Lts) -> Result<Lts, Stop> {
        let watch = &mut Watch::new(self.progress);
        let merged = bisimulation::delay(lts, watch)?.lts;
        let quotient = draw(&merged, watch)?;
        if merged.is_deterministic() {
            return Ok(quotient);
        }
        let n_nodes = (merged.n_states() * MAX_NODES_PER_STATE).max(MIN_NODES);
        let room = Room { n_nodes, n_elements: n_nodes * MAX_ELEMENTS_PER_STATE };
        let form = self.for_model(|model| normal_within(&merged, model, room, watch))?;
        Ok(match form.map(|form| draw(&form, watch)).transpose()? {
            Some(form) if form.n_states() <= quotient.n_states() => form,
            _ => quotient,
        })
    }
}

impl Compiled {
    /// Whether one of its machines is large although it is compressed.
    fn was_compressed_in_vain(&self) -> bool {
        self.leaves.iter().flatten().any(|leaf| match &leaf.origin {
            Origin::Compressed(compressed) => {
                let n_after = compressed.lts.n_states();
                n_after > LARGE_OPERAND && n_after > compressed.n_states_before / 2
            }
            Origin::Terms(_) => false,
        })
    }
}

impl CompressedOperand {
    /// The edges of the states, the initial one first, and the state after termination, which has none.
    pub(super) fn states(&self) -> (Vec<Vec<Edge>>, Option<usize>) {
        let lts = &self.lts;
        let initial = lts.initial().0;
        // The initial state and state 0 trade places.
        let place = |state: u32| match state {
            0 => initial,
            _ if state == initial => 0,
            other => other,
        };
        let n_states = lts.n_states();
        let mut terminates = false;
        let mut states: Vec<Vec<Edge>> = vec![Vec::new(); n_states];
        for state in lts.states() {
            let edges = lts.transitions(state).iter().map(|step| {
                let target = if step.label == Label::TICK {
                    terminates = true;
                    n_states as u32
                } else {
                    place(step.target.0)
                };
                Edge { action: Action(step.label.0), target: LocalState(target) }
            });
            states[place(state.0) as usize] = edges.collect();
        }
        if terminates {
            states.push(Vec::new());
        }
        (states, terminates.then_some(n_states))
    }
}
