//! What a formula is about: a network or terms, explored as far as was needed.

use super::super::checker::{Checker, Options};
use super::super::failed::Failed;
use super::super::walk::{Takers, Walk};
use super::super::Reason as Undecided;
use frontend::formula::Occurring;
use frontend::{Lowered, State};
use explore::symmetry::unfold;
use explore::{NotExplicit, Reduction};
use fixedbitset::FixedBitSet;
use lts::refine::Implementation;
use lts::{Builder, Label, StateId};
use model::network::{Configuration, FailedStep, Network};
use progress::{Progress, Statistics};
use std::ops::ControlFlow;
use std::sync::Arc;
use temporal::product::{self, Answer as Answered};
use temporal::{
    Action, ActionNetwork, Divergence, Ending, Explored, NetworkRun, Property, Reason, Rules, Run, Structure, Verdict, View, atoms,
    silence,
};

/// States of a network that are explored on demand before all of them are.
pub(super) const MAX_ON_DEMAND: usize = 50_000;
/// Terms that are explored at first, and how many times as many the next time.
const FIRST_STATES: usize = 5_000;
const GROWTH: usize = 4;

/// A process, as something that has runs.
pub(super) struct Subject<'n> {
    pub(super) process: State,
    pub(super) form: Form<'n>,
}

/// How it is explored.
pub(super) enum Form<'n> {
    /// As a network: all of it, if that was needed.
    Network {
        lowered: &'n Lowered,
        actions: &'n ActionNetwork,
        reduction: Reduction,
        n_states: usize,
        explored: Option<Explored<'n>>,
    },
    /// State by state.
    States {
        structure: Structure,
        states: Vec<State>,
        /// Where the processes stand that take steps, if that matters.
        processes: Option<Arc<[Vec<u32>]>>,
    },
}

/// What a search came to.
pub(super) struct Answer {
    pub(super) found: Found,
    /// After so many steps of a run the property is broken however it goes on.
    pub(super) sealed: Option<usize>,
    pub(super) engine: &'static str,
    pub(super) statistics: product::Statistics,
}

/// What was found.
pub(super) enum Found {
    /// Every run satisfies the property.
    Nothing,
    /// This one does not.
    Run(FoundRun),
    /// Too little of the system is known.
    TooLittle,
}

/// A run of the subject.
pub(super) enum FoundRun {
    /// Of its network.
    Network(NetworkRun),
    /// Of its states.
    States(Run),
}

impl FoundRun {
    /// How it goes on.
    pub(super) fn ending(&self) -> Ending {
        match self {
            FoundRun::Network(run) => run.ending,
            FoundRun::States(run) => run.ending,
        }
    }
}

impl<'n> Subject<'n> {
    pub(super) fn of_network(process: State, lowered: &'n Lowered, actions: &'n ActionNetwork) -> Subject<'n> {
        Subject {
            process,
            form: Form::Network { lowered, actions, reduction: Reduction::None, n_states: 0, explored: None },
        }
    }

    /// The labels of its steps. Those of a network are known before it is explored.
    pub(super) fn occurring(&self) -> Occurring {
        let (mut labels, are_all): (Vec<Label>, bool) = match &self.form {
            Form::Network { actions, .. } => (actions.actions().iter().map(|action| action.label).collect(), true),
            Form::States { structure, .. } => {
                let steps = structure.states().flat_map(|state| structure.steps(state));
                (steps.map(|step| structure.action(step).label).collect(), structure.n_open() == 0)
            }
        };
        labels.sort_unstable();
        labels.dedup();
        Occurring { labels, are_all }
    }

    /// What is known of the system as a whole.
    pub(super) fn structure(&self) -> Option<&Structure> {
        match &self.form {
            Form::Network { explored, .. } => explored.as_ref().map(|explored| &explored.structure),
            Form::States { structure, .. } => Some(structure),
        }
    }

    /// Whether as many of its terms are known as are allowed.
    pub(super) fn is_limited(&self, options: &Options) -> bool {
        match &self.form {
            Form::Network { .. } => false,
            Form::States { structure, .. } => n_known(structure) as u64 >= options.max_states,
        }
    }

    /// How many states and steps are known.
    pub(super) fn size(&self) -> (usize, usize) {
        match (&self.form, self.structure()) {
            (_, Some(structure)) => (structure.n_states(), structure.n_steps()),
            (Form::Network { n_states, .. }, None) => (*n_states, 0),
            (Form::States { .. }, None) => (0, 0),
        }
    }

    /// A run of what is known as a whole.
    pub(super) fn run(&self, run: Run) -> Result<FoundRun, Failed> {
        match &self.form {
            Form::Network { lowered, actions, reduction, explored, .. } => {
                let explored = explored.as_ref().expect("runs of the whole are found when it is known");
                network_run(&lowered.network, actions, reduction, &run, |state| explored.configuration(state))
            }
            Form::States { .. } => Ok(FoundRun::States(run)),
        }
    }
}

