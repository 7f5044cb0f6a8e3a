//! Scripts in CSPM.

use super::{Input, lines};

/// Texts that are hard to parse.
pub fn texts() -> Vec<Input> {
    let brackets = |n: usize| format!("P = {}STOP{}\nassert P :[deadlock free]\n", "(".repeat(n), ")".repeat(n));
    let asserted = "assert P :[deadlock free]\n";
    vec![
        Input::check("empty.csp", ""),
        Input::check("blank.csp", " \n\t\n".repeat(100_000)),
        Input::check("nul.csp", vec![0; 10_000]),
        Input::check("invalid-utf8.csp", [&b"P = STOP -- "[..], &[0xff; 5000]].concat()),
        Input::check("cut-utf8.csp", &b"channel a\nP = a -> STOP -- \xe2\x82"[..]),
        Input::check("brackets.csp", brackets(300)).fails(),
        Input::check("many-brackets.csp", brackets(200_000)),
        Input::check("open-brackets.csp", "P = ".to_owned() + &"(".repeat(200_000)),
        Input::check("braces.csp", "x = ".to_owned() + &"{".repeat(100_000)),
        Input::check("signs.csp", format!("x = {}1\nP = STOP\n", "-".repeat(100_000))),
        Input::check("nots.csp", format!("x = {}true\nP = STOP\n", "not ".repeat(50_000))),
        Input::check("sum.csp", format!("x = 0{}\nP = STOP\n{asserted}", " + 1".repeat(50_000))).fails(),
        Input::check("ifs.csp", format!("x = {}1\nP = STOP\n", "if true then 1 else ".repeat(20_000))),
        Input::check("lets.csp", format!("x = {}1\nP = STOP\n", "let y = 1 within ".repeat(20_000))),
        Input::check("lambdas.csp", format!("x = {}1\nP = STOP\n", "\\ y @ ".repeat(20_000))),
        Input::check("prefixes.csp", format!("channel a\nP = {}P\n{asserted}", "a -> ".repeat(20_000))).holds(),
        Input::check("choices.csp", format!("channel a\nP = a -> P{}\n{asserted}", " [] a -> P".repeat(20_000)))
            .holds(),
        Input::check("long-line.csp", format!("-- {}\nP = STOP\n{asserted}", "x".repeat(5_000_000))).fails(),
        Input::check("long-name.csp", format!("channel a\n{0} = a -> {0}\n", "N".repeat(1_000_000))),
        Input::check("huge-number.csp", format!("x = {}\nprint x\n", "9".repeat(100_000))),
        Input::check("huge-sequence.csp", format!("x = <0{}>\nprint #x\n", ",1".repeat(200_000))),
        Input::check("unclosed-comment.csp", "P = STOP\n{- ".to_owned() + &"{- ".repeat(50_000)),
        Input::check("unclosed-string.csp", "x = \"".to_owned() + &"y".repeat(500_000)),
        Input::check("strays.csp", "§ ".repeat(20_000)),
        Input::check("definitions.csp", lines(20_000, |n| format!("P{n} = a -> P{n}\n")) + "channel a\n"),
        Input::check("channels.csp", lines(20_000, |n| format!("channel a{n}\n"))),
        Input::check("unknown-names.csp", lines(5_000, |n| format!("P{n} = Q{n}\n"))),
        Input::check("assertions.csp", lines(300, |_| "assert STOP [T= STOP\n".to_owned())).holds(),
        Input::check("broken-assertions.csp", "assert ".repeat(20_000)),
        Input::check("missing-include.csp", "include \"nowhere.csp\"\n"),
        Input::check("own-include.csp", "include \"own-include.csp\"\nP = STOP\n"),
        Input::check("folder-include.csp", "include \".\"\ninclude \"/dev/null\"\n"),
    ]
}

/// Infinite or huge values.
pub fn values() -> Vec<Input> {
    let eval = |name, text: &str, expression| Input::run(name, text, &["eval", "FILE", expression]);
    vec![
        eval("endless-sequence.csp", "f(n) = <n>^f(n+1)\n", "f(0)"),
        eval("endless-sum.csp", "g(n) = 1 + g(n+1)\n", "g(0)"),
        eval("endless-loop.csp", "h(n) = h(n+1)\n", "h(0)"),
        eval("mutual.csp", "e(n) = o(n+1)\no(n) = e(n+1)\n", "e(0)"),
        eval("self.csp", "x = x\n", "x"),
        eval("two-selves.csp", "x = y + 1\ny = x + 1\n", "x"),
        eval("power.csp", "p(0) = 1\np(n) = p(n-1) + p(n-1)\n", "p(60)"),
        eval("ackermann.csp", "a(0,n) = n+1\na(m,0) = a(m-1,1)\na(m,n) = a(m-1,a(m,n-1))\n", "a(4,4)"),
        eval("powerset.csp", "", "card(Set({0..40}))"),
        eval("powersets.csp", "", "Set(Set(Set({0..5})))"),
        eval("sequences.csp", "", "Seq({0..9})"),
        eval("big-set.csp", "", "card({0..2000000000})"),
        eval("set-of-pairs.csp", "", "{(x,y) | x <- {0..100000}, y <- {0..100000}}"),
        eval("endless-range.csp", "", "{0..}"),
        eval("endless-filter.csp", "", "<x | x <- <0..>, x < 0>"),
        eval("doubling.csp", "d(s,0) = s\nd(s,n) = d(s^s,n-1)\n", "d(<1>,50)"),
        eval("concatenation.csp", "", "concat(< <0..100000> | x <- <0..100000> >)"),
        eval("unions.csp", "", "Union({ {x..x+1000} | x <- {0..1000000} })"),
        eval("division.csp", "", "1 / 0"),
        eval("modulo.csp", "", "1 % 0"),
        eval("overflow.csp", "", "2000000000 * 2000000000 * 2000000000"),
        eval("shallow-head.csp", "", "head(<>)"),
        eval("string.csp", "", "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"),
        eval("empty-expression.csp", "", ""),
    ]
}

