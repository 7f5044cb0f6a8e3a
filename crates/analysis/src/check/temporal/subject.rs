//! What a formula is about: a network or terms, explored as far as was needed.

use super::super::checker::{Checker, Failed, Options};
use super::super::system::Asking;
use crate::temporal::Occurring;
use explore::symmetry::unfold;
use explore::{NotExplicit, Progress as _, Reduction};
use fixedbitset::FixedBitSet;
use lts::refine::Implementation;
use lts::{Builder, Label, StateId};
use model::network::{Configuration, Network};
use process::compile::Compiled;
use process::{TermId, Walk};
use std::ops::ControlFlow;
use temporal::product::{self, Answer as Answered, Reason, Verdict};
use temporal::{
    Action, ActionNetwork, Divergence, Ending, Explored, NetworkRun, Property, Rules, Run, Structure, View, atoms,
    silence,
};

/// States of a network that are explored on demand before all of them are.
pub(super) const A_WHILE: usize = 50_000;
/// Terms that are explored at first, and how many times as many the next time.
const A_FEW_TERMS: usize = 5_000;
const FURTHER: usize = 4;

/// A process, as something that has runs.
pub(super) struct Subject<'n> {
    pub(super) term: TermId,
    pub(super) form: Form<'n>,
}

/// How it is explored.
pub(super) enum Form<'n> {
    /// As a network: all of it, if that was needed.
    Network {
        compiled: &'n Compiled,
        actions: &'n ActionNetwork,
        reduction: Reduction,
        n_states: usize,
        explored: Option<Explored<'n>>,
    },
    /// Term by term.
    Terms { structure: Structure, terms: Vec<TermId> },
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
    /// Of its terms.
    Terms(Run),
}

impl FoundRun {
    /// How it goes on.
    pub(super) fn ending(&self) -> Ending {
        match self {
            FoundRun::Network(run) => run.ending,
            FoundRun::Terms(run) => run.ending,
        }
    }
}

