//! Deep terms, long chains of calls, large and endless state spaces.

use model::{EventId, EventTable};
use process::{
    CallId, FailureId, Lts, MAX_OPEN_CALLS, StepError, StepTable, StopReason, Term, TermId, Terms, Unfinished, Unfold,
    explore,
};
use progress::{Interrupt, NoProgress, Progress, Statistics};
use source::{Diagnostic, Span};
use std::ops::ControlFlow;
use test_support::processes::text::Printer;
use test_support::processes::world::{event, set};

/// Calls that stand for a function of their number.
struct Numbered<F: FnMut(&mut Terms, u32) -> TermId>(F);

impl<F: FnMut(&mut Terms, u32) -> TermId> Unfold for Numbered<F> {
    fn unfold(&mut self, terms: &mut Terms, call: CallId) -> Result<TermId, Box<Diagnostic>> {
        Ok((self.0)(terms, call.0))
    }

    fn call_text(&mut self, call: CallId) -> String {
        format!("P({})", call.0)
    }

    fn call_span(&self, _: CallId) -> Span {
        Span::new(0, 1)
    }

    fn failure(&self, _: FailureId) -> &Diagnostic {
        unreachable!("nothing fails here")
    }
}

fn call(terms: &mut Terms, number: u32) -> TermId {
    terms.intern(Term::Call(CallId(number)))
}

fn run(unfold: &mut dyn Unfold, terms: &mut Terms, root: TermId, max_states: usize) -> Result<Lts, Box<Unfinished>> {
    explore(&mut StepTable::new(), terms, unfold, root, max_states, &NoProgress)
}

#[test]
fn terms_may_be_very_deep() {
    const DEPTH: usize = 100_000;
    let operators: [fn(&mut Terms, TermId) -> Term; 6] = [
        |_, inner| Term::Hide(inner, set("b")),
        |_, inner| Term::Rename(inner, [(EventId(0), EventId(0))].into()),
        |terms, inner| Term::Sequential(inner, terms.intern(Term::Stop)),
        |terms, inner| Term::ExternalChoice([inner, terms.intern(Term::Stop)].into()),
        |terms, inner| Term::Parallel([terms.intern(Term::Stop), inner].into(), set("b")),
        |_, inner| Term::Prioritise(inner, [set("a")].into()),
    ];
    for operator in operators {
        let mut terms = Terms::default();
        let skip = terms.intern(Term::Skip);
        let mut term = terms.intern(Term::Prefix(event('a'), skip));
        for _ in 0..DEPTH {
            let outer = operator(&mut terms, term);
            term = terms.intern(outer);
        }
        let mut unfold = Numbered(|_, _| unreachable!("there are no calls"));
        let lts = run(&mut unfold, &mut terms, term, 10).expect("a few states");
        assert!(lts.n_states() >= 2);
        let events = &EventTable::default();
        assert_eq!(Printer { terms: &terms, events, unfold: &mut unfold, max_depth: 0 }.print(term), "...");
    }
}

#[test]
fn calls_may_lead_to_calls_for_long() {
    let mut terms = Terms::default();
    let mut unfold = Numbered(|terms: &mut Terms, number| match number {
        0 => terms.intern(Term::Skip),
        n => call(terms, n - 1),
    });
    let start = call(&mut terms, MAX_OPEN_CALLS as u32 / 2);
    let lts = run(&mut unfold, &mut terms, start, 10).expect("it ends");
    assert_eq!(lts.n_states(), 2);
}

#[test]
fn calls_that_lead_to_calls_for_ever_are_an_error() {
    let mut terms = Terms::default();
    let mut unfold = Numbered(|terms: &mut Terms, number| {
        let stop = terms.intern(Term::Stop);
        let next = call(terms, number + 1);
        terms.intern(Term::ExternalChoice([stop, next].into()))
    });
    let start = call(&mut terms, 0);
    let StopReason::Error(0, error) = run(&mut unfold, &mut terms, start, 10).expect_err("it does not end").reason
    else {
        panic!("the first state has no steps");
    };
    assert_eq!(error, StepError::Endless(CallId(MAX_OPEN_CALLS as u32), MAX_OPEN_CALLS));
    let diagnostic = error.diagnose(&mut unfold, Span::new(0, 0));
    assert_eq!(
        diagnostic.title,
        format!("`P({MAX_OPEN_CALLS})` is the {MAX_OPEN_CALLS}th call without an event in between")
    );
}

/// `P(n) = a -> P(n + 1)`.
fn counter() -> impl Unfold {
    Numbered(|terms: &mut Terms, number| {
        let next = call(terms, number + 1);
        terms.intern(Term::Prefix(event('a'), next))
    })
}

#[test]
fn an_endless_state_space_ends_at_the_limit() {
    let mut terms = Terms::default();
    let start = call(&mut terms, 0);
    let unfinished = run(&mut counter(), &mut terms, start, 50_000).expect_err("it does not end");
    assert!(matches!(unfinished.reason, StopReason::Stopped(progress::Stop::MaxStates)));
    assert_eq!(unfinished.lts.n_states(), 50_001);
}

/// Ends a search soon after it has met so many states.
struct UpTo(u64);

impl Progress for UpTo {
    fn tick(&self, so_far: &Statistics) -> ControlFlow<Interrupt> {
        if so_far.n_states > self.0 { ControlFlow::Break(Interrupt::Cancelled) } else { ControlFlow::Continue(()) }
    }
}

#[test]
fn a_search_can_be_canceled() {
    let mut terms = Terms::default();
    let start = call(&mut terms, 0);
    let mut table = StepTable::new();
    let unfinished = explore(&mut table, &mut terms, &mut counter(), start, usize::MAX, &UpTo(5000));
    let unfinished = unfinished.expect_err("it does not end");
    assert!(matches!(unfinished.reason, StopReason::Stopped(progress::Stop::Interrupted(Interrupt::Cancelled))));
    assert!((5000..7000).contains(&unfinished.lts.n_states()));
}

#[test]
fn independent_cells_have_as_many_states_as_they_should() {
    let mut terms = Terms::default();
    let mut unfold = Numbered(|terms: &mut Terms, number| {
        let again = call(terms, number);
        let back = terms.intern(Term::Prefix(event('b'), again));
        terms.intern(Term::Prefix(event('a'), back))
    });
    let cells: Vec<TermId> = (0..12).map(|number| call(&mut terms, number)).collect();
    let all = terms.intern(Term::Interleave(cells.into()));
    let lts = run(&mut unfold, &mut terms, all, 1 << 20).expect("it is finite");
    assert_eq!((lts.n_states(), lts.n_edges()), (1 << 12, 12 << 12));
}
