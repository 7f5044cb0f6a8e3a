//! Scripts in CSP#, timed and untimed.

use super::{Input, lines};

/// Texts that are hard to parse.
pub fn texts() -> Vec<Input> {
    let asserted = "#assert P() deadlockfree;\n";
    let brackets = |n: usize| format!("P() = {}a -> P(){};\n{asserted}", "(".repeat(n), ")".repeat(n));
    let macros = |n: usize| {
        let doubled = lines(n, |n| format!("#define m{} (m{n} + m{n});\n", n + 1));
        format!("var x = 1;\n#define m0 x;\n{doubled}P() = [m{n} > 0] a -> P();\n{asserted}")
    };
    vec![
        Input::check("brackets-sharp.csp", brackets(200)).holds(),
        Input::check("many-brackets-sharp.csp", brackets(100_000)),
        Input::check(
            "definitions-sharp.csp",
            lines(40_000, |n| format!("P{n}() = a{n} -> P{n}();\n")) + "#assert P0() deadlockfree;\n",
        )
        .holds(),
        Input::check(
            "calls-sharp.csp",
            lines(20_000, |n| format!("P{n}() = P{}();\n", n + 1))
                + "P20000() = a -> Skip;\n#assert P0() deadlockfree;\n",
        ),
        Input::check(
            "alphabets-sharp.csp",
            lines(10_000, |n| format!("P{n}() = a -> P{n}();\n#alphabet P{n} {{a}};\n")),
        ),
        Input::check(
            "unknown-names-sharp.csp",
            lines(5_000, |n| format!("P{n}() = Q{n}();\n")) + "#assert P0() deadlockfree;\n",
        ),
        Input::check("assertions-sharp.csp", "P() = a -> P();\n".to_owned() + &asserted.repeat(200)).holds(),
        Input::check("macros-sharp.csp", macros(30)),
        Input::check("recursive-macro-sharp.csp", format!("#define m (m + 1);\nP() = [m > 0] a -> P();\n{asserted}")),
        Input::check(
            "constants-sharp.csp",
            lines(20_000, |n| format!("#define c{n} {n};\n")) + "P() = a -> P();\n" + asserted,
        )
        .holds(),
        Input::check(
            "variables-sharp.csp",
            lines(20_000, |n| format!("var v{n} = 0;\n")) + "P() = a{v0 = 1 - v0;} -> P();\n" + asserted,
        )
        .holds(),
        Input::check("array-sharp.csp", format!("var x[1000000];\nP() = a{{x[0] = 1 - x[0];}} -> P();\n{asserted}"))
            .holds(),
        Input::check(
            "huge-array-sharp.csp",
            format!("var x[100000][100000];\nP() = a{{x[0][0] = 1;}} -> P();\n{asserted}"),
        ),
        Input::check("huge-channel-sharp.csp", format!("channel c 2000000000;\nP() = c!1 -> P();\n{asserted}")),
        Input::check(
            "channel-array-sharp.csp",
            format!("channel c[100000] 1;\nP() = c[0]!1 -> c[0]?x -> P();\n{asserted}"),
        )
        .holds(),
        Input::check(
            "huge-number-sharp.csp",
            format!("#define n {};\nP() = a -> P();\n{asserted}", "9".repeat(10_000)),
        ),
        Input::check("record-sharp.csp", format!("var x = [0{}];\nP() = a -> P();\n{asserted}", ",1".repeat(100_000))),
        Input::check(
            "own-include-sharp.csp",
            format!("#include \"own-include-sharp.csp\";\nP() = a -> P();\n{asserted}"),
        ),
        Input::check("missing-include-sharp.csp", format!("#include \"nowhere.csp\";\nP() = a -> P();\n{asserted}")),
        Input::check("nul-sharp.csp", format!("{}P() = a -> P();\n{asserted}", "\0".repeat(10_000))),
        Input::check("comment-sharp.csp", format!("P() = a -> P();\n{asserted}/*{}", " * /".repeat(100_000))),
        Input::check("semicolons-sharp.csp", format!("P() = a -> P();\n{asserted}{}", ";".repeat(50_000))),
        Input::check(
            "operators-sharp.csp",
            format!("var x = 0;\nP() = [0{} > 0] a -> P();\n{asserted}", " + x".repeat(300)),
        ),
    ]
}

