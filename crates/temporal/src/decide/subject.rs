//! What a question is about: a network or a walk, explored as far as was needed.

use super::Occurring;
use super::Setting;
use super::answer::{FoundRun, Silence, Undecided};
use super::source::{Source, nearest};
use crate::recurrence::TerminalComponents;
use crate::reduction::may_diverge;
use crate::{
    Action, ActionNetwork, Ending, Explored, GrowingSystem, NetworkRun, Reason, Rules, Run, Structure, silence,
};
use explore::symmetry::unfold;
use explore::{NotExplicit, Reduction, as_long_as};
use lts::{Label, StateId, Transition};
use model::network::{Configuration, FailedStep, Network, NetworkStep};
use model::participants::Participants;

/// States of a network that are explored on demand before all of them are, and before orders of steps are left out.
const MAX_ON_DEMAND: usize = 50_000;
/// How many times as many states are walked the next time.
const GROWTH: usize = 4;

/// A system that has runs.
#[allow(clippy::large_enum_variant)] // There is one at a time.
pub enum Subject<'n> {
    /// A network.
    Network(NetworkSubject<'n>),
    /// States that are walked one by one, as far as they are known.
    Walk(Structure),
}

/// A network, as far as it was explored.
pub struct NetworkSubject<'n> {
    network: &'n Network,
    participants: Option<&'n Participants>,
    actions: &'n ActionNetwork,
    steps: Steps,
    reduction: Reduction,
    /// What was met on demand; the next property begins with that.
    grown: Option<GrowingSystem<'n>>,
    explored: Option<Explored<'n>>,
    /// States and steps that were met, and not kept.
    n_met: (usize, usize),
}

/// Whether the steps of a network are those of the system it was made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Steps {
    Same,
    /// Compressions keep what formulas see, and that is less.
    Compressed,
}

