//! `tracehound simulate`.

use super::args::{SearchLimits, Simulate, Workers};
use super::{Exit, report};
use crate::disk::Disk;
use crate::limits::{self, Budget};
use crate::output;
use analysis::check::Checker;
use analysis::{Failure, Move, Nobody, Session, Simulator};
use std::collections::VecDeque;
use std::fmt::Write;
use std::io::{BufRead, IsTerminal};
use std::sync::Arc;

/// Moves listed at once.
const MAX_SHOWN: usize = 50;

/// Steps through a process.
pub fn run(arguments: &Simulate) -> Result<Exit, String> {
    let common = &arguments.common;
    let process = match &arguments.process {
        Some(process) => process.clone(),
        None => match first_process(arguments)? {
            Some(process) => process,
            None => return Ok(Exit::Nothing),
        },
    };
    let session = Session::open_with_process(&Disk, &common.file, common.language(), &process);
    if session.has_errors() {
        report::errors(common, &session, session.diagnostics());
        return Ok(Exit::Nothing);
    }
    let simulator = match Simulator::new(&session, Arc::new(Nobody)) {
        Ok(simulator) => simulator,
        Err(failure) => {
            report_failure(arguments, &session, failure);
            return Ok(Exit::Nothing);
        }
    };
    output::write_result(&format!("{process}, {}; `?` lists the commands\n", common.file))?;
    let generator = Generator(arguments.seed);
    Stepping { arguments, session: &session, simulator, moves: Vec::new(), replay: VecDeque::new(), generator }.work()
}

/// Says why a process cannot be looked at.
fn report_failure(arguments: &Simulate, session: &Session, failure: Failure) {
    match failure {
        Failure::Error(diagnostic) => report::errors(&arguments.common, session, &[*diagnostic]),
        Failure::Stopped(_) => output::complain("stopped"),
    }
}

/// The process to step through when none is named.
fn first_process(arguments: &Simulate) -> Result<Option<String>, String> {
    let common = &arguments.common;
    let session = Session::open(&Disk, &common.file, common.language());
    if session.has_errors() {
        report::errors(common, &session, session.diagnostics());
        return Ok(None);
    }
    let first = session.processes().into_iter().next();
    let why = || format!("`{}` defines no process without parameters: name one", common.file);
    first.map(Some).ok_or_else(why)
}

/// A process that somebody steps through.
struct Stepping<'a> {
    arguments: &'a Simulate,
    session: &'a Session,
    simulator: Simulator<'a>,
    /// What can happen now.
    moves: Vec<Move>,
    /// What is left of a replay.
    replay: VecDeque<Move>,
    generator: Generator,
}

/// Whether to ask for another command.
#[derive(PartialEq, Eq)]
enum Next {
    Go,
    Quit,
}

impl<'a> Stepping<'a> {
    fn work(mut self) -> Result<Exit, String> {
        let is_terminal = std::io::stdin().is_terminal();
        let mut commands = std::io::stdin().lock().lines();
        self.look()?;
        loop {
            output::write_result("> ")?;
            let Some(line) = commands.next() else {
                output::write_result("\n")?;
                return Ok(Exit::Clean);
            };
            let line = line.map_err(|error| format!("cannot read the commands: {error}"))?;
            if !is_terminal {
                output::write_result(&format!("{line}\n"))?;
            }
            if self.obey(line.trim())? == Next::Quit {
                return Ok(Exit::Clean);
            }
            if limits::is_interrupted() {
                return Ok(Exit::Interrupted);
            }
        }
    }

    fn obey(&mut self, command: &str) -> Result<Next, String> {
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        let number: Option<usize> = rest.trim().parse().ok();
        match (word, number) {
            ("", _) => self.look()?,
            ("q", _) => return Ok(Next::Quit),
            ("u", _) if self.simulator.undo() => self.moved()?,
            ("u", _) => output::write_result("this is the start\n")?,
            ("r", number) if rest.is_empty() || number.is_some() => self.wander(number.unwrap_or(1))?,
            ("t", _) => self.toggle_folding()?,
            ("h", _) => output::write_result(&history(&self.simulator))?,
            ("replay", Some(number)) => self.begin_replay(number)?,
            ("n", _) => self.replay_step()?,
            _ => match word.parse::<usize>() {
                Ok(number) => self.choose(number)?,
                Err(_) => output::write_result(COMMANDS)?,
            },
        }
        Ok(Next::Go)
    }

    /// Shows where we are and what can happen.
    fn look(&mut self) -> Result<(), String> {
        let state = self.simulator.state();
        self.moves = match self.simulator.moves() {
            Ok(moves) => moves,
            Err(failure) => {
                report_failure(self.arguments, self.session, failure);
                Vec::new()
            }
        };
        let folds = if self.simulator.folds() { " (silent steps are folded)" } else { "" };
        let mut variables = String::new();
        for cell in self.simulator.variables() {
            let _ = writeln!(variables, "    {} = {}", cell.name, cell.value);
        }
        let nothing = if self.moves.is_empty() { format!("    nothing can happen{folds}\n") } else { String::new() };
        output::write_result(&format!("  {state}\n{variables}{nothing}{}", list(&self.moves)))
    }

