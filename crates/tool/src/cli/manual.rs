//! `tracehound manual`: man pages, for packagers.

use super::{Arguments, Exit};
use crate::save::save;
use clap::{Command, CommandFactory};
use clap_mangen::Man;
use std::io;
use std::path::Path;

/// Writes a page for the tool and one for each of its commands.
pub fn run(folder: &Path) -> Result<Exit, String> {
    let cannot = |error: io::Error| format!("cannot write manual pages to {}: {error}", folder.display());
    std::fs::create_dir_all(folder).map_err(cannot)?;
    // Subcommands know their full names only after `build`.
    let mut tool = Arguments::command().disable_help_subcommand(true);
    tool.build();
    write(&tool, folder)?;
    Ok(Exit::Clean)
}

fn write(command: &Command, folder: &Path) -> Result<(), String> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let page = Man::new(command.clone())
        .title(name)
        .source(concat!("tracehound ", env!("CARGO_PKG_VERSION")))
        .manual("Tracehound manual");
    save(&folder.join(format!("{name}.1")), |mut out| page.render(&mut out))?;
    command.get_subcommands().filter(|inner| !inner.is_hide_set()).try_for_each(|inner| write(inner, folder))
}
