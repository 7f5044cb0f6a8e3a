//! Every code block of the book and every example is run.
//!
//! A block that begins with ```` ```csp ```` is a script without errors. In ```` ```csp,eval ```` blocks each line
//! `-- EXPRESSION  ==> VALUE` is a claim about the script before it. A block ```` ```csp,error=CODE ```` is reported
//! with that code, and with no other error; a ```` ```text ```` block directly after it is the message, word for word
//! (`UPDATE_EXPECTED=1` rewrites it). A ```` ```rust ```` block is a part of the example of the library.

use analysis::{NoProgress, Session, evaluate};
use source::{Diagnostic, Severity};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use test_support::files::{FolderFiles, MemoryFiles, files_below};

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A fenced block of the book: where it stands, what is written behind the fence, and what it holds.
struct Block {
    page: PathBuf,
    line: usize,
    info: String,
    text: String,
}

impl Block {
    fn place(&self) -> String {
        format!("{}:{}", self.page.file_name().expect("a page has a name").to_string_lossy(), self.line)
    }
}

#[test]
fn every_block_of_the_book_does_what_it_says() {
    let pages = files_below(&project().join("docs/book/src"), "md");
    let blocks: Vec<Block> = pages.iter().flat_map(|page| blocks(page)).collect();
    let complaints: Vec<String> =
        blocks.iter().filter(|block| block.info.starts_with("csp")).flat_map(check_block).collect();
    assert!(blocks.len() > 100, "only {} blocks: are they still found?", blocks.len());
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn rust_in_the_book_is_a_part_of_an_example() {
    let trimmed = |text: &str| text.lines().map(str::trim).collect::<Vec<_>>().join("\n");
    let example = project().join("crates/analysis/examples/decide.rs");
    let example = trimmed(&std::fs::read_to_string(example).expect("the example can be read"));
    let pages = files_below(&project().join("docs/book/src"), "md");
    let blocks: Vec<Block> = pages.iter().flat_map(|page| blocks(page)).filter(|block| block.info == "rust").collect();
    assert!(!blocks.is_empty(), "no Rust in the book: is it still found?");
    for block in blocks {
        assert!(example.contains(&trimmed(&block.text)), "{} is no part of the example", block.place());
    }
}

#[test]
fn every_message_of_the_book_is_what_the_tool_says() {
    let mut complaints = Vec::new();
    for page in files_below(&project().join("docs/book/src"), "md") {
        for pair in blocks(&page).windows(2) {
            if !pair[0].info.starts_with("csp,error=") || pair[1].info != "text" {
                continue;
            }
            let actual = message(&pair[0]);
            if actual.trim_end() != pair[1].text.trim_end() {
                complaints.push(format!("{}: the message is\n{actual}", pair[1].place()));
                rewrite_if_wanted(&page, &pair[0].text, &pair[1].text, &actual);
            }
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn every_example_is_without_errors_and_prints_values() {
    let folder = project().join("examples");
    let scripts = files_below(&folder, "csp");
    assert!(scripts.len() >= 12, "only {} examples: are they still found?", scripts.len());
    let complaints: Vec<String> = scripts
        .iter()
        .flat_map(|script| {
            let name = script.file_name().expect("a script has a name").to_string_lossy().into_owned();
            errors(&Session::open(&FolderFiles::new(&folder), &name, None))
                .into_iter()
                .map(move |error| format!("{name}: {}", describe(&error)))
        })
        .collect();
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

#[test]
fn the_index_of_the_examples_names_them_all() {
    let folder = project().join("examples");
    let index = std::fs::read_to_string(folder.join("README.md")).expect("the examples have an index");
    for script in files_below(&folder, "csp") {
        let name = script.file_name().expect("a script has a name").to_string_lossy();
        assert!(index.contains(&format!("({name})")), "examples/README.md does not name {name}");
    }
}

#[test]
fn the_summary_names_every_page() {
    let source = project().join("docs/book/src");
    let summary = std::fs::read_to_string(source.join("SUMMARY.md")).expect("the book has a summary");
    for page in files_below(&source, "md") {
        let name = page.strip_prefix(&source).expect("pages lie in the book").to_string_lossy().replace('\\', "/");
        assert!(name == "SUMMARY.md" || summary.contains(&format!("({name})")), "SUMMARY.md does not name {name}");
    }
}

#[test]
fn every_link_leads_somewhere() {
    for page in documents() {
        let text = std::fs::read_to_string(&page).expect("a page can be read");
        for link in links(&text) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { page.clone() } else { page.with_file_name(file) };
            assert!(target.exists(), "{} links to {link}, which is not there", page.display());
            if !anchor.is_empty() {
                let linked = std::fs::read_to_string(&target).expect("a page can be read");
                let found = linked.lines().any(|line| anchor_of(line).as_deref() == Some(anchor));
                assert!(found, "{} links to {link}, but there is no such heading", page.display());
            }
        }
    }
}

/// Every document of the project: the pages of the book, those beside the code, and those at the root.
fn documents() -> Vec<PathBuf> {
    let project = project();
    let folders = ["docs", "examples", "bench", "editors", ".github"];
    let below = folders.iter().flat_map(|folder| files_below(&project.join(folder), "md"));
    let root = std::fs::read_dir(&project).expect("the project can be listed").filter_map(|entry| {
        let path = entry.ok()?.path();
        path.extension().is_some_and(|extension| extension == "md").then_some(path)
    });
    below.chain(root).filter(|path| !path.components().any(|part| part.as_os_str() == "node_modules")).collect()
}

fn check_block(block: &Block) -> Vec<String> {
    let files = MemoryFiles::of("block.csp", block.text.as_str());
    let found = errors(&Session::open(&files, "block.csp", None));
    let mut complaints = match block.info.strip_prefix("csp,error=") {
        Some(code) if found.is_empty() => vec![format!("{code} is not reported")],
        Some(code) => found.iter().filter(|error| error.code != code).map(describe).collect(),
        None => found.iter().map(describe).collect(),
    };
    if block.info == "csp,eval" && complaints.is_empty() {
        complaints.extend(claims(&block.text).filter_map(|(expression, value)| check_claim(&files, expression, value)));
    }
    complaints.into_iter().map(|complaint| format!("{}: {complaint}", block.place())).collect()
}

/// The diagnostics of a script with errors.
fn message(block: &Block) -> String {
    let session = Session::open(&MemoryFiles::of("script.csp", block.text.as_str()), "script.csp", None);
    errors(&session).iter().map(|error| source::render::plain(session.source_map(), error)).collect()
}

fn rewrite_if_wanted(page: &Path, script: &str, old: &str, new: &str) {
    if std::env::var_os("UPDATE_EXPECTED").is_some_and(|value| value != "0") {
        let text = std::fs::read_to_string(page).expect("a page can be read");
        let before = format!("{script}```\n\n```text\n{old}```");
        let after = format!("{script}```\n\n```text\n{}\n```", new.trim_end());
        std::fs::write(page, text.replace(&before, &after)).expect("a page can be written");
    }
}

fn claims(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.lines().filter_map(|line| line.strip_prefix("-- ")?.split_once("  ==> "))
}

fn check_claim(files: &MemoryFiles, expression: &str, expected: &str) -> Option<String> {
    let evaluation = evaluate(files, "block.csp", None, expression, Arc::new(NoProgress));
    match evaluation.value {
        Some(Ok(value)) if value == expected.trim() => None,
        Some(Ok(value)) => Some(format!("`{expression}` gives {value}, not {expected}")),
        Some(Err(diagnostic)) => Some(format!("`{expression}` has no value: {}", describe(&diagnostic))),
        None => {
            let reasons: Vec<String> = errors(&evaluation.session).iter().map(describe).collect();
            Some(format!("`{expression}` has no value: {}", reasons.join("; ")))
        }
    }
}

/// The errors of a script, those of its prints included.
fn errors(session: &Session) -> Vec<Diagnostic> {
    let is_error = |diagnostic: &&Diagnostic| diagnostic.severity == Severity::Error;
    let mut errors: Vec<Diagnostic> = session.diagnostics().iter().filter(is_error).cloned().collect();
    if errors.is_empty() {
        errors.extend(
            session
                .prints(|| Arc::new(NoProgress))
                .into_iter()
                .filter_map(|print| print.value.err().map(|diagnostic| *diagnostic)),
        );
    }
    errors
}

fn describe(diagnostic: &Diagnostic) -> String {
    format!("{}: {}", diagnostic.code, diagnostic.title)
}

/// The relative targets of the links and pictures of a page. Code between backquotes has none.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let prose = text.split("```").step_by(2);
    let targets = prose
        .flat_map(|part| part.split("](").skip(1).filter_map(|rest| rest.split_once(')')))
        .map(|(target, _)| target);
    targets.filter(|target| !target.contains("://") && (target.contains('.') || target.starts_with('#')))
}

/// The anchor that mdBook gives to a heading.
fn anchor_of(line: &str) -> Option<String> {
    let heading = line.strip_prefix('#')?.trim_start_matches('#').trim();
    let kept = heading.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    Some(kept.map(|c| if c == ' ' { '-' } else { c.to_ascii_lowercase() }).collect())
}

/// The blocks of a page in order. A fence that is neither a script nor known as plain text is a mistake.
fn blocks(page: &Path) -> Vec<Block> {
    let text = std::fs::read_to_string(page).expect("a page can be read");
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in (1..).zip(text.lines()) {
        match (line.strip_prefix("```"), &mut open) {
            (Some(info), None) => {
                open = Some(Block { page: page.to_owned(), line: number, info: info.to_owned(), text: String::new() });
            }
            (Some(_), Some(_)) => blocks.extend(open.take()),
            (None, Some(block)) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{} ends inside a block", page.display());
    // What is typed elsewhere, into shells and the settings of editors, is not read.
    let plain = ["console", "text", "sh", "lua", "toml", "lisp", "json", "yaml", "rust", "python"];
    for block in &blocks {
        // Networks are read by the tests beside their reader.
        let known = block.info.starts_with("network")
            || block.info == "csp"
            || block.info == "csp,eval"
            || block.info.starts_with("csp,error=");
        assert!(known || plain.contains(&block.info.as_str()), "{}: unknown kind `{}`", block.place(), block.info);
    }
    blocks
}
