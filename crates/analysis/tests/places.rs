//! Where steps are written, what is allowed along a run, and where a run goes through a system.

use analysis::check::{Checker, Counterexample, Options};
use analysis::{Compression, Model, Session, Texts};

fn session(script: &str) -> Session {
    let session = Session::open(&Texts::of("s.csp", script), "s.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    session
}

fn found(session: &Session, index: usize) -> Counterexample {
    let checked = Checker::new(session, Options::default()).check(index);
    checked.counterexample.expect("it has a counterexample")
}

/// For each part of each step, the text that was taken and the line where it stands.
fn taken(session: &Session, found: &Counterexample) -> Vec<Option<(u32, String)>> {
    let map = session.source_map();
    let parts = found.steps.iter().flat_map(|step| &step.parts);
    let text = |span: source::Span| {
        let file = map.file_of(span);
        let text = &file.text[(span.start - file.start) as usize..(span.end - file.start) as usize];
        (map.position(span).line, text.to_owned())
    };
    parts.map(|part| part.taken.map(text)).collect()
}

fn some(line: u32, text: &str) -> Option<(u32, String)> {
    Some((line, text.to_owned()))
}

#[test]
fn the_prefix_that_was_taken_is_known() {
    let script = "channel a, b : {0..2}.{0..2}\nchannel c\n\
        P = a?x?y:{1} -> Q(x)\n\
        Q(n) = b.n!n -> c -> P [] c -> STOP\n\
        assert STOP :[deadlock free [F]]\n\
        assert (a?x?y -> b?z?w -> STOP) [T= P\n\
        assert P \\ {|a|} :[deadlock free [F]]\n";
    let session = session(script);
    let run = found(&session, 2);
    assert_eq!(taken(&session, &run), [some(3, "a?x?y:{1}"), some(4, "c")]);
    let run = found(&session, 3);
    assert_eq!(run.steps[0].hidden().map(|event| event.starts_with("a.")), Some(true));
    assert_eq!(taken(&session, &run), [some(3, "a?x?y:{1}"), some(4, "c")]);
}

#[test]
fn of_equal_prefixes_the_one_in_the_definition_is_meant() {
    let script = "channel a, b, c\n\
        P = b -> a -> STOP\n\
        Q = c -> a -> STOP\n\
        R = b -> a -> STOP [] c -> a -> STOP\n\
        assert P :[deadlock free [F]]\n\
        assert Q :[deadlock free [F]]\n\
        assert R :[deadlock free [F]]\n";
    let session = session(script);
    // One checker, so that all of them are made before the runs are told.
    let mut checker = Checker::new(&session, Options::default());
    let mut run = |index: usize| checker.check(index).counterexample.expect("it gets stuck");
    let (first, second, third) = (run(1), run(2), run(3));
    let again = run(1);
    assert_eq!(taken(&session, &first), [some(2, "b"), some(2, "a")]);
    assert_eq!(taken(&session, &second), [some(3, "c"), some(3, "a")]);
    assert_eq!(taken(&session, &again), [some(2, "b"), some(2, "a")]);
    let [head, tail] = &taken(&session, &third)[..] else { panic!("two steps") };
    assert!([some(4, "b"), some(4, "c")].contains(head), "{head:?}");
    assert_eq!(*tail, None, "two places in one definition: nobody knows");
}

#[test]
fn what_is_allowed_is_told_before_each_step() {
    let script =
        "channel a, b, c\nSPEC = a -> (b -> SPEC [] c -> SPEC)\nP = a -> b -> a -> a -> P\nassert SPEC [T= P\n";
    let run = found(&session(script), 1);
    let allowed: Vec<Vec<String>> = run.allowed.iter().map(|events| events.all.clone()).collect();
    assert_eq!(allowed, [vec!["a"], vec!["b", "c"], vec!["a"], vec!["b", "c"]], "the fourth step is wrong");
}

#[test]
fn a_run_has_a_way_through_the_system() {
    let script =
        "channel a, b, c\nP = a -> (b -> P |~| c -> Q)\nQ = b -> STOP [] c -> P\nassert P :[deadlock free [F]]\n";
    let run = found(&session(script), 1);
    let opened = Session::open_with_process(&Texts::of("s.csp", script), "s.csp", None, "P");
    let mut checker = Checker::new(&opened, Options::default());
    let system = checker.graph(None, Model::FailuresDivergences).expect("it is small");
    let way = system.way_of(&run).expect("it is a run of P");
    assert_eq!(way.len(), run.steps.len());
    assert_eq!(way[0].0, system.lts().initial());
    assert!(way.windows(2).all(|pair| pair[0].1.target == pair[1].0), "one step leads to the next");
    let end = way.last().expect("there are steps").1.target;
    assert!(system.lts().transitions(end).is_empty(), "it gets stuck");
    let smaller = checker.graph(Some(Compression::WBisim), Model::FailuresDivergences).expect("it is small");
    let merged = smaller.merged().expect("states were merged");
    let sizes = merged.sizes.as_ref().expect("states stand for states");
    assert_eq!(sizes.iter().sum::<usize>(), merged.n_states);
    assert_eq!((merged.n_states, sizes.len()), (system.n_states(), smaller.n_states()));
    let way = smaller.way_of(&run).expect("what can be seen is the same");
    let events: Vec<&str> =
        way.iter().map(|(_, step)| smaller.label_name(step.label)).filter(|name| *name != "tau").collect();
    let expected: Vec<&str> = run.steps.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    assert_eq!(events, expected);
    let other = Session::open_with_process(&Texts::of("s.csp", script), "s.csp", None, "STOP");
    let stop = Checker::new(&other, Options::default()).graph(None, Model::Traces).expect("it is small");
    assert_eq!(stop.way_of(&run), None);
}

#[test]
fn steps_of_csp_sharp_are_known_too() {
    let script = "channel box 1;\nchannel hand 0;\nvar n = 0;\n\
        Sender() = put{n = n + 1;} -> box!1 -> Sender();\n\
        Carrier() = box?x -> hand!x -> Carrier();\n\
        Reader() = hand?x -> ([n < 2] read.x -> Reader());\n\
        Post() = Sender() ||| Carrier() ||| Reader();\n\
        #assert Post() deadlockfree;\n";
    let session = session(script);
    let found = found(&session, 1);
    let taken = taken(&session, &found);
    assert!(taken.iter().all(Option::is_some), "{taken:?}");
    for expected in [some(4, "put"), some(4, "box!1"), some(5, "box?x"), some(5, "hand!x"), some(6, "hand?x")] {
        assert!(taken.contains(&expected), "{expected:?} in {taken:?}");
    }
}

#[test]
fn equal_prefixes_of_csp_sharp_are_told_apart_by_who_takes_them_or_not_at_all() {
    // The same words at two places; each component is in a definition of its own.
    let script = "P() = a -> Stop;\nQ() = a -> Stop;\nBoth() = P() ||| Q();\n#assert Both() deadlockfree;\n";
    let both = session(script);
    let run = found(&both, 1);
    let mut lines: Vec<u32> = taken(&both, &run).into_iter().flatten().map(|(line, _)| line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [1, 2]);
    // Twice in one definition: nobody knows which one was meant.
    let twice = session("P() = a -> Stop [] a -> Stop;\n#assert P() deadlockfree;\n");
    let run = found(&twice, 1);
    assert_eq!(taken(&twice, &run), [None]);
    // What differs by a value is told apart.
    let script = "P(i) = if (i == 1) { a.i -> Stop } else { a.1 -> P(i + 1) };\n#assert P(0) deadlockfree;\n";
    let values = session(script);
    let run = found(&values, 1);
    let texts: Vec<String> = taken(&values, &run).into_iter().flatten().map(|(_, text)| text).collect();
    assert_eq!(texts, ["a.1", "a.i"]);
}