/// A run by the configurations that it leads through.
pub(super) fn network_run(
    network: &Network,
    actions: &ActionNetwork,
    reduction: &Reduction,
    run: &Run,
    configuration: impl Fn(StateId) -> Configuration,
) -> Result<FoundRun, Failed> {
    let start = configuration(run.start);
    let mut ending = run.ending;
    let mut steps: Vec<_> = run.steps.iter().map(|step| (step.label, configuration(step.target))).collect();
    if let Reduction::Symmetry(symmetry) = reduction {
        let back = match &mut ending {
            Ending::Loop(place) | Ending::Silent(place) => Some(place),
            Ending::Stuck | Ending::Any => None,
        };
        let unfolded = unfold(actions.network(), symmetry, &start, &steps, back.as_deref().copied());
        (steps, _) = unfolded.ok_or_else(|| Failed::not_replayed("it is no run of representatives"))?;
    }
    let mut found = NetworkRun { start, steps: Vec::new(), parts: Vec::new(), ending };
    for (action, mut target) in steps {
        let Action { label, parts } = actions.actions()[action.index()].clone();
        if label == Label::TICK {
            // Where termination leads was made up for the search.
            let before = found.steps.last().map_or(&found.start, |(_, state)| state);
            let end = network.steps(before).into_iter().find(|step| step.label == Label::TICK);
            target = end.map_or(target, |step| step.target);
        }
        found.steps.push((label, target));
        found.parts.push(parts);
    }
    Ok(FoundRun::Network(found))
}

