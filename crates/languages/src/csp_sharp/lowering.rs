//! Networks of processes.

use super::semantics::SharpSemantics;
use csp_sharp::resolve::Property;
use csp_sharp_runtime::code::ExprId;
use csp_sharp_runtime::lower::{Lowering, NotLowered};
use frontend::{Component, Effort, Failure, Lowered, LoweredId, LoweredInTime, State};
use hashbrown::HashMap;
use limits::effort::csp_sharp_lowering::{MAX_STATES, SPECULATIVE_STATES};
use limits::intervals::polling::LOWERING_WORK_PER_POLL;
use lts::Preserves;
use model::network::{Configuration, MachineId};
use progress::{Interrupt, Progress, Statistics};
use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

/// The networks that were made.
#[derive(Default)]
pub(super) struct Networks {
    made: Vec<Lowering>,
    /// By process, with the effort after which there was none.
    known: HashMap<State, (Option<LoweredId>, Effort)>,
    /// Those with time, by process.
    in_time: HashMap<State, Option<LoweredInTime>>,
}

impl<const TIMED: bool> SharpSemantics<'_, TIMED> {
    /// The network of a process, if it has one.
    ///
    /// # Errors
    /// When it is cancelled.
    pub(super) fn make_network(
        &mut self,
        process: State,
        preserves: Preserves,
        effort: Effort,
        progress: &dyn Progress,
    ) -> Result<Option<Lowered>, Failure> {
        let number = match self.networks.known.get(&process) {
            Some((Some(known), _)) => Some(*known),
            Some((None, Effort::Full)) => None,
            Some((None, tried)) if *tried == effort => None,
            _ if effort == Effort::OnDemand => None,
            _ => self.try_network(process, effort, progress)?,
        };
        let Some(id) = number else { return Ok(None) };
        let lowering = &self.networks.made[id.0 as usize];
        if preserves == Preserves::Processes && lowering.participants.is_none() {
            return Ok(None);
        }
        Ok(Some(Lowered {
            network: lowering.network.clone(),
            id,
            is_compressed: false,
            has_given_up: false,
            open: Arc::default(),
            participants: lowering.participants.clone().filter(|_| preserves == Preserves::Processes),
            processes: lowering.processes.clone(),
            conditions: lowering.conditions.iter().map(|&(condition, lowered)| (condition.0, lowered)).collect(),
        }))
    }

    fn try_network(
        &mut self,
        process: State,
        effort: Effort,
        progress: &dyn Progress,
    ) -> Result<Option<LoweredId>, Failure> {
        let most = if effort == Effort::Full { MAX_STATES } else { SPECULATIVE_STATES };
        let wanted = self.wanted_conditions();
        let made = asking(progress, |goes_on| self.system.lower(process, &wanted, most, goes_on))?;
        if matches!(made, Err(NotLowered::Stopped))
            && let Some(why) = self.system.stopped()
        {
            return Err(Failure::Stopped(why.into()));
        }
        let has_all = |made: &Lowering| {
            let named = self.named_conditions();
            named.iter().all(|wanted| made.conditions.iter().any(|(known, _)| known == wanted))
        };
        let (number, tried) = match made {
            Ok(made) if has_all(&made) => {
                self.networks.made.push(made);
                (Some(LoweredId(self.networks.made.len() as u32 - 1)), effort)
            }
            Err(NotLowered::Large(_)) => (None, effort),
            Ok(_) | Err(_) => (None, Effort::Full),
        };
        self.networks.known.insert(process, (number, tried));
        Ok(number)
    }

    /// The timed network of a process, if it has one.
    ///
    /// # Errors
    /// When it is cancelled.
    pub(super) fn make_timed_network(
        &mut self,
        process: State,
        progress: &dyn Progress,
    ) -> Result<Option<LoweredInTime>, Failure> {
        if let Some(known) = self.networks.in_time.get(&process) {
            return Ok(known.clone());
        }
        let wanted = self.wanted_conditions();
        let made = asking(progress, |goes_on| self.system.lower_timed(process, &wanted, SPECULATIVE_STATES, goes_on))?;
        if matches!(made, Err(NotLowered::Stopped))
            && let Some(why) = self.system.stopped()
        {
            return Err(Failure::Stopped(why.into()));
        }
        let made = made.ok().map(|made| LoweredInTime {
            network: made.network,
            conditions: made.conditions.iter().map(|&(condition, lowered)| (condition.0, lowered)).collect(),
        });
        self.networks.in_time.insert(process, made.clone());
        Ok(made)
    }

    /// All conditions that assertions and formulas may name, and the expressions to be optimized.
    fn wanted_conditions(&self) -> Vec<ExprId> {
        let mut wanted: Vec<ExprId> = self.named_conditions();
        for assertion in &self.script.resolved.assertions {
            if let Property::Reaches(condition, optimum) = &assertion.property {
                wanted.push(*condition);
                wanted.extend(optimum.map(|(_, measure)| measure));
            }
        }
        wanted.sort_unstable();
        wanted.dedup();
        wanted
    }

    /// The propositions that formulas may name: those whose names stand in one.
    fn named_conditions(&self) -> Vec<ExprId> {
        let mut words: Vec<&str> = Vec::new();
        for formula in &self.script.formulas {
            let text = self.script.map.text(formula.span);
            words.extend(text.split(|letter: char| !letter.is_alphanumeric() && letter != '_'));
        }
        let propositions = self.system.code().propositions.iter();
        propositions.filter(|known| words.contains(&&*known.name)).map(|known| known.condition).collect()
    }

    /// The state that a configuration stands for.
    pub(super) fn state_behind(&mut self, lowered: LoweredId, configuration: &Configuration) -> State {
        self.system.state_behind(&self.networks.made[lowered.0 as usize], configuration)
    }

    /// Where the processes that take a step stand. Without a composition, that is the process itself.
    pub(super) fn paths_of_takers(&mut self, at: State, step: usize) -> Vec<Vec<u32>> {
        let takers = self.system.takers(at, step);
        if takers.is_empty() { vec![Vec::new()] } else { takers.to_vec() }
    }

    /// The process that a machine begins with.
    pub(super) fn machine_of(&mut self, lowered: LoweredId, machine: MachineId) -> Component {
        let term = self.networks.made[lowered.0 as usize].machine(machine);
        Component { path: vec![machine.0], name: self.system.term_text(term, 200), place: None, state: None }
    }
}

/// Does something that asks now and then whether to go on.
///
/// # Errors
/// When it was cancelled.
fn asking<T>(progress: &dyn Progress, work: impl FnOnce(&dyn Fn() -> bool) -> T) -> Result<T, Failure> {
    let stopped: Cell<Option<Interrupt>> = Cell::new(None);
    let done = work(&|| match progress.tick(&Statistics::of_work(LOWERING_WORK_PER_POLL)) {
        ControlFlow::Continue(()) => true,
        ControlFlow::Break(why) => {
            stopped.set(Some(why));
            false
        }
    });
    stopped.get().map_or(Ok(done), |why| Err(Failure::Stopped(why.into())))
}
