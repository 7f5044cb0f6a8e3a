//! Refinements of specifications that are too large to be written down, or have no end.
//!
//! Of such a specification only those states are made that it may be in after traces of the implementation, and of the
//! implementation only those that the search gets to. A small specification is better written down, normalized and
//! searched with by all workers. Which of the two a specification is cannot be known beforehand: both are tried in
//! turn, each time with more states, so that what is done in vain is a small part of the whole.

use super::checker::Checker;
use super::decided::{Decided, Evidence, FoundRun};
use super::failed::Failed;
use super::walk::SharedWalk;
use decide::{Claim, Counterexample, SPECIFICATION_ROUNDS};
use explore::{Growing, NotGrown, Reduction, may_fail};
use frontend::{Asserted, Effort, Failure, Fidelity, Lowered, Semantics, State};
use limits::effort::forms::TERM_COST;
use lts::walk::System;
use lts::{Model, StateId, Transition, Watch};
use model::network::NetworkStep;
use progress::Stop;
use std::cell::RefCell;

/// A process whose states are made on demand.
enum Made<'a> {
    Network(Side, Growing<'a>),
    Walk(SharedWalk<'a>),
}

#[derive(Clone, Copy)]
enum Side {
    Specification,
    Implementation,
}

/// Why the steps of a state are missing.
enum Missing {
    Network(Side, NotGrown),
    Walk(Failure),
}

impl System for Made<'_> {
    type State = StateId;
    type Step = Transition;
    type Error = Missing;

    /// Terms take long, and there may be one behind.
    const EFFORT: usize = 100;

    fn initial(&self) -> StateId {
        StateId(0)
    }

    fn steps(&mut self, state: &StateId) -> Result<&[Transition], Missing> {
        match self {
            Made::Network(side, growing) => System::steps(growing, state).map_err(|why| Missing::Network(*side, why)),
            Made::Walk(walk) => walk.steps(*state).map_err(Missing::Walk),
        }
    }

    fn n_known(&self) -> usize {
        match self {
            Made::Network(_, growing) => growing.n_states(),
            Made::Walk(walk) => walk.walked().states().len(),
        }
    }
}

/// A counterexample, by steps of the implementation.
enum FoundHere {
    Network(super::replay::Counterexample<NetworkStep>),
    Walk(super::replay::Counterexample<frontend::Step>),
}

