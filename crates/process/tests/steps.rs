//! The steps of each operator, one by one, and who takes them.

use model::EventId;
use process::{CallId, Compression, Label, StepError, Term, TermId};
use test_support::processes::world::{World, event, relation, set};

/// A world with a few processes to build from.
struct Bench {
    world: World,
    stop: TermId,
    skip: TermId,
}

impl Bench {
    fn new() -> Bench {
        let mut world = World::default();
        let (stop, skip) = (world.term(Term::Stop), world.term(Term::Skip));
        Bench { world, stop, skip }
    }

    fn term(&mut self, term: Term) -> TermId {
        self.world.term(term)
    }

    /// `letter -> STOP`.
    fn letter(&mut self, letter: char) -> TermId {
        let stop = self.stop;
        self.term(Term::Prefix(event(letter), stop))
    }

    /// `STOP |~| STOP`, as two different terms: a process with internal steps to tell apart.
    fn undecided(&mut self) -> TermId {
        let (stop, skip) = (self.stop, self.skip);
        self.term(Term::InternalChoice([stop, skip].into()))
    }

    fn define(&mut self, body: Term) -> TermId {
        let body = self.term(body);
        self.world.definitions.bodies.push(body);
        let last = self.world.definitions.bodies.len() as u32 - 1;
        self.term(Term::Call(CallId(last)))
    }

    /// `label: target` for every step.
    fn steps(&mut self, term: TermId) -> Vec<String> {
        let World { terms, definitions, table, .. } = &mut self.world;
        let steps = table.steps(terms, definitions, term).expect("the term has steps").to_vec();
        steps.iter().map(|step| format!("{}: {}", label_text(step.label), self.world.text(step.target))).collect()
    }

    fn error(&mut self, term: TermId) -> StepError {
        let World { terms, definitions, table, .. } = &mut self.world;
        table.steps(terms, definitions, term).expect_err("the term has no steps")
    }

    /// The components that take each step.
    fn teams(&mut self, term: TermId) -> Vec<Vec<Vec<u32>>> {
        let World { terms, definitions, table, .. } = &mut self.world;
        let steps = table.steps(terms, definitions, term).expect("the term has steps").to_vec();
        steps.iter().map(|step| table.teams().paths(step.team).expect("few")).collect()
    }
}

fn label_text(label: Label) -> String {
    match label {
        Label::TAU => "tau".into(),
        Label::TICK => "tick".into(),
        event => test_support::processes::world::LETTERS[EventId::of(event).expect("an event").index()].into(),
    }
}

/// Compares the steps of the term that `build` makes with the lines of `expected`.
#[track_caller]
fn check_steps(build: impl FnOnce(&mut Bench) -> Term, expected: &[&str]) {
    let mut bench = Bench::new();
    let term = build(&mut bench);
    let term = bench.term(term);
    assert_eq!(bench.steps(term), expected, "{}", bench.world.text(term));
}

#[test]
fn leaves() {
    check_steps(|_| Term::Stop, &[]);
    check_steps(|_| Term::Omega, &[]);
    check_steps(|_| Term::Skip, &["tick: OMEGA"]);
    check_steps(|_| Term::Div, &["tau: DIV"]);
    check_steps(|_| Term::Run(set("ab")), &["a: RUN({a, b})", "b: RUN({a, b})"]);
    check_steps(|_| Term::Chaos(set("ab")), &["tau: STOP", "tau: ?e:{a, b} -> CHAOS({a, b})"]);
    check_steps(|_| Term::Chaos(set("")), &["tau: STOP"]);
}

#[test]
fn choices() {
    check_steps(
        |b| Term::ExternalChoice([b.letter('a'), b.skip, b.undecided()].into()),
        &["a: STOP", "tick: OMEGA", "tau: (a -> STOP) [] SKIP [] STOP", "tau: (a -> STOP) [] SKIP [] SKIP"],
    );
    check_steps(|b| Term::InternalChoice([b.stop, b.skip, b.stop].into()), &["tau: STOP", "tau: SKIP"]);
    check_steps(|b| Term::SlidingChoice(b.letter('a'), b.skip), &["a: STOP", "tau: SKIP"]);
    check_steps(
        |b| Term::SlidingChoice(b.undecided(), b.skip),
        &["tau: STOP [> SKIP", "tau: SKIP [> SKIP", "tau: SKIP"],
    );
}

