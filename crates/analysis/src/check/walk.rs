//! Processes as systems that are explored on the fly.

use frontend::{Failure, Passing, Semantics, State, Step, Time};
use hashbrown::HashMap;
use lts::walk::{Ended, NumberedSystem, Numbering, Part, System, Unknown, part_of, shortest_run_to};
use lts::{Label, StateId, Transition, Watch};
use model::network::ProcessId;
use model::participants::Marks;
use progress::{Limits, Progress};
use std::cell::RefCell;
use std::sync::Arc;
use temporal::{Action, Structure};

/// The states of a process that were discovered. It does not borrow the language, so it can be kept.
pub(super) struct Walked {
    numbering: Numbering<State>,
    actions: Option<Actions>,
}

/// A process, with the steps that the definition of its language gives.
pub(super) struct Process<'a> {
    semantics: &'a mut dyn Semantics,
    root: State,
    /// The table of actions, if labels are numbers of actions.
    actions: Option<&'a mut Actions>,
    steps: Vec<Step>,
}

/// Whether it matters which processes take a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Takers {
    Ignored,
    Told,
}

/// An action: its label, the participating processes, the fairness marks, and whether it takes time.
type Told = (Label, Arc<[ProcessId]>, Marks, bool);

/// The actions that the labels of an exploration stand for, where participants matter.
#[derive(Debug, Default)]
struct Actions {
    all: Vec<Told>,
    numbers: HashMap<Told, Label>,
    /// Where each process stands.
    processes: Vec<Vec<u32>>,
    by_path: HashMap<Vec<u32>, ProcessId>,
}

impl Actions {
    fn number(&mut self, label: Label, takers: Vec<Vec<u32>>, marks: Marks, takes_time: bool) -> Label {
        let mut processes: Vec<ProcessId> = takers.into_iter().map(|path| self.process(path)).collect();
        processes.sort_unstable();
        let Actions { all, numbers, .. } = self;
        *numbers.entry((label, processes.into(), marks, takes_time)).or_insert_with_key(|action| {
            all.push(action.clone());
            Label(all.len() as u32 - 1)
        })
    }

    fn process(&mut self, path: Vec<u32>) -> ProcessId {
        let Actions { processes, by_path, .. } = self;
        *by_path.entry(path).or_insert_with_key(|path| {
            processes.push(path.clone());
            ProcessId(processes.len() as u32 - 1)
        })
    }
}

impl Walked {
    /// Nothing but a process. If takers are told, steps differ if different processes take them, and labels are numbers
    /// of actions.
    pub(super) fn new(root: State, takers: Takers) -> Walked {
        Walked { numbering: Numbering::new(&root), actions: (takers == Takers::Told).then(Actions::default) }
    }