impl Checker<'_> {
    /// Decides a refinement.
    pub(super) fn decide_refinement(
        &mut self,
        asserted: &Asserted,
        specification: State,
        implementation: State,
        model: Model,
    ) -> Result<Decided, Failed> {
        // What is made on demand is made as far as failures see.
        let rounds = if model.sees_revivals() { &[][..] } else { &SPECIFICATION_ROUNDS };
        for &(max_specified, max_pairs) in rounds {
            if let Some(specification) = self.small_specification(specification, model, max_specified)? {
                return self.decide_claim(asserted, implementation, &Claim::Refines(specification));
            }
            match self.refine_on_demand(asserted, (specification, implementation), model, max_pairs) {
                Err(Failed::Stopped(Stop::Budget)) => {}
                decided => return decided,
            }
        }
        let specification = self.specification(specification, model)?;
        self.decide_claim(asserted, implementation, &Claim::Refines(specification))
    }

    /// Decides a refinement with at most so many pairs, and as many states of the specification at a time.
    fn refine_on_demand(
        &mut self,
        asserted: &Asserted,
        (specification, implementation): (State, State),
        model: Model,
        max_pairs: usize,
    ) -> Result<Decided, Failed> {
        let fidelity = Fidelity::Model(model);
        let lowered = self.network(implementation, fidelity, Effort::Little)?;
        let lowered_specification = self.network(specification, fidelity, Effort::Little)?;
        // What goes wrong in states that nobody asks for would be passed over.
        if [&lowered, &lowered_specification].into_iter().flatten().any(|lowered| may_fail(&lowered.network)) {
            return Err(Failed::Stopped(Stop::Budget));
        }
        let lowered = (lowered_specification, lowered);
        self.refine_made(asserted, (specification, implementation), lowered, model, max_pairs)
    }

    /// Decides a refinement by terms alone.
    pub(super) fn refine_walking(
        &mut self,
        asserted: &Asserted,
        sides: (State, State),
        model: Model,
    ) -> Result<Decided, Failed> {
        self.refine_made(asserted, sides, (None, None), model, usize::MAX)
    }

    /// Decides a refinement between processes whose states are made by their networks, or by terms where there is none.
    fn refine_made(
        &mut self,
        asserted: &Asserted,
        (specification, implementation): (State, State),
        (lowered_specification, lowered): (Option<Lowered>, Option<Lowered>),
        model: Model,
        max_pairs: usize,
    ) -> Result<Decided, Failed> {
        let is_walked = lowered.is_none() || lowered_specification.is_none();
        let max_pairs = if is_walked { max_pairs / TERM_COST } else { max_pairs };
        let progress = self.options.progress.clone();
        let mut watch = Watch::new(&*progress).within(self.options.limits.with_budget(max_pairs as u64));
        let answer = {
            let semantics: RefCell<&mut dyn Semantics> = RefCell::new(&mut *self.semantics);
            let mut spec = Made::new(&semantics, lowered_specification.as_ref(), specification, Side::Specification);
            let mut system = Made::new(&semantics, lowered.as_ref(), implementation, Side::Implementation);
            decide::refine_on_the_fly(&mut spec, &mut system, model, &mut watch)
                .map(|answer| (answer.verdict.map(|found| system.told(found)), answer.statistics))
        };
        let (verdict, statistics) = match answer {
            Ok(answer) => answer,
            Err(Missing::Walk(failure)) => return Err(failure.into()),
            Err(Missing::Network(_, NotGrown::Stopped(stop))) => return Err(stop.into()),
            Err(Missing::Network(side, NotGrown::Failed(failure))) => {
                let lowered = match side {
                    Side::Specification => lowered_specification,
                    Side::Implementation => lowered,
                };
                let lowered = lowered.expect("a network went wrong");
                return Err(self.failure_error(&lowered, &failure.steps, &failure.failed));
            }
        };
        let run = match (verdict, lowered) {
            (decide::Verdict::Holds, _) => return Ok(Decided::holds(statistics)),
            (decide::Verdict::Unknown(reason), _) => return Err(reason.into()),
            (decide::Verdict::Fails(FoundHere::Walk(found)), _) => FoundRun::States(found),
            (decide::Verdict::Fails(FoundHere::Network(found)), Some(lowered)) => FoundRun::Network(lowered, found),
            (decide::Verdict::Fails(FoundHere::Network(_)), None) => {
                return Err(Failed::not_replayed("it has no network"));
            }
        };
        let (asserted, process) = (asserted.clone(), implementation);
        Ok(Decided::fails(Evidence::Claim { asserted, process, run }, statistics))
    }
}

impl<'a> Made<'a> {
    /// A process by its network, unless it has none or its states are too wide.
    fn new(
        semantics: &'a RefCell<&'a mut dyn Semantics>,
        lowered: Option<&'a Lowered>,
        process: State,
        side: Side,
    ) -> Made<'a> {
        let growing = lowered.and_then(|lowered| Growing::new(&lowered.network, Reduction::None).ok());
        match growing {
            Some(growing) => Made::Network(side, growing),
            None => Made::Walk(SharedWalk::new(semantics, process)),
        }
    }

    /// A counterexample by the steps of what it is a run of.
    fn told(&self, Counterexample { steps, fault }: Counterexample<Transition>) -> FoundHere {
        let fault = fault.widened();
        match self {
            Made::Walk(walk) => FoundHere::Walk(Counterexample { steps: walk.walked().steps(&steps), fault }),
            Made::Network(_, growing) => {
                let sources = std::iter::once(StateId(0)).chain(steps.iter().map(|step| step.target));
                let taken = sources.zip(&steps).map(|(source, &step)| growing.step(source, step));
                let steps = taken.map(|step| step.expect("what was found is a step of the network")).collect();
                FoundHere::Network(Counterexample { steps, fault })
            }
        }
    }
}
