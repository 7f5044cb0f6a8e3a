//! The beginning of a process: the states near its start, and nothing of the rest.

use super::checker::Checker;
use super::failed::Failed;
use crate::TransitionSystem;
use frontend::{State, Step};
use limits::display::names::LONGEST_NAME;
use lts::{Builder, Lts, StateId};
use source::{Diagnostic, Span};
use std::collections::HashMap;

/// A part of a transition system.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// What was looked at, and what is one step behind it.
    pub system: TransitionSystem,
    /// States whose steps were not looked at.
    pub frontier: Vec<StateId>,
}

impl Checker<'_> {
    /// The states of the process that the session was opened with that are nearest to its start, about so many of them. Nothing else is
    /// made, however large the process is.
    ///
    /// # Errors
    /// When the process cannot be evaluated.
    pub fn beginning(&mut self, most: usize) -> Result<Beginning, Box<Diagnostic>> {
        let span = self.session.script.prints().last().map_or(Span::default(), |print| print.span);
        let (lts, n_looked_at, names) = self.walk_near(most).map_err(|failed| self.diagnose(failed, span))?;
        let (system, order) = TransitionSystem::with_order(&lts, Some(&names), self.semantics.events());
        let is_open = |(_, state): &(usize, &StateId)| state.index() >= n_looked_at;
        let frontier = order.iter().enumerate().filter(is_open).map(|(place, _)| StateId(place as u32)).collect();
        Ok(Beginning { system, frontier })
    }

    /// The states, how many of them were looked at, and what they are.
    fn walk_near(&mut self, most: usize) -> Result<(Lts, usize, Vec<String>), Failed> {
        let start = self.semantics.added_process()?;
        let mut numbers: HashMap<State, u32> = HashMap::from([(start, 0)]);
        let mut met = vec![start];
        let mut builder = Builder::new();
        let (mut n_looked_at, mut steps): (usize, Vec<Step>) = (0, Vec::new());
        while n_looked_at < met.len() && met.len() < most {
            let source = StateId(n_looked_at as u32);
            steps.clear();
            self.semantics.steps(met[n_looked_at], &mut steps)?;
            builder.add_state(source);
            for step in &steps {
                let target = *numbers.entry(step.target).or_insert_with(|| {
                    met.push(step.target);
                    met.len() as u32 - 1
                });
                builder.add(source, step.label, StateId(target));
            }
            n_looked_at += 1;
        }
        for number in n_looked_at..met.len() {
            builder.add_state(StateId(number as u32));
        }
        let names = met.iter().map(|&state| self.semantics.text(state, LONGEST_NAME)).collect();
        Ok((builder.finish(StateId(0)), n_looked_at, names))
    }
}
