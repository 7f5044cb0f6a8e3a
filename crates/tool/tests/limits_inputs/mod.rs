//! Inputs that are small to write and huge to compute, or broken, for every language and command.

mod commands;
mod cspm;
mod engines;
mod sharp;

/// Input with the arguments of the program.
pub struct Input {
    /// File name of the script, unique in the table.
    pub name: &'static str,
    /// Content of the script.
    pub bytes: Vec<u8>,
    /// Arguments; `FILE` stands for the path of the script.
    pub arguments: Vec<String>,
    /// Content of standard input.
    pub typed: &'static str,
    /// Verdict, where it is known: the output must have this one or `unknown`.
    pub verdict: Option<Verdict>,
}

/// Verdict of a script with one assertion.
#[derive(Clone, Copy)]
pub enum Verdict {
    Holds,
    Fails,
}

impl Input {
    /// `check` with one thread, so that processor time is comparable with the limit.
    fn check(name: &'static str, text: impl Into<Vec<u8>>) -> Input {
        Input::run(name, text, &["check", "FILE", "--threads", "1"])
    }

    fn run(name: &'static str, text: impl Into<Vec<u8>>, arguments: &[&str]) -> Input {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Input { name, bytes: text.into(), arguments, typed: "", verdict: None }
    }

    fn holds(self) -> Input {
        Input { verdict: Some(Verdict::Holds), ..self }
    }

    fn fails(self) -> Input {
        Input { verdict: Some(Verdict::Fails), ..self }
    }

    fn and(mut self, more: &[&str]) -> Input {
        self.arguments.extend(more.iter().map(|&argument| argument.to_owned()));
        self
    }

    fn typing(self, typed: &'static str) -> Input {
        Input { typed, ..self }
    }
}

/// Scripts in CSPM.
pub fn cspm() -> Vec<Input> {
    [cspm::texts(), cspm::values(), cspm::processes()].into_iter().flatten().collect()
}

/// Scripts in CSP#.
pub fn csp_sharp() -> Vec<Input> {
    [sharp::texts(), sharp::processes(), sharp::timed()].into_iter().flatten().collect()
}

/// Formulas, engines, networks, and commands other than `check`.
pub fn others() -> Vec<Input> {
    let all = [engines::formulas(), engines::searches(), commands::commands(), commands::files()];
    all.into_iter().flatten().collect()
}

/// The whole table.
pub fn all() -> Vec<Input> {
    [cspm(), csp_sharp(), others()].into_iter().flatten().collect()
}

/// Lines made from the numbers below a bound.
fn lines(n_lines: usize, line: impl Fn(usize) -> String) -> String {
    (0..n_lines).map(line).collect()
}
