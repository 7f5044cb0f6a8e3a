//! Claims about families of processes with any number of copies.
//!
//! A claim holds if it holds for each number from 1 on. Families with few copies are decided one by one, as if their numbers were written in the
//! script; all larger ones at once, in a system whose states count the copies in the same state up to a cut-off and no further
//! ([`Copies::MoreThan`]). It has all runs of these families, through states in which the same is possible, so what holds there holds. It may
//! have other runs, too; what fails there is only a suspicion, and then one more copy is counted. A counterexample is always that of a
//! family with a number that is told. `docs/semantics/counting.md` has the proofs.

use super::checker::Checker;
use super::failed::Failed;
use super::report::{Checked, Counterexample, Family, Fault, Finding};
use super::temporal::settings;
use super::{Reason, Verdict};
use frontend::formula::{Fair, Logic, Question};
use frontend::{Asserted, Copies, Goal};
use limits::effort::families::{FIRST_STATES, MAX_ALONE, MAX_COPIES, MAX_ENDLESS, MAX_FAMILIES};
use lts::Model;
use progress::Stop;
use std::fmt::Write;
use temporal::View;

/// What families with more copies than were decided one by one say about a claim.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// All that they do is seen, and the search ends with an answer.
    Decided,
    /// All that they do is seen, but more of them may be needed for ever.
    Endless,
    /// Nothing, for this reason.
    Nothing(&'static str),
}

/// What came of counting up to a cut-off.
enum Counted {
    Proved(Box<Checked>),
    /// A suspicion that is none of the families so far.
    TooCoarse(Option<String>),
    /// More states than were allowed.
    TooLarge,
}

