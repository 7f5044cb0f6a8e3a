//! Systems made smaller for one property at a time.

use super::super::checker::Checker;
use super::super::failed::Failed;
use super::super::report::{Checked, Temporal, Verdict};
use super::subject::{Form, FoundRun, Subject};
use frontend::formula::{Question, Reduce, Written};
use explore::Reduction;
use std::sync::Arc;
use temporal::reduction;
use temporal::{Divergence, Property, View, silence};

/// Says that nothing is left out for a formula of branching time, if somebody wanted that.
pub(super) fn refuse_branching(question: &Question, report: &mut Temporal) {
    if !matches!(question.choices.reduce, None | Some(Reduce::None)) {
        refuse(report, "branching time sees every choice");
    }
}

/// Whether somebody wants a reduction that can be tried; if it cannot be, the report says why.
pub(super) fn is_wanted(subject: &Subject<'_>, question: &Question, report: &mut Temporal) -> bool {
    match (question.choices.reduce, &subject.form) {
        (None | Some(Reduce::None), _) => false,
        (Some(_), Form::Network { .. }) => true,
        (Some(_), Form::States { .. }) => {
            refuse(report, "the process is no network of components");
            false
        }
    }
}

impl Checker<'_> {
    /// Decides properties one by one, each on as little of the system as it can see.
    pub(super) fn decide_reduced(
        &mut self,
        subject: &mut Subject<'_>,
        question: &Question,
        properties: &[(Property, Written)],
        report: &mut Temporal,
    ) -> Result<Checked, Failed> {
        let asks_for_silence = question.rules.view == View::Trace && question.rules.divergence == Divergence::Report;
        let plain: Vec<Property> = properties.iter().map(|(property, _)| property.clone()).collect();
        let is_needed = needed(subject, question, &plain, report);
        for (property, _) in properties.iter().zip(is_needed).filter(|(_, is_needed)| *is_needed) {
            set_reduction(subject, reduction_for(subject, question, std::slice::from_ref(&property.0), report));
            let checked = loop {
                match self.decide_linear(subject, question, std::slice::from_ref(property), report)? {
                    Some(checked) => break checked,
                    None => self.explore_further(subject)?,
                }
            };
            if !matches!(checked.verdict, Verdict::Holds) {
                return Ok(checked);
            }
        }
        if asks_for_silence {
            self.find_silence(subject, question, report)?;
        }
        Ok(Checked::new(Verdict::Holds, None))
    }

    /// Looks for divergences in the smaller system: none is lost in it.
    fn find_silence(
        &mut self,
        subject: &mut Subject<'_>,
        question: &Question,
        report: &mut Temporal,
    ) -> Result<(), Failed> {
        // Compressions keep what formulas see, and that is less.
        let Form::Network { lowered, actions, .. } = &subject.form else { return Ok(()) };
        if lowered.is_compressed {
            return Ok(());
        }
        report.is_divergence_known = true;
        if !reduction::may_diverge(actions) {
            return Ok(());
        }
        if subject.structure().is_none() {
            self.explore_further(subject)?;
        }
        let found = subject.structure().and_then(|structure| silence::find(structure, &question.rules));
        if let Some(FoundRun::Network(run)) = found.map(|run| subject.run(run)).transpose()? {
            let told = self.tell_network_run(subject, &run)?;
            report.divergence_note = Some(super::divergence_note(&told));
        }
        Ok(())
    }
}

/// Which properties must be decided.
fn needed(subject: &Subject<'_>, question: &Question, properties: &[Property], report: &mut Temporal) -> Vec<bool> {
    let Form::Network { actions, .. } = &subject.form else { return vec![true; properties.len()] };
    if question.choices.reduce != Some(Reduce::Symmetry) {
        return vec![true; properties.len()];
    }
    let is_needed = reduction::needed(actions, properties);
    let n_needed = is_needed.iter().filter(|&&is_needed| is_needed).count();
    if n_needed < properties.len() {
        let n = properties.len();
        report.reductions.push(format!("by symmetry, {n_needed} of {n} parts of the formula decide all"));
    }
    is_needed
}

/// The reduction that was asked for, or none, with the reason in the report.
fn reduction_for(
    subject: &Subject<'_>,
    question: &Question,
    properties: &[Property],
    report: &mut Temporal,
) -> Reduction {
    let Form::Network { actions, .. } = &subject.form else { return Reduction::None };
    let reduction = match question.choices.reduce {
        None | Some(Reduce::None) => return Reduction::None,
        Some(Reduce::PartialOrder) => reduction::partial_order(actions, properties, &question.rules)
            .map(|order| ("partial-order", Reduction::PartialOrder(Arc::new(order)))),
        Some(Reduce::Symmetry) => reduction::symmetry(actions, properties).map(|symmetry| {
            tell(report, format!("{} symmetries", symmetry.order()));
            ("symmetry", Reduction::Symmetry(Arc::new(symmetry)))
        }),
    };
    match reduction {
        Ok((name, reduction)) => {
            report.settings.retain(|(setting, _)| *setting != "reduction");
            report.settings.push(("reduction", name));
            reduction
        }
        Err(refusal) => {
            refuse(report, refusal);
            Reduction::None
        }
    }
}

fn refuse(report: &mut Temporal, why: impl std::fmt::Display) {
    tell(report, format!("not reduced: {why}"));
}

fn tell(report: &mut Temporal, note: String) {
    if !report.reductions.contains(&note) {
        report.reductions.push(note);
    }
}

fn set_reduction(subject: &mut Subject<'_>, new: Reduction) {
    if let Form::Network { reduction, explored, .. } = &mut subject.form {
        (*reduction, *explored) = (new, None);
    }
}
