//! Whether a formula has a meaning in its logic and its view.

use super::{Choices, Fair, Logic, errors};
use ltl::syntax::{Atom, Binary, EventPattern, Form, Formula, Node, StateWord, Unary};
use property::{FiniteRuns, Rules, Termination, View};
use source::{Diagnostic, Span};

/// The view of a formula: of traces, unless it speaks of states.
pub(super) fn view(formula: &Formula, logic: Logic, choices: Choices) -> View {
    let speaks_of_steps = |node: &Node| match &node.form {
        Form::Atom(Atom::Predicate(_)) => true,
        Form::Unary(Unary::Yesterday | Unary::WeakYesterday | Unary::Once | Unary::Historically, _) => true,
        Form::Binary(Binary::Since | Binary::WeakSince | Binary::Trigger, ..) => true,
        form => needs_steps(form, choices.termination).is_some(),
    };
    let needs_steps = logic == Logic::Ctl || formula.nodes.iter().any(speaks_of_steps);
    choices.view.unwrap_or(if needs_steps { View::Step } else { View::Trace })
}

/// The replacement for an atom that has no meaning in the trace view.
fn needs_steps(form: &Form, termination: Option<Termination>) -> Option<&'static str> {
    match form {
        Form::Atom(Atom::Enabled(_) | Atom::WeaklyEnabled(_) | Atom::Available(_)) => {
            Some("write `[a]` for the next event, whatever else is possible")
        }
        Form::Atom(Atom::DeadlockOf(_) | Atom::Deterministic(_) | Atom::Controller(_)) => {
            Some("write `deadlock` where nothing more happens")
        }
        Form::Atom(Atom::State(StateWord::Sink | StateWord::NonDet | StateWord::Current)) => {
            Some("write `deadlock` where nothing more happens")
        }
        Form::Atom(Atom::Step(EventPattern::Tau)) => Some("silent steps belong to the event that follows"),
        Form::Atom(Atom::Step(EventPattern::Tick)) if termination != Some(Termination::Event) => {
            Some("write `terminated`, or choose `termination=event`")
        }
        _ => None,
    }
}

/// Parts of a formula that mean nothing in CSP, in its logic or in its view.
pub(super) fn meanings(formula: &Formula, logic: Logic, rules: Rules) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for id in formula.ids() {
        let Node { form, span } = formula.node(id);
        let text = || formula.text_of(id);
        match form {
            Form::Atom(Atom::Change(..)) => {
                found.push(errors::without_meaning(&text(), "states of processes have no variables", *span));
            }
            Form::Atom(Atom::State(StateWord::Goal | StateWord::Error | StateWord::DetOutput)) => {
                found.push(errors::without_meaning(&text(), "processes have no such property", *span));
            }
            Form::Atom(Atom::Step(_)) if logic == Logic::Ctl => {
                found.push(errors::step_in_branching(&text(), *span));
            }
            _ => {}
        }
        if rules.view == View::Trace
            && logic == Logic::Ltl
            && let Some(help) = needs_steps(form, Some(rules.termination))
        {
            found.push(errors::not_in_trace_view(&text(), help, *span));
        }
        let events = form.patterns().iter().flat_map(EventPattern::events);
        found.extend(events.filter(|event| !event.results.is_empty()).map(|_| errors::operation_results(*span)));
    }
    found
}

/// Choices that the logic does not leave.
pub(super) fn choices(logic: Logic, choices: Choices, span: Span) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if logic == Logic::Ctl && choices.view == Some(View::Trace) {
        found.push(errors::branching_view(span));
    }
    if logic == Logic::Ctl && choices.finite_runs.is_some_and(|rule| rule != FiniteRuns::Maximal) {
        found.push(errors::branching_runs(span));
    }
    if logic == Logic::Ctl && choices.fairness.and_then(Fair::condition).is_some() {
        found.push(errors::branching_fairness(span));
    }
    found
}
