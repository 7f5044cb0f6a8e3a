//! How a formula was read, by which rules, and what it cost.

use super::super::report::Temporal;
use super::subject::Answer;
use frontend::formula::{Fair, Question, Logic};
use ltl::automaton::Class;
use ltl::syntax::Dialect;
use temporal::{Divergence, FiniteRuns, Termination, View};

/// What is known of a question before it is answered.
pub(super) fn describe(question: &Question) -> Temporal {
    let rules = &question.rules;
    let logic = match question.logic {
        Logic::Ltl => "LTL",
        Logic::Ctl => "CTL",
    };
    let dialect = match question.formula.dialect {
        Dialect::ProB => "prob",
        Dialect::Spin => "spin",
        Dialect::SpinCommand => "spin-command",
        Dialect::Pat => "pat",
        Dialect::Csp => "csp",
    };
    let view = match rules.view {
        View::Trace => "trace",
        View::Step => "step",
    };
    let finite_runs = match rules.finite_runs {
        FiniteRuns::Maximal => "maximal",
        FiniteRuns::Stutter => "stutter",
        FiniteRuns::Ignore => "ignore",
    };
    let mut settings = vec![("logic", logic), ("dialect", dialect), ("view", view), ("finite runs", finite_runs)];
    if rules.view == View::Trace {
        settings.push((
            "divergence",
            match rules.divergence {
                Divergence::Report => "report",
                Divergence::Ignore => "ignore",
                Divergence::AsDeadlock => "as-deadlock",
                Divergence::Error => "error",
            },
        ));
        settings.push((
            "termination",
            match rules.termination {
                Termination::AsDeadlock => "as-deadlock",
                Termination::Event => "event",
            },
        ));
    }
    settings.push(("fairness", fairness(question)));
    Temporal {
        reading: question.formula.to_string(),
        settings,
        engine: "automaton",
        remarks: question.remarks.iter().map(|&remark| remark.to_owned()).collect(),
        notes: question.notes.iter().map(|note| note.title.clone()).collect(),
        ..Temporal::default()
    }
}

fn fairness(question: &Question) -> &'static str {
    match question.choices.fairness {
        None | Some(Fair::None) if question.formula.premise.is_some() => "premise",
        None | Some(Fair::None) => "none",
        Some(Fair::EventWeak) => "event-weak",
        Some(Fair::EventStrong) => "event-strong",
        Some(Fair::ProcessWeak) => "process-weak",
        Some(Fair::ProcessStrong) => "process-strong",
        Some(Fair::Global) => "global",
    }
}

/// Adds what a search cost.
pub(super) fn count(report: &mut Temporal, answer: &Answer) {
    report.n_nodes += answer.statistics.n_nodes;
    report.engine = answer.engine;
    let Some(size) = answer.statistics.automaton else { return };
    let class = match size.class {
        Class::Terminal => "terminal",
        Class::Weak => "weak",
        Class::General => "general",
    };
    if report.automaton.is_none_or(|(n_states, ..)| n_states <= size.n_states) {
        report.automaton = Some((size.n_states, size.n_sets, class));
    }
}
