//! Terms as a transition system that is made on demand, for searches that may end before all of it is known.

use crate::compile::seen;
use crate::{StepError, StepTable, TermId, Terms, Unfold};
use hashbrown::HashMap;
use lts::refine::Implementation;
use lts::{StateId, Transition};

/// What a term reaches, as far as somebody asked.
pub struct Walk<'a> {
    table: &'a mut StepTable,
    terms: &'a mut Terms,
    unfold: &'a mut dyn Unfold,
    states: Vec<TermId>,
    numbers: HashMap<TermId, StateId>,
    /// Where the steps of a state are, once they were asked for.
    ranges: Vec<Option<(usize, usize)>>,
    transitions: Vec<Transition>,
}

impl<'a> Walk<'a> {
    /// A walk that begins at a term.
    pub fn new(table: &'a mut StepTable, terms: &'a mut Terms, unfold: &'a mut dyn Unfold, root: TermId) -> Walk<'a> {
        let numbers = HashMap::from([(root, StateId(0))]);
        Walk { table, terms, unfold, states: vec![root], numbers, ranges: Vec::new(), transitions: Vec::new() }
    }

    /// The term of a state.
    pub fn term(&self, state: StateId) -> TermId {
        self.states[state.index()]
    }
}

impl Implementation for Walk<'_> {
    type Error = (TermId, StepError);

    const EFFORT: usize = 100;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn n_known(&self) -> usize {
        self.states.len()
    }

    fn transitions(&mut self, state: StateId) -> Result<&[Transition], (TermId, StepError)> {
        if self.ranges.len() < self.states.len() {
            self.ranges.resize(self.states.len(), None);
        }
        if self.ranges[state.index()].is_none() {
            let term = self.states[state.index()];
            let steps = self.table.steps(self.terms, self.unfold, term).map_err(|error| (term, error))?;
            let mut found = Vec::with_capacity(steps.len());
            for step in steps {
                let fresh = StateId(self.states.len() as u32);
                let target = *self.numbers.entry(step.target).or_insert(fresh);
                if target == fresh {
                    self.states.push(step.target);
                }
                found.push(Transition { label: seen(step.label), target });
            }
            found.sort_unstable();
            found.dedup();
            self.ranges[state.index()] = Some((self.transitions.len(), self.transitions.len() + found.len()));
            self.transitions.append(&mut found);
        }
        let (start, end) = self.ranges[state.index()].expect("the steps were just made");
        Ok(&self.transitions[start..end])
    }
}
