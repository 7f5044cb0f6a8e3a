//! Random scripts in CSP#: variables, arrays and channels shared by parallel processes.
//!
//! Most have a few hundred states. Some steps have runtime errors: an index or a value out of range, a division by
//! zero.

use crate::mutate::Random;
use std::fmt::Write;

/// Number of process definitions.
const N_PROCESSES: usize = 3;

/// Script with a process `System()`, without assertions, and with the propositions `p`, `q` and `r`.
pub fn random_script(random: &mut Random) -> String {
    let mut text = "var x:{0..3} = 0; var y = 0; var b = false; var a[3]; var m[2][2] = [0, 1, 2, 0];\n\
         channel c 2; channel d 0; channel e[2] 1;\n\
         #define p x == 2 && a[0] == 0; #define q y > 1 || b; #define r call(cfull, c);\n"
        .to_owned();
    for number in 0..N_PROCESSES {
        let body = Writer { random }.process(3, true, false);
        writeln!(text, "P{number}(i) = {body};").expect("a text can be written");
    }
    let mut writer = Writer { random };
    let system = writer.system(2);
    writeln!(text, "System() = {system};").expect("the same");
    // Declared only if used: an unused library object makes no difference, and a used one prevents compilation to a
    // network.
    if text.contains("o.Add") {
        text.insert_str(0, "#import \"PAT.Lib.Set\"; var<Set> o;\n");
    }
    if text.contains("g!") || text.contains("g?") {
        text.insert_str(0, "channel g 1;\n");
    }
    text
}

struct Writer<'r> {
    random: &'r mut Random,
}

