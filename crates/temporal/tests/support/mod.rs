//! Random systems, properties and rules, and the enumeration of all short runs of a system.
#![allow(dead_code, unused_imports)] // Each test program uses its own share.

pub mod cases;
#[path = "../../../ltl/tests/support/mod.rs"]
mod formulas;
pub mod networks;
pub mod toy;

use fixedbitset::FixedBitSet;
use ltl::logic::{self, Formula, Store};
use lts::{Builder, Label, StateId};
use model::network::ProcessId;
use model::participants::Marks;
use progress::NoProgress;
use std::ops::ControlFlow;
use temporal::{
    Action, Condition, Divergence, Ending, Fact, Fairness, FiniteRuns, Labels, Property, Rules, Run, Strength,
    Structure, Termination, Verdict, View, atoms, evaluate,
};
pub use test_support::mutate::{Random, seed};

pub const A: Label = Label(2);
pub const B: Label = Label(3);
pub const C: Label = Label(4);

/// A question: whether a property holds in a structure under rules.
#[derive(Debug)]
pub struct Question {
    pub structure: Structure,
    pub property: Property,
    pub rules: Rules,
}

/// The verdict of the tableau engine.
pub fn by_atoms(question: &Question) -> Verdict<Run> {
    let Question { structure, property, rules } = question;
    atoms::decide(structure, property, rules, &NoProgress)
}

pub fn is_violated_by(question: &Question, run: &Run) -> Result<(), String> {
    evaluate::violates(&question.structure, &question.property, &question.rules, run)
}

/// A system of up to `max_states` states with silent steps, termination and participants, and up to `max_open` open
/// states.
pub fn random_structure(random: &mut Random, max_states: usize, max_open: usize) -> Structure {
    let n_states = 2 + random.below(max_states - 1);
    let labels = [Label::TAU, Label::TAU, A, A, A, B, B, B, C, Label::TICK];
    let mut actions: Vec<Action> = Vec::new();
    let mut open = FixedBitSet::with_capacity(n_states + 1);
    for _ in 0..random.below(max_open + 1) {
        open.insert(random.below(n_states));
    }
    let mut builder = Builder::new();
    builder.add_state(StateId(n_states as u32 - 1));
    for _ in 0..random.below(2 * n_states + 1) {
        let (source, target) = (random.below(n_states), random.below(n_states));
        let parts = (0..2).map(ProcessId).filter(|_| random.below(2) == 0).collect();
        let marks = Marks { weak: random.below(3) == 0, strong: random.below(3) == 0 };
        let action = Action { label: *random.pick(&labels), parts, marks, takes_time: random.below(2) == 0 };
        let number = actions.iter().position(|other| *other == action).unwrap_or(actions.len());
        if number == actions.len() {
            actions.push(action);
        }
        if !open.contains(source) {
            builder.add(StateId(source as u32), Label(number as u32), StateId(target as u32));
        }
    }
    Structure::new(&builder.finish(StateId(0)), actions, open)
}

/// A completion of a system: open states get steps to known and new states.
pub fn completed(random: &mut Random, structure: &Structure) -> Structure {
    // The final state has the largest number, so there are new states only if there was none.
    let n_states = structure.terminated().map_or_else(|| structure.n_states() + random.below(3), StateId::index);
    let mut actions = structure.actions().to_vec();
    actions.extend([Label::TAU, A, B, C, Label::TICK].map(Action::of));
    let mut builder = Builder::new();
    builder.add_state(StateId(n_states as u32 - 1));
    for state in (0..n_states as u32).map(StateId) {
        if state.index() < structure.n_states() && !structure.is_open(state) {
            // Terminating steps are redirected to the final state.
            let target = |target| if structure.terminated() == Some(target) { state } else { target };
            structure.steps(state).iter().for_each(|step| builder.add(state, step.label, target(step.target)));
            continue;
        }
        for _ in 0..random.below(4) {
            let label = Label(random.below(actions.len()) as u32);
            builder.add(state, label, StateId(random.below(n_states) as u32));
        }
    }
    Structure::new(&builder.finish(structure.initial()), actions, FixedBitSet::new())
}

/// A formula with about `size` operators.
pub fn random_formula(store: &mut Store, random: &mut Random, n_atoms: usize, size: usize) -> Formula {
    formulas::random_formula(store, random, &formulas::ALL, n_atoms, size)
}

/// A formula without past operators.
pub fn random_future_formula(store: &mut Store, random: &mut Random, n_atoms: usize, size: usize) -> Formula {
    formulas::random_formula(store, random, &formulas::FUTURE, n_atoms, size)
}

