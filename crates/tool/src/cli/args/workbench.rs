//! The arguments of the workbench.

use super::quantities::parse_size;
use clap::Args;
use std::path::PathBuf;

pub const SERVE_NOTES: &str = "\
The address that is printed has a token at its end: whoever knows it can read and write the scripts of
the folder, and nobody else can. Only this machine can connect. Checks run in processes of their own,
with at most half of the memory that is free. Ctrl-C ends all of it.";

#[derive(Args, Debug)]
pub struct Serve {
    /// A script, or a folder with scripts [default: this folder]
    #[arg(value_name = "FILE|FOLDER")]
    pub path: Option<String>,
    /// The served folder, if the script includes files outside of its own folder
    #[arg(long, value_name = "FOLDER")]
    pub root: Option<PathBuf>,
    /// The port [default: 4747, or any free one]
    #[arg(long, value_name = "N")]
    pub port: Option<u16>,
    /// Only print the address
    #[arg(long)]
    pub no_open: bool,
    /// Never write a file
    #[arg(long)]
    pub read_only: bool,
}

#[derive(Args, Debug)]
pub struct Worker {
    /// Memory limit of an answer
    #[arg(long, value_name = "SIZE", value_parser = parse_size)]
    pub memory_limit: Option<u64>,
}
