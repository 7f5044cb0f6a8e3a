//! Systems of formulas: a network with what engines have learned of it, or an explicit system.

use super::report::{FoundRun, Silence, Undecided};
use crate::schedule::width_scaled;
use explore::symmetry::unfold;
use explore::{Limits, NotExplicit, Reduction};
use lts::{Label, Reason, StateId, Transition};
use model::network::{Configuration, FailedStep, Network, NetworkStep};
use model::participants::Participants;
use progress::Progress;
use property::{Action, Occurring, Rules};
use std::sync::{Mutex, MutexGuard, PoisonError};
use temporal::reduction::may_diverge;
use temporal::{ActionNetwork, Ending, Explored, GrowingSystem, NetworkRun, Run, Structure, silence};

/// The system of a formula.
#[allow(clippy::large_enum_variant, reason = "there is one at a time")]
pub enum FormulaSystem<'n> {
    /// A network.
    Network(NetworkSystem<'n>),
    /// An explicit system, some of whose states may be open.
    Explicit(&'n Structure),
}

/// A network, with what engines have learned of it.
pub struct NetworkSystem<'n> {
    network: &'n Network,
    participants: Option<&'n Participants>,
    actions: &'n ActionNetwork,
    is_compressed: bool,
    learned: Mutex<Learned<'n>>,
}

/// States of a network that one engine has explored, for those that follow.
pub(super) struct Learned<'n> {
    pub(super) reduction: Reduction,
    /// States that were explored on the fly; the next property begins with them.
    growing: Option<GrowingSystem<'n>>,
    explored: Option<Explored<'n>>,
    /// Visited states and steps that are not kept.
    n_visited: (usize, usize),
    /// Whether partial-order reduction removes enough steps, as far as that was tried.
    pub(super) partial_order_pays: bool,
}

