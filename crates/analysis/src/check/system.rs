//! Systems made of terms.

use super::checker::{Checker, Failed};
use lts::{Builder, Lts, StateId};
use process::compile::seen;
use process::{Stop, TermId};
use std::ops::ControlFlow;

impl Checker<'_> {
    /// All that a term can reach, with the term of each state.
    pub(super) fn explicit(&mut self, term: TermId) -> Result<(Lts, Vec<TermId>), Failed> {
        let control = self.options.control.clone();
        let mut keep_on = |_: &process::Lts| {
            if control.stop().is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let max_states = usize::try_from(self.options.max_states).unwrap_or(usize::MAX);
        let explored =
            process::explore(&mut self.table, &mut self.terms, &mut self.evaluator, term, max_states, &mut keep_on);
        let explored = explored.map_err(|unfinished| match unfinished.reason {
            Stop::StateLimit => Failed::Unknown("max-states", format!("more than {max_states} states")),
            Stop::Canceled => {
                Failed::Stopped(self.options.control.stop().unwrap_or(cspm::evaluate::Interrupt::Request))
            }
            Stop::Error(_, error) => {
                Failed::from(Box::new(error.diagnose(&mut self.evaluator, source::Span::default())))
            }
        })?;
        let mut builder = Builder::new();
        for state in 0..explored.n_states() {
            builder.add_state(StateId(state as u32));
            for edge in explored.edges(state) {
                builder.add(StateId(state as u32), seen(edge.label), StateId(edge.target));
            }
        }
        Ok((builder.finish(StateId(0)), explored.states))
    }
}