impl<'n> NetworkSubject<'n> {
    /// A network of which nothing was explored, and the same with actions. Participants are those that the actions were made with.
    pub fn new(
        network: &'n Network,
        participants: Option<&'n Participants>,
        actions: &'n ActionNetwork,
    ) -> NetworkSubject<'n> {
        let (steps, reduction) = (Steps::Same, Reduction::None);
        let n_met = (0, 0);
        NetworkSubject { network, participants, actions, steps, reduction, grown: None, explored: None, n_met }
    }

    /// The same, for a network whose silent steps are not all those of the system it stands for.
    #[must_use]
    pub fn compressed(self) -> NetworkSubject<'n> {
        NetworkSubject { steps: Steps::Compressed, ..self }
    }

    /// The network, and which processes take part in its rules.
    pub(super) fn original(&self) -> (&'n Network, Option<&'n Participants>) {
        (self.network, self.participants)
    }

    pub(super) fn actions(&self) -> &'n ActionNetwork {
        self.actions
    }

    pub(super) fn is_compressed(&self) -> bool {
        self.steps == Steps::Compressed
    }

    /// Whether every step of the system can be seen in what was explored.
    pub(super) fn has_all_steps(&self) -> bool {
        !self.is_compressed() && matches!(self.reduction, Reduction::None)
    }

    /// What was explored is forgotten if other states are left out.
    pub(super) fn reduce(&mut self, reduction: Reduction) {
        let is_same = matches!((&self.reduction, &reduction), (Reduction::None, Reduction::None));
        if !is_same {
            (self.grown, self.explored) = (None, None);
        }
        self.reduction = reduction;
    }

    /// The network as it is explored on demand, if its states are small enough and it was not explored as a whole. It may grow by as
    /// many states as if nothing had been met before.
    pub(super) fn on_demand(&mut self, setting: &Setting<'_>) -> Option<GrowingSystem<'n>> {
        let mut grown = match self.grown.take() {
            Some(grown) => grown,
            None => self.actions.growing_within(self.reduction.clone(), 0, setting.progress).ok()?,
        };
        // What is reduced is expected to be small; otherwise something else is tried as soon as with states that are not as wide.
        let most = match self.reduction {
            Reduction::None => as_long_as(MAX_ON_DEMAND as u64, self.network.machines.len()) as usize,
            _ => MAX_ON_DEMAND,
        };
        grown.set_max_states((grown.n_states() + most).min(setting.most_states()));
        Some(grown)
    }

    /// Keeps what was met.
    pub(super) fn keep(&mut self, grown: GrowingSystem<'n>) {
        self.grown = Some(grown);
    }

    fn explore<E>(&mut self, setting: &Setting<'_>) -> Result<(), Undecided<E>> {
        // All workers begin anew: what was met on demand is at most as much as each of a few properties may grow, and numbered otherwise.
        self.grown = None;
        let explored = self.actions.explore(self.reduction.clone(), &setting.limits, setting.progress);
        self.explored = Some(explored.map_err(|why| self.not_explored(why))?);
        Ok(())
    }

    /// The terminal components of the network, if they are much smaller than all of it.
    pub(super) fn components<E>(
        &mut self,
        setting: &Setting<'_>,
    ) -> Result<Option<TerminalComponents<'n>>, Undecided<E>> {
        let found = TerminalComponents::of(self.actions, &setting.limits, setting.progress);
        let found = found.map_err(|why| self.not_explored(why))?;
        self.n_met = found.as_ref().map_or((0, 0), TerminalComponents::n_met);
        Ok(found)
    }

    fn not_explored<E>(&self, why: NotExplicit) -> Undecided<E> {
        match why {
            NotExplicit::Stopped(stop) => Reason::Stopped(stop).into(),
            NotExplicit::TooWide(_) => Reason::TooWide.into(),
            NotExplicit::Failed(failure) => self.failed(&failure.steps, failure.failed),
        }
    }

    /// A step that goes wrong behind others. Labels are numbers of actions there.
    fn failed<E>(&self, steps: &[NetworkStep], failed: FailedStep) -> Undecided<E> {
        let label = |label: Label| self.actions.actions()[label.index()].label;
        let before = steps.iter().map(|step| label(step.label)).collect();
        Undecided::Failed(before, FailedStep { label: label(failed.label), ..failed })
    }

    /// What goes wrong behind some steps.
    pub(super) fn failed_after<E>(&self, steps: &[NetworkStep]) -> Undecided<E> {
        let network = self.actions.network();
        let end = steps.last().map_or(&network.initial, |step| &step.target);
        match network.failures(end).into_iter().next() {
            Some(failed) => self.failed(steps, failed),
            None => Undecided::NotReplayed("nothing goes wrong behind it".to_owned()),
        }
    }

    /// A run of the network that gets stuck.
    pub(super) fn stuck_run<E>(&self, steps: &[NetworkStep]) -> Result<FoundRun, Undecided<E>> {
        let mut configurations = vec![self.network.initial.clone()];
        let mut run = Run { start: StateId(0), steps: Vec::new(), ending: Ending::Stuck };
        for step in steps {
            let mode = configurations[run.steps.len()].mode;
            let action = self.actions.network().modes[mode.index()].rules[step.rule.index()].shows;
            configurations.push(step.target.clone());
            run.steps.push(Transition { label: action, target: StateId(configurations.len() as u32 - 1) });
        }
        self.run(&run, |state| configurations[state.index()].clone())
    }

    /// A run by the configurations that it leads through.
    pub(super) fn run<E>(
        &self,
        run: &Run,
        configuration: impl Fn(StateId) -> Configuration,
    ) -> Result<FoundRun, Undecided<E>> {
        let start = configuration(run.start);
        let mut ending = run.ending;
        let mut steps: Vec<_> = run.steps.iter().map(|step| (step.label, configuration(step.target))).collect();
        if let Reduction::Symmetry(symmetry) = &self.reduction {
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
                // Where termination leads was made up for the search.
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

impl Subject<'_> {
    /// What is walked, as far as it is explored at first.
    ///
    /// # Errors
    /// If the steps of a state cannot be told, or somebody asks to stop.
    pub fn of_walk<S: Source>(source: &mut S, setting: &Setting<'_>) -> Result<Self, Undecided<S::Error>> {
        nearest(&mut source.walk(), 0, setting).map(Subject::Walk)
    }

    /// The labels of its steps. Those of a network are known before it is explored.
    pub fn occurring(&self) -> Occurring {
        let (mut labels, are_all): (Vec<Label>, bool) = match self {
            Subject::Network(network) => (network.actions.actions().iter().map(|action| action.label).collect(), true),
            Subject::Walk(structure) => {
                let steps = structure.states().flat_map(|state| structure.steps(state));
                (steps.map(|step| structure.action(step).label).collect(), structure.n_open() == 0)
            }
        };
        labels.sort_unstable();
        labels.dedup();
        Occurring { labels, are_all }
    }

    /// What is known of the system as a whole.
    pub fn structure(&self) -> Option<&Structure> {
        match self {
            Subject::Network(network) => network.explored.as_ref().map(|explored| &explored.structure),
            Subject::Walk(structure) => Some(structure),
        }
    }

    /// Whether as many of its states were walked as are allowed.
    pub fn is_limited(&self, setting: &Setting<'_>) -> bool {
        match self {
            Subject::Network(_) => false,
            Subject::Walk(structure) => n_known(structure) >= setting.most_states(),
        }
    }

    /// Whether everything is known of it.
    pub(super) fn is_whole(&self) -> bool {
        self.structure().is_some_and(|structure| structure.n_open() == 0)
    }

    /// How many states and steps are known.
    pub fn size(&self) -> (usize, usize) {
        match (self, self.structure()) {
            (_, Some(structure)) => (structure.n_states(), structure.n_steps()),
            (Subject::Network(network), None) => {
                network.n_met.max((network.grown.as_ref().map_or(0, GrowingSystem::n_states), 0))
            }
            (Subject::Walk(_), None) => (0, 0),
        }
    }

    /// A run of what is known as a whole.
    pub(super) fn run<E>(&self, run: Run) -> Result<FoundRun, Undecided<E>> {
        match self {
            Subject::Network(network) => {
                let explored = network.explored.as_ref().expect("runs of the whole are found when it is known");
                network.run(&run, |state| explored.configuration(state))
            }
            Subject::Walk(_) => Ok(FoundRun::Walk(run)),
        }
    }

    /// Explores more: all of a network, and several times as much of a walk.
    pub(super) fn explore_further<S: Source>(
        &mut self,
        source: &mut S,
        setting: &Setting<'_>,
    ) -> Result<(), Undecided<S::Error>> {
        let is_limited = self.is_limited(setting);
        match self {
            Subject::Network(network) => network.explore(setting)?,
            Subject::Walk(structure) if is_limited => {
                return Err(Undecided::TooFew { n_known: n_known(structure), n_open: structure.n_open() });
            }
            Subject::Walk(structure) => {
                *structure = nearest(&mut source.walk(), n_known(structure).saturating_mul(GROWTH), setting)?;
            }
        }
        Ok(())
    }

    /// Whether it can be silent for ever, as far as that is seen without further search.
    pub(super) fn silence(&self, rules: &Rules) -> Silence {
        if let Subject::Network(network) = self {
            if network.is_compressed() {
                return Silence::Unknown;
            }
            if !may_diverge(network.actions) {
                return Silence::Never;
            }
        }
        let Some(structure) = self.structure() else { return Silence::Unknown };
        match silence::find(structure, rules).map(|run| self.run::<()>(run)) {
            Some(Ok(run)) => Silence::Found(run),
            None if structure.n_open() == 0 => Silence::Never,
            _ => Silence::Unknown,
        }
    }
}

/// States whose steps are known.
pub(super) fn n_known(structure: &Structure) -> usize {
    structure.n_states() - structure.n_open()
}
