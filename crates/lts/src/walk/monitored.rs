//! Synchronous products of systems and deterministic monitors.

use super::{Step, System};
use crate::Label;
use std::hash::Hash;

/// A system whose steps a deterministic monitor observes. The monitor blocks the steps for which it has no next state.
pub struct Monitored<S: System, M, F> {
    system: S,
    initial: M,
    advance: F,
    steps: Vec<StepOf<S, M>>,
}

/// A step of the product of a system with a monitor.
type StepOf<S, M> = MonitoredStep<<S as System>::Step, (<S as System>::State, M)>;

/// A step of the product.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MonitoredStep<T, P> {
    /// The step of the system.
    pub step: T,
    /// The states of the system and of the monitor after it.
    pub target: P,
}

impl<T: Step, P: Clone> Step for MonitoredStep<T, P> {
    type State = P;

    fn label(&self) -> Label {
        self.step.label()
    }

    fn target(&self) -> &P {
        &self.target
    }
}

impl<S: System, M, F: FnMut(&M, &S::Step) -> Option<M>> Monitored<S, M, F> {
    /// The product with a monitor, by its initial state and its transition function.
    pub fn new(system: S, initial: M, advance: F) -> Monitored<S, M, F> {
        Monitored { system, initial, advance, steps: Vec::new() }
    }

    /// The system itself, with the steps that the monitor blocks.
    pub fn system_mut(&mut self) -> &mut S {
        &mut self.system
    }
}

impl<S: System, M: Clone + Eq + Hash, F: FnMut(&M, &S::Step) -> Option<M>> System for Monitored<S, M, F> {
    type State = (S::State, M);
    type Step = StepOf<S, M>;
    type Error = S::Error;

    const EFFORT: usize = S::EFFORT;

    fn initial(&self) -> (S::State, M) {
        (self.system.initial(), self.initial.clone())
    }

    fn steps(&mut self, (state, monitor): &(S::State, M)) -> Result<&[Self::Step], S::Error> {
        self.steps.clear();
        for step in self.system.steps(state)? {
            if let Some(next) = (self.advance)(monitor, step) {
                let target = (step.target().clone(), next);
                self.steps.push(MonitoredStep { step: step.clone(), target });
            }
        }
        Ok(&self.steps)
    }
}