#[test]
fn sequences() {
    check_steps(|b| Term::Sequential(b.letter('a'), b.skip), &["a: STOP"]);
    check_steps(|b| Term::Sequential(b.undecided(), b.skip), &["tau: STOP", "tau: SKIP ; SKIP"]);
    check_steps(|b| Term::Sequential(b.skip, b.letter('a')), &["tau: a -> STOP"]);
    check_steps(|b| Term::Loop(b.letter('a')), &["a: STOP"]);
    check_steps(|b| Term::Loop(b.skip), &["tau: loop(SKIP)"]);
    check_steps(|b| Term::Interrupt(b.letter('a'), b.letter('b')), &["a: STOP /\\ (b -> STOP)", "b: STOP"]);
    check_steps(|b| Term::Interrupt(b.skip, b.skip), &["tick: OMEGA"]);
    check_steps(|b| Term::Exception(b.letter('a'), set("a"), b.skip), &["a: SKIP"]);
    check_steps(|b| Term::Exception(b.letter('a'), set("b"), b.skip), &["a: STOP [|{b}|> SKIP"]);
    check_steps(|b| Term::Exception(b.skip, set("b"), b.stop), &["tick: OMEGA"]);
}

#[test]
fn parallel_operands_terminate_one_by_one_and_the_whole_after_them() {
    check_steps(|b| Term::Interleave([b.skip, b.skip].into()), &["tau: OMEGA ||| SKIP", "tau: SKIP ||| OMEGA"]);
    check_steps(
        |b| {
            let omega = b.term(Term::Omega);
            Term::Interleave([omega, omega].into())
        },
        &["tick: OMEGA"],
    );
    check_steps(|_| Term::Interleave([].into()), &["tick: OMEGA"]);
    check_steps(
        |b| {
            let omega = b.term(Term::Omega);
            Term::Parallel([omega, b.letter('a'), b.letter('b')].into(), set("a"))
        },
        &["b: OMEGA [|{a}|] (a -> STOP) [|{a}|] STOP"],
    );
}

#[test]
fn parallel_operands_meet_on_what_they_share() {
    check_steps(|b| Term::Parallel([b.letter('a'), b.letter('a')].into(), set("a")), &["a: STOP [|{a}|] STOP"]);
    check_steps(
        |b| Term::AlphaParallel([(b.letter('a'), set("ab")), (b.letter('c'), set("bc"))].into()),
        &["a: STOP [{a, b}||{b, c}] (c -> STOP)", "c: (a -> STOP) [{a, b}||{b, c}] STOP"],
    );
    check_steps(|b| Term::AlphaParallel([(b.letter('a'), set("b"))].into()), &[]);
    check_steps(|b| Term::Link(b.letter('a'), relation("ab"), b.letter('b')), &["tau: STOP [a<->b] STOP"]);
    check_steps(|b| Term::Link(b.letter('c'), relation("ab"), b.letter('b')), &["c: STOP [a<->b] (b -> STOP)"]);
}

#[test]
fn relabeling() {
    check_steps(|b| Term::Hide(b.letter('a'), set("a")), &["tau: STOP \\ {a}"]);
    check_steps(|b| Term::Hide(b.letter('a'), set("b")), &["a: STOP \\ {b}"]);
    check_steps(|b| Term::Hide(b.skip, set("b")), &["tick: OMEGA"]);
    check_steps(|b| Term::Project(b.letter('a'), set("b")), &["tau: STOP |\\ {b}"]);
    check_steps(
        |b| Term::Rename(b.letter('a'), relation("ab ac")),
        &["b: STOP[[a <- b, a <- c]]", "c: STOP[[a <- b, a <- c]]"],
    );
    check_steps(|b| Term::Rename(b.letter('b'), relation("ac")), &["b: STOP[[a <- c]]"]);
}

#[test]
fn synchronizing_choice_and_interrupt() {
    check_steps(|b| Term::SyncChoice([b.letter('a'), b.letter('a')].into(), set("a")), &["a: STOP [+{a}+] STOP"]);
    check_steps(|b| Term::SyncChoice([b.letter('a'), b.letter('b')].into(), set("a")), &["b: STOP"]);
    check_steps(
        |b| Term::SyncInterrupt(b.letter('b'), set("a"), b.letter('c')),
        &["b: STOP /+{a}+\\ (c -> STOP)", "c: STOP"],
    );
    check_steps(|b| Term::SyncInterrupt(b.letter('a'), set("a"), b.letter('a')), &["a: STOP /+{a}+\\ STOP"]);
}