    /// Somebody chose a way: a replay is over.
    fn moved(&mut self) -> Result<(), String> {
        self.replay.clear();
        self.look()
    }

    fn choose(&mut self, number: usize) -> Result<(), String> {
        match number.checked_sub(1).and_then(|place| self.moves.get(place)).cloned() {
            Some(chosen) => {
                self.simulator.take(chosen);
                self.moved()
            }
            None => output::write_result(&format!("there is no step {number}\n")),
        }
    }

    fn wander(&mut self, n_steps: usize) -> Result<(), String> {
        for _ in 0..n_steps {
            if self.moves.is_empty() || limits::is_interrupted() {
                break;
            }
            let place = self.generator.below(self.moves.len());
            let chosen = self.moves.swap_remove(place);
            output::write_result(&format!("  - {}\n", told(&chosen)))?;
            self.simulator.take(chosen);
            self.moves = self.simulator.moves().unwrap_or_default();
        }
        self.moved()
    }

    fn toggle_folding(&mut self) -> Result<(), String> {
        self.simulator.toggle_folding();
        let how = if self.simulator.folds() { "folded" } else { "shown" };
        output::write_result(&format!("silent steps are {how}\n"))?;
        self.look()
    }

    /// Goes to the start of the process of an assertion, with its counterexample ahead.
    fn begin_replay(&mut self, index: usize) -> Result<(), String> {
        if index == 0 || index > self.session.assertions().len() {
            return output::write_result(&format!("there is no assertion {index}\n"));
        }
        match self.find_replay(index) {
            Ok(Some((simulator, run))) => {
                self.simulator = simulator;
                self.replay = run.into();
                let n_steps = report::count(self.replay.len(), "step");
                output::write_result(&format!("{n_steps} ahead: `n` takes the next one\n"))?;
                self.look()
            }
            Ok(None) => output::write_result(&format!("assertion {index} has no counterexample to replay\n")),
            Err(failure) => {
                report_failure(self.arguments, self.session, failure);
                Ok(())
            }
        }
    }

    fn find_replay(&self, index: usize) -> Result<Option<(Simulator<'a>, Vec<Move>)>, Failure> {
        let budget = Budget::new(None, None);
        let limits = SearchLimits::none();
        let mut checker = Checker::new(self.session, limits.options(&budget, &Workers { threads: None }));
        let checked = checker.check(index);
        budget.clear_progress();
        let Some(found) = checked.counterexample else { return Ok(None) };
        let mut simulator = Simulator::of_assertion(self.session, index, Arc::new(Nobody))?;
        let steps: Vec<(&str, bool)> = found.steps.iter().map(|step| (step.event.as_str(), step.is_visible)).collect();
        let run = simulator.find_run(&steps)?;
        Ok(run.map(|run| (simulator, run)))
    }

    fn replay_step(&mut self) -> Result<(), String> {
        match self.replay.pop_front() {
            Some(next) => {
                output::write_result(&format!("  - {}\n", told(&next)))?;
                self.simulator.take(next);
                self.look()
            }
            None => output::write_result("no replay is going on: `replay N` begins one\n"),
        }
    }
}

const COMMANDS: &str = "\
NUMBER    take this step
u         undo
r [N]     N random steps, or one
t         fold silent steps, or show them
h         what happened so far
replay N  go along the counterexample of assertion N
n         next step of the replay
q         quit
";

/// The moves with their numbers.
fn list(moves: &[Move]) -> String {
    let mut text = String::new();
    for (number, step) in (1..).zip(moves.iter().take(MAX_SHOWN)) {
        let _ = writeln!(text, "  {number:>3}  {}", told(step));
    }
    if moves.len() > MAX_SHOWN {
        let _ = writeln!(text, "       ... and {} more", moves.len() - MAX_SHOWN);
    }
    text
}

/// `left.0, by COPY(left,mid)`.
fn told(step: &Move) -> String {
    let silent = match step.n_silent {
        0 => String::new(),
        n => format!(" after {}", report::count(n, "silent step")),
    };
    let by = if step.by.is_empty() { String::new() } else { format!("  by {}", step.by.join(" and ")) };
    format!("{}{silent}{by}", step.event)
}

fn history(simulator: &Simulator<'_>) -> String {
    let taken = simulator.history();
    let visible: Vec<&str> = taken.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    let n_silent = taken.iter().map(|step| step.n_silent + usize::from(!step.is_visible)).sum::<usize>();
    format!("  <{}>, {}\n", visible.join(", "), report::count(n_silent, "silent step"))
}

/// Numbers that look random and depend on a seed only: SplitMix64.
struct Generator(u64);

impl Generator {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % n as u64) as usize
    }
}
