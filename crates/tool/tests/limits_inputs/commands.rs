//! Commands other than `check`.

use super::{Input, lines};

const ENDLESS: &str = "channel a : {0..9}\nP(n) = a?x -> P(n + x)\nQ = P(0)\n";
const ENDLESS_SHARP: &str = "Q() = a -> (Q() ||| Q());\n#assert Q() deadlockfree;\n";

/// Commands that show infinite systems.
pub fn commands() -> Vec<Input> {
    vec![
        Input::run("lts.csp", ENDLESS, &["lts", "FILE", "Q"]),
        Input::run("lts-sharp.csp", ENDLESS_SHARP, &["lts", "FILE", "Q()"]),
        Input::run("lts-compressed.csp", ENDLESS, &["lts", "FILE", "Q", "--compress", "sbisim"]),
        Input::run("draw.csp", ENDLESS, &["draw", "FILE", "Q"]),
        Input::run("draw-sharp.csp", ENDLESS_SHARP, &["draw", "FILE", "Q()"]),
        Input::run("draw-assertion-sharp.csp", ENDLESS_SHARP, &["draw", "FILE", "--assert", "1"]),
        Input::run("network.csp", ENDLESS, &["network", "FILE", "Q"]),
        Input::run("network-sharp.csp", ENDLESS_SHARP, &["network", "FILE", "Q()"]),
        Input::run("ltl.csp", ENDLESS, &["ltl", "FILE", "Q", "G F [a]"]),
        Input::run("ltl-sharp.csp", ENDLESS_SHARP, &["ltl", "FILE", "Q()", "[]<> a"]),
        Input::run("simulate.csp", ENDLESS, &["simulate", "FILE", "Q"])
            .typing("0\n1\n99999999999999999999\n-1\nback\n\u{0}\nfoo\nquit\n"),
        Input::run("simulate-sharp.csp", ENDLESS_SHARP, &["simulate", "FILE", "Q()"]).typing("1\n1\n1\nxyz\n"),
        Input::run("simulate-nothing.csp", ENDLESS, &["simulate", "FILE", "NOWHERE"]),
        Input::run("eval-sharp.csp", ENDLESS_SHARP, &["eval", "FILE", "1 / 0"]),
        Input::run("eval-deep-sharp.csp", ENDLESS_SHARP, &["eval", "FILE", &"(".repeat(50_000)]),
        Input::run("process-deep.csp", ENDLESS, &["lts", "FILE", &"(".repeat(50_000)]),
        Input::run(
            "ndjson.csp",
            ENDLESS.to_owned() + "assert Q :[deadlock free]\n",
            &["check", "FILE", "--threads", "1", "--format", "ndjson"],
        ),
        Input::run(
            "json.csp",
            ENDLESS.to_owned() + "assert Q :[deadlock free]\n",
            &["check", "FILE", "--threads", "1", "--format", "json"],
        ),
        Input::run(
            "stats.csp",
            ENDLESS.to_owned() + "assert Q :[deadlock free]\n",
            &["check", "FILE", "--threads", "1", "--stats"],
        ),
    ]
}

/// Commands without limits: they must terminate by themselves.
pub fn files() -> Vec<Input> {
    let definitions = lines(5_000, |n| format!("P{n} = a->P{n}\n")) + "channel a\n";
    vec![
        Input::run("typecheck.csp", definitions.clone(), &["typecheck", "FILE"]),
        Input::run("typecheck-brackets.csp", "x = ".to_owned() + &"(".repeat(100_000), &["typecheck", "FILE"]),
        Input::run("fmt.csp", definitions, &["fmt", "--check", "FILE"]),
        Input::run("fmt-brackets.csp", "x = ".to_owned() + &"(".repeat(100_000), &["fmt", "--check", "FILE"]),
        Input::run("fmt-binary.csp", vec![0xff; 10_000], &["fmt", "--check", "FILE"]),
    ]
}
