//! Which tests run. Those of a crate from outside are one program, because linking many takes longer than running them; none may be forgotten in it. And
//! a library without tests of its own is not compiled once more for them: then it must not have any.

use std::path::{Path, PathBuf};

/// Complains about tests that no program runs, and about crates with several programs.
pub fn check(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut complaints = forgotten_inside(root, files);
    for file in files {
        let Some((crate_folder, module)) = module(file) else { continue };
        let main = crate_folder.join("tests/main.rs");
        match std::fs::read_to_string(root.join(&main)) {
            Ok(text) if names(&text, &module) => {}
            Ok(_) => complaints.push(format!(
                "{}:1: no test in it runs: write `mod {module};` in {}",
                file.display(),
                main.display()
            )),
            Err(_) if alone(files, crate_folder) => {}
            Err(_) => complaints.push(format!(
                "{}:1: a second test program: make both modules of {}",
                file.display(),
                main.display()
            )),
        }
    }
    complaints
}

/// Complains about tests and examples inside of libraries that are said to have none.
fn forgotten_inside(root: &Path, files: &[PathBuf]) -> Vec<String> {
    let mut complaints = Vec::new();
    for file in files {
        let mut parts = file.components().map(|part| part.as_os_str());
        let (Some(crates), Some(name), Some(src)) = (parts.next(), parts.next(), parts.next()) else { continue };
        if crates != "crates" || src != "src" || file.extension().is_none_or(|ending| ending != "rs") {
            continue;
        }
        let manifest = Path::new(crates).join(name).join("Cargo.toml");
        let read = |path: &Path| std::fs::read_to_string(root.join(path)).unwrap_or_default();
        let (text, settings) = (read(file), read(&manifest));
        for (setting, what) in
            [("test = false", "#[test]"), ("doctest = false", "/// ```"), ("doctest = false", "//! ```")]
        {
            let is_there = |line: &str| line.trim_start().starts_with(what);
            if settings.lines().any(|line| line == setting)
                && let Some(place) = text.lines().position(is_there)
            {
                let line = place + 1;
                complaints.push(format!(
                    "{}:{line}: it does not run: remove `{setting}` from {}",
                    file.display(),
                    manifest.display()
                ));
            }
        }
    }
    complaints
}

/// The crate that a file of tests belongs to, and the module that it is: `crates/x/tests/m.rs` or `crates/x/tests/m/mod.rs`.
fn module(file: &Path) -> Option<(&Path, String)> {
    let stem = file.file_stem()?.to_str()?;
    let folder = file.parent()?;
    if file.extension()? != "rs" || stem == "main" {
        return None;
    }
    if folder.file_name()? == "tests" && folder.parent()?.parent()? == Path::new("crates") {
        return Some((folder.parent()?, stem.to_owned()));
    }
    let tests = folder.parent()?;
    (stem == "mod" && tests.file_name()? == "tests" && tests.parent()?.parent()? == Path::new("crates"))
        .then(|| Some((tests.parent()?, folder.file_name()?.to_str()?.to_owned())))?
}

fn names(main: &str, module: &str) -> bool {
    main.lines().any(|line| line.trim() == format!("mod {module};"))
}

/// Whether a crate has one file of tests, which is then a program by itself.
fn alone(files: &[PathBuf], crate_folder: &Path) -> bool {
    files.iter().filter_map(|file| module(file)).filter(|(folder, _)| *folder == crate_folder).count() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_by_their_paths() {
        let found =
            |path: &'static str| module(Path::new(path)).map(|(folder, name)| (folder.display().to_string(), name));
        assert_eq!(found("crates/a/tests/b.rs"), Some(("crates/a".into(), "b".into())));
        assert_eq!(found("crates/a/tests/b/mod.rs"), Some(("crates/a".into(), "b".into())));
        assert_eq!(found("crates/a/tests/main.rs"), None);
        assert_eq!(found("crates/a/tests/b/c.rs"), None);
        assert_eq!(found("crates/a/src/formula/tests/b.rs"), None);
        assert_eq!(found("crates/a/tests/b.csp"), None);
    }

    #[test]
    fn a_module_is_named_by_a_line_of_its_own() {
        assert!(names("mod a;\nmod b;\n", "b"));
        assert!(!names("// mod b;\nmod bc;\n", "b"));
    }

    #[test]
    fn what_no_program_runs_is_told() {
        let files = ["crates/a/tests/b.rs", "crates/a/tests/c.rs"].map(PathBuf::from);
        let said = check(Path::new("nowhere"), &files);
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(check(Path::new("nowhere"), &files[..1]), Vec::<String>::new());
    }
}
