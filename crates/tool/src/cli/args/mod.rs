//! The arguments, as `--help` explains them.

pub mod draw;
pub mod editor;
mod names;
mod quantities;
mod search;
pub mod workbench;

pub use names::{CompressionName, Fairness, ModelName, NotationName};
pub use search::{
    DirectionName, EncodingName, Engine, LimitOptions, ReduceName, Search, SearchLimits, SolversName, Workers,
};

use crate::output::ColorChoice;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueEnum};
use draw::{DRAW_NOTES, Draw};
use quantities::parse_number;
use std::num::NonZeroUsize;

/// A model checker for concurrent systems: CSPM, CSP# and networks
#[derive(Parser, Debug)]
#[command(name = "tracehound", version, max_term_width = 100, after_help = EXAMPLES, disable_help_subcommand = false)]
pub struct Arguments {
    #[command(subcommand)]
    pub command: Command,
}

const EXAMPLES: &str = "\
Examples:
  tracehound typecheck buffer.csp                 find every problem of a script
  tracehound eval buffer.csp 'card({|left|})'     compute a value in the scope of a script
  tracehound check buffer.csp                     decide its assertions
  tracehound check models --watch                 those of a folder, again whenever a file changes
  tracehound check buffer.csp --format json       the same, for programs
  tracehound ltl buffer.csp BUFFER 'G F [left]'   decide a temporal formula
  tracehound simulate buffer.csp BUFFER           step through a process
  tracehound lts buffer.csp BUFFER -o buffer.aut  write its transition system
  tracehound draw buffer.csp BUFFER -o buffer.svg draw it
  tracehound serve buffer.csp                     do all of that in a browser
  tracehound fmt buffer.csp                       lay it out

Exit codes:
  0 all is well    1 an assertion fails    2 the script, the command line or a file is wrong
  3 none fails, but some are undecided     101 a bug in tracehound     130 interrupted";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Decide the assertions of a script
    #[command(after_help = CHECK_NOTES)]
    Check(Check),
    /// Decide a temporal formula about a process
    #[command(after_help = LTL_NOTES)]
    Ltl(Ltl),
    /// Report all diagnostics of a script and its includes
    #[command(after_help = TYPECHECK_NOTES)]
    Typecheck(Typecheck),
    /// Evaluate an expression in the scope of a script
    #[command(after_help = EVAL_NOTES)]
    Eval(Eval),
    /// Write the transition system of a process
    #[command(after_help = LTS_NOTES)]
    Lts(Lts),
    /// Draw a process as a graph, or a counterexample as a chart
    #[command(after_help = DRAW_NOTES)]
    Draw(Draw),
    /// Write the network that the engines check
    #[command(after_help = NETWORK_NOTES)]
    Network(Network),
    /// Transform an assertion into another one for other tools
    #[command(subcommand)]
    Transform(Transform),
    /// Decide refinement between two transition systems in the Aldebaran format
    #[command(after_help = REFINE_NOTES)]
    Refine(Refine),
    /// Simulate a process interactively in the terminal
    #[command(after_help = SIMULATE_NOTES)]
    Simulate(Simulate),
    /// Open the workbench in a browser
    #[cfg(feature = "workbench")]
    #[command(after_help = workbench::SERVE_NOTES)]
    Serve(workbench::Serve),
    /// Answer what the workbench asks, line by line
    #[cfg(feature = "workbench")]
    #[command(hide = true)]
    Worker(workbench::Worker),
    /// Format scripts: whitespace only
    #[command(after_help = editor::FMT_NOTES)]
    Fmt(editor::Fmt),
    /// Start the language server
    #[command(after_help = editor::LSP_NOTES)]
    Lsp(editor::Lsp),
    /// Write completions for a shell
    #[command(after_help = COMPLETIONS_NOTES)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write manual pages
    #[command(hide = true)]
    Manual {
        /// The folder they go to
        folder: std::path::PathBuf,
    },
}

const CHECK_NOTES: &str = "\
Every assertion is answered by `holds`, `fails` with a counterexample, `unknown` with the reason, or
`error` when what it is about cannot be evaluated; never by a guess. The prints of the script are
evaluated, too.

Exit codes: 0 all hold, 1 at least one fails, 2 the script has errors, 3 none fails, but some are
unknown.";

const LTL_NOTES: &str = "\
Without a formula, those of the file given by --formulas are decided, or of the file beside the
script that is named like it and ends in .ltl: one formula on each line, perhaps with a name and a
colon before it.