impl Checker<'_> {
    /// Decides a claim about any number of copies of each of these processes.
    pub(super) fn decide_any_number(&mut self, index: usize, names: &[String]) -> Result<Checked, Failed> {
        if names.len() > MAX_FAMILIES {
            return Err(Failed::unsupported("there are too many families of any number of copies"));
        }
        let first: Vec<Copies> = vec![Copies::Exactly(1); names.len()];
        let asserted = self.semantics.asserted_of(index, &first)?;
        let (is_wanted, beyond) = (is_wanted(&asserted), beyond(&asserted));
        let mut state = Decided::default();
        for size in 1..=MAX_COPIES {
            for copies in numbers(names.len(), size, None) {
                match self.decide_family(index, &copies) {
                    Ok(checked) if is_decisive(&checked, is_wanted) => return Ok(with_copies(checked, names, &copies)),
                    Ok(Checked { verdict: Verdict::Unknown(reason, detail), .. }) => {
                        return Err(state.unknown(reason, &detail));
                    }
                    Ok(checked) => state.optimum = optimum(&checked).or(state.optimum),
                    Err(failed) => return Err(self.failed_family(failed, names, &copies, &state)),
                }
            }
            state.up_to = Some(size);
            let most = match beyond {
                Beyond::Decided => MAX_COPIES,
                Beyond::Endless => MAX_ENDLESS,
                Beyond::Nothing(_) if size < MAX_ALONE => continue,
                Beyond::Nothing(why) => return Err(state.unknown(Reason::Unsupported, why)),
            };
            let max_states = FIRST_STATES.saturating_mul(1 << size.min(40));
            for cut_off in state.too_coarse + 1..=size {
                match self.decide_counting(index, names.len(), cut_off, max_states, is_wanted) {
                    Ok(Counted::Proved(checked)) => return Ok(*checked),
                    // What counts less is coarser still.
                    Ok(Counted::TooCoarse(why)) => (state.too_coarse, state.why) = (cut_off, why),
                    Ok(Counted::TooLarge) => {}
                    Err(failed) => return Err(self.failed_counting(failed, &state)),
                }
            }
            if size >= MAX_ENDLESS && max_states >= self.options.limits.max_states {
                return Err(self.failed_counting(Failed::Stopped(Stop::MaxStates), &state));
            }
            if size >= most {
                break;
            }
        }
        Err(state.unknown(Reason::Unsupported, "nothing more is tried"))
    }

    /// Decides a claim about families with so many copies.
    fn decide_family(&mut self, index: usize, copies: &[Copies]) -> Result<Checked, Failed> {
        let asserted = self.semantics.asserted_of(index, copies)?;
        self.decide_asserted(&asserted)
    }

    /// The same where one of them has more copies than are counted. Global fairness would ask for steps there that none of the families has, and
    /// so pass over runs that are fair in truth. What it demands of events and of processes is demanded instead.
    fn decide_crowd(&mut self, index: usize, copies: &[Copies]) -> Result<Checked, Failed> {
        let asserted = self.semantics.asserted_of(index, copies)?;
        let Asserted::Satisfies(process, mut question) = asserted else { return self.decide_asserted(&asserted) };
        if question.choices.fairness != Some(Fair::Global) {
            return self.decide_temporal(process, &question);
        }
        let report = settings::describe(&question);
        question.choices.fairness = Some(Fair::EventStrong);
        let mut checked = self.decide_temporal(process, &question)?;
        if !matches!(checked.verdict, Verdict::Holds) {
            question.choices.fairness = Some(Fair::ProcessStrong);
            checked = self.decide_temporal(process, &question)?;
        }
        if let Some(temporal) = &mut checked.temporal {
            temporal.settings = report.settings;
        }
        Ok(checked)
    }

    /// Decides a claim about all families in which one has more copies than are counted.
    fn decide_counting(
        &mut self,
        index: usize,
        n_families: usize,
        cut_off: u32,
        max_states: u64,
        is_wanted: bool,
    ) -> Result<Counted, Failed> {
        let mut proved = None;
        let all = (0..=cut_off).flat_map(|size| numbers(n_families, size, Some(cut_off)));
        let limits = self.options.limits;
        for copies in all.collect::<Vec<_>>() {
            self.options.limits = limits.with_budget(max_states);
            let decided = self.decide_crowd(index, &copies);
            self.options.limits = limits;
            match decided {
                Ok(checked) if is_proved(&checked, is_wanted) => proved = Some(checked),
                Ok(Checked { verdict: Verdict::Unknown(Reason::BUDGET, _), .. })
                | Err(Failed::Stopped(Stop::Budget) | Failed::Unknown(Reason::BUDGET, _)) => {
                    return Ok(Counted::TooLarge);
                }
                Ok(Checked { verdict: Verdict::Unknown(Reason::Stopped(stop), _), .. })
                | Err(Failed::Stopped(stop) | Failed::Unknown(Reason::Stopped(stop), _)) => {
                    return Err(Failed::Stopped(stop));
                }
                Ok(Checked { verdict: Verdict::Unknown(_, why), .. }) => return Ok(Counted::TooCoarse(Some(why))),
                Ok(_) => return Ok(Counted::TooCoarse(None)),
                // What goes wrong there need not go wrong in any family; and if it does, it is found there.
                Err(Failed::Error(diagnostic)) => return Ok(Counted::TooCoarse(Some(diagnostic.title))),
                Err(Failed::Unknown(_, why)) => return Ok(Counted::TooCoarse(Some(why))),
                Err(failed) => return Err(failed),
            }
        }
        Ok(proved.map_or(Counted::TooCoarse(None), |checked| {
            // What is told of the steps of many copies at once would be no run of any family.
            Counted::Proved(Checked { counterexample: None, ..checked }.into())
        }))
    }

    fn failed_family(&self, failed: Failed, names: &[String], copies: &[Copies], state: &Decided) -> Failed {
        match failed {
            Failed::Error(mut diagnostic) => {
                diagnostic.notes.push(format!(
                    "with {}",
                    families(names, copies).iter().map(Family::text).collect::<Vec<_>>().join(" and ")
                ));
                Failed::Error(diagnostic)
            }
            failed => self.failed_counting(failed, state),
        }
    }

    fn failed_counting(&self, failed: Failed, state: &Decided) -> Failed {
        match failed {
            Failed::Error(_) | Failed::Open(_) | Failed::Unlike => failed,
            failed => match failed.into_checked(&self.options).verdict {
                Verdict::Unknown(reason, detail) => state.unknown(reason, &detail),
                _ => unreachable!("what is stopped is unknown"),
            },
        }
    }
}

/// What is known so far.
#[derive(Default)]
struct Decided {
    /// Families with so many copies and fewer were decided one by one.
    up_to: Option<u32>,
    /// Counting up to this number, or to smaller ones, is not enough.
    too_coarse: u32,
    /// Why, if that is known.
    why: Option<String>,
    /// A smallest or greatest value, if one is looked for: the last that was found.
    optimum: Option<i64>,
}

impl Decided {
    /// That there is no answer, with what is known.
    fn unknown(&self, reason: Reason, detail: &str) -> Failed {
        let mut text = detail.to_owned();
        match self.up_to {
            None => {}
            Some(1) => text.push_str("; decided for up to 1 copy"),
            Some(most) => _ = write!(text, "; decided for up to {most} copies"),
        }
        if let Some(value) = self.optimum {
            let _ = write!(text, ", with the value {value}");
        }
        if self.too_coarse > 0 {
            let _ = write!(text, ", and counting up to {} is too coarse", self.too_coarse);
            if let Some(why) = &self.why {
                let _ = write!(text, " ({why})");
            }
        }
        Failed::Unknown(reason, text)
    }
}

