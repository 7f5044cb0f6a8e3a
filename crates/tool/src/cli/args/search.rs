//! The arguments that say how to search, and when to give up.

use super::quantities::{parse_number, parse_seconds, parse_size};
use analysis::check::Frequency;
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;

/// Limits of an evaluation.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits")]
pub struct LimitOptions {
    /// Time limit of a value or an assertion, in seconds
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub time_limit: Option<f64>,
    /// Memory limit, such as 500M or 4G [default: most of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}

/// Limits of a search.
#[derive(Args, Debug)]
#[command(next_help_heading = "Limits")]
pub struct SearchLimits {
    #[command(flatten)]
    pub limits: LimitOptions,
    /// Limit on states of an assertion or a process
    #[arg(long, value_name = "N")]
    pub max_states: Option<u64>,
}

impl SearchLimits {
    /// No limits.
    pub fn none() -> SearchLimits {
        SearchLimits { limits: LimitOptions { time_limit: None, memory_limit: None }, max_states: None }
    }
}

/// Threads of a search.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct Workers {
    /// Number of threads, at most four per core [default: all cores]
    #[arg(long, value_name = "N", value_parser = parse_number)]
    pub threads: Option<NonZeroUsize>,
}

/// Engines and their settings.
#[derive(Args, Debug)]
#[command(next_help_heading = "Search")]
pub struct Search {
    /// The engine; one that cannot decide an assertion answers `unknown`
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: Engine,
    #[command(flatten)]
    pub workers: Workers,
    /// Reduction of the state space [default: auto, unless the assertion names one]
    #[arg(long, value_enum, value_name = "WHAT")]
    pub reduce: Option<ReduceName>,
    /// Largest depth of `bmc`, `induction` and `pdr` [default: 100]
    #[arg(long, value_name = "N")]
    pub depth: Option<u64>,
    /// Steps between two queries of `bmc`, or `auto`: more, the harder the queries are [default: 1, so that
    /// counterexamples are shortest]
    #[arg(long, value_name = "N", value_parser = parse_frequency)]
    pub sat_frequency: Option<Frequency>,
    /// Encoding of component states for SAT engines
    #[arg(long, value_enum, default_value = "one-hot", hide_default_value = true)]
    pub encoding: EncodingName,
    /// Direction of `bmc` and `induction` [default: forward]
    #[arg(long, value_enum, value_name = "WHERE", default_value = "forward", hide_default_value = true)]
    pub direction: DirectionName,
    /// Solvers of `induction` [default: dual]
    #[arg(long, value_enum, value_name = "HOW", default_value = "dual", hide_default_value = true)]
    pub solvers: SolversName,
    /// Write certificates of SAT engines to this folder: DIMACS formulas and DRAT proofs
    #[arg(long, value_name = "DIR")]
    pub proof: Option<String>,
    /// Print times and sizes of all phases to standard error
    #[arg(long)]
    pub stats: bool,
    /// Print the schedule of engines, and afterwards their outcomes, to standard error
    #[arg(long)]
    pub show_plan: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum ReduceName {
    /// No reduction
    None,
    /// As the schedule says; none for formulas
    Auto,
    /// Partial-order reduction: equivalent interleavings are explored once
    PartialOrder,
    /// Symmetry reduction: orbits of interchangeable components are explored once
    Symmetry,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum EncodingName {
    /// One-hot: a variable for each state
    OneHot,
    /// Binary: the bits of the number of the state
    Binary,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DirectionName {
    /// From the initial state
    Forward,
    /// From the violation
    Backward,
    /// Bidirectional; `induction` goes forward
    Both,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum SolversName {
    /// One solver for the base case and the step (zig-zag)
    Zigzag,
    /// One solver for each of them (dual)
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
    /// A schedule of engines
    Auto,
    /// Explicit search without reductions
    Explicit,
    /// Watchdog transformation with compositional minimisation
    Watchdog,
    /// Zone graphs of timed processes
    Zones,
    /// Bounded model checking with a SAT solver
    Bmc,
    /// k-induction with a SAT solver
    Induction,
    /// Property directed reachability (IC3)
    Pdr,
}