    /// The process with the numbers of its states.
    pub(super) fn with<'a>(&'a mut self, semantics: &'a mut dyn Semantics) -> NumberedSystem<'a, Process<'a>> {
        let root = self.states()[0];
        let process = Process { actions: self.actions.as_mut(), ..Process::new(semantics, root) };
        self.numbering.of(process)
    }

    /// The explicit system of the states nearest to the start, as many as are asked for and allowed. The states that
    /// they lead to are open.
    pub(super) fn nearest(
        &mut self,
        semantics: &mut dyn Semantics,
        n_states: usize,
        limits: &Limits,
        progress: &dyn Progress,
    ) -> Result<Structure, Ended<Failure>> {
        let most = n_states.min(usize::try_from(limits.states()).unwrap_or(usize::MAX));
        let Part { lts, open } = part_of(&mut self.with(semantics), most, |_| false, &mut Watch::unmetered(progress))?;
        Ok(match self.actions() {
            None => Structure::partly_known(&lts, open),
            Some(actions) => Structure::new(&lts, actions, open),
        })
    }

    /// The steps that were asked for, if takers are ignored. The other states are open.
    pub(super) fn known(&self) -> Structure {
        let part = part_of(&mut &self.numbering, usize::MAX, |Unknown| true, &mut Watch::none());
        let Part { lts, open } = part.expect("nothing ends the exploration");
        Structure::partly_known(&lts, open)
    }

    /// The states discovered so far, by number.
    pub(super) fn states(&self) -> &[State] {
        self.numbering.states()
    }

    /// Steps between numbers as steps of the language.
    pub(super) fn steps(&self, steps: &[Transition]) -> Vec<Step> {
        steps.iter().map(|step| Step { label: step.label, target: self.states()[step.target.index()] }).collect()
    }

    /// The positions of the processes that take steps, if takers are told.
    pub(super) fn processes(&self) -> &[Vec<u32>] {
        self.actions.as_ref().map(|actions| &actions.processes[..]).unwrap_or_default()
    }

    /// The meaning of labels, if they are numbers of actions.
    fn actions(&self) -> Option<Vec<Action>> {
        let action = |(label, crew, marks, takes_time): &Told| Action {
            label: *label,
            parts: crew[..].into(),
            marks: *marks,
            takes_time: *takes_time,
        };
        Some(self.actions.as_ref()?.all.iter().map(action).collect())
    }

    /// The labels of a shortest run to the state whose steps are unknown because of an error, if there is one.
    pub(super) fn way_to_failure(&self) -> Option<Vec<Label>> {
        let failed = self.numbering.failed()?;
        let mut known = self.numbering.known_part();
        let run = shortest_run_to(&mut known, StateId(0), |&state| state == failed, &mut Watch::none());
        let run = run.expect("nothing ends the search")?;
        let label = |step: &Transition| match &self.actions {
            None => step.label,
            Some(actions) => actions.all[step.label.index()].0,
        };
        Some(run.iter().map(label).collect())
    }
}

impl<'a> Process<'a> {
    /// The system of a process; its labels are those of the language.
    pub(super) fn new(semantics: &'a mut dyn Semantics, root: State) -> Process<'a> {
        Process { semantics, root, actions: None, steps: Vec::new() }
    }
}

impl System for Process<'_> {
    type State = State;
    type Step = Step;
    type Error = Failure;

    const EFFORT: usize = 100;

    fn initial(&self) -> State {
        self.root
    }

    fn steps(&mut self, &from: &State) -> Result<&[Step], Failure> {
        self.steps.clear();
        self.semantics.steps(from, &mut self.steps)?;
        if let Some(actions) = &mut self.actions {
            for (place, step) in self.steps.iter_mut().enumerate() {
                let takes_time = takes_time(self.semantics, from, place);
                let takers = self.semantics.takers(from, place)?;
                step.label = actions.number(step.label, takers, self.semantics.marks(from, place), takes_time);
            }
        }
        Ok(&self.steps)
    }
}

/// Discovered states of one of several processes, all of which ask one language.
pub(super) struct SharedWalk<'a> {
    semantics: &'a RefCell<&'a mut dyn Semantics>,
    walked: Walked,
}

impl<'a> SharedWalk<'a> {
    /// Nothing but a process.
    pub(super) fn new(semantics: &'a RefCell<&'a mut dyn Semantics>, root: State) -> SharedWalk<'a> {
        SharedWalk { semantics, walked: Walked::new(root, Takers::Ignored) }
    }

    pub(super) fn walked(&self) -> &Walked {
        &self.walked
    }

    pub(super) fn steps(&mut self, state: StateId) -> Result<&[Transition], Failure> {
        let mut semantics = self.semantics.borrow_mut();
        let root = self.walked.states()[0];
        self.walked.numbering.steps(&mut Process::new(&mut **semantics, root), state)
    }
}

/// Whether time passes before a step, or may, as long as one likes.
pub(super) fn takes_time(semantics: &mut dyn Semantics, state: State, step: usize) -> bool {
    if !semantics.is_timed() {
        return false;
    }
    semantics.delay(state, step) > Time::from_integer(0) || matches!(semantics.passing(state), Passing::Forever(_))
}
