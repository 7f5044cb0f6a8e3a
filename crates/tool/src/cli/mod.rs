//! Commands: from parsed arguments to exit codes.
//!
//! One file per command; each calls `analysis` and hands the result to [`report`] (text) or [`json`] (programs).
//! [`args`] holds the arguments and their help.

mod args;
#[cfg(feature = "workbench")]
mod browser;
mod chart;
mod check;
mod draw;
mod eval;
mod fmt;
mod grouping;
mod history;
mod html;
mod include;
mod inputs;
mod json;
mod lsp;
mod ltl;
mod lts;
mod manual;
mod network;
mod proofs;
mod refine;
mod report;
#[cfg(feature = "workbench")]
mod serve;
mod simulate;
mod stats;
mod steps;
mod temporal;
mod tester;
mod transform;
mod typecheck;
mod verdict;
mod watch;
#[cfg(feature = "workbench")]
#[cfg(feature = "workbench")]
mod worker;

pub use args::Arguments;
use limits::effort::workbench::MAX_THREADS_PER_CORE;

use crate::limits::{Budget, Room};
use crate::output;
use analysis::Limits;
use analysis::check::{Method, Options};
use analysis::formula::{Choices, Fair, Reduce};
use analysis::{Language, Model};
use args::{
    Command, Fairness, Format, LimitOptions, ModelName, Reading, ReduceName, Search, SearchLimits, Style, Workers,
};
use clap::CommandFactory;
use std::sync::Arc;

/// Outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exit {
    /// Every verdict is `holds`, or the command did its work.
    Clean,
    /// An assertion fails.
    Fails,
    /// Nothing was decided: the script, the command line or a file is invalid.
    Nothing,
    /// No assertion fails, but some are unknown.
    Undecided,
    /// Internal error.
    Bug,
    /// Cancelled by the user.
    Interrupted,
}

impl Exit {
    /// Exit code of the process.
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

impl Exit {
    /// Combined outcome of several files: the more urgent one.
    pub fn and(self, other: Exit) -> Exit {
        let order = [Exit::Bug, Exit::Interrupted, Exit::Fails, Exit::Nothing, Exit::Undecided, Exit::Clean];
        order.into_iter().find(|exit| [self, other].contains(exit)).unwrap_or(Exit::Clean)
    }
}

/// Runs a command.
pub fn run(arguments: Arguments) -> Exit {
    let command = arguments.command;
    let answer = match &command {
        Command::Check(arguments) => check::run(arguments),
        Command::Ltl(arguments) => ltl::run(arguments),
        Command::Typecheck(arguments) => typecheck::run(arguments),
        Command::Eval(arguments) => eval::run(arguments),
        Command::Lts(arguments) => lts::run(arguments),
        Command::Draw(arguments) => draw::run(arguments),
        Command::Network(arguments) => network::run(arguments),
        Command::Refine(arguments) => refine::run(arguments),
        Command::Transform(arguments) => transform::run(arguments),
        Command::Simulate(arguments) => simulate::run(arguments),
        #[cfg(feature = "workbench")]
        Command::Serve(arguments) => serve::run(arguments),
        #[cfg(feature = "workbench")]
        Command::Worker(arguments) => worker::run(arguments),
        Command::Fmt(arguments) => fmt::run(arguments),
        Command::Lsp(arguments) => lsp::run(arguments),
        Command::Completions { shell } => complete(*shell),
        Command::Manual { folder } => manual::run(folder),
    };
    answer.unwrap_or_else(|failure| {
        // If standard output is closed, the error cannot be reported.
        let _ = requested_file(&command).map(|(format, file)| write_failure(format, file, &failure));
        output::complain(&failure);
        Exit::Nothing
    })
}

/// Writes a JSON document for a command that failed.
fn write_failure(format: Format, file: &str, failure: &str) -> Result<(), String> {
    let document = wire::Document::of_failure(file, failure);
    match format {
        Format::Human => {}
        Format::Json => json::write(&document)?,
        Format::Ndjson => output::stream_event(&wire::Event::Done(Box::new(document.without_assertions()))),
    }
    Ok(())
}

/// File of a command with JSON output, and its format.
fn requested_file(command: &Command) -> Option<(Format, &str)> {
    let (format, file) = match command {
        Command::Check(arguments) => (arguments.output.format, &arguments.files[0]),
        Command::Ltl(arguments) => (arguments.output.format, &arguments.common.file),
        Command::Refine(arguments) => (arguments.output.format, &arguments.implementation),
        _ => return None,
    };
    Some((format, file))
}

fn complete(shell: clap_complete::Shell) -> Result<Exit, String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "tracehound", &mut script);
    output::write_result(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Clean)
}