impl<'n> NetworkSystem<'n> {
    /// A network of which nothing is explored, with its actions. Participants are those that the actions were made
    /// with.
    pub fn new(
        network: &'n Network,
        participants: Option<&'n Participants>,
        actions: &'n ActionNetwork,
    ) -> NetworkSystem<'n> {
        let learned = Learned {
            reduction: Reduction::None,
            growing: None,
            explored: None,
            n_visited: (0, 0),
            partial_order_pays: true,
        };
        NetworkSystem { network, participants, actions, is_compressed: false, learned: Mutex::new(learned) }
    }

    /// Notes that machines are compressed: compressions preserve what formulas see, which is less than all steps.
    #[must_use]
    pub fn compressed(self) -> NetworkSystem<'n> {
        NetworkSystem { is_compressed: true, ..self }
    }

    /// The network, and the participants of its rules.
    pub(super) fn original(&self) -> (&'n Network, Option<&'n Participants>) {
        (self.network, self.participants)
    }

    pub(super) fn actions(&self) -> &'n ActionNetwork {
        self.actions
    }

    /// The learned facts are consistent even if a thread panicked while it held the lock.
    pub(super) fn learned(&self) -> MutexGuard<'_, Learned<'n>> {
        self.learned.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn failed(&self, steps: &[NetworkStep], failed: FailedStep) -> Undecided {
        // Labels of the network with actions are numbers of actions.
        let label = |label: Label| self.actions.actions()[label.index()].label;
        let before = steps.iter().map(|step| label(step.label)).collect();
        Undecided::Failed(before, FailedStep { label: label(failed.label), ..failed })
    }

    /// The step that fails after some steps.
    pub(super) fn failed_after(&self, steps: &[NetworkStep]) -> Undecided {
        let network = self.actions.network();
        let end = steps.last().map_or(&network.initial, |step| &step.target);
        match network.failures(end).into_iter().next() {
            Some(failed) => self.failed(steps, failed),
            None => Undecided::NotReplayed("no step fails behind it".to_owned()),
        }
    }

    pub(super) fn not_explored(&self, why: NotExplicit) -> Undecided {
        match why {
            NotExplicit::Stopped(stop) => Reason::Stopped(stop).into(),
            NotExplicit::TooWide(_) => Reason::TooWide.into(),
            NotExplicit::Failed(failure) => self.failed(&failure.steps, failure.failed),
        }
    }

    /// A run of the network to a deadlock.
    pub(super) fn deadlocked_run(&self, steps: &[NetworkStep]) -> Result<FoundRun, Undecided> {
        let mut configurations = vec![self.network.initial.clone()];
        let mut run = Run { start: StateId(0), steps: Vec::new(), ending: Ending::Stuck };
        for step in steps {
            let mode = configurations[run.steps.len()].mode;
            let action = self.actions.network().modes[mode.index()].rules[step.rule.index()].shows;
            configurations.push(step.target.clone());
            run.steps.push(Transition { label: action, target: StateId(configurations.len() as u32 - 1) });
        }
        self.run(&run, &Reduction::None, |state| configurations[state.index()].clone())
    }

    /// A run by the configurations that it leads through, with representatives of orbits replaced by states of the
    /// network.
    pub(super) fn run(
        &self,
        run: &Run,
        reduction: &Reduction,
        configuration: impl Fn(StateId) -> Configuration,
    ) -> Result<FoundRun, Undecided> {
        let start = configuration(run.start);
        let mut ending = run.ending;
        let mut steps: Vec<_> = run.steps.iter().map(|step| (step.label, configuration(step.target))).collect();
        if let Reduction::Symmetry(symmetry) = reduction {
            let back = match &mut ending {
                Ending::Loop(place) | Ending::Silent(place) => Some(place),
                Ending::Stuck | Ending::Any => None,
            };
            let unfolded = unfold(self.actions.network(), symmetry, &start, &steps, back.as_deref().copied());
            let unfolded = unfolded.ok_or_else(|| Undecided::NotReplayed("it is no run of representatives".to_owned()));
            (steps, _) = unfolded?;
        }
        let mut found = NetworkRun { start, steps: Vec::new(), parts: Vec::new(), ending };
        for (action, mut target) in steps {
            let Action { label, parts, .. } = self.actions.actions()[action.index()].clone();
            if label == Label::TICK {
                // The network with actions has a single terminated configuration.
                let before = found.steps.last().map_or(&found.start, |(_, state)| state);
                let end = self.network.steps(before).into_iter().find(|step| step.label == Label::TICK);
                target = end.map_or(target, |step| step.target);
            }
            found.steps.push((label, target));
            found.parts.push(parts);
        }
        Ok(FoundRun::Network(found))
    }
}

impl<'n> Learned<'n> {
    /// All states, if they are explored.
    pub(super) fn structure(&self) -> Option<&Structure> {
        self.explored.as_ref().map(|explored| &explored.structure)
    }

    /// A run of the explored states.
    pub(super) fn run(&self, network: &NetworkSystem<'n>, run: &Run) -> Result<FoundRun, Undecided> {
        let explored = self.explored.as_ref().expect("runs of the explicit system are found when it is known");
        network.run(run, &self.reduction, |state| explored.configuration(state))
    }

    /// Changes the reduction; states that were explored with another one are forgotten.
    pub(super) fn reduce(&mut self, reduction: Reduction) {
        let is_same = matches!((&self.reduction, &reduction), (Reduction::None, Reduction::None));
        if !is_same {
            (self.growing, self.explored) = (None, None);
        }
        self.reduction = reduction;
    }

    /// The network as a system that is explored on the fly, if its states are small enough. It may grow by the budget,
    /// whatever was explored before.
    pub(super) fn on_the_fly(
        &mut self,
        network: &NetworkSystem<'n>,
        budget: u64,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Option<GrowingSystem<'n>> {
        let mut growing = match self.growing.take() {
            Some(growing) => growing,
            None => network.actions.growing_within(self.reduction.clone(), 0, progress).ok()?,
        };
        // A reduced system is expected to be small; otherwise another engine follows as soon as with narrower states.
        let budget = match self.reduction {
            Reduction::None => width_scaled(budget, network.network),
            _ => budget,
        };
        let max_states = (growing.n_states() as u64).saturating_add(budget).min(limits.states());
        growing.set_max_states(usize::try_from(max_states).unwrap_or(usize::MAX));
        Some(growing)
    }

