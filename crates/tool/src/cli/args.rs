//! The arguments, as `--help` explains them.

use crate::limits;
use crate::output::ColorChoice;
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::num::NonZeroUsize;

/// Decides whether concurrent systems do what they should
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
  tracehound check buffer.csp                     go through its assertions
  tracehound check buffer.csp --format json       the same, for programs

Exit codes:
  0 all is well    1 an assertion fails    2 the script, the command line or a file is wrong
  3 none fails, but some are undecided     101 a bug in tracehound     130 interrupted";

#[derive(Subcommand, Debug)]
pub enum Command {
    /// Go through the assertions of a script
    #[command(after_help = CHECK_NOTES)]
    Check(Check),
    /// Report every problem of a script and of what it includes
    #[command(after_help = TYPECHECK_NOTES)]
    Typecheck(Typecheck),
    /// Compute the value of an expression in the scope of a script
    #[command(after_help = EVAL_NOTES)]
    Eval(Eval),
    /// Write a completion script for a shell
    #[command(after_help = COMPLETIONS_NOTES)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

const CHECK_NOTES: &str = "\
This version reads, types and evaluates scripts; it does not decide assertions yet. Every assertion
is answered by `unknown`, never by a guess. The prints of the script are evaluated.

Exit codes: 0 there is no assertion, 2 the script has errors, 3 there are (undecided) assertions.";

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

/// What every command on a script has.
#[derive(Args, Debug)]
pub struct Common {
    /// The script
    pub file: String,
    /// What the answer looks like
    #[arg(long, value_enum, default_value = "human", help_heading = "Output")]
    pub format: Format,
    /// When to use colors
    #[arg(long, value_enum, default_value = "auto", value_name = "WHEN", help_heading = "Output")]
    pub color: ColorChoice,
    /// Show notes as well as errors and warnings, such as definitions that nothing uses
    #[arg(long, help_heading = "Output")]
    pub notes: bool,
    /// The language of the script, when the guess by name and content is wrong
    #[arg(long, value_enum, value_name = "NAME", help_heading = "Input")]
    pub language: Option<LanguageName>,
}

#[derive(Args, Debug)]
pub struct Typecheck {
    #[command(flatten)]
    pub common: Common,
}

#[derive(Args, Debug)]
pub struct Eval {
    #[command(flatten)]
    pub common: Common,
    /// The expression
    #[arg(allow_hyphen_values = true)]
    pub expression: String,
    #[command(flatten)]
    pub limits: LimitOptions,
}

#[derive(Args, Debug)]
pub struct Check {
    #[command(flatten)]
    pub common: Common,
    /// Only the N-th assertion, counted from 1 with included files in place; may be repeated
    #[arg(long = "assert", value_name = "N", value_parser = parse_number)]
    pub assertions: Vec<NonZeroUsize>,
    #[command(flatten)]
    pub limits: LimitOptions,
    #[command(flatten)]
    pub search: Search,
}

/// When to give up.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// Give up on a value or an assertion after this time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<f64>,
    /// Give up at this much memory, such as 500M or 4G; without it, most of what is free
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

impl LimitOptions {
    /// The limits of an evaluation that begins now.
    pub fn start(&self) -> analysis::Limits {
        limits::start(self.time_limit, self.memory_limit)
    }
}

/// How to decide assertions. Accepted so that scripts written for later versions run; nothing is searched yet.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search (accepted, without effect until assertions are decided)")]
#[allow(dead_code)]
pub struct Search {
    /// The method
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,
    /// Number of threads; all cores unless given
    #[arg(long, value_name = "N", value_parser = parse_number)]
    pub threads: Option<NonZeroUsize>,
    /// Give up on an assertion after this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
    /// How deep `bmc` and `induction` look
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// What temporal assertions may assume
    #[arg(long, value_enum, default_value = "none")]
    pub fairness: Fairness,
    /// Say how long each phase took
    #[arg(long)]
    pub stats: bool,
    /// Say what will be done, and why, before doing it
    #[arg(long)]
    pub show_plan: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Format {
    /// Text for people
    Human,
    /// One JSON document on standard output
    Json,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum LanguageName {
    /// Machine-readable CSP, as FDR reads it
    Cspm,
    /// CSP#, as PAT reads it (not read yet)
    CspSharp,
    /// Classical B (not read yet)
    B,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    Auto,
    Explicit,
    Bmc,
    Induction,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Fairness {
    None,
    EventWeak,
    EventStrong,
    ProcessWeak,
    ProcessStrong,
    Global,
}

fn parse_number(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "expected a number from 1".to_owned())
}

fn parse_seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if seconds.is_finite() && seconds > 0.0 => Ok(seconds),
        _ => Err("expected a number of seconds above 0, such as 30 or 0.5".to_owned()),
    }
}

/// `500M`, `4G`, `4GiB`, `1000000`: binary multiples, the unit in any case.
fn parse_size(text: &str) -> Result<u64, String> {
    let wrong = || "expected a size such as 500M or 4G".to_owned();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let number: u64 = digits.parse().map_err(|_| wrong())?;
    let shift = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 10,
        "m" | "mb" | "mib" => 20,
        "g" | "gb" | "gib" => 30,
        "t" | "tb" | "tib" => 40,
        _ => return Err(wrong()),
    };
    number.checked_shl(shift).filter(|size| size >> shift == number && *size > 0).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_arguments_are_well_formed() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn sizes_have_units() {
        assert_eq!(parse_size("1000"), Ok(1000));
        assert_eq!(parse_size("4G"), Ok(4 << 30));
        assert_eq!(parse_size("500mib"), Ok(500 << 20));
        for wrong in ["", "G", "0", "-1", "4X", "99999999T"] {
            assert!(parse_size(wrong).is_err(), "{wrong}");
        }
    }
}
