//! Counterexamples, done again.
//!
//! A search may be wrong, and so may a compression or the packing of states. So a run that is said to break a claim is
//! repeated on the interpreter of networks, lifted to what the process does without compressions, and repeated on the interpreter
//! of terms, where one step follows from the firing rules of the operators and nothing else. What is said of its end is judged
//! there ([`super::judge`]).

use super::assertion::Claimed;
use super::checker::Checker;
use super::judge::{End, Judged};
use super::system::Asking;
use check::{Counterexample, Fault};
use lts::Label;
use model::network::Configuration;
use process::compile::{Compiled, Ending, Lifted, NotLifted};
use process::{Interpreter, Run, StepError, TermId};

/// With more components than this nobody wants to know what each of them does.
const MAX_COMPONENTS: f64 = 1000.0;

/// What came of doing a counterexample again.
pub(super) enum Replayed {
    /// It is one: this is the run, with what happens in it and what is wrong at its end.
    Confirmed(Run, Vec<Label>, Fault),
    /// It is one, of the network and of the network of each compressed operand; but there are no terms, or far too many.
    OnNetwork,
    /// It is none.
    Refuted(&'static str),
    /// That was not found out.
    Unconfirmed,
}

impl Checker<'_> {
    pub(super) fn interpreter(&mut self) -> Interpreter<'_> {
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
        let is_tellable = !compiled.is_compressed() || compiled.n_components() <= MAX_COMPONENTS;
        let lifted = match self.lifted(compiled, found, is_tellable) {
            Ok(Some(lifted)) => lifted,
            Ok(None) => return self.judge_on_network(claimed, term, compiled, found),
            Err(NotLifted::NoRun) => return Ok(Replayed::Refuted("without compressions there is no such run")),
            Err(NotLifted::TooMany | NotLifted::Stopped) => return Ok(Replayed::Unconfirmed),
        };
        let Some(path) = lifted.terms(compiled, &mut self.terms) else {
            return self.judge_on_network(claimed, term, compiled, found);
        };
        let steps = lifted.labels.iter().copied().zip(path);
        let Some(run) = self.interpreter().follow(term, steps)? else {
            return Ok(Replayed::Refuted("its steps are none of the process"));
        };
        let fault = self.fault_after(&run, &lifted, &found.fault)?;
        self.judge_run(claimed, run, lifted.labels, fault, Some(compiled))
    }

    /// The run without compressions; if it is not to be told, only that there is one.
    fn lifted(
        &self,
        compiled: &Compiled,
        found: &Counterexample<Configuration>,
        is_tellable: bool,
    ) -> Result<Option<Lifted>, NotLifted> {
        let asking = Asking::new(&self.options);
        let lift = |steps: &[(Label, Configuration)], ending: Ending| {
            let most = self.options.max_states;
            match is_tellable {
                true => compiled.lift(steps, ending, most, &asking).map(Some),
                false => compiled.confirm(steps, ending, most, &asking).map(|()| None),
            }
        };
        match &found.fault {
            Fault::Event(_) | Fault::Missing { .. } => lift(&found.steps, Ending::Trace),
            Fault::Divergence(start) => lift(&found.steps, Ending::Loop(*start)),
            Fault::Refusal { accepted, .. } | Fault::Nondeterminism(_, accepted) if accepted[..] == [Label::TICK] => {
                // It terminates, so it may refuse all else; nothing more is asked of its end.
                let end = found.steps.last().map_or(&found.start, |(_, state)| state);
                let all = compiled.network.steps(end);
                let Some(last) = all.into_iter().find(|step| step.label == Label::TICK) else {
                    return Err(NotLifted::NoRun);
                };
                let steps = [&found.steps[..], &[(last.label, last.target)]].concat();
                lift(&steps, Ending::Trace).map(|lifted| lifted.map(Lifted::without_last))
            }
            Fault::Refusal { .. } | Fault::Nondeterminism(..) | Fault::Deadlock => lift(&found.steps, Ending::Refusal),
        }
    }

    /// What is wrong at the end of a run that was lifted: it may offer less, and go round at another place.
    fn fault_after(&mut self, run: &Run, lifted: &Lifted, fault: &Fault) -> Result<Fault, StepError> {
        let offered = self.interpreter().labels(run.end())?;
        let accepts = |before: &[Label]| {
            let terminates = offered.contains(&Label::TICK);
            let is_less = offered.iter().all(|label| before.contains(label));
            if terminates && (before == [Label::TICK] || !is_less) { vec![Label::TICK] } else { offered.clone() }
        };
        Ok(match fault {
            Fault::Divergence(start) => Fault::Divergence(lifted.loop_start.unwrap_or(*start)),
            Fault::Refusal { accepted, demanded } => {
                Fault::Refusal { accepted: accepts(accepted), demanded: demanded.clone() }
            }
            Fault::Nondeterminism(event, accepted) => Fault::Nondeterminism(*event, accepts(accepted)),
            Fault::Event(_) | Fault::Deadlock | Fault::Missing { .. } => fault.clone(),
        })
    }

    /// Repeats a counterexample found by walking terms.
    pub(super) fn replay_terms(
        &mut self,
        claimed: &Claimed,
        found: &Counterexample<TermId>,
    ) -> Result<Replayed, StepError> {
        match self.interpreter().follow(found.start, found.steps.iter().copied())? {
            Some(run) => self.judge_run(claimed, run, labels(found), found.fault.clone(), None),
            None => Ok(Replayed::Refuted("its steps are none of the process")),
        }
    }

    fn judge_run(
        &mut self,
        claimed: &Claimed,
        run: Run,
        labels: Vec<Label>,
        fault: Fault,
        compiled: Option<&Compiled>,
    ) -> Result<Replayed, StepError> {
        let comes_back = match fault {
            Fault::Divergence(start) if start <= run.steps.len() => {
                self.interpreter().is_same(run.term(start), run.end())
            }
            _ => false,
        };
        let end = End { labels: &labels, offered: self.interpreter().labels(run.end())?, comes_back };
        Ok(match self.judge(claimed, run.start, compiled, &end, &fault) {
            Judged::Wrong => Replayed::Confirmed(run, labels, fault),
            Judged::NotSo(why) => Replayed::Refuted(why),
            Judged::Unclear => Replayed::Unconfirmed,
        })
    }

    fn judge_on_network(
        &mut self,
        claimed: &Claimed,
        term: TermId,
        compiled: &Compiled,
        found: &Counterexample<Configuration>,
    ) -> Result<Replayed, StepError> {
        let state = |place: usize| if place == 0 { &found.start } else { &found.steps[place - 1].1 };
        let last = state(found.steps.len());
        let mut offered: Vec<Label> = compiled.network.steps(last).iter().map(|step| step.label).collect();
        offered.sort_unstable();
        offered.dedup();
        let comes_back = match found.fault {
            Fault::Divergence(start) => start <= found.steps.len() && state(start) == last,
            _ => false,
        };
        let end = End { labels: &labels(found), offered, comes_back };
        Ok(match self.judge(claimed, term, Some(compiled), &end, &found.fault) {
            Judged::Wrong => Replayed::OnNetwork,
            Judged::NotSo(why) => Replayed::Refuted(why),
            Judged::Unclear => Replayed::Unconfirmed,
        })
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
