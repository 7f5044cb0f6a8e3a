//! Engines that ran, with the time that each took.

use analysis::Attempt;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Run of an engine.
#[derive(Clone, Debug)]
pub struct Tried {
    /// Engine and outcome.
    pub attempt: Attempt,
    /// Duration in seconds.
    pub seconds: f64,
}

/// Engine runs of the current unit of work.
#[derive(Debug, Default)]
pub struct Tries(Mutex<Lists>);

#[derive(Debug, Default)]
struct Lists {
    begun: Vec<(&'static str, Instant)>,
    tried: Vec<Tried>,
}

impl Tries {
    /// Records the start of an engine.
    pub fn begin(&self, way: &'static str) {
        self.change(|Lists { begun, .. }| begun.push((way, Instant::now())));
    }

    /// Records the end of an engine.
    pub fn end(&self, attempt: Attempt) {
        self.change(|Lists { begun, tried }| {
            let place = begun.iter().rposition(|(way, _)| *way == attempt.way);
            let seconds = place.map_or(0.0, |place| begun.remove(place).1.elapsed().as_secs_f64());
            tried.push(Tried { attempt, seconds });
        });
    }

    /// Removes and returns the recorded runs, in the order in which they ended.
    pub fn take(&self) -> Vec<Tried> {
        self.change(|Lists { begun, tried }| {
            begun.clear();
            std::mem::take(tried)
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Lists) -> T) -> T {
        // The list is consistent even after a panic in another thread.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::Outcome;

    #[test]
    fn parallel_engines_are_recorded_separately() {
        let tries = Tries::default();
        tries.begin("search");
        tries.begin("induction");
        tries.end(Attempt::new("search", Outcome::Overtaken, 5));
        tries.end(Attempt::new("induction", Outcome::Decided, 0));
        let names: Vec<&str> = tries.take().iter().map(|tried| tried.attempt.way).collect();
        assert_eq!(names, ["search", "induction"]);
        assert!(tries.take().is_empty());
    }
}
