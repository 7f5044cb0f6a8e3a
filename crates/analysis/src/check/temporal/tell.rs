//! Truth values of formulas along a run.

use super::super::checker::Checker;
use super::super::replay::{Replayed, ReplayedRun, Shown};
use super::super::report::{EventReading, Finding, Truth};
use super::cut::Cut;
use super::replay::ending_as_fault;
use frontend::formula::{Question, Written, is_unmet};
use limits::display::formulas::{MAX_SET_LABELS, MAX_TRUTHS};
use ltl::logic::{Atom, Formula, Node, Store, text};
use ltl::syntax::Dialect;
use lts::Label;
use temporal::{Fact, Labels, Property, Rules, Run, Structure};

/// A judged run.
pub(super) struct Seen<'a> {
    pub(super) structure: &'a Structure,
    pub(super) property: &'a Property,
    pub(super) written: &'a Written,
    pub(super) rules: &'a Rules,
    pub(super) reading: EventReading,
    pub(super) run: &'a Run,
}

/// The step beside which the truth values of a position are shown.
pub(super) fn reading(question: &Question) -> EventReading {
    match question.formula.dialect {
        Dialect::Pat => EventReading::Arriving,
        Dialect::ProB | Dialect::Spin | Dialect::SpinCommand | Dialect::Csp => EventReading::Leaving,
    }
}

impl Checker<'_> {
    /// A replayed run with the truths of the parts of the formula along it.
    pub(super) fn shown_in_formula(
        &self,
        run: ReplayedRun,
        seen: &Seen<'_>,
        cut: &Cut,
        served: Vec<String>,
    ) -> Replayed {
        let Property { store, formula, facts, .. } = seen.property;
        let parts = telling_parts(store, *formula);
        let name = |atom: Atom| self.fact_text(&facts[atom.0 as usize]);
        let truths = parts.iter().zip(seen.values(cut, &parts)).map(|(&part, values)| match self.written(seen, part) {
            Some((formula, true)) => Truth { formula, values: values.iter().map(|value| !value).collect() },
            Some((formula, false)) => Truth { formula, values },
            None => Truth { formula: text(store, part, &name), values },
        });
        let shows = Shown::Finding(Finding::Temporal {
            ending: cut.extent.ending,
            sealed: cut.sealed,
            positions: cut.positions.clone(),
            reading: seen.reading,
            truths: truths.filter(|truth| !truth.values.is_empty()).collect(),
            served,
        });
        Replayed { run, fault: ending_as_fault(cut.extent.ending), shows }
    }

    /// A part of the formula as written, and whether it stands under a negation. Events always have the same form.
    fn written(&self, seen: &Seen<'_>, part: Formula) -> Option<(String, bool)> {
        let is_event = |atom: &Atom| matches!(seen.property.facts[atom.0 as usize], Fact::Takes(_));
        if matches!(seen.property.store.get(part), Node::Literal(atom, _) if is_event(atom)) {
            return None;
        }
        let place = seen.written.get(&part)?;
        let words: Vec<&str> = self.session.source_map().text(place.span).split_whitespace().collect();
        Some((words.join(" "), place.is_negated))
    }

    fn fact_text(&self, fact: &Fact) -> String {
        match fact {
            Fact::Takes(labels) => format!("[{}]", self.labels_text(labels)),
            Fact::Enables(labels) => format!("e({})", self.labels_text(labels)),
            Fact::EnablesSilently(labels) => format!("e*({})", self.labels_text(labels)),
            Fact::Stuck => "deadlock".to_owned(),
            Fact::Sink => "sink".to_owned(),
            Fact::Branches => "non_det".to_owned(),
            Fact::Terminated => "terminated".to_owned(),
            Fact::Initial => "current".to_owned(),
            Fact::Among(_) | Fact::Holds(_) => "{..}".to_owned(),
        }
    }

    pub(super) fn labels_text(&self, labels: &Labels) -> String {
        let met: Vec<Label> = labels.iter().filter(|&label| !is_unmet(label)).collect();
        let mut names: Vec<String> = met.iter().take(MAX_SET_LABELS).map(|&label| self.label_text(label)).collect();
        let more = met.len().saturating_sub(MAX_SET_LABELS);
        if more > 0 {
            names.push(format!("{more} more"));
        }
        names.join(", ")
    }
}

/// The parts of a formula whose truth values explain its own: atoms and temporal subformulas, the outermost first.
fn telling_parts(store: &Store, formula: Formula) -> Vec<Formula> {
    let mut parts = store.below(formula);
    parts.retain(|&part| part != formula && is_telling(store.get(part)));
    // A negated atom adds nothing to the atom.
    parts.sort_unstable_by_key(|part| part.index());
    parts.reverse();
    parts.truncate(MAX_TRUTHS);
    parts.reverse();
    parts
}

fn is_telling(node: &Node) -> bool {
    !matches!(node, Node::True | Node::False | Node::And(_) | Node::Or(_))
}
