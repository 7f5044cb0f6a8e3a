//! `tracehound manual`: the pages for `man`, for those who make packages.

use super::{Arguments, Exit};
use clap::CommandFactory;
use std::path::Path;

/// Writes a page for the tool and one for each of its commands.
pub fn run(folder: &Path) -> Result<Exit, String> {
    let cannot = |error: std::io::Error| format!("cannot write manual pages to {}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(cannot)?;
    // Commands know their names within the whole only after that.
    let mut tool = Arguments::command().disable_help_subcommand(true);
    tool.build();
    clap_mangen::generate_to(tool, folder).map_err(cannot)?;
    Ok(Exit::Clean)
}
