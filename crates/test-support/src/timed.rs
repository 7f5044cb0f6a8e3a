//! Random scripts of the timed dialect of CSP#: every operator but `atomic`, small times, few states.
//!
//! All times are multiples of a macro `K`, so that the same script can be checked with times twice or three times as
//! long: verdicts of untimed properties must not change. Calls occur only where operators do not accumulate, so that
//! the state space is finite.

use crate::mutate::Random;
use std::fmt::Write;

/// Number of process definitions.
const N_PROCESSES: usize = 2;

/// Script with a process `System()`, another one `Other()`, and the propositions `p` and `q`.
#[derive(Clone, Debug)]
pub struct TimedScript {
    body: String,
}

impl TimedScript {
    /// Random script with terms of at most this depth, definitions excluded.
    pub fn random(random: &mut Random, depth: usize) -> TimedScript {
        let mut body = "var x:{0..2} = 0; channel c 1; channel d 0;\n#define p x == 1; #define q x == 2;\n".to_owned();
        for number in 0..N_PROCESSES {
            let process = Writer { random }.process(depth, Calls::BehindEvents, false);
            writeln!(body, "P{number}() = {process};").expect("a text can be written");
        }
        for name in ["System", "Other"] {
            let process = Writer { random }.system(depth);
            writeln!(body, "{name}() = {process};").expect("the same");
        }
        TimedScript { body }
    }

    /// Text with all times multiplied by a factor.
    pub fn scaled(&self, factor: u32) -> String {
        format!("#define K {factor};\n{}", self.body)
    }

    /// Text with assertions appended.
    pub fn asserting(&self, factor: u32, assertions: &[&str]) -> String {
        let mut text = self.scaled(factor);
        for assertion in assertions {
            writeln!(text, "#assert {assertion};").expect("a text can be written");
        }
        text
    }
}

/// Positions in which a definition may be called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    Never,
    /// After a visible event, which removes the operators around it.
    BehindEvents,
    Allowed,
}

impl Calls {
    /// Positions below an operator that a visible event removes.
    fn below_event(self) -> Calls {
        if self == Calls::Never { Calls::Never } else { Calls::BehindEvents }
    }

    fn behind_event(self) -> Calls {
        if self == Calls::Never { Calls::Never } else { Calls::Allowed }
    }
}

struct Writer<'r> {
    random: &'r mut Random,
}

impl Writer<'_> {
    fn pick(&mut self, texts: &[&str]) -> String {
        (*self.random.pick(texts)).to_owned()
    }

    fn time(&mut self) -> String {
        format!("{}*K", self.random.below(4))
    }

    fn times(&mut self) -> String {
        let low = self.random.below(3);
        format!("{low}*K,{}*K", low + self.random.below(3))
    }

    /// Random prefix of a process, and whether it is visible.
    fn prefix(&mut self) -> (String, bool) {
        match self.random.below(12) {
            0..=4 => (self.pick(&["s", "t", "u"]), true),
            5 => (format!("go{{x = {}}}", self.random.below(3)), true),
            6 => ("tau".to_owned(), false),
            7 => (format!("{{x = {}}}", self.random.below(3)), false),
            8 => ("c!1".to_owned(), true),
            9 => ("c?z".to_owned(), true),
            10 => ("d!1".to_owned(), true),
            _ => ("d?z".to_owned(), true),
        }
    }

    fn prefixed(&mut self, depth: usize, calls: Calls) -> String {
        let (event, is_visible) = self.prefix();
        let arrow = if is_visible && self.random.below(4) == 0 { "->>" } else { "->" };
        let calls = if is_visible { calls.behind_event() } else { calls };
        format!("({event} {arrow} {})", self.process(depth.saturating_sub(1), calls, true))
    }

    fn process(&mut self, depth: usize, calls: Calls, is_guarded: bool) -> String {
        if depth == 0 {
            return match self.random.below(6) {
                0 => "Stop".to_owned(),
                1..=3 if calls == Calls::Allowed && is_guarded => format!("P{}()", self.random.below(N_PROCESSES)),
                4 => format!("Wait[{}]", self.time()),
                _ => "Skip".to_owned(),
            };
        }
        match self.random.below(28) {
            0..=5 => self.prefixed(depth, calls),
            6 => format!("Wait[{}]", self.times()),
            7 | 8 => {
                let time = self.time();
                format!("(Wait[{time}]; {})", self.process(depth - 1, calls, is_guarded))
            }
            9..=11 => {
                let left = self.process(depth - 1, calls.below_event(), is_guarded);
                let time = self.time();
                format!("({left} timeout[{time}] {})", self.process(depth - 1, calls, true))
            }
            12 | 13 => {
                let inside = self.process(depth - 1, calls.below_event(), is_guarded);
                let times = if self.random.below(3) == 0 { self.times() } else { self.time() };
                format!("({inside} within[{times}])")
            }
            14 => {
                let inside = self.process(depth - 1, Calls::Never, is_guarded);
                format!("({inside} deadline[{}])", self.time())
            }
            15 => {
                // Half of them cannot terminate, so that the time of the operator is never read.
                let inside = match self.random.below(2) {
                    0 => format!("({} -> Stop)", self.pick(&["s", "t", "u"])),
                    _ => self.process(depth - 1, Calls::Never, is_guarded),
                };
                format!("({inside} waituntil[{}])", self.time())
            }
            16 => {
                let left = self.process(depth - 1, Calls::Never, is_guarded);
                let time = self.time();
                format!("({left} interrupt[{time}] {})", self.process(depth - 1, calls, true))
            }
            17 | 18 => self.two("[]", depth, calls, is_guarded),
            19 => self.two("<>", depth, calls, true),
            20 => {
                let first = self.process(depth - 1, Calls::Never, is_guarded);
                format!("({first} ; {})", self.process(depth - 1, calls, is_guarded))
            }
            21 => format!("({} \\ {{s}})", self.process(depth - 1, Calls::Never, is_guarded)),
            22 | 23 => {
                let sign = self.pick(&["|||", "||"]);
                self.two(&sign, depth, Calls::Never, is_guarded)
            }
            24 => format!("([x == {}] {})", self.random.below(3), self.prefixed(depth, calls)),
            25 => {
                let (then, otherwise) = (self.process(depth - 1, calls, true), self.process(depth - 1, calls, true));
                format!("(if (x == {}) {{{then}}} else {{{otherwise}}})", self.random.below(3))
            }
            26 => format!("(ifb (x == {}) {{{}}})", self.random.below(3), self.process(depth - 1, calls, true)),
            _ => {
                let left = self.process(depth - 1, Calls::Never, is_guarded);
                format!("({left} interrupt {})", self.process(depth - 1, Calls::Never, is_guarded))
            }
        }
    }

    fn two(&mut self, sign: &str, depth: usize, calls: Calls, is_guarded: bool) -> String {
        let left = self.process(depth - 1, calls, is_guarded);
        format!("({left} {sign} {})", self.process(depth - 1, calls, is_guarded))
    }

    fn system(&mut self, depth: usize) -> String {
        let left = self.member(depth);
        match self.random.below(6) {
            0 | 1 => format!("({left} ||| {})", self.member(depth)),
            2 | 3 => format!("({left} || {})", self.member(depth)),
            4 => format!("(({left} || {}) \\ {{t}})", self.member(depth)),
            _ => left,
        }
    }

    fn member(&mut self, depth: usize) -> String {
        match self.random.below(3) {
            0 => format!("P{}()", self.random.below(N_PROCESSES)),
            _ => self.process(depth, Calls::Never, true),
        }
    }
}