Examples:
  tracehound ltl lock.csp LOCK 'G([try.1] => F [enter.1])' --fairness process-weak
  tracehound ltl lock.csp LOCK 'AG EF e(enter.1)' --ctl
  tracehound ltl lock.csp LOCK 'GF [enter]' --emit-tester -o tester.csp

Exit codes: 0 the formula holds, 1 it fails, 2 it has errors, or the script, 3 it was not decided.";

const LTS_NOTES: &str = "\
The process is any expression in the scope of the script. States are numbered from 0, the initial
one; the silent step is `tau`, termination is `tick`. Nothing is merged but what compressions merge,
those in the script and that of --compress.

Examples:
  tracehound lts buffer.csp BUFFER
  tracehound lts buffer.csp 'BUFFER ||| BUFFER' --compress sbisim --format dot -o buffer.dot

Exit codes: 0 the system was written, 2 there is none.";

const NETWORK_NOTES: &str = "\
The text is read back by check, lts, ltl and simulate, without the script it was made of. With
--assert it has the networks that an assertion is about, and the assertion.

Examples:
  tracehound network buffer.csp BUFFER
  tracehound network buffer.csp --assert 2 -o buffer.network && tracehound check buffer.network

Exit codes: 0 the network was written, 2 there is none.";

const WATCHDOG_NOTES: &str = "\
A watchdog runs beside the implementation, shares its events and gives an alarm after one that the
specification does not allow. The script that is written includes the original one, and has the
watchdog as a process and an assertion with the same verdict, in which all events are hidden.

Example:
  tracehound transform watchdog buffer.csp --assert 2 -o watchdog.csp && tracehound check watchdog.csp

Exit codes: 0 the script was written, 2 there is none.";

const REFINE_NOTES: &str = "\
Labels of the same name are the same event; `tau` and `i` are the silent step, `tick` is termination.

Example:
  tracehound refine spec.aut system.aut --model FD

Exit codes: 0 the second system refines the first, 1 it does not, 2 a file cannot be read, 3 a limit
was reached.";

const SIMULATE_NOTES: &str = "\
Commands, read from standard input:
  NUMBER      take this step              EVENT        take the step with this event
  u, undo     undo                        r, random N  N random steps, or one
  h, history  what happened so far        t, fold      fold silent steps, or show them
  n, next     next step of the replay     replay N     go along the counterexample of assertion N
  q, quit     quit                        all          list all steps

Exit codes: 0, or 2 when there is no process to step through.";

const TYPECHECK_NOTES: &str = "\
Exit codes: 0 no errors (perhaps warnings), 2 errors.";

const EVAL_NOTES: &str = "\
The value is printed alone, as text that can be read back. Problems go to standard error.

Examples:
  tracehound eval buffer.csp '{ x*x | x <- {1..9}, x % 2 == 1 }'
  tracehound eval buffer.csp '#<left.1, right.2>'

Exit codes: 0 a value was printed, 2 there is none.";

const COMPLETIONS_NOTES: &str = "\
Examples:
  tracehound completions bash > ~/.local/share/bash-completion/completions/tracehound
  tracehound completions zsh > \"${fpath[1]}/_tracehound\"
  tracehound completions fish > ~/.config/fish/completions/tracehound.fish";

/// Arguments of commands on one script.
#[derive(Args, Debug)]
pub struct Common {
    /// The script; `-` is standard input
    pub file: String,
    #[command(flatten)]
    pub style: Style,
}

/// Input and diagnostics.
#[derive(Args, Debug)]
pub struct Style {
    /// When to use colors
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,
    /// Show notes as well as errors and warnings, such as definitions that nothing uses
    #[arg(long, help_heading = "Output")]
    pub notes: bool,
    /// The language of the script, if it is not recognized by name and content
    #[arg(long, value_parser = language_names(), value_name = "NAME", help_heading = "Input")]
    pub language: Option<String>,
}

#[derive(Args, Debug)]
pub struct Typecheck {
    #[command(flatten)]
    pub common: Common,
    #[command(flatten)]
    pub output: Output,
}

/// Output format.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The format.
    pub format: Format,
    /// Whether verdicts are colored.
    pub is_colored: bool,
    /// Whether every step of a counterexample is shown.
    pub all_steps: bool,
    /// Layout of counterexamples.
    pub steps: StepsName,
}

impl Check {
    /// Output format.
    pub fn look(&self) -> Look {
        self.telling.look(self.output.format, self.style.color)
    }
}