/// Facts that are available in a view.
pub fn random_facts(random: &mut Random, view: View) -> Vec<Fact> {
    let some = |labels: &[Label]| labels.iter().copied().collect::<Labels>();
    let steps = [Fact::Takes(some(&[A])), Fact::Takes(some(&[B, C])), Fact::Takes(some(&[Label::TICK, A]))];
    let ends = [Fact::Stuck, Fact::Terminated];
    let states = [
        Fact::Enables(some(&[A])),
        Fact::EnablesSilently(some(&[B])),
        Fact::Sink,
        Fact::Branches,
        Fact::Initial,
        Fact::Takes(some(&[Label::TAU])),
        Fact::Among((0..6).filter(|_| random.below(2) == 0).collect()),
    ];
    let n_facts = 1 + random.below(3);
    let pick = |random: &mut Random| match (random.below(6), view) {
        (0, _) => random.pick(&ends).clone(),
        (1 | 2, View::Step) => random.pick(&states).clone(),
        _ => random.pick(&steps).clone(),
    };
    (0..n_facts).map(|_| pick(random)).collect()
}

pub fn random_condition(random: &mut Random) -> Condition {
    // Only sets of labels are demanded unconditionally: the labels and machines are not always known.
    let each = *random.pick(&[Strength::Weak, Strength::Strong]);
    let strength = if random.below(5) == 0 { Strength::Unconditional } else { each };
    let labels = random.pick(&[vec![A], vec![B], vec![A, C], vec![Label::TICK, B]]).iter().copied().collect();
    match random.below(9) {
        0 => Condition::EachLabel(each),
        1 => Condition::EachProcess(each),
        2 => Condition::EachStep,
        3 => Condition::EachMark,
        4 => Condition::TimePasses,
        _ => Condition::Labels(strength, labels),
    }
}

/// Fairness with one or two alternatives of up to three conditions each.
pub fn random_fairness(random: &mut Random) -> Fairness {
    let conditions = |random: &mut Random| (0..1 + random.below(3)).map(|_| random_condition(random)).collect();
    Fairness { alternatives: (0..1 + random.below(4) / 3).map(|_| conditions(random)).collect() }
}

pub fn random_rules(random: &mut Random, view: View) -> Rules {
    Rules {
        view,
        finite_runs: *random.pick(&[FiniteRuns::Maximal, FiniteRuns::Maximal, FiniteRuns::Stutter, FiniteRuns::Ignore]),
        divergence: *random.pick(&[Divergence::Report, Divergence::AsDeadlock]),
        termination: *random.pick(&[Termination::AsDeadlock, Termination::Event]),
    }
}

/// The kind of random questions.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    pub view: View,
    pub max_states: usize,
    pub max_open: usize,
    pub max_size: usize,
    pub is_fair: bool,
}

pub fn random_question(random: &mut Random, kind: Kind) -> Question {
    let structure = random_structure(random, kind.max_states, kind.max_open);
    let facts = random_facts(random, kind.view);
    let mut store = Store::default();
    let size = random.below(kind.max_size + 1);
    let formula = random_formula(&mut store, random, facts.len(), size);
    let fairness = if kind.is_fair { random_fairness(random) } else { Fairness::default() };
    let rules = random_rules(random, kind.view);
    Question { structure, property: Property { store, formula, facts, fairness }, rules }
}

/// Visits all runs of up to `n_steps` steps that end, in any way, or loop.
pub fn for_each_run(structure: &Structure, n_steps: usize, visit: &mut dyn FnMut(&Run) -> ControlFlow<()>) {
    let mut run = Run { start: structure.initial(), steps: Vec::new(), ending: Ending::Stuck };
    let _ = continue_run(structure, n_steps, &mut run, visit);
}

fn continue_run(
    structure: &Structure,
    n_steps: usize,
    run: &mut Run,
    visit: &mut dyn FnMut(&Run) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let (place, state) = (run.steps.len(), run.state(run.steps.len()));
    if structure.is_stuck(state) {
        run.ending = Ending::Stuck;
        visit(run)?;
    }
    for begin in (0..place).filter(|&begin| run.state(begin) == state).collect::<Vec<_>>() {
        for ending in [Ending::Loop(begin), Ending::Silent(begin)] {
            run.ending = ending;
            visit(run)?;
        }
    }
    if place < n_steps {
        for step in structure.steps(state) {
            run.steps.push(*step);
            continue_run(structure, n_steps, run, visit)?;
            run.steps.pop();
        }
    }
    ControlFlow::Continue(())
}

/// A counterexample of up to `n_steps` steps.
pub fn short_counterexample(question: &Question, n_steps: usize) -> Option<Run> {
    let mut found = None;
    for_each_run(&question.structure, n_steps, &mut |run| {
        if is_violated_by(question, run).is_err() {
            return ControlFlow::Continue(());
        }
        found = Some(run.clone());
        ControlFlow::Break(())
    });
    found
}