    pub(super) fn keep(&mut self, growing: GrowingSystem<'n>) {
        self.growing = Some(growing);
    }

    /// Explores all states on all cores.
    pub(super) fn explore(
        &mut self,
        network: &NetworkSystem<'n>,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<(), Undecided> {
        // The states that were explored on the fly are few, and numbered otherwise.
        self.growing = None;
        let explored = network.actions.explore(self.reduction.clone(), limits, progress);
        self.explored = Some(explored.map_err(|why| network.not_explored(why))?);
        Ok(())
    }

    pub(super) fn count_visited(&mut self, n_visited: (usize, usize)) {
        self.n_visited = n_visited;
    }

    /// Visited states and steps.
    fn size(&self) -> (usize, usize) {
        match (&self.explored, &self.growing) {
            (Some(explored), _) => (explored.structure.n_states(), explored.structure.n_steps()),
            (None, growing) => self.n_visited.max((growing.as_ref().map_or(0, GrowingSystem::n_states), 0)),
        }
    }
}

impl FormulaSystem<'_> {
    /// The labels of its steps.
    pub fn occurring(&self) -> Occurring {
        match self {
            FormulaSystem::Network(network) => occurring_in_network(network.actions),
            FormulaSystem::Explicit(structure) => occurring_in(structure),
        }
    }

    /// Visited states and steps.
    pub fn size(&self) -> (usize, usize) {
        match self {
            FormulaSystem::Network(network) => network.learned().size(),
            FormulaSystem::Explicit(structure) => (structure.n_states(), structure.n_steps()),
        }
    }

    /// Looks at the explicit system without any reduction, if it was explored.
    pub(super) fn with_all_steps<T>(&self, look: impl FnOnce(&Structure) -> T) -> Option<T> {
        match self {
            FormulaSystem::Explicit(structure) => Some(look(structure)),
            FormulaSystem::Network(network) => {
                let learned = network.learned();
                let has_all = !network.is_compressed && matches!(learned.reduction, Reduction::None);
                learned.structure().filter(|_| has_all).map(look)
            }
        }
    }

    /// Whether it diverges, as far as that is known without further search.
    pub(super) fn silence(&self, rules: &Rules) -> Silence {
        match self {
            FormulaSystem::Explicit(structure) => match silence::find(structure, rules) {
                Some(run) => Silence::Found(FoundRun::Explicit(run)),
                None if structure.n_open() == 0 => Silence::Never,
                None => Silence::Unknown,
            },
            FormulaSystem::Network(network) => {
                if let Some(known) = network.silence_by_rules() {
                    return known;
                }
                let learned = network.learned();
                let Some(structure) = learned.structure() else { return Silence::Unknown };
                match silence::find(structure, rules).map(|run| learned.run(network, &run)) {
                    Some(Ok(run)) => Silence::Found(run),
                    Some(Err(_)) => Silence::Unknown,
                    None => Silence::Never,
                }
            }
        }
    }
}

impl NetworkSystem<'_> {
    /// Whether it diverges, if its rules decide that. Compressed machines have not all silent steps.
    pub(super) fn silence_by_rules(&self) -> Option<Silence> {
        if self.is_compressed {
            return Some(Silence::Unknown);
        }
        (!may_diverge(self.actions)).then_some(Silence::Never)
    }
}

/// The labels of the steps of a network, which are known before it is explored.
pub fn occurring_in_network(network: &ActionNetwork) -> Occurring {
    occurring(network.actions().iter().map(|action| action.label), true)
}

/// The labels of the steps of an explicit system.
pub fn occurring_in(structure: &Structure) -> Occurring {
    let steps = structure.states().flat_map(|state| structure.steps(state));
    occurring(steps.map(|step| structure.action(step).label), structure.n_open() == 0)
}

fn occurring(labels: impl Iterator<Item = Label>, are_all: bool) -> Occurring {
    let mut labels: Vec<Label> = labels.collect();
    labels.sort_unstable();
    labels.dedup();
    Occurring { labels, are_all }
}