/// Output of counterexamples.
#[derive(Args, Debug)]
pub struct Telling {
    /// Show every step of a counterexample, however long it is
    #[arg(long, help_heading = "Output")]
    pub all_steps: bool,
    /// Layout of counterexamples
    #[arg(long, value_enum, default_value = "table", value_name = "HOW", help_heading = "Output")]
    pub steps: StepsName,
}

impl Telling {
    /// Output format.
    pub fn look(&self, format: Format, color: ColorChoice) -> Look {
        Look { format, is_colored: color.for_stdout(), all_steps: self.all_steps, steps: self.steps }
    }
}

/// Output format.
#[derive(Args, Debug)]
pub struct Output {
    /// Output format
    #[arg(long, value_parser = answers_at_once(), default_value = "human", help_heading = "Output")]
    pub format: Format,
}

/// Output formats of commands that report progress.
#[derive(Args, Debug)]
pub struct StreamedOutput {
    /// Output format
    #[arg(long, value_enum, default_value = "human", help_heading = "Output")]
    pub format: Format,
}

#[derive(Args, Debug)]
pub struct Eval {
    #[command(flatten)]
    pub common: Common,
    /// The expression
    #[arg(allow_hyphen_values = true)]
    pub expression: String,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub limits: LimitOptions,
}

#[derive(Args, Debug)]
pub struct Check {
    /// The scripts; a folder stands for those in it, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    #[command(flatten)]
    pub style: Style,
    /// Only the N-th assertion, counted from 1 with included files in place; may be repeated
    #[arg(long = "assert", value_name = "N", value_parser = parse_number)]
    pub assertions: Vec<NonZeroUsize>,
    /// Texts that stand in for files, as a JSON object with a text for each path; `-` is standard input
    #[arg(long, value_name = "FILE", conflicts_with = "watch")]
    pub overlay: Option<String>,
    /// Refuse to read files outside of this folder
    #[arg(long, value_name = "FOLDER", hide = true)]
    pub within: Option<std::path::PathBuf>,
    /// Also write an HTML report
    #[arg(long, value_name = "FILE", help_heading = "Output", conflicts_with = "watch")]
    pub report: Option<String>,
    /// Check again whenever a file changes, until Ctrl-C
    #[arg(long)]
    pub watch: bool,
    #[command(flatten)]
    pub telling: Telling,
    #[command(flatten)]
    pub output: StreamedOutput,
    #[command(flatten)]
    pub limits: SearchLimits,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub search: Search,
}

#[derive(Args, Debug)]
pub struct Ltl {
    #[command(flatten)]
    pub common: Common,
    /// The process, an expression in the scope of the script
    #[arg(allow_hyphen_values = true)]
    pub process: String,
    /// The formula
    #[arg(allow_hyphen_values = true)]
    pub formula: Option<String>,
    /// Read formulas as CTL
    #[arg(long)]
    pub ctl: bool,
    /// A file with formulas, one on each line
    #[arg(long, value_name = "FILE", conflicts_with = "formula")]
    pub formulas: Option<String>,
    /// Write a tester process instead: two refinement assertions that fail iff the formula holds
    #[arg(long, requires = "formula", conflicts_with = "ctl")]
    pub emit_tester: bool,
    /// Where to write it; standard output unless given
    #[arg(short = 'o', long = "output", value_name = "FILE", requires = "emit_tester")]
    pub tester_file: Option<String>,
    #[command(flatten)]
    pub telling: Telling,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub limits: SearchLimits,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub search: Search,
}

/// Dialect and rules of formulas; they override those in an assertion.
#[derive(Args, Debug)]
#[command(next_help_heading = "Temporal formulas")]
pub struct Reading {
    /// LTL dialect: precedences and atoms; spin-command reads formulas as `spin -f` does
    #[arg(long, value_name = "NAME", value_parser = words("dialect"))]
    pub dialect: Option<String>,
    /// The positions of a run: those of its visible trace, or all states
    #[arg(long, value_name = "NAME", value_parser = words("view"))]
    pub view: Option<String>,
    /// Maximal finite runs count as they are, stutter in their last state, or do not count
    #[arg(long, value_name = "RULE", value_parser = words("finite-runs"))]
    pub finite_runs: Option<String>,
    /// Treatment of divergence, in the trace view
    #[arg(long, value_name = "RULE", value_parser = words("divergence"))]
    pub divergence: Option<String>,
    /// Treatment of termination, in the trace view
    #[arg(long, value_name = "RULE", value_parser = words("termination"))]
    pub termination: Option<String>,
    /// Fairness of runs [default: as the assertion says, or none]
    #[arg(long, value_enum)]
    pub fairness: Option<Fairness>,
    /// Whether Zeno runs, with infinitely many steps in bounded time, count
    #[arg(long, value_name = "RULE", value_parser = words("zeno"))]
    pub zeno: Option<String>,
}

