//! Source of commands: a terminal, with line editing, history and completion of events, or a file.

use crate::output;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::history::MemHistory;
use rustyline::{CompletionType, Config, Context, Editor, Helper};
use std::io::{BufRead, IsTerminal, Stdin};

const PROMPT: &str = "> ";

/// Command reader.
pub enum Prompt {
    /// Interactive terminal.
    Terminal(Box<Editor<Events, MemHistory>>),
    /// Redirected input, echoed in the output.
    Lines(Stdin),
}

/// Result of reading a command.
pub enum Input {
    /// A line.
    Line(String),
    /// End of the input.
    End,
    /// Ctrl-C.
    Interrupted,
}

impl Prompt {
    /// Prompt on standard input.
    pub fn new() -> Prompt {
        let stdin = std::io::stdin();
        if !(stdin.is_terminal() && std::io::stdout().is_terminal()) {
            return Prompt::Lines(stdin);
        }
        let config = Config::builder().auto_add_history(true).completion_type(CompletionType::List).build();
        match Editor::with_history(config.clone(), MemHistory::with_config(&config)) {
            Ok(mut editor) => {
                editor.set_helper(Some(Events::default()));
                Prompt::Terminal(Box::new(editor))
            }
            Err(_) => Prompt::Lines(stdin),
        }
    }

    /// Reads a command, completing these event names.
    ///
    /// # Errors
    /// When the input cannot be read or the prompt cannot be written.
    pub fn ask(&mut self, events: Vec<String>) -> Result<Input, String> {
        match self {
            Prompt::Terminal(editor) => {
                if let Some(helper) = editor.helper_mut() {
                    helper.0 = events;
                }
                match editor.readline(PROMPT) {
                    Ok(line) => Ok(Input::Line(line)),
                    Err(ReadlineError::Eof) => Ok(Input::End),
                    Err(ReadlineError::Interrupted) => Ok(Input::Interrupted),
                    Err(error) => Err(format!("cannot read the commands: {error}")),
                }
            }
            Prompt::Lines(stdin) => {
                output::write_result(PROMPT)?;
                let mut line = String::new();
                let n_bytes = stdin.lock().read_line(&mut line);
                if n_bytes.map_err(|error| format!("cannot read the commands: {error}"))? == 0 {
                    output::write_result("\n")?;
                    return Ok(Input::End);
                }
                if !stdin.is_terminal() {
                    output::write_result(&format!("{}\n", line.trim_end_matches(['\r', '\n'])))?;
                }
                Ok(Input::Line(line))
            }
        }
    }
}

/// Completion of event names.
#[derive(Default)]
pub struct Events(Vec<String>);

impl Completer for Events {
    type Candidate = String;

    fn complete(&self, line: &str, end: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let begun = &line[..end];
        Ok((0, self.0.iter().filter(|event| event.starts_with(begun)).cloned().collect()))
    }
}

impl rustyline::hint::Hinter for Events {
    type Hint = String;
}
impl rustyline::highlight::Highlighter for Events {}
impl rustyline::validate::Validator for Events {}
impl Helper for Events {}