#[test]
fn buffers() {
    let signaling = Term::SignalBuffer(1, event('d'), event('e'), relation("ab"));
    let empty = "SIGNAL_BUFFER(1, d, e, {(a, b)})";
    check_steps(|_| Term::Buffer(1, relation("ab")), &["a: BUFFER(1, {(a, b)}) holding <b>"]);
    check_steps(
        |b| {
            let buffer = b.term(Term::Buffer(1, relation("ab")));
            Term::Holding(buffer, [event('b')].into())
        },
        &["b: BUFFER(1, {(a, b)})"],
    );
    check_steps(|_| signaling.clone(), &[&format!("a: {empty} holding <b>"), &format!("e: {empty}")]);
    check_steps(
        |b| {
            let buffer = b.term(signaling.clone());
            Term::Holding(buffer, [event('b')].into())
        },
        &[&format!("a: {empty} holding <b, d>"), &format!("b: {empty}")],
    );
    check_steps(
        |b| {
            let buffer = b.term(signaling.clone());
            Term::Holding(buffer, [event('b'), event('d')].into())
        },
        &[&format!("d: {empty} holding <b>")],
    );
}

#[test]
fn compressions_share_the_steps_of_their_operand_unless_they_select() {
    let choice = |b: &mut Bench| {
        let (left, right) = (b.letter('a'), b.term(Term::Prefix(event('a'), b.skip)));
        b.term(Term::ExternalChoice([left, right].into()))
    };
    check_steps(|b| Term::Compressed(Compression::Normal, choice(b)), &["a: STOP", "a: SKIP"]);
    check_steps(|b| Term::Compressed(Compression::Chase, choice(b)), &["a: chase(STOP)", "a: chase(SKIP)"]);
    check_steps(|b| Term::Compressed(Compression::Deter, choice(b)), &["a: deter(STOP)"]);
    let ending = |b: &mut Bench| {
        let left = b.letter('a');
        b.term(Term::ExternalChoice([left, b.skip].into()))
    };
    check_steps(|b| Term::Compressed(Compression::Deter, ending(b)), &["tick: OMEGA"]);
    check_steps(|b| Term::Compressed(Compression::Chase, b.undecided()), &["tau: chase(STOP)"]);
    check_steps(|b| Term::Compressed(Compression::Chase, b.skip), &["tick: OMEGA"]);
}

#[test]
fn a_call_has_the_steps_of_its_body() {
    let mut bench = Bench::new();
    let stop = bench.stop;
    let process = bench.define(Term::Prefix(event('a'), stop));
    assert_eq!(bench.steps(process).len(), 1);
}

#[test]
fn steps_tell_which_components_took_them() {
    let mut bench = Bench::new();
    let cell = bench.define(Term::Stop);
    let body = bench.term(Term::Prefix(event('a'), cell));
    bench.world.definitions.bodies[0] = body;
    let pair = bench.term(Term::Interleave([cell, cell].into()));
    assert_eq!(bench.teams(pair), [vec![vec![0]], vec![vec![1]]], "same label and target, but not the same component");
    let hidden = bench.term(Term::Hide(pair, set("a")));
    assert_eq!(bench.teams(hidden), [vec![vec![0]], vec![vec![1]]]);
    let joint = bench.term(Term::Parallel([pair, cell].into(), set("a")));
    assert_eq!(bench.teams(joint), [vec![vec![0, 0], vec![1]], vec![vec![0, 1], vec![1]]]);
    let choice = bench.term(Term::ExternalChoice([cell, cell].into()));
    assert_eq!(bench.teams(choice), [vec![Vec::<u32>::new()]], "a choice has one component");
}

#[test]
fn the_parts_of_a_step_lead_to_the_steps_of_operands() {
    let mut bench = Bench::new();
    let (a, b) = (bench.letter('a'), bench.letter('b'));
    let pair = bench.term(Term::Interleave([a, b].into()));
    let hidden = bench.term(Term::Hide(pair, set("b")));
    let World { terms, definitions, table, .. } = &mut bench.world;
    let step = table.steps(terms, definitions, hidden).expect("it has steps")[1];
    assert_eq!(step.label, Label::TAU);
    let part = table.parts(&step)[0];
    let inner = table.steps(terms, definitions, pair).expect("it has steps")[part.step as usize];
    assert_eq!(inner.label, event('b').label());
    assert_eq!(table.parts(&inner)[0].operand, 1);
}

