//! The run that a solution stands for.

use crate::property::Wrong;
use crate::unrolling::Unrolling;
use crate::{Lit, Property};
use lts::{Counterexample, Fault, Label, Lts, StateId};
use model::network::{Configuration, FailedStep, LocalState, ModeId, NetworkStep, RuleId};

impl Unrolling<'_> {
    /// The state that a solution has at a place.
    pub(crate) fn state(&self, place: usize) -> Configuration {
        let frame = &self.frames[place];
        let true_in = |lits: &[Lit]| self.true_in(lits);
        Configuration {
            mode: ModeId(true_in(&frame.modes)),
            locals: frame.locals.iter().map(|locals| LocalState(true_in(locals))).collect(),
            data: self.network.initial.data.clone(),
        }
    }

    fn true_in(&self, lits: &[Lit]) -> u32 {
        lits.iter().position(|&lit| self.clauses.solver.is_true(lit)).unwrap_or(0) as u32
    }

    /// The rule that is taken at a place.
    fn rule(&self, place: usize, mode: ModeId) -> RuleId {
        RuleId(self.true_in(&self.frames[place].taken[mode.index()]))
    }

    /// The run of a solution that ends wrong in the last state.
    pub(crate) fn counterexample(&self, wrong: &Wrong) -> Counterexample<NetworkStep, FailedStep> {
        let last = self.frames.len() - 1;
        let mut steps: Vec<NetworkStep> = (0..last).map(|place| self.step(place)).collect();
        let end = self.state(last);
        let is = |way: Option<Lit>| way.is_some_and(|way| self.clauses.solver.is_true(way));
        let offered = || {
            let mut offered: Vec<Label> = self.network.steps(&end).iter().map(|step| step.label).collect();
            offered.sort_unstable();
            offered.dedup();
            offered
        };
        let fault = match self.property {
            Property::DeadlockFree => Fault::Deadlock,
            Property::Refines(spec, _) => {
                let node = node_after(spec, &steps);
                if is(wrong.event) {
                    steps.extend(self.step_from(last, &end));
                    Fault::Event(spec.initials(node).collect())
                } else {
                    let accepted = offered();
                    let acceptances = spec.acceptances().into_iter().flat_map(|all| all.of(node));
                    Fault::Refusal { accepted, demanded: acceptances.map(<[Label]>::to_vec).collect() }
                }
            }
        };
        Counterexample { steps, fault }
    }

    fn step(&self, place: usize) -> NetworkStep {
        let mode = self.state(place).mode;
        let rule = self.rule(place, mode);
        let label = self.network.modes[mode.index()].rules[rule.index()].shows;
        NetworkStep { rule, label, target: self.state(place + 1) }
    }

    /// The step that leaves the last state.
    fn step_from(&self, place: usize, state: &Configuration) -> Option<NetworkStep> {
        let rule = self.rule(place, state.mode);
        self.network.steps(state).into_iter().find(|step| step.rule == rule)
    }
}

/// Where the trace of a run leads in a normal form.
fn node_after(spec: &Lts, steps: &[NetworkStep]) -> StateId {
    let visible = steps.iter().filter(|step| step.label != Label::TAU);
    visible
        .fold(spec.initial(), |node, step| spec.with_label(node, step.label).first().map_or(node, |edge| edge.target))
}
