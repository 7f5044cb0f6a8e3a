//! Bounds that say nothing.
//!
//! Below a deadline, another bound that is up no sooner never stops time before the deadline does. The engines leave such bounds out; here they are kept, as the definition
//! has it, and configurations are compared without them.

use super::{Configuration, Process, Time};

impl Configuration {
    /// The same without bounds below deadlines that are up no later.
    pub fn without_idle_bounds(&self) -> Configuration {
        Configuration { process: self.process.clone().without_idle_bounds(), data: self.data }
    }
}

impl Process {
    fn without_idle_bounds(self) -> Process {
        let boxed = |inside: Box<Process>| Box::new(inside.without_idle_bounds());
        let all = |members: Vec<Process>| members.into_iter().map(Process::without_idle_bounds).collect();
        match self {
            Process::Deadline(inside, left) => {
                let mut inside = inside.without_idle_bounds();
                while let Some(below) = inside.below_idle_bound(left) {
                    inside = below.clone();
                }
                Process::Deadline(inside.into(), left)
            }
            Process::Timeout(inside, left, second) => Process::Timeout(boxed(inside), left, second),
            Process::TimedInterrupt(inside, left, second) => Process::TimedInterrupt(boxed(inside), left, second),
            Process::Within(inside, low, high) => Process::Within(boxed(inside), low, high),
            Process::WaitUntil(inside, left) => Process::WaitUntil(boxed(inside), left),
            Process::Sequence(first, second) => Process::Sequence(boxed(first), second),
            Process::Choice(members) => Process::Choice(all(members)),
            Process::External(members) => Process::External(all(members)),
            Process::Interrupt(left, right) => Process::Interrupt(boxed(left), boxed(right)),
            Process::Interleave(members) => Process::Interleave(all(members)),
            Process::Parallel(family, members) => Process::Parallel(family, all(members)),
            Process::Hide(hiding, inside) => Process::Hide(hiding, boxed(inside)),
            Process::Atomic(is_started, inside) => Process::Atomic(is_started, boxed(inside)),
            Process::Watched(inside) => Process::Watched(boxed(inside)),
            // What is guarded has not begun.
            Process::Still(_) | Process::Wait(..) | Process::Guard(..) => self,
        }
    }

    /// What a bound stands above that is not up before a deadline is, if it is one.
    fn below_idle_bound(&self, deadline: Time) -> Option<&Process> {
        match self {
            Process::Deadline(inside, left) if *left >= deadline => Some(inside),
            Process::Within(inside, low, high) if *low == Time::from_integer(0) && *high >= deadline => Some(inside),
            _ => None,
        }
    }
}
