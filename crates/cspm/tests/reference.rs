//! Consistency of the reference in the book with the built-ins.

use cspm::builtins::Builtin;
use std::path::Path;

#[test]
fn the_reference_describes_every_builtin_with_its_type() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/book/src/reference");
    let pages: String = ["builtins.md", "imports.md"]
        .iter()
        .map(|page| std::fs::read_to_string(source.join(page)).expect("the page exists").replace("\\|", "|"))
        .collect();
    let rows: Vec<&str> = pages.lines().filter(|line| line.starts_with("| ")).collect();
    for builtin in Builtin::ALL {
        let name = format!("`{}`", builtin.name());
        let row = rows.iter().find(|row| row.split(" | ").next().is_some_and(|first| first.contains(&name)));
        let row = row.unwrap_or_else(|| panic!("{name} is not described"));
        let scheme = format!("`{}`", builtin.scheme());
        // The compressions have a common type, given above their table.
        let is_compression = builtin.scheme() == "(Proc) -> Proc" && row.matches(" | ").count() == 1;
        assert!(is_compression || row.contains(&scheme), "{name} has the type {scheme}, but the book says: {row}");
    }
}
