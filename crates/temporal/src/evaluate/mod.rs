//! Validation of single runs by the definitions, so that no invalid counterexample is reported.
//!
//! [`violates`] is independent of the engines that find runs: it follows the run through the structure, checks its
//! ending and its fairness, computes the facts of its positions and evaluates the formula on them. A run that violates
//! the property with every continuation is extended to a fair run. Where the structure is not known far enough for
//! that, the formula is progressed through the positions until it is unsatisfiable.

mod extend;
mod fair;
mod progress;

pub use fair::{Item, Service, services};

use crate::{Divergence, Ending, Fact, FiniteRuns, Property, Rules, Run, Structure, View, holds_at, is_known_at};
use ltl::logic::{Atom, Formula, Letter, Node, Word};

/// Checks that a run is a fair run of the structure that violates the property; returns the reason otherwise.
pub fn violates(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Result<(), String> {
    follow(structure, run)?;
    check_known(structure, property, rules, run)?;
    if run.ending == Ending::Any {
        return breaks_already(structure, property, rules, run);
    }
    counts(structure, rules, run)?;
    if !fair::is_fair(structure, &property.fairness, rules, run) {
        return Err("the run is not fair".into());
    }
    if word(structure, property, rules, run).satisfies(&property.store, property.formula) {
        return Err("the run satisfies the formula".into());
    }
    Ok(())
}

/// The truth of some formulas of the property's store at each position of a run: on the stem, and once around its loop.
/// A run with any continuation is extended by one; its values are those of the run itself. None if there is no
/// continuation.
pub fn values(
    structure: &Structure,
    property: &Property,
    rules: &Rules,
    run: &Run,
    formulas: &[Formula],
) -> Vec<Vec<bool>> {
    let Some(whole) = continued(structure, property, rules, run) else { return vec![Vec::new(); formulas.len()] };
    let word = word(structure, property, rules, &whole);
    let n = positions(structure, rules, run).len();
    formulas.iter().map(|&formula| word.values(&property.store, formula).into_iter().take(n).collect()).collect()
}

/// The run itself, or a fair extension of it if it has any continuation; none if none is found.
pub fn continued(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Option<Run> {
    match run.ending {
        Ending::Any => extend::extend(structure, property, rules, run),
        _ => Some(run.clone()),
    }
}

/// The ends of the positions of a run: the numbers of its steps that lead to new positions, and the number after its
/// last step if it is finite.
pub fn positions(structure: &Structure, rules: &Rules, run: &Run) -> Vec<usize> {
    let is_visible = |place: &usize| !rules.is_silent(structure.action(&run.steps[*place]));
    let end = match run.ending {
        Ending::Stuck | Ending::Silent(_) => Some(run.steps.len()),
        Ending::Loop(_) | Ending::Any => None,
    };
    (0..run.steps.len()).filter(is_visible).chain(end).collect()
}

/// Checks that each step is one of the state before.
fn follow(structure: &Structure, run: &Run) -> Result<(), String> {
    if run.start != structure.initial() {
        return Err("the run does not begin in the initial state".into());
    }
    let is_step = |place: usize| structure.steps(run.state(place)).contains(&run.steps[place]);
    match (0..run.steps.len()).find(|&place| !is_step(place)) {
        Some(place) => Err(format!("step {place} of the run is not possible")),
        None => Ok(()),
    }
}

/// Checks that all facts of the formula are known at all positions.
fn check_known(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Result<(), String> {
    let facts: Vec<&Fact> = property
        .store
        .below(property.formula)
        .into_iter()
        .filter_map(|part| match property.store.get(part) {
            Node::Literal(atom, _) => Some(&property.facts[atom.0 as usize]),
            _ => None,
        })
        .collect();
    let is_known = |place: usize| facts.iter().all(|fact| is_known_at(fact, structure, run.state(place)));
    match positions(structure, rules, run).into_iter().find(|&place| !is_known(place)) {
        Some(place) => Err(format!("the facts before step {place} of the run are not known")),
        None => Ok(()),
    }
}

/// Checks that the run has the claimed ending, and that the rules admit it.
fn counts(structure: &Structure, rules: &Rules, run: &Run) -> Result<(), String> {
    let n = run.steps.len();
    let closes = |place: usize| place < n && run.state(place) == run.state(n);
    let n_visible =
        |place: usize| run.steps[place..].iter().filter(|step| !rules.is_silent(structure.action(step))).count();
    let ends_count = rules.finite_runs != FiniteRuns::Ignore;
    let silence_ends = rules.view == View::Trace && rules.divergence == Divergence::AsDeadlock;
    let is_fine = match run.ending {
        Ending::Stuck => ends_count && structure.is_stuck(run.state(n)),
        Ending::Loop(place) => closes(place) && n_visible(place) > 0,
        Ending::Silent(place) => ends_count && silence_ends && closes(place) && n_visible(place) == 0,
        Ending::Any => true,
    };
    if is_fine { Ok(()) } else { Err(format!("the run does not count: {:?}", run.ending)) }
}

/// Checks that some fair continuation violates the formula; or that none satisfies it, and one exists.
fn breaks_already(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Result<(), String> {
    if let Some(whole) = extend::extend(structure, property, rules, run) {
        return violates(structure, property, rules, &whole);
    }
    if !rules.count_all_beginnings() || fair::may_be_impossible(&property.fairness) {
        return Err("it is not known whether the run goes on in a way that counts".into());
    }
    let mut store = property.store.clone();
    match progress::progress(&mut store, property.formula, &letters(structure, property, rules, run)) {
        Formula::FALSE => Ok(()),
        _ => Err("the run may satisfy the formula yet".into()),
    }
}

/// The facts at the positions of a run.
fn letters(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Vec<Letter> {
    let ends_silently = matches!(run.ending, Ending::Silent(_));
    let letter = |place: usize| -> Letter {
        let (state, step) = (run.state(place), run.steps.get(place));
        // A divergence is a deadlock, where it counts as an end.
        let is_stuck = step.is_none() && ends_silently;
        let is_true = |fact: &Fact| is_stuck && *fact == Fact::Stuck || holds_at(fact, structure, state, step);
        (0..).map(Atom).zip(&property.facts).filter(|(_, fact)| is_true(fact)).map(|(atom, _)| atom).collect()
    };
    positions(structure, rules, run).into_iter().map(letter).collect()
}

/// The facts at the positions of a run with a definite ending.
fn word(structure: &Structure, property: &Property, rules: &Rules, run: &Run) -> Word {
    let mut prefix = letters(structure, property, rules, run);
    let cycle = match run.ending {
        Ending::Loop(place) => {
            let n_before = positions(structure, rules, run).partition_point(|&position| position < place);
            prefix.split_off(n_before)
        }
        Ending::Stuck | Ending::Silent(_) if rules.finite_runs == FiniteRuns::Stutter => {
            prefix.split_off(prefix.len() - 1)
        }
        _ => Vec::new(),
    };
    Word { prefix, cycle }
}
