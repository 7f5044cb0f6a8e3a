//! `tracehound serve`.

use super::Exit;
use super::args::workbench::Serve;
use super::browser::{self, Redirect};
use crate::memory::Machine;
use crate::output;
use analysis::script_endings;
use limits::effort::workbench::MEMORY_SHARE;
use serve::Settings;
use std::path::{Path, PathBuf};

/// Serves the workbench until Ctrl-C.
pub fn run(arguments: &Serve) -> Result<Exit, String> {
    let (folder, start) = place(arguments)?;
    let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
    let settings = Settings {
        folder,
        start,
        port: arguments.port,
        is_read_only: arguments.read_only,
        program,
        version: env!("CARGO_PKG_VERSION"),
        endings: script_endings(),
        memory_bytes: Machine::new().available().map(|bytes| bytes / MEMORY_SHARE),
    };
    serve::serve(settings, |address| announce(address, !arguments.no_open))?;
    Ok(Exit::Clean)
}

/// Folder to serve, and the script in it to open first.
fn place(arguments: &Serve) -> Result<(PathBuf, Option<String>), String> {
    let Some(path) = &arguments.path else { return Ok((arguments.root.clone().unwrap_or_else(|| ".".into()), None)) };
    let cannot = |error: std::io::Error| format!("cannot open {path}: {error}");
    if Path::new(path).is_dir() {
        return Ok((path.into(), None));
    }
    let file = Path::new(path).canonicalize().map_err(cannot)?;
    let folder = match &arguments.root {
        Some(root) => root.canonicalize().map_err(|error| format!("cannot open {}: {error}", root.display()))?,
        None => file.parent().map(Path::to_owned).ok_or_else(|| format!("{path} is no file"))?,
    };
    let name = file.strip_prefix(&folder).map_err(|_| format!("{path} is not in the folder {}", folder.display()))?;
    let name = name.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect::<Vec<_>>();
    Ok((folder, Some(name.join("/"))))
}

/// Prints the address, and opens it in a browser if there is one.
fn announce(address: &str, opens: bool) -> Option<Redirect> {
    // If standard output is closed, the browser still opens.
    let _ = output::write_result(&format!("{address}\n"));
    if !opens {
        return None;
    }
    let redirect = browser::open(address);
    if redirect.is_none() {
        output::complain(browser::NO_BROWSER);
    }
    redirect
}
