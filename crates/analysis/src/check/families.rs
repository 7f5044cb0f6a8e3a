//! Parameterized verification: claims about families with any number of copies of a process.
//!
//! A claim holds if it holds for each number of copies from 1 on. Small families are decided one by one, as if their
//! numbers were written in the script. All larger ones are decided at once by counter abstraction (Pnueli, Xu and Zuck,
//! 2002, "Liveness with (0,1,∞)-counter abstraction"): states count the copies in the same local state up to a cut-off
//! ([`Copies::MoreThan`]). The abstraction has all runs of these families, through states in which the same is
//! possible, so what holds there holds. It may have spurious runs; a violation there raises the cut-off. A
//! counterexample is always one of a concrete family. `docs/semantics/counting.md` has the proofs.

use super::checker::Checker;
use super::decided::{Decided, Evidence};
use super::failed::Failed;
use super::report::{Family, Reason, Verdict};
use super::temporal::settings;
use frontend::formula::{Fair, Logic, Question};
use frontend::{Asserted, Copies, Goal};
use limits::effort::families::{FIRST_STATES, MAX_ALONE, MAX_COPIES, MAX_ENDLESS, MAX_FAMILIES};
use lts::Model;
use progress::Stop;
use std::fmt::Write;
use temporal::View;

/// The strength of the abstraction for families that are larger than those decided one by one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beyond {
    /// It preserves the property, and the search terminates.
    Decided,
    /// It preserves the property, but the search need not terminate.
    Endless,
    /// It does not preserve the property, for this reason.
    Nothing(&'static str),
}

/// The outcome of an abstraction with a cut-off.
enum Counted {
    Proved(Box<Decided>),
    /// A counterexample that is spurious as far as it is known.
    TooCoarse(Option<String>),
    /// A limit on states was reached.
    TooLarge,
}

impl Checker<'_> {
    /// Decides a claim about any number of copies of each of these processes.
    pub(super) fn decide_any_number(&mut self, index: usize, names: &[String]) -> Result<Decided, Failed> {
        if names.len() > MAX_FAMILIES {
            return Err(Failed::unsupported("there are too many families of any number of copies"));
        }
        let first: Vec<Copies> = vec![Copies::Exactly(1); names.len()];
        let asserted = self.semantics.asserted_of(index, &first)?;
        let (is_wanted, beyond) = (is_wanted(&asserted), beyond(&asserted));
        let mut state = Known::default();
        for size in 1..=MAX_COPIES {
            for copies in numbers(names.len(), size, None) {
                match self.decide_family(index, &copies) {
                    Ok(decided) if is_decisive(&decided, is_wanted) => {
                        return Ok(Decided { families: families(names, &copies), ..decided });
                    }
                    Ok(decided) => state.optimum = optimum(&decided).or(state.optimum),
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
                    Ok(Counted::Proved(decided)) => return Ok(*decided),
                    // Smaller cut-offs are coarser still.
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

    /// Decides a claim about families with these numbers of copies.
    fn decide_family(&mut self, index: usize, copies: &[Copies]) -> Result<Decided, Failed> {
        let asserted = self.semantics.asserted_of(index, copies)?;
        self.decide_asserted(&asserted)
    }

    /// Decides a claim about an abstraction. Global fairness there would demand steps that no concrete family has, and
    /// so exclude runs that are fair in truth; the weaker demands that it makes on events and on processes are used
    /// instead.
    fn decide_crowd(&mut self, index: usize, copies: &[Copies]) -> Result<Decided, Failed> {
        let asserted = self.semantics.asserted_of(index, copies)?;
        let Asserted::Satisfies(process, mut question) = asserted else { return self.decide_asserted(&asserted) };
        if question.choices.fairness != Some(Fair::Global) {
            return self.decide_temporal(process, &question);
        }
        let report = settings::describe(&question);
        question.choices.fairness = Some(Fair::EventStrong);
        let mut decided = self.decide_temporal(process, &question)?;
        if !decided.holds {
            question.choices.fairness = Some(Fair::ProcessStrong);
            decided = self.decide_temporal(process, &question)?;
        }
        if let Some(temporal) = &mut decided.temporal {
            temporal.settings = report.settings;
        }
        Ok(decided)
    }

    /// Decides a claim about all families with more copies than a cut-off in at least one position.
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
                Ok(decided) if decided.holds != is_wanted => proved = Some(decided),
                // The limit on states binds each search: one that counts more copies exactly may have fewer states.
                Err(
                    Failed::Stopped(Stop::Budget | Stop::MaxStates)
                    | Failed::Unknown(Reason::BUDGET | Reason::MAX_STATES, _),
                ) => return Ok(Counted::TooLarge),
                Err(Failed::Stopped(stop) | Failed::Unknown(Reason::Stopped(stop), _)) => {
                    return Err(Failed::Stopped(stop));
                }
                Ok(_) => return Ok(Counted::TooCoarse(None)),
                // A failing step of the abstraction may be spurious; a concrete one is found in a concrete family.
                Err(Failed::Error(diagnostic)) => return Ok(Counted::TooCoarse(Some(diagnostic.title))),
                Err(Failed::Unknown(_, why)) => return Ok(Counted::TooCoarse(Some(why))),
                Err(failed) => return Err(failed),
            }
        }
        // A run of the abstraction is no run of a concrete family.
        let counted = |decided| Counted::Proved(Decided { evidence: None, ..decided }.into());
        Ok(proved.map_or(Counted::TooCoarse(None), counted))
    }

    fn failed_family(&self, failed: Failed, names: &[String], copies: &[Copies], state: &Known) -> Failed {
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

    fn failed_counting(&self, failed: Failed, state: &Known) -> Failed {
        match failed {
            Failed::Error(_) | Failed::Open(_) | Failed::Unlike => failed,
            failed => match failed.into_checked(&self.options).verdict {
                Verdict::Unknown(reason, detail) => state.unknown(reason, &detail),
                _ => unreachable!("what is stopped is unknown"),
            },
        }
    }
}

/// Partial results.
#[derive(Default)]
struct Known {
    /// All families up to this number of copies are decided.
    up_to: Option<u32>,
    /// The largest cut-off that is too coarse.
    too_coarse: u32,
    /// The reason, if it is known.
    why: Option<String>,
    /// The last optimum, if one is asked for.
    optimum: Option<i64>,
}

impl Known {
    /// The inconclusive answer, with the partial results.
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

/// Whether the assertion is existential: true if it is true for some number of copies.
fn is_wanted(asserted: &Asserted) -> bool {
    matches!(asserted, Asserted::Reaches { is_wanted: true, .. })
}

/// Whether the verdict on one family decides the assertion.
fn is_decisive(decided: &Decided, is_wanted: bool) -> bool {
    decided.holds == is_wanted && optimum(decided).is_none()
}

/// The optimum that was found.
fn optimum(decided: &Decided) -> Option<i64> {
    match decided.evidence {
        Some(Evidence::Reached { optimum, .. }) => optimum,
        _ => None,
    }
}

/// The strength of the abstraction for an assertion.
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

/// All tuples of numbers of copies whose largest is `largest`; with a cut-off, those in which at least one number is
/// beyond it.
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
