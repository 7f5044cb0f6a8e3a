//! What editors say about built-in names is what the book says.

#[test]
fn every_built_in_is_explained_as_in_the_book() {
    let reference = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/book/src/reference/");
    let page = |name: &str| std::fs::read_to_string(format!("{reference}{name}.md")).expect("the page is there");
    let pages = ["builtins", "imports", "timed", "processes"].map(page).join("\n");
    let words = languages::named("cspm").expect("there is CSPM").words();
    let built_in: Vec<_> = words.iter().filter(|word| !word.is_keyword).collect();
    assert_eq!(built_in.len(), cspm::builtins::Builtin::ALL.len());
    for word in built_in {
        let name = format!("`{}`", word.name);
        let says = |line: &str| {
            let mut cells = line.trim_matches(['|', ' ']).split(" | ");
            cells.next().is_some_and(|first| first.contains(&name)) && cells.last() == Some(word.about)
        };
        assert!(pages.lines().any(says), "the book says something else about {name} than: {}", word.about);
    }
}