/// Infinite or huge processes.
pub fn processes() -> Vec<Input> {
    let free = |name, text: &str| Input::check(name, format!("{text}#assert P() deadlockfree;\n"));
    vec![
        free("copies-sharp.csp", "P() = a -> (P() ||| P());\n").holds(),
        free("sequence-sharp.csp", "P() = a -> (P(); P());\n").holds(),
        free("unguarded-sharp.csp", "P() = Q() [] Q();\nQ() = P();\n"),
        free("counter-sharp.csp", "var x = 0;\nP() = a{x = x + 1;} -> P();\n"),
        free("argument-sharp.csp", "Q(n) = a -> Q(n + 1);\nP() = Q(0);\n"),
        free("loop-sharp.csp", "var x = 0;\nP() = a{while (true) { x = 1 - x; }} -> P();\n"),
        free(
            "nested-loops-sharp.csp",
            "var x = 0;\nP() = a{var i = 0; while (i < 100000) { var j = 0; while (j < 100000) { j = j + 1; } i = i + 1; }} -> P();\n",
        ),
        free("division-sharp.csp", "var x = 0;\nP() = a{x = 1 / x;} -> P();\n"),
        free("index-sharp.csp", "var x[3];\nvar i = 0;\nP() = a{x[i] = 1; i = i + 1;} -> P();\n"),
        free("overflow-sharp.csp", "var x = 1;\nP() = a{x = x * 1000003;} -> P();\n"),
        free("own-events-sharp.csp", "Q(i) = a.i -> Q(i);\nP() = || i:{0..3000} @ Q(i);\n").holds(),
        free("one-event-sharp.csp", "Q(i) = a -> Q(i);\nP() = || i:{0..3000} @ Q(i);\n").holds(),
        free(
            "choices-of-all-sharp.csp",
            "Q(i) = a -> Q(i) [] a -> R(i) [] a -> Skip;\nR(i) = a -> Q(i);\nP() = || i:{0..3000} @ Q(i);\n",
        ),
        free("copies-of-all-sharp.csp", "Q(i) = a.i -> (Q(i) ||| Q(i)) [] b -> Q(i);\nP() = || i:{0..3000} @ Q(i);\n"),
        free(
            "shared-sharp.csp",
            "var x = 0;\nQ(i) = [x < 100] a.i{x++;} -> Q(i) [] b -> Q(i);\nP() = || i:{0..3000} @ Q(i);\n",
        ),
        free("handover-sharp.csp", "channel c 0;\nQ(i) = c!i -> Q(i) [] c?x -> Q(i);\nP() = || i:{0..3000} @ Q(i);\n"),
        free("nested-sharp.csp", "P() = || i:{0..99999} @ (|| j:{0..99999} @ (a.i.j -> Skip));\n"),
        free("nested-choice-sharp.csp", "P() = [] i:{0..99999} @ ([] j:{0..99999} @ (a.i.j -> Skip));\n"),
        free("long-buffer-sharp.csp", "channel c 2000;\nP() = c!1 -> P();\n").fails(),
        free("many-buffers-sharp.csp", "channel c[50] 5;\nQ(i) = c[i]!i -> Q(i);\nP() = ||| i:{0..49} @ Q(i);\n")
            .fails(),
        free("twenty-sharp.csp", "Q(i) = a.i -> b.i -> Q(i);\nP() = ||| i:{0..29} @ Q(i);\n").holds(),
        free("interrupt-sharp.csp", "P() = a -> (P() interrupt P());\n"),
        free("hiding-sharp.csp", "P() = a -> (P() \\ {a});\n"),
        free("any-number-sharp.csp", "Q() = a -> b -> Q();\nP() = |||{..} @ Q();\n"),
        free("many-copies-sharp.csp", "Q() = a -> b -> Q();\nP() = |||{1000000} @ Q();\n"),
        Input::check(
            "refinement-sharp.csp",
            "Q(i) = a.i -> b.i -> Q(i);\nP() = ||| i:{0..15} @ Q(i);\nS() = ||| i:{0..15} @ Q(i);\n#assert P() refines S();\n",
        ),
    ]
}

/// Timed scripts.
pub fn timed() -> Vec<Input> {
    let free = |name, text: &str| Input::check(name, format!("{text}#assert P() deadlockfree;\n"));
    vec![
        free("wait-sharp.csp", "P() = Wait[1000000000]; P();\n"),
        free("timeout-sharp.csp", "P() = (a -> P()) timeout[1073741824] (b -> P());\n"),
        free("too-long-sharp.csp", "P() = Wait[2147483648]; P();\n"),
        free("primes-sharp.csp", "P() = Q(9973) ||| Q(9967) ||| Q(9949);\nQ(n) = Wait[n]; a.n -> Q(n);\n"),
        free("many-clocks-sharp.csp", "Q(i) = a.i -> Wait[i]; Q(i);\nP() = ||| i:{0..40} @ Q(i);\n"),
        free("wide-time-sharp.csp", "Q(i) = a -> Wait[i]; Q(i);\nP() = || i:{0..2000} @ Q(i);\n"),
        free("deadline-sharp.csp", "P() = (a -> P()) deadline[0];\n"),
        free("growing-time-sharp.csp", "P() = a -> (Wait[1]; P() ||| P());\n"),
        free("zeno-sharp.csp", "P() = Wait[0]; P();\n"),
        free("within-sharp.csp", "P() = (a -> Wait[5]; P()) within[1000000];\n"),
    ]
}
