//! Which engine decides, and on how much of a system.

use crate::support;

use explore::Limits;
use lts::refine::Implementation;
use lts::{Label, StateId, Transition};
use progress::Nobody;
use support::networks::LIMITS;
use support::toy::Toy;
use temporal::decide::{
    Asked, Decision, Engine, FoundRun, Notion, Occurring, Outcome, Reduced, Setting, Silence, Source, Subject,
    Thoroughness, Undecided, Walk, decide, weakest_fairness,
};
use temporal::reduction::{Kind, Refusal};
use temporal::{Action, Divergence, FiniteRuns, Rules, Structure, Termination, View};

const RULES: Rules = Rules {
    view: View::Trace,
    finite_runs: FiniteRuns::Maximal,
    divergence: Divergence::Report,
    termination: Termination::AsDeadlock,
};

const SETTING: Setting<'static> =
    Setting { rules: &RULES, finder: None, reduction: None, tries_orders: false, limits: LIMITS, progress: &Nobody };

/// A chain of states that is walked: each but the last leads to the next, and all do what the toy does besides.
struct Chain<'t> {
    toy: &'t Toy,
    formula: &'t str,
    n_states: u32,
    n_met: usize,
    steps: Vec<Transition>,
}

impl<'t> Chain<'t> {
    fn new(toy: &'t Toy, n_states: u32, formula: &'t str) -> Chain<'t> {
        Chain { toy, formula, n_states, n_met: 1, steps: Vec::new() }
    }

    fn label(&self, name: &str) -> Label {
        self.toy.label(name).expect("it is a label of the toy")
    }
}

impl Implementation for &mut Chain<'_> {
    type Error = ();

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn n_known(&self) -> usize {
        self.n_met
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], ()> {
        self.steps.clear();
        let is_last = state.0 + 1 == self.n_states;
        let (label, target) = if is_last { ("b", state) } else { ("a", StateId(state.0 + 1)) };
        let label = self.label(label);
        self.steps.push(Transition { label, target });
        self.n_met = self.n_met.max(target.index() + 1);
        Ok(&self.steps)
    }
}

impl Walk for &mut Chain<'_> {
    fn actions(&self) -> Option<Vec<Action>> {
        None
    }
}

impl Source for Chain<'_> {
    type Error = ();

    fn asked(&mut self, _: &Occurring) -> Result<Asked, ()> {
        Ok(match self.formula.strip_prefix("CTL ") {
            Some(formula) => Asked::Branching(self.toy.branching(formula)),
            None => Asked::Linear(vec![self.toy.property(self.formula)]),
        })
    }

    fn walk(&mut self) -> impl Walk<Error = ()> {
        self
    }

    fn with_processes(&mut self, _: usize) -> Option<Structure> {
        panic!("who takes a step does not matter")
    }
}

fn toy() -> Toy {
    Toy::new("0 a 1, 1 b 0")
}

fn decided(chain: &mut Chain<'_>, setting: &Setting<'_>) -> Decision {
    let mut subject = Subject::of_walk(chain, setting).expect("it can be walked");
    let decision = decide(&mut subject, chain, setting, Thoroughness::Full).expect("it is decided");
    decision.expect("it goes on until there is an answer")
}

#[test]
fn a_walk_goes_as_far_as_is_needed() {
    let toy = toy();
    let mut chain = Chain::new(&toy, 30_000, "G not [b]");
    let mut subject = Subject::of_walk(&mut chain, &SETTING).expect("it can be walked");
    assert!(subject.size().0 < 6_000);
    let near = decide(&mut subject, &mut chain, &SETTING, Thoroughness::Once).expect("nothing goes wrong");
    assert!(near.is_none());
    let far = decide(&mut subject, &mut chain, &SETTING, Thoroughness::Full).expect("it is decided").expect("at last");
    let Outcome::Broken(broken) = far.outcome else { panic!("{far:?}") };
    assert!(matches!(broken.run, FoundRun::Walk(_)), "{:?}", broken.run);
    assert_eq!((broken.property, broken.sealed, far.engine), (0, Some(30_000), Engine::Automaton));
}

#[test]
fn a_walk_ends_where_it_must() {
    let toy = toy();
    let mut chain = Chain::new(&toy, u32::MAX, "G not [b]");
    let setting = Setting { limits: Limits { max_states: 12_000, ..LIMITS }, ..SETTING };
    let mut subject = Subject::of_walk(&mut chain, &setting).expect("it can be walked");
    let undecided = decide(&mut subject, &mut chain, &setting, Thoroughness::Full).map(|_| ());
    assert!(matches!(undecided, Err(Undecided::TooFew { n_known: 12_000, n_open: 1 })), "{undecided:?}");
    assert!(subject.is_limited(&setting));
}

#[test]
fn silence_is_read_off_what_is_known() {
    let toy = toy();
    let decision = decided(&mut Chain::new(&toy, 10, "F [b]"), &SETTING);
    assert!(matches!(decision.outcome, Outcome::Holds), "{decision:?}");
    assert_eq!(decision.silence, Silence::Never);
    // Too far away to say.
    let decision = decided(&mut Chain::new(&toy, u32::MAX, "[a]"), &SETTING);
    assert_eq!(decision.silence, Silence::Unknown);
}

#[test]
fn the_weakest_fairness_needs_no_processes() {
    let toy = Toy::new("0 a 0, 0 b 0");
    let mut chain = Chain::new(&toy, 2, "F [b]");
    let setting = SETTING;
    let mut subject = Subject::Walk(toy.structure.clone());
    let decision = decide(&mut subject, &mut chain, &setting, Thoroughness::Once).expect("it is decided").expect("now");
    assert!(matches!(decision.outcome, Outcome::Broken(_)), "{decision:?}");
    assert_eq!(weakest_fairness(&subject, &mut chain, &decision, &setting), Some(Notion::EventWeak));
}

#[test]
fn fairness_saves_nothing_that_is_broken_already() {
    let toy = toy();
    let mut chain = Chain::new(&toy, 2, "G not [a]");
    let mut subject = Subject::of_walk(&mut chain, &SETTING).expect("it can be walked");
    let decision = decide(&mut subject, &mut chain, &SETTING, Thoroughness::Full).expect("it is decided").expect("now");
    assert!(matches!(decision.outcome, Outcome::Broken(_)), "{decision:?}");
    assert_eq!(weakest_fairness(&subject, &mut chain, &decision, &SETTING), None);
}

#[test]
fn each_question_has_its_engine() {
    let toy = toy();
    let engine = |formula| decided(&mut Chain::new(&toy, 10, formula), &SETTING).engine;
    assert_eq!(engine("F [b]"), Engine::Automaton);
    assert_eq!(engine("F (O ([b] and F [b]))"), Engine::Tableau);
    assert_eq!(engine("CTL EF e(b)"), Engine::Labeling);
}

#[test]
fn what_cannot_be_reduced_is_decided_as_it_is() {
    let toy = toy();
    let setting = Setting { reduction: Some(Kind::Symmetry), ..SETTING };
    for (formula, why) in [("F [b]", Refusal::NoNetwork), ("CTL EF e(b)", Refusal::Branching)] {
        let decision = decided(&mut Chain::new(&toy, 20_000, formula), &setting);
        assert!(matches!(decision.outcome, Outcome::Holds), "{decision:?}");
        assert_eq!((decision.reduction, &decision.reduced[..]), (None, &[Reduced::Refused(why)][..]));
    }
}