/// Whether an assertion is true if it is true for some number.
fn is_wanted(asserted: &Asserted) -> bool {
    matches!(asserted, Asserted::Reaches { is_wanted: true, .. })
}

/// Whether what one family says decides it for all.
fn is_decisive(checked: &Checked, is_wanted: bool) -> bool {
    matches!((&checked.verdict, is_wanted), (Verdict::Fails, false) | (Verdict::Holds, true))
        && optimum(checked).is_none()
}

/// The smallest or greatest value that was found.
fn optimum(checked: &Checked) -> Option<i64> {
    match &checked.counterexample.as_ref()?.fault {
        Fault::Failure(Finding::State { optimum, .. }) => *optimum,
        _ => None,
    }
}

/// Whether what many copies that are counted together say is true of each family.
fn is_proved(checked: &Checked, is_wanted: bool) -> bool {
    matches!((&checked.verdict, is_wanted), (Verdict::Holds, false) | (Verdict::Fails, true))
}

/// What can be concluded from counting for an assertion.
fn beyond(asserted: &Asserted) -> Beyond {
    match asserted {
        Asserted::Reaches { goal: Goal::Proposition(_), .. } | Asserted::Refines { model: Model::Traces, .. } => {
            Beyond::Decided
        }
        Asserted::Reaches { goal: Goal::Deadlock | Goal::End, .. }
        | Asserted::Refines { model: Model::Failures | Model::FailuresDivergences, .. }
        | Asserted::DivergenceFree(_) => Beyond::Endless,
        Asserted::Reaches { goal: Goal::Ambiguity, .. } => {
            Beyond::Nothing("states of which copies are counted may be the same where those of copies are not")
        }
        Asserted::Reaches { goal: Goal::Optimum { .. }, .. } => {
            Beyond::Nothing("no number of copies is the one with the smallest or greatest value")
        }
        Asserted::Satisfies(_, question) => beyond_formula(question),
        _ => Beyond::Nothing("nothing is known of more copies"),
    }
}

fn beyond_formula(question: &Question) -> Beyond {
    if question.logic == Logic::Ctl {
        return Beyond::Nothing("formulas of branching time see more than runs");
    }
    if question.choices.fairness == Some(Fair::Annotated) {
        return Beyond::Nothing("it is not known whether marked steps of many copies are those of each number of them");
    }
    let is_fair = question.formula.premise.is_some() || !matches!(question.choices.fairness, None | Some(Fair::None));
    if is_fair && question.rules.view == View::Trace {
        return Beyond::Nothing("what is possible behind silent steps is not the same where copies are counted");
    }
    Beyond::Endless
}

/// The numbers of copies of some families, the largest of which is this one; where a cut-off is given, with one family at least that has more.
fn numbers(n_families: usize, largest: u32, cut_off: Option<u32>) -> Vec<Vec<Copies>> {
    let choices = |size: u32| {
        let exactly = (1..=size).map(Copies::Exactly);
        exactly.chain(cut_off.map(Copies::MoreThan))
    };
    let mut all = vec![Vec::new()];
    for _ in 0..n_families {
        all = all.iter().flat_map(|known| choices(largest).map(|copies| [&known[..], &[copies]].concat())).collect();
    }
    let has_more = |copies: &[Copies]| copies.iter().any(|copies| matches!(copies, Copies::MoreThan(_)));
    let largest_of = |copies: &[Copies]| {
        let exactly = copies.iter().filter_map(|copies| match copies {
            Copies::Exactly(count) => Some(*count),
            Copies::MoreThan(_) => None,
        });
        exactly.max().unwrap_or(0)
    };
    all.retain(|copies| has_more(copies) == cut_off.is_some() && largest_of(copies) == largest);
    all
}

fn families(names: &[String], copies: &[Copies]) -> Vec<Family> {
    let exactly = copies.iter().map(|copies| match copies {
        Copies::Exactly(count) | Copies::MoreThan(count) => *count,
    });
    names.iter().zip(exactly).map(|(process, count)| Family { process: process.clone(), count }).collect()
}

/// A verdict with the numbers of copies that it was found for.
fn with_copies(checked: Checked, names: &[String], copies: &[Copies]) -> Checked {
    let counterexample =
        checked.counterexample.map(|found| Counterexample { families: families(names, copies), ..found });
    Checked { counterexample, ..checked }
}
