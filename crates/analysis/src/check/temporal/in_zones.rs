//! Formulas about processes in which time passes, decided by zones.
//!
//! Each run leads along nodes of the zone graph, and ends at a node without steps if it ends. So what is true of all runs along nodes is true of
//! all runs. Along one of which it is not true, a run of the process is looked for that breaks it ([`along`](super::along)); if none is found, whole units of time are asked. Fairness, time that goes
//! on for ever, and what is possible in a state are not the same for all values of a zone: nothing is claimed of these here.

use super::super::Verdict;
use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::Checked;
use super::settings;
use super::source::{Asking, Reader};
use ::decide::Statistics;
use fixedbitset::FixedBitSet;
use frontend::formula::{Fair, Logic, Lowered, Occurring, Question, Zeno};
use frontend::{Failure, State};
use lts::Label;
use progress::Attempt;
use temporal::decide::{self, Asked, FoundRun, Outcome, Source, Subject, Thoroughness, Undecided, Walk};
use temporal::{Fact, Structure, View};

impl Checker<'_> {
    /// Decides a formula by zones, if they are to be asked; nothing if they do not tell.
    pub(super) fn decide_in_zones(&mut self, process: State, question: &Question) -> Result<Option<Checked>, Failed> {
        if !speaks_of_single_runs(question) {
            return Ok(None);
        }
        let Some((lts, states)) = self.nodes_by_zones(process)? else { return Ok(None) };
        let open = FixedBitSet::with_capacity(lts.n_states());
        let mut subject = Subject::Walk(Structure::partly_known(&lts, open));
        let progress = self.options.progress.clone();
        let mut asking = Asking::new(process, question);
        let setting = self.setting(question, &*progress);
        let reader = Reader { checker: self, asking: &mut asking, lowered: None };
        let mut nodes = Nodes { reader, states, are_told: true };
        let decided = decide::decide(&mut subject, &mut nodes, &setting, Thoroughness::Once);
        let are_told = nodes.are_told;
        let decision = match decided {
            Ok(Some(decision)) if are_told => decision,
            Err(Undecided::Unknown(lts::Reason::Stopped(stop))) => return Err(Failed::Stopped(stop)),
            _ => return Ok(None),
        };
        match (&decision.outcome, &subject) {
            (Outcome::Holds, _) => {}
            (Outcome::Broken(broken), Subject::Walk(structure)) => {
                let FoundRun::Walk(run) = &broken.run else { return Ok(None) };
                let labels: Vec<Label> = run.steps.iter().map(|step| structure.action(step).label).collect();
                return self.refute_along(process, question, &labels, run.ending);
            }
            _ => return Ok(None),
        }
        let mut report = settings::describe(question);
        settings::tell(&mut report, &decision);
        self.note_absent_events(&subject, question, &mut report);
        let (n_states, n_transitions) = subject.size();
        let statistics =
            Statistics { n_states: n_states as u64, n_transitions: n_transitions as u64, ..Statistics::default() };
        progress.attempted(Attempt::new("zones", progress::Outcome::Decided, statistics.n_states));
        let temporal = Some(Box::new(report));
        Ok(Some(Checked { statistics, temporal, ..Checked::new(Verdict::Holds, None) }))
    }
}

/// Whether a question is one about each run for itself.
fn speaks_of_single_runs(question: &Question) -> bool {
    question.logic == Logic::Ltl
        && question.rules.view == View::Step
        && question.formula.premise.is_none()
        && matches!(question.choices.fairness, None | Some(Fair::None))
        && question.choices.zeno != Some(Zeno::Excluded)
}

/// Nodes of a zone graph as what a formula is asked of.
struct Nodes<'c, 'a, 'q> {
    reader: Reader<'c, 'a, 'q>,
    /// A state with the variables of each node.
    states: Vec<State>,
    /// Whether what the formula speaks of is the same for all values of a node.
    are_told: bool,
}

impl Source for Nodes<'_, '_, '_> {
    type Error = Failure;

    fn asked(&mut self, occurring: &Occurring) -> Result<Asked, Failure> {
        let semantics = &mut self.reader.checker.semantics;
        let lowered = semantics.lower_formula(self.reader.asking.question, occurring, &self.states);
        match lowered.map_err(Failure::Error)? {
            Lowered::Linear(properties) => {
                let properties: Vec<_> = properties.into_iter().map(|(property, _)| property).collect();
                let mut facts = properties.iter().flat_map(|property| &property.facts);
                self.are_told &= facts.all(|fact| matches!(fact, Fact::Takes(_) | Fact::Terminated | Fact::Among(_)));
                Ok(Asked::Linear(properties))
            }
            Lowered::Branching(property) => {
                self.are_told = false;
                Ok(Asked::Branching(property))
            }
        }
    }

    fn walk(&mut self) -> impl Walk<Error = Failure> {
        self.reader.walk()
    }

    fn with_processes(&mut self, _: usize) -> Option<Structure> {
        None
    }
}