impl Style {
    fn language(&self) -> Option<&'static dyn Language> {
        self.language.as_deref().and_then(analysis::language_named)
    }
}

impl ModelName {
    fn model(self) -> Model {
        match self {
            ModelName::T => Model::Traces,
            ModelName::F => Model::Failures,
            ModelName::Fd => Model::FailuresDivergences,
            ModelName::V => Model::Revivals,
            ModelName::Vd => Model::RevivalsDivergences,
            ModelName::R => Model::RefusalTesting,
            ModelName::Rd => Model::RefusalTestingDivergences,
        }
    }
}

impl Reading {
    /// Options of the language.
    ///
    /// # Errors
    /// When a value is not one of the known ones.
    fn choices(&self, search: &Search) -> Result<Choices, String> {
        let mut choices = Choices { reduce: search.reduce.map(ReduceName::choice), ..Choices::default() };
        let words = [
            ("dialect", &self.dialect),
            ("view", &self.view),
            ("finite-runs", &self.finite_runs),
            ("divergence", &self.divergence),
            ("termination", &self.termination),
            ("zeno", &self.zeno),
        ];
        for (name, word) in words {
            if let Some(word) = word {
                let chosen = choices.choose(name, word);
                chosen.map_err(|words| format!("there is no `{word}` for --{name}; there are {words}"))?;
            }
        }
        choices.fairness = self.fairness.map(|fairness| match fairness {
            Fairness::None => Fair::None,
            Fairness::EventWeak => Fair::EventWeak,
            Fairness::EventStrong => Fair::EventStrong,
            Fairness::ProcessWeak => Fair::ProcessWeak,
            Fairness::ProcessStrong => Fair::ProcessStrong,
            Fairness::Global => Fair::Global,
            Fairness::Annotated => Fair::Annotated,
        });
        Ok(choices)
    }
}

impl ReduceName {
    fn choice(self) -> Reduce {
        match self {
            ReduceName::None => Reduce::None,
            ReduceName::Auto => Reduce::Auto,
            ReduceName::PartialOrder => Reduce::PartialOrder,
            ReduceName::Symmetry => Reduce::Symmetry,
        }
    }
}

impl LimitOptions {
    /// Budget that starts now.
    fn budget(&self) -> Arc<Budget> {
        Budget::new(self.time_limit, self.memory_limit)
    }

    /// Limits for reading a script, starting now.
    fn room(&self) -> Room {
        Room::new(self.time_limit, self.memory_limit)
    }
}

impl SearchLimits {
    /// Search options within these limits and a budget.
    fn options(&self, budget: &Arc<Budget>, workers: &Workers) -> Options {
        Options {
            progress: Arc::clone(budget) as _,
            method: Method::Auto,
            reduce: None,
            limits: Limits {
                max_states: self.max_states.unwrap_or(u64::MAX),
                max_memory: self.limits.memory_limit.unwrap_or(u64::MAX),
                ..Limits::of_workers(workers.n_workers())
            },
        }
    }
}

impl Workers {
    /// Number of worker threads. Each takes memory, and more than a few per core only contend.
    fn n_workers(&self) -> usize {
        let n_cores = std::thread::available_parallelism().map_or(1, |n| n.get());
        self.threads.map_or(n_cores, |n| n.get().min(n_cores * MAX_THREADS_PER_CORE))
    }
}
