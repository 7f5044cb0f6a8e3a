//! Settings and statistics of formulas.

use super::super::report::Temporal;
use decide::{Algorithm, FormulaDetails, FormulaReduced as Reduced};
use frontend::formula::{Fair, Logic, Question, Zeno};
use ltl::automaton::Class;
use ltl::syntax::Dialect;
use property::{Notion, ReductionKind as Kind};
use temporal::{Divergence, FiniteRuns, Termination, View};

/// The formula and its settings.
pub(in crate::check) fn describe(question: &Question) -> Temporal {
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
    if question.choices.zeno == Some(Zeno::Excluded) {
        settings.push(("zeno", "excluded"));
    }
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
    match question.choices.fairness.and_then(Fair::notion) {
        Some(fair) => notion(fair),
        None if question.formula.premise.is_some() => "premise",
        None => "none",
    }
}

/// Adds the engine and the size of its search.
pub(super) fn tell(report: &mut Temporal, details: &FormulaDetails) {
    report.engine = match details.algorithm {
        Algorithm::Automaton => "automaton",
        Algorithm::Tableau => "tableau",
        Algorithm::Labeling => "labeling",
    };
    report.n_nodes = details.statistics.n_nodes;
    report.automaton = details.statistics.automaton.map(|size| (size.n_states, size.n_sets, class(size.class)));
    report.settings.extend(details.reduction.map(|kind| ("reduction", reduction(kind))));
    report.reductions = details.reduced.iter().map(reduced).collect();
}

fn class(class: Class) -> &'static str {
    match class {
        Class::Terminal => "terminal",
        Class::Weak => "weak",
        Class::General => "general",
    }
}

fn reduction(kind: Kind) -> &'static str {
    match kind {
        Kind::PartialOrder => "partial-order",
        Kind::Symmetry => "symmetry",
    }
}

fn reduced(note: &Reduced) -> String {
    match note {
        Reduced::Parts { n_needed, n_all } => {
            format!("by symmetry, {n_needed} of {n_all} parts of the formula decide all")
        }
        Reduced::Symmetries(order) => format!("{} symmetries", explore::symmetry::order_text(*order)),
        Reduced::Refused(why) => format!("not reduced: {why}"),
    }
}

/// Stable name of a notion of fairness.
pub(super) fn notion(notion: Notion) -> &'static str {
    match notion {
        Notion::Annotated => "annotated",
        Notion::EventWeak => "event-weak",
        Notion::ProcessWeak => "process-weak",
        Notion::EventStrong => "event-strong",
        Notion::ProcessStrong => "process-strong",
        Notion::Global => "global",
    }
}