impl Checker<'_> {
    /// Looks for a run that breaks a property.
    pub(super) fn search(
        &self,
        subject: &mut Subject<'_>,
        property: &Property,
        rules: &Rules,
    ) -> Result<Answer, Failed> {
        let progress = &*self.options.progress;
        let needs_whole = rules.view == View::Trace && rules.divergence == Divergence::AsDeadlock;
        if let Form::Network { lowered, actions, reduction, n_states, explored: None } = &mut subject.form
            && !needs_whole
        {
            let most = MAX_ON_DEMAND.min(self.options.most_states());
            let Ok(mut growing) = actions.growing(reduction.clone(), most) else {
                return Ok(Answer::too_little());
            };
            let answer: Answered = product::decide(&mut growing, property, rules, progress);
            *n_states = growing.n_states().max(*n_states);
            let found = match answer.verdict {
                Verdict::Holds => Found::Nothing,
                Verdict::Fails(run) => {
                    let configuration = |state| growing.configuration(state);
                    Found::Run(network_run(&lowered.network, actions, reduction, &run, configuration)?)
                }
                Verdict::Unknown(Reason::Open | Reason::MixedPast | Reason::TooLarge) => Found::TooLittle,
                Verdict::Unknown(reason) => return Err(reason.into()),
            };
            let Answered { sealed, statistics, .. } = answer;
            return Ok(Answer { found, sealed, engine: "automaton", statistics });
        }
        let Some(structure) = subject.structure() else {
            return Ok(Answer::too_little());
        };
        let (answer, engine) = decide_whole(structure, property, rules, progress);
        let found = match answer.verdict {
            Verdict::Holds => Found::Nothing,
            Verdict::Fails(run) => Found::Run(subject.run(run)?),
            Verdict::Unknown(Reason::Open) => Found::TooLittle,
            Verdict::Unknown(reason) => return Err(reason.into()),
        };
        Ok(Answer { found, sealed: answer.sealed, engine, statistics: answer.statistics })
    }

    /// Explores more of a subject.
    pub(super) fn explore_further(&mut self, subject: &mut Subject<'_>) -> Result<(), Failed> {
        match &mut subject.form {
            Form::Network { lowered, actions, reduction, explored, .. } => {
                let limits = self.options.search_limits();
                let progress = self.options.progress.clone();
                let whole = actions.explore(reduction.clone(), &limits, &*progress);
                let whole = whole.map_err(|why| match why {
                    NotExplicit::Stopped(stop) => Failed::Stopped(stop),
                    NotExplicit::TooWide(_) => Failed::too_wide(),
                    NotExplicit::Failed(failure) => {
                        // Labels are numbers of actions there.
                        let label = |label: Label| actions.actions()[label.index()].label;
                        let before: Vec<Label> = failure.steps.iter().map(|step| label(step.label)).collect();
                        let failed = FailedStep { label: label(failure.failed.label), ..failure.failed };
                        self.failed_after(lowered, before.into_iter(), &failed)
                    }
                })?;
                *explored = Some(whole);
            }
            Form::States { structure, processes, .. } => {
                let known = n_known(structure);
                if known as u64 >= self.options.max_states {
                    let n_open = structure.n_open();
                    let are = if n_open == 1 { "is" } else { "are" };
                    let detail =
                        format!("the {known} states that were explored do not decide it, and {n_open} more {are} open");
                    return Err(Failed::Unknown(Undecided::MaxStates, detail));
                }
                let takers = if processes.is_some() { Takers::Told } else { Takers::Ignored };
                *subject = self.walk_partly(subject.process, known.saturating_mul(GROWTH), takers)?;
            }
        }
        Ok(())
    }

    /// The states of a process that are nearest to it.
    pub(super) fn walk_partly<'n>(
        &mut self,
        process: State,
        n_states: usize,
        takers: Takers,
    ) -> Result<Subject<'n>, Failed> {
        let most = n_states.max(FIRST_STATES).min(self.options.most_states());
        let progress = self.options.progress.clone();
        let mut walk = Walk::new(&mut *self.semantics, process, takers);
        let mut builder = Builder::new();
        let mut next = 0;
        while next < walk.n_known() && next < most {
            if next % 256 == 255
                && let ControlFlow::Break(why) = progress.tick(&Statistics::of_states(next))
            {
                return Err(Failed::Stopped(why.into()));
            }
            let state = StateId(next as u32);
            builder.add_state(state);
            walk.transitions(state)?.iter().for_each(|step| builder.add(state, step.label, step.target));
            next += 1;
        }
        let states = walk.states().to_vec();
        let mut open = FixedBitSet::with_capacity(states.len());
        open.insert_range(next..states.len());
        let lts = builder.finish(StateId(0));
        let (structure, processes) = match walk.into_actions() {
            None => (Structure::partly_known(&lts, open), None),
            Some(actions) => {
                let all = actions.all.iter();
                let all = all.map(|(label, processes)| Action { label: *label, parts: processes[..].into() }).collect();
                (Structure::new(&lts, all, open), Some(actions.processes.into()))
            }
        };
        Ok(Subject { process, form: Form::States { structure, states, processes } })
    }
}

impl Answer {
    fn too_little() -> Answer {
        Answer {
            found: Found::TooLittle,
            sealed: None,
            engine: "automaton",
            statistics: product::Statistics::default(),
        }
    }
}

/// Decides a property of what is known of a system, by whichever engine can, and says which did.
pub(super) fn decide_whole(
    structure: &Structure,
    property: &Property,
    rules: &Rules,
    progress: &dyn Progress,
) -> (Answered, &'static str) {
    let answer = silence::decide(structure, property, rules, progress);
    if !matches!(answer.verdict, Verdict::Unknown(Reason::MixedPast | Reason::TooLarge)) {
        return (answer, "automaton");
    }
    let verdict = atoms::decide(structure, property, rules, progress);
    (Answered { verdict, ..answer }, "tableau")
}

/// States whose steps are known.
fn n_known(structure: &Structure) -> usize {
    structure.n_states() - structure.n_open()
}
