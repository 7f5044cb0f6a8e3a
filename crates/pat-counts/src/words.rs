//! Truth values of the atoms of a formula.

use super::{NotCounted, Walk};
use frontend::formula::{Lowered, Occurring, Question};
use frontend::{Failure, State};
use hashbrown::HashMap;
use ltl::logic::Formula;
use ltl::syntax::{Atom, EventPattern, Form};
use lts::Label;
use temporal::Fact;

/// Subject of an atom.
enum About {
    Constant(bool),
    /// Condition on the variables of a state.
    State(u32),
    /// Event of the step that led to a state.
    Event,
}

/// Atoms of a formula, each once.
pub(super) struct Words {
    pub(super) names: Vec<String>,
    patterns: Vec<EventPattern>,
    questions: Vec<Question>,
    about: Vec<About>,
    /// Atoms that are true in a state, and after a step, as bits.
    in_states: HashMap<State, u64>,
    after: HashMap<Label, u64>,
}

impl Words {
    /// Atoms of a formula, which must all be names.
    pub(super) fn new(walk: &mut Walk<'_>, question: &Question) -> Result<Words, NotCounted> {
        let mut words = Words {
            names: Vec::new(),
            patterns: Vec::new(),
            questions: Vec::new(),
            about: Vec::new(),
            in_states: HashMap::new(),
            after: HashMap::new(),
        };
        for (pattern, alone) in question.names() {
            if words.patterns.contains(&pattern) {
                continue;
            }
            let about = about(walk, &alone)?.ok_or(NotCounted::NoRule)?;
            words.names.push(pattern.to_string().trim_matches('"').to_owned());
            words.patterns.push(pattern);
            words.questions.push(alone);
            words.about.push(about);
        }
        let is_name = |form: &Form| !matches!(form, Form::Atom(atom) if !matches!(atom, Atom::Bare(_)));
        let are_names = question.formula.nodes.iter().all(|node| is_name(&node.form));
        let is_small = words.names.len() <= u64::BITS as usize;
        (are_names && is_small).then_some(words).ok_or(NotCounted::NoRule)
    }

    /// Number of an atom of the formula.
    pub(super) fn number(&self, atom: &Atom) -> Option<u32> {
        let Atom::Bare(pattern) = atom else { return None };
        self.patterns.iter().position(|known| known == pattern).map(|number| number as u32)
    }

    /// Atoms that are true in a state after a step, or in the initial state.
    pub(super) fn truth(&mut self, walk: &mut Walk<'_>, after: Option<Label>, state: State) -> Result<u64, NotCounted> {
        let in_state = match self.in_states.get(&state) {
            Some(&known) => known,
            None => {
                let truth = self.in_state(walk, state)?;
                self.in_states.insert(state, truth);
                truth
            }
        };
        let Some(label) = after else { return Ok(in_state) };
        let after = match self.after.get(&label) {
            Some(&known) => known,
            None => {
                let truth = self.after_step(walk, label)?;
                self.after.insert(label, truth);
                truth
            }
        };
        Ok(in_state | after)
    }

    fn in_state(&self, walk: &mut Walk<'_>, state: State) -> Result<u64, NotCounted> {
        let mut truth = 0;
        for (number, about) in self.about.iter().enumerate() {
            let is_true = match *about {
                About::Constant(is_true) => is_true,
                About::State(condition) => walk.semantics.is_true_in(state, condition)?,
                About::Event => false,
            };
            truth |= u64::from(is_true) << number;
        }
        Ok(truth)
    }

    fn after_step(&self, walk: &mut Walk<'_>, label: Label) -> Result<u64, NotCounted> {
        let mut truth = 0;
        for (number, about) in self.about.iter().enumerate() {
            if let About::Event = about {
                let facts = facts(walk, &self.questions[number], vec![label])?;
                let is_meant = |fact: &Fact| matches!(fact, Fact::Takes(labels) if labels.contains(label));
                truth |= u64::from(facts.is_some_and(|(_, facts)| facts.iter().any(is_meant))) << number;
            }
        }
        Ok(truth)
    }
}

fn about(walk: &mut Walk<'_>, alone: &Question) -> Result<Option<About>, NotCounted> {
    let facts = facts(walk, alone, Vec::new())?;
    Ok(facts.and_then(|(formula, facts)| match facts.as_slice() {
        [] => Some(About::Constant(formula == Formula::TRUE)),
        [Fact::Holds(condition)] => Some(About::State(*condition)),
        [Fact::Takes(_)] => Some(About::Event),
        _ => None,
    }))
}

/// Facts about a name in a system with at least these labels.
fn facts(
    walk: &mut Walk<'_>,
    alone: &Question,
    labels: Vec<Label>,
) -> Result<Option<(Formula, Vec<Fact>)>, NotCounted> {
    let occurring = Occurring { labels, are_all: false };
    let lowered = walk.semantics.lower_formula(alone, &occurring, &[]).map_err(Failure::Error)?;
    Ok(match lowered {
        Lowered::Linear(properties) => {
            properties.into_iter().next().map(|(property, _)| (property.formula, property.facts))
        }
        Lowered::Branching(_) => None,
    })
}
