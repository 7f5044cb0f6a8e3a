//! Networks made of CSPM processes.

use super::semantics::{CspmSemantics, state};
use frontend::{CompressionReport, Effort, Failure, Lifted, Lowered, LoweredId, LoweringLimits};
use hashbrown::HashMap;
use limits::display::names::LONGEST_NAME;
use limits::effort::machines::{FIRST_STATES, MAX_WRITTEN};
use limits::effort::processes::MAX_COMPONENTS;
use limits::effort::{full_compilation, little_compilation};
use lts::{Label, NoRun, Observation, Preserves};
use model::network::{Configuration, Occupied};
use process::TermId;
use process::compile::{self, CompileContext, CompileError, CompileLimits, Compiled, Library};
use progress::Progress;
use std::rc::Rc;
use std::sync::Arc;

/// The networks made so far.
#[derive(Default)]
pub(super) struct Networks {
    made: Vec<Rc<Compiled>>,
    /// None for what has no static structure; and how hard was tried.
    known: HashMap<(TermId, Preserves), (Option<LoweredId>, Effort)>,
    /// The place of the last network with open machines, which is the only one kept.
    open: Option<LoweredId>,
    pub(super) library: Library,
}

impl Networks {
    pub(super) fn get(&self, id: LoweredId) -> &Rc<Compiled> {
        &self.made[id.0 as usize]
    }

    fn lowered(&self, id: LoweredId) -> Lowered {
        let compiled = self.get(id);
        Lowered {
            network: compiled.network.clone(),
            id,
            is_compressed: compiled.is_compressed(),
            has_given_up: compiled.has_given_up,
            open: compiled.open_states().into(),
            participants: compiled.participants.clone().map(Arc::new),
            processes: compiled.process_table.paths().into(),
            conditions: Arc::default(),
        }
    }
}

