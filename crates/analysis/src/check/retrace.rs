//! Finding a run again from what is seen of it.
//!
//! A state of a compressed component stands for many, so a counterexample of a compressed system is a run of none of its
//! terms. But one of them has the same trace and ends as badly: it is searched for here, breadth first along the trace,
//! among the steps of the terms as they are without compression.

use super::checker::Checker;
use check::Fault;
use lts::Label;
use process::{Run, StepError, TermId};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// How many terms are looked at, along the trace and in search of loops.
const MAX_TERMS: usize = 3_000;

/// A term after so much of the trace.
type Place = (TermId, usize);

/// How a place was come to: from which, by which of its steps.
type Parents = HashMap<Place, Option<(Place, usize)>>;

impl Checker<'_> {
    /// A run of a term with these visible labels that ends as a fault says, and the labels of its steps.
    pub(super) fn retrace(
        &mut self,
        term: TermId,
        trace: &[Label],
        fault: &Fault,
    ) -> Result<Option<(Run, Vec<Label>)>, StepError> {
        let mut parents: Parents = HashMap::from([((term, 0), None)]);
        let mut order = vec![(term, 0)];
        let mut next = 0;
        self.n_retraced = 0;
        while let Some(&place) = order.get(next) {
            next += 1;
            let steps = self.labeled_steps(place.0)?;
            if place.1 == trace.len() && self.ends_badly(place.0, &steps, fault)? {
                return Ok(Some(self.run_to(term, &parents, place, fault)?));
            }
            for (index, &(label, target)) in steps.iter().enumerate() {
                let position = match label {
                    Label::TAU => place.1,
                    _ if trace.get(place.1) == Some(&label) => place.1 + 1,
                    _ => continue,
                };
                let found = (target, position);
                if let Entry::Vacant(entry) = parents.entry(found) {
                    entry.insert(Some((place, index)));
                    order.push(found);
                }
            }
            if self.is_enough() {
                return Ok(None);
            }
        }
        Ok(None)
    }

    /// Asked for each term, as the steps of large ones take long.
    fn is_enough(&mut self) -> bool {
        self.n_retraced += 1;
        self.n_retraced > MAX_TERMS || self.options.control.stop().is_some()
    }

    fn labeled_steps(&mut self, term: TermId) -> Result<Vec<(Label, TermId)>, StepError> {
        let Checker { table, terms, evaluator, .. } = self;
        let steps = table.steps(terms, evaluator, term)?;
        Ok(steps.iter().map(|step| (process::compile::seen(step.label), step.target)).collect())
    }

    fn ends_badly(&mut self, term: TermId, steps: &[(Label, TermId)], fault: &Fault) -> Result<bool, StepError> {
        let is_stable = steps.iter().all(|(label, _)| *label != Label::TAU);
        let offers_only = |allowed: &[Label]| is_stable && steps.iter().all(|(label, _)| allowed.contains(label));
        Ok(match fault {
            // The last event of the trace is the one that is not allowed.
            Fault::Event(_) | Fault::Missing { .. } => true,
            Fault::Failure(_) => false,
            Fault::Refusal { accepted, .. } => offers_only(accepted),
            Fault::Deadlock => steps.is_empty(),
            Fault::Divergence(_) => self.silent_loop(term)?.is_some(),
            Fault::Nondeterminism(event, _) => is_stable && steps.iter().all(|(label, _)| label != event),
        })
    }

    /// Silent steps from a term that lead back to it.
    fn silent_loop(&mut self, start: TermId) -> Result<Option<Vec<(usize, TermId)>>, StepError> {
        let mut parents: HashMap<TermId, (TermId, usize)> = HashMap::new();
        let mut order = vec![start];
        let mut next = 0;
        while let Some(&term) = order.get(next).filter(|_| order.len() < MAX_TERMS / 20) {
            next += 1;
            if self.is_enough() {
                return Ok(None);
            }
            for (index, (label, target)) in self.labeled_steps(term)?.into_iter().enumerate() {
                if label != Label::TAU {
                    continue;
                }
                if target == start {
                    let mut steps = vec![(index, target)];
                    let mut at = term;
                    while at != start {
                        let (parent, index) = parents[&at];
                        steps.push((index, at));
                        at = parent;
                    }
                    steps.reverse();
                    return Ok(Some(steps));
                }
                if let Entry::Vacant(entry) = parents.entry(target) {
                    entry.insert((term, index));
                    order.push(target);
                }
            }
        }
        Ok(None)
    }

    fn run_to(
        &mut self,
        start: TermId,
        parents: &Parents,
        end: Place,
        fault: &Fault,
    ) -> Result<(Run, Vec<Label>), StepError> {
        let mut steps = Vec::new();
        let mut at = end;
        while let Some((parent, index)) = parents[&at] {
            steps.push((index, at.0));
            at = parent;
        }
        steps.reverse();
        if let Fault::Divergence(_) = fault {
            steps.extend(self.silent_loop(end.0)?.unwrap_or_default());
        }
        let run = Run { start, steps };
        let mut labels = Vec::with_capacity(run.steps.len());
        for place in 0..run.steps.len() {
            labels.push(self.labeled_steps(run.term(place))?[run.steps[place].0].0);
        }
        Ok((run, labels))
    }
}
