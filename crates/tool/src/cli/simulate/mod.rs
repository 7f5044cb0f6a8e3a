//! `tracehound simulate`.
//!
//! [`prompt`] reads commands, [`screen`] shows states; this module executes the commands.

mod prompt;
mod screen;

use super::args::{SearchLimits, Simulate, Workers};
use super::{Exit, report};
use crate::disk::Disk;
use crate::limits::{self, Budget};
use crate::output;
use ::limits::display::steps::MAX_ALTERNATIVES;
use analysis::check::{Checker, Fault, Time};
use analysis::{Failure, Move, NoProgress, Session, Simulator, read_time};
use prompt::{Input, Prompt};
use screen::{Screen, text_of};
use std::collections::VecDeque;
use std::sync::Arc;

/// Simulates a process interactively.
pub fn run(arguments: &Simulate) -> Result<Exit, String> {
    let common = &arguments.common;
    let process = match &arguments.process {
        Some(process) => process.clone(),
        None => match first_process(arguments)? {
            Some(process) => process,
            None => return Ok(Exit::Nothing),
        },
    };
    let session = Session::open_with_process(&Disk, &common.file, common.style.language(), &process);
    if session.has_errors() {
        report::errors(&common.style, &common.file, &session, session.diagnostics());
        return Ok(Exit::Nothing);
    }
    let simulator = match Simulator::new(&session, Arc::new(NoProgress)) {
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

/// Reports why a process cannot be simulated.
fn report_failure(arguments: &Simulate, session: &Session, failure: Failure) {
    match failure {
        Failure::Error(diagnostic) => {
            report::errors(&arguments.common.style, &arguments.common.file, session, &[*diagnostic])
        }
        Failure::Stopped(_) => output::complain("stopped"),
        Failure::Beyond(why) => output::complain(&why),
    }
}

/// Process to simulate when none is named.
fn first_process(arguments: &Simulate) -> Result<Option<String>, String> {
    let common = &arguments.common;
    let session = Session::open(&Disk, &common.file, common.style.language());
    if session.has_errors() {
        report::errors(&common.style, &common.file, &session, session.diagnostics());
        return Ok(None);
    }
    let first = session.processes().into_iter().next();
    let why = || format!("`{}` defines no process without parameters: name one", common.file);
    first.map(Some).ok_or_else(why)
}

/// Interactive simulation.
struct Stepping<'a> {
    arguments: &'a Simulate,
    session: &'a Session,
    simulator: Simulator<'a>,
    /// Enabled moves.
    moves: Vec<Move>,
    /// Remaining moves of a replay.
    replay: VecDeque<Move>,
    generator: Generator,
}

/// Whether to read another command.
#[derive(PartialEq, Eq)]
enum Next {
    Go,
    Quit,
}

impl<'a> Stepping<'a> {
    fn work(mut self) -> Result<Exit, String> {
        let mut prompt = Prompt::new();
        self.look(false)?;
        loop {
            let line = match prompt.ask(self.event_names())? {
                Input::Line(line) => line,
                Input::End => return Ok(Exit::Clean),
                Input::Interrupted => return Ok(Exit::Interrupted),
            };
            if self.obey(line.trim())? == Next::Quit {
                return Ok(Exit::Clean);
            }
            if limits::is_interrupted() {
                return Ok(Exit::Interrupted);
            }
        }
    }

    /// Event names of the enabled moves.
    fn event_names(&self) -> Vec<String> {
        let mut names: Vec<String> = self.moves.iter().map(|step| step.event.clone()).collect();
        names.extend(self.moves.iter().filter_map(|step| step.hidden.clone()));
        names.sort();
        names.dedup();
        names
    }

    fn obey(&mut self, command: &str) -> Result<Next, String> {
        // Enabled events take precedence over one-letter commands; these have long names, too.
        if !command.is_empty() && self.moves.iter().any(|step| step.is_called(command)) {
            self.take_event(command)?;
            return Ok(Next::Go);
        }
        let (word, rest) = command.split_once(' ').unwrap_or((command, ""));
        let number: Option<usize> = rest.trim().parse().ok();
        match (word, number) {
            ("", _) => self.look(false)?,
            ("all", _) => self.look(true)?,
            ("q" | "quit", _) => return Ok(Next::Quit),
            ("u" | "undo" | "back", _) if self.simulator.undo() => self.moved()?,
            ("u" | "undo" | "back", _) => output::write_result("this is the start\n")?,
            ("r" | "random", number) if rest.is_empty() || number.is_some() => self.wander(number.unwrap_or(1))?,
            ("w" | "wait", _) => self.wait(rest.trim())?,
            ("t" | "fold", _) => self.toggle_folding()?,
            ("h" | "history", _) => output::write_result(&history(&self.simulator))?,
            ("replay", Some(number)) => self.begin_replay(number)?,
            ("n" | "next", _) => self.replay_step()?,
            ("?" | "help", _) => output::write_result(COMMANDS)?,
            _ => match word.parse::<usize>() {
                Ok(number) => self.choose(number)?,
                Err(_) => output::write_result(&self.not_possible(command))?,
            },
        }
        Ok(Next::Go)
    }

    /// Takes the step of a named event, if it is enabled.
    fn take_event(&mut self, name: &str) -> Result<(), String> {
        let numbered = (1..).zip(&self.moves).filter(|(_, step)| step.is_called(name));
        let numbers: Vec<usize> = numbered.map(|(number, _)| number).collect();
        match numbers[..] {
            [number] => self.choose(number),
            _ => {
                let numbers: Vec<String> = numbers.iter().map(usize::to_string).collect();
                output::write_result(&format!("several steps are called `{name}`: choose {}\n", numbers.join(" or ")))
            }
        }
    }

    /// Reports an input that is neither a command nor an enabled event.
    fn not_possible(&self, command: &str) -> String {
        let names = self.event_names();
        let near = source::suggest::nearest(command, names.iter().map(String::as_str));
        let near = near.map(|name| format!("; did you mean `{name}`?")).unwrap_or_default();
        let shown: Vec<&str> = names.iter().take(MAX_ALTERNATIVES).map(String::as_str).collect();
        let more = if names.len() > MAX_ALTERNATIVES { ", ..." } else { "" };
        let possible = if shown.is_empty() {
            "and nothing else can".to_owned()
        } else {
            format!("but {}{more} can", shown.join(", "))
        };
        format!("`{command}` cannot happen now, {possible}{near}; `?` lists the commands\n")
    }

    /// Shows the current state and the enabled moves.
    fn look(&mut self, all: bool) -> Result<(), String> {
        let state = self.simulator.state();
        self.moves = match self.simulator.moves() {
            Ok(moves) => moves,
            Err(failure) => {
                report_failure(self.arguments, self.session, failure);
                Vec::new()
            }
        };
        let folds = if self.simulator.folds() { " (silent steps are folded)" } else { "" };
        let screen = Screen::now();
        let state = screen.state(&state, &self.simulator.parts(), &self.simulator.variables());
        let time = self.simulator.passing().map(|passing| {
            let now = self.simulator.time().unwrap_or_default();
            screen::time(now, passing, &self.simulator.clocks(), self.moves.is_empty())
        });
        let nothing = match time {
            Some(_) => String::new(),
            None if self.moves.is_empty() => format!("    nothing can happen{folds}\n"),
            None => String::new(),
        };
        let state = state + &time.unwrap_or_default();
        let moves = screen.moves(&self.moves, state.lines().count(), all);
        output::write_result(&format!("{state}{nothing}{moves}"))
    }

    /// Lets time pass, by the given amount or until the next deadline.
    fn wait(&mut self, much: &str) -> Result<(), String> {
        if self.simulator.time().is_none() {
            return output::write_result("time does not pass in this script\n");
        }
        let time = match much {
            "" => None,
            much => match read_time(much).filter(|&time| time > Time::default()) {
                Some(time) => Some(time),
                None => {
                    let help = "write how many units of time to wait, such as `wait 3`, `wait 1/2` or `wait 0.5`\n";
                    return output::write_result(help);
                }
            },
        };
        match self.simulator.wait(time) {
            Ok(Some(_)) => self.moved(),
            Ok(None) if much.is_empty() => output::write_result("nothing changes by waiting, or time cannot pass\n"),
            Ok(None) => output::write_result("so much time cannot pass: something must happen before\n"),
            Err(failure) => {
                report_failure(self.arguments, self.session, failure);
                Ok(())
            }
        }
    }

    /// Ends a replay after a move that the user chose.
    fn moved(&mut self) -> Result<(), String> {
        self.replay.clear();
        self.look(false)
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
            output::write_result(&format!("  - {}\n", text_of(&chosen)))?;
            self.simulator.take(chosen);
            self.moves = self.simulator.moves().unwrap_or_default();
        }
        self.moved()
    }

    fn toggle_folding(&mut self) -> Result<(), String> {
        self.simulator.toggle_folding();
        let how = if self.simulator.folds() { "folded" } else { "shown" };
        output::write_result(&format!("silent steps are {how}\n"))?;
        self.look(false)
    }

    /// Restarts at the process of an assertion, with its counterexample as replay.
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
                self.look(false)
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
        let mut simulator = Simulator::of_assertion(self.session, index, Arc::new(NoProgress))?;
        let steps: Vec<(&str, bool)> = found.steps.iter().map(|step| (step.event.as_str(), step.is_visible)).collect();
        let offers: Option<&[String]> = match &found.fault {
            Fault::Deadlock => Some(&[]),
            Fault::Refusal { accepted, .. } | Fault::Nondeterminism(_, accepted) => Some(accepted),
            _ => None,
        };
        let delays: Vec<Time> = found.steps.iter().filter_map(|step| step.delay).collect();
        let run = simulator.find_run(&steps, &delays, offers)?;
        Ok(run.map(|run| (simulator, run)))
    }

    fn replay_step(&mut self) -> Result<(), String> {
        match self.replay.pop_front() {
            Some(next) => {
                output::write_result(&format!("  - {}\n", text_of(&next)))?;
                self.simulator.take(next);
                self.look(false)
            }
            None => output::write_result("no replay is going on: `replay N` begins one\n"),
        }
    }
}

const COMMANDS: &str = "\
NUMBER       take this step
EVENT        take the step with this event; the tabulator key completes it
u, undo      undo
r, random N  N random steps, or one
w, wait N    let N units of time pass (`3`, `1/2`, `0.5`), or until the next time is up
t, fold      fold silent steps, or show them
h, history   what happened so far
replay N     go along the counterexample of assertion N
n, next      next step of the replay
all          list all steps
q, quit      quit
";

fn history(simulator: &Simulator<'_>) -> String {
    let taken = simulator.history();
    let visible: Vec<&str> = taken.iter().filter(|step| step.is_visible).map(|step| step.event.as_str()).collect();
    let n_silent = |step: &Move| step.n_silent + usize::from(!step.is_visible && !step.is_wait);
    let n_silent = taken.iter().map(n_silent).sum::<usize>();
    let time = simulator.time().map(|time| format!(", {time} units of time")).unwrap_or_default();
    format!("  <{}>, {}{time}\n", visible.join(", "), report::count(n_silent, "silent step"))
}

/// Pseudo-random numbers from a seed: SplitMix64 (Steele, Lea and Flood, 2014, Fast splittable pseudorandom number
/// generators).
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