#[test]
fn unguarded_recursion_is_an_error_that_names_the_process() {
    let mut bench = Bench::new();
    let stop = bench.stop;
    let loops: [fn(TermId, TermId) -> Term; 5] = [
        |p, q| Term::ExternalChoice([p, q].into()),
        |p, q| Term::Interleave([q, p].into()),
        |p, q| Term::Sequential(p, q),
        |p, _| Term::Hide(p, set("a")),
        |p, q| Term::Interrupt(q, p),
    ];
    for body in loops {
        let call = bench.define(Term::Stop);
        let last = bench.world.definitions.bodies.len() - 1;
        bench.world.definitions.bodies[last] = bench.world.terms.intern(body(call, stop));
        let expected = StepError::Unguarded(vec![CallId(last as u32)]);
        assert_eq!(bench.error(call), expected);
        assert_eq!(bench.error(call), expected, "asking again gives the same answer");
        let outer = bench.term(Term::ExternalChoice([stop, call].into()));
        let error = bench.error(outer);
        let diagnostic = error.diagnose(&mut bench.world.definitions, source::Span::new(0, 0));
        assert_eq!(diagnostic.title, format!("`P{last}` calls itself before its first event"));
        assert_eq!(diagnostic.primary.span, source::Span::new(last as u32, last as u32 + 1));
    }
}

#[test]
fn recursion_behind_an_internal_step_is_guarded() {
    let mut bench = Bench::new();
    let call = bench.define(Term::Stop);
    let (stop, skip) = (bench.stop, bench.skip);
    bench.world.definitions.bodies[0] = bench.world.term(Term::InternalChoice([call, stop].into()));
    assert_eq!(bench.steps(call).len(), 2);
    let other = bench.define(Term::Stop);
    bench.world.definitions.bodies[1] = bench.world.term(Term::Sequential(skip, other));
    assert_eq!(bench.steps(other).len(), 1);
}

#[test]
fn mutual_unguarded_recursion_names_all_that_take_part() {
    let mut bench = Bench::new();
    let (first, second) = (bench.define(Term::Stop), bench.define(Term::Stop));
    bench.world.definitions.bodies = vec![second, first];
    assert_eq!(bench.error(first), StepError::Unguarded(vec![CallId(0), CallId(1)]));
}

#[test]
fn what_cannot_be_run_says_so() {
    let mut bench = Bench::new();
    let skip = bench.skip;
    let watchdog = bench.term(Term::TraceWatchdog(skip, set("a"), event('b')));
    assert_eq!(bench.error(watchdog), StepError::Unsupported("trace_watchdog"));
    let failed = bench.term(Term::Failed(process::FailureId(3)));
    let choice = bench.term(Term::ExternalChoice([skip, failed].into()));
    assert_eq!(bench.error(choice), StepError::Failed(process::FailureId(3)));
    let later = bench.term(Term::Prefix(event('a'), failed));
    assert_eq!(bench.steps(later), ["a: <failed>"]);
}

#[test]
fn joint_steps_multiply_up_to_a_limit() {
    let mut bench = Bench::new();
    let (stop, skip) = (bench.stop, bench.skip);
    let (left, right) = (bench.term(Term::Prefix(event('a'), stop)), bench.term(Term::Prefix(event('a'), skip)));
    let either = bench.term(Term::ExternalChoice([left, right].into()));
    let many = bench.term(Term::Parallel(vec![either; 10].into(), set("a")));
    assert_eq!(bench.steps(many).len(), 1 << 10);
    let too_many = bench.term(Term::Parallel(vec![either; 100].into(), set("a")));
    assert!(matches!(bench.error(too_many), StepError::TooManySteps(_)));
}

#[test]
fn printing_stops_at_a_depth() {
    let mut bench = Bench::new();
    let term = (0..10).fold(bench.skip, |next, _| bench.term(Term::Prefix(event('a'), next)));
    let World { terms, events, definitions, .. } = &mut bench.world;
    let mut printer = test_support::processes::text::Printer { terms, events, unfold: definitions, max_depth: 3 };
    assert_eq!(printer.print(term), "a -> a -> a -> ...");
}