#[derive(Args, Debug)]
pub struct Lts {
    #[command(flatten)]
    pub common: Common,
    /// The process, an expression in the scope of the script
    #[arg(allow_hyphen_values = true)]
    pub process: String,
    /// The format of the system
    #[arg(long, value_enum, default_value = "aut", help_heading = "Output")]
    pub format: NotationName,
    /// Where to write it; standard output unless given
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<String>,
    /// Compress it first
    #[arg(long, value_enum, value_name = "NAME")]
    pub compress: Option<CompressionName>,
    /// The model that `normal` and `model_compress` preserve
    #[arg(long, value_enum, default_value = "FD")]
    pub model: ModelName,
    #[command(flatten)]
    pub limits: SearchLimits,
    #[command(flatten)]
    pub workers: Workers,
}

/// Layouts of counterexamples.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum StepsName {
    /// A column for each component
    Table,
    /// A message sequence chart: a line for each component, bars for synchronizations
    Chart,
    /// A line for each step
    List,
}

#[derive(Args, Debug)]
pub struct Network {
    #[command(flatten)]
    pub common: Common,
    /// The process, an expression in the scope of the script
    #[arg(allow_hyphen_values = true, required_unless_present = "assertion", conflicts_with = "assertion")]
    pub process: Option<String>,
    /// The networks of this assertion instead, counted from 1
    #[arg(long = "assert", value_name = "N")]
    pub assertion: Option<NonZeroUsize>,
    /// Where to write it; standard output unless given
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<String>,
    /// The model that `normal` and `model_compress` preserve
    #[arg(long, value_enum, default_value = "FD")]
    pub model: ModelName,
    #[command(flatten)]
    pub limits: SearchLimits,
    #[command(flatten)]
    pub workers: Workers,
}

/// Transformations of scripts.
#[derive(Subcommand, Debug)]
pub enum Transform {
    /// Refinement in traces or failures as reachability of an event or a deadlock of a watchdog
    #[command(after_help = WATCHDOG_NOTES)]
    Watchdog(TransformWatchdog),
}

#[derive(Args, Debug)]
pub struct TransformWatchdog {
    #[command(flatten)]
    pub common: Common,
    /// Only this assertion, counted from 1; all refinements in traces and failures unless given
    #[arg(long = "assert", value_name = "N", value_parser = parse_number)]
    pub assertion: Option<NonZeroUsize>,
    /// Where to write it; standard output unless given
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<String>,
    #[command(flatten)]
    pub limits: SearchLimits,
    #[command(flatten)]
    pub workers: Workers,
}

#[derive(Args, Debug)]
pub struct Refine {
    /// The specification
    pub specification: String,
    /// The implementation
    pub implementation: String,
    /// The semantic model
    #[arg(long, value_enum)]
    pub model: ModelName,
    /// When to use colors
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,
    #[command(flatten)]
    pub telling: Telling,
    #[command(flatten)]
    pub output: Output,
    #[command(flatten)]
    pub limits: SearchLimits,
    #[command(flatten)]
    pub workers: Workers,
    /// Print times and sizes to standard error
    #[arg(long, help_heading = "Search")]
    pub stats: bool,
}

#[derive(Args, Debug)]
pub struct Simulate {
    #[command(flatten)]
    pub common: Common,
    /// The process, an expression in the scope of the script; the first one defined without parameters unless given
    #[arg(allow_hyphen_values = true)]
    pub process: Option<String>,
    /// Seed of random steps
    #[arg(long, value_name = "N", default_value = "0")]
    pub seed: u64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Text
    Human,
    /// One JSON document on standard output
    Json,
    /// A JSON object per line for each event
    Ndjson,
}

/// The formats of commands that answer once.
fn answers_at_once() -> impl TypedValueParser<Value = Format> {
    let names = [Format::Human, Format::Json].iter().filter_map(Format::to_possible_value);
    PossibleValuesParser::new(names).map(|name| if name == "json" { Format::Json } else { Format::Human })
}

/// The values of an option on formulas.
fn words(name: &str) -> PossibleValuesParser {
    PossibleValuesParser::new(analysis::formula::Choices::words(name))
}

fn language_names() -> PossibleValuesParser {
    let name = |language: &&dyn analysis::Language| PossibleValue::new(language.name()).help(language.about());
    PossibleValuesParser::new(analysis::LANGUAGES.iter().map(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }
}