impl Writer<'_> {
    fn pick(&mut self, texts: &[&str]) -> String {
        (*self.random.pick(texts)).to_owned()
    }

    fn number(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(&[
                "x",
                "y",
                "i",
                "0",
                "1",
                "2",
                "a[0]",
                "a[i]",
                "a[x % 3]",
                "m[i][1]",
                "call(ccount, c)",
            ]);
        }
        let (left, right) = (self.number(depth - 1), self.number(depth - 1));
        match self.random.below(12) {
            0 | 1 => format!("({left} + {right})"),
            2 => format!("({left} - {right})"),
            3 => format!("({left} * {right})"),
            4 => format!("({left} % 3)"),
            5 => format!("({left} / ({right} + 1))"),
            6 => format!("a[({left}) % 3]"),
            7 => format!("m[{left} % 2][({right}) % 2]"),
            _ => left,
        }
    }

    fn condition(&mut self) -> String {
        let (left, right) = (self.number(1), self.number(0));
        match self.random.below(10) {
            0 => format!("{left} == {right}"),
            1 => format!("{left} != {right}"),
            2 | 3 => format!("{left} < {right}"),
            4 => format!("{left} >= {right}"),
            5 => format!("({left} <= {right} && {})", self.condition()),
            6 => format!("({left} > {right} || {})", self.condition()),
            7 => "!b".to_owned(),
            8 => "b".to_owned(),
            _ => "!call(cfull, c)".to_owned(),
        }
    }

    fn statement(&mut self, depth: usize) -> String {
        match self.random.below(12) {
            0 => format!("x = ({}) % 4;", self.number(1)),
            1 => "x = (x + 1) % 4;".to_owned(),
            2 => format!("y = ({}) % 3;", self.number(2)),
            3 => format!("y = {};", self.number(0)),
            4 => format!("a[i] = ({}) % 3;", self.number(1)),
            5 => format!("a[x % 3] = ({}) % 2;", self.number(0)),
            6 => format!("b = {};", self.condition()),
            7 => format!("m[i][x % 2] = ({}) % 3;", self.number(0)),
            8 if depth > 0 => {
                let (then, otherwise) = (self.statement(depth - 1), self.statement(depth - 1));
                format!("if ({}) {{ {then} }} else {{ {otherwise} }}", self.condition())
            }
            9 if depth > 0 => {
                format!("var k = 0; while (k < 3) {{ a[k] = (a[k] + {}) % 3; k = k + 1; }}", self.number(0))
            }
            10 if depth > 0 => "var t = x; if (t > 1) { t = t - 1; } y = t;".to_owned(),
            11 if depth > 0 && self.random.below(12) == 0 => "o.Add(x); if (o.Count() > 1) { y = 1; }".to_owned(),
            // These may have runtime errors.
            11 if self.random.below(3) == 0 => format!("y = 2 / {};", self.number(0)),
            11 if self.random.below(4) == 0 => format!("x = {};", self.number(1)),
            _ => "y = 1 - y;".to_owned(),
        }
    }

    fn program(&mut self) -> String {
        let n_statements = 1 + self.random.below(2);
        let statements: Vec<String> = (0..n_statements).map(|_| self.statement(1)).collect();
        format!("{{ {} }}", statements.join(" "))
    }

    /// Random prefix of a process.
    fn prefix(&mut self) -> String {
        if self.random.below(5) > 0 {
            return self.unmarked_prefix();
        }
        let mark = self.pick(&["wf", "sf", "wl", "sl"]);
        let message = self.message();
        format!("{mark}({message})")
    }

    fn message(&mut self) -> String {
        match self.random.below(6) {
            0 => format!("c!{}", self.pick(&["x", "i", "1", "y % 2"])),
            1 => format!("c?{}", self.pick(&["z", "1", "i", "[z > 0]z"])),
            2 => format!("d!{}", self.pick(&["x", "i", "1"])),
            3 => format!("d?{}", self.pick(&["z", "1", "[z == x]z"])),
            4 => format!("e[{}]!{}", self.pick(&["0", "i", "x % 2"]), self.pick(&["0", "1.x"])),
            _ => format!("e[{}]?{}", self.pick(&["0", "i"]), self.pick(&["z", "z.w"])),
        }
    }

    fn unmarked_prefix(&mut self) -> String {
        match self.random.below(14) {
            0 | 1 => self.pick(&["s", "t", "u", "s", "wf(s)", "sf(t)"]),
            2 => format!("f.{}", self.pick(&["i", "0", "1"])),
            3..=5 => format!("go{}", self.program()),
            6 => format!("put.{}{}", self.pick(&["x", "i", "y % 2"]), self.program()),
            7 => self.program(),
            // Whole arrays are sent by value.
            8 if self.random.below(12) == 0 => self.pick(&["g!a", "g?v -> put.v[1]", "g?v -> put.v[i]"]),
            _ => self.message(),
        }
    }

    fn process(&mut self, depth: usize, may_call: bool, is_guarded: bool) -> String {
        if depth == 0 {
            let argument = self.pick(&["i", "0", "1", "1 - i", "x % 2"]);
            return match self.random.below(5) {
                0 => "Skip".to_owned(),
                1..=3 if may_call && is_guarded => format!("P{}({argument})", self.random.below(N_PROCESSES)),
                _ => "Stop".to_owned(),
            };
        }
        match self.random.below(21) {
            20 => format!("atomic {{{}}}", self.process(depth - 1, false, is_guarded)),
            0..=8 => format!("({} -> {})", self.prefix(), self.process(depth - 1, may_call, true)),
            9 | 10 => format!("([{}] {})", self.condition(), self.process(depth - 1, may_call, is_guarded)),
            11 => self.two("[]", depth, may_call, is_guarded),
            12 => self.two("[*]", depth, may_call, is_guarded),
            13 => self.two("<>", depth, may_call, true),
            14 => {
                let word = self.pick(&["if", "ifa", "ifa"]);
                let is_guarded = is_guarded || word == "if";
                let (then, otherwise) =
                    (self.process(depth - 1, may_call, is_guarded), self.process(depth - 1, may_call, is_guarded));
                format!("({word} ({}) {{{then}}} else {{{otherwise}}})", self.condition())
            }
            15 => {
                let first = self.process(depth - 1, false, is_guarded);
                format!("({first} ; {})", self.process(depth - 1, may_call, is_guarded))
            }
            16 => format!("({} \\ {{s}})", self.process(depth - 1, false, is_guarded)),
            17 => {
                let first = self.process(depth - 1, false, is_guarded);
                format!("({first} interrupt {})", self.process(depth - 1, false, is_guarded))
            }
            18 => {
                let sign = self.pick(&["|||", "||"]);
                self.two(&sign, depth, false, is_guarded)
            }
            _ => format!("(ifb ({}) {{{}}})", self.condition(), self.process(depth - 1, may_call, true)),
        }
    }

    fn two(&mut self, sign: &str, depth: usize, may_call: bool, is_guarded: bool) -> String {
        let left = self.process(depth - 1, may_call, is_guarded);
        format!("({left} {sign} {})", self.process(depth - 1, may_call, is_guarded))
    }

    fn system(&mut self, depth: usize) -> String {
        if depth == 0 || self.random.below(4) == 0 {
            return format!("P{}({})", self.random.below(N_PROCESSES), self.random.below(2));
        }
        let called = self.random.below(N_PROCESSES);
        match self.random.below(12) {
            0 => return format!("(||| k:{{0..1}}@P{called}(k))"),
            1 => return format!("(|| k:{{1,0}}@(P{called}(k) ||| P0(1 - k)))"),
            2 => return format!("(||| k:{{0..1}}@(|| j:{{k..1}}@P{called}(j)))"),
            3 => return format!("(|||{{2}}@P{called}(1))"),
            _ => {}
        }
        let (left, right) = (self.system(depth - 1), self.system(depth - 1));
        match self.random.below(6) {
            0 => format!("(({left} ||| {right}) \\ {{t}})"),
            1 => format!("({left} || {right})"),
            _ => format!("({left} ||| {right})"),
        }
    }
}
