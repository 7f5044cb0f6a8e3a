//! A counterexample in the words of the script: who did what, where it is defined, and what is wrong.

use super::checker::Checker;
use super::{Component, Counterexample, Fault, Part, Step};
use check::Fault as Found;
use lts::Label;
use model::EventId;
use model::network::Configuration;
use process::compile::Compiled;
use process::{CallId, Interpreter, Run, TermId};
use source::Span;
use std::collections::HashMap;

/// Components that are told by name.
const MAX_COMPONENTS: usize = 1000;
/// Where the name of a component is cut.
const LONGEST_NAME: usize = 200;

/// The components met so far.
#[derive(Default)]
struct Cast {
    components: Vec<Component>,
    by_path: HashMap<Vec<u32>, usize>,
}

impl Checker<'_> {
    /// Tells a run of terms.
    pub(super) fn tell_run(&mut self, run: &Run, labels: &[Label], fault: &Found) -> Counterexample {
        let mut cast = Cast::default();
        for component in self.table.components(&self.terms, run.start, MAX_COMPONENTS) {
            self.enter(&mut cast, component);
        }
        let mut steps = Vec::new();
        for (place, &label) in labels.iter().enumerate() {
            let (before, (index, _)) = (run.term(place), run.steps[place]);
            let mut parts = Vec::new();
            for share in self.table.shares(&self.terms, before, index) {
                let component = match cast.by_path.get(&share.path) {
                    Some(&known) => known,
                    None => self.enter_late(&mut cast, before, share.path),
                };
                let place = share.calls.last().map(|&call| process::Unfold::call_span(&self.evaluator, call));
                let event = self.label_text(process::compile::seen(share.label));
                let process = share.calls.last().map(|&call| self.call_name(call));
                parts.push(Part { component, event, process, place });
            }
            steps.push(Step { event: self.label_text(label), is_visible: label != Label::TAU, parts });
        }
        if matches!(fault, Found::Deadlock | Found::Refusal { .. } | Found::Nondeterminism(..)) {
            self.add_wants(&mut cast, run.end());
        }
        Counterexample { components: cast.components, steps, fault: self.fault_text(fault) }
    }

    /// What each component could do by itself.
    fn add_wants(&mut self, cast: &mut Cast, end: TermId) {
        for component in self.table.components(&self.terms, end, MAX_COMPONENTS) {
            let Some(&number) = cast.by_path.get(&component.path) else { continue };
            let Checker { table, terms, evaluator, .. } = self;
            let labels = Interpreter { table, terms, unfold: evaluator }.labels(component.term).unwrap_or_default();
            cast.components[number].wants = labels.into_iter().map(|label| self.label_text(label)).collect();
        }
    }

    /// Tells a run of a network whose machines are no terms.
    pub(super) fn tell_network(
        &mut self,
        compiled: &Compiled,
        start: &Configuration,
        path: &[(Label, Configuration)],
        fault: &Found,
    ) -> Counterexample {
        let mut components = Vec::new();
        let mut numbers = HashMap::new();
        let mut steps = Vec::new();
        let mut before = start;
        for (label, after) in path {
            let mut parts = Vec::new();
            for (machine, term, event) in compiled.movers(before, *label, after) {
                let component = *numbers.entry(machine).or_insert_with(|| {
                    components.push((machine, term));
                    components.len() - 1
                });
                parts.push(Part { component, event: self.label_text(event), process: None, place: None });
            }
            steps.push(Step { event: self.label_text(*label), is_visible: *label != Label::TAU, parts });
            before = after;
        }
        let components = components.into_iter().map(|(_, term)| self.machine(term)).collect();
        Counterexample { components, steps, fault: self.fault_text(fault) }
    }

    /// The machine that was made of a term.
    pub(super) fn machine(&mut self, term: TermId) -> Component {
        self.component(&process::Component { path: Vec::new(), term, calls: Vec::new() })
    }

    fn enter(&mut self, cast: &mut Cast, found: process::Component) -> usize {
        let component = self.component(&found);
        cast.components.push(component);
        cast.by_path.insert(found.path, cast.components.len() - 1);
        cast.components.len() - 1
    }

    /// A component that was not there at the start.
    fn enter_late(&mut self, cast: &mut Cast, whole: TermId, path: Vec<u32>) -> usize {
        let all = self.table.components(&self.terms, whole, MAX_COMPONENTS);
        let found = all.into_iter().find(|component| component.path == path);
        self.enter(cast, found.unwrap_or(process::Component { path, term: whole, calls: Vec::new() }))
    }

    fn call_name(&mut self, call: CallId) -> String {
        self.evaluator.call_name(&mut self.terms, call, LONGEST_NAME)
    }

    /// A component by the shortest name it has.
    fn component(&mut self, found: &process::Component) -> Component {
        let mut named: Vec<(String, Option<Span>)> = Vec::new();
        for &call in &found.calls {
            let name = self.call_name(call);
            named.push((name, Some(process::Unfold::call_span(&self.evaluator, call))));
        }
        let shortest = named.into_iter().min_by_key(|(name, _)| name.len());
        let (name, place) = shortest.unwrap_or_else(|| {
            let place = match self.terms.get(found.term) {
                process::Term::Call(call) => Some(process::Unfold::call_span(&self.evaluator, *call)),
                _ => None,
            };
            (self.evaluator.term_text(&mut self.terms, found.term, LONGEST_NAME), place)
        });
        Component { name, place, wants: Vec::new() }
    }

    fn fault_text(&self, fault: &Found) -> Fault {
        tell_fault(fault, |label| self.label_text(label))
    }

    pub(super) fn label_text(&self, label: Label) -> String {
        match label {
            Label::TAU => "tau".to_owned(),
            Label::TICK => "tick".to_owned(),
            Label(number) => self.evaluator.events().text(EventId(number - 2)).to_owned(),
        }
    }
}

/// What is wrong, with names for labels.
pub(super) fn tell_fault(fault: &Found, name: impl Fn(Label) -> String) -> Fault {
    let all = |labels: &[Label]| labels.iter().map(|&label| name(label)).collect::<Vec<_>>();
    match fault {
        Found::Event(allowed) => Fault::Event(all(allowed)),
        Found::Refusal { accepted, demanded } => {
            Fault::Refusal(all(accepted), demanded.iter().map(|set| all(set)).collect())
        }
        Found::Deadlock => Fault::Deadlock,
        Found::Divergence(start) => Fault::Divergence(*start),
        Found::Missing { event, possible } => Fault::Missing(name(*event), all(possible)),
        Found::Nondeterminism(event, accepted) => Fault::Nondeterminism(name(*event), all(accepted)),
        Found::Failure(_) => unreachable!("processes have no variables"),
    }
}
