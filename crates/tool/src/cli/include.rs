//! Include paths of generated scripts.

use crate::disk::{STANDARD_INPUT, whole};
use std::path::{Component, Path, PathBuf};

/// Path by which a generated script includes the original. Includes are relative to the file that contains them; for
/// standard output that is the current folder.
///
/// # Errors
/// When the output would replace the script that it includes.
pub fn path(script: &str, output: Option<&str>) -> Result<String, String> {
    let is_stream = |output: &&str| ["/dev", "/proc"].iter().any(|folder| Path::new(output).starts_with(folder));
    let Some(output) = output.filter(|output| !is_stream(output)) else { return Ok(script.to_owned()) };
    if script == STANDARD_INPUT {
        return Ok(script.to_owned());
    }
    if whole(Path::new(script)) == whole(Path::new(output)) {
        return Err(format!("`{output}` is the script that the result includes: write to another file"));
    }
    let is_here = folder(Path::new(output)) == Path::new(".");
    if is_here || Path::new(script).is_absolute() {
        return Ok(script.to_owned());
    }
    Ok(relative(Path::new(script), folder(Path::new(output))).unwrap_or_else(|| script.to_owned()))
}

/// Path of a script relative to a folder; absolute if they have no common root. Only folders are resolved: includes of
/// a symbolic link are relative to the link.
fn relative(script: &Path, base: &Path) -> Option<String> {
    let (from, to) = (base.canonicalize().ok()?, folder(script).canonicalize().ok()?);
    let to = to.join(script.file_name()?);
    if from.components().next() != to.components().next() {
        return Some(to.display().to_string());
    }
    let n_common = from.components().zip(to.components()).take_while(|(one, other)| one == other).count();
    let up = from.components().skip(n_common).map(|_| Component::ParentDir);
    let path: PathBuf = up.chain(to.components().skip(n_common)).collect();
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    Some(parts.join("/"))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}