impl<'n> Subject<'n> {
    pub(super) fn of_network(term: TermId, compiled: &'n Compiled, actions: &'n ActionNetwork) -> Subject<'n> {
        Subject {
            term,
            form: Form::Network { compiled, actions, reduction: Reduction::None, n_states: 0, explored: None },
        }
    }

    /// The labels of its steps. Those of a network are known before it is explored.
    pub(super) fn occurring(&self) -> Occurring {
        let (mut labels, are_all): (Vec<Label>, bool) = match &self.form {
            Form::Network { actions, .. } => (actions.actions().iter().map(|action| action.label).collect(), true),
            Form::Terms { structure, .. } => {
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
            Form::Terms { structure, .. } => Some(structure),
        }
    }

    /// Whether as many of its terms are known as are allowed.
    pub(super) fn is_limited(&self, options: &Options) -> bool {
        match &self.form {
            Form::Network { .. } => false,
            Form::Terms { structure, .. } => n_known(structure) as u64 >= options.max_states,
        }
    }

    /// How many states and steps are known.
    pub(super) fn size(&self) -> (usize, usize) {
        match (&self.form, self.structure()) {
            (_, Some(structure)) => (structure.n_states(), structure.n_steps()),
            (Form::Network { n_states, .. }, None) => (*n_states, 0),
            (Form::Terms { .. }, None) => (0, 0),
        }
    }

    /// A run of what is known as a whole.
    pub(super) fn run(&self, run: Run) -> Result<FoundRun, Failed> {
        match &self.form {
            Form::Network { compiled, actions, reduction, explored, .. } => {
                let explored = explored.as_ref().expect("runs of the whole are found when it is known");
                network_run(&compiled.network, actions, reduction, &run, |state| explored.configuration(state))
            }
            Form::Terms { .. } => Ok(FoundRun::Terms(run)),
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
        let asking = Asking::new(&self.options);
        let mut keep_on = |n_nodes: usize| asking.tick(&progress(n_nodes)).is_continue();
        let needs_whole = rules.view == View::Trace && rules.divergence == Divergence::AsDeadlock;
        if let Form::Network { compiled, actions, reduction, n_states, explored: None } = &mut subject.form
            && !needs_whole
        {
            let most = A_WHILE.min(usize::try_from(self.options.max_states).unwrap_or(usize::MAX));
            let Ok(mut growing) = actions.growing(reduction.clone(), most) else {
                return Ok(Answer::too_little());
            };
            let answer: Answered = product::decide(&mut growing, property, rules, &mut keep_on);
            *n_states = growing.n_states().max(*n_states);
            let found = match answer.verdict {
                Verdict::Holds => Found::Nothing,
                Verdict::Fails(run) => {
                    let configuration = |state| growing.configuration(state);
                    Found::Run(network_run(&compiled.network, actions, reduction, &run, configuration)?)
                }
                Verdict::Unknown(Reason::Open | Reason::MixedPast | Reason::TooLarge) => Found::TooLittle,
                Verdict::Unknown(reason) => return Err(no_answer(reason, &asking)),
            };
            let Answered { sealed, statistics, .. } = answer;
            return Ok(Answer { found, sealed, engine: "automaton", statistics });
        }
        let Some(structure) = subject.structure() else {
            return Ok(Answer::too_little());
        };
        let (answer, engine) = decide_whole(structure, property, rules, &mut keep_on);
        let found = match answer.verdict {
            Verdict::Holds => Found::Nothing,
            Verdict::Fails(run) => Found::Run(subject.run(run)?),
            Verdict::Unknown(Reason::Open) => Found::TooLittle,
            Verdict::Unknown(reason) => return Err(no_answer(reason, &asking)),
        };
        Ok(Answer { found, sealed: answer.sealed, engine, statistics: answer.statistics })
    }

    /// Explores more of a subject.
    pub(super) fn explore_further(&mut self, subject: &mut Subject<'_>) -> Result<(), Failed> {
        match &mut subject.form {
            Form::Network { actions, reduction, explored, .. } => {
                let asking = Asking::new(&self.options);
                let limits = self.options.search_limits();
                let whole = actions.explore(reduction.clone(), &limits, &asking).map_err(|why| match why {
                    NotExplicit::Stopped(stop) => Failed::from_stop(stop, asking.why(), &self.options),
                    NotExplicit::TooWide(_) => {
                        Failed::Unknown("unsupported", "its states have too many components".to_owned())
                    }
                    NotExplicit::Failed(_) => unreachable!("processes have no variables"),
                })?;
                *explored = Some(whole);
            }
            Form::Terms { structure, .. } => {
                let known = n_known(structure);
                if known as u64 >= self.options.max_states {
                    let n_open = structure.n_open();
                    let are = if n_open == 1 { "is" } else { "are" };
                    let detail =
                        format!("the {known} states that were explored do not decide it, and {n_open} more {are} open");
                    return Err(Failed::Unknown("max-states", detail));
                }
                *subject = self.walk_partly(subject.term, known.saturating_mul(FURTHER))?;
            }
        }
        Ok(())
    }

    /// The states of a term that are nearest to it.
    pub(super) fn walk_partly<'n>(&mut self, term: TermId, n_terms: usize) -> Result<Subject<'n>, Failed> {
        let most = n_terms.max(A_FEW_TERMS).min(usize::try_from(self.options.max_states).unwrap_or(usize::MAX));
        let options = self.options.clone();
        let asking = Asking::new(&options);
        let mut walk = Walk::new(&mut self.table, &mut self.terms, &mut self.evaluator, term);
        let mut builder = Builder::new();
        let mut next = 0;
        let failed = loop {
            if next >= walk.n_known() || next >= most {
                break None;
            }
            if next % 256 == 255 && asking.tick(&progress(next)).is_break() {
                return Err(Failed::Stopped(asking.why()));
            }
            let state = StateId(next as u32);
            builder.add_state(state);
            match walk.transitions(state) {
                Ok(steps) => steps.iter().for_each(|step| builder.add(state, step.label, step.target)),
                Err((_, error)) => break Some(error),
            }
            next += 1;
        };
        let n_states = walk.n_known();
        let terms = (0..n_states as u32).map(|state| walk.term(StateId(state))).collect();
        if let Some(error) = failed {
            return Err(self.failed_step(&error));
        }
        let mut open = FixedBitSet::with_capacity(n_states);
        open.insert_range(next..n_states);
        let structure = Structure::partly_known(&builder.finish(StateId(0)), open);
        Ok(Subject { term, form: Form::Terms { structure, terms } })
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
    keep_on: &mut dyn FnMut(usize) -> bool,
) -> (Answered, &'static str) {
    let answer = silence::decide(structure, property, rules, keep_on);
    if !matches!(answer.verdict, Verdict::Unknown(Reason::MixedPast | Reason::TooLarge)) {
        return (answer, "automaton");
    }
    let mut watch = |n_atoms: usize| if keep_on(n_atoms) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
    let verdict = match atoms::decide(structure, property, rules, &mut watch) {
        atoms::Verdict::Holds => Verdict::Holds,
        atoms::Verdict::Fails(run) => Verdict::Fails(run),
        atoms::Verdict::Inconclusive { .. } => Verdict::Unknown(Reason::Open),
        atoms::Verdict::Stopped => Verdict::Unknown(Reason::Interrupted),
        atoms::Verdict::TooLarge => Verdict::Unknown(Reason::TooLarge),
    };
    (Answered { verdict, ..answer }, "tableau")
}

fn no_answer(reason: Reason, asking: &Asking<'_>) -> Failed {
    match reason {
        Reason::Interrupted => Failed::Stopped(asking.why()),
        Reason::NoProcesses => {
            let detail = "fairness of processes needs components that run side by side for good, and this process has none \
                          that stay; fairness of events works";
            Failed::Unknown("unsupported", detail.to_owned())
        }
        Reason::TooLarge | Reason::MixedPast | Reason::Open => {
            Failed::Unknown("unsupported", "the formula is too large".to_owned())
        }
    }
}

/// States whose steps are known.
fn n_known(structure: &Structure) -> usize {
    structure.n_states() - structure.n_open()
}

/// How far a search is.
pub(super) fn progress(n_states: usize) -> explore::Statistics {
    explore::Statistics { n_states: n_states as u64, ..explore::Statistics::default() }
}
