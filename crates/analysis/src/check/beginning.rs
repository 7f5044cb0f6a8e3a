//! Bounded exploration of a process: the states nearest to its initial state.

use super::checker::Checker;
use super::failed::Failed;
use crate::TransitionSystem;
use frontend::{State, Step};
use limits::display::names::LONGEST_NAME;
use lts::{Builder, Lts, StateId};
use source::{Diagnostic, Span};
use std::collections::HashMap;

/// A partly explored transition system.
#[derive(Clone, Debug)]
pub struct Beginning {
    /// Explored states, and their direct successors.
    pub system: TransitionSystem,
    /// States that were not expanded.
    pub frontier: Vec<StateId>,
}

impl Checker<'_> {
    /// About `most` states of the session's process, breadth first from its initial state. The rest of the process is
    /// never built, however large it is.
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

    /// The states, the number of expanded ones, and their names.
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
