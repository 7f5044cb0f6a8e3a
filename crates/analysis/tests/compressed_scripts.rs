//! Scripts with every compression below, above and beside every priority, and assertions of every kind about them: each
//! is decided, as without compressions, and what fails is confirmed. `TEST_SEED` sets the seed.

use analysis::Limits;
use analysis::Session;
use analysis::check::{Checker, Options, Verdict};
use test_support::files::MemoryFiles;
use test_support::mutate::{Random, seed};

/// Those that mean the same as their operands.
const PRESERVING: [&str; 10] = [
    "sbisim",
    "dbisim",
    "wbisim",
    "diamond",
    "normal",
    "model_compress",
    "tau_loop_factor",
    "explicate",
    "lazynorm",
    "lazyenumerate",
];

const HEAD: &str = "transparent sbisim, dbisim, wbisim, diamond, normal, model_compress, tau_loop_factor, explicate
transparent lazynorm, lazyenumerate
external prioritise, prioritisepo, chase, deter
channel a, b, c, tock
P = a -> Q [] b -> SKIP |~| c -> P
Q = b -> P [] tock -> Q [] c -> STOP
R = a -> (((b -> SKIP) \\ {b}) ; R) |~| tock -> R
";

/// A process twice: with compressions and without.
#[derive(Clone)]
struct Twice([String; 2]);

impl Twice {
    fn same(text: &str) -> Twice {
        Twice([text.to_owned(), text.to_owned()])
    }

    fn map(&self, change: impl Fn(&str) -> String) -> Twice {
        Twice([change(&self.0[0]), change(&self.0[1])])
    }

    fn join(&self, other: &Twice, operator: &str) -> Twice {
        let joined = |place: usize| format!("({} {operator} {})", self.0[place], other.0[place]);
        Twice([joined(0), joined(1)])
    }
}

fn events(random: &mut Random) -> String {
    let chosen: Vec<&str> = ["a", "b", "c", "tock"].into_iter().filter(|_| random.below(2) == 0).collect();
    format!("{{{}}}", chosen.join(","))
}

fn prioritized(random: &mut Random, operand: &Twice) -> Twice {
    match random.below(4) {
        0 => operand.map(|text| format!("prioritise({text}, <{{}},{{tock}}>)")),
        1 => operand.map(|text| format!("prioritisepo({text}, {{a,b,c}}, {{(a,b),(b,c)}}, {{a}})")),
        2 => operand.map(|text| format!("prioritisepo({text}, {{a,b,tock}}, {{(b,a)}}, {{}})")),
        _ => {
            let (first, second) = (events(random), events(random));
            operand.map(|text| format!("prioritise({text}, <{first},{second},{{b}}>)"))
        }
    }
}

fn process(random: &mut Random, size: usize) -> Twice {
    if size == 0 {
        let leaves = ["STOP", "SKIP", "P", "Q", "R", "DIV", "CHAOS({a,b})"];
        return Twice::same(leaves[random.below(leaves.len())]);
    }
    let left = process(random, size - 1);
    match random.below(20) {
        0..5 => {
            let compression = *random.pick(&PRESERVING);
            Twice([format!("{compression}({})", left.0[0]), left.0[1].clone()])
        }
        5..9 => prioritized(random, &left),
        9 => left.map(|text| format!("{}({text})", ["chase", "deter"][size % 2])),
        10 | 11 => {
            let hidden = events(random);
            left.map(|text| format!("({text} \\ {hidden})"))
        }
        12 => left.map(|text| format!("({text}[[a <- b, b <- c]])")),
        13 => left.map(|text| format!("(a -> {text})")),
        binary => {
            let right_size = random.below(size);
            let right = process(random, right_size);
            let shared = events(random);
            match binary {
                14 => left.join(&right, "|||"),
                15 | 16 => left.join(&right, &format!("[|{shared}|]")),
                17 => left.join(&right, ["[]", "|~|", "[>"][random.below(3)]),
                18 => left.join(&right, [";", "/\\"][random.below(2)]),
                _ => left.join(&right, &format!("[|{shared}|>")),
            }
        }
    }
}

fn assertions(random: &mut Random, process: &str, spec: &str) -> Vec<String> {
    let mut all = Vec::new();
    for model in ["T", "F", "FD"] {
        all.push(format!("{spec} [{model}= {process}"));
        all.push(format!("{process} [{model}= {spec}"));
        all.push(format!("{process} :[has trace [{model}]]: <a,b>"));
    }
    for model in ["F", "FD"] {
        all.push(format!("{process} :[deadlock free [{model}]]"));
        all.push(format!("{process} :[deterministic [{model}]]"));
    }
    all.push(format!("{process} :[divergence free]"));
    // The same with a priority of the assertion.
    let prioritized: Vec<String> =
        all.iter().filter(|_| random.below(3) == 0).map(|text| format!("{text} :[tau priority]: {{tock,a}}")).collect();
    all.extend(prioritized);
    all.push(format!("{process} |= LTL: \"G([a] => X [b])\""));
    all.push(format!("{process} |= LTL: \"F [tock]\""));
    all
}

fn verdicts(script: String) -> Vec<(String, Verdict)> {
    let session = Session::open(&MemoryFiles::of("script.csp", script.clone()), "script.csp", None);
    assert!(!session.has_errors(), "{script}\n{:?}", session.diagnostics());
    let options = Options { limits: Limits::of_workers(1).with_max_states(200_000), ..Options::default() };
    let mut checker = Checker::new(&session, options);
    let assertions = session.assertions();
    assertions.iter().map(|assertion| (assertion.text.clone(), checker.check(assertion.index).verdict)).collect()
}

#[test]
fn every_assertion_is_decided_as_without_compressions() {
    let seed = seed();
    let mut random = Random::new(seed);
    let (mut n_holding, mut n_failing) = (0, 0);
    for round in 0..100 {
        let size = 2 + round % 4;
        let (process, spec) = (process(&mut random, size), process(&mut random, 1 + round % 2));
        let marks = random.clone();
        let script = |place: usize| {
            let all = assertions(&mut marks.clone(), &process.0[place], &spec.0[place]);
            all.iter().fold(HEAD.to_owned(), |script, assertion| format!("{script}assert {assertion}\n"))
        };
        for ((text, with), (_, without)) in verdicts(script(0)).into_iter().zip(verdicts(script(1))) {
            let told = || format!("seed {seed}, round {round}: {text}\nwith {with:?}\nwithout {without:?}");
            match (&with, &without) {
                (Verdict::Holds, Verdict::Holds) => n_holding += 1,
                (Verdict::Fails, Verdict::Fails) => n_failing += 1,
                _ => panic!("{}", told()),
            }
        }
    }
    assert!(n_holding > 300 && n_failing > 600, "{n_holding}, {n_failing}");
}
