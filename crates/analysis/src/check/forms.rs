//! The forms in which a process is decided: networks, compiled with more or less effort, and states explored on the
//! fly.
//!
//! Which of them are tried, in which order and how far, is the table of forms in [`decide::forms`]. Every kind of
//! property says here how it is decided in each form, and nothing else.

use super::checker::Checker;
use super::decided::Decided;
use super::failed::Failed;
use decide::{Compiled, Form, FormFeatures, FormRow, Method};
use frontend::{Effort, Fidelity, Lowered, State};
use limits::effort::forms::MANY_UNITS;
use progress::Stop;

/// The answer in one form; None if that form does not tell.
pub(super) type InForm = Result<Option<Decided>, Failed>;

/// A property of a process that can be decided in several forms.
pub(super) trait Decidable {
    /// The process.
    fn process(&self) -> State;

    /// Behavior that its network has to preserve.
    fn fidelity(&self) -> Fidelity;

    /// Decides it on the timed network of the process.
    fn in_timed_network(&mut self, _checker: &mut Checker<'_>) -> InForm {
        Ok(None)
    }

    /// Decides it by zones over the locations of the process.
    fn by_zones(&mut self, checker: &mut Checker<'_>) -> InForm {
        checker.not_by_zones()
    }

    /// Decides it on the network of the process, with at most so many states.
    fn on_network(&mut self, checker: &mut Checker<'_>, lowered: &Lowered, max_states: u64) -> InForm;

    /// Decides it on a network that is compiled while it is searched.
    fn on_lazy_network(&mut self, _checker: &mut Checker<'_>) -> InForm {
        Ok(None)
    }

    /// Decides it by exploring at most so many states on the fly.
    fn on_the_fly(&mut self, checker: &mut Checker<'_>, max_states: u64) -> InForm;

    /// Whether the limits of the user allow so few states that more effort is not worth it.
    fn is_limited(&self) -> bool {
        false
    }
}

impl Checker<'_> {
    /// Decides a property in the forms that apply, in the order of the schedule.
    pub(super) fn decide_by_forms(&mut self, property: &mut dyn Decidable) -> Result<Decided, Failed> {
        let mut compiled = Compiled::Fully;
        for row in decide::forms(&self.form_features()) {
            if row.after > compiled {
                continue;
            }
            match self.decide_in_form(property, &row, &mut compiled) {
                Ok(Some(decided)) => return Ok(decided),
                Ok(None) => {}
                // The budget of this form is exhausted: the next one may decide.
                Err(Failed::Stopped(Stop::Budget)) => {}
                Err(failed) => return Err(failed),
            }
        }
        // The last form of untimed processes is always conclusive.
        self.not_by_zones()?.ok_or_else(|| Failed::unsupported("the process has no form in which that is decided"))
    }

    /// Features of the process that select its forms.
    fn form_features(&mut self) -> FormFeatures {
        FormFeatures {
            is_timed: self.uses_timed_networks(),
            prefers_zones: self.uses_zones(),
            is_accompanied: self.is_accompanied,
        }
    }

    /// Whether zones are explored; other forms count time in whole units.
    pub(super) fn uses_zones(&mut self) -> bool {
        match self.options.method {
            Method::Zones => true,
            Method::Auto => self.semantics.largest_time().is_some_and(|most| most > MANY_UNITS),
            _ => false,
        }
    }

    /// Decides a property in one form, and records how far the process was compiled.
    fn decide_in_form(&mut self, property: &mut dyn Decidable, row: &FormRow, compiled: &mut Compiled) -> InForm {
        match row.form {
            Form::TimedNetwork => property.in_timed_network(self),
            Form::Zones => property.by_zones(self),
            Form::Network => {
                let Some(lowered) = self.network(property.process(), property.fidelity(), Effort::Little)? else {
                    *compiled = Compiled::Not;
                    return Ok(None);
                };
                if !lowered.has_given_up {
                    return property.on_network(self, &lowered, u64::MAX);
                }
                *compiled = Compiled::WithoutCompressions;
                property.on_network(self, &lowered, row.max_states)
            }
            Form::LazyNetwork if property.is_limited() => Ok(None),
            Form::LazyNetwork => property.on_lazy_network(self),
            Form::WholeNetwork if property.is_limited() => Ok(None),
            Form::WholeNetwork => match self.network(property.process(), property.fidelity(), Effort::Full)? {
                Some(lowered) => property.on_network(self, &lowered, u64::MAX),
                None => Ok(None),
            },
            Form::OnTheFly => property.on_the_fly(self, row.max_states),
        }
    }
}