impl CspmSemantics<'_> {
    /// The network of a term, if its structure is static enough.
    pub(super) fn make_network(
        &mut self,
        term: TermId,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        if limits.effort == Effort::OnDemand {
            return self.make_open_network(term, preserves, limits, progress);
        }
        let known = match self.networks.known.get(&(term, preserves)) {
            Some((known, tried)) if *tried == limits.effort || *tried == Effort::Full => Some(*known),
            Some((Some(known), _)) if !self.networks.get(*known).has_given_up => Some(Some(*known)),
            _ => None,
        };
        let id = match known {
            Some(known) => known,
            None => {
                let (id, tried) = match self.compile(term, preserves, limits, progress)? {
                    Ok(compiled) => {
                        self.networks.made.push(Rc::new(compiled));
                        (Some(LoweredId(self.networks.made.len() as u32 - 1)), limits.effort)
                    }
                    Err(hope) => (None, if hope == Hope::None { Effort::Full } else { limits.effort }),
                };
                self.networks.known.insert((term, preserves), (id, tried));
                id
            }
        };
        Ok(id.map(|id| self.networks.lowered(id)))
    }

    /// The network of a term as far as it is needed so far. Nothing if that is all of one machine: then there is no
    /// partner to keep it small, and its states may as well be walked.
    fn make_open_network(
        &mut self,
        term: TermId,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        let Ok(compiled) = self.compile(term, preserves, limits, progress)? else { return Ok(None) };
        if compiled.network.machines.len() < 2 {
            // More effort would be as vain.
            self.networks.known.insert((term, preserves), (None, Effort::Full));
            return Ok(None);
        }
        let compiled = Rc::new(compiled);
        let id = match self.networks.open {
            Some(id) => {
                self.networks.made[id.0 as usize] = compiled;
                id
            }
            None => {
                self.networks.made.push(compiled);
                LoweredId(self.networks.made.len() as u32 - 1)
            }
        };
        self.networks.open = Some(id);
        Ok(Some(self.networks.lowered(id)))
    }

    /// Makes more of the machines of a network; whether that was possible.
    pub(super) fn grow_network(
        &mut self,
        lowered: LoweredId,
        preserves: Preserves,
        occupied: &[Occupied],
        progress: &dyn Progress,
    ) -> Result<bool, Failure> {
        let compiled = self.networks.get(lowered).clone();
        let search = progress::Limits::of_workers(1);
        let limits = LoweringLimits { effort: Effort::OnDemand, search };
        let mut context = self.compile_context(preserves, &limits, progress);
        match compile::grow(&mut context, &compiled, occupied) {
            Ok(()) => Ok(true),
            Err(CompileError::Canceled(why)) => Err(Failure::Stopped(why.into())),
            Err(_) => Ok(false),
        }
    }

    /// The run of a process behind a run of its network, if it can be reported.
    pub(super) fn lift_run(
        &mut self,
        lowered: LoweredId,
        steps: &[(Label, Configuration)],
        end: Observation,
        max_states: u64,
        progress: &dyn Progress,
    ) -> Result<Option<Lifted>, NoRun> {
        let compiled = self.networks.get(lowered).clone();
        let n_components = compiled.n_components();
        let n_written = n_components * n_components * steps.len() as f64;
        if n_written > MAX_WRITTEN || compiled.is_compressed() && n_components > MAX_COMPONENTS as f64 {
            return compiled.confirm(steps, end, max_states, progress).map(|()| None);
        }
        let lifted = compiled.lift(steps, end, max_states, progress)?;
        let states = lifted.terms(&compiled, &mut self.terms);
        let states = states.map(|terms| terms.into_iter().map(state).collect());
        Ok(states.map(|states| Lifted { labels: lifted.labels, loop_start: lifted.loop_start, states }))
    }

    /// The compressions that were done so far.
    pub(super) fn find_compressions(&mut self) -> Vec<CompressionReport> {
        let done = self.networks.library.done().to_vec();
        let told = |compressed: &Arc<compile::CompressedOperand>| CompressionReport {
            process: self.evaluator.term_text(&mut self.terms, compressed.term, LONGEST_NAME),
            before: (compressed.n_states_before, compressed.n_transitions_before),
            after: (compressed.lts.n_states(), compressed.lts.n_transitions()),
        };
        done.iter().map(told).collect()
    }

    fn compile(
        &mut self,
        term: TermId,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &dyn Progress,
    ) -> Result<Result<Compiled, Hope>, Failure> {
        let mut context = self.compile_context(preserves, limits, progress);
        match compile::compile(&mut context, term) {
            Ok(compiled) => Ok(Ok(compiled)),
            Err(CompileError::Canceled(why)) => Err(Failure::Stopped(why.into())),
            Err(CompileError::Stopped(_, stop)) => Err(Failure::Stopped(stop)),
            Err(CompileError::TooWide(_) | CompileError::Endless(_)) => Ok(Err(Hope::None)),
            Err(_) => Ok(Err(Hope::MoreEffort)),
        }
    }

    fn compile_context<'c>(
        &'c mut self,
        preserves: Preserves,
        limits: &LoweringLimits,
        progress: &'c dyn Progress,
    ) -> CompileContext<'c> {
        CompileContext {
            table: &mut self.table,
            terms: &mut self.terms,
            unfold: &mut self.evaluator,
            library: &mut self.networks.library,
            limits: compile_limits(limits),
            preserved: preserves.into(),
            progress,
        }
    }
}

/// The effort that may help where no network was made.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Hope {
    MoreEffort,
    None,
}

fn compile_limits(limits: &LoweringLimits) -> CompileLimits {
    let search = limits.search;
    let most = usize::try_from(search.max_states).unwrap_or(usize::MAX);
    match limits.effort {
        Effort::Little | Effort::OnDemand => CompileLimits {
            max_small_states: little_compilation::MAX_SMALL_STATES,
            max_machine_states: most.min(little_compilation::MAX_MACHINE_STATES),
            max_machine_edges: little_compilation::MAX_MACHINE_EDGES,
            max_selected_states: little_compilation::MAX_SELECTED_STATES,
            max_compressed_states: little_compilation::MAX_COMPRESSED_STATES,
            max_rules: little_compilation::MAX_RULES,
            max_modes: little_compilation::MAX_MODES,
            n_first_states: (limits.effort == Effort::OnDemand).then_some(FIRST_STATES),
            search,
        },
        Effort::Full => CompileLimits {
            max_small_states: full_compilation::MAX_SMALL_STATES,
            max_machine_states: most.min(full_compilation::MAX_MACHINE_STATES),
            max_machine_edges: usize::MAX,
            max_selected_states: full_compilation::MAX_SELECTED_STATES,
            max_compressed_states: u64::MAX,
            max_rules: full_compilation::MAX_RULES,
            max_modes: full_compilation::MAX_MODES,
            n_first_states: None,
            search,
        },
    }
}
