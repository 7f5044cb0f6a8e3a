//! Operands that are made smaller before they take part in a network.
//!
//! The operand is compiled to a network of its own, made explicit, and reduced; what is left becomes a machine. Reductions
//! may forget what the model at hand does not see. They are kept in a [`Library`], because a term that occurs often, as
//! it does when a system is built by doubling, must be reduced once only.

use super::{CompileError, Compiled, Workshop, compile};
use crate::{Compression, Term, TermId};
use explore::NotExplicit;
use hashbrown::HashMap;
use lts::{Label as Seen, Lts, Model, Stopped, Watch, bisimulation, compress, draw, normal};
use model::network::{Action, Edge, LocalState};
use std::sync::Arc;

/// What was compressed so far.
#[derive(Debug, Default)]
pub struct Library {
    known: HashMap<(TermId, Model), Arc<Compressed>>,
    /// In the order in which it was done.
    done: Vec<Arc<Compressed>>,
}

impl Library {
    /// All compressions, in the order in which they were done.
    pub fn done(&self) -> &[Arc<Compressed>] {
        &self.done
    }
}

/// An operand made smaller.
#[derive(Debug)]
pub struct Compressed {
    /// The compression with its operand.
    pub term: TermId,
    /// States of the operand.
    pub n_states_before: usize,
    /// Steps of the operand.
    pub n_transitions_before: usize,
    /// What is left, without annotations.
    pub lts: Lts,
    /// The operand.
    pub operand: Compiled,
}

impl Compression {
    /// Whether it only says how to search, and changes nothing.
    pub(crate) fn is_nothing(self) -> bool {
        matches!(self, Compression::LazyNorm | Compression::LazyEnumerate)
    }
}

impl Workshop<'_> {
    /// The machine of a term that asks for a compression which preserves behavior.
    pub(super) fn compressed(&mut self, term: TermId) -> Result<Option<Arc<Compressed>>, CompileError> {
        let &Term::Compressed(compression, operand) = self.terms.get(term) else { return Ok(None) };
        if compression.selects() {
            return Ok(None);
        }
        if let Some(known) = self.library.known.get(&(term, self.model)) {
            return Ok(Some(known.clone()));
        }
        let operand = compile(self, operand)?;
        let explicit = explore::to_lts(&operand.network, &self.limits.search, self.progress);
        let explicit = explicit.map_err(|reason| match reason {
            NotExplicit::TooWide(_) => CompileError::TooWide(term),
            NotExplicit::Stopped(stop) => CompileError::Stopped(term, stop),
        })?;
        let (n_states_before, n_transitions_before) = (explicit.lts.n_states(), explicit.lts.n_transitions());
        let lts = self.reduce(compression, explicit.lts).map_err(|Stopped| CompileError::Canceled)?;
        let compressed = Arc::new(Compressed { term, n_states_before, n_transitions_before, lts, operand });
        self.library.known.insert((term, self.model), compressed.clone());
        self.library.done.push(compressed.clone());
        Ok(Some(compressed))
    }

    fn reduce(&self, compression: Compression, lts: Lts) -> Result<Lts, Stopped> {
        let mut report = |_| self.progress.tick(&explore::Statistics::default());
        let watch = &mut Watch::new(&mut report);
        let reduced = match compression {
            Compression::SBisim => bisimulation::strong(&lts, watch)?.lts,
            Compression::DBisim => bisimulation::delay(&lts, watch)?.lts,
            Compression::WBisim | Compression::ModelCompress => bisimulation::weak(&lts, watch)?.lts,
            Compression::TauLoopFactor => compress::tau_loop_factor(&lts, watch)?.lts,
            Compression::Diamond => compress::diamond(&lts, watch)?.lts,
            Compression::Normal => normal::normal(&lts, self.model, watch)?,
            Compression::Explicate | Compression::LazyNorm | Compression::LazyEnumerate => lts,
            Compression::Chase | Compression::ChaseNoCache | Compression::Deter => unreachable!("they select"),
        };
        draw(&reduced, watch)
    }
}

impl Compressed {
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
                let target = if step.label == Seen::TICK {
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