/// Infinite or huge processes.
pub fn processes() -> Vec<Input> {
    let free = |name, text: &str| Input::check(name, format!("{text}assert P :[deadlock free]\n"));
    let compressed = |name, function: &str| {
        free(
            name,
            &format!(
                "channel a : {{0..300}}.{{0..300}}\nQ(x, y) = a.x.y -> Q((x + y) % 301, (y + 1) % 301)\nP = {function}(Q(0, 0))\n"
            ),
        )
    };
    vec![
        free("unguarded.csp", "P = P\n"),
        free("unguarded-choice.csp", "P = P [] P\n"),
        free("unguarded-pair.csp", "P = Q |~| Q\nQ = P\n"),
        free("unguarded-hiding.csp", "channel a\nP = P \\ {a}\n"),
        free("growing-hiding.csp", "channel a\nP = a -> (P \\ {a})\n"),
        free("growing-parallel.csp", "channel a\nP = a -> (P ||| P)\n").holds(),
        free("growing-sequence.csp", "channel a\nP = a -> (P ; P)\n").holds(),
        free("growing-argument.csp", "channel a\nQ(n) = a -> Q(n + 1)\nP = Q(0)\n").holds(),
        free("growing-set.csp", "channel a\nQ(s) = a -> Q(union(s, {card(s)}))\nP = Q({})\n").holds(),
        free("large-channel.csp", "channel c : {0..1000000000}\nP = c?x -> c!x -> P\n"),
        free("large-product.csp", "channel c : {0..999}.{0..999}.{0..999}\nP = c?x?y?z -> P\n").holds(),
        free("large-choice.csp", "channel c : {0..100000}\nP = [] x : {0..100000} @ c.x -> P\n").holds(),
        free("large-interleaving.csp", "channel a : {0..100000}\nP = ||| x : {0..100000} @ a.x -> STOP\n").fails(),
        free("wide-parallel.csp", "channel a : {0..3000}\nP = || x : {0..3000} @ [{a.x}] a.x -> STOP\n").fails(),
        free("many-copies.csp", "channel a\nQ = a -> Q\nP = ||| x : {0..30} @ a -> a -> Q\n").holds(),
        free("large-hiding.csp", "channel c : {0..99999}\nQ(n) = c.n -> Q((n + 1) % 100000)\nP = Q(0) \\ {|c|}\n"),
        free("large-renaming.csp",
            "channel a, b : {0..999}.{0..999}\nR = a?x?y -> R\nP = R[[a.x.y <- b.x.y | x <- {0..999}, y <- {0..999}]]\n").holds(),
        free("relational-renaming.csp",
            "S = {0..30}\nchannel a : S\nR(Q) = Q[[a.x <- a.y | x <- S, y <- S]]\nP = R(R(R(R(R(R(a?x -> P))))))\n"),
        compressed("chase.csp", "chase"),
        compressed("normal.csp", "normal"),
        compressed("sbisim.csp", "sbisim"),
        compressed("dbisim.csp", "dbisim"),
        compressed("wbisim.csp", "wbisim"),
        compressed("diamond.csp", "diamond"),
        compressed("prioritise.csp", "(\\ Q @ prioritise(Q, <{|a|}>))"),
        free("timeouts.csp", "channel a\nP = (STOP [> P) [] a -> P\n"),
        free("interrupts.csp", "channel a\nP = a -> (P /\\ P)\n"),
        free("exceptions.csp", "channel a\nP = a -> (P [| {a} |> P)\n"),
        Input::check("large-specification.csp",
            "channel a : {0..63}\nS(s) = [] x : {0..20} @ a.x -> S(if member(x, s) then diff(s, {x}) else union(s, {x}))\n\
             T = a?x -> T\nassert T [FD= S({})\n"),
        Input::check("large-determinism.csp",
            "channel a\nQ(n) = a -> Q(n + 1) |~| a -> Q(2 * n)\nassert Q(1) :[deterministic [FD]]\n"),
    ]
}
