//! The arguments of `tracehound draw`, as `--help` explains them.

use super::quantities::parse_number;
use super::{Common, CompressionName, LimitOptions, ModelName, Reading, Search};
use clap::{Args, ValueEnum};
use std::num::NonZeroUsize;

pub const DRAW_NOTES: &str = "\
A graph has its states in layers, by the length of a shortest run to them. At most 400 states and
1000 edges are drawn, because more cannot be read; --compress merges states that behave alike. A
chart has a line for each component, and a bar between those who take a step together.

Examples:
  tracehound draw buffer.csp BUFFER -o buffer.svg
  tracehound draw buffer.csp SYSTEM --compress wbisim --highlight 2 -o system.svg
  tracehound draw buffer.csp --assert 2 --format text

Exit codes: 0 the picture was written, 2 there is none.";

#[derive(Args, Debug)]
pub struct Draw {
    #[command(flatten)]
    pub common: Common,
    /// The process, an expression in the scope of the script
    #[arg(allow_hyphen_values = true, required_unless_present = "assertion", conflicts_with = "assertion")]
    pub process: Option<String>,
    /// The counterexample of this assertion instead, counted from 1
    #[arg(long = "assert", value_name = "N", value_parser = parse_number)]
    pub assertion: Option<NonZeroUsize>,
    /// Highlight the counterexample of this assertion in the graph of the process
    #[arg(long, value_name = "N", value_parser = parse_number, conflicts_with = "assertion")]
    pub highlight: Option<NonZeroUsize>,
    /// The format of the picture
    #[arg(long, value_enum, default_value = "svg", help_heading = "Output")]
    pub format: PictureName,
    /// Where to write it; standard output unless given
    #[arg(short, long, value_name = "FILE", help_heading = "Output")]
    pub output: Option<String>,
    /// Compress the process first
    #[arg(long, value_enum, value_name = "NAME", conflicts_with = "assertion")]
    pub compress: Option<CompressionName>,
    /// The model that `normal` and `model_compress` preserve
    #[arg(long, value_enum, default_value = "FD")]
    pub model: ModelName,
    /// Draw up to this many states, at most 5000; states beyond the first 400 have no names
    #[arg(long, value_name = "N", default_value = "400", help_heading = "Limits")]
    pub max_states: usize,
    #[command(flatten)]
    pub limits: LimitOptions,
    #[command(flatten)]
    pub reading: Reading,
    #[command(flatten)]
    pub search: Search,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum PictureName {
    /// A picture for browsers and documents
    Svg,
    /// A graph for Graphviz
    Dot,
    /// Text for the terminal
    Text,
}
