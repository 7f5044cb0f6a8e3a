//! The arguments that say how to search, and when to give up.

use super::quantities::{parse_number, parse_seconds, parse_size};
use analysis::check::Frequency;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;

/// When to give up.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// Give up on a value or an assertion after this time
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<f64>,
    /// Give up at this much memory, such as 500M or 4G; without it, most of what is free
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

/// When to give up a search.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct SearchLimits {
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Give up on an assertion or a process after this many states
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
}

impl SearchLimits {
    /// No limits of the user's.
    pub fn none() -> SearchLimits {
        SearchLimits { limits: LimitOptions { time_limit: None, memory_limit: None }, max_states: None }
    }
}

/// Who searches.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct Workers {
    /// Number of threads, at most four for each core; all cores unless given
    #[arg(long, value_name = "N", value_parser = parse_number)]
    pub threads: Option<NonZeroUsize>,
}

/// How to decide assertions.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct Search {
    /// The method; one that cannot decide an assertion answers `unknown`
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,
    #[command(flatten)]
    pub workers: Workers,
    /// What may be left out of the search because nobody can see it; auto unless the assertion says otherwise
    #[arg(long, value_enum, value_name = "WHAT")]
    pub reduce: Option<ReduceName>,
    /// How many steps `bmc`, `induction` and `pdr` look ahead; 100 unless given
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// How many steps `bmc` adds before it asks again, or `auto`: the more, the harder it is; 1 unless given, so that what is found is shortest
    #[arg(long, value_name = "N", value_parser = parse_frequency)]
    pub sat_frequency: Option<Frequency>,
    /// How the engines that ask a SAT solver tell the states of a component apart
    #[arg(long, value_enum, default_value = "one-hot", hide_default_value = true)]
    pub encoding: EncodingName,
    /// Where `bmc` and `induction` begin; `forward` unless given
    #[arg(long, value_enum, value_name = "WHERE", default_value = "forward", hide_default_value = true)]
    pub direction: DirectionName,
    /// How many solvers `induction` asks; `dual` unless given
    #[arg(long, value_enum, value_name = "HOW", default_value = "dual", hide_default_value = true)]
    pub solvers: SolversName,
    /// Write why a SAT solver found nothing, as formulas and DRAT proofs, to this folder
    #[arg(long, value_name = "DIR")]
    pub proof: Option<String>,
    /// Say on standard error how long each phase took and how large things were
    #[arg(long)]
    pub stats: bool,
    /// Say on standard error what will be done before doing it
    #[arg(long)]
    pub show_plan: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReduceName {
    /// Nothing
    None,
    /// What pays; for formulas, nothing
    Auto,
    /// Orders of steps that lead to the same
    PartialOrder,
    /// States that differ only in who plays which role
    Symmetry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EncodingName {
    /// By a variable for each state
    OneHot,
    /// By the bits of a number
    Binary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DirectionName {
    /// From the start
    Forward,
    /// From what is wrong
    Backward,
    /// From both ends; `induction` goes forward
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SolversName {
    /// One for runs from the start and from anywhere
    Zigzag,
    /// One for each
    Dual,
}

fn parse_frequency(text: &str) -> Result<Frequency, String> {
    match text.parse() {
        _ if text == "auto" => Ok(Frequency::Auto),
        Ok(n_steps) if n_steps > 0 => Ok(Frequency::Steps(n_steps)),
        _ => Err("expected a number of steps above 0, or `auto`".to_owned()),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Engine {
    /// The one that fits
    Auto,
    /// Search state by state, however many there are
    Explicit,
    /// Put a watchdog for the specification beside the components, and all of them together
    Watchdog,
    /// Explore zones of clock values, where time passes
    Zones,
    /// Look for short counterexamples with a SAT solver
    Bmc,
    /// The same, and prove that there are no longer ones
    Induction,
    /// Prove by an invariant that grows clause by clause, or find a counterexample
    Pdr,
}
