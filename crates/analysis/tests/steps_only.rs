//! A language whose processes have steps and nothing else, neither networks nor names nor places, is checked like any
//! other.

use analysis::check::{Checker, Fault, Method, Options, Verdict};
use analysis::{NoProgress, Progress, Session};
use frontend::{
    ActiveDomains, Asserted, Assertion, Compile, Data, Failure, Families, Formulas, Kind, Language, Lift, Narrate,
    Opening, Participation, Script, Semantics, Sides, State, Step, Timed,
};
use lts::{Label, Model};
use model::EventTable;
use source::{SourceMap, Span};
use std::sync::Arc;
use test_support::files::MemoryFiles;

/// A script is a number; its process counts up to it and stops.
#[derive(Debug)]
struct Counting;

impl Language for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn open(&self, opening: &Opening<'_>) -> Box<dyn Script> {
        let text = String::from_utf8(opening.files.read(opening.path).unwrap()).unwrap();
        let mut map = SourceMap::new();
        map.add(opening.path, &text);
        Box::new(Count { map, most: text.trim().parse().unwrap() })
    }
}

#[derive(Debug)]
struct Count {
    map: SourceMap,
    most: u32,
}

impl Script for Count {
    fn source_map(&self) -> &SourceMap {
        &self.map
    }

    fn assertions(&self) -> Vec<Assertion> {
        let kinds = [Kind::DeadlockFree(None), Kind::DivergenceFree(None), Kind::Refinement(Model::Failures)];
        let assertion = |(place, kind): (usize, Kind)| Assertion {
            index: place + 1,
            span: Span::default(),
            text: kind.name().to_owned(),
            kind,
            sides: Sides::default(),
            negated: false,
            is_asked: false,
            reduce: None,
        };
        kinds.into_iter().enumerate().map(assertion).collect()
    }

    fn semantics(&self, _: Arc<dyn Progress>) -> Box<dyn Semantics + '_> {
        let mut events = EventTable::default();
        events.intern("up");
        Box::new(Counter { most: self.most, events })
    }
}

struct Counter {
    most: u32,
    events: EventTable,
}

impl Compile for Counter {}
impl Lift for Counter {}
impl Narrate for Counter {}
impl Participation for Counter {}
impl Data for Counter {}
impl Timed for Counter {}
impl Formulas for Counter {}
impl Families for Counter {}
impl ActiveDomains for Counter {}

impl Semantics for Counter {
    fn events(&self) -> &EventTable {
        &self.events
    }

    fn asserted(&mut self, index: usize) -> Result<Asserted, Failure> {
        let (first, model) = (State(0), Model::Failures);
        Ok(match index {
            1 => Asserted::DeadlockFree(first, model),
            2 => Asserted::DivergenceFree(first),
            _ => Asserted::Refines { specification: first, implementation: first, model },
        })
    }

    fn asserted_process(&mut self, _: usize) -> Result<State, Failure> {
        Ok(State(0))
    }

    fn steps(&mut self, state: State, steps: &mut Vec<Step>) -> Result<(), Failure> {
        steps.extend((state.0 < self.most).then_some(Step { label: Label(2), target: State(state.0 + 1) }));
        Ok(())
    }
}

fn check(method: Method) -> Vec<Verdict> {
    let files = MemoryFiles::of("five", "5");
    let session = Session::open(&files, "five", Some(&Counting));
    let mut checker = Checker::new(&session, Options { progress: Arc::new(NoProgress), method, ..Options::default() });
    let checked = checker.check(1);
    let verdicts = vec![checked.verdict, checker.check(2).verdict, checker.check(3).verdict];
    if let Some(found) = checked.counterexample {
        assert!(matches!(found.fault, Fault::Deadlock), "{:?}", found.fault);
        assert_eq!(found.steps.iter().map(|step| step.event.as_str()).collect::<Vec<_>>(), ["up"; 5]);
    }
    verdicts
}

#[test]
fn steps_are_enough() {
    for method in [Method::Auto, Method::Search] {
        let verdicts = check(method);
        assert!(matches!(verdicts[..], [Verdict::Fails, Verdict::Holds, Verdict::Holds]), "{verdicts:?}");
    }
}

#[test]
fn engines_that_need_a_network_say_so() {
    let verdicts = check(Method::Zones);
    assert!(verdicts.iter().all(|verdict| matches!(verdict, Verdict::Unknown(..))), "{verdicts:?}");
}
