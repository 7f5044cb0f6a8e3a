//! From arguments to answers.
//!
//! One file per command; each asks `analysis` once and hands the answer to [`report`] (for people) or [`json`] (for
//! programs). [`args`] holds the arguments and their help.

mod args;
mod check;
mod eval;
mod json;
mod report;
mod typecheck;
mod verdict;

pub use args::Arguments;

use crate::output;
use analysis::Language;
use args::{Command, Common, LanguageName};
use clap::CommandFactory;

/// How the command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// All is well.
    Clean,
    /// An assertion fails.
    Fails,
    /// Nothing was decided: the script, the command line or a file is wrong.
    Nothing,
    /// No assertion fails, but some are undecided.
    Undecided,
    /// We are wrong.
    Bug,
    /// The user is tired of waiting.
    Interrupted,
}

impl Exit {
    /// What the shell sees.
    pub fn code(self) -> u8 {
        match self {
            Exit::Clean => 0,
            Exit::Fails => 1,
            Exit::Nothing => 2,
            Exit::Undecided => 3,
            Exit::Bug => 101,
            Exit::Interrupted => 130,
        }
    }
}

/// Carries out a command.
pub fn run(arguments: Arguments) -> Exit {
    let answer = match arguments.command {
        Command::Check(arguments) => check::run(&arguments),
        Command::Typecheck(arguments) => typecheck::run(&arguments),
        Command::Eval(arguments) => eval::run(&arguments),
        Command::Completions { shell } => complete(shell),
    };
    answer.unwrap_or_else(|failure| {
        output::complain(&failure);
        Exit::Nothing
    })
}

fn complete(shell: clap_complete::Shell) -> Result<Exit, String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tracehound", &mut script);
    output::write_result(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Clean)
}

impl Common {
    fn language(&self) -> Option<Language> {
        self.language.map(|name| match name {
            LanguageName::Cspm => Language::Cspm,
            LanguageName::CspSharp => Language::CspSharp,
            LanguageName::B => Language::B,
        })
    }
}
