//! Counterexamples, done again and judged by the definitions.
//!
//! A search may be wrong, and so may a compression or the packing of states. So a run that is said to break a claim is
//! repeated on the interpreter of terms, where one step follows from the firing rules of the operators and nothing else, and
//! what is said of its end is looked at there. What the specification allows after the trace is found from its terms, too,
//! by following all of them at once.

use super::assertion::Claimed;
use super::checker::Checker;
use check::{Counterexample, Fault};
use lts::{Label, Model};
use model::network::Configuration;
use process::compile::Compiled;
use process::{Interpreter, Run, StepError, TermId};
use std::collections::{HashMap, HashSet};

/// How many terms of a specification, or of a process after a trace, are followed at once.
const MAX_TERMS: usize = 50_000;

/// With more components than this nobody wants to know what each of them does.
const MAX_COMPONENTS: f64 = 1000.0;

/// What came of doing a counterexample again.
pub(super) enum Replayed {
    /// It is one: this is the run, with what happens in it and what is wrong at its end.
    Confirmed(Run, Vec<Label>, Fault),
    /// Its steps are those of the network, but states of compressed components stand for no single term.
    OnNetwork,
    /// It is none.
    Refuted(&'static str),
}

impl Checker<'_> {
    fn interpreter(&mut self) -> Interpreter<'_> {
        Interpreter { table: &mut self.table, terms: &mut self.terms, unfold: &mut self.evaluator }
    }

    /// Repeats a counterexample found on the network of a term.
    pub(super) fn replay_network(
        &mut self,
        claimed: &Claimed,
        term: TermId,
        compiled: &Compiled,
        found: &Counterexample<Configuration>,
    ) -> Result<Replayed, StepError> {
        if let Err(why) = follow_network(compiled, found) {
            return Ok(Replayed::Refuted(why));
        }
        if compiled.is_compressed() {
            return match compiled.n_components() {
                n if n <= MAX_COMPONENTS => self.replay_compressed(claimed, term, found),
                _ => Ok(Replayed::OnNetwork),
            };
        }
        match self.interpreter().lift(term, compiled, &found.steps)? {
            Some(run) => self.judge(claimed, run, labels(found), found.fault.clone()),
            None => Ok(Replayed::Refuted("its steps are none of the process")),
        }
    }

    /// Looks for the run behind a counterexample of compressed processes, as far as that can be done.
    fn replay_compressed(
        &mut self,
        claimed: &Claimed,
        term: TermId,
        found: &Counterexample<Configuration>,
    ) -> Result<Replayed, StepError> {
        let trace = visible(&labels(found));
        let Ok(Some((run, labels))) = self.retrace(term, &trace, &found.fault) else { return Ok(Replayed::OnNetwork) };
        let fault = match &found.fault {
            Fault::Divergence(_) => {
                // The loop is what follows the last place where the term is the one at the end.
                let start = (0..run.steps.len()).rev().find(|&place| run.term(place) == run.end());
                Fault::Divergence(start.unwrap_or(0))
            }
            Fault::Refusal { demanded, .. } => {
                let accepted = self.interpreter().labels(run.end())?;
                Fault::Refusal { accepted, demanded: demanded.clone() }
            }
            Fault::Nondeterminism(event, _) => Fault::Nondeterminism(*event, self.interpreter().labels(run.end())?),
            other => other.clone(),
        };
        self.judge(claimed, run, labels, fault)
    }

    /// Repeats a counterexample found by walking terms.
    pub(super) fn replay_terms(
        &mut self,
        claimed: &Claimed,
        found: &Counterexample<TermId>,
    ) -> Result<Replayed, StepError> {
        match self.interpreter().follow(found.start, found.steps.iter().copied())? {
            Some(run) => self.judge(claimed, run, labels(found), found.fault.clone()),
            None => Ok(Replayed::Refuted("its steps are none of the process")),
        }
    }

    fn judge(&mut self, claimed: &Claimed, run: Run, labels: Vec<Label>, fault: Fault) -> Result<Replayed, StepError> {
        if !self.ends_so(&run, &labels, &fault)? {
            return Ok(Replayed::Refuted("its end is not as it was said"));
        }
        if !self.is_forbidden(claimed, &labels, &fault)? {
            return Ok(Replayed::Refuted("the specification allows it"));
        }
        Ok(Replayed::Confirmed(run, labels, fault))
    }

    /// Whether the end of a run is what the fault says.
    fn ends_so(&mut self, run: &Run, labels: &[Label], fault: &Fault) -> Result<bool, StepError> {
        let offered = self.interpreter().labels(run.end())?;
        Ok(match fault {
            Fault::Event(_) => !labels.is_empty(),
            Fault::Refusal { accepted, .. } => offered == *accepted && !offered.contains(&Label::TAU),
            Fault::Deadlock => offered.is_empty() && !labels.contains(&Label::TICK),
            Fault::Divergence(start) => {
                let is_silent = labels[*start..].iter().all(|&label| label == Label::TAU);
                let closes = self.interpreter().is_same(run.term(*start), run.end());
                is_silent && closes && *start < labels.len()
            }
            Fault::Nondeterminism(event, accepted) => {
                let stops = offered.contains(&Label::TICK) && accepted.as_slice() == [Label::TICK];
                let refuses = offered == *accepted && !offered.contains(&Label::TAU);
                let trace = visible(labels);
                (stops || refuses)
                    && !accepted.contains(event)
                    && self.can_do(run.start, &trace, *event)?.unwrap_or(true)
            }
            Fault::Missing { event, .. } => !self.can_do(run.start, &visible(labels), *event)?.unwrap_or(false),
            Fault::Failure(_) => false,
        })
    }

    /// Whether what happens at the end of a run is not allowed.
    fn is_forbidden(&mut self, claimed: &Claimed, labels: &[Label], fault: &Fault) -> Result<bool, StepError> {
        let Claimed::Refines { spec, model, .. } = claimed else { return Ok(true) };
        let (trace, event) = match fault {
            Fault::Event(_) => {
                let (last, before) = labels.split_last().expect("a forbidden event is a step");
                (visible(before), Some(*last))
            }
            Fault::Divergence(start) => (visible(&labels[..*start]), None),
            _ => (visible(labels), None),
        };
        let mut after = After::new(self, *spec);
        for place in 0..=trace.len() {
            if place > 0 {
                after.step(trace[place - 1])?;
            }
            after.close()?;
            if after.terms.len() > MAX_TERMS {
                return Ok(true);
            }
            if *model == Model::FailuresDivergences && after.diverges()? {
                return Ok(false);
            }
        }
        Ok(match (fault, event) {
            (Fault::Event(_), Some(event)) => !after.initials()?.contains(&event),
            (Fault::Refusal { accepted, .. }, _) => !after.may_accept_only(accepted)?,
            _ => true,
        })
    }

    /// Whether a term can do an event after a trace, if that can be told.
    fn can_do(&mut self, term: TermId, trace: &[Label], event: Label) -> Result<Option<bool>, StepError> {
        let mut after = After::new(self, term);
        after.close()?;
        for &label in trace {
            after.step(label)?;
            after.close()?;
            if after.terms.len() > MAX_TERMS {
                return Ok(None);
            }
        }
        Ok(Some(after.initials()?.contains(&event)))
    }
}

