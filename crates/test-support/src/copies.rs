//! Random CSP# scripts with replicated processes: the behavior of a copy depends on variables, channels and other
//! copies.
//!
//! A copy contains no parallel composition, so that every view treats it as one process. No step has a runtime error.

use crate::mutate::Random;
use std::fmt::Write;

/// Number of process definitions.
const N_PROCESSES: usize = 3;

/// Definitions of `P0()`, `P1()` and `P2()`, with the propositions `p`, `q` and `r`. Numbers of copies are read only if
/// `counts`.
pub fn random_copies(random: &mut Random, counts: bool) -> String {
    let mut text = "var x:{0..2} = 0; var b = false; channel c 1; channel d 0;\n\
         #define p x == 2; #define q b; #define r (x == 1 && !b);\n"
        .to_owned();
    if counts {
        text += "#define n0 #P0(); #define n1 #P1(); #define many n1 > 1;\n";
    }
    for number in 0..N_PROCESSES {
        let body = Writer { random, counts }.process(3, false);
        writeln!(text, "P{number}() = {body};").expect("a text can be written");
    }
    text
}

struct Writer<'r> {
    random: &'r mut Random,
    counts: bool,
}

impl Writer<'_> {
    fn pick(&mut self, texts: &[&str]) -> String {
        (*self.random.pick(texts)).to_owned()
    }

    fn condition(&mut self) -> String {
        if self.counts && self.random.below(2) == 0 {
            return self.pick(&["n0 > 0", "n1 == 0", "n1 <= 1", "2 <= n0", "n0 != 1", "(n1 < 2 && !b)"]);
        }
        self.pick(&["x == 0", "x != 1", "b", "!b", "x > 0 || b", "call(cfull, c)"])
    }

    fn prefix(&mut self) -> String {
        let plain = ["s", "t", "s", "go{x = (x + 1) % 3}", "set{b = true}", "reset{b = false}", "{x = 0}"];
        let messages = ["c!1", "c?z", "d!0", "d!1", "d?z", "d?[z == x]z", "d!x", "d?1{b = !b}"];
        if self.random.below(3) == 0 { self.pick(&messages) } else { self.pick(&plain) }
    }

    fn process(&mut self, depth: usize, is_guarded: bool) -> String {
        if depth == 0 {
            return match self.random.below(8) {
                0 => "Skip".to_owned(),
                1 => "Stop".to_owned(),
                _ if is_guarded => format!("P{}()", self.random.below(N_PROCESSES)),
                _ => "s -> Skip".to_owned(),
            };
        }
        match self.random.below(18) {
            16 | 17 => {
                // Two copies at the same place can synchronize.
                let (sends, takes) = (self.process(depth - 1, true), self.process(depth - 1, true));
                format!("((d!0 -> {sends}) [] (d?z -> {takes}))")
            }
            0..=7 => {
                // Some steps return at once, so that there are loops.
                let next = if self.random.below(3) == 0 { 0 } else { depth - 1 };
                format!("({} -> {})", self.prefix(), self.process(next, true))
            }
            8 | 9 => format!("([{}] {})", self.condition(), self.process(depth - 1, is_guarded)),
            10 | 11 => format!("({} [] {})", self.process(depth - 1, is_guarded), self.process(depth - 1, is_guarded)),
            12 => format!("({} <> {})", self.process(depth - 1, true), self.process(depth - 1, true)),
            13 => {
                let (then, otherwise) = (self.process(depth - 1, true), self.process(depth - 1, true));
                format!("(if ({}) {{{then}}} else {{{otherwise}}})", self.condition())
            }
            14 => format!("((t -> Skip) ; {})", self.process(depth - 1, true)),
            _ if self.random.below(3) == 0 => format!("atomic {{{} -> {} -> Skip}}", self.prefix(), self.prefix()),
            _ => format!("(ifb ({}) {{{}}})", self.condition(), self.process(depth - 1, true)),
        }
    }
}
