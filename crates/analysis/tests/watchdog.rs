//! Scripts with watchdogs: the assertion that is written has the verdict of the one it was made of, with every
//! compression around.

use analysis::Limits;
use analysis::Session;
use analysis::check::{Checker, Options, Verdict};
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

const HEAD: &str = "transparent sbisim, dbisim, wbisim, diamond, normal
channel a, b : {0..1}
channel c, alarm
P = a?x -> Q(x) [] c -> SKIP |~| b.0 -> P
Q(x) = b.x -> P [] a!(1 - x) -> Q(x) |~| c -> STOP
LOOP = c -> LOOP
R = a.0 -> (((b.0 -> SKIP) \\ {b.0}) ; R) |~| b?y -> R [] (LOOP \\ {c})
";

fn process(random: &mut Random, size: usize) -> String {
    if size == 0 {
        return (*random.pick(&["STOP", "SKIP", "P", "Q(0)", "R", "DIV", "CHAOS({|a|})", "RUN({a.0, c})"])).to_owned();
    }
    let left = process(random, size - 1);
    match random.below(12) {
        0 => format!("({left} \\ {{|b|}})"),
        1 => format!("({left}[[a <- b]])"),
        2 => format!("(a.1 -> {left})"),
        3 => format!("{}({left})", random.pick(&["sbisim", "dbisim", "wbisim", "diamond", "normal"])),
        place => {
            let n_below = random.below(size);
            let right = process(random, n_below);
            let operators = ["|||", "[|{|a|}|]", "[|{c, b.0}|]", "[]", "|~|", "[>", ";", "/\\"];
            format!("({left} {} {right})", operators[place - 4])
        }
    }
}

/// Whether the assertions of a script hold.
fn verdicts(files: &MemoryFiles, path: &str) -> Vec<bool> {
    let session = Session::open(files, path, None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let options = Options { limits: Limits::of_workers(1).with_max_states(200_000), ..Options::default() };
    let mut checker = Checker::new(&session, options);
    let holds = |index| match checker.check(index).verdict {
        Verdict::Holds => true,
        Verdict::Fails => false,
        verdict => panic!("small systems are decided, not {verdict:?}"),
    };
    session.assertions().iter().map(|assertion| assertion.index).map(holds).collect()
}

fn written(files: &MemoryFiles, n_assertions: usize) -> Result<String, String> {
    let session = Session::open(files, "script.csp", None);
    assert!(!session.has_errors(), "{:?}", session.diagnostics());
    let indices: Vec<usize> = (1..=n_assertions).collect();
    Checker::new(&session, Options::default()).watchdog_text(&indices, "script.csp").map_err(|problem| problem.title)
}

#[test]
fn written_assertions_have_the_same_verdicts() {
    let mut random = Random::new(seed());
    let mut n_each = [[0; 2]; 2];
    for round in 0..150 {
        let implementation = process(&mut random, 1 + round % 4);
        let other = process(&mut random, round % 3);
        let spec = match round % 3 {
            0 => other,
            1 => implementation.clone(),
            _ => format!("({implementation} |~| {other})"),
        };
        let not = ["", "not "][round / 3 % 2];
        let script =
            format!("{HEAD}assert {not}{spec} [T= {implementation}\nassert {not}{spec} [F= {implementation}\n");
        let files = MemoryFiles::of("script.csp", script.clone());
        let text = written(&files, 2).unwrap_or_else(|why| panic!("{why}\n{script}"));
        let told = verdicts(&files.with("watchdog.csp", text.clone()), "watchdog.csp");
        assert_eq!(told.len(), 4, "{script}\n{text}");
        for place in 0..2 {
            assert_eq!(told[place], told[place + 2], "TEST_SEED={} round {round}\n{script}\n{text}", seed());
            n_each[place][usize::from(told[place])] += 1;
        }
    }
    assert!(n_each.iter().flatten().all(|&n| n > 20), "the samples are too plain: {n_each:?}");
}

#[test]
fn what_has_no_watchdog_is_refused() {
    let refused = |assertion: &str| {
        let all = "ALL = Events\nmodule M(n)\nOFFERS = [] x : ALL @ x -> STOP\nexports\nOFFER = OFFERS\nendmodule\ninstance I = M(1)\n";
        let script = format!("{HEAD}{all}COUNT(n) = a.0 -> COUNT(n + 1)\nassert {assertion}\n");
        written(&MemoryFiles::of("script.csp", script), 1).expect_err("there is no watchdog")
    };
    assert!(refused("P :[deadlock free]").contains("no refinement"));
    assert!(refused("P [FD= P").contains("[T= or [F="));
    assert!(refused("P [T= P :[tau priority]: {c}").contains("silent steps"));
    assert!(refused("P [T= Q(5 / 0)").contains("zero"));
    assert!(refused("P [T= I::OFFER").contains("`Events`"));
    assert!(refused("P [F= P ||| RUN(Events)").contains("`Events`"));
}