/// Repeats a run on the interpreter of networks.
fn follow_network(compiled: &Compiled, found: &Counterexample<Configuration>) -> Result<(), &'static str> {
    let mut state = &found.start;
    for (label, target) in &found.steps {
        let steps = compiled.network.steps(state);
        if !steps.iter().any(|step| step.label == *label && step.target == *target) {
            return Err("its steps are none of the network");
        }
        state = target;
    }
    Ok(())
}

fn labels<S>(found: &Counterexample<S>) -> Vec<Label> {
    found.steps.iter().map(|&(label, _)| label).collect()
}

fn visible(labels: &[Label]) -> Vec<Label> {
    labels.iter().copied().filter(|&label| label != Label::TAU).collect()
}

/// All terms that a term may be after a trace.
struct After<'c, 'a> {
    checker: &'c mut Checker<'a>,
    terms: Vec<TermId>,
}

impl<'c, 'a> After<'c, 'a> {
    fn new(checker: &'c mut Checker<'a>, term: TermId) -> After<'c, 'a> {
        After { checker, terms: vec![term] }
    }

    fn steps(&mut self, term: TermId) -> Result<Vec<(Label, TermId)>, StepError> {
        let Checker { table, terms, evaluator, .. } = &mut *self.checker;
        let steps = table.steps(terms, evaluator, term)?;
        Ok(steps.iter().map(|step| (process::compile::seen(step.label), step.target)).collect())
    }

    /// Adds what silent steps reach, as long as it is not too much.
    fn close(&mut self) -> Result<(), StepError> {
        let mut met: HashSet<TermId> = self.terms.iter().copied().collect();
        let mut next = 0;
        while next < self.terms.len() && self.terms.len() <= MAX_TERMS {
            let term = self.terms[next];
            next += 1;
            for (label, target) in self.steps(term)? {
                if label == Label::TAU && met.insert(target) {
                    self.terms.push(target);
                }
            }
        }
        Ok(())
    }

    fn step(&mut self, wanted: Label) -> Result<(), StepError> {
        let mut targets = Vec::new();
        for term in std::mem::take(&mut self.terms) {
            targets.extend(self.steps(term)?.into_iter().filter(|(label, _)| *label == wanted).map(|(_, to)| to));
        }
        targets.sort_unstable();
        targets.dedup();
        self.terms = targets;
        Ok(())
    }

    fn initials(&mut self) -> Result<HashSet<Label>, StepError> {
        let mut initials = HashSet::new();
        for term in self.terms.clone() {
            initials.extend(self.steps(term)?.into_iter().map(|(label, _)| label));
        }
        Ok(initials)
    }

    /// Whether one of the terms may offer these labels and no others.
    fn may_accept_only(&mut self, accepted: &[Label]) -> Result<bool, StepError> {
        for term in self.terms.clone() {
            let steps = self.steps(term)?;
            let is_stable = steps.iter().all(|(label, _)| *label != Label::TAU);
            let terminates = steps.iter().any(|(label, _)| *label == Label::TICK);
            let offers_no_more = steps.iter().all(|(label, _)| accepted.contains(label));
            if is_stable && offers_no_more || terminates && accepted.contains(&Label::TICK) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether silent steps between the terms need not end.
    fn diverges(&mut self) -> Result<bool, StepError> {
        // Terms without silent steps into the rest are taken away until none is left, or all go on for ever.
        let mut silent: HashMap<TermId, Vec<TermId>> = HashMap::new();
        for term in self.terms.clone() {
            let steps = self.steps(term)?.into_iter();
            silent.insert(term, steps.filter(|(label, _)| *label == Label::TAU).map(|(_, to)| to).collect());
        }
        loop {
            let ended: Vec<TermId> = silent
                .iter()
                .filter(|(_, targets)| targets.iter().all(|to| !silent.contains_key(to)))
                .map(|(&term, _)| term)
                .collect();
            if ended.is_empty() {
                return Ok(!silent.is_empty());
            }
            for term in ended {
                silent.remove(&term);
            }
        }
    }
}
