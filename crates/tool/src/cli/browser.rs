//! Opening the workbench in a browser without exposing its token.
//!
//! Every user of a machine can read the arguments of every process. The browser is therefore started with the path of
//! a page that only this user can read, and that page redirects to the address.

use crate::output;
use std::fs::OpenOptions;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Page that leads to an address with a token; removed when it is dropped.
pub struct Redirect(PathBuf);

impl Redirect {
    /// Writes a new page that only this user can read.
    pub fn new(address: &str) -> io::Result<Redirect> {
        let number = RandomState::new().hash_one(std::process::id());
        let path = std::env::temp_dir().join(format!("tracehound-{number:016x}.html"));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&path)?;
        let redirect = Redirect(path);
        write!(
            file,
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={address}\">\n<title>Tracehound</title>\n\
             <a href=\"{address}\">Open the workbench</a>\n"
        )?;
        Ok(redirect)
    }
}

impl Drop for Redirect {
    fn drop(&mut self) {
        // Folders for temporary files are cleaned by others, too.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Opens an address in the user's browser; the redirect page exists as long as the result.
pub fn open(address: &str) -> Option<Redirect> {
    let redirect = Redirect::new(address).ok()?;
    start(&redirect.0).ok()?;
    Some(redirect)
}

fn start(page: &Path) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("cmd", &["/C", "start", ""]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.spawn()?;
    // On some systems the child is the browser itself and keeps running: only an early exit reveals a failure.
    std::thread::spawn(move || {
        if child.wait().is_ok_and(|status| !status.success()) {
            output::complain(NO_BROWSER);
        }
    });
    Ok(())
}

/// Advice where no browser can be started.
pub const NO_BROWSER: &str = "no browser could be opened: open the address above in one";
