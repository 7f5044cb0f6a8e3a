//! Ways that were tried, with the time that each took.

use analysis::Attempt;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// One way that was tried, and how long.
#[derive(Clone, Debug)]
pub struct Tried {
    /// What came of it.
    pub attempt: Attempt,
    /// How long it took.
    pub seconds: f64,
}

/// What was tried for the piece of work at hand.
#[derive(Debug, Default)]
pub struct Tries(Mutex<Lists>);

#[derive(Debug, Default)]
struct Lists {
    begun: Vec<(&'static str, Instant)>,
    tried: Vec<Tried>,
}

impl Tries {
    /// A way is tried from now on.
    pub fn begin(&self, way: &'static str) {
        self.change(|Lists { begun, .. }| begun.push((way, Instant::now())));
    }

    /// It is over.
    pub fn end(&self, attempt: Attempt) {
        self.change(|Lists { begun, tried }| {
            let place = begun.iter().rposition(|(way, _)| *way == attempt.way);
            let seconds = place.map_or(0.0, |place| begun.remove(place).1.elapsed().as_secs_f64());
            tried.push(Tried { attempt, seconds });
        });
    }

    /// What was tried since this was asked last, in the order in which it ended.
    pub fn take(&self) -> Vec<Tried> {
        self.change(|Lists { begun, tried }| {
            begun.clear();
            std::mem::take(tried)
        })
    }

    fn change<T>(&self, change: impl FnOnce(&mut Lists) -> T) -> T {
        // A list is whole even if somebody panicked beside it.
        change(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analysis::Outcome;

    #[test]
    fn what_runs_side_by_side_is_told_apart() {
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
