//! The arguments of what serves editors.

use super::Style;
use super::quantities::parse_size;
use clap::Args;

pub const FMT_NOTES: &str = "\
Only blanks and empty lines change: lines stay as they were broken, columns that were lined up stay so,
comments stay. A script that cannot be read is left as it is.

Examples:
  tracehound fmt buffer.csp
  tracehound fmt models --check
  tracehound fmt - < buffer.csp

Exit codes: 0 all is laid out, 1 something would change (with --check), 2 a script cannot be read.";

pub const LSP_NOTES: &str = "\
Speaks the Language Server Protocol on standard input and output. Editors start it by themselves; the
book says how to set them up. Assertions are checked in processes of their own, with at most half of the
memory that is free.";

#[derive(Args, Debug)]
pub struct Fmt {
    /// The scripts; a folder stands for those in it, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<String>,
    /// Change nothing, and name what would change
    #[arg(long)]
    pub check: bool,
    #[command(flatten)]
    pub style: Style,
}

#[derive(Args, Debug)]
pub struct Lsp {
    /// Accepted for compatibility with editors; standard input and output are always used
    #[arg(long, hide = true)]
    pub stdio: bool,
    /// Time limit of a check, in seconds
    #[arg(long, value_name = "SECONDS")]
    pub time_limit: Option<f64>,
    /// Memory limit of a check [default: half of the free memory]
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}
